"""Levels: bots as people choose them, from beginner to master.

The agents are `level:1` to `level:8` (`uno_agents.levels`), in equal steps of Elo points by
`uno-arena calibrate-levels`; here they get names and sentences. An operator may offer others in the
configuration (`levels`).
"""

from pydantic import BaseModel, ConfigDict, Field
from uno_agents.levels import Level, levels

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


HEURISTIC_RATING = 1200
"""Elo points of `heuristic`, from which the ratings of all levels are counted."""

_WORDS = (
    ("beginner",
     ("Beginner", "Plays whatever comes to hand, and often forgets to call UNO."),
     ("Débutant", "Joue au hasard et oublie souvent de dire UNO.")),
    ("novice",
     ("Novice", "Knows the rules, but overlooks cards and misses jump-ins."),
     ("Novice", "Connaît les règles, mais oublie des cartes et rate des interceptions.")),
    ("casual",
     ("Casual", "Lays a card whenever one fits, without a plan."),
     ("Amateur", "Pose une carte dès que possible, sans plan.")),
    ("fair",
     ("Fair", "Has a plan, and forgets it now and then."),
     ("Moyen", "A un plan, et le perd de vue de temps en temps.")),
    ("keen",
     ("Keen", "Plays well, and rarely overlooks anything."),
     ("Averti", "Joue bien, et laisse rarement passer quelque chose.")),
    ("regular",
     ("Regular", "Knows the tricks: saves wild cards and stops whoever is about to win."),
     ("Habitué", "Connaît les ficelles : garde ses jokers et freine qui va gagner.")),
    ("skilled",
     ("Skilled", "Learnt from millions of games, and is hard to read."),
     ("Confirmé", "A appris de millions de parties et se laisse difficilement lire.")),
    ("master",
     ("Master", "Plays hundreds of games in its head for each move."),
     ("Maître", "Joue des centaines de parties dans sa tête à chaque coup.")),
)  # fmt: skip
"""Names and words of `level:1` to `level:8`."""


def _level(level: Level, name: str, en: tuple[str, str], fr: tuple[str, str]) -> LevelConfig:
    # The heuristic without slips goes by its own name, which is also the usual `default_bot`.
    is_heuristic = level.base == "heuristic" and not any(level.rates)
    bot = level.base if is_heuristic else level.spec
    title, line = {"en": en[0], "fr": fr[0]}, {"en": en[1], "fr": fr[1]}
    rating = HEURISTIC_RATING + round(level.elo)
    return LevelConfig(name=name, bot=bot, rating=rating, title=title, line=line)


LEVELS = tuple(_level(level, *words) for level, words in zip(levels(), _WORDS, strict=True))
