"""LlmAgent: a language model that is asked for every decision with the text of `uno_env.describe`.

Each decision is a conversation of its own: the rules in force as the system message, the position
as the user message. So the context is bounded whatever the length of a game, and one agent may
decide for many games at once (`concurrency`).
"""

import copy
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any, Literal

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

from uno_env.envs.opponents import reset_agent
from uno_env.state_io.view import View
from uno_env.text import AnswerError, read_answer
from uno_env.text.language import Language

from ..base import AgentError
from .prompts import SYSTEM, system_prompt, user_prompt
from .settings import LlmSettings

Structured = Literal["auto", "on", "off"]

SCHEMA: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "uno_action",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"action": {"type": "integer"}},
            "required": ["action"],
            "additionalProperties": False,
        },
    },
}


_SPENT: dict[LlmSettings, float] = {}
"""What this process has spent on each model: a tournament builds its agents again and again."""
_SPENT_GUARD = threading.Lock()


class LlmError(AgentError):
    """A model that cannot be reached, exceeded its budget, or twice gave no usable answer."""


@dataclass(slots=True)
class LlmUsage:
    """What a model was asked and what it cost, summed over all decisions of an agent."""

    decisions: int = 0
    requests: int = 0
    unusable: int = 0
    fallbacks: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0


class LlmAgent:
    """Asks a chat model for every decision that has more than one legal action.

    Args:
        settings: the model and its endpoint.
        fallback: who decides after two unusable answers or a failed request; None raises
            `LlmError`, which the arena counts as a forfeit.
        lang: language of the texts.
        timeout: seconds for one request.
        retries: further tries of a request that failed, with exponential backoff.
        temperature: of the model's sampling.
        max_tokens: of one answer.
        max_cost: budget of this process for the model, in the currency of the prices; 0 for none.
        structured: ask for structured output (`on`), only while the endpoint accepts it (`auto`).
        concurrency: decisions that may be asked for at the same time.
    """

    def __init__(
        self,
        settings: LlmSettings,
        fallback: Any = None,
        lang: Language = "en",
        timeout: float = 60.0,
        retries: int = 3,
        temperature: float = 0.0,
        max_tokens: int = 256,
        max_cost: float = 0.0,
        structured: Structured = "auto",
        concurrency: int = 8,
    ) -> None:
        if structured not in ("auto", "on", "off"):
            raise AgentError(f"structured is {structured!r}; allowed: auto, on, off")
        if lang not in SYSTEM:
            raise AgentError(f"lang is {lang!r}; allowed: {', '.join(SYSTEM)}")
        self.settings = settings
        self.fallback = fallback
        self.lang: Language = lang
        self.temperature, self.max_tokens, self.max_cost = temperature, max_tokens, max_cost
        self.concurrency = concurrency
        self._usage = LlmUsage()
        self._guard = threading.Lock()
        self._slots = threading.BoundedSemaphore(concurrency)
        self._unstructured = threading.Event()
        if structured == "off":
            self._unstructured.set()
        self._may_drop_structure = structured == "auto"
        self._client = openai.OpenAI(
            api_key=settings.api_key(),
            base_url=settings.base_url,
            timeout=timeout,
            max_retries=retries,
        )

    def act(self, view: View, legal: list[str]) -> str:
        """The model's choice, or the fallback's."""
        with self._guard:
            self._usage.decisions += 1
        if len(legal) == 1:
            return legal[0]
        try:
            return self._ask_twice(view, legal)
        except LlmError:
            if self.fallback is None:
                raise
            with self._guard:
                self._usage.fallbacks += 1
            choice: str = self.fallback.act(view, legal)
            return choice

    def for_game(self, seed: int) -> "LlmAgent":
        """The same agent with a fallback of its own, seeded for one game among many at once.

        Client, usage and budget are shared. What the fallback draws then does not depend on which
        of the games needs it first.
        """
        agent = copy.copy(self)
        agent.fallback = copy.deepcopy(self.fallback)
        reset_agent(agent.fallback, seed)
        return agent

    def usage(self) -> dict[str, float]:
        """What has been asked so far, for reports."""
        with self._guard:
            return asdict(self._usage)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ask_twice(self, view: View, legal: list[str]) -> str:
        messages = self._messages(view)
        error: AnswerError | None = None
        for _ in range(2):
            answer = self._ask(messages)
            try:
                return read_answer(answer, legal)
            except AnswerError as unusable:
                error = unusable
                with self._guard:
                    self._usage.unusable += 1
                messages = [
                    *messages,
                    {"role": "assistant", "content": answer[-2000:]},
                    {"role": "user", "content": str(unusable)},
                ]
        raise LlmError(f"llm:{self.settings.model} gave no usable answer: {error}")

    def _messages(self, view: View) -> list[ChatCompletionMessageParam]:
        return [
            {"role": "system", "content": system_prompt(view, self.lang)},
            {"role": "user", "content": user_prompt(view, self.lang)},
        ]

    def _ask(self, messages: list[ChatCompletionMessageParam]) -> str:
        self._check_budget()
        started = time.monotonic()
        try:
            with self._slots:
                answer = self._complete(messages)
        except openai.OpenAIError as error:
            what = f"{type(error).__name__}: {error}"
            raise LlmError(f"llm:{self.settings.model} did not answer: {what}") from error
        finally:
            with self._guard:
                self._usage.requests += 1
                self._usage.seconds += time.monotonic() - started
        self._count(answer)
        choices = answer.choices or []
        return (choices[0].message.content or "") if choices else ""

    def _complete(self, messages: list[ChatCompletionMessageParam]) -> ChatCompletion:
        options: dict[str, Any] = {
            "model": self.settings.model,
            "messages": messages,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        create: Any = self._client.chat.completions.create
        answer: ChatCompletion
        if not self._unstructured.is_set():
            try:
                answer = create(**options, response_format=SCHEMA)
                return answer
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                if not self._may_drop_structure:
                    raise
                self._unstructured.set()  # the endpoint does not offer it
        answer = create(**options)
        return answer

    def _count(self, answer: ChatCompletion) -> None:
        if answer.usage is None:
            return
        prompt, completion = answer.usage.prompt_tokens, answer.usage.completion_tokens
        with self._guard:
            self._usage.prompt_tokens += prompt
            self._usage.completion_tokens += completion
            cost = self.settings.cost(prompt, completion)
            self._usage.cost += cost
        with _SPENT_GUARD:
            _SPENT[self.settings] = _SPENT.get(self.settings, 0.0) + cost

    def _check_budget(self) -> None:
        with _SPENT_GUARD:
            spent = _SPENT.get(self.settings, 0.0)
        if self.max_cost and spent >= self.max_cost:
            raise LlmError(
                f"llm:{self.settings.model} has spent {spent:.4f} of its budget of "
                f"{self.max_cost:g} (max_cost)"
            )

    def __repr__(self) -> str:
        return f"<llm agent {self.settings.model}>"
