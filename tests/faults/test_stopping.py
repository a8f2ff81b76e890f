"""A stop answers what runs, and refuses what comes in words; what Discord has shown is not shown again."""

import asyncio
import signal
from pathlib import Path

import discord as discord_py
import pytest

from bot.dice.errors import DiceError
from tests.support.discord import CALLBACK, discord, served
from tests.support.drand import DrandMood, drand_server
from tests.support.table import REPLIES, numbered, table
from tests.support.wire import wire
from tests.test_client import answer, faulty

ROLLS = 20


async def test_a_stop_answers_what_was_rolled(tmp_path: Path) -> None:
    """Every roll that is on its way when the signal comes is told; one that comes then is refused."""
    async with discord(tmp_path / "table") as d, served(d, tmp_path) as child:
        await d.says(d.ann, "/roll 1d6")
        gate = asyncio.Event()
        d.answer_next(CALLBACK, times=ROLLS, gate=gate)
        rolled = [await d.begin(d.ann, "/roll 1d6") for _ in range(ROLLS)]
        await d.until(lambda: len(d.sent(CALLBACK)) == ROLLS + 1)
        child.send_signal(signal.SIGTERM)
        refused = ""
        while "restarting" not in refused:
            # The signal and the next command come by different ways; whichever is first.
            refused = (await d.says(d.bob, "/roll 1d6")).content
        gate.set()
        answers = [(await d.answer(one)).text for one in rolled]
        await child.wait()

        assert sorted(numbered(text) for text in answers) == [*range(2, ROLLS + 2)]
        assert child.returncode == 0


async def test_a_stop_waits_for_no_public_round(tmp_path: Path) -> None:
    """Who switched proof mode on has their answer, however long drand takes; the next start asks again."""
    async with drand_server() as server, discord(tmp_path / "table") as d:
        server.mood = DrandMood.SILENT
        services = {f"EVENHAND_{name}_URL": f"{server.base}/none" for name in ("LFD", "ANU", "QRANDOM")}
        settings = {**services, "EVENHAND_REMOTE_BITS": "true", "EVENHAND_DRAND_URL": server.base}
        async with served(d, tmp_path, **settings, EVENHAND_LOG_LEVEL="WARNING") as child:
            form = await d.press(d.mara, await d.says(d.mara, "/proof"), "Switch on…")
            await d.answer(await d.submit(d.mara, form, drand=True))
            await server.heard.wait()
            child.send_signal(signal.SIGTERM)
            await child.wait()
            said = await child.said()
        server.heard.clear()
        async with served(d, tmp_path, **settings):
            await server.heard.wait()

        assert child.returncode == 0
        assert "not finished in time" not in said
        assert "Traceback" not in said
        assert len(set(server.asked)) == 1


async def test_a_roll_that_discord_has_shown_is_not_shown_again(tmp_path: Path) -> None:
    """40060: another delivery of the same interaction was answered first, so the roll was told."""
    async with table(tmp_path, expected=(DiceError, discord_py.HTTPException)) as t:
        t.env.inject_error("POST", REPLIES, status=400, code=40060, message="no")
        await t.slash(t.ann, "roll", dice="1d20+1000")
        after = await t.says(t.bob, "roll", dice="1d6")

        assert "reply may be lost" not in after
        assert numbered(after) == 2


async def test_discords_fault_is_not_called_ours(caplog: pytest.LogCaptureFixture) -> None:
    """The asker is told whose fault it is, and the log has no traceback."""
    async with wire(faulty(), expected=Exception) as run:
        said = await answer(run, "broken")

        assert said.startswith("Discord had a fault")
        assert "Traceback" not in caplog.text
