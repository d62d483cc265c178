"""Settings of the property tests: the fast set is the same on every run, the slow one explores."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from .scratch import Scratch

# A failing game is rebuilt from its rules, seats and seeds, so shrinking stays cheap and no
# database of earlier failures is needed.
settings.register_profile(
    "uno",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("uno")


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)
