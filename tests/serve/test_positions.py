"""Positions by the quick way and by the long one: the same observation, mask and errors."""

import asyncio
from typing import Any

import numpy as np
import pytest
from uno_serve.api.decisions import _decision_request
from uno_serve.api.protocol import ActRequest
from uno_serve.bots.quick_position import MAX_TEMPLATES, QuickPositions
from uno_serve.errors import ApiError

import uno_env as uno

KEYS = "variant seat hand hand_sizes top_card active_color direction uno_called phase".split()


def positions(variant: str, count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Positions of random games in any phase, as a front end would send them."""
    rng = np.random.default_rng(seed)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        game = uno.Game(variant, 4, seed=int(rng.integers(2**32)))
        for _ in range(int(rng.integers(3, 60))):
            if not game.over:
                game.step(int(rng.choice(game.legal_ids())))
        if game.over:
            continue
        view = game.view(game.actor)
        keys = [*KEYS, "pending", "drawn_card", *(["discard"] if rng.random() < 0.5 else [])]
        position = {key: view[key] for key in keys if view[key] is not None}
        if view["eliminated"]:
            position["eliminated"] = view["eliminated"]
        found.append(position)
    return found


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_the_quick_way_gives_what_the_long_one_does(variant):
    quick, used, count = QuickPositions(), 0, 200
    for position in positions(variant, count):
        found, whole = quick.read(position), quick.read_in_full(position)
        if found is None:
            continue
        used += 1
        assert (found.obs, found.mask) == (whole.obs, whole.mask), position
        for key in ("seat", "num_players", "phase"):
            assert found.view[key] == whole.view[key]
    assert used >= count // 3, "many positions are of a kind that was met before"


def test_a_pending_penalty_is_quick_the_second_time():
    """As the server reads it, where a penalty is a model of its own."""
    position = {
        "variant": "classic", "hand": ["red-5", "wild"], "hand_sizes": [2, 5],
        "top_card": "wild-draw4", "active_color": "blue", "phase": "challenge",
        "pending": {"amount": 4, "source": 1, "contestable": True},
    }  # fmt: skip
    quick = QuickPositions()
    request = ActRequest.model_validate({"position": position})
    whole = asyncio.run(_decision_request(request, quick))
    again = asyncio.run(_decision_request(request, quick))
    assert whole.legal and not again.legal, "the quick way leaves out the texts"
    assert (again.obs, again.mask) == (whole.obs, whole.mask)


BASE = {"variant": "classic", "hand": ["red-5", "blue-skip", "wild"], "top_card": "red-9",
        "hand_sizes": [3, 5, 2]}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"hand": ["red-5", "red-5", "red-5"]},
        {"hand": ["red-5", "no-card", "wild"]},
        {"hand_sizes": [4, 5, 2]},
        {"hand_sizes": [3, 250, 250]},
        {"hand_sizes": [3, 0, 2]},
        {"top_card": "wild"},
        {"active_color": "blue"},
        {"discard": ["red-9"], "top_card": "red-8"},
        {"drawn_card": "red-7"},
        {"uno_called": [1]},
        {"draw_pile_size": 0},
        {"known": {"1": ["red-7"]}},
        {"phase": "over"},
        {"seat": 2},
    ],
)
def test_what_is_not_plain_is_left_to_the_long_way(http, change):
    """Valid or not, the server answers as if there were no quick way."""
    with_change = BASE | change
    quick = QuickPositions()
    quick.read_in_full(BASE)
    assert quick.read(BASE) is not None
    try:
        expected = quick.read_in_full(with_change)
    except ApiError as error:
        assert quick.read(with_change) is None
        answer = http.post("/v1/act", json={"bot": "greedy", "position": with_change})
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"] == error.message
        return
    found = quick.read(with_change)
    assert found is None or (found.obs, found.mask) == (expected.obs, expected.mask)


def test_an_endless_variety_keeps_its_bounds():
    quick = QuickPositions()
    for score in range(MAX_TEMPLATES + 10):
        quick.read_in_full(BASE | {"scores": [score, 0, 0]})
    assert len(quick._templates) == MAX_TEMPLATES
