"""Long work off the event loop: one thread with a bounded queue."""

import asyncio
import gc
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar, TypeVarTuple

CHARTS_LIMIT = 20
"""Most waiting charts, of a fifth of a second each: matplotlib draws one at a time in any case."""
_Values = TypeVarTuple("_Values")
_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


class Worker:
    """Runner of tasks, one at a time in a thread of its own; those beyond `limit` are dropped."""

    def __init__(self, limit: int = CHARTS_LIMIT) -> None:
        self._limit = limit
        self._waiting = 0
        self._full = self._frozen = False
        self._thread = ThreadPoolExecutor(1)

    async def do(self, work: Callable[[*_Values], _Result], *values: *_Values) -> _Result | None:
        """Return the result of the work; None at once if too many tasks are waiting."""
        if self._waiting >= self._limit:
            if not self._full:
                _log.warning("Too many charts are asked for: some are left out")
            self._full = True
            return None
        self._waiting += 1
        try:
            task = partial(copy_context().run, self._run, work, *values)  # in the caller's language
            return await asyncio.get_running_loop().run_in_executor(self._thread, task)
        finally:
            self._waiting -= 1
            self._full = self._full and self._waiting > 0

    def _run(self, work: Callable[[*_Values], _Result], *values: *_Values) -> _Result:
        """Do the work, and free its figure at once: it has reference cycles, and holds megabytes."""
        try:
            return work(*values)
        finally:
            gc.collect()
            if not self._frozen:
                # Objects alive by now are permanent, so that later collections can skip them.
                gc.freeze()
                self._frozen = True

    async def aclose(self) -> None:
        """Drop waiting tasks; the running one ends."""
        self._thread.shutdown(wait=False, cancel_futures=True)
