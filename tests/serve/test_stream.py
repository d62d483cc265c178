"""The stream: hellos, limits, and messages nobody should send."""

import asyncio
import json

import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .playing import Person, bearer, eventually, new_table, people, play_together


def talk(server, table, *messages, answers=1):
    """Send messages; the answers, and how the stream ended if it did."""

    async def run():
        heard = []
        async with websockets.connect(f"{server.stream_url}/{table}/stream") as socket:
            try:
                for message in messages:
                    await socket.send(message)
                async with asyncio.timeout(60):
                    while len(heard) < answers:
                        heard.append(json.loads(await socket.recv()))
                return heard, None
            except websockets.ConnectionClosed as closed:
                return heard, closed.rcvd.code if closed.rcvd else None

    return asyncio.run(run())


@pytest.fixture(scope="module")
def table(http):
    return new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ("", 4400),
        ("{", 4400),
        ("[]", 4400),
        ('{"type": "act"}', 4400),
        ('{"type": "hello", "token": 5}', 4400),
        ('{"type": "hello", "more": 1}', 4400),
        ('{"type": "hello", "events_from": -1}', 4400),
        (b"\xff\xfe", 4400),
        ('{"type": "hello", "token": "wrong"}', 4403),
        ("x" * 9000, 4413),
    ],
)
def test_a_wrong_hello_ends_the_stream(server, table, hello, code):
    heard, ended = talk(server, table["table"], hello, answers=2)
    assert [message["type"] for message in heard] == ["bye"] and ended == code


def test_no_such_table_and_no_spectators(server, http):
    assert talk(server, "nowhere", '{"type": "hello"}', answers=2)[1] == 4404
    closed = new_table(http, spectators=False)
    assert talk(server, closed["table"], '{"type": "hello"}', answers=2)[1] == 4403
    view = http.get(f"/v1/tables/{closed['table']}/view")
    assert view.status_code == 403 and view.json()["error"]["code"] == "no_spectators"


def test_a_seat_has_only_so_many_streams(server, table):
    hello = json.dumps({"type": "hello", "token": table["seats"][0]["token"]})

    async def run():
        async with contextlib_stack() as stack:
            ends = []
            for _ in range(4):
                socket = await stack.enter_async_context(
                    websockets.connect(f"{server.stream_url}/{table['table']}/stream")
                )
                await socket.send(hello)
                ends.append(json.loads(await socket.recv())["type"])
            return ends

    assert asyncio.run(run()) == ["state", "state", "state", "bye"]


def contextlib_stack():
    import contextlib

    return contextlib.AsyncExitStack()


def test_spectators_may_look_but_not_touch(server, table):
    said = ('{"type": "hello"}', '{"type": "act", "action": "draw"}', '{"type": "ping"}')
    heard, _ = talk(server, table["table"], *said, answers=3)
    assert [message["type"] for message in heard] == ["state", "error", "pong"]
    assert heard[1]["error"]["code"] == "token"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats() | st.text(max_size=8)
    | st.sampled_from(["act", "hello", "advice", "ping", "draw", "play red-1", "heuristic"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)  # fmt: skip
OBJECTS = st.fixed_dictionaries(
    {}, optional={"type": VALUES, "action": VALUES, "move": VALUES, "bot": VALUES, "x": VALUES}
)
MESSAGES = st.one_of(
    OBJECTS.map(json.dumps), VALUES.map(json.dumps), st.text(max_size=60), st.binary(max_size=60)
)


# Slow input is the fault of a crowded machine, not of the server.
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(MESSAGES, min_size=10, max_size=25))
def test_any_message_is_answered_and_changes_nothing(server, http, table, messages):
    """Whatever is sent, the stream answers, and the next ping too; only legal moves move."""
    token = table["seats"][0]["token"]
    view = f"/v1/tables/{table['table']}/view"
    hello = json.dumps({"type": "hello", "token": token})
    safe = [text for text in messages if not _is_harmful(text)]
    before = http.get(view, headers=bearer(token)).json()
    heard, ended = talk(server, table["table"], hello, *safe, '{"type": "ping"}',
                        answers=len(safe) + 2)  # fmt: skip
    assert ended is None, heard
    answers = [message for message in heard if message["type"] != "state"]
    assert answers[-1]["type"] == "pong"
    assert {message["type"] for message in answers} <= {"error", "pong", "advice"}
    after = http.get(view, headers=bearer(token)).json()
    assert after["view"] == before["view"] and after["move"] == before["move"]


def _is_harmful(text):
    """What would be understood: a move, leaving, or an advice that takes its time."""
    try:
        said = json.loads(text)
    except (ValueError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("type") in ("act", "leave", "rematch")


def test_moves_that_cannot_be(server, http, table):
    state = eventually(lambda: _asked(http, table))
    hello = json.dumps({"type": "hello", "token": table["seats"][state["seat"]]["token"]})
    wrong = [
        {"type": "act"},
        {"type": "act", "action": "catch"},
        {"type": "act", "action": 999},
        {"type": "act", "action": True},
        {"type": "act", "action": state["legal"][0]["action"], "move": state["move"] + 1},
    ]
    heard, ended = talk(server, table["table"], hello, *map(json.dumps, wrong), answers=6)
    codes = [m["error"]["code"] for m in heard if m["type"] == "error"]
    assert ended is None
    assert codes == ["invalid", "illegal_action", "invalid", "invalid", "stale_move"]


def _asked(http, table):
    for seat in table["seats"]:
        path = f"/v1/tables/{table['table']}/view"
        state = http.get(path, headers=bearer(seat["token"])).json()
        if state["move"] is not None:
            return state
    return None


def test_a_client_that_dies_mid_move_comes_back_where_it_was(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)
    (ana,) = people(server, table)
    first = play_together(ana, most_moves=1)
    assert first
    move = {"type": "act", "action": "", "move": 0}

    async def die_after_sending():
        """Send a move and cut the line before the answer."""
        socket = await websockets.connect(f"{server.stream_url}/{table['table']}/stream")
        await socket.send(json.dumps({"type": "hello", "token": ana.token}))
        state = json.loads(await socket.recv())
        while state["type"] != "state" or state["move"] is None:
            state = json.loads(await socket.recv())
        move.update(action=state["legal"][0]["action"], move=state["move"])
        await socket.send(json.dumps(move))
        socket.transport.abort()
        return state

    state = asyncio.run(die_after_sending())
    path = f"/v1/tables/{table['table']}"
    # Whether it got through or not, sending it again makes it once.
    again = {"action": move["action"], "move": move["move"]}
    answer = http.post(f"{path}/act", headers=bearer(ana.token), json=again)
    assert answer.json() == {"accepted": True, "move": state["move"]}
    back = Person(server, table["table"], ana.token, 5)
    (last,) = play_together(back)
    assert last["status"] == "over"


def test_coming_back_brings_only_the_news(server, http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    token = table["seats"][0]["token"]
    known, _ = talk(server, table["table"], json.dumps({"type": "hello", "token": token}))
    count = len(known[0]["events"])
    hello = {"type": "hello", "token": token, "events_from": count}
    again, _ = talk(server, table["table"], json.dumps(hello))
    assert again[0]["events"] == [] and again[0]["events_from"] == count
    hello["events_from"] = 10**6
    far, _ = talk(server, table["table"], json.dumps(hello))
    assert far[0]["events_from"] == count
