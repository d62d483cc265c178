"""The start of a game and of a round: shuffle or gather, cut and deal; then `opening.py`."""

import numpy as np

from ...actions import MAX_SEATS
from ..jit import cold, jit
from ..knowledge.known_cards import forget_everything
from ..lowlevel.bits import below, key
from ..observation.event_log import E_CUT, E_DEAL, EVERYBODY, emit
from ..observation.recent import clear_recent
from ..state import (
    MOST_TURNS,
    PILE_CAPACITY,
    SEAT_IN_PLAY,
    SEAT_ROW,
    SEAT_SCORE,
    STAGE_ADVANCE,
    code,
)
from ..tables import (
    ROW,
)
from .last_action import clear_pending
from .opening import turn_opening_card
from .piles import (
    add_cards,
    clear_hand,
    draw_cards,
    hand_points,
    shuffle_pair,
    shuffle_pile,
)

SHUFFLE_EACH_ROUND = code("between_rounds", "shuffle")
CUT_AT_RANDOM = code("cut", "random")
LAST_SEAT_DEALS = code("first_dealer", "last_seat")
LOSER_DEALS = code("next_dealer", "loser")

CUT_KEY = (1 << 29) + 1
DEALER_KEY = (1 << 29) + 2


@cold
def start_game(s, r, rule, num_players, seed, match):
    """Fill a record with a new game, up to but not including its first deal."""
    s.rule = rule
    # Rows of seats that are not at the table stay empty, so that a deal need not touch them.
    for seat in range(num_players, s.num_players):
        clear_hand(s, seat)
    s.num_players = num_players
    s.events_used = 0
    s.seed = seed
    s.match = match
    s.round_no = 0
    s.rounds_before = 0
    s.finished = 0
    s.is_void = 0
    s.winners = 0
    for seat in range(MAX_SEATS):
        s.scores[seat] = 0
        s.points[seat] = 0
        s.seats[seat, SEAT_SCORE] = 0
    s.dealer = num_players - 1
    if r.first_dealer != LAST_SEAT_DEALS:
        s.dealer = below(key(s.seed, 0, DEALER_KEY), num_players)


@cold
def next_round(s, r, log):
    """Deal another round of a match."""
    s.round_no += 1
    s.rounds_before = min(s.round_no, MOST_TURNS)
    dealer = _next_dealer(s, r)
    if r.between_rounds == SHUFFLE_EACH_ROUND:
        fresh_pile(s, r)
    else:
        _gather(s)
        if s.draw_pile_size != r.deck_size:
            # A position set up with other cards than the deck's ends with its round.
            fresh_pile(s, r)
    s.dealer = dealer
    deal_round(s, r, log)


@jit
def _next_dealer(s, r):
    """CV-12, or by HR-15 the seat left with the most points, the first from the dealer's left."""
    left = s.dealer + 1 if s.dealer + 1 < s.num_players else 0
    if r.next_dealer != LOSER_DEALS:
        return left
    loser, most, seat = left, -1, left
    for _ in range(s.num_players):
        points = hand_points(s, r, seat)
        if points > most:
            loser, most = seat, points
        seat = seat + 1 if seat + 1 < s.num_players else 0
    return loser


@cold
def deal_round(s, r, log):
    """Deal from the pile and turn the opening card."""
    _clear_table(s)
    packet = _cut(s, r, log)
    _deal_hands(s, r, log, packet)
    turn_opening_card(s, r, log)


@cold
def fresh_pile(s, r):
    """The whole deck, shuffled."""
    _copy_deck(s, r)
    shuffle_pile(s, 0)


@cold
def fresh_pile_pair(s, s_rules, t, t_rules):
    """The same for two games at once, which is faster; see `shuffle_pair`."""
    _copy_deck(s, s_rules)
    _copy_deck(t, t_rules)
    if s.draw_pile_size == t.draw_pile_size:
        shuffle_pair(s, t)
    else:
        shuffle_pile(s, 0)
        shuffle_pile(t, 0)


@jit
def _copy_deck(s, r):
    for word in range(PILE_CAPACITY // 8):
        s.draw_pile_words[word] = r.cards_words[word]
    s.draw_pile_size = r.deck_size
    s.reshuffles = 0
    s.recycled = 0


@cold
def _gather(s):
    """IG-R2: bottom to top the stock, the losers' hands from the dealer's left, the discards."""
    n = s.draw_pile_size
    seat = s.dealer
    for _ in range(s.num_players):
        seat = seat + 1 if seat + 1 < s.num_players else 0
        for face in range(ROW):
            for _ in range(s.hands[seat, face]):
                s.draw_pile[n] = face
                n += 1
    for face in range(ROW):
        for _ in range(s.set_aside[face]):
            s.draw_pile[n] = face
            n += 1
    for i in range(s.discard_size):
        s.draw_pile[n] = s.discard[i]
        n += 1
    s.draw_pile_size = n


@jit
def _clear_table(s):
    s.live = (1 << s.num_players) - 1
    s.n_live = s.num_players
    for seat in range(s.num_players):
        clear_hand(s, seat)
    for seat in range(MAX_SEATS):
        score = s.seats[seat, SEAT_SCORE]
        for word in range(SEAT_ROW // 8):
            s.seats_words[seat, word] = 0
        s.seats[seat, SEAT_SCORE] = score
        s.seats[seat, SEAT_IN_PLAY] = seat < s.num_players
        s.chosen_cards[seat] = -1
        s.places[seat] = 0
    for word in range(ROW // 8):
        s.discard_counts_words[word] = 0
        s.set_aside_words[word] = 0
    s.discard_size = 0
    s.set_aside_size = 0
    s.out_seats = 0
    s.eliminated = 0
    s.uno_called = 0
    s.hands_changed = 0
    s.calls_owed = 0
    s.first_to_call = -1
    s.call_holder = -1
    s.last_asked = -1
    s.still_to_ask = 0
    s.is_last_card = 0
    s.half_giver = -1
    s.half_left = 0
    forget_everything(s)
    clear_recent(s)
    s.silent_seats = 0
    s.victim = -1
    s.equal_cards = 0
    s.direction = 1
    s.active_color = 4
    s.hyper_color = 4
    s.color_before = 4
    s.kind_before = 0
    s.penalty_before = 0
    s.size_before = 0
    s.was_bluff = 0
    s.drawn_card = -1
    s.steps = 0
    s.turns = 0
    s.passes = 0
    s.random_draws = 0
    s.newest_card = -1
    s.seats_drew = 0
    s.round_winners = 0
    s.fault_phase = 0
    s.fault_actor = -1
    s.fault_stage = 0
    s.after_uno = STAGE_ADVANCE
    s.after_window = STAGE_ADVANCE
    clear_pending(s)


@cold
def _cut(s, r, log):
    """IG-07: in a match the right neighbour cuts; the packet it lifts is dealt first."""
    if not s.match or r.cut != CUT_AT_RANDOM:
        return 0
    packet = 1 + below(key(s.seed, s.round_no, CUT_KEY), s.draw_pile_size - 1)
    rotated = np.empty(s.draw_pile_size, np.uint8)
    for i in range(s.draw_pile_size):
        rotated[i] = s.draw_pile[(i + packet) % s.draw_pile_size]
    for i in range(s.draw_pile_size):
        s.draw_pile[i] = rotated[i]
    emit(s, log, E_CUT, (s.dealer + s.num_players - 1) % s.num_players, packet, 0)
    return packet


@jit
def _deal_hands(s, r, log, packet):
    emit(s, log, E_DEAL, s.dealer, s.round_no, EVERYBODY)
    # One card each in turn from the top, put into one hand after the other.
    seat = s.dealer
    for number in range(s.num_players):
        seat = seat + 1 if seat + 1 < s.num_players else 0
        add_cards(s, r, seat, s.draw_pile_size - 1 - number, s.num_players, r.hand_size)
    s.draw_pile_size -= r.hand_size * s.num_players
    if packet and packet == r.hand_size * s.num_players:
        # IG-09: a perfect cut costs everybody but the cutter.
        cutter = (s.dealer + s.num_players - 1) % s.num_players
        for seat in range(s.num_players):
            if seat != cutter:
                draw_cards(s, r, log, seat, r.perfect_cut_draw, 0)
    s.hands_changed = 0
