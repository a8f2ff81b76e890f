"""What rolls are made from is held against the events, column by column, and made anew from them."""

import asyncio
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio
from sqlalchemy import Column, text

from bot.campaign.roller_commands import UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.record import lineage
from bot.record.findings import Broken
from bot.services import verifying
from bot.services.retention import Retention
from bot.services.verifying import Verifying
from bot.storage import schema
from bot.storage.derived import STATE, save_changes
from bot.storage.queries import Connection, Queries, Reader, execute
from tests.storage.asking import Storage, audited, caller, fair, forget, gm, opened
from tests.support.cli import evenhand, run_beside
from tests.support.databases import sqlite_url
from tests.support.kept import play

_T = TypeVar("_T")
RECORD = {
    "event": "the leaf of each is under the root",
    "spec": "events and rollers hold the text that a rule is kept under",
    "person": "who asked is closed with it, so another key gives another leaf",
    "keyhash": "their root stands in the commit",
}
NEITHER = {
    "channel": "where a campaign is played: no roll is made from it",
    "master": "who leads is kept out of the history, so that they can be erased",
    "saved": "texts of people's own",
    "character": "texts of people's own",
    "server": "where the bot is",
    "home": "how many campaigns a server may have, and what they begin with",
    "erasure": "work to be done",
    "turn": "when it is done next",
    "evidence": "bets as floats, carried in steps; no roll is made from them, and mending begins them anew",
}
UNTOLD = {
    "event.owed": "about a reply",
    "campaign.id": "all else hangs on it",
    "campaign.key": "where it is found",
    "campaign.guild_id": "where it is found",
    "campaign.home": "where it is found",
    "board.campaign_id": "no event tells whether a call was shown",
    "board.channel_id": "where it is shown now",
    "board.message_id": "Discord's",
    "board.further": "Discord's",
    "board.language": "in which it was shown",
    "board.remind": "a message once",
    "board.notes": "game masters' own",
    "board.turn": "passed by presses that are no events",
    "seat.campaign_id": "part of who was named",
    "seat.user_id": "kept out of the history, so that they can be erased",
    "person.character": "texts of people's own",
    "epoch.host": "kept out of the history, so that they can be erased",
    "memory.roller_id": "PostgreSQL lets it name no other; SQLite's stray rows are nobody's",
    "roller.id": "memories hang on it",
}
"""Columns that no event tells and no leaf binds, or that rows hang on."""
RECORDED = {
    *("campaign.seq", "campaign.log", "campaign.secret", "campaign.frontier"),
    *("epoch.campaign_id", "epoch.secrets"),
}
"""Columns that nothing can be made anew from events for."""
RECORDS = [schema.metadata.tables[name] for name in RECORD]
COLUMNS = [column for table in (*STATE, *RECORDS) for column in table.c if str(column) not in UNTOLD]
GONE = {
    "the newest event": ("event WHERE seq = (SELECT max(seq) FROM event)", "#286 is missing"),
    "the first event": ("event WHERE seq = 1", "#1 is missing"),
    "an event": ("event WHERE seq = 99", "#99 is missing"),
    "an event at the beginning of a slice": ("event WHERE seq = 201", "#201 is missing"),
    "all events": ("event", "#1 is missing"),
    "a person": ("person WHERE user_id = 2", "#10 can't be read"),
}
"""Rows that somebody deletes, and what is said of it."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A SQLite file of that campaign."""
    return await file_of(tmp_path_factory.mktemp("state"), 256)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def briefly_played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One of a campaign with as much in its tables and fewer events, which is checked sooner."""
    return await file_of(tmp_path_factory.mktemp("state"), 16)


async def file_of(folder: Path, rolls: int) -> bytes:
    """Play in a folder, and return the file."""
    async with opened(sqlite_url(folder)) as storage:
        await play(storage, rolls)
    return (folder / "evenhand.db").read_bytes()


@pytest.fixture
def data(tmp_path: Path, played: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, as the bot's own."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    return lay(tmp_path / "evenhand.db", played)


def lay(file: Path, content: bytes) -> Path:
    """Put this into a file, and return that."""
    file.write_bytes(content)
    return file


def change(file: Path, *statements: str) -> None:
    """Do to a file what no bot does."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def changed(column: Column[object]) -> str:
    """The statement that puts something else into a column of one row."""
    kind = str(column.type.compile())
    other = {"TEXT": "coalesce({0}, '') || '1'", "BLOB": "zeroblob(length({0}))"}.get(
        kind, "coalesce({0}, 0) + 1000"
    )
    if column.name in {"memory", "rules", "value"}:
        other = {"memory": "'table'", "rules": "'{{\"pace\":4}}'", "value": "'[9,9]'"}[column.name]
    if column.name == "spec_id":
        other = "NULL"
    table = column.table.name
    key = ", ".join(one.name for one in column.table.primary_key)
    return (
        f"UPDATE {table} SET {column.name} = {other.format(column.name)} "  # noqa: S608 (our own names)
        f"WHERE ({key}) IN (SELECT {key} FROM {table} ORDER BY {column.name} IS NULL, {key} LIMIT 1)"
    )


def test_every_table_is_record_or_state_or_neither() -> None:
    """A table that is new has to be given its place, and what is state is compared."""
    state = {table.name for table in STATE}

    assert sorted([*RECORD, *NEITHER, *state]) == sorted(schema.metadata.tables)
    assert {str(column) for table in (*STATE, *RECORDS) for column in table.c} >= UNTOLD.keys()


@pytest.mark.usefixtures("data")
def test_what_the_events_lead_to_holds() -> None:
    """As it was played, and mending changes nothing."""
    before = evenhand("check")
    mended = evenhand("check", "--mend")

    assert (before.exit_code, mended.exit_code) == (0, 0), before.output + mended.output
    assert "mended" not in mended.output


@pytest.mark.parametrize("column", COLUMNS, ids=str)
async def test_a_changed_column_is_seen_and_mended(
    data: Path, briefly_played: bytes, column: Column[object]
) -> None:
    """Whichever it is, also by /verify, with a number; what is the record's own is seen and stays."""
    if column.table is not schema.tile:  # that takes many events
        lay(data, briefly_played)
    async with opened(sqlite_url(data.parent)) as storage:
        change(data, changed(column))
        with pytest.raises(Broken, match=r"^#[1-9]"):
            await Verifying(storage.reader).check_current(caller())
        if str(column) in RECORDED or column.table in RECORDS:
            return
        checked, changes = await Verifying(storage.reader).fold(1)
        await storage.transact(save_changes(1, checked.checkpoint.size, changes))

        assert {one.table for one in changes} >= {column.table}
        assert (await audited(storage)).remade


@pytest.mark.parametrize("gone", GONE)
async def test_a_row_that_is_gone_is_named(data: Path, gone: str) -> None:
    """Nobody is asked to try again: it does not come back."""
    rows, said = GONE[gone]
    change(data, f"DELETE FROM {rows}")  # noqa: S608 (our own names)
    async with opened(sqlite_url(data.parent)) as storage:
        with pytest.raises(Broken, match=said):
            await Verifying(storage.reader).check_current(caller())


async def test_wrong_state_is_mended_and_rolls_go_on(data: Path) -> None:
    """A memory in many rows, counts and an epoch: `check` says so, and `--mend` keeps what was there."""
    change(
        data,
        "UPDATE memory SET value = '[5,5]'",
        "UPDATE tally SET n = n + 1000",
        "UPDATE roller SET epoch = epoch + 1 WHERE key = 'evil'",
    )
    seen = await run_beside("check")
    change(data, "INSERT INTO evidence VALUES (1, 0, '', 9, '')")
    mended = await run_beside("check", "--mend")
    async with opened(sqlite_url(data.parent)) as storage:
        bets = await storage.numbers("SELECT count(*) FROM evidence")
        for dice in ("own", "evil"):
            await storage.writer.write(caller(), RollDice(dice))
        again = await audited(storage)

    assert (seen.exit_code, mended.exit_code, bets) == (1, 0, [0]), mended.output
    assert "leads to another roller, memory, tally than is stored" in seen.output
    assert len(list(data.parent.glob("before-mend-*.db"))) == 1
    assert again.remade


@pytest.mark.parametrize("column", ["source", "roller_key"])
async def test_what_events_are_searched_for_by_is_compared(data: Path, column: str) -> None:
    """It stands beside them for the index, and is told by no leaf."""
    change(data, f"UPDATE event SET {column} = 'local' WHERE seq = 8")  # noqa: S608 (our own names)

    assert "#8 is searched for by another roller or source" in (await run_beside("check")).output


async def test_wrong_state_is_not_moved_without_a_word(data: Path, tmp_path: Path) -> None:
    """It arrives as it was, and that is said."""
    change(data, "UPDATE memory SET value = '[5,5]'")
    moved = await run_beside("move", f"sqlite:///{tmp_path / 'moved.db'}")

    assert moved.exit_code == 1
    assert "leads to another memory than is stored" in moved.output


async def test_state_is_mended_on_either_engine(storage: Storage) -> None:
    """With what a bot on PostgreSQL keeps as well."""
    await play(storage)
    holds = await audited(storage)
    for wrong in ("memory SET value = '[5,5]'", "tally SET n = n + 9", "roller SET last = 1"):
        await storage.transact(execute(text("UPDATE " + wrong)))
    checked, changes = await Verifying(storage.reader).fold(1)
    await storage.transact(save_changes(1, checked.checkpoint.size, changes))

    assert holds.remade == (await audited(storage)).remade
    assert {one.table.name for one in changes} == {"memory", "tally", "roller"}


async def test_nothing_is_mended_under_a_running_bot(storage: Storage) -> None:
    """What was worked out before a roll is not stored after it."""
    await play(storage)
    await storage.transact(execute(text("UPDATE tally SET n = n + 9")))
    checked, changes = await Verifying(storage.reader).fold(1)
    await storage.writer.write(caller(), RollDice("own"))

    with pytest.raises(Unavailable, match="Stop the bot first"):
        await storage.transact(save_changes(1, checked.checkpoint.size, changes))


async def test_what_was_undone_long_after_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More events lie between than an audit keeps in mind."""
    for reader in (lineage, verifying):
        monkeypatch.setattr(reader, "WINDOW", 300)
    async with opened(sqlite_url(tmp_path)) as storage:
        for name in ("evil", "own"):
            await storage.writer.write(gm(), fair(name))
        await storage.writer.write(caller(), RollDice("evil"))
        for _ in range(5):
            await asyncio.gather(*(storage.writer.write(caller(), RollDice("own")) for _ in range(100)))
        await storage.writer.write(gm(), UndoRoller("evil"))
        await storage.writer.write(caller(), RollDice("evil"))
        await audited(storage)
        await storage.transact(execute(text("UPDATE memory SET value = '[7,7]' WHERE roller_id = 1")))

        with pytest.raises(Broken, match="leads to another memory"):
            await audited(storage)


async def test_what_happens_meanwhile_is_no_fault(tmp_path: Path) -> None:
    """Rolls, undos and an erasure beside checks: each of them holds."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await play(storage)

        async def go_on() -> None:
            for number in range(40):
                await storage.writer.write(caller(user=2), RollDice("own"))
                await storage.writer.write(gm(), UndoRoller("own"))
                await storage.writer.write(caller(user=1), RollDice("2d6"))
                if number == 20:
                    await forget(storage, caller(user=1))

        playing = asyncio.create_task(go_on())
        checks = 0
        while not playing.done():
            checks += (await audited(storage)).remade > 0
        await playing

        assert checks


class Interrupted(Reader):
    """A reader that something happens to before one of its questions."""

    def __init__(self, connection: Connection, number: int, action: Callable[[], Awaitable[None]]) -> None:
        super().__init__(connection)
        self._left, self._action = number, action

    async def do(self, queries: Queries[_T]) -> _T:
        """The result of the queries."""
        self._left -= 1
        if not self._left:
            await self._action()
        return await super().do(queries)


async def test_what_is_cut_off_meanwhile_is_not_missing(data: Path) -> None:
    """Between two slices of a check: whoever asks again finds what is left, and that holds."""
    async with opened(sqlite_url(data.parent)) as storage:

        async def cut_off() -> None:
            await Retention(storage.database, storage.reader, 30).tidy(time.time() + 99 * 86_400)

        with pytest.raises(Unavailable, match="just removing"):
            await Verifying(Interrupted(storage.database.reader, 3, cut_off)).check(1)

        assert (await storage.numbers("SELECT count(*) FROM event")) == [1]
        await audited(storage)


@pytest.mark.parametrize("seed", range(2))
def test_no_flipped_byte_ends_in_a_traceback(data: Path, briefly_played: bytes, seed: int) -> None:
    """Wherever it is, `check` says in a sentence what it found, or that all holds."""
    chance = random.Random(seed)  # noqa: S311 (which byte, not what is rolled)
    for _ in range(20):
        flipped = bytearray(briefly_played)
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        for left in data.parent.glob("evenhand.db*"):
            left.unlink()
        data.write_bytes(flipped)
        done = evenhand("check", str(data))

        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert done.exit_code in {0, 1, 2}
        assert "Traceback" not in done.output
        assert "File " not in done.output
