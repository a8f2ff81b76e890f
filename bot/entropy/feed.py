"""Fetch blocks from the random sources when they are due, test them, and keep the lanes filled.

One source of a lane is asked at a time, in order of preference. A later one is asked only if those before it
fail, or if the lane is empty while they wait, so that no service gets needless requests. No roll waits.

Messages and logs name the source and the error in our own words, never a byte or a key.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field, replace
from random import SystemRandom

from bot.dice.errors import LocalizedError
from bot.entropy.health import BLOCK, Health, Monitor, RecentBlocks
from bot.entropy.service import Backoff, Fetched, Leasing, RemoteService, ServiceState, ServiceStatus
from bot.entropy.supply import Lane
from bot.entropy.web import Clock, Refused, Web

log = logging.getLogger(__name__)

LOW_WATER = 8 * 8192
"""A lane with fewer bits is refilled: 8 KiB, enough for about 15,000 rolls of a d20."""
_POLL_SECONDS = 5.0
_UNFIT = {
    Health.STUCK: LocalizedError("failed its health test: one byte repeated in a row"),
    Health.LOPSIDED: LocalizedError("failed its health test: one byte far too often"),
    Health.UNBALANCED: LocalizedError("failed its health test: too many ones or zeros"),
    Health.DRIFTING: LocalizedError("failed its health test: too many ones or zeros over many blocks"),
    Health.SEEN: LocalizedError("failed its health test: bytes that had come before"),
}


@dataclass(frozen=True, slots=True)
class FeedAnswer:
    """Result of one request: a tested block, if any; the feed's status says why there is none."""

    block: bytes | None = field(default=None, repr=False)
    alarm: bool = False
    """Whether bytes were received and failed their tests."""


@dataclass(slots=True, eq=False, repr=False)
class Feed:
    """A source with its back-off, health monitor and status."""

    source: RemoteService
    web: Web
    recent: InitVar[RecentBlocks]
    jitter: Callable[[], float] = SystemRandom().random
    leases: Leasing | None = None

    _monitor: Monitor = field(init=False)
    _backoff: Backoff = field(default=Backoff(), init=False)
    _status: ServiceStatus = field(init=False)

    def __post_init__(self, recent: RecentBlocks) -> None:
        self._monitor = Monitor(recent)
        self._status = ServiceStatus(self.source.name, self.source.kind, ServiceState.NEW)

    @property
    def ready(self) -> bool:
        """Return whether it may be asked now."""
        return self._backoff.ready(self.web.clock.now()) and self._status.state is not ServiceState.ASKING

    @property
    def is_fine(self) -> bool:
        """Return whether its last answer was good."""
        return self._status.state is ServiceState.FINE

    async def ask(self) -> FeedAnswer:
        """Request one block and test it; any failure is part of the answer, never an exception.

        While another process has the lease no request is made, and the answer is empty.
        """
        if self.leases is None:
            return await self._ask()
        wait, failures = await self.leases.take(self.source.name)
        if wait:
            self._backoff = Backoff(self.web.clock.now() + wait, failures)
            return FeedAnswer()
        self._backoff = replace(self._backoff, failures=failures)
        answer = await self._ask()
        wait = max(0.0, self._backoff.next_try - self.web.clock.now())
        await self.leases.give_back(self.source.name, wait, self._backoff.failures)
        return answer

    async def _ask(self) -> FeedAnswer:
        before, self._status = self._status, replace(self._status, state=ServiceState.ASKING)
        try:
            answer = await self.source.fetch(self.web, BLOCK)
            verdict = self._monitor.examine(answer.data)
        except Refused as refused:
            # The error itself would keep the received bytes in memory.
            return self._note_failure(
                LocalizedError(refused.text, **refused.values), refused.wait, refused.quota
            )
        except Exception as error:  # noqa: BLE001
            # A bug must not stop the refilling; its text may contain received bytes.
            return self._note_failure(LocalizedError("unforeseen: {error}", error=type(error).__name__))
        finally:
            # Only a cancelled request still has this state.
            self._status = before if self._status.state is ServiceState.ASKING else self._status
        if verdict is not Health.SOUND:
            return self._note_failure(_UNFIT[verdict], answer.wait, answer.quota, verdict)
        return self._note_success(answer)

    def status(self) -> ServiceStatus:
        """Return its current status."""
        return replace(self._status, next_try=max(0.0, self._backoff.next_try - self.web.clock.now()))

    def _note_success(self, answer: Fetched) -> FeedAnswer:
        if self._backoff.failures:
            log.info("%s answers again", self.source.name)
        self._backoff = self._backoff.succeeded(self.web.clock.now(), self.source.limits, answer.wait)
        self._update_status(ServiceState.FINE, None, answer.quota, Health.SOUND)
        self._status = replace(self._status, blocks=self._status.blocks + 1)
        return FeedAnswer(answer.data)

    def _note_failure(
        self,
        reason: LocalizedError,
        wait: float | None = None,
        quota: int | None = None,
        verdict: Health | None = None,
    ) -> FeedAnswer:
        if str(reason) != str(self._status.error):
            log.warning("%s: %s", self.source.name, reason)
        self._backoff = self._backoff.failed(self.web.clock.now(), self.source.limits, wait, self.jitter())
        self._update_status(ServiceState.FAILING, reason, quota, verdict)
        return FeedAnswer(alarm=verdict is not None)

    def _update_status(
        self, state: ServiceState, error: LocalizedError | None, quota: int | None, verdict: Health | None
    ) -> None:
        """Update the status after a request; an unknown quota or verdict keeps its previous value."""
        previous = self._status
        quota, verdict = previous.quota if quota is None else quota, verdict or previous.health
        self._status = replace(previous, state=state, error=error, quota=quota, health=verdict)


class Refill:
    """Refills a lane from its feeds; `alarm` is called if a block fails its tests."""

    def __init__(self, lane: Lane, feeds: Sequence[Feed], clock: Clock, alarm: Callable[[], None]) -> None:
        self._lane = lane
        self._feeds = feeds
        self._clock = clock
        self._alarm = alarm

    async def run(self) -> None:
        """Refill until cancelled."""
        while True:
            await self._clock.sleep(0.0 if await self.step() else _POLL_SECONDS)

    async def step(self) -> bool:
        """Ask a source if the lane is low and one is due; return whether one was asked."""
        feed = self._next_feed()
        if feed is None:
            return False
        answer = await feed.ask()
        if answer.alarm:
            self._lane.drop(feed.source.name)
            self._alarm()
        if answer.block is not None:
            self._lane.add(answer.block, feed.source.name)
        return True

    def _next_feed(self) -> Feed | None:
        if self._lane.bits >= LOW_WATER:
            return None
        for feed in self._feeds:
            if feed.ready:
                return feed
            if feed.is_fine and self._lane.fed:
                return None
        return None
