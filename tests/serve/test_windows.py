"""Reaction windows: after which moves they open, and what happens in one."""

import asyncio
import time
from dataclasses import replace

import numpy as np
import pytest
from uno_serve.errors import ApiError
from uno_serve.tables.hosted_table import HostedTable
from uno_serve.tables.pause import UNFINISHED_CARD, UNFINISHED_DRAW, Asked, LastMove, ReactionRule
from uno_serve.tables.reaction_window import hidden_questions, is_hidden
from uno_serve.tables.setup import Seat
from uno_serve.tables.state import state_message

import uno_env as uno

from .test_lobby import setup, three_people, with_lobby

RULES = [*uno.VARIANTS, "classic(jump_in=true,jump_in_after_draw=false)",
         "no_mercy(jump_in=true)", "classic(auto_forced=true)"]  # fmt: skip


@pytest.mark.parametrize("text", RULES)
def test_whoever_might_be_asked_has_a_window(text):
    """Where a table did not pause, no deal that fits what was seen has a hidden decision."""
    rules, rng, compared = uno.Rules.from_text(text), np.random.default_rng(3), 0
    for seed in range(6):
        game = uno.Game(rules=rules, num_players=4, seed=seed)
        rule = ReactionRule(rules)
        for _ in range(80):
            if game.over:
                break
            action, actor = int(rng.choice(game.legal_ids())), game.actor
            if is_hidden(game):
                game.step(action)
                continue
            onlooker = (actor + 1) % 4
            view = game.view(onlooker)
            last = LastMove.before(game, action)
            game.step(action)
            asked = rule.after_move(game, last)
            if is_hidden(game):
                assert asked is not Asked.NOBODY
            if asked is not Asked.NOBODY or game.over:
                continue
            if game.phase in UNFINISHED_CARD | UNFINISHED_DRAW:
                continue
            compared += 1
            for _ in range(3):
                world = uno.determinize(view, rng)
                if world.actor == actor and action in world.legal_ids():
                    world.step(action)
                    assert not is_hidden(world), (uno.action_text(action), game.phase)
    assert compared or rules.jump_in or rules.auto_forced


def deal_that_asks_two() -> tuple[int, list[tuple[int, int]], list[int]]:
    """A seed, moves by seat, and the two seats that may jump in on a wild after them."""
    for seed in range(2000):
        game = uno.Game(uno.Rules.from_text(TWO_ASKED), 3, seed=seed)
        if game.phase != "play" or "play wild" not in game.legal():
            continue
        player = game.actor
        moves = [(player, uno.action_id("play wild")), (player, uno.action_id("color red"))]
        for _, action in moves:
            game.step(action)
        asked = list(hidden_questions(game))
        if len(asked) == 2 and player not in asked:
            return seed, moves, asked
    raise AssertionError("no deal asks two seats")


TWO_ASKED = "ig2000(jump_in_on_opening=false,sum_out=none,jump_in_self=false)"


def test_all_are_asked_at_once_and_the_order_of_the_rules_decides(tmp_path):
    seed, moves, (first, second) = deal_that_asks_two()

    async def test(lobby):
        table, _ = await three_people(lobby, seed=seed, rules=TWO_ASKED, react_seconds=0.4)
        for seat, action in moves:
            await lobby.act(table, table.seats[seat], action, None)
        window = table.window
        assert set(window.questions) == {first, second}
        for seat in (first, second):
            state = state_message(table, seat)
            assert state["view"]["phase"] == "react" and state["move"] is not None
            assert state["clock"]["seat"] == seat and state["clock"]["seconds"] < 0.4
        player = moves[0][0]
        onlooker = state_message(table, None)
        assert onlooker["pause"]["seat"] == player and onlooker["clock"] is None
        assert onlooker["view"]["phase"] == "color", "as it was before the move"
        with pytest.raises(ApiError, match="nothing to decide"):
            await lobby.act(table, table.seats[player], "draw", None)
        # The second answers before the first, whose jump-in counts all the same.
        answers = [
            asyncio.create_task(lobby.act(table, table.seats[seat], "jump-in", None))
            for seat in (second, first)
        ]
        late, early = await asyncio.gather(*answers, return_exceptions=True)
        assert early == 1, "its first move"
        assert isinstance(late, ApiError) and late.code == "not_your_decision"
        record = (await lobby.store.load(table.id)).record
        assert [uno.action_text(action) for action in record["actions"][2:]] == ["jump-in"]

    with_lobby(tmp_path, test)


def test_no_answer_is_a_pass_and_everybody_sees_the_outcome_at_the_end(tmp_path):
    seed, moves, asked = deal_that_asks_two()

    async def test(lobby):
        table, _ = await three_people(lobby, seed=seed, rules=TWO_ASKED, react_seconds=0.3)
        for seat, action in moves:
            await lobby.act(table, table.seats[seat], action, None)
        window = table.window
        made = asyncio.create_task(lobby.act(table, table.seats[asked[1]], "pass", None))
        await asyncio.sleep(0)
        with pytest.raises(ApiError, match="decided already"):
            await lobby.act(table, table.seats[asked[1]], "jump-in", None)
        assert state_message(table, asked[1])["move"] is None
        while table.window is not None:
            await asyncio.sleep(0.005)
        assert time.monotonic() >= window.ends
        assert await made == 1
        for viewer in (0, 1, 2, None):
            state = state_message(table, viewer)
            assert state["pause"] is None and state["view"]["top_card"] == "wild"
        record = (await lobby.store.load(table.id)).record
        assert [uno.action_text(action) for action in record["actions"][2:]] == ["pass", "pass"]

    with_lobby(tmp_path, test)


def test_bots_alone_and_unwatched_do_not_pause(tmp_path):
    async def test(lobby):
        seats = [Seat(number, "bot", bot="greedy") for number in range(3)]
        table = await lobby.create(setup(react_seconds=60, bot_react_seconds=10), seats)
        while table.status == "playing":
            assert table.window is None
            await asyncio.sleep(0.01)

    with_lobby(tmp_path, test)


# After a restart.


def restored(table: HostedTable) -> HostedTable:
    """The table as another process would read it from the store."""
    again = HostedTable(table.id, table.setup, [replace(seat) for seat in table.seats])
    stored = table.stored()
    stored.record = table.running.record()
    again.restore(stored)
    return again


@pytest.mark.parametrize("text", RULES)
def test_whoever_is_shown_a_decision_after_a_restart_can_make_it(text):
    """None that was made before is shown again, whatever the reaction window it was made in."""
    rng, num_asked = np.random.default_rng(5), 0
    for seed in range(3):
        seats = [Seat(number, "human", name, is_open=True) for number, name in enumerate("ABCD")]
        for seat in seats:
            seat.claim(None)
        table = HostedTable("x", setup(rules=text, num_players=4), seats)
        table.deal(seed)
        table.publish()
        for _ in range(40):
            if table.window is not None and not table.is_hidden:
                table.close_window()
            if (seat := table.to_act) is None:
                break
            if table.window is not None:
                table.window.questions.pop(seat.number, None)
            table.apply(int(rng.choice(table.running.legal_ids())))
            table.publish(seat)
            again = restored(table)
            shown = [seat for seat in again.seats if again.visible.of(seat.number).move is not None]
            num_asked += len(shown)
            for seat in shown:
                state = again.visible.of(seat.number)
                assert state.move == again.move_of(seat), "made before"
                again.check(seat, state.view["legal"][0], state.move)
    assert num_asked > 5
