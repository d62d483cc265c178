"""House rules: switches that no preset turns (HR-01)."""

from .given import given, play, sizes

FILL = "blue-1 green-6 green-8"


def test_hr_01_a_seven_may_leave_the_hands():
    """With `seven_swap_optional` whoever plays a 7 may decline the swap, and play goes on."""
    hands = [f"red-7 {FILL}", "red-1 red-2", FILL]
    g = given("no_mercy", hands, "red-5", rules={"seven_swap_optional": True})
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (0, "swap-target")
    assert g.legal() == ["target +1", "target +2", "no-swap"]
    swapped = play(g.clone(), "0: target +1")
    assert sizes(swapped) == [2, 3, 3]
    play(g, "0: no-swap")
    assert sizes(g) == [3, 2, 3]
    assert (g.actor, g.phase) == (1, "play")
    g = given("no_mercy", hands, "red-5")
    play(g, "0: play red-7")
    assert g.legal() == ["target +1", "target +2"]
