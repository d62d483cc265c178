"""What each action does, by the phase it is chosen in."""

from ...actions import (
    CALL_UNO,
    CATCH,
    CHALLENGE,
    COLOR_0,
    DRAW,
    JUMP_IN,
    KEEP,
    NO_SWAP,
    PASS,
    SUM,
    SWAP_0,
    TARGET_1,
)
from ...cards import NUM_FACES
from ..jit import always_inline, cold, never_inline
from ..lowlevel.branch_hints import likely
from ..observation.event_log import E_COLOR, E_NO_SWAP, E_TARGET, EVERYBODY, emit
from ..observation.recent import note_named_color
from ..state import (
    BY_JUMP_IN,
    BY_MORE,
    BY_TURN,
    CHOICE_COLOR,
    CHOICE_SWAP,
    CHOICE_TARGET,
    CHOICE_VICTIM,
    STAGE_TURN_CATCH,
)
from ..tables import (
    P_CHALLENGE,
    P_COLOR,
    P_DRAW_TARGET,
    P_EXCHANGE,
    P_GIVE_HALF,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_PASS_CARD,
    P_PLAY,
    P_PLAY_DRAWN,
    P_PLAY_MORE,
    P_REACT,
    P_ROULETTE,
    P_STACK,
    P_SWAP_PAIR,
    P_SWAP_TARGET,
    P_TEAM_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
    SWAP_I,
    SWAP_J,
)
from .opening import name_opening_color
from .penalties import asks_others_to_challenge, challenge, spin_roulette, take_penalty
from .play_card import begin_resolution, play_card, set_active
from .reactions import ask_next_reactor, sum_out
from .scoring import end_round
from .seats import ask, seat_at
from .swaps import swap_hands
from .teams import choose_exchange, give_half_card
from .turns import keep_drawn, pass_turn, turn_draw
from .uno import ask_next_catcher, call_uno, catch, stay_silent

TURN_PHASES = 1 << P_PLAY | 1 << P_PLAY_DRAWN | 1 << P_STACK | 1 << P_TEAM_PLAY
"""In these the id of a face is a card laid in turn."""


@always_inline
def apply_action(s, r, log, action):
    """Do what the seat to act has chosen; `stage` then says what comes next."""
    seat = s.actor
    phase = s.phase
    s.steps += 1
    s.actor = -1
    if action < NUM_FACES and likely((TURN_PHASES >> phase) & 1):
        play_card(s, r, log, seat, action, BY_TURN)
    elif phase == P_PLAY or phase == P_PLAY_DRAWN or phase == P_TEAM_PLAY:
        _act_turn(s, r, log, seat, phase, action)
    elif phase == P_COLOR:
        emit(s, log, E_COLOR, seat, action - COLOR_0, EVERYBODY)
        set_active(s, action - COLOR_0)
        note_named_color(s, action - COLOR_0)
        s.choices &= ~CHOICE_COLOR
    elif phase == P_STACK or phase == P_CHALLENGE:
        _act_facing(s, r, log, seat, phase, action)
    elif phase == P_UNO_CALL:
        if action == CALL_UNO:
            call_uno(s, log, seat)
        else:
            stay_silent(s, r, seat)
    elif phase == P_UNO_CATCH:
        if action != CATCH:
            if s.stage != STAGE_TURN_CATCH:
                ask_next_catcher(s)
        elif catch(s, r, log, seat):
            # IG-R17: caught without a call, so the card resolves as an ordinary play.
            begin_resolution(s, r)
    elif phase == P_REACT:
        _act_react(s, r, log, seat, action)
    else:
        _act_cold(s, r, log, seat, phase, action)


@always_inline
def _act_turn(s, r, log, seat, phase, action):
    if action == DRAW:
        turn_draw(s, r, log, seat)
    elif action == KEEP:
        keep_drawn(s, r, log, seat)
    elif action == PASS:
        pass_turn(s, r, log, seat)
    elif action == CALL_UNO:
        _call_late(s, log, seat, phase)


@cold
def _call_late(s, log, seat, phase):
    # IG-R17: a silent seat may still call in its own turn, and then goes on with it.
    s.call_holder = seat
    call_uno(s, log, seat)
    ask(s, phase, seat)


@always_inline
def _act_facing(s, r, log, seat, phase, action):
    if action == CHALLENGE:
        challenge(s, r, log, seat)
    elif action == CALL_UNO:
        _call_late(s, log, seat, phase)
    elif likely(not (phase == P_CHALLENGE and asks_others_to_challenge(s, r, seat))):
        take_penalty(s, r, log, s.turn)


@never_inline
def _act_react(s, r, log, seat, action):
    if action == JUMP_IN:
        play_card(s, r, log, seat, s.top_card, BY_JUMP_IN)
    elif action == SUM:
        sum_out(s, r, log, seat)
    elif action < NUM_FACES:
        play_card(s, r, log, seat, action, BY_JUMP_IN)
    else:
        ask_next_reactor(s, r)


@cold
def _act_cold(s, r, log, seat, phase, action):
    if phase == P_PLAY_MORE:
        if action < NUM_FACES:
            play_card(s, r, log, seat, action, BY_MORE)
        else:
            begin_resolution(s, r)
    elif phase == P_DRAW_TARGET:
        s.choices &= ~CHOICE_VICTIM
        s.victim = seat_at(s, seat, action - TARGET_1 + 1)
        emit(s, log, E_TARGET, seat, s.victim, EVERYBODY)
    elif phase == P_SWAP_TARGET:
        s.choices &= ~CHOICE_TARGET
        if action == NO_SWAP:
            emit(s, log, E_NO_SWAP, seat, 0, EVERYBODY)
        else:
            swap_hands(s, log, seat, seat_at(s, seat, action - TARGET_1 + 1))
    elif phase == P_SWAP_PAIR or phase == P_OPENING_SWAP:
        s.choices &= ~CHOICE_SWAP
        if action == NO_SWAP:
            emit(s, log, E_NO_SWAP, seat, 0, EVERYBODY)
        else:
            pair = action - SWAP_0
            swap_hands(s, log, seat_at(s, seat, SWAP_I[pair]), seat_at(s, seat, SWAP_J[pair]))
        if s.round_winners:
            end_round(s, r, log, s.round_winners)
    elif phase == P_ROULETTE:
        spin_roulette(s, r, log, seat, action - COLOR_0)
    elif phase == P_GIVE_HALF:
        give_half_card(s, r, log, seat, action)
    elif phase == P_EXCHANGE:
        choose_exchange(s, r, log, seat, action)
    elif phase == P_PASS_CARD:
        s.chosen_cards[seat] = action
    elif phase == P_OPENING_COLOR:
        emit(s, log, E_COLOR, seat, action - COLOR_0, EVERYBODY)
        name_opening_color(s, action - COLOR_0)
