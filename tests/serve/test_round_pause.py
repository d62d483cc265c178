"""Between two rounds of a match bots wait until people have seen who won."""

import asyncio
import json
import time
from typing import Any

import httpx
import websockets
from uno_serve.tables.round_pause import LONGEST_PAUSE, RoundPause

from .playing import new_table
from .server import Server


def test_the_pause_ends_with_the_last_person_who_is_there():
    pause = RoundPause()
    pause.begin_game()
    pause.publish(0, is_wanted=True)
    assert pause.until == 0
    pause.publish(1, is_wanted=True)
    assert 0 < pause.until - time.monotonic() <= LONGEST_PAUSE
    pause.ready(0, {0, 2})
    assert pause.until > 0
    pause.ready(2, {0, 2})
    assert pause.until == 0


def test_rounds_that_were_over_before_a_restart_need_no_pause():
    pause = RoundPause()
    pause.begin_game()
    pause.publish(3, is_wanted=True)
    assert pause.until == 0


def test_nobody_waits_where_nobody_looks():
    pause = RoundPause()
    pause.begin_game()
    pause.publish(0, is_wanted=False)
    pause.publish(1, is_wanted=False)
    assert pause.until == 0


async def _play_to_the_second_round(server: Server, table: dict[str, Any], seconds: float) -> float:
    """Play until a bot has moved in round 2; seconds between the end of round 1 and that move."""
    ended = 0.0
    asked_to_go_on = False
    address = f"{server.stream_url}/{table['table']}/stream"
    async with asyncio.timeout(60), websockets.connect(address) as socket:
        token = table["seats"][0]["token"]
        await socket.send(json.dumps({"type": "hello", "token": token}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "state":
                continue
            if ended and any(event["seat"] == 1 for event in message["events"]):
                return time.monotonic() - ended
            if not ended and message["sheet"]:
                ended = time.monotonic()
                assert message["status"] == "playing"
            if ended and not asked_to_go_on:
                asked_to_go_on = True
                await asyncio.sleep(seconds)
                await socket.send(json.dumps({"type": "next-round"}))
            if message["move"] is not None:
                plays = [o for o in message["legal"] if o["action"].startswith("play")]
                action = (plays or message["legal"])[0]["action"]
                move = {"type": "act", "action": action, "move": message["move"]}
                await socket.send(json.dumps(move))
    raise AssertionError("the stream ended before the second round")


def test_bots_wait_for_a_person_who_looks_at_the_end_of_a_round(server: Server, http: httpx.Client):
    seats = [{"kind": "human", "name": "Ana"}, {"kind": "bot", "bot": "random"}]
    # Hands of two cards make short rounds; the bot deals first, so it begins the second round.
    rules = {
        "variant": "classic",
        "hand_size": 2,
        "match_target": 5000,
        "first_dealer": "last_seat",
    }
    table = new_table(http, rules=rules, episode="match", seats=seats, seed=3, bot_delay=0.05)
    waited = asyncio.run(_play_to_the_second_round(server, table, 1.5))
    assert 1.5 <= waited < LONGEST_PAUSE
