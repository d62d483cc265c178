"""What holds for all tests: those with processes of their own get a second chance."""

import pytest

REAL = {"serve"}
"""Folders whose tests start servers and browsers, which a busy machine may starve."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.pluginmanager.hasplugin("rerunfailures"):
        return
    for item in items:
        if REAL & set(item.path.relative_to(config.rootpath).parts):
            item.add_marker(pytest.mark.flaky(reruns=1))
