"""Plots: every picture is written, legible in size, the same for the same games."""

import pytest
from PIL import Image
from uno_arena.report.plots import write_plots

from .synthetic import synthetic_results


def test_all_plots_are_written_and_repeat_byte_for_byte(tmp_path):
    results = synthetic_results({"heuristic": 60.0, "greedy": 0.0, "oracle": 100.0}, deals=150)
    files = write_plots(results, tmp_path / "a")
    assert [file.name for file in files] == [
        f"classic-2-{name}.png" for name in ("ratings", "matrix", "turns", "lengths", "decisions")
    ]
    for first, again in zip(files, write_plots(results, tmp_path / "b"), strict=True):
        assert first.read_bytes() == again.read_bytes()
        with Image.open(first) as picture:
            assert min(picture.size) > 300
            # More than an empty canvas: several colours.
            assert len(picture.convert("RGB").getcolors(1 << 24)) > 20


@pytest.mark.parametrize(("deals", "has_ratings"), [(20, False), (120, True)])
def test_ratings_are_drawn_only_from_enough_deals(tmp_path, deals, has_ratings):
    files = write_plots(synthetic_results({"a": 50.0, "b": 0.0}, deals=deals), tmp_path)
    assert any("ratings" in file.name for file in files) == has_ratings


def test_house_rules_make_file_names(tmp_path):
    results = synthetic_results(
        {"a": 0.0, "b": 0.0}, deals=30, variant="no_mercy(stacking=none)", players=3
    )
    assert {file.name.rsplit("-", 1)[0] for file in write_plots(results, tmp_path)} == {
        "no-mercy-stacking-none-3"
    }
