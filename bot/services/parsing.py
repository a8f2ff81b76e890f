"""The games that come with Evenhand, what a text means in their words, and what a typed roller is."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.rolls import ReadAs
from bot.dice import notation
from bot.dice.errors import SpecError
from bot.dice.system import System, read_base
from bot.rulebooks.book import Game, read_game
from bot.rulebooks.words import Asked, understand
from bot.systems.game import game_roll
from bot.systems.plain import PlainDice
from bot.systems.registry import load_spec

# A group of dice begins with a bracket too.
_JSON = re.compile(r"\s*\{\s*(?:[\"}]|$)")


@cache
def shipped() -> Mapping[str, Game]:
    """Return the games that come with Evenhand, by their keys, in the order of their names."""
    found = [file for file in (files("bot") / "games").iterdir() if file.name.endswith(".json")]
    games = [read_game(file.read_text(encoding="utf-8")) for file in found]
    return {game.key: game for game in sorted(games, key=lambda game: game.name)}


def read_as(rules: Rules, *, typed: bool = False) -> ReadAs:
    """Return how a campaign reads what is on record, or what somebody typed there."""
    return ReadAs(rules.dialect if typed else None, shipped(), rules.game)


TYPED = read_as(USUAL, typed=True)
"""How what somebody typed is read first; a campaign that reads otherwise has it read again."""


@cache
def first_words() -> frozenset[str]:
    """Return the words that a roll of a game that comes with Evenhand begins with."""
    return frozenset(
        word for game in shipped().values() for word in (game.key, *(r.name for r in game.rolls))
    )


def asked_game(text: str, played: Game | None) -> Asked | None:
    """Return the roll of a game that the words ask for; None where they read as dice, or as no game's."""
    return None if notation.reads(text) else understand(text, shipped(), played)


def reads_as_game(text: str, played: Game | None) -> bool:
    """Return whether the words are a whole roll of a game."""
    try:
        return asked_game(text, played) is not None
    except SpecError:
        return False


def read_roller(text: str) -> System:
    """Read a system; DiceError says what is wrong with it."""
    if _JSON.match(text):
        return load_spec(text)
    asked = asked_game(text, None)
    return game_roll(asked) if asked else PlainDice(read_base(text))
