"""Fixtures of the engine's tests."""

from pathlib import Path

import pytest

from .scratch import Scratch


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)
