"""The arena in Python: `uno_arena.compare` and `uno_arena.tournament`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .config import ArenaConfig, ConfigError, make_config
from .evaluate import Result
from .play.entrants import AgentLike, name_agents
from .results import TournamentResults
from .run import ProgressCallback, run_tournament
from .store.store import Store

IN_MEMORY = ":memory:"


def tournament(
    agents: Sequence[AgentLike] | Mapping[str, AgentLike],
    *,
    db: str | Path | None = None,
    name: str | None = None,
    workers: int = 0,
    any_version: bool = False,
    on_progress: ProgressCallback | None = None,
    **options: Any,
) -> TournamentResults:
    """Play agents against each other; what a database already holds is not played again.

    Args:
        agents: spec strings, or objects with `act`, `act_batch` or `act_game`; a mapping gives
            them names.
        db: SQLite file in which every game is kept; none is kept if left out.
        name: of the tournament in that file; one made from the options if left out.
        workers: processes that play. 0 plays in this process, which objects need; it does not
            stop an agent that hangs.
        any_version: resume a tournament that another version of the code began.
        on_progress: called after every chunk of games with a `TournamentProgress`.
        options: fields of `uno_arena.config.ArenaConfig`: variant, players, episode, deals, seed,
            schedule, until_clear, sprt, move_timeout, ...
    """
    entrants = name_agents(agents)
    specs = [agent if isinstance(agent, str) else name for name, agent in entrants.items()]
    config = make_config(None, {**options, "agents": specs})
    with Store(IN_MEMORY if db is None else db) as store:
        return run_tournament(
            config,
            entrants,
            store,
            name=name,
            workers=workers,
            any_version=any_version,
            on_progress=on_progress,
        )


def compare(agent: AgentLike, opponent: AgentLike, **options: Any) -> Result:
    """One agent (in Teams: one team) against a table of another: its win rate and interval.

    Args:
        agent: a spec string or an object.
        opponent: another one, which fills the rest of the table.
        options: as those of `tournament`.
    """
    options = {**options, "schedule": "first"}
    fields = {key: value for key, value in options.items() if key in ArenaConfig.model_fields}
    tables = make_config(None, {**fields, "agents": ("agent", "opponent")}).table_configs()
    if len(tables) > 1:
        raise ConfigError(
            f"a comparison needs one table configuration, not {len(tables)}; use tournament()"
        )
    results = tournament([agent, opponent], **options)
    return Result.of_shares(results.games[0].focal_shares())
