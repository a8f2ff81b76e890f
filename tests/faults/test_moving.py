"""A database moves from either engine to the other and goes on there, or says why it can't."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import Result

from bot.campaign.campaigns import Remembers
from bot.campaign.rolls import RollDice
from bot.storage import schema
from bot.storage.engine import open_database, transact
from bot.storage.erasing import delete_some, hide_home
from bot.storage.moving import _count, copy_all
from bot.storage.queries import Queries, Query, Reader
from tests.storage.asking import Storage, audited, caller, fair, opened
from tests.support.cli import run_beside
from tests.support.databases import lay_tables, sqlite_url

PEOPLE = 30


async def move(monkeypatch: pytest.MonkeyPatch, source: str, target: str) -> Result:
    """Run the command beside the test's own loop."""
    monkeypatch.setenv("EVENHAND_DATABASE", source)
    return await run_beside("move", target)


async def play(storage: Storage) -> None:
    """Rolls of a roller with a memory for each of many players, more than one chunk of rows."""
    await storage.writer.write(caller(user=99), fair("own", Remembers.PLAYER))
    for _ in range(20):
        rolls = (storage.writer.write(caller(user=n + 1), RollDice("own")) for n in range(PEOPLE))
        await asyncio.gather(*rolls)


async def rows(reader: Reader) -> list[int]:
    """How many rows each table has."""
    return [await reader.do(_count(table)) for table in schema.metadata.sorted_tables]


async def test_there_and_back(tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row arrives, every campaign holds there, and rolling and making go on with new numbers.

    Meanwhile no command begins anew, or goes on, in the place that was left.
    """
    async with opened(sqlite_url(tmp_path)) as storage:
        await play(storage)
        before = await rows(storage.reader)
    done = await move(monkeypatch, sqlite_url(tmp_path), postgresql_url)
    async with opened(postgresql_url) as storage:
        there = await rows(storage.reader)
        await storage.writer.write(caller(user=1), RollDice("own"))
        await storage.writer.write(caller(channel=2), fair("new"))
        found = [await audited(storage, campaign_id) for campaign_id in (1, 2)]
    refused = [await run_beside(name) for name in ("migrate", "check")]
    back = await move(monkeypatch, postgresql_url, sqlite_url(tmp_path))
    async with opened(sqlite_url(tmp_path)) as storage:
        await storage.writer.write(caller(channel=3), fair("newer"))
        after = await rows(storage.reader)

    assert (done.exit_code, back.exit_code) == (0, 0), done.output + back.output
    assert "Campaign 1: holds." in done.output
    assert "event: 500 of 601" in done.output
    assert all("was moved elsewhere. Set EVENHAND_DATABASE" in one.stderr for one in refused)
    assert f"The old database is {tmp_path / 'evenhand.db.moved-'}" in done.output
    assert there == before
    assert len(found) == 2
    assert sum(after) > sum(before)


async def test_only_an_empty_database_is_moved_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is not mixed with what comes."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        async with opened(sqlite_url(tmp_path / name)) as storage:
            await storage.writer.write(caller(), RollDice("2d6"))
    refused = await move(monkeypatch, sqlite_url(tmp_path / "first"), sqlite_url(tmp_path / "second"))

    assert refused.exit_code == 1
    assert "is not empty" in refused.stderr


async def test_what_does_not_hold_is_said(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign that was damaged before does not arrive as one that holds: code 1."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for _ in range(3):
            await storage.writer.write(caller(), RollDice("2d6"))
        await transact(storage.database, _damage())
    moved = await move(monkeypatch, sqlite_url(tmp_path), postgresql_url)

    assert moved.exit_code == 1
    assert "Campaign 1: broken: #2" in moved.output


def _damage() -> Queries[None]:
    yield Query(text("UPDATE event SET what = replace(what, '2d6', '3d6') WHERE seq = 2"))


async def test_migrating_is_what_a_start_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are there, and again; a second time changes nothing."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    done = [await run_beside("migrate") for _ in range(2)]

    assert [one.exit_code for one in done] == [0, 0]
    assert "up to date" in done[1].output


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
async def test_a_move_that_is_cut_short_leaves_nothing(tmp_path: Path, postgresql_url: str, to: str) -> None:
    """It is made whole or not at all, so that the same command can be given again."""
    (tmp_path / "new").mkdir()
    target_url = postgresql_url if to == "postgresql" else sqlite_url(tmp_path / "new")

    def stop(said: str) -> None:
        if said.startswith("event: 500"):
            raise KeyboardInterrupt

    lay_tables(target_url)
    # As the command opens it: a copy may take longer than an answer in Discord.
    async with opened(sqlite_url(tmp_path)) as source, open_database(target_url, receiving=True) as target:
        await play(source)
        with pytest.raises(KeyboardInterrupt):
            await copy_all(source.database, target, stop)
        left = sum(await rows(Reader(target.reader)))
        await copy_all(source.database, target, str)

        assert (left, await rows(Reader(target.reader))) == (0, await rows(source.reader))


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
async def test_no_number_of_a_deleted_campaign_is_given_again(
    tmp_path: Path, database_url: str, postgresql_url: str, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    """Its buttons are still in Discord: the newest campaign was deleted, and the database moved, twice."""
    target = sqlite_url(tmp_path / "new") if to == "sqlite" else postgresql_url
    (tmp_path / "new").mkdir()
    async with opened(database_url) as storage:
        for guild in (1, 2, 3):
            await storage.writer.write(replace(caller(channel=guild), guild_id=guild), fair("new"))
        for guild in (2, 3):
            await storage.transact(hide_home(guild))
        while await storage.transact(delete_some()):
            pass
    first = await move(monkeypatch, database_url, target)
    second = await move(monkeypatch, target, sqlite_url(tmp_path / "newer"))
    async with opened(sqlite_url(tmp_path / "newer")) as storage:
        made = await storage.writer.write(caller(channel=4), fair("newer"))

    assert (first.exit_code, second.exit_code) == (0, 0), first.output + second.output
    assert made.event.campaign_id == 4


async def test_nothing_is_moved_from_under_another_process(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it wrote during the move, or behind it, would be in the old place alone."""
    async with opened(database_url) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
        refused = await move(monkeypatch, database_url, sqlite_url(tmp_path / "new"))
    moved = await move(monkeypatch, database_url, sqlite_url(tmp_path / "new"))

    assert refused.exit_code == 1
    assert "Another Evenhand is using" in refused.stderr
    assert "Stop it first." in refused.stderr
    assert moved.exit_code == 0, moved.output
