"""Languages and the current one: a catalogue of translations, and signs for numbers.

The source texts are English, so English has no catalogue; a text without a translation stays English.
"""

import math
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files


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


NAMES = {"en": "English", "de": "Deutsch", "pt-BR": "Português (Brasil)", "fr": "Français", "es": "Español"}
"""Language code to the language's own name; others are shown by their code."""
SHIPPED = files("bot") / "languages"
"""The folder of catalogues: `.po` for translators, `.mo` for the bot."""
_NUMBERS = (int, float, Fraction, Decimal)

PSEUDO = "xx"
"""The code of the pseudo-language, which shows untranslated and cut texts: accented, longer, in brackets."""
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğħíĵķłḿñóþɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶŁḾÑÓÞɊŔŠŦÚṼŴẊÝŽ",
)
_UNCHANGED = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<> ]*>|https?://\S+)")
_GROWTH = 0.4
_OPEN = "⟦"
_LABEL_LIMITS = (45, 80, 100)
"""Discord's limits of labels, buttons and descriptions; a text within one is not extended beyond it."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code in Discord, its catalogue, and its signs."""

    code: str
    catalogue: NullTranslations
    signs: Signs = ENGLISH

    def say(self, text: str, values: Mapping[str, object]) -> str:
        """Return a sentence with its values."""
        return self._format(self.catalogue.gettext(text) if text else "", values)

    def count(self, singular: str, plural: str, n: Fraction | int, values: Mapping[str, object]) -> str:
        """Return the singular or plural sentence for `n` with its values; fractions take the plural."""
        text = self.catalogue.ngettext(singular, plural, int(n) if n == int(n) else 2)
        return self._format(text, {**values, "n": n})

    def word(self, context: str, text: str) -> str:
        """Return the translation of a word in a context."""
        return self.catalogue.pgettext(context, text)

    def _format(self, text: str, values: Mapping[str, object]) -> str:
        if not values:
            return text
        numbers = {name: Localised(v, self.signs) for name, v in values.items() if isinstance(v, _NUMBERS)}
        return text.format_map({**values, **numbers})


SPOKEN: ContextVar[Language | None] = ContextVar("SPOKEN", default=None)
"""The current language; None is English."""


@contextmanager
def speaking(current: Language | None) -> Generator[None]:
    """Make a language the current one within the block."""
    token = SPOKEN.set(current)
    try:
        yield
    finally:
        SPOKEN.reset(token)


def language(locale: str) -> Language | None:
    """Return the language of one of Discord's locales, such as "pt-BR" or "es-419"; None for English."""
    for code in (locale, locale.partition("-")[0]):
        if code == PSEUDO or code in codes():
            return _load(code)
    return None


@cache
def _load(code: str) -> Language:
    """Return the language of a code: once, for a browser may ask for any variants of one."""
    if code == PSEUDO:
        pseudo_signs = replace(
            ENGLISH, both=accented(" and "), either=accented(" or "), place=SIGNS["de"].place
        )
        return Language(PSEUDO, PseudoLanguage(), pseudo_signs)
    with (SHIPPED / f"{code}.mo").open("rb") as file:
        return Language(code, GNUTranslations(file), SIGNS.get(code, ENGLISH))


@lru_cache(maxsize=1)
def codes() -> frozenset[str]:
    """Return the codes of the languages with a catalogue."""
    paths = SHIPPED.iterdir() if SHIPPED.is_dir() else ()
    return frozenset(file.name.removesuffix(".mo") for file in paths if file.name.endswith(".mo"))


def speaks(locale: str) -> bool:
    """Return True if a Discord locale or language code is English or has a catalogue."""
    return locale.partition("-")[0] == "en" or language(locale) is not None


def signs() -> Signs:
    """Return the signs of the current language."""
    current = SPOKEN.get()
    return current.signs if current else ENGLISH


def accented(text: str) -> str:
    """Return a sentence in the pseudo-language; one that is in it already is returned unchanged."""
    if not text or text.startswith(_OPEN):
        return text
    parts = [
        part if index % 2 else part.translate(_LETTERS) for index, part in enumerate(_UNCHANGED.split(text))
    ]
    result, length = "".join(parts), sum(len(part) for part in parts[::2])
    room = next((limit for limit in _LABEL_LIMITS if len(result) <= limit), math.inf) - len(result) - 2
    padding = "~" * int(min(room, max(0, round(_GROWTH * length) - 2)))
    return f"{_OPEN}{result}{padding}⟧" if room >= 0 else result


class PseudoLanguage(NullTranslations):
    """The catalogue of the pseudo-language: sentences are made on demand.

    Values, code, mentions and links stay unchanged.
    """

    def gettext(self, message: str) -> str:
        """Return the sentence."""
        return accented(message)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 (the context makes no difference)
        """Return the word."""
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the singular or plural sentence."""
        return accented(msgid1 if n == 1 else msgid2)
