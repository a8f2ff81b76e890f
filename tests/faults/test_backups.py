"""The running bot's backups: one when it is due, no more than are kept, and the newest one is tried."""

import asyncio
import logging
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.campaign.rolls import RollDice
from bot.cli import backups as backing
from bot.cli.backups import Keeper, backups
from bot.dice.errors import Unavailable
from bot.services.verifying import Verifying
from bot.settings import load
from bot.storage.queries import execute
from bot.times import DAY
from tests.storage.asking import caller, opened
from tests.support.databases import sqlite_url

HOUR = 3_600
NOW = 1_800_000_000.0
"""2027-01-15, 08:00."""


@pytest.fixture
async def keeper(tmp_path: Path) -> Keeper:
    """Keeps three backups of a database in which something was rolled, one a day."""
    async with opened(sqlite_url(tmp_path)) as storage:
        for _ in range(3):
            await storage.writer.write(caller(), RollDice("2d6"))
    return Keeper(sqlite_url(tmp_path), tmp_path / "copies", hours=24, keep=3)


def names(keeper: Keeper) -> list[str]:
    """The files in the folder."""
    return sorted(path.name for path in keeper.folder.iterdir())


def test_one_a_day_and_no_more_than_are_kept(keeper: Keeper) -> None:
    """The oldest go, and nothing else in the folder does."""
    made = [keeper.step(NOW + hours * HOUR) is not None for hours in (0, 23, 24, 48, 72, 73)]
    (keeper.folder / "evenhand-mine.db").touch()
    keeper.step(NOW + 100 * HOUR)

    assert made == [True, False, True, True, True, False]
    assert names(keeper) == [
        "evenhand-000003-20270117T080000.db",
        "evenhand-000004-20270118T080000.db",
        "evenhand-000005-20270119T120000.db",
        "evenhand-mine.db",
    ]


def test_as_many_are_kept_as_are_promised(keeper: Keeper) -> None:
    """None goes before there is one too many: from the very first day on to well past that."""
    keeper.keep = 7
    there: list[int] = []
    for day in range(10):
        keeper.step(NOW + day * DAY)
        there.append(len(names(keeper)))

    assert there == [1, 2, 3, 4, 5, 6, 7, 7, 7, 7]


@pytest.mark.parametrize("ahead", [-400_000 * HOUR, -48 * HOUR, 72 * HOUR, 9_000 * HOUR])
def test_a_clock_that_was_wrong_costs_no_backup(
    keeper: Keeper, caplog: pytest.LogCaptureFixture, ahead: int
) -> None:
    """As many as are kept were made by it; the next ones are made when they are due, stay and are checked."""
    for hours in (0, 24, 48):
        keeper.step(NOW + ahead + hours * HOUR)
    made = [keeper.step(NOW + hours * HOUR) for hours in (48, 49, 71, 72)]
    kept = [one for one in made if one and one.exists()]

    assert [one is not None for one in made] == [True, False, False, True]
    assert kept == [made[0], made[3]]
    assert keeper.unchecked(NOW + 72 * HOUR) == made[3]
    assert len(names(keeper)) == (5 if ahead > 0 else 3)
    assert ("clock was ahead" in caplog.text) == (ahead > 0)


def test_one_that_can_not_be_made_costs_none(keeper: Keeper) -> None:
    """The database is gone: the old backups stay, however many."""
    for hours in (0, 24, 48):
        keeper.step(NOW + hours * HOUR)
    Path(keeper.url.removeprefix("sqlite:///")).unlink()

    with pytest.raises(Unavailable, match="There is no database"):
        keeper.step(NOW + 72 * HOUR)
    assert len(names(keeper)) == 3


def test_what_a_killed_process_has_begun_goes_after_a_day(keeper: Keeper) -> None:
    """A backup that was cut short, and the copy that a check takes; nothing else, and nothing younger."""
    keeper.folder.mkdir()
    part = "evenhand-000001-20270114T000000.db.part"
    begun = part, f"{part}-journal", "evenhand-check-abc", "evenhand-notes.part"
    for name in begun:
        (keeper.folder / name).mkdir() if "check" in name else (keeper.folder / name).touch()
        os.utime(keeper.folder / name, (NOW, NOW))
    keeper.step(NOW)
    young = names(keeper)
    keeper.step(NOW + 25 * HOUR)

    assert set(begun) < set(young)
    assert set(begun) & set(names(keeper)) == {"evenhand-notes.part"}


def test_the_newest_is_to_be_checked_once_a_week(keeper: Keeper) -> None:
    """At once, and then after seven days."""
    keeper.step(NOW)
    new = keeper.step(NOW + 24 * HOUR)
    first = keeper.unchecked(NOW + 24 * HOUR)
    keeper.mark_checked()
    os.utime(keeper.folder / "last-check", (NOW, NOW))
    later = [keeper.unchecked(NOW + days * 24 * HOUR) is not None for days in (1, 6, 7)]

    assert first == new
    assert later == [False, False, True]


async def test_the_running_bot_makes_and_checks_one(
    keeper: Keeper, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By itself, beside the bot; a history that was changed by hand is said."""
    caplog.set_level(logging.INFO)
    async with opened(sqlite_url(tmp_path)) as storage:
        change = text("UPDATE event SET what = replace(what, '2d6', '3d6') WHERE seq = 2")
        await storage.transact(execute(change))
        async with backups(keeper):
            while not _checked(keeper):  # noqa: ASYNC110 (another process does it)
                await asyncio.sleep(0.01)

    assert [said in caplog.text for said in ("Backup", "does not hold: see `evenhand check")] == [True, True]


async def test_a_check_that_failed_is_no_verdict(keeper: Keeper, caplog: pytest.LogCaptureFixture) -> None:
    """Its reason is said, and the backup stays to be checked."""
    keeper.folder.mkdir()
    (keeper.folder / datetime.now(UTC).strftime("evenhand-000001-%Y%m%dT%H%M%S.db")).write_bytes(b"cut short")
    async with backups(keeper):
        while "could not be checked" not in caplog.text:  # noqa: ASYNC110 (another process does it)
            await asyncio.sleep(0.01)

    assert "The database" in caplog.text
    assert "because its file is no SQLite database." in caplog.text
    assert "does not hold" not in caplog.text
    assert not _checked(keeper)


async def test_each_backup_is_taken_elsewhere_once(keeper: Keeper, tmp_path: Path) -> None:
    """By the command that is set, with the file behind it; what it did not take waits, over restarts too."""
    there = tmp_path / "off site"
    there.mkdir()
    keeper.step(NOW)
    keeper.hook = f"cp -t '{tmp_path / 'elsewhere'}'"
    with pytest.raises(Unavailable, match=r"was not taken elsewhere: code 1, .cp: .*No such file.*\.$"):
        await backing.take(keeper)
    keeper.step(NOW + DAY)
    restarted = replace(keeper, hook=f"cp -t '{there}'")
    await backing.take(restarted)
    taken = sorted(path.name for path in there.iterdir())
    for path in there.iterdir():
        path.unlink()
    keeper.step(NOW + 2 * DAY)
    await backing.take(replace(restarted))

    assert taken == names(keeper)[:2]
    assert [path.name for path in there.iterdir()] == [names(keeper)[2]]


@pytest.mark.parametrize(("file", "name"), [("docs/hosting.md", "    "), (".env.example", "# ")])
async def test_the_hook_of_the_example_takes_a_backup(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, name: str
) -> None:
    """Its program gets the backup's name, and where it goes, as it wants them."""
    text = (Path(__file__).parents[2] / file).read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith(f"{name}EVENHAND_BACKUP_HOOK=sh"))
    (tmp_path / ".env").write_text(line.removeprefix(name), "utf-8")
    (tmp_path / "rclone").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n', "utf-8")
    (tmp_path / "rclone").chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    keeper.hook = load(tmp_path / ".env").backup_hook
    backup = keeper.step(NOW)
    await backing.take(keeper)

    assert (tmp_path / "asked").read_text("utf-8") == f"copy {backup} remote:evenhand\n"


async def test_a_clock_that_was_wrong_hides_no_backup_from_the_hook(keeper: Keeper, tmp_path: Path) -> None:
    """Those that it took were made ahead of time; the one that is made then has a number after theirs."""
    keeper.hook = f"cp -t '{tmp_path}'"
    for days in (30, 31):
        keeper.step(NOW + days * DAY)
    await backing.take(keeper)
    new = keeper.step(NOW)
    await backing.take(keeper)

    assert new
    assert (tmp_path / new.name).exists()


async def test_a_broken_hook_stops_no_check(keeper: Keeper, caplog: pytest.LogCaptureFixture) -> None:
    """One that is not there neither: that is said, and the backup is checked."""
    caplog.set_level(logging.INFO)
    keeper.hook = "no-such-command"
    async with backups(keeper):
        while not keeper.failed:  # noqa: ASYNC110 (another process does it)
            await asyncio.sleep(0.01)

    assert "was rolled again and holds" in caplog.text
    assert "was not taken elsewhere: code 127, " in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_hook_that_never_ends_is_ended(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has taken nothing."""
    keeper.hook = "sh -c 'exec sleep 86400'"
    keeper.step(NOW)
    monkeypatch.setattr(backing, "_PATIENCE_SECONDS", 0)

    with pytest.raises(Unavailable, match="was not taken elsewhere: code -9"):
        await backing.take(keeper)


async def test_a_warning_is_no_fault_of_the_check(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What a check that came to its end says beside its verdict changes nothing of it."""
    caplog.set_level(logging.INFO)
    check = tmp_path / "check"
    check.write_text("#!/bin/sh\necho 'DeprecationWarning: something' >&2\n")
    check.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(check))
    async with backups(keeper):
        while not any(said in caplog.text for said in ("could not", "holds")):  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.01)

    assert "was rolled again and holds" in caplog.text


def _checked(keeper: Keeper) -> bool:
    return (keeper.folder / "last-check").exists()


async def test_the_daily_sample_says_what_does_not_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its number and the event, in the log; whole campaigns are no word. A deleted one is no problem."""
    async with opened(sqlite_url(tmp_path)) as storage:
        verifying = Verifying(storage.reader)
        for channel in (1, 2):
            await storage.writer.write(caller(channel=channel), RollDice("2d6"))
        await verifying.sample()
        before = caplog.text.count("does not hold")
        change = "UPDATE event SET what = replace(what, '2d6', '3d6') WHERE campaign_id = 2"
        await storage.transact(execute(text(change)))
        await verifying.sample()
        problems = verifying.problems
        await storage.transact(execute(text("UPDATE campaign SET key = 'gone:2' WHERE id = 2")))
        await verifying.sample()

    assert (len(problems), verifying.problems) == (1, [])
    assert before == 0
    assert "Campaign 2 does not hold: #1" in caplog.text
    assert "Campaign 1" not in caplog.text
