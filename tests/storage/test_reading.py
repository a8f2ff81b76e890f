import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.campaign.campaigns import Remembers
from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Event
from bot.campaign.followups import EVERYBODY, Reveal, Viewer, may_see
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.replay import SOURCES, read_roll
from bot.campaign.roller_commands import RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.services.visibility import hide_revealing_dice
from bot.storage import campaigns, reading, schema
from bot.storage.engine import open_database, transact
from bot.storage.queries import Queries, Reader, execute
from bot.storage.rows import Row
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url
from tests.support.plans import Plans


async def tell(storage: Storage) -> list[Event]:
    """A history of 24 events of three players and two rollers in one channel, oldest first."""
    events = [
        (await storage.writer.write(caller(), fair("evil"))).event,
        (await storage.writer.write(caller(), fair("Own", Remembers.PLAYER))).event,
    ]
    for i in range(20):
        visibility = Visibility.BLIND if i == 1 else Visibility.PUBLIC
        command = RollDice(("evil", "2d6", "OWN")[i % 3], options=RollOptions(visibility=visibility))
        events.append((await storage.writer.write(caller(user=1 + i % 2), command)).event)
    events.append((await storage.writer.write(caller(user=3), UndoRoller("evil"))).event)
    events.append((await storage.writer.write(caller(user=3), Reveal(None, 4))).event)
    return events


async def pages(
    reader: Reader, limit: int, user_id: int | None = None, roller: str | None = None
) -> list[Row]:
    """All pages after one another."""
    rows: list[Row] = []
    only = Filter(user_id, roller)
    while page := await reader.do(reading.page(1, only, limit=limit)):
        assert len(page) <= limit
        rows += page
        only = replace(only, before=page[-1].event.seq)
    return rows


async def rows_read(storage: Storage, queries: Queries[object]) -> int:
    """How many rows some queries read."""

    def counted() -> Queries[int]:
        total = 0
        with suppress(StopIteration):
            query = next(queries)
            while True:
                rows = yield query
                total += len(rows)
                query = queries.send(rows)
        return total

    return await storage.reader.do(counted())


async def test_what_is_hidden_from_whom_is_the_same_in_sql(storage: Storage) -> None:
    """By everybody, of every visibility, for those who led, who rolled and who did neither; page by page."""
    for user, visibility in product((1, 2), Visibility):
        for _ in range(12):
            await storage.writer.write(
                caller(user=user), RollDice("1d6", options=RollOptions(visibility=visibility))
            )
    events = [row.event for row in await pages(storage.reader, 200)]
    assert len(events) == 12 * 2 * len(Visibility)

    for viewer in [EVERYBODY, *(Viewer(user, is_gm) for user, is_gm in product((1, 2, 3), (False, True)))]:
        may_not = [e.seq for e in events if not may_see(e, viewer.user_id, is_gm=viewer.is_gm)]
        assert await _hidden_from(storage, viewer) == may_not, viewer


async def _hidden_from(storage: Storage, viewer: Viewer) -> list[int]:
    """Return the numbers of all plain rolls that are hidden from a person, the newest first."""
    numbers: list[int] = []

    def note(row: Row) -> bool:
        numbers.append(row.event.seq)
        return False

    await storage.reader.do(reading.find_hidden(1, "", viewer, note))
    return numbers


async def test_what_others_hide_costs_nobody_time(storage: Storage) -> None:
    """Whether a register's roll may be shown is asked of its own player's hidden rolls alone."""
    hidden = roll_register(3, options=RollOptions(visibility=Visibility.GM))
    for user in (2, 2, 2, 2, 3):
        await storage.writer.write(caller(user=user), hidden)
    rolls = [(await storage.writer.write(caller(user=n), roll_register(3))).event for n in (3, 4)]
    read = [await rows_read(storage, hide_revealing_dice(read_roll(event))) for event in rolls]

    assert read == [1, 0]


@pytest.mark.parametrize("limit", [1, 7, 100])
async def test_pages_are_the_history_backwards(storage: Storage, limit: int) -> None:
    """Pages of any size, after one another, are the whole history or a player's or roller's, newest first."""
    history = [*reversed(await tell(storage))]
    for user_id in (None, 1, 9):
        for roller in (None, "Evil", "own", "nobody", "\0"):
            rows = await pages(storage.reader, limit, user_id, roller)

            assert [row.event for row in rows] == [
                event
                for event in history
                if user_id in {None, event.user_id}
                and (roller is None or roller.casefold() == event.roller.casefold())
            ]


async def test_rows_say_what_became_of_events(storage: Storage) -> None:
    """An undone roll and a revealed one are marked, and only those."""
    events = await tell(storage)
    rows = await storage.reader.do(reading.page(1, limit=100))

    undone = next(event.target for event in events if event.kind is Kind.UNDO)
    assert [row.event.seq for row in rows if row.undone] == [undone]
    assert [row.event.seq for row in rows if row.revealed] == [4]


async def test_rollers_are_listed_by_name(storage: Storage) -> None:
    """A channel's rollers come by name, without removed ones and those of other channels."""
    for channel, name in ((1, "zebra"), (1, "Ape"), (1, "gone"), (2, "other")):
        await storage.writer.write(caller(channel), fair(name))
    await storage.writer.write(caller(), RemoveRoller("gone"))

    assert [roller.name for roller in await storage.reader.do(reading.rollers(1))] == ["Ape", "zebra"]
    assert await storage.reader.do(reading.rollers(3)) == []


async def test_a_roller_is_found_with_the_memory_of_its_next_roll(storage: Storage) -> None:
    """It comes with the player's own memory; where there is none of either, None."""
    await tell(storage)
    rolled = (await storage.writer.write(caller(user=1), RollDice("own"))).event
    after = (await storage.writer.write(caller(user=1), RollDice("own"))).event
    roller, mine = await storage.reader.do(reading.find_roller(1, "own", 1))
    same, nobodys = await storage.reader.do(reading.find_roller(1, "own", 99))

    assert after.roll.before != rolled.roll.before
    assert roller is not None
    assert roller == same
    assert mine == after.roll.after
    assert nobodys is None
    for campaign_id, key in ((1, "nobody"), (9, "own"), (1, "\0")):
        assert await storage.reader.do(reading.find_roller(campaign_id, key, 1)) == (None, None)


async def test_campaign_and_event_are_found_by_number(storage: Storage) -> None:
    """A channel leads to its campaign, a number to its event; where nothing is, None."""
    written = await storage.writer.write(caller(channel=5), RollDice("2d6"))
    campaign_id = await storage.reader.do(campaigns.played(caller(5)))

    assert campaign_id is not None
    assert campaign_id == written.event.campaign_id
    assert await storage.reader.do(reading.event(campaign_id, 1)) == Row(
        written.event, undone=False, revealed=False
    )
    assert await storage.reader.do(reading.event(campaign_id, 2)) is None
    assert await storage.reader.do(campaigns.played(caller(6))) == 0


async def test_recent_rolls_are_plain_dice_once_each(storage: Storage) -> None:
    """A player's plain dice of one channel, newest first; rollers, others and other channels left out."""
    await storage.writer.write(caller(), fair("evil"))
    for dice in ("1d6", "2d6", "evil", "1d6", "3d6"):
        await storage.writer.write(caller(), RollDice(dice))
    await storage.writer.write(caller(user=2), RollDice("4d6"))
    await storage.writer.write(caller(channel=2), RollDice("5d6"))

    assert await storage.reader.do(reading.recent_rolls(1, 1, limit=9)) == ["3d6", "1d6", "2d6"]
    assert await storage.reader.do(reading.recent_rolls(1, 1, limit=1)) == ["3d6"]


async def test_failing_read_is_explained(postgresql_url: str) -> None:
    """Where the database can't be read, that is said in words."""
    async with open_database(postgresql_url) as database:
        await transact(database, execute(text("DROP TABLE event CASCADE")))
        with pytest.raises(Unavailable, match="can't read the history now"):
            await Reader(database.reader).do(reading.page(1))


async def test_no_statement_searches_a_whole_table(tmp_path: Path) -> None:
    """SQLite finds every row that reading and writing touch by an index, and sorts no history."""
    watched = Plans()
    async with opened(sqlite_url(tmp_path), watched=watched) as storage:
        await tell(storage)
        await storage.writer.write(caller(), roll_register(4))
        await storage.writer.write(caller(), ResetRoller("evil"))
        await pages(storage.reader, 9)
        await pages(storage.reader, 9, user_id=1)
        await pages(storage.reader, 9, roller="evil")
        await storage.reader.do(reading.rollers(1))
        await storage.reader.do(reading.recent_rolls(1, 1, 9))
        await storage.reader.do(reading.faces(1, SOURCES))
    async with opened(sqlite_url(tmp_path), watched=watched) as storage:
        storage.writer.delivered(await storage.writer.write(caller(), RollDice("evil")))
    plans = set(watched.steps(tmp_path / "evenhand.db"))

    tables = {*schema.metadata.tables, "other"}
    assert len(plans) > 10
    # What later events did to a row is found by the index of targets, not by reading the campaign.
    assert [step for step in plans if "other" in step[0] and "ix_event_target" not in step[0]] == []
    assert [step for step in plans if step[0].startswith("SCAN") and step[0].split()[1] in tables] == []
    sorting = {step[1] for step in plans if "TEMP B-TREE" in step[0]}
    assert [one for one in sorting if "event" in re.split("EXISTS|WHERE", one)[0]] == []
