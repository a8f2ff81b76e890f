"""A source's manners outlive the bot and hold for all processes; so does the queue of those who identify."""

import asyncio
from pathlib import Path

from sqlalchemy import select, text

from bot.entropy.feed import Feed
from bot.entropy.health import RecentBlocks
from bot.entropy.service import Fetched, ServiceState
from bot.entropy.web import Refused
from bot.storage import schema
from bot.storage.leases import Leases
from bot.storage.queries import execute
from bot.times import DAY
from tests.entropy.clocks import FakeClock
from tests.entropy.feeds import NoWeb, Scripted, Tags
from tests.storage.asking import Storage, opened
from tests.support.databases import sqlite_url


def fed(leases: Leases, clock: FakeClock, *, fails: bool = False) -> Feed:
    """A feed of a source that rests ten minutes after an answer, and a minute after a failure."""
    tags = Tags("good")

    def answer() -> Fetched:
        if fails:
            raise Refused("nothing today")
        return Fetched(tags.block())

    return Feed(Scripted(answer), NoWeb(clock), RecentBlocks(), lambda: 0.0, leases)


def asked(feed: Feed) -> int:
    """How often the source of a feed was asked."""
    source = feed.source
    assert isinstance(source, Scripted)
    return source.asked


async def test_a_restart_asks_nobody_sooner(database_url: str) -> None:
    """The new process waits for the rest of the ten minutes, and then asks."""
    clock, asks = FakeClock(), list[int]()
    for seconds in (0, 300, 299, 2):
        await clock.advance(seconds)
        async with opened(database_url) as storage:
            feed = fed(Leases(storage.database, lambda: clock.now() + 1e9), clock)
            await feed.ask()
            asks.append(asked(feed))

    assert asks == [1, 0, 0, 1]


async def test_two_processes_ask_one_after_the_other(postgresql_url: str) -> None:
    """One of them has the lease and asks, the other asks nobody; each then asks in its turn."""
    clock = FakeClock()
    async with opened(postgresql_url) as one, opened(postgresql_url) as other:
        several = [Leases(storage.database, lambda: clock.now() + 1e9) for storage in (one, other)]
        feeds = [fed(leases, clock) for leases in several]
        attempts = await asyncio.gather(*(feed.ask() for feed in feeds))
        first = [asked(feed) for feed in feeds]
        await clock.advance(601)
        await asyncio.gather(*(feed.ask() for feed in feeds))

    assert sorted(first) == [0, 1]
    assert sum(attempt.block is not None for attempt in attempts) == 1
    assert sum(map(asked, feeds)) == 2


async def test_failures_in_a_row_are_remembered(database_url: str) -> None:
    """A restart does not begin again with the shortest wait."""
    clock, waits = FakeClock(), list[float]()
    for _ in range(3):
        async with opened(database_url) as storage:
            feed = fed(Leases(storage.database, lambda: clock.now() + 1e9), clock, fails=True)
            await feed.ask()
            waits.append(feed.status().next_try or 0)
            assert feed.status().state is ServiceState.FAILING
        await clock.advance(waits[-1] + 1)

    assert [round(wait) for wait in waits] == [60, 120, 240]


async def test_a_wrong_clock_does_not_silence_a_source(storage: Storage) -> None:
    """A lease that was kept a year ahead counts for nothing."""
    clock = FakeClock()
    ahead = fed(Leases(storage.database, lambda: clock.now() + 1.1e9), clock)
    await ahead.ask()
    right = fed(Leases(storage.database, lambda: clock.now() + 1e9), clock)
    await right.ask()

    assert [asked(ahead), asked(right)] == [1, 1]


async def test_leases_that_are_over_do_not_pile_up(storage: Storage) -> None:
    """A day later a lease of one press is gone, and its name is free; what is taken or failed is kept."""
    now = [1e9]
    leases = Leases(storage.database, lambda: now[0])
    for name in ("board for 1", "failed", "far"):
        await leases.take(name)
    await leases.give_back("failed", 0, 3)
    await leases.give_back("far", 2 * DAY, 0)
    now[0] += DAY + 301
    await leases.tidy()
    kept = await storage.reader.do(execute(select(schema.turn.c.name).order_by(schema.turn.c.name)))
    again = [await leases.take(name) for name in ("board for 1", "failed", "far")]

    assert [row["name"] for row in kept] == ["source:failed", "source:far"]
    assert again == [(0, 0), (0, 3), (DAY - 301, 0)]


async def test_shards_of_a_bucket_identify_one_after_the_other(storage: Storage) -> None:
    """Five seconds apart, whoever they are of; other buckets do not wait for them, and later nobody does."""
    now = [1e9]
    leases = Leases(storage.database, lambda: now[0])
    waits = [await leases.identify(0) for _ in range(3)]
    other = [await leases.identify(1) for _ in range(2)]
    now[0] += 7
    waits.append(await leases.identify(0))
    now[0] += 100
    waits.append(await leases.identify(0))

    assert waits == [0, 5, 10, 8, 0]
    assert other == [0, 5]


async def test_shards_identify_where_nothing_can_be_written(tmp_path: Path) -> None:
    """They wait as long as the next one would have to: the bot still answers what it can."""
    async with opened(sqlite_url(tmp_path)) as storage:
        async with storage.database.writing() as connection:
            await connection.do(execute(text("PRAGMA query_only = ON")))

        assert await Leases(storage.database).identify(0) == 5
