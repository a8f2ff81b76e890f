"""Parse texts as words of games, and typed rollers as systems."""

import re
from functools import lru_cache

from bot.campaign.campaigns import Rules
from bot.campaign.rolls import ReadAs
from bot.dice import notation
from bot.dice.errors import SpecError
from bot.dice.system import System
from bot.rulebooks.book import Game, plain
from bot.rulebooks.words import SHORT_NAMES, GameRequest, understand
from bot.systems.game import game_roll
from bot.systems.plain import plain_dice
from bot.systems.registry import load_spec
from bot.words.games import shipped, translated
from bot.words.languages import SPOKEN, Language, speaking

# A group of dice begins with a bracket too.
COMMENT = " #"
"""What stands before a comment behind dice."""
_JSON = re.compile(r"\s*\{\s*(?:[\"}]|$)")


def read_as(rules: Rules, *, typed: bool = False) -> ReadAs:
    """Return how a campaign reads recorded texts, or `typed` ones."""
    return ReadAs(rules.dialect if typed else None, shipped(), rules.game)


def is_word(text: str) -> bool:
    """Return whether a text begins with a word that starts a roll of a built-in game."""
    return plain(text.split(maxsplit=1)[0]) in _first_words(SPOKEN.get()) if text.strip() else False


@lru_cache(maxsize=16)
def _first_words(_language: Language | None) -> frozenset[str]:
    games = shipped().values()
    rolls = [roll for game in games for roll in game.rolls]
    words = (plain(word) for roll in rolls for word in (roll.name, roll.word))
    return frozenset([*(game.key for game in games), *SHORT_NAMES, *words])


def parse_game_roll(text: str, played: Game | None) -> GameRequest | None:
    """Return the game's roll that a text requests; None if it reads as dice, or as no game's words."""
    return None if notation.reads(text) else understand(text, shipped(), played)


def reads_as_game(text: str, played: Game | None) -> bool:
    """Return whether a text is a complete roll of a game."""
    try:
        return parse_game_roll(text, played) is not None
    except SpecError:
        return False


def in_english(text: str, played: Game | None) -> str:
    """Return a text readable in any language: a game's words that are not English are translated."""
    game_request = parse_game_roll(text, played) if reads_as_game(text, played) else None
    with speaking(None):
        if game_request is None or reads_as_game(text, translated(played) if played else None):
            return text
        return game_request.words


def read_roller(text: str) -> System:
    """Parse a system; raise DiceError with what is wrong with it."""
    if _JSON.match(text):
        return load_spec(text)
    game_request = parse_game_roll(text, None)
    return game_roll(game_request) if game_request else plain_dice(text)
