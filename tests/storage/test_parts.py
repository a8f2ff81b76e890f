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
from bot.storage.campaigns import events_of
from bot.storage.faults import is_repeated
from bot.storage.queries import Queries, Query
from tests.storage.asking import Storage, audited, caller, fair, nobody, opened


async def history(storage: Storage, campaign_id: int = 1) -> list[Event]:
    """A campaign's events, which the audit has checked."""
    events = [row.event for row in await storage.reader.do(reading.page(campaign_id, limit=1_000))][::-1]
    await audited(storage, campaign_id)
    return events


async def test_an_interaction_that_makes_several_events_makes_them_once(database_url: str) -> None:
    """Side by side and in order, however often it is delivered, also with others who roll meanwhile."""
    press, names = caller(), [f"roller {n}" for n in range(8)]
    asked = [(press, ResetRoller(name)) for name in names]
    async with opened(database_url) as storage:
        await asyncio.gather(*(storage.writer.write(caller(), fair(name)) for name in names))
        others = [storage.writer.write(caller(), RollDice("1d1000")) for _ in range(3)]
        rolls, together = await asyncio.gather(asyncio.gather(*others), storage.writer.write_all(asked))
        later = await storage.writer.write_all(asked)
    async with opened(database_url, seed=1) as storage:
        restarted = await storage.writer.write_all(asked)
        events = await history(storage)
        found = await storage.reader.do(events_of(1, press.interaction_id or 0))

    made = [written.event for written in together.written]
    assert [written.event for written in later.written] == [one.event for one in restarted.written] == made
    assert [written.new for written in (*together.written, *later.written)] == [True] * 8 + [False] * 8
    assert [event.part for event in made] == [*range(1, 9)]
    assert [event.seq for event in made] == [*range(made[0].seq, made[0].seq + 8)]
    assert found == made
    assert len(events) == 8 + len(rolls) + 8


async def test_what_can_not_be_met_gets_no_part(storage: Storage) -> None:
    """The others stand side by side all the same; one alone is no part."""
    for name in ("one", "two"):
        await storage.writer.write(caller(), fair(name))
    press = caller()
    some = await storage.writer.write_all([(press, ResetRoller(n)) for n in ("one", "none", "two")])
    other = caller()
    lone = await storage.writer.write_all([(other, ResetRoller(n)) for n in ("none", "two")])
    await history(storage)

    assert [(one.event.roller, one.event.part) for one in some.written] == [("one", 1), ("two", 2)]
    assert [(one.event.roller, one.event.part) for one in lone.written] == [("two", 0)]
    assert [[*some.refused], [*lone.refused]] == [[1], [0]]


async def test_what_follows_comes_behind_all_requests(storage: Storage) -> None:
    """Each is decided once and has a part of its own, also when several requests come first."""
    press, follow_up = caller(), RollDice("1d3")
    requests = [(press, RollDice("1d1")), (press, RollDice("1d2"))]
    together = await storage.writer.write_all(requests, lambda _: [(press, follow_up)])
    events = await history(storage)

    assert [(written.event.roll.text, written.event.part) for written in together.written] == [
        ("1d1", 1),
        ("1d2", 2),
        ("1d3", 3),
    ]
    assert len(events) == 3


async def test_the_database_itself_takes_no_part_twice(storage: Storage) -> None:
    """It refuses the second one as repeated; of what nobody asked for it takes any number."""
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
    """Two writers that are given the same interaction answer the same, and one of them writes it."""
    async with opened(postgresql_url) as one, opened(postgresql_url, seed=1) as other:
        names = [f"roller {n}" for n in range(8)]
        await asyncio.gather(*(one.writer.write(caller(), fair(name)) for name in names))
        for _ in range(4):
            press = caller()
            asked = [(press, ResetRoller(name)) for name in names]
            here, there = await asyncio.gather(one.writer.write_all(asked), other.writer.write_all(asked))
            for first, second in zip(here.written, there.written, strict=True):
                assert first.event == second.event
                assert first.new is not second.new
        events = await history(one)

    assert len(events) == len(names) * 5
    assert "redone" not in caplog.text


async def test_what_nobody_asked_for_has_a_clock(storage: Storage) -> None:
    """No interaction, no person and no words, but a time; several of one moment are several events."""
    time = nobody(channel=1)
    opening = OpenCall("1d20", Terms(), time.clock)
    calls = [(await storage.writer.write(caller(), opening)).event for _ in range(3)]
    closed = await asyncio.gather(*(storage.writer.write(time, CloseCall(1, one.seq)) for one in calls))
    events = await history(storage)

    assert events[3:] == [one.event for one in closed]
    assert [event.target for event in events[3:]] == [1, 2, 3]
    for event in events[3:]:
        assert (event.interaction_id, event.user_id, event.label) == (None, None, None)
        assert (event.kind, event.clock, event.time) == (Kind.CLOSE, time.clock, time.time)


async def _copy(storage: Storage, interaction_id: int | None, part: int, clock: int | None) -> None:
    await storage.transact(_insert_copy({"interaction_id": interaction_id, "part": part, "clock": clock}))


def _insert_copy(values: dict[str, int | None]) -> Queries[None]:
    """Insert the newest event once more, with other values and the next number."""
    newest = (yield Query(schema.event.select().order_by(schema.event.c.seq.desc())))[0]
    row = {column.name: newest[column.name] for column in schema.event.c}
    yield Query(schema.event.insert(), {**row, "seq": row["seq"] + 1, **values})
