"""The languages there are, and the one that is spoken now: a catalogue of sentences, and signs for numbers.

English is what the sentences are written in, so it has no catalogue; what a catalogue lacks is said in it.
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
"""What a language calls itself; of others their code is shown."""
SHIPPED = files("bot") / "languages"
"""The catalogues, each as translators write it and as it is read here."""
_NUMBERS = (int, float, Fraction, Decimal)


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code as Discord has it, its sentences, and its signs."""

    code: str
    catalogue: NullTranslations
    signs: Signs = ENGLISH

    def say(self, text: str, values: Mapping[str, object]) -> str:
        """Return a sentence with its values."""
        return self._with(self.catalogue.gettext(text) if text else "", values)

    def count(self, one: str, many: str, n: Fraction | int, values: Mapping[str, object]) -> str:
        """Return the sentence for so many with its values; a part of one counts as several."""
        found = self.catalogue.ngettext(one, many, int(n) if n == int(n) else 2)
        return self._with(found, {**values, "n": n})

    def word(self, context: str, text: str) -> str:
        """Return a word as it is said in a context."""
        return self.catalogue.pgettext(context, text)

    def _with(self, text: str, values: Mapping[str, object]) -> str:
        written = {
            name: Localised(value, self.signs) if isinstance(value, _NUMBERS) else value
            for name, value in values.items()
        }
        return text.format_map(written) if values else text


SPOKEN: ContextVar[Language | None] = ContextVar("SPOKEN", default=None)
"""The language that is spoken now; None is English."""


@contextmanager
def speaking(spoken: Language | None) -> Generator[None]:
    """Speak a language within the block."""
    token = SPOKEN.set(spoken)
    try:
        yield
    finally:
        SPOKEN.reset(token)


@lru_cache(maxsize=64)
def language(locale: str) -> Language | None:
    """Return the language of one of Discord's locales, such as "pt-BR" or "es-419"; None speaks English."""
    if locale == PSEUDO:
        lists = replace(ENGLISH, both=accented(" and "), either=accented(" or "), place=SIGNS["de"].place)
        return Language(PSEUDO, PseudoLanguage(), lists)
    for code in (locale, locale.partition("-")[0]):
        if code in codes():
            with (SHIPPED / f"{code}.mo").open("rb") as file:
                return Language(code, GNUTranslations(file), SIGNS.get(code, ENGLISH))
    return None


@lru_cache(maxsize=1)
def codes() -> frozenset[str]:
    """Return the codes of the languages that have a catalogue."""
    found = SHIPPED.iterdir() if SHIPPED.is_dir() else ()
    return frozenset(file.name.removesuffix(".mo") for file in found if file.name.endswith(".mo"))


def speaks(locale: str) -> bool:
    """Return whether there are texts for one of Discord's locales, or the code of a language."""
    return locale.partition("-")[0] == "en" or language(locale) is not None


def signs() -> Signs:
    """Return the signs of the language that is spoken."""
    spoken = SPOKEN.get()
    return spoken.signs if spoken else ENGLISH
