"""A server's data goes a week after the bot is really gone: never while anybody plays, nor for a clock."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.campaign.command import RollOptions
from bot.campaign.rolls import RollDice
from bot.client import Evenhand
from bot.services.privacy import Privacy
from bot.services.retention import Retention
from bot.services.tidying import Presence, Tidying
from bot.services.verifying import Verifying
from bot.storage import schema
from bot.storage.engine import Database
from bot.storage.leases import Leases
from bot.storage.queries import execute
from tests.services.test_rigging import doubts
from tests.storage.asking import Storage, caller, opened
from tests.support.databases import sqlite_url
from tests.support.table import table

DAY = 86_400
GUILD = 7
"""The server of `caller`."""
HERE, AWAY = frozenset({GUILD}), frozenset[int]()
LABEL = "Zwielichtfeder"


async def roll(storage: Storage) -> None:
    """Somebody rolls on the server."""
    await storage.writer.write(caller(), RollDice("2d6", options=RollOptions(LABEL)))


async def events(storage: Storage) -> int:
    """How many events there are."""
    return (await storage.numbers("SELECT count(*) FROM event"))[0]


def tidying(
    storage: Storage, clock: Callable[[], float] = time.time, verifying: Verifying | None = None
) -> Tidying:
    """The use cases of tidying, by this machine's clock."""
    database, reader = storage.database, storage.reader
    privacy, retention = Privacy(database, reader), Retention(database, reader, 30)
    verifying = verifying or Verifying(reader)
    return Tidying(database, privacy, retention, verifying, doubts(storage), Leases(database, clock), clock)


async def later(
    storage: Storage,
    days: float,
    present: frozenset[int],
    *,
    clock: float | None = None,
    told: bool = True,
    ours: bool = True,
) -> bool:
    """The daily round so many days from now; the machine's clock may be wrong by other days than that."""
    now = time.time()
    wrong = now + (days if clock is None else clock) * DAY
    presence = Presence(present, lambda _: ours)
    return await tidying(storage, lambda: wrong).run(presence, now + days * DAY if told else None)


async def test_a_server_that_came_back_while_the_bot_was_off_stays(database_url: str) -> None:
    """Removed while it ran, invited back while it was stopped, started: Discord tells that it is there."""
    async with opened(database_url) as storage:
        await roll(storage)
        await tidying(storage).leave_server(GUILD)
    async with opened(database_url) as storage:
        await later(storage, 0, HERE)
        await later(storage, 8, HERE)
        await later(storage, 16, HERE)

        assert await events(storage) == 1


async def test_a_removal_while_the_bot_was_off_is_noted(database_url: str) -> None:
    """The week begins when it is noticed; until then nothing goes."""
    async with opened(database_url) as storage:
        await roll(storage)
        await later(storage, 0, HERE)
    async with opened(database_url) as storage:
        kept: list[int] = []
        for days in (10, 16, 17.5):
            await later(storage, days, AWAY)
            kept.append(await events(storage))

        assert kept == [1, 1, 0]
        assert await storage.numbers("SELECT count(*) FROM campaign") == [0]
        assert await storage.numbers("SELECT count(*) FROM server") == [0]


async def test_a_roll_cancels_the_departure(storage: Storage) -> None:
    """In its own transaction: who plays there is there, whatever was noted."""
    await roll(storage)
    await tidying(storage).leave_server(GUILD)
    await later(storage, 0, AWAY)
    await roll(storage)
    noted = await storage.numbers("SELECT left_at FROM server")
    await later(storage, 5, AWAY)
    await later(storage, 9, AWAY)
    kept = await events(storage)
    await later(storage, 13, AWAY)

    assert noted == [None]
    assert kept == 2
    assert await events(storage) == 0


async def test_a_server_with_commands_alone_was_never_left(storage: Storage) -> None:
    """Discord never tells it where the bot itself is not a member: its campaign stays."""
    await roll(storage)
    for days in (0, 8, 30):
        await later(storage, days, AWAY)

    assert await events(storage) == 1


async def test_another_processes_servers_are_left_to_it(storage: Storage) -> None:
    """Of a shard that this process does not have it is told nothing, and concludes nothing."""
    await roll(storage)
    await tidying(storage).join_server(GUILD)
    await later(storage, 0, AWAY, ours=False)
    noted = await storage.numbers("SELECT left_at FROM server")
    await tidying(storage).leave_server(GUILD)
    await later(storage, 0, AWAY, ours=False)
    await later(storage, 8, AWAY, ours=False)

    assert noted == [None]
    assert await events(storage) == 1


@pytest.mark.parametrize("left_at", [0, -20_000])
async def test_a_clock_that_jumps_ahead_deletes_nothing(
    database_url: str, left_at: float, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a departure's data nor an old history, wherever the clock stood before; its fault is said."""
    async with opened(database_url) as storage:
        await roll(storage)
        await tidying(storage).leave_server(GUILD)
        await later(storage, 0, AWAY, clock=left_at)
        await later(storage, 0.1, AWAY, clock=400)

        assert await events(storage) == 1
    assert "clock is wrong by" in caplog.text


async def test_a_clock_that_stands_far_behind_deletes_nothing_early(storage: Storage) -> None:
    """A machine that begins in 1970 waits; set right, the week counts from the departure."""
    await roll(storage)
    await tidying(storage).leave_server(GUILD)
    await later(storage, 0, AWAY, clock=-20_000)
    await later(storage, 6, AWAY)
    kept = await events(storage)
    await later(storage, 8, AWAY)

    assert (kept, await events(storage)) == (1, 0)


async def test_without_an_answer_it_waits(storage: Storage) -> None:
    """Discord does not tell the time: nothing is deleted, and the round is to be done again soon."""
    await roll(storage)
    await tidying(storage).leave_server(GUILD)
    first = await later(storage, 0, AWAY)
    waited = await later(storage, 9, AWAY, told=False)
    kept = await events(storage)
    done = await later(storage, 9, AWAY)

    assert (first, waited, done) == (True, False, True)
    assert (kept, await events(storage)) == (1, 0)


async def test_a_departure_that_a_wrong_clock_noted_is_timed_anew(storage: Storage) -> None:
    """A time that has not come yet does not keep the data for years."""
    await roll(storage)
    await tidying(storage).leave_server(GUILD)
    await later(storage, 0, AWAY, clock=30_000)
    await later(storage, 1, AWAY)
    await later(storage, 9, AWAY)

    assert await events(storage) == 0


async def test_nothing_of_a_deleted_server_is_left_in_the_files(tmp_path: Path) -> None:
    """Its labels are searched for as bytes, in the database and in its journal."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for _ in range(40):
            await roll(storage)
        before = _holds(tmp_path, LABEL)
        await tidying(storage).leave_server(GUILD)
        await later(storage, 0, AWAY)
        await later(storage, 8, AWAY)
        after = _holds(tmp_path, LABEL)

    assert (before, after) == (True, False)


async def test_nothing_of_a_cut_is_left_in_the_files(tmp_path: Path) -> None:
    """What retention removes leaves the disk too."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for _ in range(40):
            await roll(storage)
        await later(storage, 40, HERE)
        events_left = await events(storage)
        after = _holds(tmp_path, LABEL)

    assert (events_left, after) == (1, False)


def _holds(folder: Path, words: str) -> bool:
    return any(words.encode() in file.read_bytes() for file in folder.iterdir() if file.is_file())


async def test_the_bot_knows_its_servers(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Coming and going are noted; a server that a new session is not told is not there any more."""
    caplog.set_level(logging.INFO)
    async with table(tmp_path) as t:
        guild = t.bot.get_guild(t.guild.id)
        cog = t.bot.get_cog("data")
        assert guild
        assert cog
        heard = dict(cog.get_listeners())
        await heard["on_guild_remove"](guild)
        left = await _noted(t.database)
        await heard["on_guild_join"](guild)
        back = await _noted(t.database)
        client = t.bot
        assert isinstance(client, Evenhand)
        presence = client.presence()
        client.dispatch("shard_connect", 0)
        afterwards = client.presence()
        client.dispatch("guild_join", guild)
        again = client.presence()

    assert (left, back) == ([0], [None])
    assert [one.present for one in (presence, afterwards, again)] == [{guild.id}, set(), {guild.id}]
    assert presence.owns(guild.id)


async def _noted(database: Database) -> list[int | None]:
    rows = await database.reader.do(execute(select(schema.server.c.left_at)))
    return [row[0] for row in rows]


class Counted(Verifying):
    """Counts its samples."""

    taken = 0

    async def sample(self, count: int = 3) -> None:
        """Take one."""
        self.taken += 1
        await super().sample(count)


async def test_one_process_looks_after_all_campaigns(postgresql_url: str) -> None:
    """Once a day, whichever process comes first; the others come again in an hour."""
    done: list[tuple[bool, int]] = []
    async with opened(postgresql_url) as one_of_them, opened(postgresql_url) as other:
        verifying = Counted(one_of_them.reader)
        for days, storage in [(0, one_of_them), (0, other), (0.9, other), (1, other), (1, one_of_them)]:
            now = time.time() + days * DAY
            round_of = tidying(storage, lambda: now, verifying)  # noqa: B023
            done.append((await round_of.run(Presence(HERE, lambda _: True), now), verifying.taken))

    assert done == [(True, 1), (False, 1), (False, 1), (True, 2), (False, 2)]
