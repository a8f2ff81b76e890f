"""Rolls as they are looked at: whose memory they came from, where it began anew, which of them count."""

from dataclasses import replace

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.events import Event
from bot.campaign.roller_commands import MakeRoller, ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.stats.stretches import MemorySpan, Stretch, trace
from bot.systems.registry import print_spec
from tests.support.play import Campaign
from tests.support.stretches import fresh
from tests.support.systems import make

FAIR = make("fair", "1d6", tightness="1")
TUNED = make("fair", "1d6", tightness="2")
ANN, BOB = 1, 2


class Evening:
    """A campaign with one fair roller, whose rolls are remembered with whether they are looked at."""

    def __init__(self, memory: Remembers = Remembers.TABLE) -> None:
        roller = Roller("luck", print_spec(FAIR), memory, epoch=0)
        self.campaign = Campaign(rollers={"luck": roller})
        self.rolls: list[tuple[Event, bool]] = []
        self._draws = seeded(5)

    def roll(self, user: int, times: int = 1, *, looked: bool = True) -> Event:
        """Roll so many at once."""
        event = self.campaign.ask(RollDice("luck", times), self._draws, user)
        self.rolls.append((event, looked))
        return event

    @property
    def traced(self) -> Stretch | None:
        """The stretch of all rolls."""
        return trace(self.rolls)


def test_one_memory_from_its_start() -> None:
    """Every roll is looked at, whoever rolled it."""
    evening = Evening()
    for user in (ANN, BOB, ANN):
        evening.roll(user, 2)

    assert evening.traced == fresh(FAIR, 6)


def test_a_second_session_begins_with_what_was_left() -> None:
    """The first roll says what memory it found."""
    evening = Evening()
    *_, last = [evening.roll(ANN) for _ in range(4)]

    assert trace(evening.rolls[3:]) == Stretch((MemorySpan(FAIR, last.roll.before, (1,)),))


def test_one_player_of_a_shared_memory() -> None:
    """The others' rolls move the memory on between theirs; what comes before and after says nothing."""
    evening = Evening()
    for user in (BOB, ANN, ANN, BOB, ANN, BOB):
        evening.roll(user, looked=user == ANN)

    assert evening.traced == Stretch((MemorySpan(FAIR, evening.rolls[1][0].roll.before, (2, 1, 1)),))


def test_a_reset_half_way_begins_anew() -> None:
    """So there are two spans, each from its own memory."""
    evening = Evening()
    evening.roll(ANN, 3)
    evening.campaign.ask(ResetRoller("luck"), seeded(0), ANN)
    evening.roll(ANN, 2)

    assert evening.traced == Stretch((*fresh(FAIR, 3).spans, *fresh(FAIR, 2).spans))


def test_what_was_tuned_goes_on() -> None:
    """Its memory stays, so its next span begins with whatever the first one leaves."""
    evening = Evening()
    evening.roll(ANN, 3)
    evening.campaign.ask(MakeRoller("luck", TUNED), seeded(0), ANN)
    evening.roll(ANN, 2)
    traced = Stretch((*fresh(FAIR, 3).spans, MemorySpan(TUNED, None, (2,))))

    assert evening.traced == traced
    assert [len(thread) for thread in traced.threads] == [2]


def test_everybody_has_their_own_memory() -> None:
    """The rolls of each are a span; an erased player's are followed by what they left."""
    evening = Evening(Remembers.PLAYER)
    for user, times in ((ANN, 2), (BOB, 3), (ANN, 4)):
        evening.roll(user, times)
    whole = Stretch((*fresh(FAIR, 6).spans, *fresh(FAIR, 3).spans))
    erased = [(replace(event, user_id=None), looked) for event, looked in evening.rolls]

    assert evening.traced == whole
    assert sum(span.looked_at for span in (trace(erased) or whole).spans) == 9


def test_rolls_without_a_memory_tell_nothing() -> None:
    """Plain dice, practice, and hidden rolls alone."""
    evening = Evening()
    evening.roll(ANN, looked=False)
    plain = evening.campaign.ask(RollDice("2d6"), seeded(1), ANN)

    assert trace([(plain, True)]) is None
    assert evening.traced is None
