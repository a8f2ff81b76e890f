"""Ends of a command: a normal exit, a clean stop by a signal, or an error sentence with an exit code."""

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
"""The exit code for failures outside of the bot's control; a retry may help."""
REFUSED = 2
"""The exit code for wrong settings or a wrong command line; a retry does not help."""

TEMPORARY_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Errors of a full or failing disk, which may pass with the same command line."""
TRY_WITHOUT_DISCORD = "To try the dice without Discord: `make play`, or `evenhand play`."
_log = logging.getLogger(__name__)
PATIENCE_SECONDS = 20
"""Seconds that the event loop may block before the watchdog ends the process."""


class Refusal(Exception):
    """An error that the user can fix; the text says how."""


@contextmanager
def exit_with_error(*refusals: type[Exception]) -> Generator[None]:
    """Turn an expected error into one sentence on standard error and an exit code.

    `refusals` are further exceptions that the user can fix, such as those of wrong settings.
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
        path = error.filename or "The folder that this runs in"  # only a deleted working folder has no name
        typer.echo(f"{path} can't be used: {error.strerror}.", err=True)
        raise typer.Exit(FAILED if error.errno in TEMPORARY_ERRNOS else REFUSED) from None


def run_until_stopped(work: Coroutine[object, object, None]) -> None:
    """Run `work` until it returns, or until Ctrl-C or SIGTERM cancels it; both are a clean exit.

    Cancelled work closes what it opened. A second signal ends the process at once.
    """
    # A shell starts background jobs with SIGINT ignored, but SIGTERM raises it here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):
        asyncio.run(work)


def _interrupt(*_: object) -> None:
    """Raise SIGINT, and restore the default action of SIGTERM for the next time."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGINT)


@asynccontextmanager
async def background_task(work: Coroutine[object, object, None], name: str) -> AsyncGenerator[None]:
    """Run a background task during the block, and cancel it at the end; log an exception as it happens."""

    def log_exception(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            _log.error("The %s broke off", name, exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(log_exception)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def stop_when(event: asyncio.Event, error: Exception) -> AsyncGenerator[None]:
    """Cancel the block once an event is set, and raise the error instead of CancelledError."""
    block = asyncio.current_task()

    async def wait() -> None:
        await event.wait()
        if block:
            block.cancel()

    try:
        async with background_task(wait(), "end"):
            yield
    except asyncio.CancelledError:
        if not event.is_set():
            raise
        raise error from None


@asynccontextmanager
async def watchdog(seconds: float = PATIENCE_SECONDS) -> AsyncGenerator[None]:
    """Dump all stacks to standard error and exit with code 1 if the event loop blocks for `seconds`.

    Enter it after startup, because opening and migrating the database may take longer.
    """

    async def put_off() -> None:
        while True:
            faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
            await asyncio.sleep(seconds / 4)

    try:
        async with background_task(put_off(), "watchdog"):
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()
