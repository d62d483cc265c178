"""The game's clockwork: one action in, the game runs on to the next decision.

A decision sets `actor`; while there is none, `stage` says what comes next. Handlers change the
state and set the stage, never call the loop, so control flow is this file and nothing else.
"""

from ..actions import (
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
from ..cards import NUM_FACES
from .bits import lowest, popcount
from .deal import ask_opening, name_opening_color, open_effects, start_game, start_round
from .events import E_COLOR, E_FAULT, E_NO_SWAP, EVERYBODY, emit
from .jit import alone, hot, rare
from .legal import find_legal
from .penalties import challenge, spin_roulette, take_penalty
from .piles import draw_cards
from .play import apply_effects, begin_resolution, go_out, lay_card, set_active
from .react import ask_next_reactor, open_window, sum_out
from .scoring import end_round
from .seats import ask, give_turn, seat_at
from .state import (
    BY_JUMP_IN,
    BY_TURN,
    G_ADVANCE,
    G_CHOICES,
    G_DRAW_HALVES,
    G_DRAWN,
    G_EFFECTS,
    G_EXCHANGE,
    G_FAULT_BACK,
    G_FIRST_RARE,
    G_GO_OUT,
    G_HALVES,
    G_LAST_CATCH,
    G_OPEN_CHOICES,
    G_OPEN_EFFECTS,
    G_OVER,
    G_PASS_CARDS,
    G_TURN,
    G_UNO,
    G_WIN_SWAP,
    G_WINDOW,
    TODO_COLOR,
    TODO_SWAP,
    TODO_TARGET,
)
from .swaps import swap_hands
from .tables import (
    P_CHALLENGE,
    P_COLOR,
    P_EXCHANGE,
    P_GIVE_HALF,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_PASS_CARD,
    P_PLAY,
    P_PLAY_DRAWN,
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
from .teams import (
    ask_exchange,
    ask_opening_pass,
    choose_exchange,
    give_half_card,
    settle_halves,
)
from .turns import advance, keep_drawn, offer_drawn, pass_turn, turn_draw
from .uno import ask_next_catcher, call_uno, catch, open_catch, stay_silent, uno_stage


LAST_TURN_PHASE = P_STACK
"""Up to here, and in Team Play, the id of a face is a card laid in turn: `PHASES` begins so."""


@rare
def new_game(s, r, log, rule, num_players, seed, match):
    """Deal a new game into the record, up to its first decision."""
    start_game(s, r, rule, num_players, seed, match)
    start_round(s, r, log)
    s.actor = -1
    run_on(s, r, log)
    if r.auto_forced and _is_forced(s):
        step(s, r, log, _only_action(s))


@alone
def step(s, r, log, action):
    """Apply a legal action and run on to the next decision."""
    while True:
        _apply(s, r, log, action)
        if s.actor < 0 or s.steps >= r.max_steps:
            _find_decision(s, r, log)
        find_legal(s, r)
        if not (r.auto_forced and _is_forced(s)):
            break
        action = _only_action(s)


@hot
def _is_forced(s):
    # Never a gift: a missing step would tell the table that all cards of the hand are alike.
    if s.actor < 0 or s.phase not in (P_PLAY, P_PLAY_DRAWN, P_STACK, P_TEAM_PLAY):
        return False
    return popcount(s.legal[0]) + popcount(s.legal[1]) + popcount(s.legal[2]) == 1


@alone
def _only_action(s):
    for word in range(3):
        if s.legal[word]:
            return 64 * word + lowest(s.legal[word])
    return -1


@hot
def _apply(s, r, log, action):
    seat = s.actor
    phase = s.phase
    s.steps += 1
    s.actor = -1
    if action < NUM_FACES and (phase <= LAST_TURN_PHASE or phase == P_TEAM_PLAY):
        lay_card(s, r, log, seat, action, BY_TURN)
    elif phase == P_PLAY or phase == P_PLAY_DRAWN or phase == P_TEAM_PLAY:
        _act_turn(s, r, log, seat, phase, action)
    elif phase == P_COLOR:
        emit(log, E_COLOR, seat, action - COLOR_0, EVERYBODY)
        set_active(s, action - COLOR_0)
        s.todo &= ~TODO_COLOR
    elif phase == P_STACK or phase == P_CHALLENGE:
        _act_facing(s, r, log, seat, phase, action)
    elif phase == P_UNO_CALL:
        if action == CALL_UNO:
            call_uno(s, log, seat)
        else:
            stay_silent(s, r, seat)
    elif phase == P_UNO_CATCH:
        if action != CATCH:
            ask_next_catcher(s)
        elif catch(s, r, log, seat):
            # IG-R17: caught without a call, so the card resolves as an ordinary play.
            begin_resolution(s, r)
    elif phase == P_REACT:
        _act_react(s, r, log, seat, action)
    else:
        _act_rare(s, r, log, seat, phase, action)


@hot
def _act_turn(s, r, log, seat, phase, action):
    if action == DRAW:
        turn_draw(s, r, log, seat)
    elif action == KEEP:
        keep_drawn(s, r, log, seat)
    elif action == PASS:
        pass_turn(s, r, log, seat)
    elif action == CALL_UNO:
        _call_late(s, log, seat, phase)


@rare
def _call_late(s, log, seat, phase):
    # IG-R17: a silent seat may still call in its own turn, and then goes on with it.
    s.holder = seat
    call_uno(s, log, seat)
    ask(s, phase, seat)


@hot
def _act_facing(s, r, log, seat, phase, action):
    if action == CHALLENGE:
        challenge(s, r, log, seat)
    elif action == CALL_UNO:
        _call_late(s, log, seat, phase)
    else:
        take_penalty(s, r, log, seat)


@alone
def _act_react(s, r, log, seat, action):
    if action == JUMP_IN:
        lay_card(s, r, log, seat, s.top, BY_JUMP_IN)
    elif action == SUM:
        sum_out(s, r, log, seat)
    else:
        ask_next_reactor(s, r)


@rare
def _act_rare(s, r, log, seat, phase, action):
    if phase == P_SWAP_TARGET:
        swap_hands(s, log, seat, seat_at(s, seat, action - TARGET_1 + 1))
        s.todo &= ~TODO_TARGET
    elif phase == P_SWAP_PAIR or phase == P_OPENING_SWAP:
        s.todo &= ~TODO_SWAP
        if action == NO_SWAP:
            emit(log, E_NO_SWAP, seat, 0, EVERYBODY)
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
        s.chosen[seat] = action
    elif phase == P_OPENING_COLOR:
        emit(log, E_COLOR, seat, action - COLOR_0, EVERYBODY)
        name_opening_color(s, action - COLOR_0)


@rare
def run_on(s, r, log):
    """Run on to the next decision, if none is pending, and find what is legal there."""
    _find_decision(s, r, log)
    find_legal(s, r)


@hot
def _find_decision(s, r, log):
    """Run the stages until somebody has to decide or the game is over."""
    while True:
        while s.actor < 0 and not s.finished:
            _run_stages(s, r, log)
        if s.finished or s.steps < r.max_steps:
            break
        s.actor = -1
        end_round(s, r, log, 0)


@hot
def _run_stages(s, r, log):
    """One pass through the stages in their usual order, so that most steps need just one.

    A stage that waits for a decision leaves `stage` as it is, so it comes again afterwards.
    """
    if s.stage >= G_FIRST_RARE:
        _run_rare_stage(s, r, log)
        return
    if s.stage == G_CHOICES:
        _ask_choice(s)
    if s.stage == G_EFFECTS:
        apply_effects(s, r, log)
    if s.stage == G_HALVES and not (r.has_teams and settle_halves(s, r, log)):
        s.after_uno = G_WINDOW
        s.after_window = G_ADVANCE
        s.stage = G_UNO
    if s.stage == G_DRAW_HALVES and not (r.has_teams and settle_halves(s, r, log)):
        s.after_window = G_DRAWN
        s.stage = G_WINDOW if r.jump_in_after_draw else G_DRAWN
        if s.stage == G_WINDOW:
            _window(s, r)
    if s.stage == G_DRAWN:
        offer_drawn(s, r)
    if s.stage == G_UNO and s.actor < 0:
        uno_stage(s, r, log)
    if s.stage == G_WINDOW and s.actor < 0:
        _window(s, r)
    if s.stage == G_ADVANCE and s.actor < 0:
        advance(s, r, log)
    if s.stage == G_TURN and s.actor < 0:
        give_turn(s, s.turn)


@hot
def _window(s, r):
    if r.has_react:
        open_window(s, r)
    else:
        s.stage = s.after_window


@rare
def _run_rare_stage(s, r, log):
    stage = s.stage
    if stage == G_EXCHANGE:
        ask_exchange(s)
    elif stage == G_LAST_CATCH:
        open_catch(s, r, s.player, 1)
    elif stage == G_GO_OUT:
        go_out(s, r, log)
    elif stage == G_WIN_SWAP:
        ask(s, P_SWAP_PAIR, s.player)
    elif stage == G_PASS_CARDS:
        ask_opening_pass(s, r, log)
    elif stage == G_OPEN_CHOICES:
        ask_opening(s, r)
    elif stage == G_OPEN_EFFECTS:
        open_effects(s, r, log)
    elif stage == G_FAULT_BACK:
        _return_from_fault(s, r, log)
    elif stage == G_OVER:
        start_round(s, r, log)


@hot
def _ask_choice(s):
    if s.todo & TODO_SWAP:
        ask(s, P_SWAP_PAIR, s.player)
    elif s.todo & TODO_TARGET:
        ask(s, P_SWAP_TARGET, s.player)
    elif s.todo & TODO_COLOR:
        ask(s, P_COLOR, s.player)
    else:
        s.stage = G_EFFECTS


@rare
def fault(s, r, log):
    """IG-60: an illegal action costs cards; the same seat decides again.

    The draw stops short of the mercy limit: a fault eliminates nobody.
    """
    seat = s.actor
    emit(log, E_FAULT, seat, r.fault_draw, EVERYBODY)
    limit = r.mercy_limit - 1 if r.mercy_limit else 0
    draw_cards(s, r, log, seat, r.fault_draw, limit)
    s.steps += 1
    s.fault_phase = s.phase
    s.fault_actor = seat
    s.fault_stage = s.stage
    s.actor = -1
    s.stage = G_FAULT_BACK
    run_on(s, r, log)


@rare
def _return_from_fault(s, r, log):
    in_half = s.fault_phase == P_GIVE_HALF
    if not in_half and r.has_teams and settle_halves(s, r, log):
        return
    s.stage = s.fault_stage
    if s.fault_phase == P_UNO_CALL and s.sizes[s.holder] != 1:
        return
    ask(s, s.fault_phase, s.fault_actor)
