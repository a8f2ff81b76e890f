"""What can be asked of a campaign, and that every bit of it can be taken back."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bot.campaign.events import Event, Kind, Visibility
from bot.campaign.replay import replay
from bot.campaign.request import Request
from bot.campaign.reveals import Reveal, may_see
from bot.campaign.roller_requests import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rollers import Remembers
from bot.campaign.rolls import REGISTER, RollDice, RollRegister
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.seeded import seeded
from bot.dice.system import System
from bot.systems.registry import read_spec
from tests.support.play import PLAYER, Campaign
from tests.support.systems import make

BASE = {"a": 1, "b": 2}
FAIR = make("fair", {**BASE}, tightness="1")
SYSTEMS = [
    FAIR,
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

    def ask(self, request: Request, user: int = PLAYER) -> Event | None:
        """The event, or None where it can't be met, and then nothing is changed."""
        everything = self.everything()
        key = request.needs().roller
        try:
            event = self.campaign.ask(request, self.draws, user)
        except DiceError:
            assert self.everything() == everything
            return None
        if event.kind is not Kind.UNDO:
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
        there = self.campaign.seen(name.casefold())
        made = self.ask(MakeRoller(name, system, memory))

        assert made or there

    @rule(name=NAMES, times=st.integers(1, 3), user=USERS)
    def roll(self, name: str, times: int, user: int) -> None:
        """A roller that is there is rolled; the memory after it is the one that replay gives."""
        there = self.campaign.seen(name.casefold())
        event = self.ask(RollDice(name, times), user)

        assert bool(event) == bool(there)
        if event:
            roller = self.campaign.rollers[name.casefold()]
            key = (name.casefold(), roller.epoch, roller.owner(user))
            assert self.campaign.memories.get(key, ()) == replay(event)[1]

    @rule(dice=st.integers(1, 9), user=USERS)
    def register(self, dice: int, user: int) -> None:
        """The d100 register can always be rolled."""
        assert self.ask(RollRegister(dice), user)

    @rule(name=NAMES | st.just(REGISTER))
    def reset(self, name: str) -> None:
        """After a reset nobody's rolls are remembered."""
        event = self.ask(ResetRoller(name))
        roller = self.campaign.rollers.get(name.casefold())
        if event and roller:
            assert (name.casefold(), roller.epoch, 0) not in self.campaign.memories
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
        assert all(head == again for head, again in self.campaign.heads())
        for event in self.campaign.events:
            if event.kind is Kind.ROLL:
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


def evening(*requests: Request) -> Campaign:
    """A campaign in which these were asked."""
    campaign = Campaign()
    draws = seeded(0)
    for request in requests:
        campaign.ask(request, draws)
    return campaign


@pytest.mark.parametrize(
    ("requests", "refused", "kind", "words"),
    [
        ([], MakeRoller("", FAIR), SpecError, "needs a name"),
        ([], MakeRoller("2d6", FAIR), SpecError, "reads as dice"),
        ([], MakeRoller("adv", FAIR), SpecError, "reads as dice"),
        ([], MakeRoller("D100 Register", FAIR), SpecError, "the d100's own register"),
        ([MakeRoller("Evil", FAIR)], MakeRoller("evil", make("dice")), SpecError, "a roller Evil already"),
        ([MakeRoller("a", FAIR)], MakeRoller("a", FAIR, Remembers.PLAYER), SpecError, "a roller a already"),
        ([], RollDice("evil"), NotationError, "can't read"),
        ([MakeRoller("a", FAIR), RemoveRoller("a")], RollDice("a"), NotationError, "can't read"),
        ([], RollDice("2d6", 0), DiceError, "1 to 20 times, not 0"),
        ([], RollDice("2d6", 21), DiceError, "1 to 20 times, not 21"),
        ([], RollDice("2#2d6", 11), NotationError, "1 to 20 times"),
        ([], RollDice("100d6", 6), NotationError, "At most 500 dice"),
        ([MakeRoller("a", make("fair", "100d6"))], RollDice("a", 6), DiceError, "At most 500 dice"),
        ([], RollDice("x" * 5_000), NotationError, "At most 200 characters"),
        ([], RollRegister(0), SpecError, "1 to 9"),
        ([], RollRegister(10), SpecError, "1 to 9"),
        ([], RollRegister(4, 21), DiceError, "1 to 20 times"),
        ([], ResetRoller("`evil` <@1>\n"), Unknown, "no roller evil 1 here"),
        ([], RemoveRoller("evil" * 2_000), Unknown, "There is no roller (evil){8} here"),
        ([], UndoRoller("evil"), Unknown, "There is no roller evil here"),
        ([RollRegister(4)], RemoveRoller(REGISTER), SpecError, "belongs to every channel"),
        ([RollDice("2d6")], Reveal(1, is_gm=True), Unknown, "#1 is no hidden roll"),
        ([MakeRoller("a", FAIR)], Reveal(1, is_gm=True), Unknown, "#1 is no hidden roll"),
        ([], Reveal(10**30, is_gm=True), Unknown, "is no hidden roll"),
    ],
)
def test_what_can_not_be_done_is_refused(
    requests: list[Request], refused: Request, kind: type[DiceError], words: str
) -> None:
    """Each has a sentence of its own, and leaves the campaign as it was."""
    campaign = evening(*requests)
    with pytest.raises(kind, match=words):
        campaign.ask(refused, seeded(1))

    assert len(campaign.events) == len(requests)


def test_tuning_keeps_the_memory() -> None:
    """The same rule on the same base goes on where it was; the name is spelt as it was said last."""
    campaign = evening(MakeRoller("evil", FAIR), RollDice("evil", 5))
    before = campaign.memories["evil", 1, 0]
    campaign.ask(MakeRoller("EVIL", SYSTEMS[1]), seeded(0))

    assert campaign.seen("evil") == (
        "EVIL",
        '{"system":"fair","base":{"a":1,"b":2},"tightness":"inf"}',
        Remembers.TABLE,
        {0: before},
    )


def test_a_hand_is_dealt_at_once() -> None:
    """A roll of several decks gives a card of each."""
    decks = {"system": "decks", "decks": {"x": {"a": 1, "b": 1}, "y": {"c": 2}}}
    campaign = evening(MakeRoller("market", read_spec(decks)))
    results = campaign.ask(RollDice("market", 2), seeded(0)).results

    assert [sorted(results[::2]), [*results[1::2]]] == [["a", "b"], ["c", "c"]]


def test_players_of_a_roller_have_their_own_memory() -> None:
    """What one player rolls says nothing about another one's next roll, and is undone for that one alone."""
    campaign = evening(MakeRoller("own", FAIR, Remembers.PLAYER))
    draws = seeded(3)
    campaign.ask(RollDice("own"), draws, user=1)
    mine = campaign.memories["own", 1, 1]
    campaign.ask(RollDice("own", 3), draws, user=2)
    campaign.ask(UndoRoller("own"), draws, user=1)

    assert campaign.memories == {("own", 1, 1): mine, ("own", 1, 2): FAIR.start()}


@pytest.mark.parametrize("memory", Remembers)
def test_rolls_of_erased_people_can_be_undone(memory: Remembers) -> None:
    """The table's memory goes back; a memory of one's own is gone with its owner, and stays gone."""
    campaign = evening(MakeRoller("evil", FAIR, memory), RollDice("evil"))
    campaign.events[1] = replace(campaign.events[1], user_id=None, label=None, salt=None)
    if memory is Remembers.PLAYER:
        campaign.memories.clear()
    campaign.ask(UndoRoller("evil"), seeded(0))

    assert campaign.memories == ({("evil", 1, 0): FAIR.start()} if memory is Remembers.TABLE else {})
    assert campaign.ask(UndoRoller("evil"), seeded(0)).target == 1


MAY_SEE = {
    Visibility.PUBLIC: {"roller", "gm", "roller who is gm", "other"},
    Visibility.SELF: {"roller", "roller who is gm"},
    Visibility.GM: {"roller", "gm", "roller who is gm"},
    Visibility.BLIND: {"gm", "roller who is gm"},
}


@pytest.mark.parametrize("visibility", Visibility)
def test_who_may_see_may_reveal(visibility: Visibility) -> None:
    """A hidden roll is seen, and revealed once, by whom its visibility names, and by nobody else."""
    people = {"roller": (1, False), "gm": (2, True), "roller who is gm": (1, True), "other": (2, False)}
    for who, (user, is_gm) in people.items():
        campaign = Campaign()
        event = campaign.ask(RollDice("2d6"), seeded(0), 1, visibility=visibility)
        request = Reveal(1, is_gm=is_gm)

        assert may_see(event, user, is_gm=is_gm) == (who in MAY_SEE[visibility])
        if visibility is Visibility.PUBLIC:
            continue
        if who in MAY_SEE[visibility]:
            assert campaign.ask(request, seeded(0), user).target == 1
            with pytest.raises(DiceError, match="#1 is revealed already"):
                campaign.ask(request, seeded(0), user)
        else:
            with pytest.raises(NotAllowed, match="#1 is hidden from you"):
                campaign.ask(request, seeded(0), user)
