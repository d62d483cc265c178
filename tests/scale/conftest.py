"""Clusters apart from each other: a folder of Ray's own for each test process, one at a time."""

import shutil
import tempfile

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the tests of this folder in one worker, so that no two of them start clusters at once."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        if "scale" in item.path.relative_to(config.rootpath).parts:
            item.add_marker(pytest.mark.xdist_group("cluster"))


@pytest.fixture(scope="session", autouse=True)
def ray_folder():
    """Where Ray keeps sockets, logs and the address of "the" cluster of this machine.

    In the shared default folder, a command without an address finds the cluster started last by
    anybody. Sockets have short paths at most, hence not pytest's own temporary folder.
    """
    folder = tempfile.mkdtemp(prefix="uno-")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", folder)
        yield folder
    shutil.rmtree(folder, ignore_errors=True)
