"""Positions as front ends send them, encoded in tens of microseconds.

Most requests say what their seat holds, what lies on top and how many cards the others have, and
differ in nothing else. Those share a template (`uno_env.state_io.position_template`). Whatever is
rarer, or invalid, takes the way of `read_request`, which also says what is wrong.
"""

import threading
from collections import OrderedDict
from typing import Any

from uno_env import Game, Rules
from uno_env.cards import COLORS, FACES, color_of
from uno_env.state_io.position_template import Cards, PositionTemplate, Workspace

from ..errors import ApiError
from .decision import DecisionRequest, read_position
from .position import POSITION_KEYS, named_rules

MAX_TEMPLATES = 2048
_FACE = {name: face for face, name in enumerate(FACES)}
_VARIED = {
    "hand", "hand_sizes", "top_card", "discard", "active_color", "draw_pile_size", "drawn_card",
    "uno_called",
}  # fmt: skip
_PILES = ("discard", "active_color", "draw_pile_size")
_RARE = frozenset({"known", "color_before", "hyper_color"})
"""What depends on the cards in ways of its own."""
_KEPT = sorted(POSITION_KEYS - _VARIED - _RARE)
_TURN = (None, "play", "play-drawn")
_WILD = 4
_Found = tuple[Workspace, Rules, PositionTemplate]


class QuickPositions:
    """The templates of the positions that were asked about lately."""

    def __init__(self) -> None:
        self._workspaces: OrderedDict[Rules, tuple[Workspace, Workspace]] = OrderedDict()
        self._checked: OrderedDict[tuple[Rules, str, bool], bool] = OrderedDict()
        self._learning = threading.Lock()
        self._templates: OrderedDict[str, _Found | None] = OrderedDict()

    def read(self, position: dict[str, Any]) -> DecisionRequest | None:
        """The request of a valid position; None if it has to be read in full.

        Its view holds only what the response needs, and no legal actions as texts.
        """
        if not _is_common(position):
            return None
        found = self._templates.get(_key(position))
        if found is None:
            return None
        workspace, rules, template = found
        encoded = _encode(workspace, rules, template, position)
        if encoded is None:
            return None
        n = len(position["hand_sizes"])
        view = {"seat": template.seat, "num_players": n, "phase": template.phase}
        return DecisionRequest(*encoded, [], view, is_trusted=True)

    def read_in_full(self, position: dict[str, Any]) -> DecisionRequest:
        """The request of any position; the next of its kind is quick. May run in a thread."""
        request, game = read_position(position)
        if _is_common(position):
            key = _key(position)
            if key not in self._templates:
                with self._learning:
                    _keep(self._templates, key, self._learn(position, request, game))
        return request

    def _learn(
        self, position: dict[str, Any], request: DecisionRequest, game: Game
    ) -> _Found | None:
        """A template of a position, if it gives what was read in full."""
        rules = named_rules(position.get("rules"), position.get("variant"))
        template = PositionTemplate(game)
        # Others use the workspaces of the templates meanwhile.
        checking, _ = self._workspaces.get(rules) or (Workspace(rules), None)
        if _encode(checking, rules, template, position) != (request.obs, request.mask):
            return None
        kind = (rules, template.phase, "pending" in position)
        if kind not in self._checked:
            other = _with_other_cards(rules, template, position)
            _keep(self._checked, kind, _agrees(checking, rules, template, other))
        if not self._checked[kind]:
            return None
        if rules not in self._workspaces:
            _keep(self._workspaces, rules, (checking, Workspace(rules)))
        return self._workspaces[rules][1], rules, template


def _keep(cache: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    cache[key] = value
    if len(cache) > MAX_TEMPLATES:
        cache.popitem(last=False)


def _is_common(position: dict[str, Any]) -> bool:
    return _RARE.isdisjoint(position)


def _key(position: dict[str, Any]) -> str:
    """What a template is for: everything but the cards."""
    rest = [position.get(key) for key in _KEPT]
    # In the middle of a card or a penalty, progress depends on the card itself.
    top = None if _is_turn(position) else _top_card(position)
    return repr((rest, len(position["hand_sizes"]), "drawn_card" in position, top))


def _is_turn(position: dict[str, Any]) -> bool:
    """Whether the seat is in its turn, and nothing is left of the card before."""
    return position.get("phase") in _TURN and "pending" not in position


def _top_card(position: dict[str, Any]) -> Any:
    discard = position.get("discard")
    return discard[-1] if discard else position.get("top_card")


def _with_other_cards(
    rules: Rules, template: PositionTemplate, position: dict[str, Any]
) -> dict[str, Any]:
    """A position of the same kind."""
    hand, drawn = position["hand"], position.get("drawn_card")
    rest = [name for name in hand if name != drawn]
    card = next(name for name in rules.deck if name not in hand and "-" in name)
    if not _is_turn(position):
        card = _top_card(position)
    other = {key: value for key, value in position.items() if key not in _PILES} | {
        "hand": [name for name in hand if name != rest[0]] if len(set(rest)) > 2 else hand,
        "hand_sizes": [size + 1 if size > 1 else size for size in position["hand_sizes"]],
        "top_card": card,
    }
    if "wild" in card and rules.wild_color == "name":
        other["active_color"] = position.get("active_color", "red")
    other["hand_sizes"][template.seat] = len(other["hand"])
    return other


def _agrees(
    workspace: Workspace, rules: Rules, template: PositionTemplate, position: dict[str, Any]
) -> bool:
    """Whether a template gives what is read in full, or neither gives anything."""
    encoded = _encode(workspace, rules, template, position)
    try:
        whole, _ = read_position(position)
    except ApiError:
        return encoded is None
    return encoded == (whole.obs, whole.mask)


def _encode(
    workspace: Workspace, rules: Rules, template: PositionTemplate, position: dict[str, Any]
) -> tuple[bytes, bytes] | None:
    """Observation and mask of a position that holds together; None leaves it to the long way."""
    sizes, hand = position["hand_sizes"], position["hand"]
    top, discard = position.get("top_card"), position.get("discard")
    if discard is None:
        discard = [top]
    try:
        faces, laid = [_FACE[card] for card in hand], [_FACE[card] for card in discard]
    except KeyError:
        return None
    if not laid or top not in (None, discard[-1]) or sizes[template.seat] != len(hand):
        return None
    color, printed = position.get("active_color"), color_of(laid[-1])
    if printed != _WILD and color not in (None, COLORS[printed]):
        return None
    if printed == _WILD and color is None and rules.wild_color == "name":
        return None
    if not _sizes_fit(rules, position):
        return None
    drawn = position.get("drawn_card")
    if drawn is not None and drawn not in hand:
        return None
    counts, deck = rules.cards.counts, rules.cards.size
    seen = faces + laid
    if any(seen.count(face) > counts[face] for face in set(seen)):
        return None
    left = deck - sum(sizes) - len(laid) - position.get("set_aside_size", 0)
    pile = position.get("draw_pile_size", left)
    if left < 0 or not 0 <= pile <= deck:
        return None
    drawn_face = -1 if drawn is None else _FACE[drawn]
    called = position.get("uno_called", [])
    return workspace.encode(template, Cards(faces, sizes, laid, color, pile, drawn_face, called))


def _sizes_fit(rules: Rules, position: dict[str, Any]) -> bool:
    """Whether every seat in play has cards, who has called UNO just one, and nobody too many."""
    sizes = position["hand_sizes"]
    if rules.mercy_limit and max(sizes) >= rules.mercy_limit:
        return False
    if any(seat >= len(sizes) or sizes[seat] != 1 for seat in position.get("uno_called", ())):
        return False
    away = {*position.get("eliminated", ()), *position.get("out", ())}
    return all((size == 0) == (seat in away) for seat, size in enumerate(sizes))
