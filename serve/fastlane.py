"""The fast lane of `POST /v1/act`: a full view, a bot that decides rows, no advice.

That is what a busy front end sends, and here it costs a fraction of the general road: no models, no
routing, bytes in and bytes out. Whatever is unusual or wrong goes on to the API's own route, which
answers the same or says what is the matter.
"""

from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from uno_env.actions import action_text

from .answers import act_answer
from .bots import BotShelf, RowBot
from .encode import ViewError, encode_view
from .guard import App, Receive, Scope, Send

_KEYS = {"bot", "view", "advice"}
_ROUTE = "/v1/act"


class FastLane:
    """Answers the usual `POST /v1/act` itself and passes everything else on.

    Args:
        app: the rest of the server.
        bots: who may be asked.
        default_bot: who is asked when no bot is named.
    """

    def __init__(self, app: App, bots: BotShelf, default_bot: str) -> None:
        self._app, self._bots, self._default = app, bots, default_bot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = scope.get("uno.body")
        found = None
        if body is not None and scope["path"] == _ROUTE and scope["method"] == "POST":
            found = None if scope["query_string"] else self._question(body)
        if found is None:
            await self._app(scope, receive, send)
            return
        scope["uno.route"] = _ROUTE
        bot, view, rows = found
        number = await bot.choices.submit(*rows)
        answer = _answer(bot.name, number, view["phase"], view["seat"], view["num_players"])
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(answer)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def _question(self, body: bytes) -> tuple[RowBot, dict[str, Any], tuple[bytes, bytes]] | None:
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
            return bot, view, encode_view(view)
        except ViewError:
            return None


@lru_cache(maxsize=16_384)
def _answer(bot: str, number: int, phase: str, seat: int, num_players: int) -> bytes:
    """The body of an answer; there are only so many."""
    return act_answer(bot, action_text(number, phase), number, seat, num_players)
