"""What pictures show, as values: faces of dice, bars of chances, curves of evenings."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction

from bot.stats.measures import Curve


class DieState(Enum):
    """How a die is drawn; the value ends its name."""

    KEPT = ""
    DROPPED = "_dropped"
    SUCCESS = "_success"


def face_name(sides: int, value: int, shown: DieState = DieState.KEPT) -> str:
    """Return the name of a face's picture, "d20_17" or "d20_17_dropped"."""
    return f"d{sides}_{value}{shown.value}"


@dataclass(frozen=True, slots=True)
class OddsKey:
    """What the key calls the bars, the line across them and the bars nobody asked for; "" is not drawn."""

    now: str = "next roll"
    base: str = "without memory"
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One face with its chances; `label` is the figure at the end of the bar."""

    face: str
    base: Fraction
    now: Fraction
    label: str
    asked: bool = True
    """Whether it is one of those that were asked for."""

    @property
    def end(self) -> float:
        """Return where the bar or its line ends, whichever is further, in per cent."""
        return float(100 * max(self.base, self.now))


class End(StrEnum):
    """The two systems between which all others lie, as the key names them."""

    DICE = "plain dice"
    DECK = "plain deck"


@dataclass(frozen=True, slots=True)
class CurveLine:
    """One system's evening under its name; `end` says that it is there to compare with."""

    name: str
    evening: Curve
    end: End | None = None
