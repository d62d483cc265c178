"""What must be true of every position of every game, whatever its rules."""

from collections import Counter
from typing import Any

import numpy as np

import uno_env as uno
from uno_env.cards import NUM_FACES, color_of, face_id, kind_of
from uno_env.engine.observation.layout import FAR_COLORS, FAR_ROW, O_FAR, O_KNOWN

Snapshot = dict[str, Any]


def check_position(game: uno.Game) -> None:
    """All invariants at once; the message says which game broke which."""
    now = game.snapshot()
    for check in (_conserved, _no_mercy, _teams, _penalty, _hyper, _decider, _calls, _knowledge):
        assert (wrong := check(game, now)) is None, f"{check.__name__}: {wrong} in {game!r}"


def _conserved(game: uno.Game, now: Snapshot) -> str | None:
    """Hands, draw pile, discards and cards set aside are the deck, no card more or less."""
    piles = [*now["hands"], now["draw_pile"], now["discard"], now["set_aside"]]
    cards = Counter(card for pile in piles for card in pile)
    lost = Counter(dict(game.rules.cards)) - cards
    extra = cards - Counter(dict(game.rules.cards))
    return f"lost {dict(lost)}, extra {dict(extra)}" if lost or extra else None


def _no_mercy(game: uno.Game, now: Snapshot) -> str | None:
    """No seat in play holds as many cards as eliminate it, eliminated ones hold none."""
    limit = game.rules.mercy_limit
    for seat, hand in enumerate(now["hands"]):
        if seat in now["eliminated"] and hand:
            return f"eliminated seat {seat} holds {hand}"
        if limit and len(hand) >= limit and not game.over:
            return f"seat {seat} holds {len(hand)} of {limit} cards"
    return None


def _teams(game: uno.Game, now: Snapshot) -> str | None:
    """TM-R11: a seat is out iff its hand is empty, and its partner then holds one card."""
    rules, n = game.rules, game.num_players
    if rules.team_mode != "pairs":
        if rules.play_on:
            return None
        return None if not now["out"] else f"seats {now['out']} are out without teams"
    if now["phase"] != "play":
        return None
    # Swapped hands come to a partner without a draw, so they bring nobody back (TM-28).
    swaps = rules.seven_swap or rules.zero_pass or rules.has("wild-swap")
    halves = rules.going_out_half and rules.return_on_draw and not swaps
    for seat, hand in enumerate(now["hands"]):
        if (not hand) != (seat in now["out"]):
            return f"seat {seat} holds {hand}, out are {now['out']}"
        partner = now["hands"][(seat + n // 2) % n]
        if halves and not hand and len(partner) != 1:
            return f"seat {seat} is out, its partner holds {len(partner)} cards"
    return None


def _penalty(game: uno.Game, now: Snapshot) -> str | None:
    """A penalty is even (but for blanks), and none is left after a Joker that cancels it."""
    pending = now["pending"]
    if pending is None:
        return None
    joker_cancels = game.rules.stacking == "draw2_draw4_with_joker_cancel"
    is_odd = pending["amount"] % 2 and not game.rules.has("wild-blank")
    if is_odd or pending["amount"] < pending["value"]:
        return f"pending is {pending}"
    if joker_cancels and now["discard"][-1] == "wild":
        return f"{pending} is left after a Joker"
    return f"{pending} in phase {now['phase']}" if now["phase"] in ("play", "over") else None


def _hyper(game: uno.Game, now: Snapshot) -> str | None:
    """Hyper mode follows the active colour."""
    hyper = now["hyper_color"]
    return None if hyper in (None, now["active_color"]) else f"{hyper} on {now['active_color']}"


def _decider(game: uno.Game, now: Snapshot) -> str | None:
    """Somebody in play can do something until the game is over, and nothing afterwards."""
    mask, ids, texts = game.mask(), game.legal_ids(), game.legal()
    if ids != [int(i) for i in mask.nonzero()[0]] or [uno.action_id(t) for t in texts] != ids:
        return f"mask {mask.nonzero()[0]}, ids {ids} and texts {texts} differ"
    if game.over:
        return f"over, yet {texts} for {game.actor}" if ids or game.actor is not None else None
    if not ids or game.actor is None or game.phase == "over":
        return f"seat {game.actor} has nothing to do in {game.phase}"
    away = {*now["eliminated"], *(() if game.phase == "uno-call" else now["out"])}
    return f"seat {game.actor} decides, out of play" if game.actor in away else None


def _calls(game: uno.Game, now: Snapshot) -> str | None:
    """A call stands only for a seat with one card."""
    wrong = [seat for seat in now["uno_called"] if len(now["hands"][seat]) != 1]
    return f"seats {wrong} have called with other than one card" if wrong else None


def check_end(game: uno.Game) -> None:
    """How a game may end: its winners, and rewards that sum to zero."""
    everybody = range(game.num_players)
    assert game.over and game.phase == "over"
    assert game.void == (not game.winners)
    win, points = game.rewards("win"), game.rewards("points")
    assert abs(sum(win)) < 1e-9, win
    assert abs(sum(points)) < 1e-9, points
    if len(game.winners) == game.num_players or game.void:
        assert not any(win), "a game that nobody won, or all, pays nothing"
    else:
        assert [seat for seat in everybody if win[seat] == 1] == list(game.winners)
        assert len({win[seat] for seat in everybody if seat not in game.winners}) == 1
    if game.episode == "round":
        _check_round_winners(game)


def _check_round_winners(game: uno.Game) -> None:
    now = game.snapshot()
    team = game.rules.team_mode == "pairs"
    assert len(game.winners) in (0, 2 if team else 1)
    survivors = [seat for seat in range(game.num_players) if seat not in now["eliminated"]]
    still_held = [seat for seat in game.winners if now["hands"][seat]]
    # A sum, and with `first_out` any last card, wins for a team whatever the partner holds.
    alone = game.rules.sum_out != "none" or game.rules.team_win == "first_out"
    by_one = alone and len(still_held) < len(game.winners)
    assert not still_held or by_one or survivors == still_held, f"{still_held} won with cards"


def _knowledge(game: uno.Game, now: Snapshot) -> str | None:
    """Nobody knows of more copies than there are; observations count what the known cards say."""
    known = Counter((entry["holder"], entry["card"]) for entry in now["known"])
    for (holder, card), copies in known.items():
        if copies > now["hands"][holder].count(card):
            return f"{copies} {card} known of seat {holder}, which holds {now['hands'][holder]}"
    for seat in range(game.num_players):
        known_hands: dict[int, Counter[str]] = {}
        for entry in now["known"]:
            if seat in entry["seats"] and seat != entry["holder"]:
                other = (entry["holder"] - seat) % game.num_players
                known_hands.setdefault(other, Counter())[entry["card"]] += 1
        if _told_known(game, seat) != _expected_known(known_hands, game.num_players):
            return f"seat {seat} is told something else than {now['known']}"
    return None


def _told_known(game: uno.Game, seat: int) -> list[int]:
    obs = game.observe(seat)
    return [*obs[O_KNOWN : O_KNOWN + 3 * NUM_FACES], *obs[O_FAR : O_FAR + 6 * FAR_ROW]]


def _expected_known(known_hands: dict[int, Counter[str]], n: int) -> list[int]:
    """The blocks of known cards, by the words of docs/observation.md."""
    places = [1, n - 1 if n > 2 else None, n // 2 if n > 3 else None]
    near = np.zeros((3, NUM_FACES), np.int64)
    far = np.zeros((6, FAR_ROW), np.int64)
    others = [place for place in range(1, n) if place not in places]
    for place, cards in known_hands.items():
        for card, count in cards.items():
            face = face_id(card)
            if place in places:
                near[places.index(place), face] += count
            else:
                row = far[others.index(place)]
                row[color_of(face)] += count
                pair, high = divmod(kind_of(face), 2)
                before = row[FAR_COLORS + pair] >> 4 * high & 15
                row[FAR_COLORS + pair] += min(count, 15 - before) << 4 * high
    return [*near.ravel(), *far.ravel()]
