"""Reading answers: a number, an action text or JSON, as people and language models write them."""

import json
import re
from collections.abc import Sequence
from typing import Any

KEYS = ("action", "answer", "choice", "move", "number")
"""Keys of a JSON object whose value is taken as the answer, in this order."""

MOST_CHARACTERS = 20_000
"""Longer answers are read from their end, where the decision usually stands."""

_MARKED = re.compile(
    r"(?:answer|action|choice|r[ée]ponse|choix)\s*(?:is|est)?\s*[:=]\s*(.+)", re.IGNORECASE
)
_NUMBER = re.compile(r"#?\s*(\d{1,3})\s*[.):]?(?:\s.*)?", re.DOTALL)


class AnswerError(ValueError):
    """An answer that names no legal action; the message says what was wrong and what is allowed."""


def read_answer(answer: Any, legal: Sequence[str]) -> str:
    """The legal action that an answer means.

    Taken are: the number of an action as `describe` lists them (`3`, `3.`, `#3`), its text
    (`play red-7`, in any case, with spaces for dashes), a JSON object with one of `KEYS`, in a
    code fence or not, and a last line such as `Answer: 3` after any reasoning.

    Args:
        answer: what was written; an integer is the number of an action.
        legal: the legal actions, in the order in which they were numbered.
    """
    if isinstance(answer, bool) or not isinstance(answer, int | str):
        raise AnswerError(f"the answer is {type(answer).__name__}; a text or a number is needed")
    if isinstance(answer, int):
        return _by_number(answer, legal)
    text = answer[-MOST_CHARACTERS:].strip()
    if not text:
        raise AnswerError(f"the answer is empty; {_allowed(legal)}")
    for candidate in _candidates(text):
        if (action := _match(candidate, legal)) is not None:
            return action
    raise AnswerError(f"no legal action in {_short(text)!r}; {_allowed(legal)}")


def _candidates(text: str) -> list[str]:
    """Readings of an answer, the most explicit first; the last of several statements counts."""
    found = []
    for block in reversed(re.findall(r"\{[^{}]*\}", text)):
        value = _json_value(block)
        if value is not None:
            found.append(value)
    found.append(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found += [marked[1] for line in reversed(lines) if (marked := _MARKED.search(line))]
    found.append(lines[-1])
    return [candidate.strip().strip("`*\"'. ") for candidate in found]


def _json_value(block: str) -> str | None:
    try:
        data = json.loads(block)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    lowered = {str(key).lower(): value for key, value in data.items()}
    for key in KEYS:
        value = lowered.get(key)
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return str(value)
    return None


def _match(candidate: str, legal: Sequence[str]) -> str | None:
    plain = {_plain(action): action for action in legal}
    if (action := plain.get(_plain(candidate))) is not None:
        return action
    if number := _NUMBER.fullmatch(candidate):
        rest = candidate[number.end(1) :].strip(" .):\n")
        is_alone = not rest or any(_plain(rest).startswith(text) for text in plain)
        if is_alone and 1 <= int(number[1]) <= len(legal):
            return legal[int(number[1]) - 1]
    return None


def _plain(text: str) -> str:
    """Without case, dashes and signs of quoting, so that `Play Red 7` is `play red-7`."""
    return re.sub(r"[\s_-]+", " ", text.lower()).strip(" `\"'.!")


def _by_number(number: int, legal: Sequence[str]) -> str:
    if not 1 <= number <= len(legal):
        raise AnswerError(f"{number} is not the number of an action; {_allowed(legal)}")
    return legal[number - 1]


def _allowed(legal: Sequence[str]) -> str:
    return f"answer with a number from 1 to {len(legal)} or one of: {', '.join(legal)}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:40]} ... {text[-36:]}"
