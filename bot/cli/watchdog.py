"""End the program where its event loop stands still, so that whoever keeps it starts it again.

Python holds its interpreter's lock while a regular expression runs, so neither a signal handler nor another
Python thread gets a turn. `faulthandler` waits in a C thread, which needs no lock.
"""

import asyncio
import faulthandler
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

PATIENCE_SECONDS = 20
"""The loop's longest stand; what holds it longer never ends."""


@asynccontextmanager
async def watchdog(seconds: float = PATIENCE_SECONDS) -> AsyncGenerator[None]:
    """Write every thread's stack to standard error and end with code 1 once the loop stands still.

    Enter it when all is open: start and migrations may take their time.
    """

    async def put_off() -> None:
        while True:
            faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
            await asyncio.sleep(seconds / 4)

    task = asyncio.create_task(put_off(), name="watchdog")
    try:
        yield
    finally:
        task.cancel()
        faulthandler.cancel_dump_traceback_later()
