"""The fast lane of `POST /v1/act`: a full view, a bot that decides rows, no advice.

That is what a busy front end sends, and here it costs a fraction of the general road: no models, no
routing, no task, bytes in and bytes out. Whatever is unusual or wrong goes on to the API's own
route, which answers the same or says what is the matter.
"""

import time
from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from uno_env.actions import action_text

from ..bots.bots import BotShelf, RowBot
from ..bots.encode import encode_view
from .answers import act_answer
from .errors import ApiError, json_headers
from .guard import PAGE_HEADERS, Guard
from .metrics import REFUSED, count_answer

ROUTE = "/v1/act"
_KEYS = {"bot", "view", "advice"}


class Turn:
    """A question in the lane, from who asked to the answer."""

    __slots__ = ("_bot", "_started", "_who", "is_gone")

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._bot, self._who = "", ("", 0, 0)
        self.is_gone = False
        """Whether nobody waits for an answer any more."""

    def put(self, bot: str, view: dict[str, Any]) -> None:
        """Note who is asked and for whom."""
        self._bot = bot
        self._who = view["phase"], view["seat"], view["num_players"]

    def reply(self, status: int, answer: bytes) -> None:
        """Send a status, and the answer from its first header on."""
        raise NotImplementedError

    def decided(self, number: int) -> None:
        """Say what the bot chose."""
        self._say(200, _answer(self._bot, number, *self._who))

    def failed(self, error: ApiError) -> None:
        """Say why there is no answer."""
        REFUSED.labels(error.code).inc()
        self._say(error.status, _packed(*error.answer()))

    def _say(self, status: int, answer: bytes) -> None:
        self.is_gone = True
        self.reply(status, answer)
        count_answer(ROUTE, status, time.perf_counter() - self._started)


class Lane:
    """Takes the usual questions.

    Args:
        guard: who may ask.
        bots: who may be asked.
        default_bot: who is asked when no bot is named.
    """

    def __init__(self, guard: Guard, bots: BotShelf, default_bot: str) -> None:
        self._guard, self._bots, self._default = guard, bots, default_bot

    def take(self, client: str, headers: dict[bytes, bytes], body: bytearray, turn: Turn) -> bool:
        """Ask the bot if this is a usual question; False leaves it to the general road."""
        if not self._guard.admits(client, headers):
            return False
        found = self._question(body)
        if found is None:
            return False
        bot, view, obs, mask = found
        turn.put(bot.name, view)
        try:
            bot.choices.ask(obs, mask, turn)
        except ApiError:
            return False
        self._guard.admit(client)
        return True

    def _question(self, body: bytearray) -> tuple[RowBot, dict[str, Any], bytes, bytes] | None:
        """Bot, view and encoded rows of a usual request; None for any other."""
        try:
            data = from_json(body)
        except ValueError:
            return None
        if not isinstance(data, dict) or not _KEYS.issuperset(data):
            return None
        name, view = data.get("bot", self._default), data.get("view")
        if data.get("advice", False) is not False or not isinstance(view, dict):
            return None
        bot = self._bots.ready(name) if isinstance(name, str) else None
        if not isinstance(bot, RowBot) or "clockwork" not in view:
            return None
        try:
            return bot, view, *encode_view(view)
        except Exception:  # the general road says what is wrong with it, or logs it
            return None


@lru_cache(maxsize=16_384)
def _answer(bot: str, number: int, phase: str, seat: int, num_players: int) -> bytes:
    """Headers and body of an answer; there are only so many."""
    body = act_answer(bot, action_text(number, phase), number, seat, num_players)
    return _packed(json_headers(body), body)


def _packed(headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    lines = [name + b": " + value for name, value in (*headers, *PAGE_HEADERS)]
    return b"\r\n".join([*lines, b"", body])
