"""A clock that jumps costs nobody a roll, and deadlines are kept by Discord's clock alone."""

import signal
import time
from pathlib import Path

from bot.answers import LATE_SECONDS, Lateness
from bot.cli.serving import fetch_time
from tests.support.discord import discord, served
from tests.support.table import Table, numbered
from tests.test_client import interaction

_A_DAY_AHEAD = """
import runpy
from datetime import timedelta
import discord
true = discord.utils.utcnow
discord.utils.utcnow = lambda: true() + timedelta(1)
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""


async def test_a_start_with_a_wrong_clock_closes_no_call(tmp_path: Path) -> None:
    """Nobody has pressed anything that could tell Discord's time, so its server is asked."""
    async with discord(tmp_path / "table") as d:
        async with served(d, tmp_path) as bot:
            called = await d.says(d.mara, "/group call hide 1d20 players:@Ann,@Bob minutes:30")
            bot.send_signal(signal.SIGTERM)
            await bot.wait()
        async with served(d, tmp_path, ("-c", _A_DAY_AHEAD, "run")):
            rolled = (await d.pressed(d.ann, called, "Roll")).text

    assert numbered(rolled) == 2


async def test_a_refusal_that_discord_takes_proves_it_was_in_time(t: Table) -> None:
    """After a jump of ten seconds one command is refused, and the next is done."""
    check = t.bot.tree.interaction_check
    await check(await interaction(t, age_seconds=-10))
    refused = await t.whispers(t.ann, "roll", dice="1d6")
    rolled = await t.says(t.ann, "roll", dice="1d6")

    assert refused.startswith("Discord told me too late")
    assert numbered(rolled) == 1


def test_the_time_is_discords() -> None:
    """What our clock shows is of no account: the newest stamp and what has passed since are."""
    for wrong in (-1_000.0, 0.0, 1_000.0):
        lateness = Lateness()
        at = wrong
        assert lateness.time(at) is None

        for stamp in (5_000.0, 5_001.0):
            assert not lateness.is_late(at + stamp - 5_000 + 0.25 - stamp, at + stamp - 5_000 + 0.25)
        assert lateness.time(at + 3.25) == 5_003


def test_an_accepted_refusal_is_the_new_measure() -> None:
    """From then on ages count from it; a smaller one counts again at once."""
    lateness = Lateness()
    late = LATE_SECONDS + 5

    assert not lateness.is_late(0, at=0)
    assert lateness.is_late(late, at=1)
    lateness.note_accepted(late)
    assert not lateness.is_late(late, at=2)
    assert not lateness.is_late(1, at=3)
    assert lateness.is_late(late, at=4)


async def test_discord_is_asked_for_the_time(tmp_path: Path) -> None:
    """Its answer's date is the time, in whole seconds."""
    async with discord(tmp_path) as d:
        told = await fetch_time(d.table.api)

    assert told is not None
    assert abs(told - time.time()) < 60


async def test_a_discord_without_a_date_tells_no_time(tmp_path: Path) -> None:
    """One whose date is none tells nothing, and nor does one that is away."""
    dates = ["Thu, 01 Jan 2026 00:00:00 GMT", "soon", f"Thu, 01 Jan {10**20} 00:00:00 GMT"]
    async with discord(tmp_path) as d:
        for date in dates:
            d.answer_next("GET /gateway", 503, headers={"Date": date})
        told = [await fetch_time(d.table.api) for _ in dates]
    away = await fetch_time("http://127.0.0.1:9/api")

    assert told == [1_767_225_600, None, None]
    assert away is None
