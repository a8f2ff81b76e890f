"""What others on the machine can read, what a log never holds, and what goes with a source that failed."""

import logging
from pathlib import Path
from stat import S_IMODE

import pytest

from bot.campaign.command import RollOptions
from bot.campaign.rolls import RollDice
from bot.cli.logs import JsonLines, TextLines, configure
from bot.entropy.feed import Refill
from bot.entropy.service import Fetched
from bot.entropy.supply import Kernel, Lane
from bot.play.store import Store
from bot.settings import readable_by_others
from bot.storage.backup import back_up, restore
from bot.storage.engine import open_database
from tests.entropy.clocks import FakeClock
from tests.entropy.feeds import Scripted, Tags, feed
from tests.storage.asking import caller, opened
from tests.support.databases import sqlite_url

LABEL = "Zwielichtfeder"


def mode(path: Path) -> int:
    """A file's rights."""
    return S_IMODE(path.stat().st_mode)


async def test_nobody_else_reads_the_data(tmp_path: Path) -> None:
    """A folder that the bot makes, and every file in it, also those that an earlier version had left open."""
    data = tmp_path / "data"
    async with open_database(sqlite_url(data)):
        pass
    async with opened(sqlite_url(data)) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
    (data / "evenhand.db").chmod(0o644)
    async with opened(sqlite_url(data)) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
        modes = {path.name: mode(path) for path in data.iterdir()}

    assert mode(data) == 0o700
    assert modes.keys() >= {"evenhand.db", "evenhand.db-wal", "evenhand.db-shm", "evenhand.db.lock"}
    assert set(modes.values()) == {0o600}


async def test_a_folder_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    """It may be everybody's, such as /tmp; the bot's own files in it are closed to others."""
    folder = tmp_path / "ours"
    folder.mkdir()
    folder.chmod(0o1777)
    async with opened(sqlite_url(folder)):
        back_up(sqlite_url(folder), tmp_path / "copy.db")
    restore(sqlite_url(folder), tmp_path / "copy.db", lambda _: None)
    Store(folder).close()

    assert mode(folder) == 0o1777
    assert {mode(path) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize(("rights", "open_"), [(0o600, False), (0o640, True), (0o604, True)])
def test_a_token_that_others_can_read_is_noticed(tmp_path: Path, rights: int, open_: bool) -> None:  # noqa: FBT001
    """The file that holds it is closed, or somebody else can read it."""
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=ravens\n", encoding="utf-8")
    file.chmod(rights)

    assert readable_by_others(file) is open_
    file.write_text("DISCORD_TOKEN=\nEVENHAND_LOG_LEVEL=INFO\n", encoding="utf-8")
    assert not readable_by_others(file)


@pytest.mark.parametrize(
    ("setting", "is_secret"),
    [
        ("EVENHAND_DATABASE=postgresql://ann:ravens@host/dice", True),
        ("EVENHAND_ALARM_WEBHOOK=https://example.org/ravens", True),
        ("EVENHAND_AQN_KEY=ravens", True),
        ("EVENHAND_DATABASE=sqlite:////var/dice.db", False),
        ("EVENHAND_AQN_KEY_FILE=/run/secrets/key", False),
    ],
)
def test_any_secret_that_others_can_read_is_noticed(tmp_path: Path, setting: str, *, is_secret: bool) -> None:
    """The token may be in a file of its own, and the password of the database here."""
    file = tmp_path / ".env"
    file.write_text(f"{setting}\n", encoding="utf-8")
    file.chmod(0o644)

    assert readable_by_others(file) is is_secret


def test_no_file_is_nothing_to_notice(tmp_path: Path) -> None:
    """Whoever gives the token otherwise is not bothered."""
    assert not readable_by_others(tmp_path / ".env")


async def test_debug_logs_no_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Statements and their values stay out, whatever level is set."""
    configure("DEBUG", "text")
    with caplog.at_level(logging.DEBUG):
        async with opened(sqlite_url(tmp_path)) as storage:
            await storage.writer.write(caller(), RollDice("2d6", options=RollOptions(LABEL)))

    assert LABEL not in caplog.text
    assert "INSERT" not in caplog.text


@pytest.mark.parametrize("form", [TextLines(), JsonLines()])
def test_a_page_of_somebody_elses_is_cut_short(form: logging.Formatter) -> None:
    """A remote service answers with a megabyte; the line has its two ends."""
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "Begin %s end", ("x" * 1_000_000,), None)
    line = form.format(record)

    assert len(line) < 10_000
    assert "Begin x" in line
    assert "x end" in line


async def test_a_source_that_fails_its_test_loses_what_waits() -> None:
    """Its own bits go, those of the other source of the lane stay."""
    lane, clock = Lane(Kernel()), FakeClock()
    good, bad = Tags("good"), Tags("bad")
    blocks = iter([bad.block(), bytes(1_024)])
    source, alarms = Scripted(lambda: Fetched(next(blocks))), list[bool]()
    filling = Refill(lane, [feed(source, clock)], clock, lambda: alarms.append(True))
    lane.add(good.block(), "another")
    await filling.step()
    await clock.advance(601)
    before = lane.bits
    await filling.step()

    assert (before, lane.bits) == (2 * 8_192, 8_192)
    assert alarms == [True]
    assert all(lane.take() in good.known for _ in range(128))


def test_a_lane_gives_each_word_once() -> None:
    """Whatever source it is of, in the order in which the sources came."""
    lane = Lane(Kernel())
    one, other = Tags("one"), Tags("other")
    lane.add(one.block(), "one")
    lane.add(other.block(), "other")
    taken = [lane.take() for _ in range(256)]

    assert taken == [*one.known, *other.known]
    assert not lane.fed
