"""Whoever watches over the bot is told how it fares: well only while it writes, is connected and has room."""

import logging
import re
import signal
import socket
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.app import open_app
from bot.campaign.rolls import RollDice
from bot.cli.logs import JsonLines, once_a_second
from bot.cli.watch import Watch, watched
from bot.dice.errors import Unavailable
from tests.faults.test_database import held
from tests.storage.asking import caller, opened
from tests.support.databases import sqlite_url
from tests.support.discord import discord, served
from tests.support.table import Table, settings
from tests.test_run import heard, running


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def page(port: int, name: str) -> tuple[int, str]:
    """The status and the text of a page, which does not say what serves it."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/{name}") as answer:
        assert "Server" not in answer.headers
        return answer.status, await answer.text()


async def test_health_and_figures_of_a_bot_that_serves(tmp_path: Path) -> None:
    """It is well, and what it did is counted, without anybody's name or id."""
    port = free_port()
    async with (
        discord(tmp_path / "table") as d,
        served(d, tmp_path, EVENHAND_HEALTH_PORT=str(port), EVENHAND_LOG_LEVEL="INFO") as child,
    ):
        for _ in range(3):
            await d.says(d.ann, "/roll 2d6 label:Zwielichtfeder")
        # Discord tells its servers; that takes the library two seconds.
        await heard(child, "in 1 server")
        status, text = await page(port, "healthz")
        figures = (await page(port, "metrics"))[1]
    samples = {
        (one.name, *sorted(one.labels.items())): one.value
        for family in text_string_to_metric_families(figures)
        for one in family.samples
    }

    assert (status, text) == (200, "well\n")
    assert samples["evenhand_requests_total", ("outcome", "written")] == 3
    assert samples["evenhand_requests_total", ("outcome", "refused")] == 0
    assert samples["evenhand_reply_seconds_count",] == 3
    assert samples["evenhand_servers",] == 1
    assert "Zwielichtfeder" not in figures
    assert str(d.ann.id) not in figures


async def test_a_bot_that_can_not_write_is_not_well(tmp_path: Path) -> None:
    """After a silent minute the database is tried; a queue and a full disk are told as well."""
    async with open_app(settings(tmp_path)) as app:
        well = await app.health.vitals()
        with held(tmp_path / "evenhand.db"):
            app.health.writer.pulse.written_at -= 61
            ill = await app.health.vitals()
        healed = await app.health.vitals()
        full = replace(healed, free_bytes=5_000_000, waiting=7, waiting_seconds=4.0)

    assert well.problems == healed.problems == []
    assert ill.problems == ["The database can't be written to."]
    assert full.problems == [
        "Rolls wait longer for the database than Discord waits for them.",
        "The disk has only 5 MB left.",
    ]


async def test_a_bot_without_discord_is_not_well(t: Table) -> None:
    """Before it has come, and after it has gone."""
    watch = Watch(t.app)

    assert await watch.problems() == ["Discord is not connected."]


async def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    """In a sentence, at the start."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        async with AsyncExitStack() as stack:
            app = await stack.enter_async_context(open_app(settings(tmp_path)))
            with pytest.raises(Unavailable, match=f"can't be served at 127.0.0.1, port {port}: .*in use"):
                await stack.enter_async_context(watched(app, settings(tmp_path, health_port=port)))


async def test_what_fails_while_it_is_watched_is_not_the_ports_fault(tmp_path: Path) -> None:
    """An OSError of the bot's own stays what it is."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    async with open_app(settings(tmp_path)) as app:
        with pytest.raises(OSError, match="too many files"):
            async with watched(app, settings(tmp_path, health_port=port)):
                raise OSError("too many files")


async def test_in_a_container_a_wrong_token_stays_and_says_so(tmp_path: Path) -> None:
    """It does not end, and serves no health page. A signal ends it with code 0."""
    async with running(tmp_path, "--stay", DISCORD_TOKEN="two words") as child:
        await heard(child, "That is no bot token")
        child.send_signal(signal.SIGTERM)
        await child.said()

        assert child.returncode == 0


async def test_a_line_has_campaign_number_and_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each in the text, also of two within a second; for programs as fields too. Nothing that was typed."""
    caplog.set_level(logging.DEBUG, "bot.storage.writer")
    async with opened(sqlite_url(tmp_path)) as storage:
        for _ in range(2):
            await storage.writer.write(caller(), RollDice("2d6 # secret"))
    written = [record for record in caplog.records if record.msg.startswith("Written")]
    lines = [JsonLines().format(record) for record in written]

    assert all(map(once_a_second(), written))
    for number, record, line in zip((1, 2), written, lines, strict=True):
        assert re.fullmatch(rf"Written: campaign 1, #{number}, [0-9.]+ ms", record.getMessage())
        assert f'"campaign": "1", "number": "{number}", "ms": ' in line
    assert "secret" not in "".join(lines)
