"""The example files for clusters, held against Ray's own checks, flags and readers."""

import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("ray")
yaml = pytest.importorskip("yaml")
jsonschema = pytest.importorskip("jsonschema")

sys.path.insert(0, str(Path(__file__).parent))
import ray  # noqa: E402
from clusters import STORE  # noqa: E402
from uno_train.cli import train_parser  # noqa: E402
from uno_train.config import make_config  # noqa: E402

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "configs" / "ray"


def read(name):
    return yaml.safe_load((FILES / name).read_text())


def start_flags():
    """The flags of `ray start`, without their dashes."""
    from ray.scripts.scripts import start

    return {name.lstrip("-") for option in start.params for name in option.opts}


def extras(text):
    """Names in brackets behind the package's name."""
    return {word for found in re.findall(r"uno-env\[([\w,]+)\]", text) for word in found.split(",")}


def prepared(machines):
    from ray.autoscaler._private.util import prepare_config, validate_config

    whole = prepare_config(machines)
    validate_config(whole)
    return whole


def test_ray_up_takes_the_file():
    whole = prepared(read("machines.yaml"))
    kinds = whole["available_node_types"]
    assert [kind["max_workers"] for kind in kinds.values()] == [2]
    wrong = read("machines.yaml")
    wrong["setup_comands"] = wrong.pop("setup_commands")
    with pytest.raises(jsonschema.ValidationError, match="setup_comands"):
        prepared(wrong)


def test_its_commands_have_flags_that_ray_knows():
    machines = read("machines.yaml")
    starts = [
        shlex.split(command)
        for key in ("head_start_ray_commands", "worker_start_ray_commands")
        for command in machines[key]
    ]
    assert [words[1] for words in starts] == ["stop", "start"] * 2
    given = {word.lstrip("-") for words in starts for word in words if word.startswith("--")}
    assert given and given <= start_flags()


def test_the_files_name_extras_that_exist():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for file in FILES.glob("*.yaml"):
        named = extras(file.read_text())
        assert named == {"train", "ray"} and named <= declared["optional-dependencies"].keys()


def test_kuberay_finds_all_it_needs():
    job = read("kuberay.yaml")
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", job["metadata"]["name"])
    spec = job["spec"]
    assert spec.keys() <= {"entrypoint", "shutdownAfterJobFinishes", "rayClusterSpec"}
    cluster = spec["rayClusterSpec"]
    assert cluster["rayVersion"] == ray.__version__
    assert cluster.keys() == {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
    (workers,) = cluster["workerGroupSpecs"]
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    assert {"groupName", "rayStartParams", "template"} <= workers.keys()
    for group in (cluster["headGroupSpec"], workers):
        params = group["rayStartParams"]
        assert params.keys() <= start_flags()
        assert all(isinstance(value, str) for value in params.values())
        pod = group["template"]["spec"]
        (container,) = pod["containers"]
        assert {"name", "image", "resources"} <= container.keys()
        mounted = {mount["name"] for mount in container.get("volumeMounts", [])}
        assert mounted == {volume["name"] for volume in pod.get("volumes", [])}


def test_ray_reads_the_resources_of_the_pods():
    # Ray's autoscaler has a reader for clusters of KubeRay.
    from ray.autoscaler._private.kuberay import autoscaling_config

    cluster = read("kuberay.yaml")["spec"]["rayClusterSpec"]
    found = autoscaling_config._derive_autoscaling_config_from_ray_cr(
        {"metadata": {"name": "uno", "namespace": "default"}, "spec": cluster}
    )
    kinds = found["available_node_types"]
    assert kinds["headgroup"]["resources"]["CPU"] == 0
    assert kinds["players"]["resources"]["CPU"] == 8
    assert (kinds["players"]["min_workers"], kinds["players"]["max_workers"]) == (1, 16)


def test_its_command_is_one_of_ours():
    spec = read("kuberay.yaml")["spec"]
    name, *words = shlex.split(spec["entrypoint"])
    options = train_parser().parse_args(words)
    assert name == "uno-train" and options.ray == ""
    pod = spec["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    folders = [mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]]
    assert str(options.out.parent) in folders and str(Path(options.config).parent) in folders
    config = make_config(ROOT / "configs" / "train" / Path(options.config).name, {})
    # Eight pods of eight cores, and as many shards.
    (workers,) = spec["rayClusterSpec"]["workerGroupSpecs"]
    cores = int(workers["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"])
    assert config.shards == workers["replicas"] * cores


@pytest.mark.slow
def test_its_start_commands_make_a_cluster(tmp_path):
    # As `ray up` would give them over SSH, but here, on loopback, and on another port.
    machines, port = read("machines.yaml"), free_port()
    here = ["--node-ip-address", "127.0.0.1", "--object-store-memory", str(STORE), "--block"]
    more = {"head": ["--include-dashboard", "false"], "worker": ["--num-cpus", "1"]}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    # A cluster that asks for a token, which only those have who are given it here.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    env = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": path, **token}
    database, address = str(tmp_path / "arena.db"), f"127.0.0.1:{port}"
    words = [sys.executable, "-m", "uno_arena", "greedy", "random", "--deals", "20", "--quiet",
             "--db", database, "--ray", address]  # fmt: skip
    nodes = []
    try:
        for kind, own in more.items():
            text = machines[f"{kind}_start_ray_commands"][1].replace("6379", str(port))
            start = shlex.split(text.replace("$RAY_HEAD_IP", "127.0.0.1"))
            program = str(Path(sys.executable).parent / Path(start[0]).name)
            nodes.append(subprocess.Popen([program, *start[1:], *own, *here], env=env,
                                          cwd=ROOT, start_new_session=True))  # fmt: skip
            wait_for(port)
        subprocess.run(words, check=True, timeout=300, cwd=ROOT, env=env)
        strange = {**env, "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        refused = subprocess.run(words, timeout=300, cwd=ROOT, env=strange, capture_output=True)
        assert refused.returncode == 1 and b"RAY_AUTH_MODE=token" in refused.stderr
    finally:
        for node in reversed(nodes):
            os.killpg(node.pid, signal.SIGTERM)
        for node in nodes:
            node.wait(60)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(port):
    for _ in range(1200):
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("nobody listens")
