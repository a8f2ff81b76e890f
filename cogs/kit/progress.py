"""Show the progress of long work with few edits of its message."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

EVERY_SECONDS = 2.0
"""Seconds between two edits. Discord takes five edits in five seconds; this leaves room for others."""


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
