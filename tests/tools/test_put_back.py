"""A database that was put back to a backup: what is rolled and told, and what all three verifiers say."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.campaign.events import Event, HistoryRestored
from bot.campaign.rolls import RollDice
from bot.dice.draws import Source
from bot.services.exports import ExportFormat, Exports
from bot.storage import ledgers
from bot.storage.backup import back_up
from tests.storage.asking import Storage, audited, caller, fair, gm, opened
from tests.storage.test_ledgers import SECRET, commit, keyed, secrets
from tests.support.cli import evenhand
from tests.support.databases import sqlite_url
from tests.support.verdicts import Verifier

OTHER = bytes(reversed(SECRET))


class Branches(NamedTuple):
    """Checkpoints of before the backup and of after it, on the branch that was given up."""

    before: str
    after: str
    backup: Path


async def played(data: Path) -> Branches:
    """An evening in proof mode; amid it a backup is made."""
    async with opened(sqlite_url(data)) as storage:
        await storage.writer.write(gm(), fair("evil"))
        await keyed(storage)
        await rolls(storage)
        before = await checkpoint(storage)
        back_up(sqlite_url(data), data / "copy.db")
        await rolls(storage)
        return Branches(before, await checkpoint(storage), data / "copy.db")


async def rolls(storage: Storage) -> list[Event]:
    """Two rolls, whose replies nobody confirms."""
    return [(await storage.writer.write(caller(), RollDice("evil"))).event for _ in range(2)]


async def checkpoint(storage: Storage) -> str:
    """The campaign's checkpoint."""
    ledger = await storage.reader.do(ledgers.find_ledger(1))
    assert ledger
    return ledger.checkpoint.text


async def goes_on(data: Path) -> tuple[list[Event], list[tuple[Event, ...]], bytes]:
    """What is rolled afterwards, what is told with it, and the export of it all."""
    async with opened(sqlite_url(data)) as storage:
        few = [await storage.reader.do(ledgers.keys_to_renew())]
        held = await secrets(storage)
        plain: list[Event] = []
        told: list[tuple[Event, ...]] = []
        for _ in range(2):
            written = await storage.writer.write(caller(), RollDice("evil"))
            storage.writer.delivered(written)
            plain.append(written.event)
            told.append(written.undelivered)
        few.append(await storage.reader.do(ledgers.keys_to_renew()))
        await keyed(storage, commit(OTHER, follows=0))
        rolled = [*plain, *await rolls(storage)]
        await audited(storage)
        made = await Exports(storage.reader).export(gm(), ExportFormat.JSON, data, 10**7, _silent)

    assert held == []
    assert [[one.begun for one in found] for found in few] == [[], [0]]
    return rolled, told, made.files[0].read_bytes()


def _silent(_done: int, _of: int) -> None:
    """Nobody watches."""


@pytest.mark.parametrize("server", [(), ("--server", "7")], ids=["whole", "server"])
def test_a_history_that_was_put_back_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Verifier, server: tuple[str, ...]
) -> None:
    """No key is used twice, the next roll tells it, and a checkpoint of the other branch does not fit."""
    data = tmp_path / "data"
    monkeypatch.setenv("EVENHAND_DATA", str(data))
    branches = asyncio.run(played(data))
    done = evenhand("restore", *server, str(branches.backup))
    checked = evenhand("check")
    rolled, told, export = asyncio.run(goes_on(data))
    verdicts = [ask(export, checkpoints=(kept,)) for kept in branches[:2]]

    assert (done.exit_code, checked.exit_code) == (0, 0), done.output + checked.output
    assert "Checkpoints that were given since the backup will not fit." in done.output
    assert [[event.seq for event in late] for late in told] == [[6], []]
    assert told[0][0].body == HistoryRestored(last=5)
    assert [event.roll.source for event in rolled] == [Source.TRUE] * 2 + [Source.KEYED] * 2
    assert [verdict.code for verdict in verdicts] == [0, 1], verdicts
    assert "This history was put back to #5; compare your checkpoints." in verdicts[0].words
    assert "4 rolls follow from their keys" in verdicts[0].words
    assert "2 rolls without keys in force: #7 to #8" in verdicts[0].words
    assert "Broken: #7" in verdicts[1].words


def test_a_move_is_no_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole history goes along, and nobody rolls on the old one: each checkpoint fits as before."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    branches = asyncio.run(played(tmp_path / "data"))
    moved = tmp_path / "moved"
    moved.mkdir()
    done = evenhand("move", sqlite_url(moved))

    async def after() -> tuple[str, list[bytes]]:
        async with opened(sqlite_url(moved)) as storage:
            return await checkpoint(storage), await secrets(storage)

    assert done.exit_code == 0, done.output
    assert asyncio.run(after()) == (branches.after, [SECRET])
