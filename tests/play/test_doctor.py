"""`evenhand doctor` against the table's own Discord: what is well, what is not, and what to do."""

import json
import os
import re
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.storage.files import sole_use
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


async def test_two_servers_with_one_name_are_two(tmp_path: Path) -> None:
    """The one that lacks a permission is named, whichever Discord tells first."""
    both = [
        {"id": str(n), "name": "Friday", "permissions": rights} for n, rights in enumerate(("1024", _INVITED))
    ]
    async with discord(tmp_path / "table") as d:
        d.answer_next(GUILDS, 203, body=both)
        rows = json.loads(await printed(d, tmp_path / "bot", "doctor", "--json", code=1))

    assert "Friday: no attach files" in next(row["found"] for row in rows if row["about"] == "permissions")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder in which the command runs, with neither Discord nor random services."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    return tmp_path


def told(about: str) -> dict[str, str]:
    """What it finds about one thing."""
    done = evenhand("doctor", "--json")
    return next(one for one in json.loads(done.output) if one["about"] == about)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("name", "value", "about"),
    [
        ("EVENHAND_DATABASE", "postgresql://nobody@127.0.0.1:9/none", "database"),
        ("EVENHAND_CLUSTR", "1/2", "settings"),
        ("DISCORD_TOKEN", "no token", "token"),
    ],
)
def test_what_is_wrong_has_its_row(
    name: str, value: str, about: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting, a token, a database: each ends in a row with what to do, and the exit code 1."""
    monkeypatch.setenv(name, value)
    done = evenhand("doctor", "--json")

    assert done.exit_code == 1
    assert about in {one["about"] for one in json.loads(done.output) if one["state"] == "wrong"}
    assert about in evenhand("doctor").output


def test_why_a_database_can_not_be_used_is_said_in_words(alone: Path) -> None:
    """Not in those of the driver."""
    file = alone / "data" / "evenhand.db"
    file.parent.mkdir()
    file.write_bytes(b"no database at all")
    found = told("database")

    assert found["state"] == "wrong"
    assert found["found"] == f"The database {file} can't be opened, because its file is no SQLite database."


@pytest.mark.usefixtures("alone")
def test_a_wrong_setting_in_a_databases_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot says only that the address is wrong, and sends here."""
    monkeypatch.setenv("EVENHAND_DATABASE", "postgresql://ann@127.0.0.1:9/dice?sslmode=bad")
    found = told("database")

    assert "`sslmode` parameter must be one of" in found["found"]


def test_a_database_of_another_version_is_noticed(alone: Path) -> None:
    """It names both versions of the tables."""
    assert evenhand("migrate").exit_code == 0
    with closing(sqlite3.connect(alone / "data" / "evenhand.db", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0022'")
    found = told("database")

    assert found["state"] == "attention"
    assert "its tables at 0022, where this version has" in found["found"]


def test_a_copy_in_the_place_of_the_database_is_noticed(alone: Path) -> None:
    """The start only logs it."""
    assert evenhand("migrate").exit_code == 0
    shutil.copyfile(alone / "data" / "evenhand.db", alone / "copy.db")
    assert evenhand("migrate").exit_code == 0
    shutil.copyfile(alone / "copy.db", alone / "data" / "evenhand.db")
    found = told("database")

    assert found["state"] == "attention"
    assert "was replaced by a copy" in found["found"]


def test_the_version_of_a_server_is_told(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the server tells it."""
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "false")
    monkeypatch.setenv("EVENHAND_DISCORD_API", "http://127.0.0.1:9")
    monkeypatch.setenv("EVENHAND_DATABASE", postgresql_url)

    assert re.match(r"PostgreSQL \d\d\.[1-9]\d* answers, its tables at", told("database")["found"])


@pytest.mark.parametrize(
    ("status", "words"),
    [(501, "it has a fault (status 501)"), (403, "it refuses that (status 403)")],
)
async def test_what_discord_did_not_answer_has_its_row(tmp_path: Path, status: int, words: str) -> None:
    """The other questions are asked all the same, and the network is not blamed."""
    async with discord(tmp_path / "table") as d:
        d.answer_next(GUILDS, status, body={"message": "no"})
        lines = await printed(d, tmp_path / "bot", "doctor", "--json", code=1)
    found = {one["about"]: one for one in json.loads(lines)}

    assert words in found["permissions"]["found"]
    assert "network" not in found["permissions"]["remedy"]
    assert "faces" in found


def test_a_folder_that_others_write_to_is_named(alone: Path) -> None:
    """It says how to close it; one whose files only their owners may delete is well, such as /tmp."""
    (alone / "data").mkdir()
    found = list[dict[str, str]]()
    for rights in (0o777, 0o1777, 0o755):
        (alone / "data").chmod(rights)
        found.append(told("disk"))

    assert [one["state"] for one in found] == ["attention", "well", "well"]
    assert found[0]["remedy"] == f"chmod o-w {alone / 'data'}"


@pytest.mark.usefixtures("alone")
def test_a_folder_that_can_not_be_looked_at_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says why, and what to set instead."""
    monkeypatch.setenv("EVENHAND_DATA", "x" * 300)
    found = told("disk")

    assert (found["state"], evenhand("doctor").exit_code) == ("wrong", 1)
    assert found["found"].endswith("can't be used: File name too long.")


def test_a_database_that_is_there_is_read(alone: Path) -> None:
    """It says at which version its tables are, and leaves the file as it is."""
    assert evenhand("migrate").exit_code == 0
    file = alone / "data" / "evenhand.db"
    before = file.read_bytes()
    found = told("database")

    assert found["state"] == "well", found
    assert "its tables at" in found["found"]
    assert file.read_bytes() == before


def test_a_database_that_a_bot_has_is_told(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is its port, which only a second bot would miss; without the bot it stops a start."""
    assert evenhand("migrate").exit_code == 0
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        monkeypatch.setenv("EVENHAND_HEALTH_PORT", str(server.getsockname()[1]))
        with sole_use(alone / "data" / "evenhand.db"):
            busy = told("database"), told("health")
        stray = told("health")
    free = told("database"), told("health")

    assert [row["state"] for row in (*busy, stray, *free)] == ["well", "attention", "wrong", "well", "well"]
    assert "A running Evenhand has it." in busy[0]["found"]
    assert "A running Evenhand" not in free[0]["found"]
    assert "is taken" in busy[1]["found"]


def test_the_disk_of_a_database_elsewhere_is_looked_at_too(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data folder may be on another disk; health and alarms watch both."""
    elsewhere = alone / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("EVENHAND_DATABASE", f"sqlite:///{elsewhere / 'dice.db'}")
    rows = json.loads(evenhand("doctor", "--json").output)

    assert [row["found"].split(" at ")[1] for row in rows if row["about"] == "disk"] == [
        f"{alone}.",
        f"{elsewhere}.",
    ]


@pytest.mark.skipif(os.name != "posix", reason="files have owners there")
def test_a_database_of_another_user_is_wrong(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that root copied there: the bot's user may read it, and no start would take it."""
    assert evenhand("migrate").exit_code == 0
    owner = (alone / "data" / "evenhand.db").stat().st_uid

    def may_read(_path: object, mode: int) -> bool:
        return not mode & os.W_OK

    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr(os, "access", may_read)
    row = told("database")

    assert row["state"] == "wrong"
    assert "its files are another user's (Permission denied)" in row["found"]


@pytest.mark.usefixtures("alone")
def test_a_hook_without_backups_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who set it believes that there are some."""
    monkeypatch.setenv("EVENHAND_BACKUP_HOOK", "true")
    without = told("backups")
    monkeypatch.setenv("EVENHAND_BACKUP_FOLDER", "copies")

    assert without["state"] == "attention"
    assert told("backups")["state"] == "well"
