"""The decision before this one in many worlds: what a known policy would have done there."""

from uno_env.engine.jit import jit_entry

from .sample_world import is_top_card_informative, take_back_play


@jit_entry("belief")
def take_back_plays(games, rules, seat):
    """Go back to the play of the top card in each game; its face, -1 if it tells `seat` nothing."""
    s = games[0]
    if not is_top_card_informative(s, rules[s.rule], seat):
        return -1
    face = -1
    for i in range(games.shape[0]):
        face = take_back_play(games[i], rules[games[i].rule])
    return face
