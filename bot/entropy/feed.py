"""Sources of random bits: asked when they are due, their bytes tested, their lane kept filled.

One source of a lane is asked at a time, the first choice first. A later one steps in when those before it
fail, or when the lane is dry while they rest: so nobody is asked more than is needed. No roll waits for it.

Messages and logs name the source and say what went wrong in our words; a byte or a key is never in them.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field, replace

from bot.dice.errors import LocalizedError
from bot.entropy.health import BLOCK, Health, Monitor, Seen
from bot.entropy.service import Backoff, Fetched, Leasing, RemoteService, ServiceState, ServiceStatus
from bot.entropy.supply import Lane
from bot.entropy.web import Clock, Refused, Web

log = logging.getLogger(__name__)

_JITTER_STEPS = 1 << 16
LOW_WATER = 8 * 8192
"""A lane with fewer bits is refilled: 8 KiB, which is about 15,000 rolls of a d20."""
_LOOK_AGAIN = 5.0
_UNFIT = {
    Health.STUCK: LocalizedError("failed its health test: one byte repeated in a row"),
    Health.LOPSIDED: LocalizedError("failed its health test: one byte far too often"),
    Health.UNBALANCED: LocalizedError("failed its health test: too many ones or zeros"),
    Health.DRIFTING: LocalizedError("failed its health test: too many ones or zeros over many blocks"),
    Health.SEEN: LocalizedError("failed its health test: bytes that had come before"),
}


@dataclass(frozen=True, slots=True)
class FeedAnswer:
    """What came of asking once: a block fit for use, or an error; the verdict if there were bytes to test."""

    block: bytes | None = field(default=None, repr=False)
    error: LocalizedError | None = None
    verdict: Health | None = None

    @property
    def alarm(self) -> bool:
        """Return whether bytes came and failed their tests."""
        return self.verdict not in (None, Health.SOUND)


def _jitter() -> float:
    return secrets.randbelow(_JITTER_STEPS) / _JITTER_STEPS


@dataclass(slots=True, eq=False, repr=False)
class Feed:
    """A source, when it may be asked, and how it fares."""

    source: RemoteService
    web: Web
    seen: InitVar[Seen]
    jitter: Callable[[], float] = _jitter
    leases: Leasing | None = None

    _monitor: Monitor = field(init=False)
    _backoff: Backoff = field(default=Backoff(), init=False)
    _status: ServiceStatus = field(init=False)

    def __post_init__(self, seen: Seen) -> None:
        self._monitor = Monitor(seen)
        self._status = ServiceStatus(self.source.name, self.source.kind, ServiceState.NEW)

    @property
    def ready(self) -> bool:
        """Return whether it may be asked now."""
        return self._backoff.ready(self.web.clock.now()) and self._status.state is not ServiceState.ASKING

    @property
    def well(self) -> bool:
        """Return whether its last answer was good."""
        return self._status.state is ServiceState.FINE

    async def ask(self) -> FeedAnswer:
        """Ask for one block and test it; whatever goes wrong is an outcome, never an exception.

        Nobody is asked, and nothing comes of it, while another process has the lease.
        """
        if self.leases is None:
            return await self._ask()
        wait, failures = await self.leases.take(self.source.name)
        if wait:
            self._backoff = Backoff(self.web.clock.now() + wait, failures)
            return FeedAnswer()
        self._backoff = replace(self._backoff, failures=failures)
        attempt = await self._ask()
        rest = max(0.0, self._backoff.next_try - self.web.clock.now())
        await self.leases.give_back(self.source.name, rest, self._backoff.failures)
        return attempt

    async def _ask(self) -> FeedAnswer:
        before, self._status = self._status, replace(self._status, state=ServiceState.ASKING)
        try:
            answer = await self.source.fetch(self.web, BLOCK)
            verdict = self._monitor.examine(answer.data)
        except Refused as refused:
            # The error itself would keep what came in memory.
            return self._failed(LocalizedError(refused.text, **refused.values), refused.wait, refused.quota)
        except Exception as error:  # noqa: BLE001
            # A fault of ours, or of the library's, must not end the lane; its text may hold what came.
            return self._failed(LocalizedError("unforeseen: {error}", error=type(error).__name__))
        finally:
            # Only a cancelled request is still marked as being asked here.
            self._status = before if self._status.state is ServiceState.ASKING else self._status
        if verdict is not Health.SOUND:
            return self._failed(_UNFIT[verdict], answer.wait, answer.quota, verdict)
        return self._succeeded(answer)

    def status(self) -> ServiceStatus:
        """Return how it fares."""
        return replace(self._status, next_try=max(0.0, self._backoff.next_try - self.web.clock.now()))

    def _succeeded(self, answer: Fetched) -> FeedAnswer:
        if self._backoff.failures:
            log.info("%s answers again", self.source.name)
        self._backoff = self._backoff.succeeded(self.web.clock.now(), self.source.limits, answer.wait)
        self._note(ServiceState.FINE, None, answer.quota, Health.SOUND)
        self._status = replace(self._status, blocks=self._status.blocks + 1)
        return FeedAnswer(answer.data, verdict=Health.SOUND)

    def _failed(
        self,
        reason: LocalizedError,
        wait: float | None = None,
        quota: int | None = None,
        verdict: Health | None = None,
    ) -> FeedAnswer:
        if str(reason) != str(self._status.error):
            log.warning("%s: %s", self.source.name, reason)
        self._backoff = self._backoff.failed(self.web.clock.now(), self.source.limits, wait, self.jitter())
        self._note(ServiceState.FAILING, reason, quota, verdict)
        return FeedAnswer(error=reason, verdict=verdict)

    def _note(
        self, state: ServiceState, error: LocalizedError | None, quota: int | None, verdict: Health | None
    ) -> None:
        """Note what came of asking; a quota and a verdict that are not known stay as they were."""
        known = self._status
        quota, verdict = known.quota if quota is None else quota, verdict or known.health
        self._status = replace(known, state=state, error=error, quota=quota, health=verdict)


class Refill:
    """The refilling of a lane from its feeds; `alarm` is called when a block fails its tests."""

    def __init__(self, lane: Lane, feeds: Sequence[Feed], clock: Clock, alarm: Callable[[], None]) -> None:
        self._lane = lane
        self._feeds = feeds
        self._clock = clock
        self._alarm = alarm

    async def run(self) -> None:
        """Refill until cancelled."""
        while True:
            await self._clock.sleep(0.0 if await self.step() else _LOOK_AGAIN)

    async def step(self) -> bool:
        """Ask one source if the lane is low and one is due; whether one was asked."""
        feed = self._due()
        if feed is None:
            return False
        outcome = await feed.ask()
        if outcome.alarm:
            self._lane.drop(feed.source.name)
            self._alarm()
        if outcome.block is not None:
            self._lane.add(outcome.block, feed.source.name)
        return True

    def _due(self) -> Feed | None:
        if self._lane.bits >= LOW_WATER:
            return None
        for feed in self._feeds:
            if feed.ready:
                return feed
            if feed.well and self._lane.fed:
                return None
        return None
