"""A game master rolls for people of their own, into a call or for itself."""

from dataclasses import replace

import pytest

from bot.campaign.adjustments import read_adjustment
from bot.campaign.call_commands import CancelCall, CloseCall, RollForNames
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import TIES
from bot.campaign.command import RollOptions
from bot.campaign.followups import repeat_command
from bot.campaign.kinds import Visibility
from bot.campaign.replay import replay
from bot.campaign.rolls import EVENHAND
from bot.dice.draws import seeded
from bot.dice.errors import DiceError
from bot.systems.checks import CheckTerms
from bot.systems.registry import read_spec
from tests.support.calls import GM, Table
from tests.support.systems import make

INITIATIVE = Terms(Form.INITIATIVE)
DEAL = Terms(Form.DEAL)


def table() -> Table:
    """A table with a roller of numbers, a deck, and several decks at once."""
    new_table = Table()
    new_table.make("luck", make("fair", "2d6", tightness="1"))
    new_table.make("Cards", make("deck", {"ace": 1, "king": 1}))
    new_table.make("offers", read_spec({"system": "decks", "decks": {"x": {"1": 1}, "y": {"2": 1}}}))
    return new_table


def test_the_game_master_rolls_for_people_of_their_own() -> None:
    """Each name has a result, a lot and a place, none of them is the game master's own roll."""
    called = table()
    call = called.call("d20", INITIATIVE)
    event = called.campaign.ask(RollForNames("d20+2", ("Orc", "Orc", "Ogre"), 1, call.seq), called.draws, GM)
    mine = called.answer(call, GM).roll
    read = called.read(call).entries

    assert (event.target, len(event.roll.results), event.roll.text) == (call.seq, 3, "3#1d20+2")
    assert [(entry.name, entry.place, entry.user_id) for entry in read] == [
        ("Orc", 0, None),
        ("Orc", 1, None),
        ("Ogre", 2, None),
        ("", 0, GM),
    ]
    assert [str(entry.total) for entry in read] == [*event.roll.results, *mine.results]
    assert tuple(entry.lot for entry in read) == event.roll.lots + mine.lots
    assert (len(event.roll.lots), len(mine.lots)) == (3, 1)
    assert all(0 <= entry.lot < TIES for entry in read)


def test_rolling_for_names_needs_no_call() -> None:
    """The roll stands for itself then, with its names and without lots; a roller remembers it."""
    called = table()
    event = called.campaign.ask(RollForNames("Luck", ("Orc", "Ogre")), called.draws, GM)

    assert (event.target, event.roller, event.roll.names) == (None, "luck", ("Orc", "Ogre"))
    assert event.roll.lots == ()
    assert called.campaign.rollers["luck"].last == event.seq


@pytest.mark.parametrize(
    ("dice", "names", "terms", "words"),
    [
        ("d20", (), None, "Roll for 1 to 20 at once, not for 0"),
        ("d20", ("Orc",) * 21, None, "Roll for 1 to 20 at once, not for 21"),
        ("d20", ("Orc", ""), None, "you roll for a name"),
        ("2#d20", ("Orc",), None, "Each rolls once"),
        ("2#d20", ("Orc",) * 20, None, "1 to 20 times"),
        ("offers", ("Orc",), None, "Each rolls once"),
        ("100d6", ("Orc",) * 6, None, "At most 500 dice"),
        ("cards", ("Orc",), INITIATIVE, "Cards shows no number"),
        ("cards", ("Orc",), DEAL, "deals to players only"),
    ],
)
def test_names_that_can_not_be_rolled_for(
    dice: str, names: tuple[str, ...], terms: Terms | None, words: str
) -> None:
    """Too few, too many, without a name, or where the roll does not fit the call."""
    called = table()
    number = called.call("cards" if terms is DEAL else "d20", terms).seq if terms else None
    events = [*called.campaign.events]
    with pytest.raises(DiceError, match=words):
        called.campaign.ask(RollForNames(dice, names, 1 if number else None, number), called.draws, GM)

    assert called.campaign.events == events


def test_what_is_added_to_a_roller_is_each_names_own() -> None:
    """Dice beside it and a DC; entries of a call have their whole totals, and all is made again so."""
    called = table()
    call = called.call("d20", INITIATIVE)
    added = read_adjustment("+1d4+2")
    names = RollForNames("Luck", ("Orc", "Ogre"), 1, call.seq, adjustment=added)
    event = called.campaign.ask(names, called.draws, GM)
    alone = RollForNames("luck", ("Orc", "Ogre"), adjustment=added, terms=CheckTerms(9))
    checked = called.campaign.ask(alone, called.draws, GM)
    totals = [int(face) + int(more) for face, more in zip(event.roll.results, event.roll.added, strict=True)]

    assert event.roll.rest == "1d4+2"
    assert [entry.total for entry in called.read(call).entries] == totals
    assert checked.roll.check == CheckTerms(9)
    assert repeat_command(checked, EVENHAND) == replace(
        alone, options=RollOptions(visibility=Visibility.PUBLIC)
    )
    assert replay(event)[0] == event.roll.outcomes
    for refused in (
        RollForNames("Luck", ("Orc",), 1, call.seq, terms=CheckTerms(9)),
        replace(alone, dice="Cards"),
        RollForNames("Luck", ("Orc",), adjustment=read_adjustment("adv")),
    ):
        with pytest.raises(DiceError, match=r"Leave the DC out|shows no number|Advantage is for one roll"):
            called.campaign.ask(refused, called.draws, GM)


@pytest.mark.parametrize("end", [CloseCall, CancelCall])
def test_nobody_joins_a_call_that_is_over(end: type[CloseCall | CancelCall]) -> None:
    """The game master's own do not either."""
    called = Table()
    call = called.call("d20", INITIATIVE)
    called.campaign.ask(end(1, call.seq), called.draws, GM)
    with pytest.raises(DiceError, match=r"is closed|was cancelled"):
        called.campaign.ask(RollForNames("d20", ("Orc",), 1, call.seq), called.draws, GM)


def test_lots_are_drawn_for_initiative_alone() -> None:
    """Nothing is drawn beyond the dice where no tie has to be broken."""
    for terms, lots in ((INITIATIVE, True), (Terms(Form.CHECK), False)):
        called = Table(draws=seeded(4))
        event = called.answer(called.call("d20", terms), 1)

        assert bool(event.roll.lots) == lots
