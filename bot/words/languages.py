"""Languages and the current one: a catalogue of translations, and signs for numbers.

The source texts are English, so English has no catalogue; a text without a translation stays English.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from bot.words.numbers import ENGLISH, SIGNS, Localised, Signs
from bot.words.pseudo import PSEUDO, PseudoLanguage, accented

NAMES = {"en": "English", "de": "Deutsch", "pt-BR": "Português (Brasil)", "fr": "Français", "es": "Español"}
"""Language code to the language's own name; others are shown by their code."""
SHIPPED = files("bot") / "languages"
"""The folder of catalogues: `.po` for translators, `.mo` for the bot."""
_NUMBERS = (int, float, Fraction, Decimal)


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


@lru_cache(maxsize=64)
def language(locale: str) -> Language | None:
    """Return the language of one of Discord's locales, such as "pt-BR" or "es-419"; None for English."""
    if locale == PSEUDO:
        pseudo_signs = replace(
            ENGLISH, both=accented(" and "), either=accented(" or "), place=SIGNS["de"].place
        )
        return Language(PSEUDO, PseudoLanguage(), pseudo_signs)
    for code in (locale, locale.partition("-")[0]):
        if code in codes():
            with (SHIPPED / f"{code}.mo").open("rb") as file:
                return Language(code, GNUTranslations(file), SIGNS.get(code, ENGLISH))
    return None


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
