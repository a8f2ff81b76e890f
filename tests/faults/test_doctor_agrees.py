"""What stops a start is wrong for `doctor` too, in the same words."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.cli import serving
from bot.cli.stopping import Refusal
from bot.storage.engine import transact
from bot.storage.queries import execute
from tests.storage.asking import opened
from tests.support.cli import evenhand
from tests.support.discord import TOKEN

NOWHERE = "postgresql://nobody@127.0.0.1:9/none"
SETTINGS = {
    "a process too many": {"EVENHAND_CLUSTER": "5/4", "EVENHAND_DATABASE": NOWHERE},
    "a cluster on a file": {"EVENHAND_CLUSTER": "1/2"},
    "too few shards": {"EVENHAND_CLUSTER": "1/4", "EVENHAND_SHARDS": "2", "EVENHAND_DATABASE": NOWHERE},
    "backups of a server": {"EVENHAND_BACKUP_FOLDER": "b", "EVENHAND_DATABASE": NOWHERE},
    "a port of nobody's": {"EVENHAND_HEALTH_HOST": "192.0.2.1", "EVENHAND_HEALTH_PORT": "9"},
    "an unknown setting": {"EVENHAND_DTAA": "here"},
    "no token": {"DISCORD_TOKEN": ""},
    "a broken token": {"DISCORD_TOKEN": "a b"},
    "a server that is away": {"EVENHAND_DATABASE": NOWHERE},
    "no such address": {"EVENHAND_DATABASE": "postgresql://a@b@c/d"},
}
NEWER = "UPDATE alembic_version SET version_num = '9999'"
OLDER = "UPDATE alembic_version SET version_num = '0000x'"
DROPPED = "DROP TABLE tally"


def changed(statement: str) -> Callable[[Path], object]:
    """Return what runs a statement on a file, and closes it."""

    def change(file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute(statement)

    return change


def replaced(file: Path) -> None:
    """Another file in the place of one that was killed."""
    file.with_name("evenhand.db-wal").write_bytes(b"of the one before")
    changed("PRAGMA application_id = 5")(file)
    file.with_name("evenhand.db-wal").write_bytes(b"of the one before")


def of_another_program(file: Path) -> None:
    """A database, but not the bot's."""
    file.unlink()
    file.with_name("evenhand.db.id").unlink()
    changed("CREATE TABLE recipe (cake TEXT)")(file)


FILES: dict[str, Callable[[Path], object]] = {
    "newer": changed(NEWER),
    "older": changed(OLDER),
    "without a table": changed(DROPPED),
    "another program's": of_another_program,
    "no database": lambda file: file.write_text("dear diary " * 100),
    "emptied": lambda file: file.write_bytes(b""),
    "gone": Path.unlink,
    "moved": lambda file: [path.rename(f"{path}.moved-1") for path in file.parent.glob("evenhand.db*")],
    "replaced": replaced,
}


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Discord nor random services, and a start that goes no further than the database."""

    async def served(*_: object, **__: object) -> bool:
        raise Refusal("It would have served.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serving, "_serve_once", served)
    for name, value in (
        ("DISCORD_TOKEN", TOKEN),
        ("EVENHAND_REMOTE_BITS", "false"),
        ("EVENHAND_DISCORD_API", "http://127.0.0.1:9"),
    ):
        monkeypatch.setenv(name, value)


def agree() -> None:
    """Hold a refused start and `doctor` to each other."""
    refused, looked = evenhand("run"), evenhand("doctor", "--json")
    sentence = refused.stderr.splitlines()[-1]
    wrong = [one for one in json.loads(looked.stdout) if one["state"] == "wrong"]

    assert refused.exit_code in {1, 2}
    assert sentence != "It would have served."
    assert looked.exit_code == 1
    assert any(sentence in {one["found"], one["remedy"]} for one in wrong), (sentence, wrong)


@pytest.mark.parametrize("name", SETTINGS)
def test_of_a_setting(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that can't be used as it is."""
    for variable, value in SETTINGS[name].items():
        monkeypatch.setenv(variable, value)
    agree()


def test_of_a_line_of_the_file(tmp_path: Path) -> None:
    """It has an open quotation mark."""
    (tmp_path / ".env").write_text("EVENHAND_DATABASE='postgresql://here/dice\n", "utf-8")
    agree()


@pytest.mark.parametrize("name", FILES)
def test_of_a_file(name: str, tmp_path: Path) -> None:
    """Each that is not as the bot left it."""
    assert evenhand("migrate").exit_code == 0
    FILES[name](tmp_path / "data" / "evenhand.db")
    agree()


@pytest.mark.parametrize("statement", [NEWER, OLDER, DROPPED])
def test_of_a_server(statement: str, postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables are another version's, or not all there."""

    async def change() -> None:
        async with opened(postgresql_url) as storage:
            await transact(storage.database, execute(text(statement)))

    asyncio.run(change())
    monkeypatch.setenv("EVENHAND_DATABASE", postgresql_url)
    agree()


def test_what_it_can_be_started_with_is_well() -> None:
    """Otherwise the test proves nothing."""
    assert evenhand("run").stderr.splitlines()[-1] == "It would have served."
    assert evenhand("doctor", "--json").stdout.count('"database"') == 1


def test_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the data or of the backups is a file: the reason is told in other words."""
    (tmp_path / "file").touch()
    for variable, about in (("EVENHAND_BACKUP_FOLDER", "backups"), ("EVENHAND_DATA", "disk")):
        monkeypatch.setenv(variable, str(tmp_path / "file"))
        looked = json.loads(evenhand("doctor", "--json").stdout)

        assert (about, "wrong") in {(one["about"], one["state"]) for one in looked}
    assert evenhand("run").exit_code == 2
