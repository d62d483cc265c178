"""The tools, resources and prompts of `uno-mcp`; every game is one of the server's tables."""

import functools
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import httpx
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import uno_env
from uno_env import VARIANTS, Rules
from uno_env.rules import RulesError
from uno_env.text import rules_summary
from uno_env.text.language import Language, words_of

from ..client import Client, ServerError
from . import seats
from .review import review
from .seats import SeatKey

INSTRUCTIONS = (
    "Play, watch and explain UNO and its variants. Start a table with start_table (or join one), "
    "then alternate look and act: act takes the number or text of a legal action and returns your "
    "next position. Keep the token of a seat to yourself."
)

MOST_DEALS = 200

Function = TypeVar("Function", bound=Callable[..., Any])


def make_server(client: Client) -> MCPServer[Any]:
    """The MCP server on top of a running `uno-serve`."""
    server: MCPServer[Any] = MCPServer(
        "uno", title="UNO", instructions=INSTRUCTIONS, version=uno_env.__version__
    )
    _add_facts(server, client)
    _add_tables(server, client)
    _add_turns(server, client)
    _add_study(server, client)
    _add_resources(server)
    _add_prompts(server)
    return server


def _tool(server: MCPServer[Any]) -> Callable[[Function], Function]:
    """Register a tool whose refusals reach the assistant in words: the SDK hides other errors."""

    def register(function: Function) -> Function:
        @functools.wraps(function)
        def tool(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except (ServerError, ValueError) as error:
                raise ToolError(str(error)) from error
            except httpx.HTTPError as error:
                raise ToolError(f"the server cannot be reached: {error}") from error

        server.tool()(tool)
        return function

    return register


def _add_facts(server: MCPServer[Any], client: Client) -> None:
    @_tool(server)
    def list_variants(lang: Language = "en") -> list[dict[str, Any]]:
        """The rule sets that can be played, with their table sizes."""
        words, found = words_of(lang), []
        for name in VARIANTS:
            rules = Rules.preset(name)
            sizes = [rules.min_players, rules.max_players]
            found.append({"variant": name, "name": words.variant(name), "players": sizes})
        return found

    @_tool(server)
    def explain_rules(
        rules: str = "classic", players: int | None = None, lang: Language = "en"
    ) -> list[str]:
        """The rules of a variant, or of house rules such as `classic(jump_in=true)`."""
        return rules_summary(_rules(rules), players, lang, match=True)

    @_tool(server)
    def list_bots() -> list[dict[str, Any]]:
        """The bots that can sit at a table or give advice."""
        return [bot.model_dump(exclude_none=True) for bot in client.bots()]


def _add_tables(server: MCPServer[Any], client: Client) -> None:
    @_tool(server)
    def start_table(
        rules: str = "classic",
        bots: list[str] | None = None,
        open_seats: int = 0,
        name: str = "Assistant",
        episode: Literal["round", "match"] = "round",
        seed: int | None = None,
        lang: Language = "en",
    ) -> dict[str, Any]:
        """Start a table and sit down at it.

        Args:
            rules: a variant or house rules such as `no_mercy(stacking=none)`.
            bots: names of list_bots, one for each bot at the table; one default bot if left out.
            open_seats: further seats for others, who join with join_table or in the browser.
            name: your name at the table.
            episode: one round, or a match.
            seed: deals the same cards again.
            lang: `en` or `fr`.
        """
        chosen = bots if bots is not None else ([] if open_seats else [""])
        others = [{"kind": "bot", "bot": bot} if bot else {"kind": "bot"} for bot in chosen]
        people = [{"kind": "human", "open": True} for _ in range(open_seats)]
        options: dict[str, Any] = {"episode": episode, "bot_delay": 0.0, "absent_seconds": None}
        if seed is not None:
            options["seed"] = seed
        created = client.new_table(
            rules, seats=[{"kind": "human", "name": name}, *others, *people], **options
        )
        mine = next(seat for seat in created.seats if seat.token)
        key = SeatKey(created.table, mine.seat, mine.token or "")
        return _sat_down(client, key, lang)

    @_tool(server)
    def join_table(table: str, name: str = "Assistant", lang: Language = "en") -> dict[str, Any]:
        """Take an open seat at somebody's table."""
        seat = client.join(table, name)
        return _sat_down(client, SeatKey(seat.table, seat.number, seat.token), lang)


def _add_turns(server: MCPServer[Any], client: Client) -> None:
    @_tool(server)
    def look(
        table: str,
        seat: int,
        token: str,
        lang: Language = "en",
        form: Literal["short", "long"] = "short",
        wait_seconds: float = 20.0,
    ) -> dict[str, Any]:
        """What your seat sees, as text; waits until you are to decide or the game is over."""
        return seats.look(client, SeatKey(table, seat, token), lang, form, wait_seconds)

    @_tool(server)
    def act(
        table: str,
        seat: int,
        token: str,
        answer: str,
        lang: Language = "en",
        wait_seconds: float = 20.0,
    ) -> dict[str, Any]:
        """Decide: the number or the text of a legal action; returns your next position."""
        return seats.act(client, SeatKey(table, seat, token), answer, lang, wait_seconds)

    @_tool(server)
    def leave_table(table: str, seat: int, token: str) -> str:
        """Give your seat up for good."""
        client.seat(table, seat, token).leave()
        return "left"


def _add_study(server: MCPServer[Any], client: Client) -> None:
    @_tool(server)
    def ask_coach(table: str, seat: int, token: str, bot: str | None = None) -> dict[str, Any]:
        """What a bot would do in your place now, with its probabilities where it has some."""
        return client.seat(table, seat, token).advice(bot).model_dump(exclude_none=True)

    @_tool(server)
    def watch_table(table: str, lang: Language = "en") -> dict[str, Any]:
        """What a spectator may know of a table: who sits there, how it stands."""
        return seats.watch(client, table, lang)

    @_tool(server)
    def review_game(
        table: str, seat: int, bot: str | None = None, lang: Language = "en"
    ) -> dict[str, Any]:
        """Where a bot would have decided otherwise in a game that is over."""
        return review(client, client.replay(table).record, seat, bot, lang)

    @_tool(server)
    def compare_agents(
        agent: str, opponent: str, variant: str = "classic", players: int = 2, deals: int = 100
    ) -> dict[str, Any]:
        """Play duplicate deals between two agents: win rate with a 95 % interval."""
        from uno_agents.base import AgentError
        from uno_agents.registry import make_agent
        from uno_arena import compare

        if not 1 <= deals <= MOST_DEALS:
            raise ValueError(f"deals is {deals}; allowed: 1 to {MOST_DEALS}")
        try:
            pair = [make_agent(spec, allow_local=False) for spec in (agent, opponent)]
        except AgentError as error:
            raise ValueError(str(error)) from None
        result = compare(*pair, variant=_rules(variant).text(), players=players, deals=deals)
        return {"rate": result.rate, "low": result.low, "high": result.high,
                "chance": result.chance, "games": result.games}  # fmt: skip


def _add_resources(server: MCPServer[Any]) -> None:
    @server.resource("uno://rules/{variant}", mime_type="text/plain")
    def rules(variant: str) -> str:
        """The rules of a variant, one sentence a line."""
        return "\n".join(rules_summary(_rules(variant), match=True))

    @server.resource("uno://cards/{variant}", mime_type="text/plain")
    def cards(variant: str) -> str:
        """The deck of a variant: how many copies of each card."""
        words = words_of("en")
        deck = _rules(variant).deck
        return "\n".join(f"{count} x {words.card(name)} ({name})" for name, count in deck.items())


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt()
    def teach_me(variant: str = "classic") -> str:
        """A first lesson at a table."""
        told = "\n".join(f"- {line}" for line in rules_summary(_rules(variant)))
        return (
            f"Teach me UNO ({variant}). The rules in force:\n{told}\n"
            "Start a table against one bot, show me each position with look, explain my legal "
            "actions in one sentence each, say what ask_coach advises and why, and let me choose."
        )

    @server.prompt()
    def review_my_game(table: str, seat: int = 0) -> str:
        """A review of a finished game."""
        return (
            f"Review my game at table {table}, seat {seat}, with review_game. Tell me the three "
            "decisions that cost most, why the other action was better, and one habit to change."
        )


def _sat_down(client: Client, key: SeatKey, lang: Language) -> dict[str, Any]:
    told = seats.look(client, key, lang, "long", 5.0)
    page = f"{client.url}/#/table/{key.table}"
    return {"table": key.table, "seat": key.seat, "token": key.token, "page": page, **told}


def _rules(text: str) -> Rules:
    try:
        return Rules.from_text(text)
    except RulesError as error:
        raise ValueError(str(error)) from None
