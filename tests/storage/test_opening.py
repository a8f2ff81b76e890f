import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.dice.errors import DiceError, Unavailable
from bot.storage.backup import back_up
from bot.storage.engine import examine, open_database, transact
from bot.storage.faults import Fault
from bot.storage.queries import execute
from tests.storage.asking import opened
from tests.support.databases import sqlite_url

ROOT = Path(__file__).parents[2]
HOLDER = """
import asyncio, sys
from bot.storage.backup import back_up
from bot.storage.engine import examine, open_database, transact

async def hold():
    async with open_database(sys.argv[1]):
        print("open", flush=True)
        sys.stdin.read()

asyncio.run(hold())
"""


async def open_once(url: str) -> None:
    """Open the database and close it again."""
    async with open_database(url):
        pass


async def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could not count the first roll's faces."""
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 37, 2))

    assert "has SQLite 3.37.2, and Evenhand needs 3.38" in await refusal(sqlite_url(tmp_path))


async def refusal(url: str) -> str:
    """The sentence that opening the database is refused with."""
    with pytest.raises((DiceError, Unavailable)) as refused:
        await open_once(url)
    return str(refused.value)


async def test_missing_folder_is_made(tmp_path: Path) -> None:
    """Opening a database makes its file and the folders above, closed to others; so does a backup."""
    file, copy = tmp_path / "a" / "b" / "evenhand.db", tmp_path / "c" / "d" / "copy.db"
    await open_once(f"sqlite:///{file}")
    await asyncio.to_thread(back_up, f"sqlite:///{file}", copy)
    made = (path for one in (file, copy) for path in (one, one.parent, one.parents[1]))

    assert [path.stat().st_mode & 0o077 for path in made] == [0] * 6


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    """What is options behind other addresses is part of a file's name."""
    folder = tmp_path / "what? 100%41 #1 ~"
    asyncio.run(open_once(sqlite_url(folder)))

    assert list(tmp_path.iterdir()) == [folder]
    assert (folder / "evenhand.db").is_file()


async def test_sqlite_is_durable(tmp_path: Path) -> None:
    """SQLite writes ahead, syncs at every commit, and checks references."""
    async with opened(sqlite_url(tmp_path)) as storage, storage.database.writing() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys")
        settings = [(await connection.do(execute(text(f"PRAGMA {name}"))))[0][0] for name in names]

    assert settings == ["wal", 2, 1]


async def test_reader_can_not_write(tmp_path: Path) -> None:
    """The reading connections refuse to write."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for connection in (storage.database.reader, storage.database.reports):
            with pytest.raises(Fault, match="readonly"):
                await connection.do(execute(text("DELETE FROM campaign")))


async def test_looking_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither beside a file that nobody has, nor where a process has it; there its log counts."""
    url, seen = sqlite_url(tmp_path), list[str]()
    await open_once(url)
    before = names(tmp_path)
    seen.append((await examine(url)).revision)
    assert names(tmp_path) == before
    async with open_database(url) as database:
        await transact(database, execute(text("UPDATE alembic_version SET version_num = '0022'")))
        before = names(tmp_path)
        seen.append((await examine(url)).revision)
        assert names(tmp_path) == before

    assert seen == ["0026", "0022"]


def names(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_second_process_is_refused(tmp_path: Path) -> None:
    """While another process has the file, opening it is refused; once that one is gone, it opens."""
    url = sqlite_url(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, url], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"open\n"
        sentence = asyncio.run(refusal(url))
        holder.kill()

    assert "Another Evenhand is using" in sentence
    asyncio.run(open_once(url))


async def test_same_file_by_another_name_is_refused(tmp_path: Path) -> None:
    """A link to the file leads to the same lock."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    async with open_database(sqlite_url(tmp_path / "real")):
        assert "Another Evenhand is using" in await refusal(sqlite_url(tmp_path / "link"))


async def test_unusable_files_are_explained(tmp_path: Path) -> None:
    """A folder in the file's place, a file in the folder's place, and a file of another kind are named."""
    (tmp_path / "evenhand.db").mkdir()
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "evenhand.db").write_text("not a database, however long it may be" * 100)

    assert "because its file can't be opened" in await refusal(sqlite_url(tmp_path))
    assert "can't be made" in await refusal(sqlite_url(tmp_path / "file"))
    assert "because its file is no SQLite database" in await refusal(sqlite_url(tmp_path / "other"))


@pytest.mark.parametrize("url", ["", "dice.db", "mysql://here/dice", "sqlite://", "sqlite:///:memory:"])
async def test_other_addresses_are_refused(url: str) -> None:
    """Only a SQLite file and PostgreSQL can be opened."""
    assert "begins with sqlite:///" in await refusal(url)


@pytest.mark.parametrize("address", ["ann:x@secret@here/dice", "ann:x@se:cret@here/dice", "ann:x@[::1/dice"])
async def test_a_password_that_ends_its_address_early_is_not_shown(address: str) -> None:
    """An @ in it is refused, with how to write it; so is an address whose end can't be read."""
    sentence = await refusal(f"postgresql://{address}")

    assert "In a password, @ is written %40." in sentence
    assert "cret" not in sentence


async def test_absent_server_is_explained() -> None:
    """A PostgreSQL server that is not there is said to be silent, and the password is not shown."""
    sentence = await refusal("postgresql://ann:secret@127.0.0.1:1/dice?password=secret")

    assert sentence.endswith("because it does not answer. Start this again when it does.")
    assert "secret" not in sentence


async def test_settings_that_a_server_has_not_are_explained() -> None:
    """They are part of its address: a word that `sslmode` has not is no fault of the bot's."""
    assert "because its address is wrong" in await refusal("postgresql://ann@127.0.0.1:1/dice?sslmode=bad")


def test_refusing_server_is_explained(postgresql_url: str, caplog: pytest.LogCaptureFixture) -> None:
    """What PostgreSQL refuses is told apart: a user, a database, TLS, a setting that it has not."""
    stranger = postgresql_url.replace("postgres:@", "stranger:@")
    nowhere = postgresql_url.replace("/test_", "/no_test_")
    more = postgresql_url + ("&" if "?" in postgresql_url else "?")

    assert "because the user's name or password is wrong" in asyncio.run(refusal(stranger))
    assert "because the server has no database of that name" in asyncio.run(refusal(nowhere))
    assert "because its address asks for TLS, which the server has not." in asyncio.run(without_tls())
    for option in ("foo=bar", "work_mem=much", "port=x"):
        assert "because its address is wrong: `evenhand doctor`" in asyncio.run(refusal(more + option))
    assert "Traceback" not in caplog.text


async def without_tls() -> str:
    """The sentence for a server that answers the question for TLS with no."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(8)
        writer.write(b"N")
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        return await refusal(f"postgresql://ann@127.0.0.1:{port}/dice?sslmode=require")
