"""A long campaign through real export files and the real command line: it holds, or the number is named."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.campaign.d100_rolls import RollMethod
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from bot.record.hashing import canon
from tests.services.test_exports import exported
from tests.storage.asking import Storage, caller, forget, opened
from tests.support import cli
from tests.support.databases import sqlite_url
from tests.support.exporting import told_in
from tests.support.histories import ERASED, PLAYERS, any_command
from tests.support.sight import hidden, partial, surprises

ROLLS = 500
PLAYER = 1


async def play(storage: Storage) -> None:
    """500 rolls, some of them hidden, with resets, undos and reveals; a player is erased in the middle."""
    random = Random(5)  # noqa: S311 (what is asked for, not what is rolled)
    rolls = done = 0
    while rolls < ROLLS:
        if rolls == ROLLS // 2:
            await forget(storage, caller(user=ERASED))
        command = any_command(random, done)
        rolled = isinstance(command, RollDice | RollMethod)
        try:
            await storage.writer.write(caller(user=random.choice(PLAYERS)), command)
        except DiceError:
            continue
        done += 1
        rolls += rolled


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A game master's export (true), and a player's."""
    folder = tmp_path_factory.mktemp("campaign")
    texts: dict[bool, Path] = {}
    async with opened(sqlite_url(folder)) as storage:
        await play(storage)
        for manages in (False, True):
            who = caller(user=PLAYER, manages=manages)
            export = await exported(storage, folder, who, room=10_000_000)
            texts[manages] = export.files[0].rename(folder / f"{manages}.jsonl")
    return texts


def verified(folder: Path, lines: Sequence[bytes]) -> tuple[int, str]:
    """The exit code of the command line, and all that it said."""
    file = folder / "export.jsonl"
    file.write_bytes(b"".join(lines))
    return cli.verified(file)


def test_it_holds(exports: dict[bool, Path], tmp_path: Path) -> None:
    """For a game master every roll is made again; for a player what they may know."""
    gms, players = (exports[gm].read_bytes().splitlines(keepends=True) for gm in (True, False))
    code, said = verified(tmp_path, gms)
    players_code, players_said = verified(tmp_path, players)
    kinds = {item.kind.value for item in told_in([exports[True]]) if item.kind}

    assert (code, players_code) == (3, 3), said + players_said
    assert kinds >= {"roll", "make", "reset", "remove", "undo", "reveal", "erase"}
    assert f"{ROLLS} made again, 0 not made again, 0 closed in part" in said
    assert "0 closed in part" not in players_said


def test_both_readers_have_the_same_checkpoints(exports: dict[bool, Path]) -> None:
    """What a player is told and what a game master is told is one tree."""
    one, other = (
        [line for line in exports[gm].read_bytes().splitlines() if b'"checkpoint"' in line]
        for gm in (True, False)
    )

    assert one == other != []


def test_a_players_file_holds_no_memory_that_betrays(exports: dict[bool, Path]) -> None:
    """Each memory in it follows from the rolls that are in it; in the game master's some would surprise."""
    events = [item.event for item in told_in([exports[True]]) if item.event]
    items = told_in([exports[False]])

    assert len(events) == len(items)
    assert surprises(events, hidden(items), partial(items)) == []
    assert surprises(events, hidden(items), ())


@pytest.mark.parametrize("gm", [True, False])
def test_a_changed_face_and_a_missing_roll_are_named(
    exports: dict[bool, Path],
    tmp_path: Path,
    gm: bool,  # noqa: FBT001 (pytest's)
) -> None:
    """One of each in the file, and the command line says the number, with exit code 1."""
    lines = exports[gm].read_bytes().splitlines(keepends=True)
    place = next(
        n
        for n, line in enumerate(lines)
        if n > len(lines) // 3 and b'"results":["' in line and b'"draws":[[' in line
    )
    event = json.loads(lines[place])
    results = event["what"][1]["results"]
    results[0] = "12" if results[0] != "12" else "2"
    changed = canon(event) + b"\n"
    for forged in ([*lines[:place], changed, *lines[place + 1 :]], [*lines[:place], *lines[place + 1 :]]):
        code, words = verified(tmp_path, forged)

        assert (code, f"Broken: #{event['seq']} " in words) == (1, True), words
