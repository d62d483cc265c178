"""Teams: halves for a partner without cards, exchanges, the opening pass, Team Play."""

from ..jit import always_inline, cold, jit, never_inline
from ..knowledge.missing_colors import note_missing_color
from ..lowlevel.bits import below, key
from ..observation.event_log import E_BACK, E_OUT, E_TEAM_PLAY_FAILED, EVERYBODY, emit
from ..state import (
    FACING_NOTHING,
    STAGE_ADVANCE,
    STAGE_DRAW_HALVES,
    STAGE_HALVES,
    STAGE_OPEN_CHOICES,
    code,
)
from ..tables import P_EXCHANGE, P_GIVE_HALF, P_PASS_CARD, P_TEAM_PLAY, ROW
from .mercy import penalize
from .piles import is_out
from .playable import playable
from .seats import ask, partner_of, set_live
from .swaps import exchange_cards, give_card

RANDOM_HALF = code("half_choice", "random")
RANDOM_KEY = 1 << 30


@jit
def random_below(s, n):
    """A random number in 0..n-1 that depends on the seed and on how many were drawn this round."""
    s.random_draws += 1
    return below(key(s.seed, s.round_no, RANDOM_KEY + s.random_draws), n)


@always_inline
def settle_halves(s, r, log):
    """TM-25 to TM-28: seats without cards get a half or are out. True while a giver must choose."""
    for seat in range(s.num_players):
        if s.hand_sizes[seat] == 0:
            return _settle(s, r, log)
    s.seats_drew = 0
    return False


@never_inline
def _settle(s, r, log):
    for seat in range(s.num_players):
        if s.hand_sizes[seat] > 0:
            continue
        giver = partner_of(s, seat)
        waits = is_out(s, seat)
        # TM-28: only a draw brings a seat back, not cards its partner had all along.
        gets_half = r.return_on_draw and (s.seats_drew >> giver) & 1 if waits else r.going_out_half
        if gets_half and s.hand_sizes[giver] >= 2:
            if waits:
                emit(s, log, E_BACK, seat, s.hand_sizes[giver] // 2, EVERYBODY)
            s.first_to_call = giver
            s.half_giver = giver
            s.half_left = s.hand_sizes[giver] // 2
            if r.half_choice != RANDOM_HALF:
                ask(s, P_GIVE_HALF, giver)
                return True
            _give_random_half(s, r, log, giver, seat)
        elif not waits:
            s.out_seats |= 1 << seat
            set_live(s, seat, False)
            emit(s, log, E_OUT, seat, 0, EVERYBODY)
    s.seats_drew = 0
    return False


@jit
def _give_random_half(s, r, log, giver, receiver):
    while s.half_left > 0:
        pick = random_below(s, s.hand_sizes[giver])
        for face in range(ROW):
            pick -= int(s.hands[giver, face])
            if pick < 0:
                give_card(s, r, log, giver, receiver, face)
                break
        s.half_left -= 1
    s.half_giver = -1


@jit
def give_half_card(s, r, log, giver, face):
    """One card of a half; the giver goes on until the half is complete."""
    give_card(s, r, log, giver, partner_of(s, giver), face)
    s.half_left -= 1
    if s.half_left > 0:
        ask(s, P_GIVE_HALF, giver)
    else:
        s.half_giver = -1


@jit
def ask_exchange(s):
    """TM-38: the player of a give symbol chooses a card, then its partner, if both hold one."""
    other = partner_of(s, s.card_player)
    if s.hand_sizes[s.card_player] == 0 or s.hand_sizes[other] == 0:
        s.stage = STAGE_HALVES
    elif s.chosen_cards[s.card_player] < 0:
        ask(s, P_EXCHANGE, s.card_player)
    else:
        ask(s, P_EXCHANGE, other)


@jit
def choose_exchange(s, r, log, seat, face):
    """A hidden choice; the exchange happens when both have chosen."""
    s.chosen_cards[seat] = face
    other = partner_of(s, seat)
    if s.chosen_cards[other] >= 0:
        exchange_cards(s, r, log, s.card_player, partner_of(s, s.card_player))
        s.stage = STAGE_HALVES


@jit
def ask_opening_pass(s, r, log):
    """TM-11: every seat from the dealer's left hides a card; then all partners exchange."""
    seat = s.dealer
    for _ in range(s.num_players):
        seat = seat + 1 if seat + 1 < s.num_players else 0
        if s.chosen_cards[seat] < 0:
            ask(s, P_PASS_CARD, seat)
            return
    for first in range(s.num_players // 2):
        exchange_cards(s, r, log, first, partner_of(s, first))
    s.hands_changed = 0
    s.stage = STAGE_OPEN_CHOICES


@cold
def team_play(s, r, log):
    """TM-35, TM-36: the partner plays at once, or the player of the card draws."""
    partner = partner_of(s, s.card_player)
    s.facing = FACING_NOTHING
    s.advance_from = partner
    if (s.live >> partner) & 1:
        lo, hi = playable(s, r, partner)
        if lo | hi:
            s.turn = partner
            ask(s, P_TEAM_PLAY, partner)
            return
        if r.finish_on_action:
            note_missing_color(s, partner, s.active_color)
    emit(s, log, E_TEAM_PLAY_FAILED, s.card_player, partner, EVERYBODY)
    penalize(s, r, log, s.card_player, r.team_play_fail_draw)
    s.drawn_card = -1
    s.after_uno = STAGE_ADVANCE
    s.stage = STAGE_DRAW_HALVES
