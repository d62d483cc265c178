"""Hosted tables: whole games, who may do what and when, coming and going."""

import asyncio
import json
import time

import pytest
import websockets

import uno_env as uno

from .playing import Person, bearer, eventually, new_table, people, play_together

TWO_AND_TWO = [{"kind": "human", "name": "Ana"}, {"kind": "bot", "bot": "greedy"},
               {"kind": "human", "name": "Bo"}, {"kind": "bot", "bot": "heuristic"}]  # fmt: skip


def play_by_http(http, table, token, seed=0):
    """Play a seat with plain calls until the game is over; the last state."""
    import numpy as np

    rng = np.random.default_rng(seed)
    path, events = f"/v1/tables/{table}", 0
    while True:
        answer = http.get(f"{path}/view", headers=bearer(token), params={"events_from": events})
        state = answer.json()
        events = state["events_from"] + len(state["events"])
        assert events == len((state["view"] or {"events": []})["events"])
        if state["status"] == "over":
            return state
        if state["move"] is None:
            time.sleep(0.005)
            continue
        plays = [o["action"] for o in state["legal"] if o["action"].startswith("play")]
        legal = plays or [o["action"] for o in state["legal"]]
        action = legal[int(rng.integers(len(legal)))]
        body = {"action": action, "move": state["move"]}
        answer = http.post(f"{path}/act", headers=bearer(token), json=body)
        assert answer.json() == {"accepted": True, "move": state["move"]}, answer.text


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_two_people_and_two_bots_play_a_whole_game_on_streams(server, http, variant):
    table = new_table(http, variant=variant, seats=TWO_AND_TWO)
    players = people(server, table)
    last = play_together(*players)
    assert {state["status"] for state in last} == {"over"}
    replay = http.get(f"/v1/tables/{table['table']}/replay").json()
    game = uno.Game.replay(replay["record"])
    assert game.over and game.rules == uno.Rules.preset(variant)
    for player, state in zip(players, last, strict=True):
        whole = game.view(state["seat"])
        told = [event for s in player.states for event in s["events"]]
        assert [dict(e, sentence=None) for e in told] == [
            dict(e, sentence=None) for e in json.loads(json.dumps(whole["events"]))
        ]
        assert state["view"]["winners"] == list(game.winners)
    assert replay["names"] == ["Ana", "greedy 1", "Bo", "heuristic 3"]


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_a_person_plays_a_whole_game_by_http(http, variant):
    rules = {"variant": variant, "hand_size": 4}
    table = new_table(http, rules=rules, num_players=4, seats=[{"name": "Ana"}])
    state = play_by_http(http, table["table"], table["seats"][0]["token"])
    assert len(state["sheet"]) == 1 and state["sheet"][0]["winners"] == state["view"]["winners"]


def test_a_match_has_a_line_for_every_round(server, http):
    rules = {"variant": "classic", "match_target": 60}
    table = new_table(http, rules=rules, episode="match", seats=[{"name": "Ana"}, {"kind": "bot"}])
    (last,) = play_together(*people(server, table))
    sheet = last["sheet"]
    assert [line["round"] for line in sheet] == list(range(len(sheet)))
    assert max(sheet[-1]["scores"]) >= 60 and last["view"]["scores"] == sheet[-1]["scores"]


def test_bots_alone_play_and_are_watched(server, http):
    table = new_table(http, variant="no_mercy", seats=[{"kind": "bot"}] * 4, bot_delay=0.01)
    watcher = Person(server, table["table"])
    (last,) = play_together(watcher)
    assert last["seat"] is None and last["view"]["hand"] == [] and last["view"]["winners"]
    assert len(watcher.states) > 5
    path = f"/v1/tables/{table['table']}"
    assert http.post(f"{path}/rematch", headers=bearer(table["host_token"])).json() == {
        "done": True
    }
    assert eventually(lambda: http.get(path).json()["game"] == 2)


def test_a_seat_left_open_is_joined(server, http, client):
    table = new_table(http, seats=[{"name": "Ana"}, {"open": True}])
    path = f"/v1/tables/{table['table']}"
    mine = bearer(table["seats"][0]["token"])
    state = http.get(f"{path}/view", headers=mine).json()
    assert state["status"] == "waiting" and state["view"] is None
    act = http.post(f"{path}/act", headers=mine, json={"action": "draw"})
    assert act.status_code == 409 and act.json()["error"]["code"] == "not_started"
    seat = client.join(table["table"], "Bo")
    assert seat.number == 1
    assert [s.name for s in client.table(table["table"]).seats] == ["Ana", "Bo"]
    assert http.get(path).json()["status"] == "playing"
    again = http.post(f"{path}/join", json={})
    assert again.status_code == 409 and again.json()["error"]["code"] == "no_open_seat"
    first = Person(server, table["table"], table["seats"][0]["token"], 1)
    second = Person(server, table["table"], seat.token, 2)
    assert all(state["status"] == "over" for state in play_together(first, second))


def asked_state(http, table, seats):
    """The state of whichever person is asked, and its headers."""

    def look():
        for seat in seats:
            state = http.get(f"/v1/tables/{table}/view", headers=bearer(seat["token"])).json()
            if state["move"] is not None:
                return state, bearer(seat["token"])
        return None

    return eventually(look)


def test_a_move_is_made_once_however_often_it_is_sent(http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    state, me = asked_state(http, table["table"], table["seats"])
    action = state["legal"][0]["action"]
    move = {"action": action, "move": state["move"]}
    first = http.post(f"{path}/act", headers=me, json=move)
    again = http.post(f"{path}/act", headers=me, json=move)
    assert first.json() == again.json() == {"accepted": True, "move": state["move"]}
    old = http.post(f"{path}/act", headers=me, json={"action": "keep", "move": state["move"]})
    assert old.status_code == 409
    assert old.json()["error"]["code"] in ("stale_move", "not_your_decision")


def test_only_the_seat_that_is_asked_may_move_and_only_legally(http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    state, me = asked_state(http, table["table"], table["seats"])
    (other,) = [seat for seat in table["seats"] if seat["seat"] != state["seat"]]
    legal = state["legal"][0]["action"]
    wrong = http.post(f"{path}/act", headers=bearer(other["token"]), json={"action": legal})
    assert wrong.json()["error"]["code"] == "not_your_decision"
    for action in ("catch", "sum", 184, "swap +3 +7", "play nonsense"):
        refused = http.post(f"{path}/act", headers=me, json={"action": action})
        assert refused.status_code == 409 and refused.json()["error"]["code"] == "illegal_action"
    assert http.get(f"{path}/view", headers=me).json()["move"] == state["move"]


def test_two_answers_at_once_make_one_move(server, http):
    """Both streams of one seat decide at the same moment: one is accepted."""
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    state, _ = asked_state(http, table["table"], table["seats"])
    token = table["seats"][state["seat"]]["token"]
    actions = [option["action"] for option in state["legal"]]

    async def decide(action):
        async with websockets.connect(f"{server.stream_url}/{table['table']}/stream") as socket:
            await socket.send(json.dumps({"type": "hello", "token": token}))
            await socket.recv()
            await socket.send(json.dumps({"type": "act", "action": action, "move": state["move"]}))
            async for text in socket:
                message = json.loads(text)
                if message["type"] in ("accepted", "error"):
                    return message
        raise AssertionError("the stream ended without an answer")

    async def both():
        return await asyncio.gather(decide(actions[0]), decide(actions[-1]))

    kinds = sorted(message["type"] for message in asyncio.run(both()))
    assert kinds == (["accepted", "error"] if actions[0] != actions[-1] else ["accepted"] * 2)


def test_illegal_actions_cost_cards_where_the_rules_say_so(http):
    rules = {"variant": "classic", "fault_mode": "penalty"}
    table = new_table(http, rules=rules, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    state, me = asked_state(http, table["table"], table["seats"])
    assert http.post(f"{path}/act", headers=me, json={"action": "catch"}).status_code == 200
    after = http.get(f"{path}/view", headers=me).json()
    assert len(after["view"]["hand"]) == len(state["view"]["hand"]) + 2
    assert after["move"] == state["move"] + 1


def test_the_clock_runs_out_and_the_stand_in_moves(http):
    seats = [{"name": "Ana"}, {"name": "Bo"}]
    table = new_table(http, seats=seats, move_seconds=1, absent_seconds=None)
    state, me = asked_state(http, table["table"], table["seats"])
    assert state["clock"]["seat"] == state["seat"] and 0 <= state["clock"]["seconds"] <= 1
    view = f"/v1/tables/{table['table']}/view"
    eventually(lambda: http.get(view, headers=me).json()["move"] != state["move"])


def test_a_bot_stands_in_for_who_is_away_until_it_is_back(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}], absent_seconds=4)
    path = f"/v1/tables/{table['table']}"
    ana, bo = (bearer(seat["token"]) for seat in table["seats"])

    def bo_plays_alone():
        state = http.get(f"{path}/view", headers=bo).json()
        if state["move"] is not None:
            http.post(f"{path}/act", headers=bo, json={"action": state["legal"][0]["id"]})
        return state["seats"][0]["stand_in"] and state["move"] is not None and state

    state = eventually(bo_plays_alone)
    assert not state["seats"][1]["stand_in"], "Bo was here all the time"
    back = http.get(f"{path}/view", headers=ana).json()
    assert not back["seats"][0]["stand_in"]


def test_who_leaves_is_replaced_for_good(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    ana, bo = (bearer(seat["token"]) for seat in table["seats"])
    assert http.post(f"{path}/leave", headers=ana).json() == {"done": True}
    gone = http.get(f"{path}/view", headers=ana)
    assert gone.status_code == 403 and gone.json()["error"]["code"] == "wrong_token"
    seats = http.get(path).json()["seats"]
    assert [seat["kind"] for seat in seats] == ["bot", "human"]
    state = play_by_http(http, table["table"], table["seats"][1]["token"])
    assert state["status"] == "over"
    assert http.post(f"{path}/leave", headers=bo).json() == {"done": True}
    assert http.get(path).status_code == 404, "nobody is left, so the table is gone"


def test_a_rematch_needs_everybody_who_is_here(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    players = people(server, table)
    early = http.post(f"{path}/rematch", headers=bearer(players[0].token))
    assert early.status_code == 409 and early.json()["error"]["code"] == "not_over"
    last = play_together(*players)
    assert last[0]["game"] == 1
    http.post(f"{path}/rematch", headers=bearer(players[0].token))
    waiting = http.get(f"{path}/view", headers=bearer(players[1].token)).json()
    assert waiting["status"] == "over" and waiting["rematch"] == [0]
    http.post(f"{path}/rematch", headers=bearer(players[1].token))
    fresh = http.get(f"{path}/view", headers=bearer(players[1].token)).json()
    assert fresh["status"] == "playing" and fresh["game"] == 2 and fresh["rematch"] == []
    again = people(server, table)
    assert all(state["game"] == 2 and state["status"] == "over" for state in play_together(*again))
    moves = [state["move"] for state in again[0].states if state["move"] is not None]
    before = [state["move"] for state in players[0].states if state["move"] is not None]
    assert min(moves) > max(before), "decisions are numbered through"


def test_a_replay_comes_after_the_end_and_can_be_shown(http):
    table = new_table(http, variant="ig2000", num_players=3)
    path = f"/v1/tables/{table['table']}"
    early = http.get(f"{path}/replay")
    assert early.status_code == 409 and early.json()["error"]["code"] == "not_over"
    play_by_http(http, table["table"], table["seats"][0]["token"])
    record = http.get(f"{path}/replay").json()["record"]
    steps = len(record["actions"])
    shown, first = [], 0
    while first <= steps:
        body = {"record": record, "from": first, "count": 40}
        part = http.post("/v1/replay", json=body).json()
        assert part["steps"] == steps
        shown += part["frames"]
        first += 40
    assert [frame["step"] for frame in shown] == list(range(steps + 1))
    game = uno.Game.replay(record)
    assert shown[-1]["hands"] == game.snapshot()["hands"] and shown[0]["action"] is None
    told = [event["type"] for frame in shown for event in frame["events"]]
    assert told == [event["type"] for event in game.events]
    wrong = http.post("/v1/replay", json={"record": {**record, "actions": [999]}})
    assert wrong.status_code == 422


def test_the_coach_advises_the_one_who_is_asked(http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    state, me = asked_state(http, table["table"], table["seats"])
    path = f"/v1/tables/{table['table']}/advice"
    advice = http.post(path, headers=me, json={"bot": "greedy"}).json()
    assert {o["action"] for o in advice["legal"]} == {o["action"] for o in state["legal"]}
    assert sum(o["probability"] for o in advice["legal"]) == pytest.approx(1)
    (other,) = [seat for seat in table["seats"] if seat["seat"] != state["seat"]]
    refused = http.post(path, headers=bearer(other["token"]), json={})
    assert refused.status_code == 409


def test_the_host_sets_the_pace_of_the_bots(http):
    table = new_table(http, seats=[{"kind": "bot"}] * 2, bot_delay=10)
    path = f"/v1/tables/{table['table']}"
    before = len(http.get(f"{path}/view").json()["events"])
    assert http.post(f"{path}/pace", json={"bot_delay": 0}).status_code == 401
    wrong = http.post(f"{path}/pace", headers=bearer("wrong"), json={"bot_delay": 0})
    assert wrong.json()["error"]["code"] == "wrong_token"
    host = bearer(table["host_token"])
    assert http.post(f"{path}/pace", headers=host, json={"bot_delay": 0}).json() == {"done": True}
    assert http.get(path).json()["bot_delay"] == 0
    assert len(http.get(f"{path}/view").json()["events"]) >= before
    http.delete(path, headers=host)


def test_a_chosen_seed_is_told_to_everybody(http):
    one = new_table(http, seed=7, seats=[{"kind": "bot"}] * 3, bot_delay=10)
    two = new_table(http, seed=7, seats=[{"kind": "bot"}] * 3, bot_delay=10)
    tops = [http.get(f"/v1/tables/{t['table']}/view").json() for t in (one, two)]
    assert tops[0]["seeded"] and tops[0]["view"]["discard"] == tops[1]["view"]["discard"]
    for table in (one, two):
        done = http.delete(f"/v1/tables/{table['table']}", headers=bearer(table["host_token"]))
        assert done.json() == {"done": True}
        assert http.get(f"/v1/tables/{table['table']}").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"variant": "poker"}, "rules"),
        ({"variant": "teams", "num_players": 3}, "rules"),
        ({"variant": "classic", "rules": {"variant": "teams"}}, "rules"),
        ({"seats": [{"kind": "bot", "bot": "nobody"}, {}]}, "unknown_bot"),
        ({"stand_in": "nobody"}, "unknown_bot"),
        ({"num_players": 2, "seats": [{}, {}, {}]}, "invalid"),
        ({"seats": [{"name": "x" * 41}, {}]}, "invalid"),
        ({"seats": [{"name": "bell\u0007"}, {}]}, "invalid"),
        ({"move_seconds": 0}, "invalid"),
        ({"seed": -1}, "invalid"),
        ({"bot_delay": 11}, "invalid"),
        ({"unknown": 1}, "invalid"),
    ],
)
def test_a_wrong_table_is_refused_with_the_reason(http, wrong, code):
    answer = http.post("/v1/tables", json=wrong)
    assert answer.status_code == 422 and answer.json()["error"]["code"] == code
