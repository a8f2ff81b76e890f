"""Asks every configured source once, for the self-hoster; the bytes are tested and thrown away."""

import asyncio
from dataclasses import dataclass

from bot.entropy.clock import Clock
from bot.entropy.config import EntropyConfig
from bot.entropy.feed import Feed
from bot.entropy.health import BLOCK, Seen
from bot.entropy.opening import off_status, open_web
from bot.entropy.service import RemoteService
from bot.entropy.sources import Off, sources
from bot.entropy.status import ServiceStatus
from bot.entropy.web import Web


@dataclass(frozen=True, slots=True)
class Check:
    """What came of asking one source once."""

    status: ServiceStatus
    latency: float | None = None
    """Seconds until the whole answer was there or the failure certain; None if it is off."""
    size: int = 0
    """Bytes that came and are fit for use."""


async def check_once(config: EntropyConfig, clock: Clock | None = None) -> tuple[Check, ...]:
    """One check a source, in the order in which the bot prefers them; all are asked at the same time."""
    clock = clock or Clock()
    async with open_web(config, clock) as web:
        seen = Seen()
        return tuple(await asyncio.gather(*(_check(source, web, seen) for source in sources(config))))


async def _check(source: RemoteService | Off, web: Web, seen: Seen) -> Check:
    if isinstance(source, Off):
        return Check(off_status(source))
    feed = Feed(source, web, seen)
    started = web.clock.now()
    outcome = await feed.ask()
    latency = web.clock.now() - started
    return Check(feed.status(), latency, 0 if outcome.block is None else BLOCK)
