"""How a command ends: by itself, by a signal with everything closed, or with one sentence and a code."""

import asyncio
import errno
import faulthandler
import logging
import signal
import sys
from collections.abc import AsyncGenerator, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager, suppress

import typer

from bot.dice.errors import DiceError, Unavailable
from bot.words.saying import refusal

FAILED = 1
"""The exit code when something out of the bot's hands went wrong; trying again may help."""
REFUSED = 2
"""The exit code when the settings or the command line are wrong; trying again does not help."""

PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What may go away without another command line: a disk that is full or fails."""
WITHOUT = "To try the dice without Discord: `make play`, or `evenhand play`."
_log = logging.getLogger(__name__)
PATIENCE_SECONDS = 20
"""How long the event loop may be blocked; what blocks it longer is taken to be stuck."""


class Refusal(Exception):
    """What was asked can't be done until whoever asked changes something; the text says what."""


@contextmanager
def told(*refusals: type[Exception]) -> Generator[None]:
    """End the program with one sentence on standard error, and a code, at an error that is meant for people.

    `refusals` are further errors that whoever asked can mend, such as wrong settings.
    """
    try:
        yield
    except (Refusal, DiceError, *refusals) as error:
        typer.echo(refusal(error) if isinstance(error, DiceError) else str(error), err=True)
        raise typer.Exit(REFUSED) from None
    except Unavailable as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAILED) from None
    except OSError as error:
        if error.filename is None and not isinstance(error, FileNotFoundError):
            raise
        what = error.filename or "The folder that this runs in"  # it is gone: nothing else has no name
        typer.echo(f"{what} can't be used: {error.strerror}.", err=True)
        raise typer.Exit(FAILED if error.errno in PASSING else REFUSED) from None


def run_until_stopped(work: Coroutine[object, object, None]) -> None:
    """Run `work` to its end, or until Ctrl-C or SIGTERM cancels it, which is a good end as well.

    Cancelled work closes what it opened; a second signal ends the program at once.
    """
    # A shell has what it starts in the background ignore Ctrl-C, which SIGTERM stands for here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):
        asyncio.run(work)


def _interrupt(*_: object) -> None:
    """Do as Ctrl-C does, the next time as SIGTERM does by itself."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGINT)


@asynccontextmanager
async def beside(work: Coroutine[object, object, None], name: str) -> AsyncGenerator[None]:
    """Do work beside the block, and cancel it at its end; what breaks it off is logged at once."""

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            _log.error("The %s broke off", name, exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(ended)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def unless(event: asyncio.Event, error: Exception) -> AsyncGenerator[None]:
    """Cancel the block once an event is set, and raise the error in its place."""
    block = asyncio.current_task()

    async def wait() -> None:
        await event.wait()
        if block:
            block.cancel()

    try:
        async with beside(wait(), "end"):
            yield
    except asyncio.CancelledError:
        if not event.is_set():
            raise
        raise error from None


@asynccontextmanager
async def watchdog(seconds: float = PATIENCE_SECONDS) -> AsyncGenerator[None]:
    """Write every thread's stack to standard error and end with code 1 once the loop stands still.

    Enter it when all is open: start and migrations may take their time.
    """

    async def put_off() -> None:
        while True:
            faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
            await asyncio.sleep(seconds / 4)

    try:
        async with beside(put_off(), "watchdog"):
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()
