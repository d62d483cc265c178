"""Where things are on the page: nothing clipped, nothing on top of what it must not cover.

Hands of any size are shown in any phase by changing the cards in the server's messages on their way
to the page: the page is real, and so is every other part of the message.
"""

import json
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

import uno_env as uno

SIZES = {
    "1440x900": {"width": 1440, "height": 900},
    "1280x720": {"width": 1280, "height": 720},
    "390x844": {"width": 390, "height": 844},
    "844x390": {"width": 844, "height": 390},
    "360x740": {"width": 360, "height": 740},
}
PHONES = ("390x844", "844x390", "360x740")

_VISIBLE = """(selector) => [...document.querySelectorAll(selector)]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))"""
_BOXES = f"""(selectors) => selectors.flatMap((selector) => ({_VISIBLE})(selector).map((e) => {{
  const {{ left, top, right, bottom }} = e.getBoundingClientRect();
  return {{ selector, text: e.textContent.trim().slice(0, 40), left, top, right, bottom }};
}})).filter((box) => box.right > box.left && box.bottom > box.top)"""

APART = [
    ".plate", ".pile", ".discard", ".fact", ".tool", ".me", ".ticker", ".turn-badge", ".clock",
    ".asking", ".choice", ".quarter", ".flash", ".hand",
]  # fmt: skip
"""What never overlaps anything else of this list."""

_CUT_OFF = f"""(selectors) => selectors.flatMap((selector) => ({_VISIBLE})(selector)
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
  .map((e) => `${{selector}}: ${{e.textContent}}`))"""
WHOLE_TEXTS = [".asking", ".choice", ".quarter", ".fact", ".your-turn"]
"""Texts that are never shortened."""

TARGETS = (
    ".choice, .quarter, .pick, .tool, .pile:not(:disabled), .hand-card.lively, .scene button, "
    ".scene .button"
)
_SMALL_TARGETS = f"""(selector) => ({_VISIBLE})(selector)
  .map((e) => ({{ text: e.ariaLabel ?? e.textContent, box: e.getBoundingClientRect() }}))
  .filter(({{ box }}) => box.width < 43.5 || box.height < 43.5)
  .map(({{ text, box }}) => `${{text}}: ${{box.width}}x${{box.height}}`)"""


def device(size: str) -> dict[str, Any]:
    """Playwright's options for a window of this size; phones have a finger, not a mouse."""
    touch = {"has_touch": True, "is_mobile": True} if size in PHONES else {}
    return {"viewport": SIZES[size], **touch}


def boxes(page: Page, selectors: Iterable[str]) -> list[dict[str, Any]]:
    """The boxes of everything visible that matches."""
    found: list[dict[str, Any]] = page.evaluate(_BOXES, list(selectors))
    return found


def faults(page: Page) -> list[str]:
    """What is outside the window, on top of something else, or cut off."""
    size = page.viewport_size
    assert size is not None
    everything = boxes(page, APART)
    found = [
        f"{box['selector']} {box['text']!r} is out of the window"
        for box in everything
        if box["left"] < -1
        or box["top"] < -1
        or box["right"] > size["width"] + 1
        or box["bottom"] > size["height"] + 1
    ]
    for n, one in enumerate(everything):
        found += [
            f"{one['selector']} {one['text']!r} lies on {other['selector']} {other['text']!r}"
            for other in everything[n + 1 :]
            if _overlap(one, other) > 2
        ]
    found += [f"cut off: {text}" for text in page.evaluate(_CUT_OFF, WHOLE_TEXTS)]
    scrolls = page.evaluate("document.documentElement.scrollWidth") > size["width"]
    return [*found, *(["the page scrolls sideways"] if scrolls else [])]


def _overlap(one: dict[str, float], other: dict[str, float]) -> float:
    """Pixels by which two boxes lie on each other, in the direction in which they do less."""
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return min(wide, high)


def small_targets(page: Page) -> list[str]:
    """What a finger cannot hit: less than 44 pixels wide or high."""
    found: list[str] = page.evaluate(_SMALL_TARGETS, TARGETS)
    return found


def _card_of(action: str) -> str | None:
    """The card of the hand that an action takes, if it takes one."""
    verb, _, card = action.partition(" ")
    return card if verb in ("play", "give") else None


def show_hands_of(page: Page, count: int) -> None:
    """From now on every hand of the reader has so many cards, the playable ones among them."""

    def change(message: str | bytes) -> str | bytes:
        state = json.loads(message)
        if state.get("type") != "state" or not state.get("view") or state["seat"] is None:
            return message
        view = state["view"]
        cards = {option["action"]: _card_of(option["action"]) for option in state["legal"]}
        playable = [card for card in cards.values() if card]
        others = [card for card in uno.FACES if "+give" not in card and card not in playable]
        view["hand"] = [*playable, *others[:: max(1, len(others) // count)]][:count]
        view["hand_sizes"][state["seat"]] = count
        state["legal"] = [
            option for option in state["legal"] if cards[option["action"]] in (None, *view["hand"])
        ]
        return json.dumps(state)

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: route.send(change(message)))

    page.route_web_socket("**/stream", connect)
