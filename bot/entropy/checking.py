"""Asks every configured source once, for the self-hoster; the bytes are tested and thrown away."""

import asyncio
from dataclasses import dataclass

from bot.entropy.clock import Clock
from bot.entropy.config import EntropyConfig
from bot.entropy.feed import Feed
from bot.entropy.health import BLOCK, Health, Seen
from bot.entropy.opening import off_status, open_web
from bot.entropy.service import Physics, RemoteService
from bot.entropy.sources import Off, sources
from bot.entropy.status import ServiceState
from bot.entropy.web import Web


@dataclass(frozen=True, slots=True)
class Check:
    """What came of asking one source once."""

    name: str
    kind: Physics
    state: ServiceState
    error: str | None
    """What went wrong in our words, or why it is off."""
    latency: float | None
    """Seconds until the whole answer was there or the failure certain; None if it is off."""
    size: int
    """Bytes that came and are fit for use."""
    health: Health | None
    """The tests' verdict; None if no bytes came."""
    quota: int | None
    """Bits left to us, for a service that says so."""


async def check_once(config: EntropyConfig, clock: Clock | None = None) -> tuple[Check, ...]:
    """One check a source, in the order in which the bot prefers them; all are asked at the same time."""
    clock = clock or Clock()
    async with open_web(config, clock) as web:
        seen = Seen()
        return tuple(await asyncio.gather(*(_check(source, web, seen) for source in sources(config))))


async def _check(source: RemoteService | Off, web: Web, seen: Seen) -> Check:
    if isinstance(source, Off):
        status = off_status(source)
        return Check(status.name, status.kind, status.state, status.error, None, 0, None, None)
    feed = Feed(source, web, seen)
    started = web.clock.now()
    outcome = await feed.ask()
    latency = web.clock.now() - started
    status = feed.status()
    size = BLOCK if outcome.block is not None else 0
    return Check(
        status.name, status.kind, status.state, outcome.error, latency, size, outcome.verdict, status.quota
    )
