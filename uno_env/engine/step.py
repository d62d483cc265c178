"""The engine's step: one action in, the game runs on to the next decision.

A decision sets `actor`; while there is none, `stage` says what comes next. Handlers change the
state and set the stage, never call the loop, so control flow is this file and nothing else.
"""

from .jit import always_inline, cold, inline_copy, never_inline, shared
from .lowlevel.bits import lowest_bit, popcount
from .lowlevel.branch_hints import likely, unlikely
from .mechanics.apply_action import apply_action
from .mechanics.deal import deal_round, fresh_pile, next_round, start_game
from .mechanics.effects import apply_effects
from .mechanics.legal_actions import find_legal, is_legal
from .mechanics.opening import ask_opening, open_effects
from .mechanics.piles import draw_cards
from .mechanics.play_card import begin_resolution, go_out
from .mechanics.reactions import open_window
from .mechanics.scoring import end_round
from .mechanics.seats import ask, give_turn
from .mechanics.teams import ask_exchange, ask_opening_pass, settle_halves
from .mechanics.turns import advance, offer_drawn
from .mechanics.uno import ask_turn_catch, open_catch, uno_stage
from .observation.event_log import E_FAULT, EVERYBODY, emit
from .state import (
    CHOICE_COLOR,
    CHOICE_SWAP,
    CHOICE_TARGET,
    CHOICE_VICTIM,
    STAGE_ADVANCE,
    STAGE_CHOICES,
    STAGE_DRAW_HALVES,
    STAGE_DRAWN,
    STAGE_EFFECTS,
    STAGE_EXCHANGE,
    STAGE_FAULT_BACK,
    STAGE_FIRST_COLD,
    STAGE_GO_OUT,
    STAGE_HALVES,
    STAGE_LAST_CATCH,
    STAGE_OPEN_CHOICES,
    STAGE_OPEN_EFFECTS,
    STAGE_OVER,
    STAGE_PASS_CARDS,
    STAGE_TURN,
    STAGE_TURN_CATCH,
    STAGE_UNO,
    STAGE_WIN_SWAP,
    STAGE_WINDOW,
)
from .tables import (
    LEGAL_WORDS,
    P_COLOR,
    P_DRAW_TARGET,
    P_GIVE_HALF,
    P_PLAY,
    P_PLAY_DRAWN,
    P_STACK,
    P_SWAP_PAIR,
    P_SWAP_TARGET,
    P_TEAM_PLAY,
    P_UNO_CALL,
)

OK, ILLEGAL, OVER, FAULTED = range(4)
"""What became of an action."""


@cold
def new_game(s, r, log, rule, num_players, seed, match):
    """Deal a new game into the record, up to its first decision."""
    start_game(s, r, rule, num_players, seed, match)
    fresh_pile(s, r)
    open_game(s, r, log)


@cold
def open_game(s, r, log):
    """Deal a game from its shuffled pile, up to its first decision."""
    deal_round(s, r, log)
    s.actor = -1
    run_on(s, r, log)
    if r.auto_forced and _is_forced(s):
        step(s, r, log, _only_action(s))


@shared
def step(s, r, log, action):
    """Apply a legal action and run on to the next decision."""
    while True:
        apply_action(s, r, log, action)
        if s.actor < 0 or unlikely(s.steps >= r.max_steps):
            _find_decision(s, r, log)
        find_legal(s, r)
        if likely(not (r.auto_forced and _is_forced(s))):
            break
        action = _only_action(s)


step_inline = inline_copy(step)
"""The same inlined into its caller: faster, but it compiles for some seconds each time."""


@always_inline
def try_step(s, r, log, action):
    """Take an action from outside; an illegal one costs cards or, without `fault_mode`, nothing.

    Returns OK, FAULTED, or ILLEGAL where nothing has changed.
    """
    if likely(is_legal(s, action)):
        step(s, r, log, action)
        return OK
    if r.fault_mode:
        fault(s, r, log)
        return FAULTED
    return ILLEGAL


@always_inline
def _is_forced(s):
    # Never a gift: a missing step would tell the table that all cards of the hand are alike.
    if s.actor < 0 or s.phase not in (P_PLAY, P_PLAY_DRAWN, P_STACK, P_TEAM_PLAY):
        return False
    count = popcount(s.legal[0]) + popcount(s.legal[1]) + popcount(s.legal[2])
    return count + popcount(s.legal[3]) == 1


@never_inline
def _only_action(s):
    for word in range(LEGAL_WORDS):
        if s.legal[word]:
            return 64 * word + lowest_bit(s.legal[word])
    return -1


@cold
def run_on(s, r, log):
    """Run on to the next decision, if none is pending, and find what is legal there."""
    _find_decision(s, r, log)
    find_legal(s, r)


@always_inline
def _find_decision(s, r, log):
    """Run the stages until somebody has to decide or the game is over."""
    while True:
        while s.actor < 0 and not s.finished:
            _run_stages(s, r, log)
        if likely(s.finished or s.steps < r.max_steps):
            break
        s.actor = -1
        end_round(s, r, log, 0)


@always_inline
def _run_stages(s, r, log):
    """One pass through the stages in their usual order, so that most steps need just one.

    A stage that waits for a decision leaves `stage` as it is, so it comes again afterwards.
    """
    if unlikely(s.stage >= STAGE_FIRST_COLD):
        _run_cold_stage(s, r, log)
        return
    if s.stage == STAGE_CHOICES:
        _ask_choice(s)
    if s.stage == STAGE_EFFECTS:
        apply_effects(s, r, log)
    if s.stage == STAGE_HALVES and not (unlikely(r.has_teams) and settle_halves(s, r, log)):
        s.after_uno = STAGE_WINDOW
        s.after_window = STAGE_ADVANCE
        s.stage = STAGE_UNO
    if s.stage == STAGE_DRAW_HALVES and not (unlikely(r.has_teams) and settle_halves(s, r, log)):
        s.after_window = STAGE_DRAWN
        s.stage = STAGE_WINDOW if r.jump_in_after_draw else STAGE_DRAWN
        if s.stage == STAGE_WINDOW:
            _window(s, r)
    if s.stage == STAGE_DRAWN:
        offer_drawn(s, r)
    if s.stage == STAGE_UNO and s.actor < 0:
        uno_stage(s, r, log)
    if s.stage == STAGE_WINDOW and s.actor < 0:
        _window(s, r)
    if s.stage == STAGE_ADVANCE and s.actor < 0:
        advance(s, r, log)
    if s.stage == STAGE_TURN and s.actor < 0:
        give_turn(s, r, s.turn)


@always_inline
def _window(s, r):
    if unlikely(r.has_react):
        open_window(s, r)
    else:
        s.stage = s.after_window


@cold
def _run_cold_stage(s, r, log):
    stage = s.stage
    if stage == STAGE_EXCHANGE:
        ask_exchange(s)
    elif stage == STAGE_LAST_CATCH:
        open_catch(s, r, s.card_player, 1)
    elif stage == STAGE_GO_OUT:
        go_out(s, r, log)
    elif stage == STAGE_WIN_SWAP:
        ask(s, P_SWAP_PAIR, s.card_player)
    elif stage == STAGE_PASS_CARDS:
        ask_opening_pass(s, r, log)
    elif stage == STAGE_OPEN_CHOICES:
        ask_opening(s, r)
    elif stage == STAGE_OPEN_EFFECTS:
        open_effects(s, r, log)
    elif stage == STAGE_FAULT_BACK:
        _return_from_fault(s, r, log)
    elif stage == STAGE_TURN_CATCH:
        ask_turn_catch(s)
    elif stage == STAGE_OVER:
        next_round(s, r, log)


@always_inline
def _ask_choice(s):
    if s.choices & CHOICE_SWAP:
        ask(s, P_SWAP_PAIR, s.card_player)
    elif s.choices & CHOICE_TARGET:
        ask(s, P_SWAP_TARGET, s.card_player)
    elif s.choices & CHOICE_VICTIM:
        ask(s, P_DRAW_TARGET, s.card_player)
    elif s.choices & CHOICE_COLOR:
        ask(s, P_COLOR, s.card_player)
    else:
        s.stage = STAGE_EFFECTS


@cold
def fault(s, r, log):
    """IG-60: an illegal action costs cards; the same seat decides again.

    The draw stops short of the mercy limit: a fault eliminates nobody.
    """
    seat = s.actor
    emit(s, log, E_FAULT, seat, r.fault_draw, EVERYBODY)
    limit = r.mercy_limit - 1 if r.mercy_limit else 0
    draw_cards(s, r, log, seat, r.fault_draw, limit)
    s.steps += 1
    # A fault while giving the half that an earlier one brought about returns to the first.
    if s.stage != STAGE_FAULT_BACK:
        s.fault_phase = s.phase
        s.fault_actor = seat
        s.fault_stage = s.stage
    s.actor = -1
    s.stage = STAGE_FAULT_BACK
    run_on(s, r, log)


@cold
def _return_from_fault(s, r, log):
    in_half = s.fault_phase == P_GIVE_HALF
    if not in_half and s.half_left > 0:
        ask(s, P_GIVE_HALF, s.half_giver)
        return
    if not in_half and r.has_teams and settle_halves(s, r, log):
        return
    s.stage = s.fault_stage
    if s.fault_phase == P_UNO_CALL and s.hand_sizes[s.call_holder] != 1:
        return
    if s.stage == STAGE_WIN_SWAP and s.hand_sizes[s.card_player] > 0:
        # IG-R27: with cards in hand again nobody is out, so the card resolves as an ordinary play.
        s.round_winners = 0
        begin_resolution(s, r)
        return
    ask(s, s.fault_phase, s.fault_actor)
