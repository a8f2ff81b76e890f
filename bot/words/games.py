"""A game's words in the language of who reads: names of outcomes and values, and the words that are typed.

Only the games that come with Evenhand have such words; whoever brings a game writes it in one language.
"""

from functools import cache
from importlib.resources import files

from bot.words.languages import SPOKEN

SHOWN, TYPED = "game", "typed"
"""The contexts of a game's words in the files of translators: what is shown, and what people type."""
AT_HOME = frozenset({"dsa", "splittermond"})
"""Games that were written in one of our languages: each has its words for itself, in its own contexts."""


def context(kind: str, game: str) -> str:
    """Return where translators find a word of a game."""
    return f"{kind} {game}" if game in AT_HOME else kind


def shown(game: str, word: str) -> str:
    """Return the name of an outcome, a note, a value or a kind of dice, given the game's key."""
    return _said(SHOWN, game, word)


def typed(game: str, word: str) -> str:
    """Return the name of a roll or an option as it is best typed."""
    return _said(TYPED, game, word)


def _said(kind: str, game: str, word: str) -> str:
    language = SPOKEN.get()
    return language.word(context(kind, game), word) if language and game in _shipped() else word


@cache
def _shipped() -> frozenset[str]:
    return frozenset(file.name.removesuffix(".json") for file in (files("bot") / "games").iterdir())
