"""Ways to a d100 and real dice in a campaign: what they record, keep and replay."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.campaigns import LEFTOVERS, REGISTER, TABLE
from bot.campaign.command import Command
from bot.campaign.d100_rolls import (
    KEPT,
    Real,
    ResetRegister,
    RollMethod,
    Start,
    real_dice,
    roll_register,
    roller_name,
)
from bot.campaign.events import Event, RegisterReset
from bot.campaign.kinds import Kind
from bot.campaign.replay import read_roll, replay
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.physical import table_progress
from bot.d100.pool import PoolMethod
from bot.d100.ways import digits_to_number, read_throw
from bot.dice.draws import Source, seeded
from bot.dice.errors import SpecError, Unknown
from tests.support.play import PLAYER, Campaign
from tests.support.systems import make


def real(of: Real, faces: tuple[int, ...]) -> Command:
    """The command that records real dice."""
    return real_dice(faces, of)


FACES = st.lists(st.integers(1, 6), min_size=1, max_size=9).map(tuple)


@given(st.lists(FACES, min_size=1, max_size=6), st.integers(0, 10**6))
def test_real_dice_feed_the_register(throws: list[tuple[int, ...]], seed: int) -> None:
    """Each throw adds what it reads to the value before, is physical, and replays with those very dice."""
    campaign, value = Campaign(), 0
    for faces in throws:
        event = campaign.ask(real(Real.REGISTER, faces), seeded(seed))
        reads = digits_to_number((face, 6) for face in faces)
        value = (value + reads) % 100
        (outcome,) = read_roll(event).outcomes

        assert event.roll.source is Source.PHYSICAL
        assert event.roll.results == (str(value or 100),) == (outcome.face,)
        assert outcome.throw
        assert read_throw(outcome.throw) == reads
        assert replay(event)[1] == (value,)


@pytest.mark.parametrize("length", [3, 5])
def test_real_dice_feed_the_table(length: int) -> None:
    """A throw that ends the table is a roll of its value; any other is refused, and writes nothing."""
    for faces in [*product(range(1, 7), repeat=length)][:: 1 if length == 3 else 7]:
        campaign, progress = Campaign(), table_progress(faces)
        if progress.missing or progress.used < length:
            with pytest.raises(SpecError):
                real_dice(faces, Real.TABLE)
        else:
            event = campaign.ask(real(Real.TABLE, faces), seeded(0))
            assert event.roll.source is Source.PHYSICAL
            assert event.roll.draws == tuple((6, face - 1) for face in faces)
            assert event.roll.results == (read_roll(event).outcomes[0].face,)


def test_the_worked_example_as_an_event() -> None:
    """6, 1, 5, 4, 6 is 44 in the history."""
    event = Campaign().ask(real(Real.TABLE, (6, 1, 5, 4, 6)), seeded(0))

    assert (event.kind, event.roller, event.roll.results) == (Kind.ROLL, "d100 table", ("44",))


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (RollMethod(PoolMethod(6, 10)), "Only a d100"),
        (RemoveRoller("D100 pool"), "d100 pool belongs to every campaign"),
        (RemoveRoller("d100 leftovers"), "d100 leftovers belongs"),
        (MakeRoller("d100 Table", make("dice")), "for the ways of `/d100`"),
    ],
)
def test_what_can_not_be_done_is_refused(refused: Command, words: str) -> None:
    """Each has its sentence, and leaves the campaign as it was."""
    campaign = Campaign()
    for system in (PoolMethod(), LeftoversMethod()):
        campaign.ask(RollMethod(system), seeded(0))
    with pytest.raises(SpecError, match=words):
        campaign.ask(refused, seeded(0))

    assert len(campaign.events) == 2


@pytest.mark.parametrize(
    ("of", "faces", "words"),
    [
        (Real.REGISTER, (), "Type the dice"),
        (Real.REGISTER, (1,) * 10, "integer of 1 to 9"),
        (Real.TABLE, (6, 1, 5), "wants 2 more dice"),
        (Real.TABLE, (3, 5, 1, 6), "Type 3 5 1 alone"),
    ],
)
def test_too_few_and_too_many_real_dice(of: Real, faces: tuple[int, ...], words: str) -> None:
    """Nothing is asked of a campaign before the dice make a value, and none is left over."""
    with pytest.raises(SpecError, match=words):
        real_dice(faces, of)


def undone(campaign: Campaign, name: str) -> Event:
    """Take back the newest thing that happened to it."""
    return campaign.ask(UndoRoller(name), seeded(0))


def test_leftovers_count_for_the_table() -> None:
    """Three uses by two players shift the sixteen throws three times, and an undo takes one back."""
    campaign, system = Campaign(), LeftoversMethod()
    for user in (1, 2, 1):
        campaign.ask(RollMethod(system), seeded(user), user=user)

    assert campaign.memories[LEFTOVERS] == {(1, TABLE): (3,)}
    undone(campaign, LEFTOVERS)
    assert campaign.memories[LEFTOVERS] == {(1, TABLE): (2,)}


def test_what_is_kept_is_ones_own_and_can_be_undone() -> None:
    """Each player has their own, an undo gives it back, and a reset of the roller forgets all."""
    campaign, system = Campaign(), PoolMethod()
    name = roller_name(system)
    first = campaign.ask(RollMethod(system), seeded(1), user=1)
    memory = campaign.memories[name][1, 1]
    other = campaign.ask(RollMethod(system), seeded(2), user=2)
    campaign.ask(RollMethod(system, 3), seeded(3), user=1)
    undone(campaign, name)

    assert name in KEPT
    assert first.roll.before == other.roll.before == system.start()
    assert campaign.memories[name][1, 1] == memory != system.start()
    campaign.ask(ResetRoller(name), seeded(0))
    assert campaign.ask(RollMethod(system), seeded(4), user=1).roll.before == system.start()


def test_ways_without_a_memory_leave_nothing_but_the_event() -> None:
    """No roller is made by the table, however often, and there is nothing to undo."""
    campaign = Campaign()
    campaign.ask(real(Real.TABLE, (6, 1, 5, 4, 6)), seeded(0))
    event = campaign.ask(RollMethod(Method("table"), 4), seeded(0))

    assert len(event.roll.results) == len(read_roll(event).outcomes) == 4
    assert (campaign.rollers, campaign.memories, event.roll.prev) == ({}, {}, None)
    with pytest.raises(Unknown):
        undone(campaign, "d100 table")


@pytest.mark.parametrize("start", Start)
def test_resetting_ones_own_register(start: Start) -> None:
    """Only the asker's value changes, to 0 or to a value drawn openly; an undo brings the old one back."""
    campaign = Campaign()
    for user in (1, 2):
        campaign.ask(roll_register(4), seeded(user), user=user)
    mine, other = (campaign.memories[REGISTER][1, user] for user in (1, 2))
    event = campaign.ask(ResetRegister(start), seeded(9), user=1)
    (value,) = campaign.memories[REGISTER][1, 1]
    body = event.body

    assert isinstance(body, RegisterReset)
    assert campaign.memories[REGISTER][1, 2] == other
    assert body.source is (Source.LOCAL if start is Start.RANDOM else None)
    assert body.draws == (((100, value),) if start is Start.RANDOM else ())
    assert (body.value, bool(body.draws)) == (value, start is Start.RANDOM)
    assert (value == 0) == (start is Start.ZERO)
    undone(campaign, REGISTER)
    assert campaign.memories[REGISTER][1, 1] == mine
    undone(campaign, REGISTER)
    assert campaign.memories[REGISTER][1, 2] == (0,)


def test_a_reset_before_the_first_roll() -> None:
    """A register can begin at a random value, and the first roll is added to it."""
    campaign = Campaign()
    campaign.ask(ResetRegister(Start.RANDOM), seeded(9))
    (start,) = campaign.memories[REGISTER][1, PLAYER]
    event = campaign.ask(roll_register(4), seeded(1))

    assert event.roll.before == (start,)
    replay(event)
    undone(campaign, REGISTER)
    undone(campaign, REGISTER)
    assert campaign.memories[REGISTER][1, PLAYER] == (0,)
