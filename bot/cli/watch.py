"""Health checks for operators: /healthz, /metrics, and alarms: what must not wait.

An alarm stands in the log, and goes to an address that whoever runs the bot has set. Only sentences of the
bot's own leave it. No word or id of a person, no path and no secret is in them.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from aiohttp import web
from prometheus_client import generate_latest
from prometheus_client.registry import CollectorRegistry

from bot.app import App
from bot.cli.backups import Keeper
from bot.cli.metrics import Metrics
from bot.cli.stopping import background_task
from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.settings import Settings

_LOOK_SECONDS = 15
_PATIENCE = aiohttp.ClientTimeout(total=10)
_DIGITS = re.compile(r"\d+")
_SLOWEST_SECONDS = 30

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Watch:
    """What is watched: the app, and the client that serves at the moment, if one does."""

    app: App
    client: Evenhand | None = None

    async def problems(self) -> list[str]:
        """Return what is wrong, a sentence each."""
        problems = (await self.app.health.vitals()).problems
        if self.client is None or not self.client.is_ready():
            problems.append("Discord is not connected.")
        elif not self.client.latency < _SLOWEST_SECONDS:
            problems.append("Discord's gateway does not answer.")
        return problems


@asynccontextmanager
async def watched(app: App, settings: Settings, keeper: Keeper | None = None) -> AsyncGenerator[Watch]:
    """Watch over the bot, and over its backups if there are any, until the block ends.

    Unavailable if the address for health and metrics can't be had.
    """
    watch = Watch(app)

    async def alarming() -> list[str]:
        backups = keeper.problems(time.time()) if keeper else []
        return [*(await app.health.vitals()).problems, *app.verifying.problems, *backups]

    async def healthz(_: web.Request) -> web.Response:
        problems = await watch.problems()
        return web.Response(text="\n".join(problems or ["well"]) + "\n", status=503 if problems else 200)

    async def measured(_: web.Request) -> web.Response:
        age = keeper.age(time.time()) if keeper else None
        registry = CollectorRegistry()
        registry.register(Metrics(await app.health.vitals(), watch.client, age))
        text = await asyncio.to_thread(generate_latest, registry)
        return web.Response(body=text, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    async def unnamed(_: web.Request, response: web.StreamResponse) -> None:
        del response.headers["Server"]  # aiohttp's name and version

    pages = web.Application()
    pages.on_response_prepare.append(unnamed)
    pages.add_routes([web.get("/healthz", healthz), web.get("/metrics", measured)])
    webhook = settings.alarm_webhook
    async with (
        alarms(webhook.get_secret_value() if webhook else None, alarming),
        _served(pages, settings.health_host, settings.health_port),
    ):
        yield watch


@asynccontextmanager
async def _served(pages: web.Application, host: str, port: int) -> AsyncGenerator[None]:
    if not port:
        yield
        return
    runner = web.AppRunner(pages, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise Unavailable(
                "Health and metrics can't be served at {host}, port {port}: {error}.",
                host=host,
                port=port,
                error=error,
            ) from error
        _log.info("Health and metrics: http://%s:%d/healthz and /metrics", host, port)
        yield
    finally:
        await runner.cleanup()


@asynccontextmanager
async def alarms(
    address: str | None, problems: Callable[[], Awaitable[Iterable[str]]], *, every: float = _LOOK_SECONDS
) -> AsyncGenerator[None]:
    """Look for problems until the block ends, and report each once while it lasts.

    What could not be sent is sent with the next look.
    """

    async def look() -> None:
        known: set[str] = set()
        unsent: list[str] = []
        while True:
            try:
                told = await problems()
            except Exception:  # noqa: BLE001 (whatever it is, it must not end the looking)
                told = ["I can't find out how the bot is doing."]
            # The same with other figures is nothing new.
            found = {_DIGITS.sub("", one): one for one in told}
            new = [one for key, one in found.items() if key not in known]
            known = set(found)
            for one in new:
                _log.warning("%s", one)
            if address and (new or unsent):
                failed_before, unsent = bool(unsent), list(dict.fromkeys([*unsent, *new]))
                if await _sent(address, " ".join(["Evenhand:", *unsent])):
                    unsent = []
                elif not failed_before:
                    _log.warning("The alarm can't be sent to EVENHAND_ALARM_WEBHOOK; I keep trying")
            await asyncio.sleep(every)

    async with background_task(look(), "alarms"):
        yield


async def _sent(address: str, text: str) -> bool:
    """Return whether the address took it; Discord's webhooks read `content`, those of others `text`."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.post(address, json={"content": text, "text": text}, allow_redirects=False) as answer,
        ):
            return answer.status < 300
    except (aiohttp.ClientError, OSError):
        return False
