"""Dice that a player chooses after a roll of a game: thrown again, or kept while all others go."""

from dataclasses import replace

import pytest

from bot.campaign.campaigns import USUAL
from bot.campaign.choosing import Choosable, ChooseDice, choosable
from bot.campaign.events import Event
from bot.campaign.replay import count, moment, read_roll
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError, NotAllowed
from bot.parsing.texts import read_as, shipped
from bot.record.findings import Broken
from bot.record.lineage import Lineage
from bot.words.text import dice_shown as written
from tests.support.play import Campaign, audited
from tests.support.tapes import Tape

ANN, BOB = 1, 2
WORDS = read_as(USUAL)


def rolled(campaign: Campaign, words: str, *draws: int) -> Event:
    """A roll in a game's words that falls so; faces count from 0."""
    return campaign.ask(RollDice(words, by=WORDS), Tape(draws), ANN)


def dice(event: Event) -> Choosable | None:
    """What may be chosen of a roll."""
    return choosable(event, USUAL, shipped())


def chosen(campaign: Campaign, first: Event, places: set[int], *draws: int, user: int = ANN) -> Event:
    """What follows when these dice are chosen; those that are thrown fall so."""
    command = ChooseDice(*first.at, frozenset(places), dice(first))
    return campaign.ask(command, Tape(draws), user)


@pytest.mark.parametrize(
    ("words", "fell", "free", "places", "again", "result", "shown"),
    [
        ("shadowrun 4", (5, 0, 2, 3), (1, 2, 3), {1, 3}, (4, 5), "success", "4d6 (6, 5, 3, 6) · hits 3"),
        ("shadowrun 3", (0, 1, 5), (0, 1), {1}, (0,), "glitch (success)", "3d6 (1, 1, 6) · hits 1"),
        (
            "savage 8",
            (7, 2, 5, 5, 1),
            (0, 1),
            {0},
            (3,),
            "raise",
            "trait 1d8 (~~4~~) · wild 1d6 (6+6+2) · total 14 · raises 2",
        ),
        ("yearzero 4", (5, 0, 2, 3), (2, 3), {3}, (0,), "success", "4d6 (6, 1, 3, 1) · sixes 1 · harm 2"),
        (
            *("alien 2 stress 1", (5, 2, 1), (1, 2), {1}, (5, 0), "success with panic"),
            "base 2d6 (6, 6) · stress dice 2d6 (2, 1) · sixes 2",
        ),
        (
            *("l5r 2 1 tn 3", (5, 1, 11), (0, 1, 2), {0, 2}, (4, 7), "success"),
            "ring dice (et+s) · skill dice (e+s) · strife 1",
        ),
        ("l5r 2 1", (5, 1, 11), (0, 1, 2), {1}, (), "0", "ring dice (ot) · opportunity 1 · strife 1"),
    ],
)
def test_chosen_dice_fall_anew_and_the_others_lie(
    words: str,
    fell: tuple[int, ...],
    free: tuple[int, ...],
    places: set[int],
    again: tuple[int, ...],
    result: str,
    shown: str,
) -> None:
    """Some games throw the chosen dice again, with a further die; others keep them alone. All is audited."""
    campaign = Campaign()
    first = rolled(campaign, words, *fell)
    choice = dice(first)
    second = chosen(campaign, first, places, *again)
    outcome = read_roll(replace(second, body=replace(second.roll, outcomes=()))).outcomes[0]

    assert choice is not None
    assert choice.free == free
    assert (second.roll.pushes, second.roll.results) == (first.seq, (result,))
    assert outcome.throw is not None
    assert written(outcome.throw, 900) == shown
    assert dice(second) is None
    audited(campaign.events)


def test_chosen_dice_count_as_no_rollers() -> None:
    """They were not thrown as the rule says, so neither faces nor odds tell of it; the bits count."""
    campaign = Campaign()
    first = rolled(campaign, "shadowrun 4", 5, 0, 2, 3)
    second = chosen(campaign, first, {1}, 5)

    assert [face for _, face in count(first)] == ["local", "6", "1", "3", "4", "success"]
    assert [*count(second)] == [("bits", "local")]
    assert moment(read_roll(second)) is None


def test_who_panics_does_not_push() -> None:
    """A 1 on a stress die of Alien ends the roll: no dice can be chosen, though some show no six."""
    assert dice(rolled(Campaign(), "alien 2 stress 1", 5, 2, 0)) is None
    assert dice(rolled(Campaign(), "alien 2 stress 1", 0, 2, 1)) is not None


def test_a_critical_failure_of_savage_worlds_stays() -> None:
    """Two ones are thrown again by nobody; one alone is."""
    assert dice(rolled(Campaign(), "savage 8", 0, 0)) is None
    assert dice(rolled(Campaign(), "savage 8", 0, 1)) is not None


@pytest.mark.parametrize(("fell", "free"), [((0, 0, 0, 3), (3,)), ((0, 0, 4, 3), (0, 1, 3))])
def test_a_glitch_of_shadowrun_stays(fell: tuple[int, ...], free: tuple[int, ...]) -> None:
    """Where most dice show 1 these stay, and the others that miss may go."""
    offered = dice(rolled(Campaign(), "shadowrun 4", *fell))

    assert offered is not None
    assert offered.free == free


@pytest.mark.parametrize(
    ("words", "fell", "most", "places"),
    [
        *(("shadowrun 4", (5, 0, 2, 3), 3, places) for places in (set[int](), {0}, {4}, {1, 4})),
        ("l5r 1 1", (5, 5), 1, {0, 1}),
    ],
)
def test_only_free_dice_can_be_chosen(words: str, fell: tuple[int, ...], most: int, places: set[int]) -> None:
    """A hit stays in Shadowrun, of ring 1 and skill 1 one die is kept, and nobody chooses nothing."""
    campaign = Campaign()
    first = rolled(campaign, words, *fell)
    with pytest.raises(DiceError, match=f"Choose 1 to {most} of these dice"):
        chosen(campaign, first, places)


def test_willpower_spares_hunger_dice_and_throws_three_at_most() -> None:
    """Vampire: any dice but those of hunger; who picks four is told how many."""
    campaign = Campaign()
    first = rolled(campaign, "vampire 6 hunger 2 diff 3", 0, 1, 9, 2, 9, 0)
    choice = dice(first)
    with pytest.raises(DiceError, match="Choose 1 to 3 of these dice"):
        chosen(campaign, first, {0, 1, 2, 3})
    with pytest.raises(DiceError, match="Choose 1 to 3 of these dice"):
        chosen(campaign, first, {4})
    second = chosen(campaign, first, {0, 1, 3}, 7, 7, 1)

    assert choice is not None
    assert (choice.free, choice.most) == ((0, 1, 2, 3), 3)
    assert second.roll.results == ("messy critical",)
    audited(campaign.events)


def test_only_who_rolled_chooses() -> None:
    """Another player is refused, and so is a roll of a game without choices."""
    campaign = Campaign()
    first = rolled(campaign, "shadowrun 4", 5, 0, 2, 3)
    other = rolled(campaign, "wod 3", 1, 1, 1)
    with pytest.raises(NotAllowed):
        chosen(campaign, first, {1}, user=BOB)
    with pytest.raises(DiceError, match="No dice of #2 can be chosen"):
        chosen(campaign, other, {1})


@pytest.mark.parametrize(
    "forged",
    [
        {"stood": (((5,), (5,), (2,), ()),)},
        {"stood": (((5,), (), (2,), (3,)),)},
        {"stood": (((5,), (2,), ()),), "again": (3,)},
        {"again": (2,)},
        {"again": (0, 3)},
        {"again": (9,)},
        {"pushes": 2},
    ],
)
def test_dice_that_lay_otherwise_do_not_hold(forged: dict[str, object]) -> None:
    """Another face, another place, another number of dice, another roll."""
    campaign = Campaign()
    first = rolled(campaign, "shadowrun 4", 5, 0, 2, 3)
    rolled(campaign, "shadowrun 4", 5, 5, 5, 3)
    second = chosen(campaign, first, {3}, 5)
    lineage = Lineage()
    for event in campaign.events[:-1]:
        lineage.see(event)
    with pytest.raises(Broken, match="keeps dice that did not fall so"):
        lineage.see(replace(second, body=replace(second.roll, **forged)))
