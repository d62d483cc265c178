"""A typed client of `uno-serve`, for Python programs that want a decision or a seat.

    with Client("http://127.0.0.1:8000") as client:
        print(client.act(view=game.view(game.actor), bot="heuristic").action)
        with client.create_table("no_mercy", seats=[{"kind": "human"}, {"kind": "bot"}]) as seat:
            final = seat.play(make_agent("greedy"))

Needs httpx, and websockets for a seat's stream: pip install 'uno-env[serve]'.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import httpx
from pydantic import BaseModel
from uno_agents.base import Agent

from uno_env.state_io.view import View

from .api import protocol as p
from .api import table_protocol as tp

AnyModel = TypeVar("AnyModel", bound=BaseModel)
TOO_LATE = ("not_your_decision", "stale_move")
"""How a decision is refused where somebody else was first in a reaction window, or time was up."""


class ServerError(Exception):
    """The server refused or failed.

    Attributes:
        status: HTTP status, or the closing code of a stream.
        code: what programs go by.
    """

    def __init__(self, status: int, error: p.ErrorBody) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.status, self.code, self.details = status, error.code, error.details or {}


class Client:
    """One server.

    Args:
        url: its address.
        api_key: if the server asks for one.
        timeout: seconds to wait for a response.
    """

    def __init__(self, url: str, api_key: str | None = None, timeout: float = 30.0) -> None:
        self.url = url.rstrip("/")
        headers = {} if api_key is None else {"X-API-Key": api_key}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # Decisions.

    def act(
        self,
        view: View | None = None,
        position: Mapping[str, Any] | None = None,
        bot: str | None = None,
        advice: bool = False,
    ) -> p.ActResponse:
        """What a bot does with a view, or a position (see docs/serving.md)."""
        body = _without_none(bot=bot, view=view, position=position, advice=advice)
        return self.call("POST", "/v1/act", p.ActResponse, body)

    def act_batch(
        self, requests: Sequence[Mapping[str, Any]]
    ) -> list[p.ActResponse | p.ErrorResponse]:
        """Many decisions at once; an invalid request gets an error as its response."""
        found = self.call("POST", "/v1/act/batch", p.BatchResponse, {"requests": list(requests)})
        return found.answers

    # Information.

    def bots(self) -> list[p.BotEntry]:
        """The bots that can decide or take a seat."""
        return self.call("GET", "/v1/bots", p.BotsResponse).bots

    def variants(self) -> p.VariantsResponse:
        """Presets and rules."""
        return self.call("GET", "/v1/variants", p.VariantsResponse)

    # Tables.

    def create_table(self, rules: str | Mapping[str, Any] = "classic", **options: Any) -> "Seat":
        """Set up a table (options as in docs/serving.md) and sit at its first seat for people."""
        table = self.new_table(rules, **options)
        mine = next((seat for seat in table.seats if seat.token), None)
        if mine is None or mine.token is None:
            raise ValueError("seats: none is for you; use new_table to watch bots")
        return Seat(self, table.table, mine.seat, mine.token)

    def new_table(
        self, rules: str | Mapping[str, Any] = "classic", **options: Any
    ) -> tp.TableCreated:
        """Set up a table; the response holds the tokens of all its seats."""
        named = rules if isinstance(rules, str) else dict(rules)
        return self.call("POST", "/v1/tables", tp.TableCreated, {"rules": named, **options})

    def join(self, table: str, name: str | None = None, seat: int | None = None) -> "Seat":
        """Take an open seat; in a waiting room a program is ready at once."""
        body = _without_none(name=name, seat=seat)
        joined = self.call("POST", f"/v1/tables/{table}/join", tp.Joined, body)
        mine = Seat(self, joined.table, joined.seat, joined.token)
        about = self.table(table)
        if about.status == "waiting" and about.waiting_room:
            mine.ready()
        return mine

    def seat(self, table: str, seat: int, token: str) -> "Seat":
        """Come back to a seat."""
        return Seat(self, table, seat, token)

    def table(self, table: str) -> tp.TableInfo:
        """What anybody may know of a table."""
        return self.call("GET", f"/v1/tables/{table}", tp.TableInfo)

    def watch(self, table: str) -> Iterator[tp.State]:
        """States as a spectator is sent them, until the table closes or the game is over."""
        return _states(self.url, table, None)

    def replay(self, table: str) -> tp.Replay:
        """The record of a game that is over; `Game.replay(record)` runs it again."""
        return self.call("GET", f"/v1/tables/{table}/replay", tp.Replay)

    def call(
        self,
        method: str,
        path: str,
        model: type[AnyModel],
        body: Any = None,
        token: str | None = None,
    ) -> AnyModel:
        """Any call of the API; raises `ServerError`."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        response = self._http.request(method, path, json=body, headers=headers)
        if response.is_success:
            return model.model_validate_json(response.content)
        try:
            error = p.ErrorResponse.model_validate_json(response.content).error
        except ValueError:
            error = p.ErrorBody(code="no_answer", message=f"HTTP {response.status_code}")
        raise ServerError(response.status_code, error)


class Seat:
    """A seat at a table, and the token that opens it.

    Args:
        client: the server.
        table: the table's id.
        number: the seat.
        token: its secret.
    """

    def __init__(self, client: Client, table: str, number: int, token: str) -> None:
        self.client, self.table, self.number, self.token = client, table, number, token

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.leave()
        except ServerError as error:
            if error.code not in ("wrong_token", "no_such_table", "closed"):
                raise

    def view(self, events_from: int = 0) -> tp.State:
        """What the seat may know now, with the whole view."""
        return self._call("GET", f"view?events_from={events_from}", tp.State)

    def act(self, action: str | int, move: int | None = None) -> int:
        """Decide; returns the number of the decision once it is stored."""
        body = _without_none(action=action, move=move)
        return self._call("POST", "act", tp.Accepted, body).move

    def advice(self, bot: str | None = None) -> p.ActResponse:
        """What a bot advises."""
        return self._call("POST", "advice", p.ActResponse, _without_none(bot=bot))

    def ready(self, is_ready: bool = True) -> None:
        """Say in a waiting room that the game may begin."""
        self._call("POST", "ready", tp.Done, {"ready": is_ready})

    def rematch(self) -> None:
        """Ask for another game."""
        self._call("POST", "rematch", tp.Done)

    def leave(self) -> None:
        """Give the seat up for good."""
        self._call("POST", "leave", tp.Done)

    def stream(self) -> Iterator[tp.State]:
        """States as they come, until the game is over."""
        return _states(self.client.url, self.table, self.token)

    def play(self, agent: Agent) -> tp.State:
        """Have an agent of your own decide until the game is over; returns the last state."""
        state, decided = None, None
        events: list[dict[str, Any]] = []
        for state in self.stream():
            # A state brings the new events; a view holds all of them.
            events[state.events_from :] = state.events
            # The same decision is sent again when somebody else connects or leaves.
            if state.move not in (None, decided):
                decided = self._decide(agent, state, events)
        if state is None:
            raise ServerError(1006, p.ErrorBody(code="no_answer", message="the stream is empty"))
        return state

    def _decide(self, agent: Agent, state: tp.State, events: list[dict[str, Any]]) -> int | None:
        """Have an agent decide; the number of the decision, None if somebody else was first."""
        while state.move is not None and state.view is not None:
            legal = [option.action for option in state.legal]
            try:
                return self.act(agent.act({**state.view, "events": events}, legal), state.move)
            except ServerError as error:
                if error.code not in TOO_LATE:
                    raise
            # It may be asked something else by now, under the same number.
            state = self.view()
            events[:] = state.events
        return None

    def _call(self, method: str, what: str, model: type[AnyModel], body: Any = None) -> AnyModel:
        return self.client.call(method, f"/v1/tables/{self.table}/{what}", model, body, self.token)


def _states(url: str, table: str, token: str | None) -> Iterator[tp.State]:
    """Read a stream up to and including the state in which the game is over."""
    from websockets.exceptions import ConnectionClosedError
    from websockets.sync.client import connect

    address = url.replace("http", "ws", 1) + f"/v1/tables/{table}/stream"
    with connect(address, max_size=None) as socket:
        socket.send(json.dumps(_without_none(type="hello", token=token)))
        try:
            for text in socket:
                message = json.loads(text)
                if message["type"] == "bye":
                    code = message["reason"]
                    raise ServerError(1000, p.ErrorBody(code=code, message="the stream has ended"))
                if message["type"] == "state":
                    state = tp.State.model_validate(message)
                    yield state
                    if state.status in ("over", "closed"):
                        return
        except ConnectionClosedError as error:
            code, reason = (error.rcvd.code, error.rcvd.reason) if error.rcvd else (1006, "")
            body = p.ErrorBody(code=reason or "gone", message="the stream was cut")
            raise ServerError(code, body) from error


def _without_none(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
