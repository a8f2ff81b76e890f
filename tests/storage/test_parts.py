"""An event is known by its interaction and its part of it; an event that nobody asked for, by its clock."""

import asyncio

import pytest

from bot.campaign.call_commands import CloseCall, OpenCall
from bot.campaign.call_terms import Terms
from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage import reading, schema
from bot.storage.asking import Ask, Piece
from bot.storage.campaigns import events_of
from bot.storage.faults import is_repeated
from tests.storage.asking import Storage, audited, caller, fair, nobody, opened

PARTS = range(1, 9)


async def history(storage: Storage, campaign_id: int = 1) -> list[Event]:
    """A campaign's events, which the audit has checked."""
    events = [row.event for row in await storage.reader.do(reading.page(campaign_id, limit=1_000))][::-1]
    await audited(storage, campaign_id)
    return events


async def test_each_part_is_written_once(database_url: str) -> None:
    """However often an interaction is delivered, at once or later: one event for each of its parts."""
    press, other = caller(), caller()
    async with opened(database_url) as storage:
        write = storage.writer.write
        twice = [press.at_part(n) for n in PARTS for _ in range(2)]
        together = await asyncio.gather(*(write(one, RollDice("1d1000")) for one in twice))
        later = [await write(press.at_part(n), RollDice("1d1000")) for n in PARTS]
        await write(other.at_part(1), RollDice("1d1000"))
    async with opened(database_url, seed=1) as storage:
        restarted = [await storage.writer.write(press.at_part(n), RollDice("1d1000")) for n in PARTS]
        events = await history(storage)
        found = await storage.reader.do(events_of(1, press.interaction_id or 0))

    firsts = [written.event for written in together[::2]]
    assert [written.event for written in together[1::2]] == firsts
    assert [written.new for written in together] == [True, False] * len(PARTS)
    assert [written.event for written in later] == [written.event for written in restarted] == firsts
    assert [event.part for event in firsts] == [*PARTS]
    assert found == firsts == events[:-1]
    assert (events[-1].interaction_id, events[-1].part) == (other.interaction_id, 1)


async def test_a_second_delivery_goes_on_where_the_first_was_cut_short(database_url: str) -> None:
    """Parts that are there are answered as before, also in one batch with those that are not."""
    press = caller()
    async with opened(database_url) as storage:
        first = [(await storage.writer.write(press.at_part(n), RollDice("1d1000"))).event for n in PARTS[:3]]
    async with opened(database_url, seed=1) as storage:
        written = await asyncio.gather(
            *(storage.writer.write(press.at_part(n), RollDice("1d1000")) for n in PARTS)
        )
        events = await history(storage)

    assert [one.new for one in written] == [False] * 3 + [True] * (len(PARTS) - 3)
    assert [one.event for one in written][:3] == first
    assert [one.event for one in written] == events


async def test_parts_of_two_campaigns_are_one_interaction(database_url: str) -> None:
    """A part that is there is found again, whichever campaign the channel plays by then."""
    async with opened(database_url) as storage:
        press = caller(channel=1)
        first = await storage.writer.write(press.at_part(1), RollDice("1d1000"))
        elsewhere = caller(channel=2)
        moved = await storage.writer.write(elsewhere.at_part(1), RollDice("1d1000"))
        again = await storage.writer.write(press.at_part(1), RollDice("1d1000"))

    assert (again.event, again.new) == (first.event, False)
    assert moved.event.campaign_id != first.event.campaign_id


async def test_the_database_itself_takes_no_part_twice(database_url: str) -> None:
    """It refuses the second one as repeated; of what nobody asked for it takes any number."""
    async with opened(database_url) as storage:
        press = caller()
        await storage.writer.write(press.at_part(1), RollDice("2d6"))
        with pytest.raises(Unavailable) as refused:
            await _copy(storage, press.interaction_id, 1, None)
        await _copy(storage, press.interaction_id, 2, None)
        for _ in range(2):
            await _copy(storage, None, 0, 1_800_000_000_000)

        assert is_repeated(refused.value)
        assert await storage.numbers("SELECT count(*) FROM event") == [4]


async def test_two_processes_write_each_part_once(
    postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Two writers that are given the same parts in different orders answer the same, and each once."""
    async with opened(postgresql_url) as one, opened(postgresql_url, seed=1) as other:
        names = [f"roller {n}" for n in PARTS]
        await asyncio.gather(*(one.writer.write(caller(), fair(name)) for name in names))
        for _ in range(4):
            press = caller()
            jobs = [(press.at_part(n), ResetRoller(name)) for n, name in zip(PARTS, names, strict=True)]
            here = asyncio.gather(*(one.writer.write(*job) for job in jobs))
            there = asyncio.gather(*(other.writer.write(*job) for job in jobs[::-1]))
            for first, second in zip(await here, (await there)[::-1], strict=True):
                assert first.event == second.event
                assert first.new is not second.new
        events = await history(one)

    assert len(events) == len(names) * 5
    assert "redone" not in caplog.text


async def test_what_nobody_asked_for_has_a_clock(database_url: str) -> None:
    """No interaction, no person and no words, but a time; several of one moment are several events."""
    async with opened(database_url) as storage:
        calls = [(await storage.writer.write(caller(), OpenCall(Terms(), "1d20"))).event for _ in range(3)]
        time = nobody(channel=1)
        closed = await asyncio.gather(*(storage.writer.write(time, CloseCall(1, one.seq)) for one in calls))
        events = await history(storage)

    assert events[3:] == [one.event for one in closed]
    assert [event.target for event in events[3:]] == [1, 2, 3]
    for event in events[3:]:
        assert (event.interaction_id, event.user_id, event.label) == (None, None, None)
        assert (event.kind, event.clock, event.time) == (Kind.CLOSE, time.clock, time.time)


async def _copy(storage: Storage, interaction_id: int | None, part: int, clock: int | None) -> None:
    await storage.work(_insert_copy({"interaction_id": interaction_id, "part": part, "clock": clock}))


def _insert_copy(values: dict[str, int | None]) -> Piece[None]:
    """Insert the newest event once more, with other values and the next number."""
    newest = (yield Ask(schema.event.select().order_by(schema.event.c.seq.desc())))[0]
    row = {column.name: newest[column.name] for column in schema.event.c}
    yield Ask(schema.event.insert(), {**row, "seq": row["seq"] + 1, **values})
