"""Numbers, lists and places in an order, as each language writes them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Signs:
    """How a language writes figures and lists, and how it calls a place in an order."""

    point: str
    """Between whole figures and the rest."""
    thousands: str
    percent: str
    """Behind a share of a hundred, with the blank before it."""
    both: str
    """Before the last of several things that all count."""
    either: str
    """Before the last of several things of which one counts."""
    place: Callable[[str, int], str]
    """The text of a place in an order, from its figures and the number."""


def _english(figures: str, n: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{figures}{'th' if n % 100 in {11, 12, 13} else ending}"


_NARROW = "\N{NARROW NO-BREAK SPACE}"
_PERCENT = "\N{NO-BREAK SPACE}%"
ENGLISH = Signs(".", ",", "%", " and ", " or ", _english)
SIGNS = {
    "en": ENGLISH,
    "de": Signs(",", ".", _PERCENT, " und ", " oder ", lambda figures, _: f"{figures}."),
    "pt-BR": Signs(",", ".", "%", " e ", " ou ", lambda figures, _: f"{figures}º"),
    "fr": Signs(
        ",", _NARROW, _PERCENT, " et ", " ou ", lambda figures, n: f"{figures}{'er' if n == 1 else 'e'}"
    ),
    "es": Signs(",", ".", _PERCENT, " y ", " o ", lambda figures, _: f"{figures}.º"),
}
"""Of each language by its code; one that is not here writes as English does."""


@dataclass(frozen=True, slots=True)
class Localised:
    """A number that is written with a language's signs, whatever its format."""

    value: Decimal | Fraction | float
    signs: Signs

    def __format__(self, form: str) -> str:
        swapped = {",": self.signs.thousands, ".": self.signs.point}
        return "".join(swapped.get(sign, sign) for sign in format(self.value, form))

    def __repr__(self) -> str:
        """Return what a sentence shows that quotes whatever was typed."""
        return repr(self.value)


def joined(texts: Sequence[str], before_last: str) -> str:
    """Return the texts as a list: with commas, and `before_last` before the last of them."""
    *others, last = texts or [""]
    return f"{', '.join(others)}{before_last}{last}" if others else last
