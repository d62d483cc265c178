"""A bot that can only be asked one view at a time: the yardstick of batching in the server."""

from uno_agents.heuristic.agent import HeuristicAgent

from uno_env.state_io.view import View


class PlainBot:
    """The heuristic behind nothing but `act(view, legal)`."""

    def __init__(self) -> None:
        self._agent = HeuristicAgent(0)

    def act(self, view: View, legal: list[str]) -> str:
        """One action for a view."""
        return self._agent.act(view, legal)
