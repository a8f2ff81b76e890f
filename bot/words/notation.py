"""Translate dice typed in the current language, `1w20+5 vorteil gegen 15`, to the notation."""

import re
from collections.abc import Collection
from functools import lru_cache

from bot.rulebooks.book import plain
from bot.words.games import TYPED
from bot.words.languages import SPOKEN, Language
from bot.words.phrases import in_english_words

_WORD, _AIM = (
    r"(?<!\w)(?:(?:{before}) )?(?:{said})(?!\w)",
    r"(?<!\w)(?:{said})(?= ?[:=]? ?\d| (?:dc|ac) ?\d)",
)
AIMS, SPREADS = ("dc", "ac", "vs"), ("adv", "dis", "advantage", "disadvantage")
"""Words before a target number, and words for advantage and disadvantage."""
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
"""Words of the notation that languages translate, with a description for translators."""
_DIE = r"(?<!\w)(\d*+)(?:{said})(?=[\d%]|f(?!\w)|(?<=\d\w)\s*(?:[-+]|\Z))"
_TEMPLATES = {"d": _DIE, **dict.fromkeys(SPREADS, _WORD), **dict.fromkeys(AIMS, _AIM)}
_FRONT = re.compile(r"(\s*+\d++\s*+#)?+([^#]*+)(.*+)", re.DOTALL)


def in_notation(text: str, words: Collection[str] = tuple(WORDS)) -> str:
    """Return the text with `words` translated from the current language; a comment stays unchanged."""
    if (language := SPOKEN.get()) is None or (match := _FRONT.fullmatch(text)) is None:
        return text
    front, dice, comment = match.groups(default="")
    for word, pattern in _patterns(language):
        if word in words:
            dice = pattern.sub(rf"\1{word}" if word == "d" else word, dice)
    if len(words) == len(WORDS):
        dice = in_english_words(dice, language)
    return f"{front}{dice}{comment}"


@lru_cache(maxsize=16)
def _patterns(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each translated word with its pattern; leave out words that are the same in English."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    before = _spellings(language.word(TYPED, "with"))
    for word, template in _TEMPLATES.items():
        translation = language.word(TYPED, word)
        if plain(translation) != word:
            pattern = template.format(said=_spellings(translation), before=before)
            patterns.append((word, re.compile(pattern, re.IGNORECASE)))
    return tuple(patterns)


def _spellings(word: str) -> str:
    """Return a pattern that matches a word with and without its accents."""
    return f"{re.escape(word)}|{re.escape(plain(word))}"
