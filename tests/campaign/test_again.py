"""The command that makes a recorded roll once more, for every way to roll."""

import re
from pathlib import Path

import pytest

from bot.campaign.call_commands import RollForNames
from bot.campaign.campaigns import USUAL, Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import Drawing, RollOptions
from bot.campaign.d100_rolls import RollMethod, roll_register
from bot.campaign.deals import DealCards
from bot.campaign.followups import repeat_command
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollDice
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.dice.draws import seeded
from bot.parsing.texts import read_as
from bot.systems.checks import CheckTerms
from bot.systems.registry import print_spec
from bot.systems.registry import read_spec as read
from tests.support.play import Campaign

ROOT = Path(__file__).parents[2]
DC, HIDDEN = CheckTerms(11), RollOptions("for Ann", Visibility.GM)
WORDS = read_as(USUAL)
RULES = {
    "evil": {"system": "fair", "base": "2d6", "tightness": "1"},
    "luck": {"system": "luck"},
    "box": {"system": "pool"},
    "deck": {"system": "deck", "base": {"a": 2, "b": 2}},
}
WAYS: tuple[Drawing, ...] = (
    RollDice("2d6+1", options=HIDDEN),
    RollDice("d20", 3, HIDDEN),
    RollDice("evil", 2, HIDDEN),
    RollDice("yearzero roll 20", options=HIDDEN, by=WORDS),
    RollDice("evil", options=RollOptions("for Ann", Visibility.GM, practice=True)),
    roll_register(7, 2, HIDDEN),
    RollMethod(Method("table"), 2, HIDDEN),
    RollMethod(PoolMethod(), 2, HIDDEN),
    RollMethod(LeftoversMethod(), 2, HIDDEN),
    RollDice("box", 2, HIDDEN),
    DealCards("deck", 2, HIDDEN),
    RollCheck("d20+5", DC, options=HIDDEN),
    RollCheck("evil", DC, options=HIDDEN),
    RollCheck("d20+5", DC, "luck", HIDDEN),
    RollForNames("d20", ("Orc", "Ogre"), options=HIDDEN),
    RollForNames("evil", ("Orc", "Ogre"), options=HIDDEN),
)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_way_to_roll_is_rolled_again_as_it_was(way: Drawing) -> None:
    """The same dice, roller, names and terms, as often, as hidden and with the same label."""
    specs = {name: print_spec(read(spec)) for name, spec in RULES.items()}
    rollers = {name: Roller(name, spec, Remembers.TABLE, epoch=0) for name, spec in specs.items()}
    campaign, draws = Campaign(rollers=rollers), seeded(1)
    first = campaign.ask(way, draws)
    repeated = campaign.ask(repeat_command(first, WORDS), draws)

    assert (repeated.roller, repeated.roll.of, repeated.label) == (first.roller, first.roll.of, first.label)
    assert (repeated.visibility, repeated.roll.practice) == (first.visibility, first.roll.practice)
    assert (repeated.roll.check, repeated.roll.stake) == (first.roll.check, first.roll.stake)
    assert (repeated.roll.names, len(repeated.roll.results)) == (first.roll.names, len(first.roll.results))
    assert repeat_command(repeated, WORDS) == repeat_command(first, WORDS)


def test_what_a_roll_is_of_is_never_told_by_what_is_empty() -> None:
    """The union says whether it is of dice, of a roller or of an account."""
    asks = re.compile(
        r"\b(?:if|elif|not|and|or|bool\() ?\(?(?:\w+\.)*(?:roll|body|rolled)\.(?:text|spec|roller)"
        r"(?=\)|:| (?:else|and|or|for) )"
    )
    files = [file for room in ("bot", "cogs") for file in (ROOT / room).rglob("*.py")]

    assert [(file.name, match) for file in files for match in asks.findall(file.read_text("utf-8"))] == []
