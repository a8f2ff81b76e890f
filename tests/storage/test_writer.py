import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, Command, Drawing, Needs, Plain, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Body, Rolled
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.replay import replay
from bot.campaign.roller_commands import RemoveRoller, ResetRoller
from bot.campaign.rolls import RollDice
from bot.campaign.state import State
from bot.dice.draws import Source, SourcedDraws
from bot.dice.errors import DiceError, NotationError, Unavailable, Unknown
from bot.storage import campaigns, reading
from bot.storage.transactions import Written
from bot.storage.writer import QUEUE_LIMIT
from tests.storage.asking import Storage, audited, caller, fair, opened
from tests.support.databases import sqlite_url

CALLERS = 64


@dataclass(frozen=True)
class Broken(Plain):
    """A command with a fault of ours in it."""

    def needs(self) -> Needs:
        """Nothing."""
        return Needs()

    def decide(self, caller: Caller, state: State) -> Body:  # noqa: ARG002
        """Never comes to anything."""
        raise ZeroDivisionError("secret words")


@dataclass(frozen=True)
class Leaving(Drawing):
    """A roll whose caller goes away while it is decided."""

    callers: list[asyncio.Task[Written]]

    def needs(self) -> Needs:
        """Nothing."""
        return Needs()

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """A roll of three dice."""
        self.callers[0].cancel()
        return RollDice("3d6").decide(caller, state, draws)


async def play(storage: Storage) -> list[Written]:
    """Many callers at once, on rollers of both memories, the register and plain dice, in two channels."""
    for channel in (1, 2):
        await storage.writer.write(caller(channel), fair("evil"))
        await storage.writer.write(caller(channel), fair("own", Remembers.PLAYER))
    return await asyncio.gather(
        *(storage.writer.write(caller(1 + i % 2, user=i % 7), any_roll(i)) for i in range(CALLERS))
    )


def any_roll(number: int) -> Command:
    """A roll of a kind that the number says, with words of its own."""
    options = RollOptions(f"nr {number}")
    rolls = (
        RollDice("evil", options=options),
        RollDice("own", 3, options),
        roll_register(4, options=options),
        RollDice("2d6+3", options=options),
    )
    return rolls[number % 4]


async def test_event_is_stored_as_answered(storage: Storage) -> None:
    """What the asker is told is what is read back, whole."""
    made = await storage.writer.write(caller(), fair())
    hidden, labelled = RollOptions(visibility=Visibility.GM), RollOptions("größer ≥ 5")
    rolled = await storage.writer.write(caller(), RollDice("evil", 2, hidden))
    plain = await storage.writer.write(caller(), RollDice("2d6", options=labelled))
    reset = ResetRoller("evil", options=RollOptions("for Ann", Visibility.PUBLIC))
    done = await storage.writer.write(caller(), reset)
    rows = await storage.reader.do(reading.page(1))

    assert [row.event for row in rows] == [done.event, plain.event, rolled.event, made.event]
    assert (rolled.event.roll.source, rolled.event.visibility) == (Source.TRUE, Visibility.GM)
    assert (plain.event.roll.text, plain.event.label) == ("2d6", "größer ≥ 5")
    assert done.event.label == "for Ann"


async def test_callers_at_once_share_no_number(storage: Storage) -> None:
    """Each campaign's numbers run from 1 without a gap, and its tree and leaves recompute."""
    await play(storage)
    pages = [await storage.reader.do(reading.page(campaign, limit=2 * CALLERS)) for campaign in (1, 2)]
    for campaign in (1, 2):
        await audited(storage, campaign)
    heads = await storage.numbers("SELECT seq FROM campaign ORDER BY id")

    for page in pages:
        assert [row.event.seq for row in reversed(page)] == [*range(1, len(page) + 1)]
    assert heads == [2 + CALLERS // 2] * 2


async def test_every_roll_replays(storage: Storage) -> None:
    """Rule, memory before and recorded draws of a stored roll give the stored faces and the next memory."""
    written = await play(storage)
    rows = [
        row
        for campaign in (1, 2)
        for row in await storage.reader.do(reading.page(campaign, limit=2 * CALLERS))
    ]
    _, memory = await storage.reader.do(reading.find_roller(1, "evil", 1))

    rolls = [row.event for row in rows if row.event.kind is Kind.ROLL]
    assert len(rolls) == len(written)
    for event in rolls:
        assert tuple(outcome.face for outcome in replay(event)[0]) == event.roll.results
    last = max((e for e in rolls if e.roller == "evil" and e.channel_id == 1), key=lambda e: e.seq)
    assert replay(last)[1] == memory


async def test_second_delivery_is_answered_the_same(database_url: str) -> None:
    """An interaction that comes twice, at once or later, is rolled once."""
    press = caller()
    async with opened(database_url) as storage:
        together = await asyncio.gather(*(storage.writer.write(press, RollDice("1d1000")) for _ in range(3)))
        later = await storage.writer.write(press, RollDice("1d1000"))
    async with opened(database_url, seed=1) as storage:
        restarted = await storage.writer.write(press, RollDice("1d1000"))

    everything = [*together, later, restarted]
    assert [written.new for written in everything] == [True, False, False, False, False]
    assert {written.event.seal.leaf for written in everything} == {together[0].event.seal.leaf}
    assert all(written.event == together[0].event for written in everything)


async def test_second_delivery_of_what_can_not_be_done_twice(storage: Storage) -> None:
    """A removal that comes twice is no removal of something unknown."""
    removal = caller()
    await storage.writer.write(caller(), fair())
    first = await storage.writer.write(removal, RemoveRoller("evil"))
    second = await storage.writer.write(removal, RemoveRoller("evil"))

    assert (second.event, second.new) == (first.event, False)
    with pytest.raises(Unknown):
        await storage.writer.write(caller(), RemoveRoller("evil"))


async def test_two_processes_roll_an_interaction_once(
    postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Two writers on one PostgreSQL with the same interactions give the same answers, each rolled once."""
    async with opened(postgresql_url) as one, opened(postgresql_url, seed=1) as other:
        await one.writer.write(caller(), fair())
        both: list[Written] = []
        for _ in range(4):
            presses = [caller(channel=1 + i % 3, user=i) for i in range(CALLERS // 4)]
            both += await asyncio.gather(
                *(
                    storage.writer.write(press, RollDice("1d1000"))
                    for press in presses
                    for storage in (one, other)
                )
            )
        counts = await one.numbers("SELECT seq FROM campaign ORDER BY key")

    for first, second in zip(both[::2], both[1::2], strict=True):
        assert first.event == second.event
        assert first.new is not second.new
    assert sum(counts) == CALLERS + 1
    # The lock on the campaign makes one wait for the other; without it they would collide, and try again.
    assert "redone" not in caplog.text


async def test_refused_request_spares_its_neighbours(
    storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    """Among good commands one that can't be met, or has a fault of ours, fails alone and traceless.

    What was typed stands in the error, so the answer logs it, which leaves that out.
    """
    results = await asyncio.gather(
        storage.writer.write(caller(), RollDice("2d6")),
        storage.writer.write(caller(), RollDice("2d6+")),
        storage.writer.write(caller(channel=5), ResetRoller("nobody")),
        storage.writer.write(caller(), Broken()),
        storage.writer.write(caller(), RollDice("2d6")),
        return_exceptions=True,
    )
    campaigns = await storage.numbers("SELECT seq FROM campaign")
    channels = await storage.numbers("SELECT channel_id FROM channel")

    kinds = [Written, NotationError, Unknown, ZeroDivisionError, Written]
    assert all(isinstance(result, kind) for result, kind in zip(results, kinds, strict=True)), results
    assert (campaigns, channels) == ([2], [1])
    assert "secret words" not in caplog.text


async def test_refused_request_alone_leaves_no_trace(storage: Storage) -> None:
    """Nonsense in a channel where nothing happened yet makes no campaign for it."""
    with pytest.raises(DiceError):
        await storage.writer.write(caller(), RollDice("nonsense"))

    assert await storage.reader.do(campaigns.played(caller())) == 0
    assert await storage.numbers("SELECT count(*) FROM campaign") == [0]


@pytest.mark.parametrize("text", ["2d6\0", "2d\ud8006", "\0", "x" * 5_000])
async def test_text_that_no_database_holds_is_refused_as_dice(storage: Storage, text: str) -> None:
    """A name that could not be stored is no roller, and reads as bad dice like any other text."""
    with pytest.raises(NotationError):
        await storage.writer.write(caller(), RollDice(text))


async def test_number_that_no_event_has_is_unknown(storage: Storage) -> None:
    """A number far beyond what the database holds is looked up nowhere."""
    await storage.writer.write(caller(), RollDice("2d6"))
    with pytest.raises(Unknown):
        await storage.writer.write(caller(), Reveal(None, 10**30))

    assert await storage.reader.do(reading.event(1, 10**30)) is None


async def test_job_that_can_not_be_saved_fails_alone(storage: Storage) -> None:
    """Where the database refuses one command's words, the others of its batch are redone without it."""
    results = await asyncio.gather(
        storage.writer.write(caller(), RollDice("2d6")),
        storage.writer.write(caller(), RollDice("2d6", options=RollOptions("\ud800"))),
        storage.writer.write(caller(), RollDice("2d6")),
        return_exceptions=True,
    )
    numbers = await storage.numbers("SELECT seq FROM event ORDER BY seq")

    assert [isinstance(result, Exception) for result in results] == [False, True, False]
    assert numbers == [1, 2]


async def test_caller_that_goes_away_breaks_nothing(storage: Storage) -> None:
    """A caller cancelled in the middle of its batch leaves the others their answers; its roll shows later."""
    await storage.writer.write(caller(), RollDice("2d6"))
    callers: list[asyncio.Task[Written]] = []
    callers.append(asyncio.create_task(storage.writer.write(caller(), Leaving(callers))))
    answered = await asyncio.create_task(storage.writer.write(caller(), RollDice("2d6")))
    after = await storage.writer.write(caller(), RollDice("2d6"))

    assert callers[0].cancelled()
    assert answered.event.seq == 3
    assert [event.roll.text for event in after.undelivered] == ["3d6"]


async def test_caller_that_left_before_its_turn_is_spared(tmp_path: Path) -> None:
    """A command whose caller was cancelled while it waited is never decided."""
    async with opened(sqlite_url(tmp_path)) as storage:
        gone = asyncio.create_task(storage.writer.write(caller(), RollDice("2d6")))
        await asyncio.sleep(0)
        gone.cancel()
        await storage.writer.write(caller(), RollDice("2d6"))

        assert await storage.numbers("SELECT seq FROM event") == [1]


async def test_too_many_at_once_are_turned_away(tmp_path: Path) -> None:
    """As many as the queue holds are written, those beyond are asked to come again."""
    async with opened(sqlite_url(tmp_path)) as storage:
        results = await asyncio.gather(
            *(storage.writer.write(caller(), RollDice("1d6")) for _ in range(QUEUE_LIMIT + 3)),
            return_exceptions=True,
        )

    assert [isinstance(result, Unavailable) for result in results] == [False] * QUEUE_LIMIT + [True] * 3
    assert not any(isinstance(result, BaseException) for result in results[:QUEUE_LIMIT])


async def test_closing_finishes_what_waits(storage: Storage) -> None:
    """What was asked before the writer closes is written, what comes later is turned away."""
    waiting = [asyncio.create_task(storage.writer.write(caller(), RollDice("2d6"))) for _ in range(300)]
    await asyncio.sleep(0)
    await storage.writer.aclose()
    with pytest.raises(Unavailable, match="stopping"):
        await storage.writer.write(caller(), RollDice("2d6"))

    assert sorted(task.result().event.seq for task in waiting) == list(range(1, 301))


async def test_closing_finishes_what_came_while_nothing_was_to_do(storage: Storage) -> None:
    """Also where the writer was about to save that a reply arrived."""
    storage.writer.delivered(await storage.writer.write(caller(), RollDice("2d6")))
    for _ in range(5):
        await asyncio.sleep(0)
    waiting = asyncio.create_task(storage.writer.write(caller(), RollDice("2d6")))
    await asyncio.sleep(0)
    await storage.writer.aclose()
    await asyncio.sleep(0)

    assert waiting.done()
    assert waiting.result().event.seq == 2


async def test_second_delivery_costs_its_neighbours_nothing(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """After a restart it comes in one batch with new ones, which are rolled, each once and in their order."""
    old = [caller(), caller()]
    async with opened(database_url) as storage:
        first = [await storage.writer.write(one, RollDice("1d1000")) for one in old]
    async with opened(database_url, seed=1) as storage:
        presses = [caller(), old[1], caller(), old[0], caller()]
        written = await asyncio.gather(*(storage.writer.write(one, RollDice("1d1000")) for one in presses))

    assert [one.new for one in written] == [True, False, True, False, True]
    assert [one.event.seq for one in written] == [3, 2, 4, 1, 5]
    assert [written[3].event, written[1].event] == [one.event for one in first]
    assert "redone" not in caplog.text
