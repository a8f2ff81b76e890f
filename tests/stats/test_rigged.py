"""Whether dice are rigged: fair ones are left in peace, and bent ones are found out."""

from dataclasses import replace
from math import log

import pytest

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.stats.luck import plain_die
from bot.stats.processes import bet_on_memory, bet_on_repeats, bet_on_values
from bot.stats.rigged import examine_plain, examine_roller, needed
from bot.systems.checks import CheckTerms
from bot.systems.registry import print_spec, read_spec
from tests.support.play import Campaign
from tests.support.systems import make

D6 = plain_die("d6")
ENOUGH = log(20)


def faces(dice: int, weights: tuple[int, ...], seed: int = 1) -> list[str]:
    """So many throws of a bent die."""
    draws = seeded(seed)
    return [str(draws.choose(weights) + 1) for _ in range(dice)]


def rolled(memory: Remembers, users: int) -> list[Event]:
    """Rolls of a fair roller by several players, with a reset half way."""
    roller = Roller("luck", print_spec(make("fair", "1d6", tightness="1.5")), memory, epoch=0)
    campaign, draws = Campaign(rollers={"luck": roller}), seeded(3)
    events: list[Event] = []
    for n in range(200):
        if n == 100:
            campaign.ask(ResetRoller("luck"), draws)
        events.append(campaign.ask(RollDice("luck"), draws, 1 + n % users))
    return events


def test_the_average_of_bets_is_their_average() -> None:
    """The evidence of plain dice is the mean worth of the three bets, and the most of it is kept."""
    seen = faces(60, (1,) * 6)
    at = [int(face) - 1 for face in seen]
    logs = zip(*(bet((1,) * 6, at) for bet in (bet_on_values, bet_on_memory, bet_on_repeats)), strict=True)
    worths = [sum(2.718281828459045**one for one in after) / 3 for after in logs]
    found = examine_plain(D6, seen)

    assert found.dice == 60
    assert 2.718281828459045**found.evidence.log_now == pytest.approx(worths[-1])
    assert 2.718281828459045**found.evidence.log_most == pytest.approx(max([1.0, *worths]))
    assert found.test


def test_fair_dice_are_left_in_peace_and_bent_ones_are_not() -> None:
    """A six that comes three times as often as any other face is seen after a hundred rolls."""
    assert examine_plain(D6, faces(300, (1,) * 6)).evidence.log_most < ENOUGH
    assert examine_plain(D6, faces(300, (1, 1, 1, 1, 1, 3))).evidence.log_most > ENOUGH


@pytest.mark.parametrize("memory", [*Remembers])
@pytest.mark.parametrize("users", [1, 3])
def test_a_fair_roller_is_held_against_its_own_chances(memory: Remembers, users: int) -> None:
    """Whoever's memory it was, through a reset, and for one player of several."""
    events = rolled(memory, users)
    own = examine_roller(events)
    one = [event for event in events if event.user_id == 1]
    part = examine_roller(one)

    assert own
    assert part
    assert own.dice == 200
    assert own.evidence.log_most < ENOUGH
    assert part.evidence.log_most < ENOUGH
    assert own.test is None


def test_a_bot_that_says_one_thing_and_does_another_is_found() -> None:
    """Rolls of a gentle roller that are said to be those of a strict one are evidence enough."""
    strict = print_spec(make("fair", "1d6", tightness="9"))
    events = rolled(Remembers.TABLE, 1)
    found = examine_roller([replace(e, body=replace(e.roll, spec=strict)) for e in events])

    assert found
    assert found.evidence.log_most > ENOUGH
    assert examine_roller([replace(e, body=replace(e.roll, before=None)) for e in events]) is None


def checks(tightness: str, times: int) -> list[Event]:
    """Called checks on one account, of two DCs and one that can't fail."""
    system = read_spec({"system": "luck", "tightness": tightness})
    roller = Roller("fate", print_spec(system), Remembers.TABLE, epoch=0)
    campaign, draws, called = Campaign(rollers={"fate": roller}), seeded(3), RollOptions(called=True)
    dcs = [(8, 14, 1)[n % 3] for n in range(times)]
    return [campaign.ask(RollCheck("1d20", CheckTerms(dc), "fate", called), draws) for dc in dcs]


def test_an_account_is_held_against_its_own_chances() -> None:
    """Checks that could not fail say nothing; one that is said to be stricter than it was is found out."""
    events = checks("0.5", 300)
    found = examine_roller(events)
    spec = print_spec(read_spec({"system": "luck", "tightness": "1000", "cap": "12"}))
    bent = examine_roller([replace(e, body=replace(e.roll, spec=spec)) for e in events])

    assert found
    assert found.dice == 200
    assert found.evidence.log_most < ENOUGH
    assert bent
    assert bent.evidence.log_most > ENOUGH


def test_how_many_it_takes() -> None:
    """Of a d6 about 4,300 dice; of a die with one face there is no telling."""
    assert 3_800 < (needed((1,) * 6) or 0) < 4_800
    assert needed((1,)) is None
