"""TextEnv: a game of UNO as texts in and texts out, for language models and chat programs."""

from typing import Any, Literal

from ..actions import action_id
from ..envs.gymnasium_env import UnoEnv
from ..envs.options import Reward
from ..game import Episode
from ..rules.rules import Rules
from .answers import AnswerError, read_answer
from .describe import Form, count_tokens, describe
from .language import Language, words_of

Unusable = Literal["ask", "raise"]


class TextEnv:
    """One learner against opponents, as `uno_env/Uno-v0`, with texts for observations and actions.

    Args:
        variant: a preset's name or `Rules`.
        num_players: seats at the table.
        opponents: agent specs or functions for the other seats.
        seat: the learner's seat, or `random` for each episode.
        episode: a round or a match.
        reward: `win` or `points`.
        lang: `en` or `fr`.
        form: the form of texts after the first, which is always `long`.
        unusable: an unusable answer is asked again with what was wrong (`ask`, reward 0 and no
            step of the game), or raises `AnswerError` (`raise`).
        max_unusable: unusable answers in an episode before it ends as truncated.
    """

    def __init__(
        self,
        variant: str | Rules = "classic",
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | Literal["random"] = "random",
        episode: Episode = "round",
        reward: Reward = "win",
        lang: Language = "en",
        form: Form = "short",
        unusable: Unusable = "ask",
        max_unusable: int = 10,
    ) -> None:
        if unusable not in ("ask", "raise"):
            raise ValueError(f"unusable is {unusable!r}; allowed: ask, raise")
        words_of(lang)  # an unknown language is told at once
        self.lang: Language = lang
        self.form: Form = form
        self.unusable: Unusable = unusable
        self.max_unusable = max_unusable
        self._env = UnoEnv(
            variant, num_players, opponents, seat, episode=episode, reward=reward, keep_events=True
        )
        self._unusable_answers = 0
        self._tokens = 0

    @property
    def legal(self) -> list[str]:
        """The legal actions, in the order of their numbers."""
        return list(self._env.view()["legal"])

    def reset(self, seed: int | None = None) -> str:
        """Deal; the first text has the rules in force."""
        self._env.reset(seed=seed)
        self._unusable_answers = self._tokens = 0
        return self._tell("long")

    def step(self, answer: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """An answer in, the next text out; otherwise as Gymnasium's `step`.

        Returns:
            the text, the reward, whether the episode ended, whether it was cut off, and an info
            with `action` (the one that was taken, or None), `unusable` (unusable answers so
            far), `tokens` (of all texts so far, about) and what the Gymnasium environment tells.
        """
        try:
            action = read_answer(answer, self.legal)
        except AnswerError as error:
            if self.unusable == "raise":
                raise
            return self._ask_again(error)
        _, reward, terminated, truncated, info = self._env.step(action_id(action))
        text = self._tell(self.form)
        return text, float(reward), terminated, truncated, {**self._info(action), **info}

    def _ask_again(self, error: AnswerError) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self._unusable_answers += 1
        is_last = self._unusable_answers > self.max_unusable
        self._tokens += count_tokens(str(error))
        info = {**self._info(None), "error": str(error)}
        return str(error), 0.0, False, is_last, info

    def _info(self, action: str | None) -> dict[str, Any]:
        return {"action": action, "unusable": self._unusable_answers, "tokens": self._tokens}

    def _tell(self, form: Form) -> str:
        text = describe(self._env.view(), self.lang, form)
        self._tokens += count_tokens(text)
        return text
