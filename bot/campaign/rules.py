"""A campaign's rules, which its game masters set; what they do not set stays as Evenhand has it."""

from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum

from bot.campaign.events import Visibility
from bot.dice.bases import Json
from bot.dice.errors import SpecError

PACE_LIMIT = 20
SHORTEST_RETENTION, LONGEST_RETENTION = 30, 3_650
FOREVER = 0
"""The retention of a history that nothing is removed from."""


class Whose(StrEnum):
    """Who may."""

    GMS = "gms"
    EVERYONE = "everyone"


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

    def as_json(self) -> dict[str, Json]:
        """What `from_json` needs: only what is set otherwise than by default."""
        default = asdict(Rules())
        return {key: value for key, value in asdict(self).items() if value != default[key]}

    @classmethod
    def from_json(cls, value: Json) -> "Rules":
        """The rules as they were kept; what is not known is left out."""
        if not isinstance(value, dict):
            return cls()
        known = {field.name: value[field.name] for field in fields(cls) if field.name in value}
        rules = cls()
        for name, kept in known.items():
            match name, kept:
                case "visibility", str():
                    rules = replace(rules, visibility=Visibility(kept))
                case "makers" | "odds", str():
                    rules = replace(rules, **{name: Whose(kept)})
                case "called_only", bool():
                    rules = replace(rules, called_only=kept)
                case "pace" | "retention", int():
                    rules = replace(rules, **{name: kept})
                case _:
                    raise ValueError(f"the rule {name} is damaged")
        return rules


USUAL = Rules()
"""The rules where none were set."""
