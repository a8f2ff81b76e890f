"""Whether dice are rigged: fair ones are left in peace, bent ones are found out, and nothing is forgotten."""

from collections.abc import Sequence
from dataclasses import replace
from math import log
from random import Random

import pytest

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import Real, real_dice
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.rolled import OfAccount, OfRoller
from bot.campaign.roller_commands import ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.stats.luck import plain_die
from bot.stats.processes import BetState
from bot.stats.rigged import (
    EVERYBODY,
    Examined,
    Fall,
    Subject,
    bet_on,
    carry_on,
    examine,
    falls,
    needed,
    system_of,
)
from bot.systems.checks import CheckTerms
from bot.systems.registry import print_spec, read_spec
from tests.support.histories import mixed_history
from tests.support.play import Campaign
from tests.support.systems import make

D6 = plain_die("d6")
ENOUGH = log(20)


def faces(dice: int, weights: tuple[int, ...], seed: int = 1) -> list[str]:
    """Return this number of throws of a bent die."""
    draws = seeded(seed)
    return [str(draws.choose(weights) + 1) for _ in range(dice)]


def examine_faces(faces: Sequence[str]) -> Examined:
    """What is said of a d6 that fell so."""
    thrown = Campaign().ask(RollDice("1d6"), seeded(1))
    return examine(D6, bet_on("d6", [Fall(thrown, faces)]))


def examine_roller(events: Sequence[Event], user_id: int = EVERYBODY) -> Examined | None:
    """What is said of somebody's rolls of the only roller; None for none."""
    found = {subject: fallen for subject, fallen in falls(events).items() if subject.user_id == user_id}
    if not found:
        return None
    ((subject, fallen),) = found.items()
    return examine(system_of(subject.die, fallen), bet_on(subject.die, fallen))


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


def test_fair_dice_are_left_in_peace_and_bent_ones_are_not() -> None:
    """A six that comes three times as often as any other face is seen after a hundred rolls."""
    assert examine_faces(faces(300, (1,) * 6)).evidence.log_most < ENOUGH
    assert examine_faces(faces(300, (1, 1, 1, 1, 1, 3))).evidence.log_most > ENOUGH


@pytest.mark.parametrize("memory", [*Remembers])
@pytest.mark.parametrize("users", [1, 3])
def test_a_fair_roller_is_held_against_its_own_chances(memory: Remembers, users: int) -> None:
    """Whoever's memory it was, through a reset, and for one player of several."""
    events = rolled(memory, users)
    own = examine_roller(events)
    part = examine_roller(events, 1)

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
    found = examine_roller([replace(e, body=replace(e.roll, of=OfRoller(strict))) for e in events])

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
    bent = examine_roller([replace(e, body=replace(e.roll, of=OfAccount(spec, e.roll.dice))) for e in events])

    assert found
    assert found.dice == 200
    assert found.evidence.log_most < ENOUGH
    assert bent
    assert bent.evidence.log_most > ENOUGH


def test_how_many_it_takes() -> None:
    """Of a d6 about 2,300 dice; of a die with one face there is no telling."""
    assert 2_000 < (needed((1,) * 6) or 0) < 2_500
    assert needed((1,)) is None


def same(one: dict[Subject, BetState], other: dict[Subject, BetState]) -> bool:
    """Whether bets stand alike; floats may be rounded otherwise."""

    def rough(state: BetState) -> list[float]:
        return [state.log_now, state.log_most, *state.logs, *state.expected]

    def whole(state: BetState) -> BetState:
        return replace(state, log_now=0, log_most=0, logs=(), expected=())

    return one.keys() == other.keys() and all(
        whole(one[at]) == whole(other[at]) and rough(one[at]) == pytest.approx(rough(other[at]), abs=1e-9)
        for at in one
    )


@pytest.mark.parametrize("ways", [False, True])
def test_bets_that_are_carried_are_those_on_the_whole_history(*, ways: bool) -> None:
    """Of every kind of roller, with resets, undos and a player erased half way, in pieces of any length."""
    random = Random(1)  # noqa: S311 (how it is cut, not what is rolled)
    events = mixed_history(400, ways=ways)
    whole, states, done = carry_on({}, events), dict[Subject, BetState](), 0
    while done < len(events):
        end = done + random.randint(1, 60)
        states |= carry_on(states, events[done:end])
        done = end

    assert same(states, whole)
    assert len({die for _, die in whole}) > 5
    assert {user for user, _ in whole} == {EVERYBODY, 1, 2, 3}


def test_what_is_chosen_after_a_roll_changes_nothing() -> None:
    """An undo or an erasure takes nothing away, a reveal adds nothing, and typed dice do not count."""
    roller = Roller("luck", print_spec(make("fair", "1d6")), Remembers.TABLE, epoch=0)
    campaign, draws = Campaign(rollers={"luck": roller}), seeded(4)
    stood = campaign.ask(RollDice("luck", 20), draws)
    undone = campaign.ask(RollDice("luck", 20), draws)
    campaign.ask(UndoRoller("luck"), draws)
    hidden = campaign.ask(RollDice("luck", options=RollOptions(visibility=Visibility.BLIND)), draws)
    campaign.ask(Reveal(None, hidden.seq), draws)
    campaign.ask(real_dice((2, 4, 6), Real.TABLE), draws)
    states = carry_on({}, campaign.events)
    nobodys = carry_on({}, [replace(event, user_id=None) for event in campaign.events])

    assert states == carry_on({}, [stood, undone])
    assert [sum(state.counts) for state in states.values()] == [40, 40]
    assert nobodys == {at: state for at, state in states.items() if at.user_id == EVERYBODY}
