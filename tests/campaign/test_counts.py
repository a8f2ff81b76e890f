"""What rolls add to the counts of faces."""

from collections import Counter

import pytest

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import RollMethod, roll_register
from bot.campaign.replay import SOURCES, count, is_roller, roller_die, tosses
from bot.campaign.rolls import RollDice
from bot.d100.method import Method
from bot.dice.draws import seeded
from bot.systems.registry import print_spec
from tests.support.play import Campaign, rolled
from tests.support.systems import make


def test_every_toss_of_plain_dice_counts() -> None:
    """Dropped dice, rerolled faces and explosions too: each of them fell."""
    event = rolled("6#4d6ro<3!kh2 + 1d20 + 2dF + 5", seed=3).event
    tally = count(event)
    of = Counter[str]()
    for (die, _), n in tally.items():
        of[die] += n

    assert of["d6"] > 24
    assert (of["d20"], of["dF"], of[SOURCES]) == (6, 12, 1)
    assert tally[SOURCES, "local"] == 1
    assert {face for die, face in tally if die == "dF"} <= {"-1", "0", "1"}


def test_dice_of_too_many_sides_are_left_out() -> None:
    """A die of a million sides would be a row for every roll."""
    assert count(rolled("1d1000000").event) == {(SOURCES, "local"): 1}


@pytest.mark.parametrize(
    "dice",
    ["d{2,4,6}", "d{1,1,1,2}", "d20rr<10", "4d6u", "2d6rr1!", "(2d6rr1)>=9", "1d{1,2,2}-1", "d6rr1 vs d6rr6"],
)
def test_dice_that_are_not_even_are_left_out(dice: str) -> None:
    """No plain die falls so: with them the dice of the same number of sides would look rigged."""
    mixed = rolled(f"{dice}; 1d20").event

    assert count(rolled(dice).event) == {(SOURCES, "local"): 1}
    assert [die for die, _ in tosses(mixed)] == ["d20"]
    assert not any(die == "d20" for die, _ in tosses(mixed, even=False)) or "d20" in dice


def test_a_roller_is_a_die_of_its_own() -> None:
    """Its faces count, not the dice that show them; tuned on the same die, with another base not."""
    loose, tight, other = (
        make("fair", base, tightness=t) for base, t in (("2d6", "1"), ("2d6", "3"), ("1d6", "1"))
    )
    campaign = Campaign(rollers={"evil": Roller("Evil", print_spec(loose), Remembers.TABLE, epoch=0)})
    event = campaign.ask(RollDice("evil", 3), seeded(0))
    die = roller_die("EVIL", print_spec(tight))

    assert count(event) == Counter([(die, face) for face in event.roll.results]) + Counter(
        {(SOURCES, "local"): 1}
    )
    assert is_roller(die)
    assert roller_die("evil", print_spec(other)) != die != roller_die("good", print_spec(loose))


def test_practice_is_no_roller_s() -> None:
    """It counts where its bits came from and nothing else; a way to a d100 that keeps nothing counts too."""
    practice = Campaign().ask(roll_register(4, options=RollOptions(practice=True)), seeded(0))
    table = Campaign().ask(RollMethod(Method("table")), seeded(0))
    die = roller_die("d100 table", table.roll.spec)

    assert count(practice) == {(SOURCES, "local"): 1}
    assert count(table) == {(SOURCES, "local"): 1, (die, table.roll.results[0]): 1}
