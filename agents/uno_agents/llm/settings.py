"""Where a language model is reached: endpoint, key and prices, from the environment or a YAML file.

Nothing of this can be said in a spec string, so nobody who names an agent over a network can make
this process call an address or spend a key.

    UNO_LLM_BASE_URL, UNO_LLM_API_KEY    the endpoint (else OPENAI_BASE_URL, OPENAI_API_KEY)
    UNO_LLM_CONFIG                       a YAML file with settings for each model

    models:
      small:                             # llm:small
        model: some-model-name           # what the endpoint calls it; the name above by default
        base_url: http://127.0.0.1:8000/v1
        api_key_env: MY_KEY              # the name of a variable, never a key itself
        input_price: 0.15                # per million tokens
        output_price: 0.60
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base import AgentError

CONFIG = "UNO_LLM_CONFIG"


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """One model at one endpoint; prices are per million tokens, 0 where they are not known."""

    model: str
    base_url: str | None = None
    api_key_env: str | None = None
    input_price: float = 0.0
    output_price: float = 0.0

    def api_key(self, environment: Mapping[str, str] = os.environ) -> str:
        """The key; an endpoint that needs none is given a word that is no secret."""
        if self.api_key_env is not None:
            if not environment.get(self.api_key_env):
                raise AgentError(f"llm:{self.model} needs its key in {self.api_key_env}")
            return environment[self.api_key_env]
        for name in ("UNO_LLM_API_KEY", "OPENAI_API_KEY"):
            if environment.get(name):
                return environment[name]
        if self.base_url is None:
            raise AgentError(
                f"llm:{self.model} has no endpoint: set UNO_LLM_BASE_URL (and UNO_LLM_API_KEY), "
                f"or name a YAML file in {CONFIG}"
            )
        return "none"

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.input_price + completion_tokens * self.output_price) / 1e6


def llm_settings(name: str, environment: Mapping[str, str] = os.environ) -> LlmSettings:
    """The settings of a model by the name after `llm:`."""
    if not name:
        raise AgentError("llm needs a model, as in llm:MODEL")
    base_url = environment.get("UNO_LLM_BASE_URL") or environment.get("OPENAI_BASE_URL") or None
    given = _from_file(name, environment.get(CONFIG))
    try:
        return LlmSettings(**({"model": name, "base_url": base_url} | given))
    except TypeError:
        known = ", ".join(LlmSettings.__slots__)
        raise AgentError(f"{CONFIG}: models.{name} has {sorted(given)}; known: {known}") from None


def _from_file(name: str, path: str | None) -> dict[str, Any]:
    if not path:
        return {}
    import yaml

    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise AgentError(f"{CONFIG}: {path} cannot be read: {error}") from None
    models = data.get("models") if isinstance(data, dict) else None
    if not isinstance(models, dict):
        raise AgentError(f"{CONFIG}: {path} needs a mapping `models`")
    given = models.get(name, {})
    if not isinstance(given, dict):
        raise AgentError(f"{CONFIG}: models.{name} is {given!r}; a mapping is needed")
    return given
