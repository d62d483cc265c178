"""A Ray cluster: joining one or starting one here, and being sure that its nodes run this code."""

import logging
import os
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..code_version import PACKAGES, code_digest, package_folder

LOCAL, RUNNING = "local", "auto"
"""Addresses: start Ray on this machine; use the one that runs here already."""
CONNECT_SECONDS = 10
NEEDED = "--ray needs Ray: pip install 'uno-env[ray]'"


class ClusterError(ConnectionError):
    """A cluster that cannot be reached, or whose nodes are not as they must be."""


class AddressError(ValueError):
    """An address that is none, or Ray is not installed."""


def import_ray() -> Any:
    """Ray, which is loaded only where it is used."""
    # Nothing is reported to anybody, and devices of tasks without GPUs stay as they are.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise AddressError(f"{NEEDED} ({error})") from None
    return ray


def read_address(given: str) -> str:
    """The address that `--ray` was given; without one that of RAY_ADDRESS, else this machine."""
    address = given or os.environ.get("RAY_ADDRESS", "") or LOCAL
    if address not in (LOCAL, RUNNING) and ":" not in address:
        raise AddressError(
            f"--ray is {address!r}; allowed: {LOCAL}, {RUNNING}, HOST:PORT or ray://HOST:PORT "
            "(agents and files stand before --ray)"
        )
    return address


@contextmanager
def joined(given: str = "", cpus: int | None = None) -> Iterator[Any]:
    """Ray, connected to a cluster for as long as the block lasts.

    Where this process is connected already, that connection is used and left open.

    Args:
        given: the address; see `read_address`.
        cpus: cores to use if Ray is started here; all of them if None.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    address = read_address(given)
    started = {"num_cpus": cpus, "include_dashboard": False} if address == LOCAL else {}
    with _connecting(address):
        _probe(address)
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **started)
    try:
        yield ray
    finally:
        ray.shutdown()


def _probe(address: str) -> None:
    """Raise at once if nothing listens there; Ray itself keeps trying for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()


@contextmanager
def _connecting(address: str) -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ray's own, about its coming versions
            yield
    except Exception as error:  # Ray raises no narrower one if it cannot start
        reason = str(error).strip().partition("\n")[0]
        raise ClusterError(
            f"no Ray cluster at {address}: {reason} (`ray start --head` starts one; if it asks for "
            "a token, set RAY_AUTH_MODE=token here too, with the same token)"
        ) from None


def cores(ray: Any) -> int:
    """Cores of the cluster at this moment."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def check_code(digest: str, packages: tuple[str, ...] = PACKAGES) -> None:
    """Raise on a node whose code is not that of the machine that submits."""
    if code_digest(packages) != digest:
        raise ClusterError(
            f"{node_name()} runs other code than the machine that submits; install one version "
            f"of uno_env on every node (here it is in {package_folder(packages[0]).parent})"
        )


def check_file(spec: str, wanted: str, found: str) -> None:
    """Raise on a node where an agent's files are missing or differ."""
    if found != wanted:
        raise ClusterError(
            f"{node_name()} has {'other' if found else 'no'} files for agent {spec!r} (seen from "
            f"{Path.cwd()}); share the folder with every node, or send it along: "
            "ray job submit --working-dir . -- COMMAND"
        )


def node_name() -> str:
    """This machine, for messages."""
    return f"node {socket.gethostname()}"
