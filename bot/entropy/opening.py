"""The sources in order of preference, and the supply of bits: local ones at once, remote ones later."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from bot.dice.errors import LocalizedError
from bot.entropy.config import EntropyConfig
from bot.entropy.drand import Drand
from bot.entropy.feed import Feed, Refill
from bot.entropy.health import BLOCK, RecentBlocks
from bot.entropy.quantum import Anu, Aqn, Lfd, Outshift, Qrandom
from bot.entropy.random_org import RandomOrg, RandomOrgRpc
from bot.entropy.service import (
    EntropyStatus,
    Leasing,
    Physics,
    RemoteService,
    ServiceState,
    ServiceStatus,
)
from bot.entropy.supply import Lane, Supply, WordPool
from bot.entropy.web import Clock, Web

_NO_ADDRESS = LocalizedError("switched off in the settings")


class Entropy:
    """The open random sources: `supply` for rolls, `drand` for proof mode, and their `status`."""

    def __init__(self, pool: WordPool, feeds: Sequence[Feed | ServiceStatus], drand: Drand) -> None:
        self.supply = Supply(pool)
        self.drand = drand
        self._pool = pool
        self._feeds = feeds

    def status(self) -> EntropyStatus:
        """Return the status of the supply and of every source."""
        return EntropyStatus(
            source=self._pool.source,
            bits={kind: _lane_of(self._pool, kind).bits for kind in Physics},
            sources=tuple(feed.status() if isinstance(feed, Feed) else feed for feed in self._feeds),
        )


@asynccontextmanager
async def open_supply(
    config: EntropyConfig, clock: Clock | None = None, leases: Leasing | None = None
) -> AsyncGenerator[Entropy]:
    """Open the random sources; opening waits for none of them, closing erases all bits.

    `leases` stores when each source may be asked next, across processes and restarts.
    """
    clock = clock or Clock()
    async with open_web(config, clock) as web:
        pool = WordPool()
        recent = RecentBlocks()
        feeds = [
            source if isinstance(source, ServiceStatus) else Feed(source, web, recent, leases=leases)
            for source in sources(config)
        ]
        entropy = Entropy(pool, feeds, Drand(web, config.drand_url, config.timeout))
        tasks = [
            asyncio.create_task(
                Refill(_lane_of(pool, kind), lane_feeds, clock, entropy.supply.clear).run(),
                name=f"refill {kind}",
            )
            for kind in Physics
            if (lane_feeds := [feed for feed in feeds if isinstance(feed, Feed) and feed.source.kind is kind])
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
    """Open an HTTP client for the sources, with our User-Agent and without cookies."""
    headers = {"User-Agent": config.agent, "Accept-Encoding": "identity"}
    async with aiohttp.ClientSession(headers=headers, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Web(session, clock)


def _lane_of(pool: WordPool, kind: Physics) -> Lane:
    return pool.atmospheric if kind is Physics.ATMOSPHERIC else pool.quantum


def sources(config: EntropyConfig) -> tuple[RemoteService | ServiceStatus, ...]:
    """Return every source, those of each kind in order of preference; a status for one that is off."""
    c = config
    plain_key = "" if c.operator_email else None  # it has no key, but needs that address
    return (
        _build(RandomOrgRpc, c.random_org_rpc_url, c.patient_timeout, c.random_org_key),
        _build(RandomOrg, c.random_org_url, c.patient_timeout, plain_key),
        _build(Aqn, c.aqn_url, c.timeout, c.aqn_key),
        _build(Outshift, c.outshift_url, c.timeout, c.outshift_key),
        _build(Lfd, c.lfd_url, c.timeout),
        _build(Anu, c.anu_url, c.timeout),
        _build(Qrandom, c.qrandom_url, c.timeout),
    )


def _build(
    make: type[RemoteService], url: str | None, timeout: float, key: str | None = ""
) -> RemoteService | ServiceStatus:
    """Return a source; its status if it has no address, or no `key`, which is "" if it needs none."""
    if url and key is not None:
        return make(url, timeout, key)
    return ServiceStatus(make.name, make.kind, ServiceState.OFF, make.lack if url else _NO_ADDRESS)


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one request to a source."""

    status: ServiceStatus
    latency: float | None = None
    """Seconds until the complete answer or the failure; None if the source is off."""
    size: int = 0
    """Usable bytes received."""


async def check_once(config: EntropyConfig) -> tuple[Check, ...]:
    """Check every source once, all at the same time; return the results in the order of preference."""
    async with open_web(config, Clock()) as web:
        recent = RecentBlocks()
        return tuple(await asyncio.gather(*(_check(source, web, recent) for source in sources(config))))


async def _check(source: RemoteService | ServiceStatus, web: Web, recent: RecentBlocks) -> Check:
    if isinstance(source, ServiceStatus):
        return Check(source)
    feed = Feed(source, web, recent)
    started = web.clock.now()
    answer = await feed.ask()
    latency = web.clock.now() - started
    return Check(feed.status(), latency, 0 if answer.block is None else BLOCK)
