"""The files of `deploy/`: what they must say, and the steps of the image without a container."""

import configparser
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import yaml
from uno_serve.config import ServeConfig
from uno_serve.environment import environment_options

from .server import ROOT

DEPLOY = ROOT / "deploy"
READY = "uno-serve is ready: "


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, lines joined."""
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    words = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    return [(name, " ".join(rest.split())) for name, rest in words]


def image_environment() -> dict[str, str]:
    pairs = [rest for name, rest in instructions() if name == "ENV"]
    return dict(pair.split("=", 1) for rest in pairs for pair in rest.split())


def test_the_image_is_small_and_not_root():
    names = [name for name, _ in instructions()]
    assert names.count("FROM") == 2, "built in one stage, run in another"
    assert ("USER", "uno") in instructions()
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "HEALTHCHECK" in names
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv", "deploy/postgres_password"} <= set(ignored)


def test_every_variable_is_an_option():
    found = [image_environment()]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    found.append(compose["services"]["uno"]["environment"])
    lines = (DEPLOY / "uno-serve.env").read_text(encoding="utf-8").splitlines()
    found.append(dict(line.split("=", 1) for line in lines if line and not line.startswith("#")))
    for environment in found:
        options = environment_options(environment)
        assert options
        ServeConfig.from_dict(options)


def test_the_compose_file_has_a_database_that_is_waited_for():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    uno, postgres = compose["services"]["uno"], compose["services"]["postgres"]
    assert uno["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "healthcheck" in postgres and uno["read_only"] and uno["cap_drop"] == ["ALL"]
    assert "password" not in str(uno["environment"]).lower()


def test_the_unit_starts_what_is_installed():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "uno-serve.service", encoding="utf-8")
    service = unit["Service"]
    assert service["ExecStart"].endswith("/bin/uno-serve")
    assert service["DynamicUser"] == "yes" and service["ProtectSystem"] == "strict"
    if shutil.which("systemd-analyze"):
        command = ["systemd-analyze", "verify", "--man=no", str(DEPLOY / "uno-serve.service")]
        done = subprocess.run(command, capture_output=True, text=True)
        problems = [line for line in done.stderr.splitlines() if "not executable" not in line]
        assert not [line for line in problems if "uno-serve.service" in line], done.stderr


# The steps of the image.


def usable_python() -> tuple[str, int | None]:
    """An interpreter for the image, and the user to run it as: another one where possible."""
    if os.getuid() != 0:
        return sys.executable, None
    nobody = 65534
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (getattr(sys, "_base_executable", sys.executable), shutil.which(version)):
        if python is None:
            continue
        check = [python, "-c", "import venv, ensurepip"]
        try:
            done = subprocess.run(check, user=nobody, capture_output=True, cwd="/")
        except OSError:  # in a folder that is not for others
            continue
        if done.returncode == 0:
            return python, nobody
    return sys.executable, None


@pytest.fixture
def image():
    """A folder that is the image's file system, as far as its steps need one."""
    folder = Path(tempfile.mkdtemp(prefix="uno-image-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_the_steps_of_the_image_make_a_server_that_is_healthy(image):
    python, user = usable_python()
    for name in ("data", "home", "wheels"):
        (image / name).mkdir()
    shutil.copytree(
        ROOT, image / "source", symlinks=True,
        ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", "runs"),
    )  # fmt: skip
    subprocess.run([python, "-m", "venv", str(image / "venv")], check=True)
    places = {"/wheels": "wheels", "/source": "source", "/data": "data", "/home/uno": "home"}

    def here(text: str) -> str:
        return re.sub("|".join(places), lambda found: str(image / places[found[0]]), text)

    clean = {"PATH": f"{image}/venv/bin:/usr/bin:/bin", "HOME": str(image / "home")}
    clean |= {key: os.environ[key] for key in os.environ if key.lower().startswith("pip_")}
    runs = [here(rest) for name, rest in instructions() if name == "RUN"]
    build, _, install, warm_up = runs
    for step in (build, install):
        done = subprocess.run(["/bin/sh", "-ec", step], cwd=image / "source", env=clean, text=True,
                              capture_output=True)  # fmt: skip
        if re.search("No matching distribution|Failed to establish|Temporary failure", done.stderr):
            pytest.skip("no package index is at hand")
        assert done.returncode == 0, done.stderr[-3000:]
    if user is not None:
        for name in ("data", "home"):
            os.chown(image / name, user, user)
    env = clean | {key: here(value) for key, value in image_environment().items()}
    env |= {"UNO_SERVE_HOST": "127.0.0.1", "UNO_SERVE_PORT": "0"}
    as_user = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    subprocess.run(["/bin/sh", "-ec", warm_up], cwd=image / "data", env=env, check=True, **as_user)
    check_server(image, env, as_user)


def check_server(image: Path, env: dict[str, str], as_user: dict) -> None:
    """The entry point runs, the health check passes while it does and fails afterwards."""
    (entry,) = [rest for name, rest in instructions() if name == "ENTRYPOINT"]
    (check,) = [rest for name, rest in instructions() if name == "HEALTHCHECK"]
    health = yaml.safe_load(check.partition("CMD ")[2])
    server = subprocess.Popen(yaml.safe_load(entry), cwd=image / "data", env=env, text=True,
                              stdout=subprocess.PIPE, **as_user)  # fmt: skip
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith(READY), line
        env = env | {"UNO_SERVE_PORT": line.strip().rstrip("/").rpartition(":")[2]}
        assert subprocess.run(health, env=env, cwd=image, **as_user).returncode == 0
        assert (image / "data" / "uno-serve.db").exists()
        if as_user:
            assert Path(f"/proc/{server.pid}").stat().st_uid == as_user["user"]
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) in (0, -signal.SIGTERM)
        time.sleep(0.1)
        assert subprocess.run(health, env=env, cwd=image, **as_user).returncode == 1
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()
