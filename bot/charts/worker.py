"""Long work beside the event loop: one thread, and a queue with an end."""

import asyncio
import gc
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar, TypeVarTuple

CHARTS_LIMIT = 20
"""How many charts may wait, of a fifth of a second each: matplotlib draws one at a time in any case."""
_Values = TypeVarTuple("_Values")
_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


class Worker:
    """Does one thing after another in a thread of its own; more than `limit` of them are left out."""

    def __init__(self, limit: int = CHARTS_LIMIT) -> None:
        self._limit = limit
        self._waiting = 0
        self._full = self._frozen = False
        self._thread = ThreadPoolExecutor(1)

    async def do(self, work: Callable[[*_Values], _Result], *values: *_Values) -> _Result | None:
        """Return what the work comes to; None at once where too much waits already."""
        if self._waiting >= self._limit:
            if not self._full:
                _log.warning("Too many charts are asked for: some are left out")
            self._full = True
            return None
        self._waiting += 1
        try:
            tidily = partial(copy_context().run, self._tidy, work, *values)  # in the language of who asks
            return await asyncio.get_running_loop().run_in_executor(self._thread, tidily)
        finally:
            self._waiting -= 1
            self._full = self._full and self._waiting > 0

    def _tidy(self, work: Callable[[*_Values], _Result], *values: *_Values) -> _Result:
        """Do the work, and free its figure at once: that is full of circles, and holds megabytes."""
        try:
            return work(*values)
        finally:
            gc.collect()
            if not self._frozen:
                # All that is there by then stays, so that later rounds need not look at it.
                gc.freeze()
                self._frozen = True

    async def aclose(self) -> None:
        """Leave out what waits; what is being done ends."""
        self._thread.shutdown(wait=False, cancel_futures=True)
