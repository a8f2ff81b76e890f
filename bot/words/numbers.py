"""The signs of each language for numbers and lists, and its ordinal numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a language for numbers and lists, and its ordinal numbers."""

    point: str
    """The decimal sign."""
    thousands: str
    percent: str
    """The percent sign, with the blank before it."""
    both: str
    """The separator before the last item of an "and" list."""
    either: str
    """The separator before the last item of an "or" list."""
    place: Callable[[str, int], str]
    """Return the text of an ordinal number, given its figures and its value."""


def _english_ordinal(figures: str, n: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{figures}{'th' if n % 100 in {11, 12, 13} else ending}"


_NARROW = "\N{NARROW NO-BREAK SPACE}"
_PERCENT = "\N{NO-BREAK SPACE}%"
ENGLISH = Signs(".", ",", "%", " and ", " or ", _english_ordinal)
SIGNS = {
    "en": ENGLISH,
    "de": Signs(",", ".", _PERCENT, " und ", " oder ", lambda figures, _: f"{figures}."),
    "pt-BR": Signs(",", ".", "%", " e ", " ou ", lambda figures, _: f"{figures}º"),
    "fr": Signs(
        ",", _NARROW, _PERCENT, " et ", " ou ", lambda figures, n: f"{figures}{'er' if n == 1 else 'e'}"
    ),
    "es": Signs(",", ".", _PERCENT, " y ", " o ", lambda figures, _: f"{figures}.º"),
}
"""Language code to its signs; other languages use the English ones."""


@dataclass(frozen=True, slots=True)
class Localised:
    """A number that is formatted with a language's signs."""

    value: Decimal | Fraction | float
    signs: Signs

    def __format__(self, form: str) -> str:
        swapped = {",": self.signs.thousands, ".": self.signs.point}
        return "".join(swapped.get(sign, sign) for sign in format(self.value, form))

    def __repr__(self) -> str:
        """Return the number's own representation, for texts that quote what was typed."""
        return repr(self.value)


def joined(texts: Sequence[str], before_last: str) -> str:
    """Return the texts as a list: with commas, and `before_last` before the last of them."""
    *others, last = texts or [""]
    return f"{', '.join(others)}{before_last}{last}" if others else last
