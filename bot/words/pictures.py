"""The contents of pictures as values: faces of dice, bars of chances, curves of evenings."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction

from bot.stats.measures import Curve


class DieState(Enum):
    """The look of a die; the value is the suffix of its picture's name."""

    KEPT = ""
    DROPPED = "_dropped"
    SUCCESS = "_success"


def face_name(sides: int, value: int, state: DieState = DieState.KEPT) -> str:
    """Return the name of a face's picture, "d20_17" or "d20_17_dropped"."""
    return f"d{sides}_{value}{state.value}"


@dataclass(frozen=True, slots=True)
class OddsKey:
    """Labels of the chart's key: the bars, the line across them, and the dimmed bars; "" is not drawn."""

    now: str
    base: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One face with its chances; `label` is the figure at the end of the bar."""

    face: str
    base: Fraction
    now: Fraction
    label: str
    highlighted: bool = True
    """True if it belongs to the totals that were asked for."""

    @property
    def end(self) -> float:
        """Return the end of the bar or of its line, whichever is further, in per cent."""
        return float(100 * max(self.base, self.now))


class End(StrEnum):
    """The two systems that bound all others; the value is the label in the key."""

    DICE = "plain dice"
    DECK = "plain deck"


@dataclass(frozen=True, slots=True)
class CurveLine:
    """The curve of a system's evening; `end` is set for the two bounds to compare with."""

    name: str
    evening: Curve
    end: End | None = None
