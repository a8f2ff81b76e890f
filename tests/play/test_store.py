"""What the table keeps: it is there after a kill, ids never run back, and the oldest goes first."""

import asyncio
import json
import shutil
import sqlite3
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.dice.errors import Unavailable
from bot.play import host
from bot.play import store as stores
from bot.play.host import open_table
from bot.play.messages import Posts, picture
from bot.play.store import Store, TableError
from bot.play.world import Message, World, read_id
from bot.times import milliseconds_of
from tests.play.evening import drawn
from tests.support.discord import discord


def test_ids_never_run_back(tmp_path: Path) -> None:
    """Also if the clock does: then they go on at the pace of time, for the bot refuses what lags behind."""
    now, passed = 2_000_000_000.0, 0.0
    store = Store(tmp_path)
    world = World(store, clock=lambda: now, steady=lambda: passed)
    first = world.new_id()
    now -= 3_600
    second = third = world.new_id()
    for step in range(1, 1_025):
        passed = step / 1_024
        third = world.new_id()
    store.close()

    assert milliseconds_of(first) == 2_000_000_000_000
    assert second == first + 1
    assert milliseconds_of(third) - milliseconds_of(first) in {999, 1_000}


def test_a_folder_has_one_table(tmp_path: Path) -> None:
    """A second one would write over the first; once that is closed, it opens."""
    store = Store(tmp_path)
    with pytest.raises(TableError, match=r"table\.db can't be opened: it is open already"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()


async def test_ids_go_on_after_a_restart(tmp_path: Path) -> None:
    """A table whose clock was set back goes on behind its latest id."""
    async with open_table(tmp_path, clock=lambda: 2_000_000_000) as table:
        latest = table.world.new_id()
    async with open_table(tmp_path, clock=lambda: 1_900_000_000) as table:
        assert table.world.new_id() > latest


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "9" * 20, "\u0661", None, 5])
def test_what_is_no_id(text: object) -> None:
    """Only strings of ASCII digits that fit a snowflake are ids."""
    assert read_id(text) is None


async def test_a_message_is_there_before_its_answer(tmp_path: Path) -> None:
    """What lies in the folder has it at once, as after a kill."""
    async with discord(tmp_path / "table") as d:
        await d.table.acts.line(d.ann, d.channel, "hello")
        shutil.copytree(tmp_path / "table", tmp_path / "killed")
        other = sqlite3.connect(tmp_path / "killed" / "table.db")
        kept = [Message(**json.loads(row[0])) for row in other.execute("SELECT data FROM message")]
        other.close()

        assert [message.content for message in kept] == ["hello"]


async def test_the_oldest_messages_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of a channel, and everybody is told; private answers go after a day."""
    monkeypatch.setattr(stores, "_MESSAGES_KEPT", 3)
    async with discord(tmp_path) as d:
        for number in range(5):
            await d.table.acts.line(d.ann, d.channel, str(number))
        old = Message(5, d.channel.id, d.table.world.bot.id, "reply", "private", viewer=d.ann.id)
        d.table.posts.post(old)
        d.table.posts.tidy()

        assert [message.content for message in d.messages(d.ann)] == ["2", "3", "4"]


async def test_the_oldest_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of all files together."""
    monkeypatch.setattr(stores, "_FILE_BYTES_KEPT", 25)
    async with open_table(tmp_path) as table:
        for number in range(1, 4):
            table.store.add_file(number, {}, bytes(10))
        table.store.tidy(0, 0)

        assert [number for number in range(1, 4) if table.store.file(number)] == [2, 3]


async def test_pictures_of_dice_do_not_go_with_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot's emojis are the oldest files there are, and it never sends them again."""
    monkeypatch.setattr(stores, "_FILE_BYTES_KEPT", 15)
    async with open_table(tmp_path) as table:
        table.store.put("emoji", 1, {"id": "1"})
        for number in range(1, 4):
            table.store.add_file(number, {}, bytes(10))
        table.store.tidy(0, 0)

        assert [number for number in range(1, 4) if table.store.file(number)] == [1, 3]


async def test_files_that_nobody_used_go(tmp_path: Path) -> None:
    """After 15 minutes nobody can send them either; what stands in a message stays."""
    now = 2_000_000_000.0
    async with discord(tmp_path, clock=lambda: now) as d:
        kept, posts = d.table.acts, d.table.posts
        sent, unused = (posts.keep_file(name, b"x") for name in ("sent.txt", "unused.txt"))
        kept.uploads[d.ann.id] = {file["filename"]: int(file["id"]) for file in (sent, unused)}
        await kept.line(d.ann, d.channel, "", [int(sent["id"])])
        now += 16 * 60
        await kept.line(d.ann, d.channel, "too late", [int(unused["id"])])
        posts.tidy()

        assert [len(message.attachments) for message in d.messages(d.ann)] == [1, 0]
        assert d.table.store.file(int(sent["id"]))
        assert not d.table.store.file(int(unused["id"]))


def test_another_version_is_refused(tmp_path: Path) -> None:
    """With a sentence that says what to do; nothing is changed."""
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "table.db")
    connection.execute(f"PRAGMA user_version = {stores.VERSION + 1}")
    connection.close()
    with pytest.raises(TableError, match="Move it away"):
        Store(tmp_path)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    """One sentence instead of a traceback."""
    (tmp_path / "table.db").write_bytes(b"no database" * 100)
    with pytest.raises(TableError, match="can't be opened"):
        Store(tmp_path)


def test_pictures_of_phones_that_keep_two_in_one() -> None:
    """What has a second picture behind it (MPO) is a JPEG, as browsers see it."""
    file, one = BytesIO(), Image.new("RGB", (5, 3))
    one.save(file, "MPO", save_all=True, append_images=[one])
    assert picture(file.getvalue()) == ("image/jpeg", 5, 3)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_pictures_by_what_is_in_them(form: str) -> None:
    """Its type and size; what is cut short is no picture."""
    assert picture(drawn(form)) == (f"image/{form.lower()}", 5, 3)
    assert picture(drawn(form)[:20]) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!doctype html>",
        drawn("BMP"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\x7f" * 13,
    ],
)
def test_what_is_no_picture(content: bytes) -> None:
    """A name says nothing; formats that are not shown, and a size that no browser draws, are none either."""
    assert picture(content) is None


@pytest.mark.parametrize(
    "error", [Unavailable("its disk is full"), sqlite3.OperationalError("disk I/O error")]
)
async def test_a_disk_that_fails_once_ends_no_tidying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """What could not be deleted, or looked up, is deleted the next time."""
    tidied, rounds = asyncio.Event(), iter([error])

    def tidy(_: Posts) -> None:
        if error := next(rounds, None):
            raise error
        tidied.set()

    monkeypatch.setattr(host, "_TIDY_SECONDS", 0)
    monkeypatch.setattr(Posts, "tidy", tidy)
    async with open_table(tmp_path), asyncio.timeout(5):
        await tidied.wait()


def test_the_data_folder_is_closed_to_others(tmp_path: Path) -> None:
    """The table may be the first to make it, and the bot keeps it as it is."""
    Store(tmp_path / "data" / "play").close()

    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
