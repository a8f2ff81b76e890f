"""Dice as people type them in their language, `1w20+5 vorteil gegen 15`, put as notation."""

import re
from collections.abc import Collection
from functools import lru_cache

from bot.rulebooks.book import plain
from bot.words.games import TYPED
from bot.words.languages import SPOKEN, Language

_WORD, _AIM = r"(?<!\w)(?:(?:{before}) )?(?:{said})(?!\w)", r"(?<!\w)(?:{said})(?= ?[:=]? ?\d)"
AIMS, SPREADS = ("vs", "dc", "ac"), ("adv", "dis", "advantage", "disadvantage")
"""What stands before a number that a roll is held against, and what has a die thrown twice."""
WORDS = {
    "d": "the letter of a die, as in 1d20",
    "adv": "advantage, as in 1d20 adv",
    "dis": "disadvantage, as in 1d20 dis",
    "advantage": "advantage written out, as in 1d20 advantage",
    "disadvantage": "disadvantage written out, as in 1d20 disadvantage",
    "with": "before advantage, as in 1d20 with advantage",
    "vs": "before a target, as in 1d20+5 vs 15",
    "dc": "before a difficulty, as in 1d20+5 dc 15",
    "ac": "before an armour class, as in 1d20+5 ac 15",
}
"""Words of notation that languages have too, and what each is."""
_DIE = r"(?<!\w)(\d*+)(?:{said})(?=\d)"
_READ = {"d": _DIE, **dict.fromkeys(SPREADS, _WORD), **dict.fromkeys(AIMS, _AIM)}
_FRONT = re.compile(r"(\s*+\d++\s*+#)?+([^#]*+)(.*+)", re.DOTALL)


def in_notation(text: str, words: Collection[str] = tuple(WORDS)) -> str:
    """Return a text with these words of the language that is spoken as notation; a comment stays as it is."""
    if (language := SPOKEN.get()) is None or (found := _FRONT.fullmatch(text)) is None:
        return text
    front, dice, comment = found.groups(default="")
    for word, pattern in _patterns(language):
        if word in words:
            dice = pattern.sub(rf"\1{word}" if word == "d" else word, dice)
    return f"{front}{dice}{comment}"


@lru_cache(maxsize=16)
def _patterns(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return how each word is said there, with and without marks; one that is as in English is left out."""
    found: list[tuple[str, re.Pattern[str]]] = []
    before = _said(language.word(TYPED, "with"))
    for word, pattern in _READ.items():
        own = language.word(TYPED, word)
        if plain(own) != word:
            typed = pattern.format(said=_said(own), before=before)
            found.append((word, re.compile(typed, re.IGNORECASE)))
    return tuple(found)


def _said(word: str) -> str:
    """Return what matches a word, with and without its marks."""
    return f"{re.escape(word)}|{re.escape(plain(word))}"
