"""Levels: bots as people choose them, from beginner to master.

This is the one place that says which agent plays at which level; an operator may say otherwise in
the configuration (`levels`). The ratings are Elo points with `heuristic` at 1200, from the means of
docs/leaderboard.md; those of agents that are not listed there are estimates.
"""

from pydantic import BaseModel, ConfigDict, Field

Words = dict[str, str]
"""A text by language."""


class LevelConfig(BaseModel):
    """One level.

    Attributes:
        name: for programs.
        bot: the agent spec that plays it.
        rating: Elo points, by which players are rated against it.
        title: a word or two for people.
        line: one sentence for people.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9-]{1,30}$")
    bot: str = Field(min_length=1, max_length=80)
    rating: int = Field(ge=0, le=4000)
    title: Words
    line: Words


def _level(
    name: str, bot: str, rating: int, en: tuple[str, str], fr: tuple[str, str]
) -> LevelConfig:
    title, line = {"en": en[0], "fr": fr[0]}, {"en": en[1], "fr": fr[1]}
    return LevelConfig(name=name, bot=bot, rating=rating, title=title, line=line)


LEVELS = (
    _level("beginner", "random", 675,
           ("Beginner", "Plays whatever comes to hand, and often forgets to call UNO."),
           ("Débutant", "Joue au hasard et oublie souvent de dire UNO.")),
    _level("casual", "greedy", 1060,
           ("Casual", "Lays a card whenever one fits, without a plan."),
           ("Amateur", "Pose une carte dès que possible, sans plan.")),
    _level("regular", "heuristic", 1200,
           ("Regular", "Knows the tricks: saves wild cards and stops whoever is about to win."),
           ("Habitué", "Connaît les ficelles : garde ses jokers et freine qui va gagner.")),
    _level("skilled", "pretrained:generalist", 1240,
           ("Skilled", "Learnt from millions of games, and is hard to read."),
           ("Confirmé", "A appris de millions de parties et se laisse difficilement lire.")),
    _level("expert", "search:sims=100", 1270,
           ("Expert", "Thinks every move through before it plays."),
           ("Expert", "Réfléchit à chaque coup avant de jouer.")),
    _level("master", "search:sims=500", 1300,
           ("Master", "Imagines hundreds of deals for each move."),
           ("Maître", "Imagine des centaines de donnes à chaque coup.")),
)  # fmt: skip
