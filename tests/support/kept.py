"""A backup, exports, names, games and dice of this version, kept in tests/data/kept for later ones to read.

`python -m tests.support.kept` makes them anew, which every change of a format or of the tables needs before
the first release. From then on they stay, and each release adds its own.
"""

import asyncio
import gzip
import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from discord import app_commands

import bot
from bot import settings
from bot.campaign.call_commands import OpenCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaign_commands import CreateCampaign, MarkSession, SetRules
from bot.campaign.campaigns import Remembers
from bot.campaign.command import RollOptions
from bot.campaign.hand_commands import PlayCard, ReturnCard
from bot.campaign.kinds import Mark, Visibility
from bot.campaign.proof_commands import CommitKeys, GiveSalt
from bot.campaign.roller_commands import MakeRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice import notation
from bot.dice.draws import Source
from bot.dice.errors import DiceError, SpecError
from bot.record.proof_mode import Epoch, keys_root
from bot.rulebooks.book import read_game
from bot.rulebooks.faults import examples
from bot.rulebooks.words import GamesByKey, understand
from bot.services.exports import ExportFormat, Exports
from bot.storage.backup import back_up
from bot.systems.game import game_roll
from bot.systems.odds import chances
from tests.storage.asking import Storage, caller, deck, draw, fair, forget, gm, opened
from tests.support.databases import sqlite_url
from tests.support.dialects import fingerprints
from tests.support.pressing import forms
from tests.support.table import Table, table

FOLDER = Path(__file__).parents[1] / "data" / "kept"
BACKUP = "backup.db"
EXPORTS = "master.jsonl", "player.jsonl"
NAMES = "names.json"
GAMES, DICE = "games.json", "dice.json"
SECRET = b"\x07" * 32
_ROOM = 10_000_000
_DIGITS = 16


async def play(storage: Storage, rolls: int = 256) -> None:
    """One campaign with something in every table of state, and so many rolls of one roller."""
    write = storage.writer.write
    await write(gm(), CreateCampaign("Dragons", fresh=False))
    await write(gm(), SetRules(None, {"pace": 3}))
    await write(gm(), MarkSession(Mark.START))
    await write(gm(), fair("own", Remembers.PLAYER))
    await write(gm(), fair("evil"))
    for user in (1, 2, 3):
        for dice in ("own", "evil", "2d6", "own"):
            await write(caller(user=user), RollDice(dice))
    await write(caller(user=2), RollDice("evil", options=RollOptions(visibility=Visibility.GM)))
    await write(gm(), ResetRoller("own"))
    await write(gm(), UndoRoller("own"))
    await forget(storage, caller(user=3))
    terms, due = Terms(Form.CHECK, named=True), 4_000_000_000_000
    await write(gm(), OpenCall("2d6", terms, due, seats=frozenset({1, 2})))
    root = keys_root(Epoch(SECRET).leaves()).hex()
    await write(gm(), CommitKeys(None, root, SECRET, Source.TRUE))
    await write(caller(user=1), GiveSalt("salt", 1_400_000_000_000_000_000))
    for _ in range(rolls):
        await write(caller(user=2), RollDice("own"))
    await write(gm(), MakeRoller("Cards", deck()))
    drawn = [(await write(caller(user=1), draw())).event.seq for _ in range(3)]
    await write(caller(user=1), PlayCard(1, drawn[0]))
    await write(caller(user=1), ReturnCard(1, drawn[1], "cards", Remembers.TABLE))


def unpack(name: str, folder: Path) -> Path:
    """One of the kept files in a folder."""
    file = folder / name
    file.write_bytes(gzip.decompress((FOLDER / f"{name}.gz").read_bytes()))
    return file


async def make(folder: Path) -> None:
    """Play, and leave a backup and the exports of a game master and of a player in a folder."""
    async with opened(sqlite_url(folder)) as storage:
        await play(storage)
        for name, asker in zip(EXPORTS, (gm(), caller(user=1)), strict=True):
            exports = Exports(storage.reader)
            file = await exports.export(asker, ExportFormat.JSON, folder, _ROOM, _silent)
            file.files[0].rename(folder / name)
        back_up(sqlite_url(folder), folder / BACKUP)


def law_of_game(words: str, games: GamesByKey) -> str:
    """Return the fingerprint of a game roll's law; SpecError where it would take too long."""
    meaning = understand(words, games, None)
    assert meaning, words
    system = game_roll(meaning)
    pairs = zip(system.faces, map(str, chances(system, ())), strict=True)
    return sha256("\n".join(map(":".join, pairs)).encode()).hexdigest()[:_DIGITS]


def laws_of_dice(text: str) -> list[str]:
    """Return the fingerprints of the laws of a text in our notation."""
    return [digest[:_DIGITS] for digest in fingerprints(notation.parse(text))]


def _rolled(files: Mapping[str, str]) -> dict[str, str]:
    """Return the laws of a roll of each kind in games' files, by its words."""
    games = {key: read_game(text) for key, text in files.items()}
    by_words = dict[str, str]()
    for words in (
        example.words for game in games.values() for roll in game.rolls for example in examples(game, roll)
    ):
        with suppress(SpecError):
            by_words[words] = law_of_game(words, games)
    return by_words


def _noted() -> dict[str, list[str]]:
    """Every text in our notation whose law the tests know, with it."""
    data = FOLDER.parent
    groups: list[Mapping[str, str | None]] = [json.loads((data / "everyday.json").read_text("utf-8"))["read"]]
    groups += [group["lines"] for group in json.loads((data / "documented.json").read_text("utf-8")).values()]
    results = dict[str, list[str]]()
    for text in sorted({text for lines in groups for text in lines.values() if text}):
        with suppress(DiceError):  # it would take too long to say
            results[text] = laws_of_dice(text)
    return results


def names(t: Table) -> dict[str, dict[str, list[str]]]:
    """Return the names that people and old messages use: commands, options, settings, ids of buttons."""
    commands = [c for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]
    return {
        "commands": {c.qualified_name: sorted(p.display_name for p in c.parameters) for c in commands},
        "needed": {c.qualified_name: [p.display_name for p in c.parameters if p.required] for c in commands},
        "settings": {name: [] for name in (*settings.names().values(), *settings.secret_files())},
        "ids": {
            f"{kind.name} {word}": ["".join(field.before + field.pattern for field in form.fields)]
            for (kind, word), form in forms(t).items()
        },
    }


async def _named() -> str:
    with TemporaryDirectory() as folder:
        async with table(Path(folder)) as t:
            return json.dumps(names(t), indent=1, sort_keys=True) + "\n"


def _silent(_done: int, _of: int) -> None:
    """Nobody watches."""


def renew() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / NAMES).write_text(asyncio.run(_named()), "utf-8")
    shipped = sorted((Path(bot.__file__).parent / "games").glob("*.json"))
    files = {file.stem: file.read_text("utf-8") for file in shipped}
    _keep(DICE, json.dumps(_noted(), indent=0).encode())
    _keep(GAMES, json.dumps({"files": files, "laws": _rolled(files)}, indent=0).encode())
    with TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder)))
        for name in (BACKUP, *EXPORTS):
            _keep(name, (Path(folder) / name).read_bytes())


def _keep(name: str, data: bytes) -> None:
    (FOLDER / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    renew()
