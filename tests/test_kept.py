"""What an earlier version left is read; until the first release `python -m tests.support.kept` renews it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.campaign.rolls import RollDice
from bot.rulebooks.book import read_game
from tests.storage.asking import audited, caller, opened
from tests.support.cli import evenhand, run_beside
from tests.support.databases import sqlite_url
from tests.support.kept import (
    BACKUP,
    DICE,
    EXPORTS,
    FOLDER,
    GAMES,
    NAMES,
    law_of_game,
    laws_of_dice,
    names,
    unpack,
)
from tests.support.table import Table

VERIFIER = Path(__file__).parents[1] / "tools" / "verify.py"


async def test_a_backup_is_restored_and_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event is worked out anew, and rolls go on from the memories."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    done = await run_beside("restore", str(unpack(BACKUP, tmp_path)))
    async with opened(sqlite_url(tmp_path / "data")) as storage:
        before = (await audited(storage)).remade
        for dice in ("own", "evil", "2d6"):
            await storage.writer.write(caller(user=1), RollDice(dice))
        after = (await audited(storage)).remade

    assert done.exit_code == 0, done.output
    assert after == before + 3


async def test_a_backup_is_moved(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To PostgreSQL, where it holds as well."""
    monkeypatch.setenv("EVENHAND_DATABASE", f"sqlite:///{unpack(BACKUP, tmp_path)}")
    done = await run_beside("move", postgresql_url)

    assert done.exit_code == 0, done.output


async def test_what_had_a_name_still_has_it(t: Table) -> None:
    """Commands, options, settings and ids of buttons are there; no command asks for more than it did."""
    kept, now = json.loads((FOLDER / NAMES).read_text("utf-8")), names(t)

    assert kept["settings"].keys() <= now["settings"].keys()
    assert kept["ids"].items() <= now["ids"].items()
    assert kept["commands"].keys() <= now["commands"].keys()
    for command, options in kept["commands"].items():
        assert {*options} <= {*now["commands"][command]}, command
        assert {*now["needed"][command]} <= {*kept["needed"][command]}, command


def test_games_mean_what_they_meant(tmp_path: Path) -> None:
    """Each file is read, and a roll of each kind has its exact law."""
    kept = json.loads(unpack(GAMES, tmp_path).read_text("utf-8"))
    games = {key: read_game(text) for key, text in kept["files"].items()}

    assert len(games) >= 50
    assert len(kept["laws"]) >= 100
    assert {words: law_of_game(words, games) for words in kept["laws"]} == kept["laws"]


def test_dice_mean_what_they_meant(tmp_path: Path) -> None:
    """Each text is read, and has its exact law."""
    kept = json.loads(unpack(DICE, tmp_path).read_text("utf-8"))

    assert len(kept) >= 200
    assert {text: laws_of_dice(text) for text in kept} == kept


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_verified(tmp_path: Path, name: str) -> None:
    """As consistent in itself: nobody holds a checkpoint of it here."""
    file = str(unpack(name, tmp_path))
    done = evenhand("verify", file)
    alone = subprocess.run([sys.executable, str(VERIFIER), file], check=False)

    assert (done.exit_code, alone.returncode) == (3, 3), done.output
    assert "0 not made again" in done.output
