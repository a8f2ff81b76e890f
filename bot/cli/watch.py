"""Health checks for operators: a heartbeat file, /healthz and /metrics."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from prometheus_client import generate_latest
from prometheus_client.registry import CollectorRegistry

from bot.app import App
from bot.cli.metrics import Metrics
from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.settings import Settings

_SLOWEST_SECONDS = 30
_BEAT_SECONDS = 15
_HOST = "127.0.0.1"

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
async def watched(app: App, settings: Settings) -> AsyncGenerator[Watch]:
    """Watch over the bot until the block ends; Unavailable if the port is taken."""
    watch = Watch(app)
    metrics = Metrics(app)

    async def healthy() -> bool:
        return not await watch.problems()

    async def healthz(_: web.Request) -> web.Response:
        problems = await watch.problems()
        return web.Response(text="\n".join(problems or ["well"]) + "\n", status=503 if problems else 200)

    async def measured(_: web.Request) -> web.Response:
        metrics.look(await app.health.vitals(), watch.client)
        registry = CollectorRegistry()
        registry.register(metrics)
        text = await asyncio.to_thread(generate_latest, registry)
        return web.Response(body=text, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    pages = web.Application()
    pages.add_routes([web.get("/healthz", healthz), web.get("/metrics", measured)])
    async with heartbeat(settings.data / "alive", healthy), _served(pages, settings.health_port):
        yield watch


@asynccontextmanager
async def heartbeat(
    file: Path, healthy: Callable[[], Awaitable[bool]], *, every: float = _BEAT_SECONDS
) -> AsyncGenerator[None]:
    """Touch a file every so many seconds while all is well: its age is what a container's check looks at."""

    async def beat() -> None:
        while True:
            if await healthy():
                try:
                    await asyncio.to_thread(file.touch)
                except OSError as error:
                    _log.warning("The file %s can't be touched: %s", file.name, error.strerror)
            await asyncio.sleep(every)

    task = asyncio.create_task(beat(), name="heartbeat")
    try:
        yield
    finally:
        task.cancel()


@asynccontextmanager
async def _served(pages: web.Application, port: int) -> AsyncGenerator[None]:
    if not port:
        yield
        return
    runner = web.AppRunner(pages, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, _HOST, port).start()
        _log.info("Health and metrics: http://%s:%d/healthz and /metrics", _HOST, port)
        yield
    except OSError as error:
        raise Unavailable(f"The port {port} for health and metrics is in use.") from error
    finally:
        await runner.cleanup()
