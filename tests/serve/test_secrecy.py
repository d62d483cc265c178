"""Nothing hidden in any byte: all that a seat or a spectator was sent, held against a replay.

After the game its record is run again beside the traffic. Every message must be, word for word,
what the viewer may know at some moment at which no hidden decision of another seat was open.
"""

import json
import re
from typing import Any

import pytest
from uno_serve.tables.reaction_window import hidden_questions

import uno_env as uno
from uno_env.cards import FACES
from uno_env.render import sentence

from .playing import Person, bearer, new_table, people, play_together

HIDDEN = ("react", "play-drawn")
FREE = {
    "type", "table", "game", "status", "seat", "move", "clock", "seats", "rematch", "seeded",
    "pause",
}  # fmt: skip
"""Parts of a message that hold no cards but the one that was just played."""
OWN = {"events", "engine_state", "seat", "hand", "known", "legal", "drawn_card"}
"""Parts of a view that are the seat's own."""
CARD = re.compile("|".join(sorted(map(re.escape, FACES), key=len, reverse=True)))


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def seat_knowledge(game: uno.Game, seat: int) -> tuple[dict[str, Any], list[Any]]:
    view = plain(game.view(seat))
    return view, view.pop("events")


def public_knowledge(game: uno.Game) -> tuple[dict[str, Any], list[Any]]:
    """What all seats agree on, and the events whose cards all of them saw."""
    views = [plain(game.view(seat)) for seat in range(game.num_players) if seat != game.actor]
    view = {key: value for key, value in views[0].items() if key not in OWN}
    assert all(other[key] == value for other in views for key, value in view.items())
    events = []
    for event in plain(game.events):
        if event["type"] == "keep":
            continue
        if len(event.get("known_to", range(game.num_players))) < game.num_players:
            event = {k: v for k, v in event.items() if k not in ("cards", "amount")}
        events.append(event)
    nothing = {"seat": None, "hand": [], "known": {}, "legal": [], "drawn_card": None}
    return view | nothing, events


class Witness:
    """Checks the messages of one viewer, in order, against a rerun of the game."""

    def __init__(self, replay: dict[str, Any], seat: int | None) -> None:
        self.record, self.names, self.seat = replay["record"], replay["names"], seat
        record = self.record
        self.game = uno.Game.replay(record, steps=0)
        self.step = 0
        self.told: list[Any] = []
        self.held = 0

    def check(self, text: str) -> None:
        message = json.loads(text)
        assert not set(message) - FREE - {"legal", "view", "events", "events_from", "sheet"}
        if message["type"] != "state":
            assert not CARD.search(text), text
            return
        assert message["events_from"] == len(self.told)
        new = [{k: v for k, v in e.items() if k != "sentence"} for e in message["events"]]
        # A sentence says what its event says and no more.
        said = [sentence(event, self.names) for event in new]
        assert [event["sentence"] for event in message["events"]] == said
        self.told += new
        if message["view"] is None:
            assert not message["legal"] and not new
            return
        self._find(message)
        assert all(line["scores"] for line in message["sheet"])

    def _find(self, message: dict[str, Any]) -> None:
        """The moment this message is about: not before that of the message before."""
        while True:
            if self._fits(message):
                return
            assert self.step < len(self.record["actions"]), f"no moment fits {message}"
            self.game.step(self.record["actions"][self.step])
            self.step += 1

    def _fits(self, message: dict[str, Any]) -> bool:
        game = self.game
        if game.phase in HIDDEN and game.actor != self.seat:
            # All who may be asked are asked at once, as if those before them did nothing.
            question = None if self.seat is None else hidden_questions(game).get(self.seat)
            if question is None:
                return False
            game = question.game
        if self.seat is None:
            view, events = public_knowledge(game)
        else:
            view, events = seat_knowledge(game, self.seat)
        legal = [option["action"] for option in message["legal"]]
        if message["move"] is None and message["view"]["legal"] == [] and view["legal"]:
            # Its move is in, the outcome is held back: the old view without the decision.
            view = view | {"legal": []}
            self.held += 1
        return message["view"] == view and events == self.told and legal == view["legal"]


def watched_game(server, http, variant: str) -> tuple[list[Person], dict[str, Any]]:
    seats = [{"name": "Ana"}, {"name": "Bo"}, {"name": "Cy"}, {"kind": "bot", "bot": "greedy"}]
    rules = {"variant": variant, "max_steps": 120}
    table = new_table(http, rules=rules, seats=seats, react_seconds=0.1)
    players = [*people(server, table), Person(server, table["table"])]
    play_together(*players)
    return players, http.get(f"/v1/tables/{table['table']}/replay").json()


@pytest.mark.parametrize("variant", ["classic", "no_mercy", "ig2000", "teams"])
def test_no_hidden_card_in_any_message(server, http, variant):
    players, replay = watched_game(server, http, variant)
    for player in players:
        witness = Witness(replay, player.states[0]["seat"])
        for text in player.heard:
            witness.check(text)
        assert witness.game.over, "the last message is about the end"


def test_the_witness_notices_a_leak(server, http):
    players, replay = watched_game(server, http, "classic")
    middle = len(players[0].heard) // 2
    while '"state"' not in players[0].heard[middle]:
        middle += 1
    state = json.loads(players[0].heard[middle])
    other = uno.Game.replay(replay["record"], steps=0).view(1)["hand"]
    leaks = [
        state | {"hands": [other]},
        state | {"view": state["view"] | {"known": {"1": other}}},
        state | {"view": state["view"] | {"phase": "react"}},
    ]
    for leak in leaks:
        witness = Witness(replay, 0)
        with pytest.raises(AssertionError):
            for text in [*players[0].heard[:middle], json.dumps(leak)]:
                witness.check(text)


def test_hidden_decisions_are_silent(server, http):
    """Nobody but the seat to act learns anything while a decision is hidden, by calls neither."""
    rules = {"variant": "ig2000", "jump_in_on_opening": False, "sum_out": "none"}
    found = 0
    for seed in range(40):
        probe = uno.Game(uno.Rules.from_dict(rules), 3, seed=seed)
        first = next((a for a in probe.legal() if _asks(probe, a)), None)
        if probe.phase != "play" or first is None:
            continue
        found += 1
        seats = [{"name": "Ana"}, {"name": "Bo"}, {"name": "Cy"}]
        table = new_table(http, rules=rules, seed=seed, seats=seats, react_seconds=60)
        view = f"/v1/tables/{table['table']}/view"
        tokens = [seat["token"] for seat in table["seats"]]
        before = [_quiet(http.get(view, headers=bearer(token)).json()) for token in tokens]
        watching = _quiet(http.get(view).json())
        actor = probe.actor
        answer = http.post(f"/v1/tables/{table['table']}/act", headers=bearer(tokens[actor]),
                           json={"action": first})  # fmt: skip
        assert answer.status_code == 200
        probe.step(first)
        assert probe.phase in HIDDEN
        for seat, token in enumerate(tokens):
            now = _quiet(http.get(view, headers=bearer(token)).json())
            if seat == probe.actor:
                assert now["view"]["phase"] in HIDDEN and now["move"] is not None
            elif seat == actor:
                assert now["move"] is None and now["legal"] == []
                assert now["view"] == before[seat]["view"] | {"legal": []}
            else:
                assert now == before[seat]
        assert _quiet(http.get(view).json()) == watching
        http.delete(f"/v1/tables/{table['table']}", headers=bearer(table["host_token"]))
        if found == 3:
            return
    raise AssertionError("no hidden decision came up")


def _asks(game: uno.Game, action: str) -> bool:
    twin = game.clone()
    twin.step(action)
    return twin.phase in HIDDEN and twin.actor != game.actor


def _quiet(state: dict[str, Any]) -> dict[str, Any]:
    """A state without what changes all the time."""
    return {key: value for key, value in state.items() if key not in ("clock", "seats", "pause")}


def test_the_log_names_no_card_and_no_token(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot", "bot": "crashes"}])
    play_together(*people(server, table), most_moves=3)
    text = "".join(server.log)
    assert not CARD.search(text), CARD.search(text)
    for seat in table["seats"]:
        assert seat.get("token", "?") not in text
    assert table["table"] not in text
