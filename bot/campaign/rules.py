"""A campaign's rules, which its game masters set; what they do not set stays as Evenhand has it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from bot.campaign.kinds import Visibility
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import SpecError
from bot.rulebooks.book import Game, read_game

PACE_LIMIT = 20
SHORTEST_RETENTION, LONGEST_RETENTION = 30, 3_650
FOREVER = 0
"""The retention of a history that nothing is removed from."""


class Whose(StrEnum):
    """Who may."""

    GMS = "gms"
    EVERYONE = "everyone"


class Footer(StrEnum):
    """How much stands under a roll: always its number, a roller's name and kind, and a hidden roll's seal."""

    FULL = "full"
    """The player, the roller's whole rule and where the bits came from."""
    SHORT = "short"
    """Where the bits came from; the player only where Discord does not name them already."""
    NUMBER = "number"
    """As `SHORT`, without the bits; *Roll details* tells them."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for a campaign; SpecError says what is out of range."""

    visibility: Visibility = Visibility.PUBLIC
    """Of rolls that do not say their own."""
    makers: Whose = Whose.GMS
    """Who may make rollers."""
    called_only: bool = False
    """Whether a roll counts in a memory only if a game master called for it; the others are practice."""
    odds: Whose = Whose.EVERYONE
    """Who may see the odds of the next roll."""
    pace: int = 0
    """How many rolls a player has in five seconds; 0 is as many as Evenhand allows everybody."""
    retention: int = FOREVER
    """For how many days the history is kept; 0 is as long as Evenhand keeps all, which may be for ever."""
    footer: Footer = Footer.SHORT
    """How much stands under a roll."""
    dialect: Dialect = Dialect.EVENHAND
    """Whose notation is read where players type dice."""
    game: str = ""
    """The key of the game that is played, or the text of its file; "" for none."""
    faces: bool = True
    """Whether dice are drawn in results, where the bot has pictures of them; else they are text."""

    def __post_init__(self) -> None:
        if not 0 <= self.pace <= PACE_LIMIT:
            raise SpecError(f"A player can have 0 to {PACE_LIMIT} rolls in five seconds, not {self.pace}.")
        if self.retention and not SHORTEST_RETENTION <= self.retention <= LONGEST_RETENTION:
            raise SpecError(
                f"A history can be kept for {SHORTEST_RETENTION} to {LONGEST_RETENTION:,} days, or for ever "
                f"(0), not for {self.retention:,}."
            )

    def kept_days(self, limit: int) -> int:
        """For how many days the history is kept where all are kept for `limit`; 0 is for ever."""
        return min((days for days in (self.retention, limit) if days != FOREVER), default=FOREVER)

    def played(self, games: Mapping[str, Game]) -> Game | None:
        """Return the game that is played: one of these, or one from a file; None for none."""
        return games.get(self.game) or (_from_file(self.game) if self.game.startswith("{") else None)


@lru_cache(maxsize=64)
def _from_file(text: str) -> Game:
    return read_game(text)


USUAL = Rules()
"""The rules where none were set."""
