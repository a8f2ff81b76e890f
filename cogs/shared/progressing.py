"""How far long work is, shown in the answer that was put off, and not more often than Discord likes."""

import contextlib
import time
from collections.abc import Awaitable, Callable

import discord

SECONDS = 2.0
"""At most so often is an answer edited."""


class Progress:
    """Tells how far something is; a try that Discord refuses is let go."""

    def __init__(
        self,
        edit: Callable[[str], Awaitable[object]],
        words: Callable[[int, int], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._edit = edit
        self._words = words
        self._clock = clock
        self._told = clock()

    async def tell(self, done: int, of: int) -> None:
        """So much is done: told unless something was told, or it began, less than two seconds ago."""
        if self._clock() - self._told < SECONDS:
            return
        with contextlib.suppress(discord.HTTPException):
            await self._edit(self._words(done, of))
        # The edit itself may take long.
        self._told = self._clock()
