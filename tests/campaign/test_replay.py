from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.events import Event, Kind
from bot.campaign.replay import memory_before, read_roll, replay
from bot.campaign.roller_requests import MakeRoller
from bot.campaign.rolls import RollDice, RollRegister
from bot.d100.ways import read_throw
from bot.dice.bases import Json
from bot.dice.draws import ReplayError
from bot.dice.expressions import Expression
from bot.dice.seeded import seeded
from bot.dice.system import Outcome, System, step
from bot.dice.throws import roll
from bot.systems.registry import SYSTEMS, print_spec, read_spec
from tests.support.expressions import rolls
from tests.support.play import Campaign, rolled
from tests.support.systems import make

EVERY: list[System] = [
    make("dice", "2d6+1"),
    make("fair", "2d6", tightness="1.5"),
    make("fair", {"a": 1, "b": 2}, tightness="inf"),
    make("dynamic", "1d6", factor="0.355"),
    make("deck", "1d6", size=2, refill=6),
    make("deck", {"a": 2, "b": 2, "c": 1}, no_repeat=True),
    read_spec({"system": "decks", "decks": {"x": {"a": 3, "b": 3}, "y": {"c": 1, "d": 1}}}),
    read_spec({"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c"]}, "block": 2}),
    read_spec(
        {
            "system": "destinator",
            "regions": [*"ns" * 11],
            "cities": {"n": [*"p" * 22], "s": [*"qr" * 11]},
        }
    ),
    read_spec({"system": "register", "dice": 3, "values": 10}),
    read_spec({"system": "method", "method": "digits"}),
    read_spec({"system": "pool", "values": 10}),
    read_spec({"system": "leftovers", "values": 10}),
]


def fair_roll() -> Event:
    """The third roll of a fair roller, three times over."""
    campaign = Campaign()
    draws = seeded(1)
    campaign.ask(MakeRoller("evil", make("fair", tightness="1.5")), draws)
    return [campaign.ask(RollDice("evil", 3), draws) for _ in range(3)][-1]


def test_every_system_is_replayed_here() -> None:
    """No system of the registry is missing from this file."""
    assert {system.name for system in EVERY} == {*SYSTEMS}


@settings(max_examples=50)
@given(rolls(), st.integers(0, 10**6))
def test_replay_is_play_for_any_notation(expression: Expression, seed: int) -> None:
    """The record of any roll gives every die as it fell, and nothing is remembered."""
    draws = seeded(seed)
    throws = [roll(expression, draws) for _ in range(expression.repeat)]
    outcomes, memory = replay(rolled(str(expression), seed=seed).event)

    assert outcomes == tuple(Outcome(str(throw.total), throw) for throw in throws)
    assert memory == ()


@pytest.mark.parametrize("system", EVERY, ids=lambda system: print_spec(system)[11:40])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), times=st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_replay_is_play_for_every_system(system: System, seed: int, times: list[int]) -> None:
    """Each record of a roller gives the outcomes and the memory that playing gave, hand by hand."""
    campaign, draws, again = Campaign(), seeded(seed), seeded(seed)
    campaign.ask(MakeRoller("evil", system), draws)
    memory = system.start()
    for n in times:
        event = campaign.ask(RollDice("evil", n), draws)
        before, outcomes = memory, list[Outcome]()
        for _ in range(n * system.hand):
            outcome, memory = step(system, memory, again)
            outcomes.append(outcome)

        assert memory_before(event) == before
        assert replay(event) == (tuple(outcomes), memory)
        assert read_roll(event).outcomes == tuple(outcomes)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), max_size=8), st.integers(0, 10**6))
def test_the_register_goes_on_from_its_record(rolls: list[tuple[int, int]], seed: int) -> None:
    """With any numbers of dice, each d100 is the value before plus what the dice read, modulo 100."""
    campaign, draws, value = Campaign(), seeded(seed), 0
    for dice, times in rolls:
        for outcome in read_roll(campaign.ask(RollRegister(dice, times), draws)).outcomes:
            assert outcome.throw
            value = (value + read_throw(outcome.throw)) % 100
            assert outcome.face == str(value or 100)


def detail(event: Event, **changes: Json) -> Event:
    """The event with other details."""
    return replace(event, detail={**event.detail, **changes})


EVENT = fair_roll()
DRAWS = cast("list[Json]", EVENT.detail["draws"])
BEFORE = cast("list[Json]", EVENT.detail["before"])
TOTAL, INDEX = cast("list[int]", DRAWS[0])
PLAIN = rolled("3#2d6").event
TAMPERED = {
    "another face": replace(EVENT, results=("13", *EVENT.results[1:])),
    "faces in another order": replace(EVENT, results=(*EVENT.results[1:], EVENT.results[0])),
    "a face fewer": replace(EVENT, results=EVENT.results[:2]),
    "a face more": replace(EVENT, results=(*EVENT.results, "7")),
    "no face": detail(replace(EVENT, results=()), draws=[]),
    "another draw": detail(EVENT, draws=[[TOTAL, (INDEX + 1) % 11], *DRAWS[1:]]),
    "an index out of bounds": detail(EVENT, draws=[[TOTAL, 11], *DRAWS[1:]]),
    "an index below 0": detail(EVENT, draws=[[TOTAL, -1], *DRAWS[1:]]),
    "another weight": detail(EVENT, draws=[[TOTAL + 1, INDEX], *DRAWS[1:]]),
    "a draw fewer": detail(EVENT, draws=DRAWS[:-1]),
    "a draw more": detail(EVENT, draws=[*DRAWS, [6, 1]]),
    "half a draw": detail(EVENT, draws=[[6], *DRAWS[1:]]),
    "a draw that is a word": detail(EVENT, draws=["6", *DRAWS[1:]]),
    "no draws": detail(EVENT, draws=None),
    "another memory": detail(EVENT, before=[*BEFORE[1:], BEFORE[0]]),
    "a shorter memory": detail(EVENT, before=BEFORE[:-1]),
    "a longer memory": detail(EVENT, before=[*BEFORE, 0]),
    "an empty memory": detail(EVENT, before=[]),
    "a word in the memory": detail(EVENT, before=[*BEFORE, "0"]),
    "a truth in the memory": detail(EVENT, before=[*BEFORE, True]),
    "a fraction in the memory": detail(EVENT, before=[*BEFORE, 0.0]),
    "no memory": detail(EVENT, before=None),
    "another tightness": replace(EVENT, spec=EVENT.spec.replace("1.5", "2")),
    "a rule that is none": replace(EVENT, spec="{}"),
    "a rule that is no JSON": replace(EVENT, spec="evil"),
    "another kind": replace(EVENT, kind=Kind.UNDO),
    "other dice": replace(PLAIN, text="3#2d8"),
    "dice for fewer results": replace(PLAIN, text="2#2d6"),
    "fewer results": detail(replace(PLAIN, results=PLAIN.results[:2]), draws=PLAIN.detail["draws"]),
    "no dice": replace(PLAIN, text="evil"),
    "a register without a value": detail(Campaign().ask(RollRegister(4), seeded(0)), before=[]),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_tampered_records_are_refused(how: str) -> None:
    """A face, a draw, a memory or a rule that was changed afterwards does not fit the others."""
    with pytest.raises(ReplayError):
        replay(TAMPERED[how])


def test_untampered_records_are_not() -> None:
    """What the tests above change fits as it is."""
    assert len(replay(EVENT)[0]) == len(replay(PLAIN)[0]) == 3
