"""How events change a campaign's state: folded by `evolve` alone, and every bit of it taken back."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bot.campaign.campaigns import REGISTER, TABLE, Remembers, Roller
from bot.campaign.command import Command, RollOptions
from bot.campaign.d100_rolls import KEPT, roll_register
from bot.campaign.deals import MAP
from bot.campaign.events import Event, Rolled, Undone
from bot.campaign.replay import replay
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.campaign.state import Slot, State, evolve
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, Unknown
from bot.dice.system import Memory, System
from bot.record.audit import Audit
from bot.record.codec import decode, encode
from tests.support.histories import mixed_campaign
from tests.support.play import LOG, PLAYER, Campaign, audited
from tests.support.systems import make

BASE = {"a": 1, "b": 2}
SYSTEMS = [
    make("fair", {**BASE}, tightness="1"),
    make("fair", {**BASE}, tightness="inf"),
    make("dice", {**BASE}),
    make("deck", {**BASE}, size=2, refill=2),
    make("dynamic", "1d4", factor="0.5"),
]
NAMES = st.sampled_from(["evil", "Evil", "Straße", "STRASSE"])
"""Names of two rollers, each in two spellings."""
USERS = st.sampled_from([1, 2])


class Evening(RuleBasedStateMachine):
    """Anything that players and game masters may do, in any order, beside a record of what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.campaign = Campaign()
        self.draws = seeded(0)
        self.before: dict[str, list[object]] = {}
        """For each roller, what was to be seen before each thing that can still be undone."""

    def ask(self, command: Command, user: int = PLAYER) -> Event | None:
        """The event, or None where it can't be met, and then nothing is changed."""
        everything = self.everything()
        key = command.needs().roller
        try:
            event = self.campaign.ask(command, self.draws, user)
        except DiceError:
            assert self.everything() == everything
            return None
        if not isinstance(event.body, Undone):
            self.before.setdefault(key, []).append(everything.pop(key, None))
        after = self.everything()
        after.pop(key, None)
        everything.pop(key, None)
        assert after == everything, "another roller was touched"
        return event

    def everything(self) -> dict[str, object]:
        """What is to be seen of every roller."""
        return {key: self.campaign.seen(key) for key in self.campaign.rollers}

    @rule(name=NAMES, system=st.sampled_from(SYSTEMS), memory=st.sampled_from(Remembers))
    def make(self, name: str, system: System, memory: Remembers) -> None:
        """A roller is made or tuned, unless another one has its name."""
        existing = self.campaign.seen(name.casefold())
        event = self.ask(MakeRoller(name, system, memory))

        assert event or existing

    @rule(name=NAMES, times=st.integers(1, 3), user=USERS)
    def roll(self, name: str, times: int, user: int) -> None:
        """A roller that is there is rolled; the memory after it is the one that replay gives."""
        existing = self.campaign.seen(name.casefold())
        event = self.ask(RollDice(name, times), user)

        assert bool(event) == bool(existing)
        if event:
            roller = self.campaign.rollers[name.casefold()]
            slot = (roller.epoch, roller.memory.owner(user))
            assert self.campaign.memories.get(roller.name.casefold(), {}).get(slot, ()) == replay(event)[1]

    @rule(dice=st.integers(1, 9), user=USERS)
    def register(self, dice: int, user: int) -> None:
        """The d100 register can always be rolled."""
        assert self.ask(roll_register(dice), user)

    @rule(name=NAMES | st.just(REGISTER))
    def reset(self, name: str) -> None:
        """After a reset nobody's rolls are remembered."""
        event = self.ask(ResetRoller(name))
        roller = self.campaign.rollers.get(name.casefold())
        if event and roller:
            assert (roller.epoch, TABLE) not in self.campaign.memories.get(name.casefold(), {})
            assert roller.epoch == event.seq

    @rule(name=NAMES | st.just(REGISTER))
    def remove(self, name: str) -> None:
        """A removed roller is not to be seen; the register can't be removed."""
        if self.ask(RemoveRoller(name)):
            assert name != REGISTER
            assert self.campaign.seen(name.casefold()) is None

    @rule(name=NAMES | st.just(REGISTER))
    def undo(self, name: str) -> None:
        """An undo gives back exactly what was to be seen before, as long as anything is left to undo."""
        stack = self.before.get(name.casefold(), [])
        event = self.ask(UndoRoller(name))

        assert bool(event) == bool(stack)
        if event:
            assert self.campaign.seen(name.casefold()) == stack.pop()

    @invariant()
    def holds(self) -> None:
        """Events are numbered without a gap."""
        assert [event.seq for event in self.campaign.events] == [*range(1, len(self.campaign.events) + 1)]

    def teardown(self) -> None:
        """The chain holds, every roll replays, and undoing everything leaves nothing."""
        audited(self.campaign.events)
        for event in self.campaign.events:
            if isinstance(event.body, Rolled):
                replay(event)
        for key in self.campaign.rollers:
            while self.before[key]:
                self.campaign.ask(UndoRoller(key), self.draws)
                assert self.campaign.seen(key) == self.before[key].pop()
            assert self.campaign.seen(key) is None
            with pytest.raises(Unknown, match="nothing left to undo"):
                self.campaign.ask(UndoRoller(key), self.draws)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=60, stateful_step_count=30)


def fold(events: Sequence[Event]) -> tuple[dict[str, Roller], dict[str, dict[Slot, Memory]]]:
    """The rollers and their memories, worked out from nothing but the events' records."""
    states: dict[str, State] = {}
    for event in events:
        stored = replace(event, body=decode(event.kind, event.target, encode(event.body)))
        about = events[event.target - 1] if event.target else None
        key = event.roller.casefold()
        states[key] = evolve(replace(states.get(key, State()), event=about), stored)
    rollers = {key: state.roller for key, state in states.items() if state.roller}
    return rollers, {key: dict(state.memories) for key, state in states.items() if state.memories}


def kept(campaign: Campaign) -> tuple[dict[str, Roller], dict[str, dict[Slot, Memory]]]:
    """The same as the campaign has kept it on the way."""
    return campaign.rollers, {key: memories for key, memories in campaign.memories.items() if memories}


@pytest.mark.parametrize("ways", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_history_folds_to_the_state_that_was_kept_on_the_way(seed: int, ways: bool) -> None:  # noqa: FBT001 (pytest's)
    """Rolls, resets, removals, undos and an erased player: the records alone say how every roller stands."""
    campaign = mixed_campaign(400, seed, ways=ways)

    assert fold(campaign.events) == kept(campaign)


@pytest.mark.parametrize("ways", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_undoing_everything_ends_where_it_began(seed: int, ways: bool) -> None:  # noqa: FBT001 (pytest's)
    """No roller is left with a memory, none but those that rolls make, and the whole history holds."""
    campaign, audit = mixed_campaign(200, seed, ways=ways), Audit(LOG)
    for key in campaign.rollers:
        while campaign.rollers[key].last:
            campaign.ask(UndoRoller(key), seeded(0))
        with pytest.raises(Unknown, match="nothing left to undo"):
            campaign.ask(UndoRoller(key), seeded(0))
    audited(campaign.events, audit)
    remaining = {key: roller.system for key, roller in campaign.rollers.items() if roller.system}

    assert remaining.keys() <= {*KEPT, MAP.casefold()}
    for key, system in remaining.items():
        assert {*campaign.memories.get(key, {}).values()} <= {system.start()}
    assert fold(campaign.events) == kept(campaign)
    assert audit.tree == campaign.ledger.tree


def test_what_is_not_touched_stays_the_same() -> None:
    """Plain dice and practice change nothing at all, and a roll leaves the campaign itself alone."""
    campaign = Campaign()
    campaign.ask(MakeRoller("evil", SYSTEMS[0]), seeded(0))
    state = State(roller=campaign.rollers["evil"], memories={(1, TABLE): SYSTEMS[0].start()})
    plain = campaign.ask(RollDice("2d6"), seeded(0))
    practice = campaign.ask(RollDice("evil", options=RollOptions(practice=True)), seeded(0))
    rolled = evolve(state, campaign.ask(RollDice("evil"), seeded(0)))

    assert evolve(state, plain) is evolve(state, practice) is state
    assert rolled.campaign is state.campaign
    assert rolled.memories != state.memories == {(1, TABLE): SYSTEMS[0].start()}
