"""The batching writer: all waiting requests in one transaction with one fsync; answers after the commit.

A request that fails does not fail its neighbours: a refused one leaves no trace, and a batch that the
database rejects is retried request by request. Source: docs/decisions/one-batching-writer.md.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeAlias

from bot.campaign.campaigns import Campaign
from bot.campaign.command import Caller, Command
from bot.campaign.events import CardPlayed, Event, Revealed, Rolled
from bot.campaign.rolls import Misread, TextCommand
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, Unavailable
from bot.storage.engine import Database, transact
from bot.storage.faults import Fault, is_disconnected, is_persistent, note, unsaved
from bot.storage.jobs import Job
from bot.storage.queries import execute_all
from bot.storage.rows import is_replied_to
from bot.storage.transactions import Outbox, Request, Result, Then, Transactions, Written

log = logging.getLogger(__name__)

BATCH_LIMIT = 256
QUEUE_LIMIT = 2_048
_WATCHED = (Rolled, Revealed, CardPlayed)
_READINGS = 3
"""How often a text is read at most, if a campaign's rules change meanwhile."""
IDLE_SECONDS = 1.0
"""How long settled replies wait to be saved with a batch."""
RollWatch: TypeAlias = Callable[[Event, Campaign, Event | None], None]
"""Called with a roll, reveal or played card, its campaign, and the hidden event that it makes public."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The results of one interaction's requests, and the refusals by the index of their request."""

    written: tuple[Written, ...]
    refused: Mapping[int, DiceError]

    def written_or_raise(self) -> tuple[Written, ...]:
        """Return the results; raise the first refusal if there is none."""
        if not self.written:
            raise self.refused[0]
        return self.written

    def is_written(self, *, unless: type[DiceError]) -> bool:
        """Return whether there is a result; raise the first refusal of another kind than `unless`."""
        for error in self.refused.values():
            if not isinstance(error, unless):
                raise error
        return bool(self.written)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A job, or several that succeed or fail together, and the future that its caller awaits."""

    jobs: Sequence[Job]
    then: Then | None
    answer: asyncio.Future[list[Result]]
    since: float = field(default_factory=time.monotonic)


@dataclass(slots=True)
class Pulse:
    """Statistics of a writer; times are in seconds of the monotonic clock."""

    written_at: float = field(default_factory=time.monotonic)
    """Time of the last write or successful probe."""
    batches: int = 0
    requests: int = 0
    refused: int = 0
    """Requests that failed because of the database."""
    seconds: float = 0.0
    """Total duration of all batches."""

    def wrote(self, requests: int, began: float) -> None:
        """Count a batch that was written."""
        self.written_at = time.monotonic()
        self.batches += 1
        self.requests += requests
        self.seconds += self.written_at - began

    @property
    def silence(self) -> float:
        """Return the seconds since the last write."""
        return time.monotonic() - self.written_at


class Writer:
    """Writes requests in the order of arrival, until it is closed; `open_draws` makes the draws of a roll."""

    def __init__(
        self, database: Database, open_draws: Callable[[], SourcedDraws], idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._outbox = Outbox(alone=database.alone)
        self._transactions = Transactions(database, open_draws, self._outbox)
        self._database = database
        self.pulse = Pulse()
        self._waiting: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._idle_seconds = idle_seconds
        self._settle_at: float | None = None
        """Time of the loop at which settled replies are saved without a batch; None if there are none."""
        self._closing = False
        self._watch: RollWatch | None = None
        self._task = asyncio.create_task(self._run(), name="writer")

    async def write(self, caller: Caller, command: Command) -> Written:
        """Write a command and return its event once it is durable; a repeated delivery gets the same event.

        A text that the campaign reads differently is read again. Raise the command's own error (a DiceError:
        nothing has changed), or Unavailable if the database fails, too many requests wait or the bot is
        stopping.
        """
        return (await self.write_all([(caller, command)])).written_or_raise()[0]

    async def write_all(self, requests: Sequence[Request], then: Then | None = None) -> SideBySide:
        """Write all requests of one interaction in one transaction.

        Several requests to one campaign are numbered as parts of the interaction. A refused request is left
        out, with its refusal. `then` returns the requests that follow from the first event; if one of them
        is refused, nothing is written. A repeated delivery gets all that was written before.
        """
        pending, refused, readings = dict(enumerate(requests)), dict[int, DiceError](), 0
        while pending:
            campaigns = {command.needs().campaign for _, command in pending.values()}
            has_parts = len(campaigns) < len(pending) or bool(then)
            jobs = [
                Job.of(caller.at_part(part) if has_parts else caller, command)
                for part, (caller, command) in enumerate(pending.values(), start=1)
            ]
            results = await self._enqueue(jobs, then)
            written = tuple(result for result in results if isinstance(result, Written))
            if len(written) == len(results):
                return SideBySide(written, refused)
            readings += 1
            # What follows from the first event has no index.
            for index, result in zip_longest([*pending], results):
                if not isinstance(result, Exception):
                    continue
                if index is None or not isinstance(result, DiceError):
                    raise result
                caller, command = pending[index]
                if isinstance(result, Misread) and isinstance(command, TextCommand) and readings < _READINGS:
                    pending[index] = caller, command.reparse(result)
                else:
                    refused[index] = result
                    del pending[index]
        return SideBySide((), refused)

    async def _enqueue(self, jobs: Sequence[Job], then: Then | None) -> list[Result]:
        if self._closing:
            raise Unavailable("Evenhand is stopping. Please try again in a minute.")
        if len(self._waiting) >= QUEUE_LIMIT:
            raise Unavailable("Too many rolls are waiting to be written. Please try again in a minute.")
        waiting = _Waiting(jobs, then, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        return await waiting.answer

    def watch(self, watch: RollWatch) -> None:
        """Set the callback for new rolls, reveals and played cards: called once each, after any reply."""
        self._watch = watch

    def _notify(self, written: Written, *, replied: bool) -> None:
        event = written.event
        is_due = written.new and isinstance(event.body, _WATCHED) and is_replied_to(event) is replied
        if is_due and self._watch:
            try:
                self._watch(event, written.campaign, written.shows)
            except Exception:  # the roll is written and answered all the same
                log.exception("A roll could not be told elsewhere")

    def delivered(self, written: Written) -> None:
        """Note that the reply reached Discord, with the undelivered rolls in it."""
        self._outbox.delivered(written)
        self._notify(written, replied=True)
        self._wake.set()

    def lost(self, written: Written) -> None:
        """Note that the reply did not reach Discord; the campaign's next reply shows its roll."""
        self._outbox.lost(written)
        self._notify(written, replied=True)

    def answered_elsewhere(self, written: Written) -> None:
        """Note that another delivery of the interaction was answered first."""
        self._outbox.answered_elsewhere(written)
        self._notify(written, replied=True)
        self._wake.set()

    @property
    def queue(self) -> tuple[int, float]:
        """Return the number of waiting requests, and the seconds that the first one has waited."""
        return len(self._waiting), time.monotonic() - self._waiting[0].since if self._waiting else 0.0

    async def probe(self) -> None:
        """Raise Unavailable unless the database can be written to."""
        await transact(self._database, execute_all((), {}))
        self.pulse.written_at = time.monotonic()

    async def aclose(self) -> None:
        """Refuse new requests, finish the waiting ones, and save the settled replies."""
        self._closing = True
        self._wake.set()
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        while not self._closing:
            await self._wait_for_work()
            self._wake.clear()
            while self._waiting:
                await self._write_batch()
                # Callers that were just answered may make further requests: they join the next batch.
                await asyncio.sleep(0)
        await self._settle()

    async def _wait_for_work(self) -> None:
        """Wait until the writer is woken; save the settled replies when the first has waited for a while."""
        loop = asyncio.get_running_loop()
        if self._settle_at is None and self._outbox.settled:
            self._settle_at = loop.time() + self._idle_seconds
        if self._settle_at is not None:
            timer = asyncio.timeout_at(self._settle_at)
            with suppress(TimeoutError):
                async with timer:
                    await self._wake.wait()
            # Between two requests too: a table that never pauses must not keep erased data in the journal.
            if timer.expired() or loop.time() >= self._settle_at:
                self._settle_at = None
                await self._settle()
        await self._wake.wait()

    async def _write_batch(self) -> None:
        batch = [self._waiting.popleft()]
        # Jobs that succeed or fail together have a transaction of their own.
        while (
            self._waiting and len(batch) < BATCH_LIMIT and _is_alone(batch[0]) and _is_alone(self._waiting[0])
        ):
            batch.append(self._waiting.popleft())
        # A caller that was cancelled before its turn is spared the roll.
        batch = [waiting for waiting in batch if not waiting.answer.done()]
        if not batch:
            return
        try:
            await self._write(batch)
        except Exception as error:  # noqa: BLE001 (any error: each request is retried alone)
            note(error)
            if is_persistent(error):
                self._fail_all(batch, error)
            else:
                await self._retry_each(batch)

    async def _retry_each(self, batch: Sequence[_Waiting]) -> None:
        for index, waiting in enumerate(batch):
            try:
                await self._write([waiting])
            except Exception as error:  # noqa: BLE001 (it goes to the caller)
                note(error)
                if is_disconnected(error) or is_persistent(error):
                    self._fail_all(batch[index:], error)
                    return
                self.pulse.refused += 1
                self._fail(waiting, error)

    def _fail_all(self, batch: Sequence[_Waiting], error: Exception) -> None:
        """Fail a batch and all requests behind it: they have waited as long."""
        behind = list(self._waiting)
        self._waiting.clear()
        self.pulse.refused += len(batch) + len(behind)
        for waiting in (*batch, *behind):
            self._fail(waiting, error)

    def _fail(self, waiting: _Waiting, error: Exception) -> None:
        doubtful = sum(self._transactions.give_up(job) for job in waiting.jobs) > 0
        if waiting.answer.done():
            return
        if isinstance(error, Fault):
            error = unsaved(error, doubtful=doubtful)
        waiting.answer.set_exception(error)

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        began = time.monotonic()
        # In proof mode the order of interaction ids counts, so the waiting jobs are sorted by it.
        batch = sorted(batch, key=lambda waiting: waiting.jobs[0].caller.interaction_id or 0)
        jobs, together = [job for waiting in batch for job in waiting.jobs], not _is_alone(batch[0])
        results = await self._transactions.run(jobs, together=together, then=batch[0].then)
        self.pulse.wrote(len(batch), began)
        for waiting, answer in zip(
            batch, [results] if together else ([result] for result in results), strict=True
        ):
            self._answer(waiting, answer)

    def _answer(self, waiting: _Waiting, results: list[Result]) -> None:
        all_written = [result for result in results if isinstance(result, Written)]
        for written in all_written if log.isEnabledFor(logging.DEBUG) else ():
            ms = round(1000 * (time.monotonic() - waiting.since), 1)
            at = {"campaign": written.event.campaign_id, "number": written.event.seq, "ms": ms}
            log.debug("Written: campaign %(campaign)d, #%(number)d, %(ms)s ms", at, extra=at)
        if waiting.answer.done():
            # Its caller was cancelled meanwhile, so nobody will show it.
            for written in all_written:
                self.lost(written)
            return
        waiting.answer.set_result(results)
        for written in all_written:
            self._notify(written, replied=False)

    async def _settle(self) -> None:
        try:
            await self._transactions.settle()
        except Exception as error:  # noqa: BLE001 (any error: the next batch saves them)
            note(error)
            log.warning("Confirmed replies could not be saved; the bot still has them in memory")


def _is_alone(waiting: _Waiting) -> bool:
    """Return whether it is a single job, which may share a transaction with others."""
    return len(waiting.jobs) == 1 and waiting.then is None
