"""`evenhand doctor` against the table's own Discord: what is well, what is not, and what to do."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import evenhand
from tests.support.discord import Discord, discord, printed

GUILDS = "GET /users/@me/guilds"
_INVITED = "274877942784"


async def asked(d: Discord, folder: Path, permissions: str = _INVITED, code: int = 0) -> dict[str, Any]:
    """What it finds, by what it is about, on one server that gives these permissions."""
    d.answer_next(GUILDS, 203, body=[{"id": "1", "name": "Friday", "permissions": permissions}])
    return {one["about"]: one for one in json.loads(await printed(d, folder, "doctor", "--json", code=code))}


async def test_it_looks_at_everything_and_changes_nothing(tmp_path: Path) -> None:
    """Each thing has a state; what is not well has something to do; no file is made."""
    folder = tmp_path / "bot"
    async with discord(tmp_path / "table") as d:
        found = await asked(d, folder)

    assert set(found) == {
        *("settings", "token", "intents", "permissions", "faces"),
        *("database", "clock", "disk", "services"),
    }
    assert all(one["remedy"] for one in found.values() if one["state"] != "well")
    assert {about for about, one in found.items() if one["state"] == "wrong"} == set()
    assert not (folder / "data").exists()


async def test_a_missing_permission_is_named(tmp_path: Path) -> None:
    """It says on which server, which one, and how to give it; whoever runs it gets the code 1."""
    async with discord(tmp_path / "table") as d:
        told = (await asked(d, tmp_path / "bot", "1024", 1))["permissions"]

    assert told["state"] == "wrong"
    assert "Friday: no attach files, send messages" in told["found"]
    assert _INVITED in told["remedy"]


@pytest.mark.parametrize(
    ("name", "value", "about"),
    [
        ("EVENHAND_DATABASE", "postgresql://nobody@127.0.0.1:9/none", "database"),
        ("EVENHAND_CLUSTR", "1/2", "settings"),
        ("DISCORD_TOKEN", "no token", "token"),
    ],
)
def test_what_is_wrong_has_its_row(
    name: str, value: str, about: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting, a token, a database: each ends in a row with what to do, and the exit code 1."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    monkeypatch.setenv(name, value)
    done = evenhand("doctor", "--json")

    assert done.exit_code == 1
    assert about in {one["about"] for one in json.loads(done.output) if one["state"] == "wrong"}
    assert about in evenhand("doctor").output


def test_why_a_database_can_not_be_used_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in those of the driver."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    file = tmp_path / "data" / "evenhand.db"
    file.parent.mkdir()
    file.write_bytes(b"no database at all")
    told = {one["about"]: one for one in json.loads(evenhand("doctor", "--json").output)}["database"]

    assert (told["state"], told["found"]) == ("wrong", "It can't be used: its file is no SQLite database.")


def test_a_wrong_setting_in_a_databases_address_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot says only that the address is wrong, and sends here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    monkeypatch.setenv("EVENHAND_DATABASE", "postgresql://ann@127.0.0.1:9/dice?sslmode=bad")
    told = {one["about"]: one for one in json.loads(evenhand("doctor", "--json").output)}["database"]

    assert "`sslmode` parameter must be one of" in told["found"]


def test_a_database_of_another_version_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names both versions of the tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    assert evenhand("migrate").exit_code == 0
    with closing(sqlite3.connect(tmp_path / "data" / "evenhand.db", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    told = {one["about"]: one for one in json.loads(evenhand("doctor", "--json").output)}["database"]

    assert told["state"] == "attention"
    assert "its tables at 9999, where this version has" in told["found"]


def test_a_folder_that_others_write_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how to close it; one whose files only their owners may delete is well, such as /tmp."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    (tmp_path / "data").mkdir()
    told = list[dict[str, str]]()
    for rights in (0o777, 0o1777, 0o755):
        (tmp_path / "data").chmod(rights)
        told += [one for one in json.loads(evenhand("doctor", "--json").output) if one["about"] == "disk"]

    assert [one["state"] for one in told] == ["attention", "well", "well"]
    assert told[0]["remedy"] == f"chmod o-w {tmp_path / 'data'}"


def test_a_folder_that_can_not_be_looked_at_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says why, and what to set instead."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    monkeypatch.setenv("EVENHAND_DATA", "x" * 300)
    done = evenhand("doctor", "--json")
    told = {one["about"]: one for one in json.loads(done.output)}["disk"]

    assert (told["state"], done.exit_code) == ("wrong", 1)
    assert told["found"].endswith("can't be used: File name too long.")


def test_a_database_that_is_there_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says at which version its tables are, and leaves the file as it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    assert evenhand("migrate").exit_code == 0
    file = tmp_path / "data" / "evenhand.db"
    before = file.read_bytes()
    told = {one["about"]: one for one in json.loads(evenhand("doctor", "--json").output)}["database"]

    assert told["state"] == "well", told
    assert "its tables at" in told["found"]
    assert file.read_bytes() == before
