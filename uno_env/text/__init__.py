"""A game in words, for language models and people: see `describe` and `TextEnv`."""

from .answers import AnswerError, read_answer
from .describe import TEXT_FORMAT, count_tokens, describe
from .rules_page import rules_page
from .rules_summary import rules_summary
from .text_env import TextEnv

__all__ = [
    "TEXT_FORMAT",
    "AnswerError",
    "TextEnv",
    "count_tokens",
    "describe",
    "read_answer",
    "rules_page",
    "rules_summary",
]
