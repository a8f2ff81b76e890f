"""Rolls of cards and maps: what they record, and what they leave alone."""

import pytest

from bot.campaign.campaigns import TABLE
from bot.campaign.deals import MAP, DealCards, RollDestination
from bot.campaign.kinds import Kind
from bot.campaign.replay import read_roll, replay
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.errors import SpecError, Unknown
from bot.record.codec import encode
from bot.systems.destinator import SLOTS, Destinator
from bot.systems.odds import chances, odds
from bot.systems.registry import read_spec
from tests.support.play import Campaign

HOME = Destinator(("Here",) * 22, (("Here", SLOTS),))
AWAY = Destinator(("There",) * 22, (("There", SLOTS),))


def test_a_deal_is_the_roll_of_its_deck() -> None:
    """Dealing five cards records the very event that rolling five times does."""
    deck = read_spec({"system": "deck", "base": {"a": 3, "b": 3}})
    first, other = Campaign(), Campaign()
    for campaign in (first, other):
        campaign.ask(MakeRoller("Cards", deck), seeded(1))

    assert first.ask(DealCards(" cards ", 5), seeded(2)) == other.ask(RollDice("cards", 5), seeded(2))


def test_what_has_no_cards_is_not_dealt() -> None:
    """Neither a roller of dice, nor one that is not there, nor one that was removed."""
    campaign = Campaign()
    campaign.ask(MakeRoller("Luck", read_spec({"system": "fair", "base": "2d6"})), seeded(1))

    with pytest.raises(SpecError, match="Luck has no cards"):
        campaign.ask(DealCards("luck"), seeded(1))
    with pytest.raises(Unknown, match="There is no deck `1d6`"):
        campaign.ask(DealCards("1d6"), seeded(1))
    campaign.ask(RemoveRoller("luck"), seeded(1))
    with pytest.raises(Unknown, match="There is no deck `luck`"):
        campaign.ask(DealCards("luck"), seeded(1))
    assert len(campaign.events) == 2


def test_the_first_journey_makes_the_map() -> None:
    """The channel's own map is the given one at first, and then stays, whatever is given."""
    campaign = Campaign()
    first = campaign.ask(RollDestination(HOME), seeded(1))
    second = campaign.ask(RollDestination(AWAY), seeded(2))

    assert (first.kind, first.roller) == (Kind.ROLL, MAP)
    assert [event.roll.results[0].split(":")[0] for event in (first, second)] == ["Here", "Here"]
    assert read_roll(second).outcomes[0].throw
    assert replay(first)[1] == ()


def test_an_imported_map_takes_its_place_and_can_be_undone() -> None:
    """A game master's map is rolled from then on; undone, the first one is there again."""
    campaign = Campaign()
    campaign.ask(RollDestination(HOME), seeded(1))
    campaign.ask(MakeRoller("destination", AWAY), seeded(1))
    away = campaign.ask(RollDestination(HOME), seeded(2))
    campaign.ask(UndoRoller(MAP), seeded(1))
    campaign.ask(UndoRoller(MAP), seeded(1))
    home = campaign.ask(RollDestination(AWAY), seeded(2))

    assert [event.roll.results[0].split(":")[0] for event in (away, home)] == ["There", "Here"]


def test_a_removed_map_is_made_anew() -> None:
    """After a removal the next journey makes the given map, and an undo of it leads back past the removal."""
    campaign = Campaign()
    campaign.ask(RollDestination(HOME), seeded(1))
    campaign.ask(RemoveRoller(MAP), seeded(1))
    second = campaign.ask(RollDestination(AWAY), seeded(1))

    assert second.roll.results[0].startswith("There: ")
    assert second.roll.prev == 2


def test_no_other_map_is_made_up() -> None:
    """A map of another name has to be there, and has to be a map."""
    campaign = Campaign()
    campaign.ask(MakeRoller("Luck", read_spec({"system": "fair", "base": "2d6"})), seeded(1))

    with pytest.raises(Unknown, match="There is no map `North`"):
        campaign.ask(RollDestination(HOME, "North"), seeded(1))
    with pytest.raises(SpecError, match="Luck is no map"):
        campaign.ask(RollDestination(HOME, "luck"), seeded(1))


def test_several_decks_have_chances_of_their_own() -> None:
    """Each deck's chances add up to 1, and are those of the deck alone; other systems' are their odds."""
    decks = read_spec({"system": "decks", "decks": {"x": {"a": 2, "b": 2}, "y": {"c": 3, "d": 1}}})
    memory = decks.advance(decks.advance(decks.start(), 0), 2)
    x = read_spec({"system": "deck", "base": {"a": 2, "b": 2}})
    y = read_spec({"system": "deck", "base": {"c": 3, "d": 1}})
    law = chances(decks, memory)

    assert law[:2] == odds(x, x.advance(x.start(), 0))
    assert law[2:] == odds(y, y.advance(y.start(), 0))
    assert chances(x, x.start()) == odds(x, x.start())


def test_a_memory_may_drift_too_far_to_be_written() -> None:
    """Dynamic dice with a factor of almost 1: a sentence says what to do, and a reset does it."""
    campaign = Campaign()
    rule = read_spec({"system": "dynamic", "base": "1d2", "factor": "0.999999"})
    campaign.ask(MakeRoller("Drift", rule), seeded(1))
    campaign.memories["drift"] = {(1, TABLE): (720, 0)}

    with pytest.raises(SpecError, match=r"chances of Drift .* `/roller reset`"):
        campaign.ask(RollDice("drift"), seeded(1))
    campaign.ask(ResetRoller("drift"), seeded(1))
    assert encode(campaign.ask(RollDice("drift"), seeded(1)).body)
