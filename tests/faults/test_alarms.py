"""What must not wait is told to an address, once for as long as it lasts, and nothing holds the bot up."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.app import open_app
from bot.cli.backups import Keeper, backups
from bot.cli.watch import alarms, watched
from tests.faults.test_database import held
from tests.faults.test_watch import free_port, page
from tests.support.table import settings


@dataclass
class Hook:
    """A server on loopback that takes alarms, as it is told to."""

    address: str = ""
    status: int = 204
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Answers wait for it."""
    posted: asyncio.Queue[dict[str, str]] = field(default_factory=asyncio.Queue[dict[str, str]])
    """What was posted, whatever was answered."""

    async def take(self, request: web.Request) -> web.Response:
        """Take one."""
        self.posted.put_nowait(await request.json())
        await self.over.wait()
        return web.Response(status=self.status, headers={"Location": "/elsewhere"})


@asynccontextmanager
async def hook() -> AsyncGenerator[Hook]:
    """The server, running."""
    taken = Hook()
    taken.over.set()
    pages = web.Application()
    pages.add_routes([web.post("/secret-token", taken.take)])
    runner = web.AppRunner(pages, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", free_port())
    await site.start()
    taken.address = f"{site.name}/secret-token"
    yield taken
    taken.over.set()
    await runner.cleanup()


@dataclass
class Trouble:
    """Problems as a test sets them; `looks` has one thing for each time they were asked for."""

    found: list[str] = field(default_factory=list[str])
    looks: asyncio.Queue[None] = field(default_factory=asyncio.Queue[None])

    async def problems(self) -> list[str]:
        """Return them."""
        self.looks.put_nowait(None)
        return self.found

    async def seen(self, more: int = 2) -> None:
        """Return when they were looked at so often since."""
        for _ in range(self.looks.qsize() + more):
            await self.looks.get()


async def test_each_is_told_once_while_it_lasts() -> None:
    """Other figures are the same problem; one that comes back is told again."""
    trouble = Trouble(["Only 5 MB are left."])
    async with hook() as taken, alarms(taken.address, trouble.problems, every=0):
        first = await taken.posted.get()
        trouble.found = ["Only 4 MB are left.", "It does not hold."]
        second = await taken.posted.get()
        trouble.found = []
        await trouble.seen()
        trouble.found = ["It does not hold."]
        third = await taken.posted.get()

    assert first == dict.fromkeys(("content", "text"), "Evenhand: Only 5 MB are left.")
    assert second["text"] == third["text"] == "Evenhand: It does not hold."
    assert taken.posted.empty()


@pytest.mark.parametrize("status", [302, 404, 500])
async def test_what_was_not_taken_is_sent_again(status: int, caplog: pytest.LogCaptureFixture) -> None:
    """Also when it is over by then; the address, which is a secret, is not logged."""
    trouble = Trouble(["It does not hold."])
    async with hook() as taken, alarms(taken.address, trouble.problems, every=0):
        taken.status = status
        await taken.posted.get()
        trouble.found = []
        await taken.posted.get()
        taken.status = 204
        last = await taken.posted.get()
        await trouble.seen()

    assert last["text"] == "Evenhand: It does not hold."
    assert caplog.text.count("I keep trying") == 1
    assert "secret-token" not in caplog.text


async def test_a_problem_that_comes_and_goes_waits_once() -> None:
    """With its newest figures: Discord refuses long texts, and with them all later alarms."""
    trouble = Trouble()
    async with hook() as taken, alarms(taken.address, trouble.problems, every=0):
        taken.status = 500
        for left in range(99, 9, -1):
            trouble.found = [f"Only {left} MB are left."]
            await trouble.seen()
            trouble.found = []
            await trouble.seen()
        taken.status = 204
        while not taken.posted.empty():
            taken.posted.get_nowait()
        last = await taken.posted.get()

    assert last["text"] == "Evenhand: Only 10 MB are left."


async def test_a_dead_or_slow_address_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The problem stands in the log, others are looked for, and the end waits for no answer."""
    trouble = Trouble(["It does not hold."])
    async with alarms(f"http://127.0.0.1:{free_port()}/", trouble.problems, every=0):
        await trouble.seen(4)
    async with hook() as taken:
        taken.over.clear()
        async with alarms(taken.address, trouble.problems, every=0):
            await taken.posted.get()

    assert "It does not hold." in caplog.text


async def test_what_can_not_be_found_out_is_told() -> None:
    """A look that fails ends no other."""

    async def problems() -> list[str]:
        raise OSError

    async with hook() as taken, alarms(taken.address, problems, every=0):
        said = await taken.posted.get()

    assert said["text"] == "Evenhand: I can't find out how the bot is doing."


async def test_the_bot_tells_of_its_backups_database_and_histories(tmp_path: Path) -> None:
    """Each by itself, in words that hold nothing of people; and the page of figures has the backup's age."""
    port = free_port()
    keeper = Keeper("sqlite:////nowhere/evenhand.db", tmp_path / "copies", hours=24, keep=3)
    async with hook() as taken, open_app(settings(tmp_path)) as app:
        chosen = settings(tmp_path, alarm_webhook=SecretStr(taken.address), health_port=port)
        app.health.writer.pulse.written_at -= 61
        app.verifying._broken.add(4_815_162_342)
        async with backups(keeper):
            while not keeper.failed:  # noqa: ASYNC110 (another thread does it)
                await asyncio.sleep(0.01)
        keeper.newest = 0
        with held(tmp_path / "evenhand.db"):
            async with watched(app, chosen, keeper):
                said = (await taken.posted.get())["text"]
                figures = (await page(port, "metrics"))[1]

    assert said == (
        "Evenhand: The database can't be written to. 1 campaigns do not hold: see the log. "
        "The last backup could not be made, taken elsewhere or checked. The newest backup is too old."
    )
    assert "evenhand_backup_age_seconds 1." in figures
