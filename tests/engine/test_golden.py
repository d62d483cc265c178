"""One game of each preset, move by move, against the transcript in `tests/golden`.

After a deliberate change of the rules: `python -m tests.engine.golden --write`, and read the diff.
"""

import pytest

import uno_env as uno

from .golden import FOLDER, transcript


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_the_golden_game_is_played_the_same(variant):
    assert transcript(variant) == (FOLDER / f"{variant}.txt").read_text()


def test_every_transcript_belongs_to_a_preset():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(uno.VARIANTS)
