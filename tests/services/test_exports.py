"""The history as files: complete, split, and with nothing in it that its reader may not see."""

import asyncio
import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Remembers, RightHolder
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.d100_rolls import roll_register
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility, Words
from bot.campaign.roller_commands import ResetRoller, UndoRoller
from bot.campaign.rolls import ReadAs, RollDice
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError
from bot.record.findings import Broken
from bot.services.exports import Export, ExportFormat, Exports
from bot.services.saved import Saved
from bot.storage.queries import execute
from tests.storage.asking import Storage, caller, fair, forget, gm, opened, player
from tests.support.databases import sqlite_url
from tests.support.exporting import audit_of, told_in
from tests.support.sight import hidden
from tests.support.turns import turns

if TYPE_CHECKING:
    from bot.record.audit import Findings

ROOM = 1_000_000


def played(options: RollOptions = RollOptions()) -> tuple[Command, ...]:
    """A roller, and rolls of all kinds."""
    rolls = RollDice("2d6+3", 1, options), roll_register(4, 1, options), RollDice("evil", 1, options)
    return fair("evil"), *rolls


def silent(done: int, of: int) -> None:
    """Progress that nobody watches."""
    assert 0 < done <= of


async def exported(
    storage: Storage,
    folder: Path,
    who: Caller | None = None,
    form: ExportFormat = ExportFormat.JSON,
    room: int = ROOM,
) -> Export:
    """The history for a game master, or for somebody else."""
    return await Exports(storage.reader).export(who or gm(), form, folder, room, silent)


async def fill(storage: Storage, rounds: int = 8) -> None:
    """Rolls of all kinds by two players, a third of them hidden, with a reset and an undo."""
    writing = [
        storage.writer.write(caller(user=1 + i % 2), command)
        for i in range(rounds)
        for command in played(RollOptions("=1+1", Visibility.PUBLIC if i % 3 else Visibility.BLIND))
    ]
    await asyncio.gather(*writing)
    await storage.writer.write(caller(), ResetRoller("evil"))
    await storage.writer.write(caller(), UndoRoller("evil"))
    await storage.writer.write(caller(user=9), Reveal(None, 2))


async def test_an_export_is_the_whole_history(storage: Storage, tmp_path: Path) -> None:
    """A game master's holds every event and can be replayed; the rollers are in it too."""
    await fill(storage)
    export = await exported(storage, tmp_path)
    audit = audit_of(export.files)

    assert (export.events, export.hidden, len(export.files)) == (35, 0, 1)
    assert (audit.seq, audit.findings.closed.count, audit.findings.withheld.spans) == (35, 0, [])
    assert (export.checkpoint.size, export.checkpoint.root) == (35, audit.tree.root)
    assert r"\"tightness\":\"1\"" in export.files[0].read_text(encoding="utf-8").splitlines()[1]


@pytest.mark.parametrize(("gone", "left"), [("seq = 2", 3), ("seq >= 3", 2), ("seq > 0", 0)])
async def test_what_somebody_removed_is_not_counted(
    storage: Storage, tmp_path: Path, gone: str, left: int
) -> None:
    """The others are given away, so that anybody can show what is missing; no retention is named for it."""
    for command in played():
        await storage.writer.write(caller(), command)
    await storage.transact(execute(text(f"DELETE FROM event WHERE {gone}")))  # noqa: S608 (our own)
    exporting = exported(storage, tmp_path)
    if not left:
        with pytest.raises(Broken, match="#1 is missing"):
            await exporting
        return

    assert (await exporting).events == left


async def test_a_player_gets_what_they_may_see(database_url: str, tmp_path: Path) -> None:
    """Hidden rolls are a number and a head, in a table a word; what was revealed is there."""
    async with opened(database_url) as storage:
        await fill(storage)
        told = await exported(storage, tmp_path, player())
        table = await exported(storage, tmp_path, player(), ExportFormat.CSV)
    items = told_in(told.files)
    rows = list(csv.DictReader(table.files[0].read_text(encoding="utf-8-sig").splitlines()))

    assert told.hidden == len(hidden(items)) == 8
    assert audit_of(told.files).findings.closed.count >= 8
    assert items[1].event
    assert [row["results"] for row in rows].count("hidden") == 8
    assert all(not row["dice"] and not row["roller"] for row in rows if row["results"] == "hidden")
    assert rows[1]["label"] == "'=1+1"
    assert all(not row["label"] for row in rows if row["results"] == "hidden")


async def test_what_was_typed_is_for_its_person_and_game_masters(storage: Storage, tmp_path: Path) -> None:
    """It stands beside the label, not in what came out; after an erasure it is in nobody's file."""
    typed, words = "17d6r2", '{"label":"Owl","typed":"17d6r2"}'
    await storage.writer.write(gm(), SetRules(None, {"dialect": Dialect.ROLL20}))
    for seen in (Visibility.PUBLIC, Visibility.GM):
        roll = RollDice(typed, options=RollOptions("Owl", seen), by=ReadAs(Dialect.ROLL20))
        event = (await storage.writer.write(caller(), roll)).event
        assert event.words == Words("Owl", typed)
    texts: list[str] = []
    for who in (gm(), player(user=2), None):
        if who is None:
            await forget(storage, caller())
        export = await exported(storage, tmp_path, who)
        texts.append(export.files[0].read_text())

    assert [(text.count(typed), text.count(words)) for text in texts] == [(2, 2), (0, 0), (0, 0)]
    assert all('"text":"17d6rr2"' in text for text in texts)


async def test_where_odds_are_for_game_masters_players_get_no_memories(
    storage: Storage, tmp_path: Path
) -> None:
    """Their rolls with a memory are told in part, though nothing is hidden; plain dice are whole."""
    for command in (*played(), SetRules(None, {"odds": RightHolder.GMS})):
        await storage.writer.write(caller(), command)
    found: list[Findings] = []
    for who in (gm(), player()):
        export = await exported(storage, tmp_path, who)
        found.append(audit_of(export.files).findings)

    assert [one.closed.count for one in found] == [0, 2]
    assert [one.remade for one in found] == [3, 1]


async def test_saved_rolls_are_for_who_saved_them(storage: Storage, tmp_path: Path) -> None:
    """An export holds the asker's own and the shared ones, a game master's too."""
    await fill(storage, 1)
    saved = Saved(storage)
    for user in (1, 9):
        await saved.save(caller(user=user), f"fire {user}", "8d6")
    await saved.save(gm(), "storm", "6d6", shared=True)
    texts = [
        (await exported(storage, tmp_path, who)).files[0].read_text()
        for who in (gm(), player(), player(user=2))
    ]
    abouts = [json.loads(text.splitlines()[1])["about"] for text in texts]

    assert [about["shared"] for about in abouts] == [[{"name": "storm", "dice": "6d6"}]] * 3
    assert [about["saved"] for about in abouts] == [
        [{"name": "fire 9", "dice": "8d6"}],
        [{"name": "fire 1", "dice": "8d6"}],
        [],
    ]


async def test_a_full_file_is_followed_by_another(database_url: str, tmp_path: Path) -> None:
    """No file is larger than there is room for, and together they are the whole."""
    async with opened(database_url) as storage:
        await fill(storage, 20)
        told = await exported(storage, tmp_path, room=8_000)
        table = await exported(storage, tmp_path, gm(), ExportFormat.CSV, 2_000)

    assert len(told.files) > 2 < len(table.files)
    assert all(file.stat().st_size <= 8_000 for file in told.files)
    assert all(file.stat().st_size <= 2_000 for file in table.files)
    assert audit_of(told.files).seq == 83
    lines = [file.read_text(encoding="utf-8-sig").splitlines() for file in table.files]
    assert len({part[0] for part in lines}) == 1
    assert [int(line.split(",")[0]) for part in lines for line in part[1:]] == list(range(1, 84))


async def test_a_history_holds_without_a_player_who_was_erased(storage: Storage, tmp_path: Path) -> None:
    """The export of what is left is whole and can be replayed, and they can go on playing."""
    await fill(storage)
    await storage.writer.write(caller(), fair("own", Remembers.PLAYER))
    for _ in range(3):
        await storage.writer.write(caller(user=1), RollDice("own", 2))
    await forget(storage, caller(user=1))
    await storage.writer.write(caller(user=1), RollDice("own"))
    await storage.writer.write(caller(user=1), roll_register(4))
    await storage.writer.write(caller(user=9), UndoRoller("own"))
    await storage.writer.write(caller(user=9), UndoRoller("own"))
    await storage.writer.write(caller(user=1), RollDice("own"))
    export = await exported(storage, tmp_path)
    audit = audit_of(export.files)

    assert audit.seq == 45
    assert audit.findings.nobody > 10


async def test_rollers_that_fill_a_file(tmp_path: Path) -> None:
    """There is a word for it, in place of a file for each event."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await fill(storage, 2)
        with pytest.raises(DiceError, match="too many rollers for one file"):
            await exported(storage, tmp_path, room=600)


async def test_exporting_leaves_the_loop_to_others(tmp_path: Path) -> None:
    """However long the history is, the loop's other work waits less than 50 ms."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await fill(storage, 150)
        async with turns() as seen:
            await exported(storage, tmp_path, room=ROOM * 10)

    assert 0 < seen.longest < 0.05
