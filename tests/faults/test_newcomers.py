"""What a new host runs into: each is one sentence and the right code, and leaves no new file."""

import os
from pathlib import Path

import pytest

from tests.support.cli import evenhand
from tests.support.forked import forked
from tests.test_run import running


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with the usual settings."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(*arguments: str) -> tuple[int, str]:
    """The code and the one line that a command ends with; nothing else but the log is printed."""
    done = evenhand(*arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    (line,) = done.stderr.splitlines()
    return done.exit_code, line


@pytest.mark.parametrize("command", [["check"], ["move", "sqlite:///new.db"], ["backup", "copy.db"]])
def test_the_wrong_folder(folder: Path, command: list[str]) -> None:
    """Where no database is, none is made, checked and called good."""
    code, line = said(*command)

    assert code == 2
    there = "Go to the folder that the bot runs in, or set its EVENHAND_DATA."
    assert line == f"There is no database {folder}/data/evenhand.db. {there}"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["check", "restore"])
def test_a_backup_that_is_not_there(folder: Path, command: str) -> None:
    """A missing file is a wrong command line, as everywhere else."""
    assert said(command, "gone.db") == (2, "There is no backup gone.db.")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["check", "restore"])
def test_no_backup_at_all(folder: Path, command: str) -> None:
    """A file that is none is called by its own name, and no database is begun."""
    file = folder / "photo.db"
    file.write_bytes(b"no database")
    code, line = said(command, "photo.db")

    assert (code, line) == (
        1,
        "The database photo.db can't be checked, because its file is no SQLite database.",
    )
    assert list(folder.rglob("*.db")) == [file]


async def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """Where data can't be written, there is no traceback."""
    (tmp_path / "data").touch()
    async with running(tmp_path, DISCORD_TOKEN="abc", EVENHAND_DATA="data") as child:
        assert await child.said() == f"{tmp_path}/data can't be used: File exists.\n"
        assert child.returncode == 2


async def test_a_folder_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    """It may be one that others use too."""
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o777)
    async with running(
        tmp_path, DISCORD_TOKEN="abc", EVENHAND_DATA="data", EVENHAND_DATABASE="sqlite:////dev/null/x"
    ) as child:
        assert "can't be made" in await child.said()

    assert data.stat().st_mode & 0o777 == 0o777


async def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    """Who deletes the folder that they stand in is told so."""
    program = (
        "import os, sys; os.rmdir('../here'); sys.argv[1:] = ['check']; import bot.__main__ as b; b.main()"
    )
    (tmp_path / "here").mkdir()
    child = await forked(("-c", program), {"PATH": os.environ["PATH"]}, tmp_path / "here")

    assert await child.said() == "The folder that this runs in can't be used: No such file or directory.\n"
    assert child.returncode == 2


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"EVENHAND_DATABASE": "mysql://host/name"},
            "The setting EVENHAND_DATABASE can't be used: it should",
        ),
        (
            {"EVENHAND_CLUSTER": "3/2"},
            "The setting EVENHAND_CLUSTER can't be used: there is no process 3 of 2.",
        ),
        ({"EVENHAND_CLUSTER": "1/2"}, "EVENHAND_CLUSTER needs a PostgreSQL in EVENHAND_DATABASE"),
        (
            {"EVENHAND_DATABASE": "postgresql://host/name", "EVENHAND_BACKUP_FOLDER": "b"},
            "Evenhand backs up SQLite files only.",
        ),
    ],
)
def test_settings_that_do_not_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], sentence: str
) -> None:
    """They are refused before anything is opened or made."""
    for name, value in {"DISCORD_TOKEN": "abc", **settings}.items():
        monkeypatch.setenv(name, value)
    code, line = said("run")

    assert code == 2
    assert line.startswith(sentence)
    assert list(folder.iterdir()) == []


def test_a_new_database_has_nothing_to_check(folder: Path) -> None:
    """And says so, instead of nothing."""
    made, checked = evenhand("migrate"), evenhand("check")

    assert (folder / "data" / "evenhand.db").exists()
    assert (made.stdout, checked.stdout) == (
        "The database is up to date.\n",
        "It has no campaigns yet.\n",
    )
