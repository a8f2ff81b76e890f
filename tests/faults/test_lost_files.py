"""A database of which a file is gone, or lies elsewhere with its log, loses nothing that was answered."""

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.dice.errors import Unavailable
from bot.storage.backup import back_up
from bot.storage.engine import open_database
from tests.faults.restoring import data, play, read, remove, roll, write
from tests.storage.asking import opened
from tests.support.cli import run_beside
from tests.support.databases import sqlite_url
from tests.support.forked import SMALL_FILES, forked

__all__ = ["data"]


async def test_an_emptied_file_is_no_new_database(data: Path) -> None:
    """A history of which nothing is left is not begun anew without a word, while its number lies there."""
    await play(data, 5)
    write(data / "evenhand.db", b"")

    with pytest.raises(Unavailable, match=r"has been emptied.*move it away, with evenhand\.db\.id"):
        await open_once(data)
    remove(data / "evenhand.db")
    with pytest.raises(Unavailable, match=r"is gone, but evenhand\.db\.id is still there"):
        await open_once(data)
    remove(data / "evenhand.db.id")
    await open_once(data)


async def test_a_missing_file_is_not_begun_anew(data: Path, tmp_path: Path) -> None:
    """SQLite would delete its log, with rolls that were answered; the file put back, all are there."""
    await killed(data, 5)
    (data / "evenhand.db").rename(tmp_path / "away.db")
    told = [(await run_beside(*command)).stderr for command in (["migrate"], ["check"], ["backup", "b.db"])]
    (tmp_path / "away.db").rename(data / "evenhand.db")

    assert told == [told[0]] * 3
    assert "is gone, but evenhand.db-wal, evenhand.db.id is still there." in told[0]
    assert await play(data, 1) == [*range(1, 7)]


async def test_a_log_beside_a_backup_belongs_to_it(data: Path, tmp_path: Path) -> None:
    """A database that was moved aside holds its newest rolls in the log alone; neither is changed."""
    await killed(data, 5)
    before = move(data, tmp_path / "aside")
    checked, restored = [
        await run_beside(name, str(tmp_path / "aside" / "evenhand.db")) for name in ("check", "restore")
    ]
    after = move(tmp_path / "aside", tmp_path / "aside")

    assert (checked.exit_code, restored.exit_code) == (0, 0), checked.output + restored.output
    assert "Campaign 1: holds. " in checked.output
    assert after == before
    assert f"Restored {tmp_path / 'aside' / 'evenhand.db'} to {data / 'evenhand.db'}." in restored.output
    assert await play(data, 1) == [*range(1, 8)]


async def test_a_log_beside_a_backup_that_was_never_opened_is_of_another_file(
    data: Path, tmp_path: Path
) -> None:
    """Such as that of a database which lay there before: the backup is whole without it."""
    await play(data, 2)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    await killed(tmp_path / "another", 5)
    log = read(tmp_path / "another" / "evenhand.db-wal")
    for content in (log, b"no log"):
        write(tmp_path / "copy.db-wal", content)
        done = [await run_beside(name, str(tmp_path / "copy.db")) for name in ("check", "restore")]

        assert [one.exit_code for one in done] == [0, 0], done[0].output + done[1].output
        assert read(tmp_path / "copy.db-wal") == content
    assert await play(data, 1) == [*range(1, 5)]


async def test_a_backup_is_mended_on_the_way(data: Path, tmp_path: Path) -> None:
    """What follows from its events is made anew, for a server alone too; before, it is what it is."""
    await play(data, 5)
    copy = tmp_path / "copy.db"
    back_up(sqlite_url(data), copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE tally SET n = n + 1")
    checked, refused = await run_beside("check", str(copy)), await run_beside("check", "--mend", str(copy))
    restored = [await run_beside("restore", *options, str(copy)) for options in ([], ["--server", "7"])]

    assert (checked.exit_code, refused.exit_code) == (1, 2)
    assert f"`evenhand restore {copy}` mends it on the way." in refused.stderr
    assert [one.exit_code for one in restored] == [0, 0], restored[0].output + restored[1].output
    assert all("rows mended" in one.output for one in restored)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="Only root gives files to others.")
async def test_root_restores_for_the_bots_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command makes as root belongs to the owner of the file that it replaces, or of the folder."""
    # Other users don't get into pytest's own folders.
    with TemporaryDirectory() as folder:
        data, copy = Path(folder) / "data", Path(folder) / "copy.db"
        monkeypatch.setenv("EVENHAND_DATA", str(data))
        await play(data, 2)
        back_up(sqlite_url(data), copy)
        give_all(Path(folder), to=65_534)
        done = [
            (await run_beside(*command)).exit_code
            for command in (["restore", str(copy)], ["check", "--mend"])
        ]
        owners = owners_in(data)
        os.chown(data / "evenhand.db", 0, 0)
        os.setresuid(65_534, 65_534, 0)
        try:
            refused = await run_beside("migrate")
        finally:
            os.setresuid(0, 0, 0)

    assert done == [0, 0]
    assert len(owners) >= 5
    assert set(owners.values()) == {65_534}, owners
    assert "because its files are another user's (Permission denied)." in refused.stderr


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="Only root can change any file.")
@pytest.mark.parametrize("end", [".lock", ".id", "-wal", "-journal", ".restoring", ".restoring.lock"])
async def test_root_follows_no_link_of_the_bots_user(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it leads to keeps its owner, rights and content, is not copied, and is not made."""
    with TemporaryDirectory() as folder:
        data, copy, secret, none = (Path(folder) / name for name in ("data", "copy.db", "secret", "none"))
        monkeypatch.setenv("EVENHAND_DATA", str(data))
        await play(data, 1)
        back_up(sqlite_url(data), copy)
        give_all(data, to=65_534)
        write(secret, b"secret")
        secret.chmod(0o644)
        before = secret.stat()
        for target in (secret, none):
            for command in (["migrate"], ["check", "--mend"], ["restore", str(copy)]):
                lay_link(data / f"evenhand.db{end}", target)
                await run_beside(*command)

        assert not none.exists()
        assert (secret.stat()[:6], read(secret)) == (before[:6], b"secret")
        assert [path for path in data.iterdir() if not path.is_symlink() and read(path) == b"secret"] == []


async def test_a_host_may_lay_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the data folder, the database and a backup, whose log lies beside the file that it leads to."""
    await killed(tmp_path / "real", 3)
    for name, target in (("data", "real"), ("link.db", "data/evenhand.db"), ("copy.db", "aside/evenhand.db")):
        lay_link(tmp_path / name, tmp_path / target)
    shutil.copytree(tmp_path / "real", tmp_path / "aside")
    checked = [await run_beside("check", str(tmp_path / "copy.db"))]
    for name, value in (("DATA", str(tmp_path / "data")), ("DATABASE", f"sqlite:///{tmp_path}/link.db")):
        monkeypatch.setenv(f"EVENHAND_{name}", value)
        checked += [await run_beside("check"), await run_beside("restore", str(tmp_path / "copy.db"))]

    assert [one.exit_code for one in checked] == [0] * 5, "".join(one.output for one in checked)
    assert (tmp_path / "link.db").is_symlink()
    assert await play(tmp_path / "data", 1) == [*range(1, 6)]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="Root writes everywhere.")
async def test_a_backup_that_may_only_be_read_is_checked(data: Path) -> None:
    """The copy that this takes is elsewhere then."""
    await play(data, 2)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        back_up(sqlite_url(data), copy)
        before = (await run_beside("check", str(copy))).output
        open_to_readers(copy)
        os.setresuid(65_534, 65_534, 0)
        try:
            done = await run_beside("check", str(copy))
        finally:
            os.setresuid(0, 0, 0)

    assert (done.exit_code, done.output) == (0, before)


@pytest.mark.skipif(sys.platform == "win32", reason="A shell limits the size of files.")
async def test_a_folder_without_room_is_named(data: Path, tmp_path: Path) -> None:
    """And not the backup, which is whole."""
    await play(data, 2)
    back_up(sqlite_url(data), tmp_path / "copy.db")
    for options in (["--server", "7"], []):
        command = "-c", SMALL_FILES, "restore", *options, str(tmp_path / "copy.db")
        child = await forked(command, os.environ)
        errors = await child.said()

        assert f"{tmp_path / 'copy.db'} can't be copied into {data}" in errors
        assert errors.endswith(": File too large.\n")


async def test_one_server_needs_no_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgresql_url: str
) -> None:
    """Its rows are prepared beside the database; where that is a server, the way to a file is said."""
    await play(tmp_path / "here", 2)
    back_up(sqlite_url(tmp_path / "here"), tmp_path / "copy.db")
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("EVENHAND_DATABASE", sqlite_url(tmp_path / "here"))
    restored = await run_beside("restore", "--server", "7", str(tmp_path / "copy.db"))
    monkeypatch.setenv("EVENHAND_DATABASE", postgresql_url)
    refused = await run_beside("restore", "--server", "7", str(tmp_path / "copy.db"))

    assert restored.exit_code == 0, restored.output
    assert "With `evenhand move` a PostgreSQL goes to a file and back." in refused.stderr


def open_to_readers(file: Path) -> None:
    """Let others read a file, and list its folder."""
    file.chmod(0o644)
    file.parent.chmod(0o755)


def lay_link(link: Path, target: Path) -> None:
    """Have a path lead to another one."""
    link.unlink(missing_ok=True)
    link.symlink_to(target)


def give_all(folder: Path, to: int) -> None:
    """Give a folder and all in it to a user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, to, to)


def owners_in(folder: Path) -> dict[str, int]:
    """Whose the files in a folder are."""
    return {path.name: path.stat().st_uid for path in folder.iterdir()}


def move(folder: Path, target: Path) -> dict[str, bytes]:
    """Rename a folder; what its files hold."""
    folder.rename(target)
    return {path.name: read(path) for path in target.iterdir()}


async def open_once(data: Path) -> None:
    """Open the database and close it, as a start and a stop do."""
    async with open_database(sqlite_url(data)):
        pass


async def killed(data: Path, count: int) -> None:
    """So many rolls, and then what a kill leaves behind: the newest of them stand in the log alone."""
    await play(data, 1)
    async with opened(sqlite_url(data)) as storage:
        await roll(storage, count - 1)
        shutil.copytree(data, data.with_name("left"), ignore=shutil.ignore_patterns("*-shm"))
    shutil.rmtree(data)
    data.with_name("left").rename(data)
