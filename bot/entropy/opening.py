"""Open the supply of random bits: local bits at once, remote sources in the background."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from bot.dice.draws import Source
from bot.entropy.config import EntropyConfig
from bot.entropy.drand import Drand
from bot.entropy.feed import Feed, Refill
from bot.entropy.health import BLOCK, Seen
from bot.entropy.service import EntropyStatus, Leasing, Physics, RemoteService, ServiceStatus
from bot.entropy.sources import sources
from bot.entropy.supply import Lane, Supply, WordPool
from bot.entropy.web import Clock, Web


class Entropy:
    """The open room: `supply` for the rolls, `drand` for proof mode, `status` for the curious."""

    def __init__(self, pool: WordPool, feeds: Sequence[Feed | ServiceStatus], drand: Drand) -> None:
        self.supply = Supply(pool)
        self.drand = drand
        self._pool = pool
        self._feeds = feeds

    @property
    def source(self) -> Source:
        """Return what a roll would be called now."""
        return self._pool.source

    def status(self) -> EntropyStatus:
        """Return how the room fares."""
        return EntropyStatus(
            source=self._pool.source,
            bits={kind: _lane(self._pool, kind).bits for kind in Physics},
            sources=tuple(feed.status() if isinstance(feed, Feed) else feed for feed in self._feeds),
        )


@asynccontextmanager
async def open_supply(
    config: EntropyConfig, clock: Clock | None = None, leases: Leasing | None = None
) -> AsyncGenerator[Entropy]:
    """Open the room until the end of the block; opening waits for no source, closing forgets every bit.

    `leases` keeps when each source may be asked next, also for other processes and later ones.
    """
    clock = clock or Clock()
    async with open_web(config, clock) as web:
        pool = WordPool()
        seen = Seen()
        feeds = [
            source if isinstance(source, ServiceStatus) else Feed(source, web, seen, leases=leases)
            for source in sources(config)
        ]
        entropy = Entropy(pool, feeds, Drand(web, config.drand_url, config.timeout))
        tasks = [
            asyncio.create_task(
                Refill(_lane(pool, kind), own, clock, entropy.supply.clear).run(), name=f"refill {kind}"
            )
            for kind in Physics
            if (own := [feed for feed in feeds if isinstance(feed, Feed) and feed.source.kind is kind])
        ]
        try:
            yield entropy
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            entropy.supply.close()


@asynccontextmanager
async def open_web(config: EntropyConfig, clock: Clock) -> AsyncGenerator[Web]:
    """HTTP for the sources, under our name; it keeps no cookies."""
    headers = {"User-Agent": config.agent, "Accept-Encoding": "identity"}
    async with aiohttp.ClientSession(headers=headers, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Web(session, clock)


def _lane(pool: WordPool, kind: Physics) -> Lane:
    return pool.atmospheric if kind is Physics.ATMOSPHERIC else pool.quantum


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


async def _check(source: RemoteService | ServiceStatus, web: Web, seen: Seen) -> Check:
    if isinstance(source, ServiceStatus):
        return Check(source)
    feed = Feed(source, web, seen)
    started = web.clock.now()
    outcome = await feed.ask()
    latency = web.clock.now() - started
    return Check(feed.status(), latency, 0 if outcome.block is None else BLOCK)
