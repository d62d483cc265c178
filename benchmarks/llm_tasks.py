"""What the tasks for language models cost: decisions and tokens of one run, as a table.

    python -m benchmarks.llm_tasks

The heuristic plays in the model's place. Tokens are those of `uno_agents.llm.prompts`, counted by
`uno_env.text.count_tokens`; answers add about 7 for each decision.
"""

from uno_agents.llm.prompts import prompt_tokens
from uno_agents.registry import make_agent
from uno_arena import tournament
from uno_arena.benchmark.task import Task
from uno_arena.benchmark.task_opponents import OPPONENTS_1 as OPPONENTS
from uno_arena.benchmark.tasks import LLM_TASKS

STAND_IN = "heuristic"


class Counting:
    """Plays as the heuristic and counts what a language model would be asked."""

    def __init__(self) -> None:
        self.agent = make_agent(STAND_IN, seed=0)
        self.decisions = self.tokens = 0

    def act(self, view, legal):
        if len(legal) > 1:
            self.decisions += 1
            self.tokens += prompt_tokens(view)
        return self.agent.act(view, legal)


def cost(task: Task) -> tuple[int, int, int]:
    """Games, decisions and tokens of a run."""
    games = decisions = tokens = 0
    for opponent in OPPONENTS:
        counting = Counting()
        results = tournament(
            {"model": counting, opponent: opponent},
            variant=task.rules,
            players=task.players,
            deals=task.deals(False),
            seed=task.seed,
            schedule="first",
        )
        games += results.total_games
        decisions += counting.decisions
        tokens += counting.tokens
    return games, decisions, tokens


def main() -> None:
    print("| task | games | decisions | prompt tokens | per decision |\n|---|---|---|---|---|")
    for task in LLM_TASKS.values():
        games, decisions, tokens = cost(task)
        each = tokens / decisions
        print(f"| `{task.name}` | {games} | {decisions:,} | {tokens:,} | {each:.0f} |")


if __name__ == "__main__":
    main()
