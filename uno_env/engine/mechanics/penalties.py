"""The seat that faces a card: taking a penalty, challenging a +4, the colour roulette."""

from ..jit import always_inline, cold, jit, never_inline
from ..knowledge.known_cards import OBSERVERS, learn_card, learn_hand
from ..knowledge.missing_colors import note_missing_color
from ..observation.event_log import (
    E_ACCEPT,
    E_CHALLENGE,
    E_DRAW,
    E_HAND,
    E_ROULETTE,
    E_SKIP,
    E_TAKE,
    EVERYBODY,
    emit,
    emit_hand,
)
from ..observation.recent import A_CHALLENGE_RIGHT, A_CHALLENGE_WRONG, note_recent
from ..state import (
    HONEST_ALWAYS,
    HONEST_COLOR,
    MAX_HAND,
    STACK_NONE,
    STAGE_ADVANCE,
    STAGE_DRAW_HALVES,
    STAGE_DRAWN,
    STAGE_OVER,
    STAGE_TURN,
    code,
)
from ..tables import COLOR_OF, KIND_OF, P_CHALLENGE, X_TEAM_DRAW
from .last_action import clear_pending, note_took
from .mercy import check_mercy, penalize
from .piles import add_card, note_gain, pop_card
from .play_card import PLAYER_NAMES_ROULETTE, set_active
from .playable import PROVEN_BY_COLOR
from .scoring import team_bits
from .seats import ask, next_seat, partner_of

REVEAL_TO_ALL = code("challenge_reveal", "all")
CHALLENGE_BY_ANYONE = code("challenge", "anyone")


@always_inline
def lose_turn(s, r):
    """The seat whose turn it was is done; reactions and calls come before the next seat."""
    s.drawn_card = -1
    s.facing = 0
    s.skips = 0
    s.plays_again = 0
    s.advance_from = s.turn
    s.after_uno = STAGE_ADVANCE
    if s.stage != STAGE_OVER:
        s.stage = STAGE_DRAW_HALVES if r.has_teams or r.has_react else STAGE_DRAWN


@never_inline
def take_penalty(s, r, log, seat):
    """The pending total is drawn and the turn lost."""
    amount = s.pending_amount
    clear_pending(s)
    emit(s, log, E_TAKE if r.answerable else E_ACCEPT, seat, amount, EVERYBODY)
    note_took(s, seat, penalize(s, r, log, seat, amount))
    _end_penalty(s, r, seat)


@jit
def _end_penalty(s, r, seat):
    """A penalty was drawn: the turn is lost or, by HR-04, taken now."""
    # Who drew for its own reverse draw four has had its turn (NM-R13).
    if r.penalty_ends_turn or seat == s.card_player or not (s.live >> seat) & 1:
        lose_turn(s, r)
    else:
        _take_turn(s)


@jit
def _take_turn(s):
    """The seat to move takes its turn once halves, reactions and calls are settled."""
    if s.stage != STAGE_OVER:
        s.drawn_card = -1
        s.after_uno = STAGE_TURN
        s.stage = STAGE_DRAW_HALVES


@cold
def draw_pending(s, r, log, seat):
    """A penalty without an answer that nobody has jumped in on: drawn, and the turn lost."""
    amount = s.pending_amount
    clear_pending(s)
    note_took(s, seat, penalize(s, r, log, seat, amount))
    if r.effects[KIND_OF[s.card]] & X_TEAM_DRAW:
        penalize(s, r, log, partner_of(s, seat), amount)
    if r.penalty_ends_turn and seat != s.card_player and (s.live >> seat) & 1:
        emit(s, log, E_SKIP, seat, 0, EVERYBODY)
    # Hyper mode may skip a seat beyond the one that drew.
    more_skips = max(s.skips - 1, 0)
    _end_penalty(s, r, seat)
    s.facing_seat = -1
    s.skips = more_skips


@jit
def _stakes(s, r):
    """What a bluffer and a wrong challenger draw."""
    if r.challenge_surcharge:
        stake = s.pending_amount * (100 + r.challenge_surcharge) // 100
        return stake, stake
    more = s.pending_amount - 4 if r.stacking != STACK_NONE else 0
    return r.challenge_success_draw + more, r.challenge_fail_draw + more


@cold
def challenge(s, r, log, seat):
    """CV-10, HS-29 to HS-32, IG-42 to IG-45: the verdict was frozen when the card was laid."""
    accused = s.pending_source
    on_bluffer, on_challenger = _stakes(s, r)
    viewers = OBSERVERS if r.challenge_reveal == REVEAL_TO_ALL else 1 << seat
    emit(s, log, E_CHALLENGE, seat, s.was_bluff, EVERYBODY)
    emit_hand(s, log, E_HAND, accused, 0, viewers | (1 << accused))
    learn_hand(s, accused, viewers & ~(1 << accused))
    note_recent(s, seat, A_CHALLENGE_RIGHT if s.was_bluff else A_CHALLENGE_WRONG, 0)
    if seat != s.turn:
        _settle_foreign_challenge(s, r, log, seat, on_bluffer, on_challenger)
        return
    clear_pending(s)
    if s.was_bluff:
        note_took(s, accused, penalize(s, r, log, accused, on_bluffer))
        if not r.challenger_then_plays:
            lose_turn(s, r)
        else:
            _take_turn(s)
        return
    if _verdict_shows_missing_color(s, r, accused):
        note_missing_color(s, accused, s.color_before)
    note_took(s, seat, penalize(s, r, log, seat, on_challenger))
    _end_penalty(s, r, seat)


@cold
def _settle_foreign_challenge(s, r, log, seat, on_bluffer, on_challenger):
    """HR-08: somebody else than the target has challenged.

    A bluffer draws and the target takes its turn; a wrong challenger draws what a wrong challenge
    costs beyond the penalty, which the target draws.
    """
    accused = s.pending_source
    s.still_to_ask = 0
    if s.was_bluff:
        clear_pending(s)
        note_took(s, accused, penalize(s, r, log, accused, on_bluffer))
        _take_turn(s)
        return
    extra = max(on_challenger - s.pending_amount, 0)
    note_took(s, seat, penalize(s, r, log, seat, extra))
    if s.stage != STAGE_OVER:
        take_penalty(s, r, log, s.turn)


@cold
def asks_others_to_challenge(s, r, seat):
    """HR-08: after the target the others are asked, in turn order. True while one is."""
    if r.challenge != CHALLENGE_BY_ANYONE:
        return False
    if seat == s.turn:
        s.still_to_ask = s.live & ~(1 << s.turn) & ~team_bits(s, r, s.pending_source)
    other = seat
    for _ in range(s.num_players):
        other = next_seat(s, other)
        if (s.still_to_ask >> other) & 1:
            s.still_to_ask &= ~(1 << other)
            ask(s, P_CHALLENGE, other)
            return True
    return False


@jit
def _verdict_shows_missing_color(s, r, accused):
    # Only if the hand is still the one the verdict spoke of, and it spoke of the colour at all.
    if s.hand_sizes[accused] != s.size_before or r.plus4_legality == HONEST_ALWAYS:
        return False
    by_color = r.plus4_legality == HONEST_COLOR or r.plus4_stack_proof == PROVEN_BY_COLOR
    return s.penalty_before == 0 or by_color


@cold
def spin_roulette(s, r, log, victim, color):
    """NM-42 to NM-44: reveal until the colour shows; the victim takes it all and loses its turn."""
    emit(s, log, E_ROULETTE, victim, color, EVERYBODY)
    if r.roulette_active_color != PLAYER_NAMES_ROULETTE:
        set_active(s, color)
    taken = 0
    face = pop_card(s, log)
    while face >= 0:
        add_card(s, r, victim, face)
        learn_card(s, victim, face, OBSERVERS & ~(1 << victim))
        emit(s, log, E_DRAW, victim, face, EVERYBODY)
        taken += 1
        if COLOR_OF[face] == color or s.hand_sizes[victim] >= MAX_HAND:
            break
        face = pop_card(s, log)
    if taken:
        note_gain(s, victim, taken)
    note_took(s, victim, taken)
    check_mercy(s, r, log, victim)
    lose_turn(s, r)
