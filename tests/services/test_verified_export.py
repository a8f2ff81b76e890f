"""A long campaign through real export files and the real command line: it holds, or the number is named."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from bot.campaign.events import Event
from bot.campaign.rolls import RollDice, RollRegister
from bot.dice.errors import DiceError
from bot.record.audit import Sealed
from bot.record.exchange import read_part
from bot.services.exports import ExportFormat, Exports
from bot.storage.erasing import erase_person
from tests.storage.asking import Storage, caller, opened
from tests.support.cli import evenhand
from tests.support.databases import sqlite_url
from tests.support.histories import ERASED, PLAYERS, any_command
from tests.support.sight import surprises

ROLLS = 500
PLAYER = 1
Said = dict[str, Any]


async def play(storage: Storage) -> None:
    """500 rolls, some of them hidden, with resets, undos and reveals; a player is erased in the middle."""
    random = Random(5)  # noqa: S311 (what is asked for, not what is rolled)
    rolls = done = 0
    while rolls < ROLLS:
        if rolls == ROLLS // 2:
            await storage.work(erase_person(caller(user=ERASED)))
        command = any_command(random, done)
        rolled = isinstance(command, RollDice | RollRegister)
        try:
            await storage.writer.write(caller(user=random.choice(PLAYERS)), command)
        except DiceError:
            continue
        done += 1
        rolls += rolled


async def silent(done: int, of: int) -> None:
    """Progress that nobody watches."""
    assert 0 < done <= of


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, str]:
    """The text of a game master's export (true), and of a player's."""
    folder = tmp_path_factory.mktemp("campaign")
    texts: dict[bool, str] = {}
    async with opened(sqlite_url(folder)) as storage:
        await play(storage)
        for manages in (False, True):
            who = caller(user=PLAYER, manages=manages)
            export = await Exports(storage.reader).export(who, ExportFormat.JSON, folder, 10_000_000, silent)
            texts[manages] = export.files[0].read_text(encoding="utf-8")
    return texts


def verified(folder: Path, said: Said) -> tuple[int, str]:
    """The exit code of the command line, and all that it said."""
    file = folder / "export.json"
    file.write_text(json.dumps(said), encoding="utf-8")
    done = evenhand("verify", str(file))
    return done.exit_code, done.output


def a_roll(said: Said, wanted: Callable[[Said], object]) -> Said:
    """A roll from the middle on that can be looked into."""
    return next(
        event
        for event in said["events"][len(said["events"]) // 3 :]
        if event.get("kind") == "roll" and "salt" in event and wanted(event)
    )


def test_it_holds(exports: dict[bool, str], tmp_path: Path) -> None:
    """For a game master every roll is made again; for a player what they may know."""
    gms, players = (json.loads(exports[gm]) for gm in (True, False))
    code, said = verified(tmp_path, gms)
    players_code, players_said = verified(tmp_path, players)
    rolls = sum(event["kind"] == "roll" for event in gms["events"])
    kinds = {event["kind"] for event in gms["events"]}

    assert (code, players_code) == (0, 0), said + players_said
    assert rolls == ROLLS
    assert kinds >= {"roll", "make", "reset", "remove", "undo", "reveal", "erase"}
    assert f"{len(gms['events'])} events, {ROLLS} rolls replayed" in said
    assert "of players who were erased" in said
    assert "hidden from you" not in said
    assert "by the seal alone" not in said
    assert f"{len(gms['events'])} events, " in players_said
    assert "hidden from you" in players_said
    assert "by the seal alone (#" in players_said


def test_a_players_file_holds_no_memory_that_betrays(exports: dict[bool, str]) -> None:
    """Each memory in it follows from the rolls that are in it; in the game master's some would surprise."""
    gms, players = (read_part(exports[gm]).items for gm in (True, False))
    events = [item for item in gms if isinstance(item, Event)]
    hidden = {item.seq for item in players if isinstance(item, Sealed)}
    unguarded = [Sealed(event.seq, event.seal.head) if event.seq in hidden else event for event in events]

    assert len(events) == len(players)
    assert surprises(players) == []
    assert surprises(unguarded)


@pytest.mark.parametrize("gm", [True, False])
def test_a_changed_face_a_missing_roll_and_another_player_are_named(
    exports: dict[bool, str],
    tmp_path: Path,
    gm: bool,  # noqa: FBT001 (pytest's)
) -> None:
    """One of each in the file, and the command line says the number, with exit code 1."""
    text = exports[gm]
    forgeries: list[Callable[[Said], int]] = [_change_face, _remove, _swap]
    for forge in forgeries:
        said = json.loads(text)
        number = forge(said)
        code, words = verified(tmp_path, said)

        assert (code, f"does not hold at #{number}:" in words) == (1, True), words


def _change_face(said: Said) -> int:
    event = a_roll(said, lambda event: event["what"].get("roller") == "evil")
    results = event["what"]["results"]
    results[0] = "12" if results[0] != "12" else "2"
    return event["seq"]


def _remove(said: Said) -> int:
    event = a_roll(said, lambda event: not event["what"].get("roller"))
    said["events"].remove(event)
    return event["seq"]


def _swap(said: Said) -> int:
    event = a_roll(said, lambda event: event.get("user") == "1")
    event["user"] = "2"
    return event["seq"]
