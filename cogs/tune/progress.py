"""How far a long search is: a bar in its message, edited now and then."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

EVERY_SECONDS = 2.0
"""Discord takes five edits in five seconds; one in two seconds leaves room for others."""
_WIDTH = 12


class ProgressBar:
    """A bar that `edit` shows; made on the loop, told on the thread that works."""

    def __init__(
        self,
        edit: Callable[[str], Coroutine[None, None, object]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._edit = edit
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
        self._shown = asyncio.run_coroutine_threadsafe(self._edit(bar(done, of)), self._loop)

    async def end(self) -> None:
        """Wait for the last edit, so that none comes after the answer; one that failed does no harm."""
        if self._shown:
            await asyncio.wait([asyncio.wrap_future(self._shown)])


def bar(done: int, of: int) -> str:
    """Return how far something is, with its figures."""
    full = _WIDTH * min(done, of) // of
    return f"{'▰' * full}{'▱' * (_WIDTH - full)} step {done} of {of}"
