"""A backup is put back whole or not at all, and no file is ever opened with another one's log."""

import shutil
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.campaign.command import Caller
from bot.campaign.rolls import RollDice
from bot.cli import databases
from bot.dice.errors import Unavailable
from bot.storage.backup import back_up
from bot.storage.engine import open_database
from bot.storage.erasing import delete_some, hide_home
from bot.storage.files import sole_use
from bot.storage.queries import execute
from tests.faults.restoring import data, names, play, read, remove, roll, write
from tests.storage.asking import Storage, audited, caller, fair, opened
from tests.support.cli import run_beside
from tests.support.databases import sqlite_url

__all__ = ["data"]


async def test_a_backup_comes_back(data: Path, tmp_path: Path) -> None:
    """What was rolled since is moved aside as a database of its own; the backup stays, and #6 says so."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    before = read(tmp_path / "copy.db")
    await play(data, 5)

    done = await run_beside("restore", str(tmp_path / "copy.db"))

    assert done.exit_code == 0, done.output
    (name,) = names(data, "evenhand.db.before-????????T????????????")
    aside = data / name
    assert str(aside) in done.output
    assert "Campaign 1: holds." in done.output
    assert await play(data, 1) == [*range(1, 8)]
    with closing(sqlite3.connect(aside)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchall() == [(10,)]
    assert read(tmp_path / "copy.db") == before
    assert not names(data, "*.restoring*")


@pytest.mark.parametrize("name", ["evenhand.db", "evenhand.db.restoring"])
async def test_a_journal_left_by_a_killed_process_is_of_no_other_file(
    data: Path, tmp_path: Path, name: str
) -> None:
    """SQLite would roll it back into the restored file, or refuse each restore that comes after it."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "changed.db")
    with closing(sqlite3.connect(tmp_path / "changed.db", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE more AS SELECT e.* FROM event AS e, event AS f, event AS g")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE event SET what = what || what")
        connection.execute("UPDATE more SET what = what || what")
        write(data / f"{name}-journal", read(tmp_path / "changed.db-journal"))

    done = await run_beside("restore", str(tmp_path / "copy.db"))

    assert done.exit_code == 0, done.output
    assert await play(data, 1) == [*range(1, 8)]
    assert names(data, f"{name}-journal") == []


async def test_a_backup_without_a_database_is_the_database(data: Path, tmp_path: Path) -> None:
    """On a new machine there is nothing to move aside."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    shutil.rmtree(data)

    done = await run_beside("restore", str(tmp_path / "copy.db"))

    assert done.exit_code == 0, done.output
    assert "What was there" not in done.output
    assert await play(data, 1) == [*range(1, 8)]


async def test_an_empty_backup_is_none(data: Path, tmp_path: Path) -> None:
    """A copy of which a full disk has left nothing is neither called good nor restored."""
    await play(data, 5)
    write(tmp_path / "copy.db", b"")

    for command in ("check", "restore"):
        done = await run_beside(command, str(tmp_path / "copy.db"))
        assert done.exit_code == 1
        assert done.stderr.endswith("copy.db is not Evenhand's, or it has been emptied.\n")
    assert not names(data, "*.before-*")


@pytest.mark.parametrize("where", [60, 100])
async def test_a_damaged_backup_changes_nothing(data: Path, tmp_path: Path, where: int) -> None:
    """Neither does one that was changed by hand, nor one that is no database; the old one stays."""
    await play(data, 5)
    copy = tmp_path / "copy.db"
    back_up(sqlite_url(data), copy)
    if where == 60:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("UPDATE event SET what = replace(what, '2d6', '3d6') WHERE seq = 3")
    else:
        data_ = read(copy)
        write(copy, data_[: 40 * 4_096] + b"\x55" * (len(data_) - 40 * 4_096))

    done = await run_beside("restore", str(copy))

    assert done.exit_code in {1, 2}
    assert (
        "damaged" in done.stderr or "does not hold" in done.stderr or "could not be restored" in done.stderr
    )
    assert await play(data, 1) == [*range(1, 7)]
    assert not names(data, "*.restoring*")
    assert not names(data, "*.before-*")


@pytest.mark.parametrize("statement", ["DROP TABLE tally", "DELETE FROM campaign"])
async def test_a_backup_that_lacks_a_part_is_damaged(data: Path, tmp_path: Path, statement: str) -> None:
    """A table, or the campaign of a history: it is said before anything else, and the old one stays."""
    await play(data, 2)
    copy = tmp_path / "copy.db"
    back_up(sqlite_url(data), copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute(statement)
    for command in ("check", "restore"):
        done = await run_beside(command, str(copy))

        assert done.exit_code == 1
        assert done.stderr == f"The database {copy} is damaged. Take another backup.\n"
    assert not names(data, "*.before-*")


async def test_nothing_is_restored_under_a_running_bot(data: Path, tmp_path: Path) -> None:
    """It holds the lock; the sentence says to stop it."""
    await play(data, 2)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    with sole_use(data / "evenhand.db"):
        done = await run_beside("restore", str(tmp_path / "copy.db"))

    assert done.exit_code == 1
    assert "Another Evenhand is using" in done.stderr


async def test_no_server_is_restored_where_a_bot_stops_meanwhile(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it wrote after the others were copied would be in the old file alone."""
    await play(data, 2)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    before = read(data / "evenhand.db")
    with ExitStack() as bot:
        bot.enter_context(sole_use(data / "evenhand.db"))

        def copy_and_stop(url: str, path: Path) -> None:
            back_up(url, path)
            bot.close()

        monkeypatch.setattr(databases, "back_up", copy_and_stop)
        done = await run_beside("restore", "--server", "7", str(tmp_path / "copy.db"))

    assert "Another Evenhand is using" in done.stderr
    assert read(data / "evenhand.db") == before


async def test_a_journal_beside_another_file_is_refused(data: Path, tmp_path: Path) -> None:
    """What a restore leaves that is killed before it deletes the journal; the next restore does."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    shutil.copyfile(tmp_path / "copy.db", data / "evenhand.db")
    write(data / "evenhand.db-journal", b"of the one before")

    with pytest.raises(Unavailable, match=r"the log evenhand\.db-journal"):
        await play(data, 1)
    assert (await run_beside("restore", str(tmp_path / "copy.db"))).exit_code == 0
    assert await play(data, 1) == [*range(1, 8)]


async def test_a_log_beside_another_file_is_refused(data: Path, tmp_path: Path) -> None:
    """Somebody copies a backup over the file of a bot that was killed: its log is never mixed in."""
    await play(data, 5)
    url, file = sqlite_url(data), data / "evenhand.db"
    async with opened(url) as storage:
        back_up(url, tmp_path / "copy.db")
        await roll(storage, 5)
        # What a kill leaves behind.
        shutil.copytree(data, tmp_path / "killed")
    left = tmp_path / "killed"
    logged = [len(read(left / "evenhand.db-wal"))]
    played = await play(left, 1)
    shutil.rmtree(left)
    async with opened(url) as storage:
        await roll(storage, 5)
        shutil.copytree(data, left)
    shutil.copyfile(tmp_path / "copy.db", left / file.name)

    with pytest.raises(Unavailable, match=r"was replaced, and the log evenhand\.db-wal"):
        async with open_database(sqlite_url(left)):
            pass
    remove(left / "evenhand.db-wal")
    again = await play(left, 1)

    assert all(logged)
    assert (len(played), len(again)) == (11, 6)


async def test_a_copy_in_its_place_is_logged(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Once; after `restore` there is nothing to say, for then each history says it."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    await play(data, 5)
    shutil.copyfile(tmp_path / "copy.db", data / "evenhand.db")
    played = [len(await play(data, 1)) for _ in range(2)]
    once = caplog.text.count("was replaced by a copy")
    await run_beside("restore", str(tmp_path / "copy.db"))
    played.append(len(await play(data, 1)))

    assert played == [6, 7, 7]
    assert (once, caplog.text.count("was replaced by a copy")) == (1, 1)


async def test_a_backup_can_be_checked_at_any_time(data: Path, tmp_path: Path) -> None:
    """Also while the bot runs; the file is not touched, and a broken one is code 1."""
    await play(data, 5)
    copy = tmp_path / "copy.db"
    back_up(sqlite_url(data), copy)
    before = read(copy)
    with sole_use(data / "evenhand.db"):
        good = await run_beside("check", str(copy))
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("DELETE FROM event WHERE seq = 3")
    bad = await run_beside("check", str(copy))
    missing = await run_beside("check", str(tmp_path / "none.db"))

    assert (good.exit_code, bad.exit_code, missing.exit_code) == (0, 1, 2)
    assert "Campaign 1: holds." in good.output
    assert len(read(copy)) == len(before)


async def test_one_server_comes_back_and_the_others_stay(data: Path, tmp_path: Path) -> None:
    """Its campaigns are as they were in the backup, those of others as they are; what was there is aside."""
    async with opened(sqlite_url(data)) as storage:
        for command in (fair("evil"), RollDice("evil")):
            for who in (caller(), at_server(8), caller(channel=2)):
                await storage.writer.write(who, command)
        back_up(sqlite_url(data), tmp_path / "copy.db")
        await storage.transact(hide_home(7))
        while await storage.transact(delete_some()):
            pass
        for who in (at_server(8), at_server(9), caller(channel=3)):
            await storage.writer.write(who, RollDice("2d6"))
        before = await told(storage)

    done = await run_beside("restore", "--server", "7", str(tmp_path / "copy.db"))
    async with opened(sqlite_url(data)) as storage:
        after = await told(storage)
        for campaign_id, _, _ in after:
            await audited(storage, campaign_id)
        rolled = (await storage.writer.write(caller(), RollDice("evil"))).event

    assert done.exit_code == 0, done.output
    assert [one[1:] for one in before] == [(8, 3), (9, 1), (7, 1)]
    assert sorted(one[1:] for one in after) == [(7, 3), (7, 3), (8, 3), (9, 1)]
    assert [one for one in after if one[1] != 7] == [one for one in before if one[1] != 7]
    assert rolled.seq == 4
    assert len(names(data, "evenhand.db.before-????????T????????????")) == 1
    assert not names(data, "evenhand-restore-*")


async def test_only_a_server_that_holds_is_restored(data: Path, tmp_path: Path) -> None:
    """One that the backup has not, that can't be, or whose history was changed in it, changes nothing."""
    await play(data, 5)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db", isolation_level=None)) as connection:
        connection.execute("UPDATE memory SET value = '[9,9]'")
        connection.execute("UPDATE event SET what = replace(what, '2d6', '3d6') WHERE seq = 3")
    before = read(data / "evenhand.db")
    unknown = await run_beside("restore", "--server", "8", str(tmp_path / "copy.db"))
    broken = await run_beside("restore", "--server", "7", str(tmp_path / "copy.db"))
    too_large = await run_beside("restore", "--server", "9" * 20, str(tmp_path / "copy.db"))

    assert (unknown.exit_code, broken.exit_code, too_large.exit_code) == (2, 2, 2)
    assert "has nothing of the server 8" in unknown.output
    assert "broken: #3" in broken.output
    assert read(data / "evenhand.db") == before


def at_server(guild: int) -> Caller:
    """Somebody on another server, in a channel of that number."""
    return replace(caller(channel=guild * 10), guild_id=guild)


async def told(storage: Storage) -> list[tuple[int, int, int]]:
    """Each campaign's number, its server, and how many events it has."""
    rows = await storage.reader.do(execute(text("SELECT id, guild_id, seq FROM campaign ORDER BY id")))
    return [(row[0], row[1], row[2]) for row in rows]


async def test_a_start_deletes_the_copy_of_a_killed_restore(data: Path) -> None:
    """It holds what people erase later, and nobody knows of it."""
    await play(data, 1)
    for end in ("", "-wal", "-shm", "-journal", ".id", ".lock"):
        write(data / f"evenhand.db.restoring{end}", b"of a backup")
    await play(data, 1)

    assert not names(data, "*.restoring*")


@pytest.mark.parametrize("server", [(), ("--server", "8")], ids=["whole", "server"])
async def test_no_number_of_a_lost_campaign_is_given_again(
    data: Path, tmp_path: Path, server: tuple[str, ...]
) -> None:
    """Buttons of campaigns from after the backup stay in Discord, and must not act on those made next."""
    async with opened(sqlite_url(data)) as storage:
        for guild in (7, 8):
            await storage.writer.write(at_server(guild), RollDice("2d6"))
        back_up(sqlite_url(data), tmp_path / "copy.db")
        for guild in (9, 10):
            await storage.writer.write(at_server(guild), RollDice("2d6"))
        await storage.transact(hide_home(10))
        while await storage.transact(delete_some()):
            pass
    done = await run_beside("restore", *server, str(tmp_path / "copy.db"))
    async with opened(sqlite_url(data)) as storage:
        made = await storage.writer.write(at_server(11), RollDice("2d6"))

    assert done.exit_code == 0, done.output
    assert made.event.campaign_id == 5
