"""The splits: what each trains on, and what it holds out for the test.

A split never changes: another rule, value or number is another version, with another `VERSION`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .conditions import Combination, Condition

VERSION = 1
TRAIN_SIZE, TEST_SIZE = 200, 40
SIZES = range(2, 7)
"""Table sizes at which every rule set of every list can be played."""

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "voluntary_draw": ("always", "only_without_match", "never"),
    "draw_policy": ("one", "until_playable"),
    "draw_count": (1, 2),
    "play_drawn": ("optional", "forced", "never"),
    "plus4_legality": ("anything", "no_active_color", "nothing_else"),
    "challenge": ("none", "target"),
    "challenge_fail_draw": (6, 8),
    "stacking": ("none", "equal_or_higher", "draw2_draw4_with_joker_cancel"),
    "seven_swap": (True, False),
    "zero_pass": (True, False),
    "jump_in": (True, False),
    "sum_out": ("none", "numbers"),
    "mercy_limit": (0, 20, 25, 30),
    "uno_call": ("explicit", "auto", "off"),
    "uno_penalty": (2, 4),
    "two_player_reverse": ("play_again", "literal"),
    "wild_only_when_stuck": (True, False),
    "hand_size": (5, 7, 9),
    "deck.wild": (2, 4, 6),
    "deck.wild-draw4": (2, 4, 6),
    "deck.draw2": (1, 2, 3),
    "deck.skip": (1, 2, 3),
    "deck.reverse": (1, 2, 3),
    "deck.wild-hyper-speed": (2, 4),
    "deck.wild-swap": (2, 4),
    "deck.skip-all": (1, 2),
    "deck.wild-draw6": (2, 4),
    "deck.wild-roulette": (4, 8),
    "deck.discard-all": (1, 3),
}
"""What rule sets for training are made of: rules or kinds of cards, and their values."""

COPIES = (2, 4, 8)
"""Copies of a held-out kind in a test deck."""


@dataclass(frozen=True)
class Split:
    """A list of rules to train on, and one to test on.

    Args:
        name: as in `ruleset:NAME/train`.
        about: what the test asks, in a line.
        bases: rules texts that rule sets start from; none of them has what is held out.
        texts: combinations held out: no rule set of the training list has one of them, every one
            of the test list has at least one.
    """

    name: str
    about: str
    bases: tuple[str, ...]
    texts: tuple[str, ...]

    @cached_property
    def held_out(self) -> tuple[Combination, ...]:
        """What the training list never has."""
        return tuple(map(Combination.from_text, self.texts))

    @cached_property
    def seen(self) -> dict[str, tuple[Any, ...]]:
        """`CHOICES` without values that are held out alone."""
        alone = {one.conditions[0] for one in self.held_out if len(one.conditions) == 1}
        found = {
            key: tuple(
                value for value in values
                if Condition(key, value) not in alone and Condition(key) not in alone
            )
            for key, values in CHOICES.items()
        }  # fmt: skip
        return {key: values for key, values in found.items() if values}


PRESETS = ("hyper_speed", "classic", "no_mercy", "ig2000", "loche")
"""Presets for single players with coloured cards."""

SPLITS = {
    split.name: split
    for split in (
        Split(
            "interpolation",
            "pairs of rules that were seen, but never together",
            PRESETS,
            (
                "jump_in=true+seven_swap=true",
                "jump_in=true+stacking=equal_or_higher",
                "sum_out=numbers+zero_pass=true",
                "sum_out=numbers+draw_policy=until_playable",
                "challenge=target+draw_policy=until_playable",
                "play_drawn=never+mercy_limit=20",
                "hand_size=9+mercy_limit=30",
                "hand_size=5+uno_call=off",
                "wild_only_when_stuck=true+voluntary_draw=never",
                "deck.wild-roulette+jump_in=true",
                "deck.wild-swap+mercy_limit=25",
            ),
        ),
        Split(
            "values",
            "unseen numbers, between and beyond those seen",
            PRESETS,
            (
                *(f"hand_size={number}" for number in (3, 6, 11)),
                *(f"mercy_limit={number}" for number in (16, 23, 40)),
                *(f"draw_count={number}" for number in (3, 4)),
                *(f"uno_penalty={number}" for number in (3, 6)),
                *(f"challenge_fail_draw={number}" for number in (7, 10)),
                *(f"deck.wild={number}" for number in (3, 10)),
                *(f"deck.wild-draw4={number}" for number in (3, 9)),
                *(f"deck.draw2={number}" for number in (4, 6)),
                "deck.skip=5",
                "deck.reverse=5",
                "deck_copies=2",
            ),
        ),
        Split(
            "switches",
            "rules never switched on in training",
            (
                "hyper_speed", "classic", "no_mercy(seven_swap=false)",
                "ig2000(jump_in=false)", "loche(jump_in=false)",
            ),
            (
                "jump_in=true",
                "seven_swap=true",
                "multiple_play=true",
                "wild_only_when_stuck=true",
                "deflection=skip",
                "deflection=reverse",
                "deflection=both",
                "finish_on_action=false",
                "play_after_draw_scope=any_card",
            ),
        ),
        Split(
            "cards",
            "kinds of cards never in the deck in training",
            (
                "hyper_speed(deck.wild-hyper-speed=0)", "classic",
                "no_mercy(deck.discard-all=0,deck.wild-roulette=0)",
                "ig2000", "loche",
            ),
            (
                "deck.wild-hyper-speed",
                "deck.discard-all",
                "deck.wild-roulette",
                "deck.wild-skip2",
                "deck.wild-forced-swap",
                "deck.wild-target-draw2",
            ),
        ),
    )
}  # fmt: skip
