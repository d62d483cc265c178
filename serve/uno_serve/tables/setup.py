"""TableSetup: what is played at a table and how long anybody may take, as it is stored."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class TableSetup(BaseModel):
    """What was agreed when the table was created.

    Attributes:
        rules: canonical rules text.
        host: hash of the host's token.
        seeded: the first deal was chosen by the creator, who can work out every card.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: str
    num_players: int
    episode: Literal["round", "match"]
    move_seconds: float | None
    react_seconds: float
    absent_seconds: float | None
    stand_in: str
    bot_delay: float
    spectators: bool
    seeded: bool
    host: str
