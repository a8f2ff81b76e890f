"""A recorded roll comes out again from its record alone, and from no other."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Event, Undone
from bot.campaign.kinds import Kind
from bot.campaign.replay import read_roll, replay
from bot.campaign.rolled import OfDice, OfRoller
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.d100.ways import read_throw
from bot.dice.draws import ReplayError, seeded
from bot.dice.expressions import Expression
from bot.dice.system import Outcome, System, step
from bot.dice.throws import roll
from bot.record.codec import Parts, decode, encode
from bot.systems.registry import SYSTEMS, print_spec, read_spec
from tests.support.expressions import rolls
from tests.support.play import Campaign, rolled
from tests.support.systems import EXAMPLES, make

EVERY: list[System] = [
    make("dice", "2d6+1"),
    make("fair", "2d6", tightness="1.5"),
    *(read_spec(spec) for spec in EXAMPLES.values() if spec["system"] != "luck"),
]


def fair_roll() -> Event:
    """The third roll of a fair roller, three times over."""
    campaign = Campaign()
    draws = seeded(1)
    campaign.ask(MakeRoller("evil", make("fair", tightness="1.5")), draws)
    return [campaign.ask(RollDice("evil", 3), draws) for _ in range(3)][-1]


def from_json(event: Event) -> Event:
    """The event as it is read back from JSON, without what was made with it."""
    parts = Parts(**json.loads(json.dumps(encode(event.body)._asdict())))
    return replace(event, body=decode(event.kind, event.target, parts))


def test_every_system_is_replayed_here() -> None:
    """No system of the registry is missing from this file."""
    assert {system.name for system in EVERY} == {*SYSTEMS} - {"luck"}


@settings(max_examples=50)
@given(rolls(), st.integers(0, 10**6))
def test_replay_is_play_for_any_notation(expression: Expression, seed: int) -> None:
    """The record of any roll gives every die as it fell, and nothing is remembered."""
    draws = seeded(seed)
    throws = [roll(expression, draws) for _ in range(expression.repeat)]
    outcomes, after = replay(rolled(str(expression), seed=seed).event)

    assert outcomes == tuple(Outcome(str(throw.total), throw) for throw in throws)
    assert after == ()


@pytest.mark.parametrize("system", EVERY, ids=lambda system: print_spec(system)[11:40])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), times=st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_replay_is_play_for_every_system(system: System, seed: int, times: list[int]) -> None:
    """Each record of a roller gives the outcomes and the memory that playing gave, hand by hand."""
    campaign, draws, same_draws = Campaign(), seeded(seed), seeded(seed)
    campaign.ask(MakeRoller("evil", system), draws)
    memory = system.start()
    for n in times:
        event = campaign.ask(RollDice("evil", n), draws)
        before, outcomes = memory, list[Outcome]()
        for _ in range(n * system.hand):
            outcome, memory = step(system, memory, same_draws)
            outcomes.append(outcome)

        stored = from_json(event)
        assert stored.roll.before == before
        assert replay(stored) == (tuple(outcomes), memory)
        assert (event.roll.outcomes, event.roll.after) == (tuple(outcomes), memory)
        assert read_roll(stored).outcomes == tuple(outcomes)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), max_size=8), st.integers(0, 10**6))
def test_the_register_goes_on_from_its_record(rolls: list[tuple[int, int]], seed: int) -> None:
    """With any numbers of dice, each d100 is the value before plus what the dice read, modulo 100."""
    campaign, draws, value = Campaign(), seeded(seed), 0
    for dice, times in rolls:
        for outcome in read_roll(campaign.ask(roll_register(dice, times), draws)).outcomes:
            assert outcome.throw
            value = (value + read_throw(outcome.throw)) % 100
            assert outcome.face == str(value or 100)


def changed(event: Event, **changes: Any) -> Event:
    """The event with another body."""
    return replace(event, body=replace(event.roll, **changes))


EVENT = fair_roll()
RESULTS, SPEC = EVENT.roll.results, EVENT.roll.spec
DRAWS, BEFORE = EVENT.roll.draws, [*(EVENT.roll.before or ())]
TOTAL, INDEX = DRAWS[0]
PLAIN = rolled("3#2d6").event
TAMPERED = {
    "another face": changed(EVENT, results=("13", *RESULTS[1:])),
    "faces in another order": changed(EVENT, results=(*RESULTS[1:], RESULTS[0])),
    "a face fewer": changed(EVENT, results=RESULTS[:2]),
    "a face more": changed(EVENT, results=(*RESULTS, "7")),
    "no face": changed(EVENT, results=(), draws=()),
    "another draw": changed(EVENT, draws=((TOTAL, (INDEX + 1) % 11), *DRAWS[1:])),
    "an index out of bounds": changed(EVENT, draws=((TOTAL, 11), *DRAWS[1:])),
    "an index below 0": changed(EVENT, draws=((TOTAL, -1), *DRAWS[1:])),
    "another weight": changed(EVENT, draws=((TOTAL + 1, INDEX), *DRAWS[1:])),
    "a draw fewer": changed(EVENT, draws=DRAWS[:-1]),
    "a draw more": changed(EVENT, draws=(*DRAWS, (6, 1))),
    "no draws": changed(EVENT, draws=()),
    "another memory": changed(EVENT, before=(*BEFORE[1:], BEFORE[0])),
    "a shorter memory": changed(EVENT, before=tuple(BEFORE[:-1])),
    "a longer memory": changed(EVENT, before=(*BEFORE, 0)),
    "an empty memory": changed(EVENT, before=()),
    "no memory": changed(EVENT, before=None),
    "another tightness": changed(EVENT, of=OfRoller(SPEC.replace("1.5", "2"))),
    "a rule that is none": changed(EVENT, of=OfRoller("{}")),
    "a rule that is no JSON": changed(EVENT, of=OfRoller("evil")),
    "another kind": replace(EVENT, body=Undone(roller="evil", target=3)),
    "other dice": changed(PLAIN, of=OfDice("3#2d8")),
    "dice for fewer results": changed(PLAIN, of=OfDice("2#2d6")),
    "fewer results": changed(PLAIN, results=PLAIN.roll.results[:2]),
    "no dice": changed(PLAIN, of=OfDice("evil")),
    "a register without a value": changed(Campaign().ask(roll_register(4), seeded(0)), before=()),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_tampered_records_are_refused(how: str) -> None:
    """A face, a draw, a memory or a rule that was changed afterwards does not fit the others."""
    with pytest.raises(ReplayError):
        replay(TAMPERED[how])


def test_untampered_records_are_not() -> None:
    """What the tests above change fits as it is."""
    assert len(replay(EVENT)[0]) == len(replay(PLAIN)[0]) == 3
    assert decode(Kind.ROLL, None, encode(EVENT.body)) == EVENT.body
