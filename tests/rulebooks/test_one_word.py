"""Dice Maiden's rolls of one word, as its documentation lists them: dice, a game's words, or a reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError, NotationError
from bot.dice.notation import read_in, reads
from bot.parsing.texts import shipped
from bot.rulebooks.book import builtin_games
from bot.rulebooks.words import SHORT_NAMES, understand
from tests.support.dialects import fingerprints, lines

_DATA = json.loads((Path(__file__).parents[1] / "data" / "one_word.json").read_text(encoding="utf-8"))
READ: dict[str, str] = _DATA["read"]
REFUSED: dict[str, str] = _DATA["refused"]


def meant(text: str) -> str:
    """Return what a campaign of that dialect makes of a text; DiceError with the reason if nothing."""
    if reads(text, Dialect.DICE_MAIDEN):
        return str(read_in(Dialect.DICE_MAIDEN, text))
    asked = understand(text, shipped(), None)
    return asked.words if asked else str(read_in(Dialect.DICE_MAIDEN, text))


def test_each_word_is_read() -> None:
    """As dice in our notation, or in the words of one of our games."""
    assert {text: meant(text) for text in READ} == READ


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_a_word_without_our_law_says_why(text: str, reason: str) -> None:
    """Nothing near is rolled instead."""
    with pytest.raises(DiceError) as refused:
        meant(text)

    assert str(refused.value) == reason


def test_six_in_seven_kinds_are_read() -> None:
    """A kind is a word with any numbers, `4wod8`, `vtm7h2`."""
    kinds = [
        {"".join("N" if sign.isdigit() else sign for sign in text) for text in some}
        for some in (READ, REFUSED)
    ]

    assert len(kinds[0]) >= 60
    assert len(READ) >= 3 * len(REFUSED)


def test_the_laws_are_those_that_were_worked_out_before() -> None:
    """For every word that the table of laws knows too."""
    law = {line.text: line.law for line in lines() if line.dialect == "dicemaiden"}
    dice = {text for text in READ.keys() & law.keys() if reads(text, Dialect.DICE_MAIDEN)}

    assert {text for text in dice if fingerprints(read_in(Dialect.DICE_MAIDEN, text)) != law[text]} == set()
    assert len(dice) >= 30


def test_a_games_word_is_understood_in_every_campaign() -> None:
    """Without the dialect too: none of them is notation."""
    asked = understand("4wod8", shipped(), None)

    assert asked
    assert asked.words == "wod pool 4 diff 8"
    with pytest.raises(NotationError):
        read_in(Dialect.EVENHAND, "4wod8")


OWN_WORDS = {"sr": "tunnels"}
"""Short names that are a game's own word too, where that game is played: the saving roll."""


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_a_short_name_is_one_games_and_nothing_else(name: str) -> None:
    """It is no dice, no game's own word, and no letters for dice."""
    games = builtin_games()
    key = SHORT_NAMES[name]
    roll = games[key].rolls[0]
    given = " ".join(str(option.low) for option in roll.options if option.usual is None)

    assert name not in games
    assert not reads(name)
    others = [game for game in games.values() if game.key not in {key, OWN_WORDS.get(name)}]
    assert not any(understand(name, {}, game) for game in others)
    assert understand(f"{name} {given}", games, None) == understand(f"{key} {given}", games, None)


def test_the_words_of_the_game_that_is_played_go_before_short_names() -> None:
    """Its key and its rolls, such as those of a game that somebody brought."""
    dnd5 = builtin_games()["dnd5"]
    rolls = (*dnd5.rolls, replace(dnd5.roll("check") or dnd5.rolls[0], name="sr"))
    keyed = understand("coc +5", shipped(), replace(dnd5, key="coc"))
    named = understand("sr +5", shipped(), replace(dnd5, rolls=rolls))

    assert keyed
    assert named
    assert (keyed.words, named.words) == ("coc attack bonus 5", "dnd5 sr bonus 5")
