"""Work in the background: throttle it by key, show its progress, and log its errors.

Throttled work is run at once, then once after a cooldown for all requests in between.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from bot.answers import DISCORD_ERRORS
from bot.dice.errors import DiceError, Unavailable
from bot.words.languages import speaking

if TYPE_CHECKING:
    from concurrent.futures import Future

_Key = TypeVar("_Key")

EVERY_SECONDS = 2.0
"""Seconds between two edits that show progress. Discord takes five in five seconds; others need room too."""


class Timer(Protocol):
    """A callback that is scheduled to run later."""

    def cancel(self) -> None:
        """Keep it from running."""
        ...


Later: TypeAlias = Callable[[float, Callable[[], None]], Timer]
"""Schedules a callback, with the delay in seconds first."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """The pause of a key after its work was done."""

    seconds: float
    must_repeat: bool = False
    """Whether the work is done once more even if nobody asks."""


@dataclass(slots=True)
class _State:
    """The state of a key whose work is running or cooling down."""

    due: bool = False
    """Whether the work is to be done once more."""
    hurries: bool = False
    """Whether it is done once more without a cooldown."""
    timer: Timer | None = None


class Throttle(Generic[_Key]):
    """Runs work for each key, never twice at a time. The work must not raise; it returns its cooldown."""

    def __init__(self, work: Callable[[_Key], Awaitable[Cooldown]], later: Later) -> None:
        self._work = work
        self._later = later
        self._states: dict[_Key, _State] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def touch(self, key: _Key) -> None:
        """Do the work now, or after its cooldown."""
        if not self._closed and not self.mark_due(key):
            self._begin(key)

    def mark_due(self, key: _Key) -> bool:
        """Return whether the work is running or cooling down; if so, it will be done once more."""
        state = self._states.get(key)
        if state:
            state.due = True
        return state is not None

    def hasten(self, key: _Key) -> None:
        """Do the work now, without a cooldown; if it is running, once more right after it."""
        state = self._states.get(key)
        if state is None:
            self.touch(key)
        elif state.timer:
            state.timer.cancel()
            self._begin(key)
        else:
            state.hurries = True

    async def close(self) -> None:
        """Cancel all timers and running work."""
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
        with speaking(None):  # not the language of the user who happens to begin it
            task = asyncio.get_running_loop().create_task(self._do(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, key: _Key) -> None:
        state = self._states[key]
        state.due = state.hurries = False
        cooldown = await self._work(key)
        state.due |= cooldown.must_repeat or state.hurries
        if cooldown.seconds and not state.hurries:
            state.timer = self._later(cooldown.seconds, lambda: self._finish(key))
        else:
            self._finish(key)

    def _finish(self, key: _Key) -> None:
        if self._states[key].due:
            self._begin(key)
        else:
            del self._states[key]


class Progress:
    """Progress of long work, sent by `show`. Made on the event loop, told from any thread."""

    def __init__(
        self,
        show: Callable[[int, int], Coroutine[None, None, object]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = show
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._latest = clock()
        self._edit: Future[object] | None = None

    def tell(self, done: int, total: int) -> None:
        """Show the progress, unless the latest edit is recent or has not ended."""
        now = self._clock()
        if now - self._latest < EVERY_SECONDS or (self._edit and not self._edit.done()):
            return
        self._latest = now
        self._edit = asyncio.run_coroutine_threadsafe(self._show(done, total), self._loop)

    async def end(self) -> None:
        """Wait for the latest edit, so that none follows the answer. Ignore its failure."""
        if self._edit:
            await asyncio.gather(asyncio.wrap_future(self._edit), return_exceptions=True)


@contextmanager
def logged(log: logging.Logger, text: str, *values: object) -> Generator[None]:
    """Log an error of the block, and go on: a refusal in one line, anything else with its traceback."""
    try:
        yield
    except (DiceError, Unavailable, *DISCORD_ERRORS) as error:
        log.warning("%s: %s", text % values, error)
    except Exception:
        log.exception(text, *values)


def call_later(seconds: float, callback: Callable[[], None]) -> Timer:
    """Schedule a callback on the running event loop."""
    return asyncio.get_running_loop().call_later(seconds, callback)
