"""A game as one HTML page: no network, steps by buttons and keys, nothing in it but what is shown.

Each step is the table picture. Steps have most elements in common, so the page holds every
element once, and a step is a list of numbers.
"""

import json
from html import escape
from importlib.resources import files

from .scene import Card, Scene
from .shown import Shown
from .svg import FONT, element, symbols
from .table import table_scene, variant_words
from .words import story, task_words


def page(seen: list[Shown], fps: float) -> str:
    """The whole page."""
    scenes = [table_scene(what) for what in seen]
    cards = {item.name for scene in scenes for item in scene.items if isinstance(item, Card)}
    what = seen[0]
    view = "all hands shown" if what.everything else f"as {what.names[what.front]} sees it"
    fields = {
        "TITLE": escape(f"{variant_words(what.view)}, {view}"),
        "WIDTH": str(scenes[0].width),
        "HEIGHT": str(scenes[0].height),
        "FONT": FONT,
        "SYMBOLS": symbols(cards),
        "DATA": _data(scenes, _captions(seen), fps),
    }
    text = files(__package__).joinpath("replay.html").read_text(encoding="utf-8")
    for key, value in fields.items():
        text = text.replace(f"{{{{{key}}}}}", value)
    return text


def _data(scenes: list[Scene], captions: list[str], fps: float) -> str:
    numbers: dict[str, int] = {}
    steps = [
        [numbers.setdefault(element(item), len(numbers)) for item in scene.items]
        for scene in scenes
    ]
    data = {"parts": list(numbers), "steps": steps, "says": captions, "pause": round(1000 / fps)}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    # Inside a script element only "<" could end it early.
    return text.replace("<", "\\u003c")


def _captions(seen: list[Shown]) -> list[str]:
    """For each step what is new in it, and who decides now."""
    captions, told = [], 0
    for what in seen:
        events = what.view["events"]
        news = story(events[told:], what.names)
        captions.append(" ".join([*news, f"{task_words(what.view, what.names)}."]))
        told = len(events)
    return captions
