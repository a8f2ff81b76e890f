"""Health checks for operators: /healthz, /metrics, and alarms about urgent problems.

An alarm is logged, and posted to the operator's webhook. It consists of the bot's own sentences, without any
word or id of a person, path or secret.
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
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector, CollectorRegistry

from bot.answers import AGES, ALREADY_ANSWERED, Replies
from bot.app import App
from bot.cli.backups import Keeper
from bot.cli.stopping import background_task
from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.services.health import Vitals
from bot.settings import Settings

_LOOK_SECONDS = 15
_PATIENCE = aiohttp.ClientTimeout(total=10)
_DIGITS = re.compile(r"\d+")
_SLOWEST_SECONDS = 30

_UNKNOWN_INTERACTION = 10062
_OUTCOMES = {_UNKNOWN_INTERACTION: "too late", ALREADY_ANSWERED: "already answered"}

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Watch:
    """The watched app, and its current client, if there is one."""

    app: App
    client: Evenhand | None = None

    async def problems(self) -> list[str]:
        """Return the current problems, a sentence each."""
        problems = (await self.app.health.vitals()).problems
        if self.client is None or not self.client.is_ready():
            problems.append("Discord is not connected.")
        elif not self.client.latency < _SLOWEST_SECONDS:
            problems.append("Discord's gateway does not answer.")
        return problems


@asynccontextmanager
async def watched(app: App, settings: Settings, keeper: Keeper | None = None) -> AsyncGenerator[Watch]:
    """Watch the bot, and its backups if there are any, until the block ends.

    Raise Unavailable if health and metrics can't be served at their address.
    """
    watch = Watch(app)

    async def all_problems() -> list[str]:
        backups = keeper.problems(time.time()) if keeper else []
        return [*(await app.health.vitals()).problems, *app.verifying.problems, *backups]

    async def healthz(_: web.Request) -> web.Response:
        problems = await watch.problems()
        return web.Response(text="\n".join(problems or ["well"]) + "\n", status=503 if problems else 200)

    async def metrics(_: web.Request) -> web.Response:
        age = keeper.age(time.time()) if keeper else None
        registry = CollectorRegistry()
        registry.register(Metrics(await app.health.vitals(), watch.client, age))
        text = await asyncio.to_thread(generate_latest, registry)
        return web.Response(body=text, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    async def hide_server_name(_: web.Request, response: web.StreamResponse) -> None:
        del response.headers["Server"]  # aiohttp's name and version

    pages = web.Application()
    pages.on_response_prepare.append(hide_server_name)
    pages.add_routes([web.get("/healthz", healthz), web.get("/metrics", metrics)])
    webhook = settings.alarm_webhook
    async with (
        alarms(webhook.get_secret_value() if webhook else None, all_problems),
        serving(pages, settings.health_host, settings.health_port),
    ):
        yield watch


@asynccontextmanager
async def serving(pages: web.Application, host: str, port: int) -> AsyncGenerator[None]:
    """Serve pages during the block, at port 0 none; raise Unavailable if this can't be done there."""
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
    """Check for problems until the block ends, and report each once while it lasts.

    Unsent reports are sent after the next check.
    """

    async def look() -> None:
        reported: set[str] = set()
        unsent: dict[str, str] = {}
        while True:
            try:
                sentences = await problems()
            except Exception:  # noqa: BLE001 (no error may end the checks)
                sentences = ["I can't find out how the bot is doing."]
            # A sentence that differs only in its figures is the same problem.
            current = {_DIGITS.sub("", sentence): sentence for sentence in sentences}
            new = {key: sentence for key, sentence in current.items() if key not in reported}
            reported = set(current)
            for sentence in new.values():
                _log.warning("%s", sentence)
            if address and (new or unsent):
                # Of each problem only the newest: Discord takes no more than 2,000 characters.
                failed_before, unsent = bool(unsent), unsent | new
                if await _send(address, " ".join(["Evenhand:", *unsent.values()])):
                    unsent = {}
                elif not failed_before:
                    _log.warning("The alarm can't be sent to EVENHAND_ALARM_WEBHOOK; I keep trying")
            await asyncio.sleep(every)

    async with background_task(look(), "alarms"):
        yield


async def _send(address: str, text: str) -> bool:
    """Post a text; return whether it was accepted. Discord's webhooks read `content`, others `text`."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.post(address, json={"content": text, "text": text}, allow_redirects=False) as answer,
        ):
            return answer.status < 300
    except (aiohttp.ClientError, OSError):
        return False


@dataclass(frozen=True, eq=False)
class Metrics(Collector):
    """Collector of the current figures; they contain no name, id or label of a person."""

    vitals: Vitals
    client: Evenhand | None
    backup_age: float | None

    def collect(self) -> Iterable[Metric]:
        """Return all figures."""
        yield from _bot_metrics(self.vitals)
        if (age := self.backup_age) is not None:
            yield GaugeMetricFamily("evenhand_backup_age_seconds", "Age of the newest backup.", age)
        if self.client:
            yield GaugeMetricFamily("evenhand_servers", "Servers.", len(self.client.guilds))
            yield GaugeMetricFamily("evenhand_gateway_seconds", "Gateway latency.", self.client.latency)
            yield from _reply_metrics(self.client.tree.replies)


def _bot_metrics(vitals: Vitals) -> Iterable[Metric]:
    pulse = vitals.pulse
    requests = CounterMetricFamily("evenhand_requests", "Requests to write, by outcome.", labels=["outcome"])
    requests.add_metric(["written"], pulse.requests)
    requests.add_metric(["refused"], pulse.refused)
    yield requests
    yield CounterMetricFamily("evenhand_batches", "Transactions that wrote them.", pulse.batches)
    yield CounterMetricFamily("evenhand_batch_seconds", "Seconds that those took.", pulse.seconds)
    yield GaugeMetricFamily(
        "evenhand_silence_seconds", "Seconds since the last write or trial.", pulse.silence
    )
    yield GaugeMetricFamily("evenhand_queue", "Requests that wait.", vitals.waiting)
    yield GaugeMetricFamily("evenhand_queue_seconds", "Wait of the first one.", vitals.waiting_seconds)
    yield GaugeMetricFamily("evenhand_free_bytes", "Free bytes for the data.", vitals.free_bytes)
    bits = GaugeMetricFamily("evenhand_remote_bits", "Remote bits in store.", labels=["kind"])
    for kind, count in vitals.entropy.bits.items():
        bits.add_metric([kind.value], count)
    yield bits


def _reply_metrics(replies: Replies) -> Iterable[Metric]:
    yield CounterMetricFamily("evenhand_late", "Interactions that came too late.", replies.late)
    refused = CounterMetricFamily(
        "evenhand_replies_refused", "Replies that Discord refused.", labels=["reason"]
    )
    for reason in {*_OUTCOMES.values(), "other"}:
        codes = (n for code, n in replies.refused.items() if _OUTCOMES.get(code, "other") == reason)
        refused.add_metric([reason], sum(codes))
    yield refused
    total, buckets = 0, list[tuple[str, float]]()
    for bound, count in zip([*map(str, AGES), "+Inf"], replies.buckets, strict=True):
        total += count
        buckets.append((bound, total))
    text = "Seconds from the click to the reply."
    yield HistogramMetricFamily("evenhand_reply_seconds", text, buckets=buckets, sum_value=replies.seconds)
