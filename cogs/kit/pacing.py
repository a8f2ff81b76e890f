"""Throttle work: do it at once, then once after a cooldown for all requests that came meanwhile.

Show the progress of long work now and then.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

from bot.words.languages import speaking

_Key = TypeVar("_Key")
EVERY_SECONDS = 2.0
"""Discord takes five edits in five seconds; one in two seconds leaves room for others."""


class Timer(Protocol):
    """A callback that runs later."""

    def cancel(self) -> None:
        """Keep it from running."""
        ...


Later: TypeAlias = Callable[[float, Callable[[], None]], Timer]
"""Runs a callback in so many seconds."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """How long a piece of work rests after it was done."""

    seconds: float
    again: bool = False
    """Whether it must be done once more in any case."""


@dataclass(slots=True)
class _State:
    """A piece of work that is being done, or rests."""

    due: bool = False
    hurries: bool = False
    """Whether it does not rest before it is done once more."""
    timer: Timer | None = None


class Throttle(Generic[_Key]):
    """Does work for each key, never twice at a time. The work never raises; it returns its rest."""

    def __init__(self, work: Callable[[_Key], Awaitable[Cooldown]], later: Later) -> None:
        self._work = work
        self._later = later
        self._states: dict[_Key, _State] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def touch(self, key: _Key) -> None:
        """Do the work now, or when it has rested."""
        if not self._closed and not self.mark_due(key):
            self._begin(key)

    def mark_due(self, key: _Key) -> bool:
        """Return whether the work is being done or rests; if so, it will be done once more."""
        state = self._states.get(key)
        if state:
            state.due = True
        return state is not None

    def hasten(self, key: _Key) -> None:
        """Do the work now even if it rests, or once more at once if it is being done."""
        state = self._states.get(key)
        if state is None:
            self.touch(key)
        elif state.timer:
            state.timer.cancel()
            self._begin(key)
        else:
            state.hurries = True

    async def close(self) -> None:
        """Cancel everything, whatever is due."""
        self._closed = True
        for state in self._states.values():
            if state.timer:
                state.timer.cancel()
        self._states.clear()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, key: _Key) -> None:
        self._states[key] = _State()
        with speaking(None):  # not the language of whoever happens to begin it
            task = asyncio.get_running_loop().create_task(self._do(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, key: _Key) -> None:
        state = self._states[key]
        state.due = state.hurries = False
        rest = await self._work(key)
        state.due |= rest.again or state.hurries
        if rest.seconds and not state.hurries:
            state.timer = self._later(rest.seconds, lambda: self._rested(key))
        else:
            self._rested(key)

    def _rested(self, key: _Key) -> None:
        if self._states[key].due:
            self._begin(key)
        else:
            del self._states[key]


def call_later(seconds: float, what: Callable[[], None]) -> Timer:
    """Run a callback by the event loop's clock."""
    return asyncio.get_running_loop().call_later(seconds, what)


class Progress:
    """How far long work is, sent by `show`; made on the loop, told there or on the thread that works."""

    def __init__(
        self,
        show: Callable[[int, int], Coroutine[None, None, object]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = show
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._latest = clock()
        self._shown: Future[object] | None = None

    def tell(self, done: int, of: int) -> None:
        """Show how far it is, unless something was shown just now, or is still on its way."""
        now = self._clock()
        if now - self._latest < EVERY_SECONDS or (self._shown and not self._shown.done()):
            return
        self._latest = now
        self._shown = asyncio.run_coroutine_threadsafe(self._show(done, of), self._loop)

    async def end(self) -> None:
        """Wait for the last edit, so that none comes after the answer; one that failed does no harm."""
        if self._shown:
            await asyncio.gather(asyncio.wrap_future(self._shown), return_exceptions=True)
