"""A file that is touched while all is well: its age is what a health check looks at."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

_EVERY_SECONDS = 15

_log = logging.getLogger(__name__)


@asynccontextmanager
async def heartbeat(
    file: Path, healthy: Callable[[], Awaitable[bool]], *, every: float = _EVERY_SECONDS
) -> AsyncGenerator[None]:
    """Touch the file every so many seconds, as long as `healthy` says so and the block lasts."""

    async def beat() -> None:
        while True:
            if await healthy():
                await asyncio.to_thread(_touch, file)
            await asyncio.sleep(every)

    task = asyncio.create_task(beat(), name="heartbeat")
    try:
        yield
    finally:
        task.cancel()


def _touch(file: Path) -> None:
    try:
        file.touch()
    except OSError as error:
        _log.warning("The file %s can't be touched: %s", file.name, error.strerror)
