"""Real Ray clusters of several nodes on this machine."""

import os
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORE = 150 * 1024**2
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
"""Variables for other processes that join: Ray is not to look at the machine's own address."""
NODE = {"num_cpus": 1, "object_store_memory": STORE, "node_ip_address": "127.0.0.1"}


class Nodes:
    """A head without cores, and nodes with one each, which may be lost."""

    def __init__(self, cluster, count):
        self._cluster = cluster
        self.nodes = [self.add() for _ in range(count)]

    @property
    def address(self):
        return self._cluster.address

    def add(self):
        return self._cluster.add_node(**NODE)

    def lose(self):
        """Kill all processes of a node, as if its plug were pulled."""
        self._cluster.remove_node(self.nodes.pop(0), allow_graceful=False)


@contextmanager
def running(count):
    """A cluster of that many nodes, which is stopped afterwards."""
    import ray
    from ray._private import ray_constants
    from ray.cluster_utils import Cluster

    # Else Ray looks for a cluster on loopback at the machine's own address.
    ray_constants.ENABLE_RAY_CLUSTER = False
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    # A lost node is noticed after a few seconds instead of half a minute.
    settings = {"health_check_period_ms": 500, "health_check_failure_threshold": 4}
    # Else workers give way to every other process, and a test on a busy machine takes minutes.
    settings["worker_niceness"] = 0
    head = {**NODE, "num_cpus": 0, "include_dashboard": False, "_system_config": settings}
    paths = os.environ.get("PYTHONPATH")
    # Nodes find the tests' own bots where the tests are.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), paths]))
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = Nodes(cluster, count)
        cluster.wait_for_nodes()
        yield nodes
    finally:
        ray.shutdown()
        cluster.shutdown()
        if paths is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = paths
