"""The batching writer: every waiting request in one transaction and one fsync; answers after the commit.

A request that fails does not fail its neighbours: one that can't be met leaves no trace, and a batch that the
database refuses is redone request by request. Source: docs/decisions/one-batching-writer.md.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import Campaign
from bot.campaign.command import Caller, Command
from bot.campaign.events import CardPlayed, Event, Revealed, Rolled
from bot.campaign.rolls import Misread, TextCommand
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, Unavailable
from bot.storage.engine import Database, work
from bot.storage.faults import Fault, gone, hopeless, note, unsaved
from bot.storage.jobs import Job
from bot.storage.queries import Queries
from bot.storage.rows import is_replied_to
from bot.storage.transactions import Outbox, Request, Result, Then, Transactions, Written

log = logging.getLogger(__name__)

BATCH_LIMIT = 256
QUEUE_LIMIT = 2_048
_TOLD = (Rolled, Revealed, CardPlayed)
_READINGS = 3
"""Readings of a text where a campaign's rules change meanwhile."""
IDLE_SECONDS = 1.0
"""How long confirmed replies wait for a batch to travel with."""
RollWatch: TypeAlias = Callable[[Event, Campaign, Event | None], None]
"""Hears of a roll, a reveal or a card played, of its campaign, and of the hidden event that all see now."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What one interaction made in several places, and what could not be met, by its place."""

    written: tuple[Written, ...]
    refused: Mapping[int, DiceError]

    def some(self) -> tuple[Written, ...]:
        """Return what was made; raise the first refusal where that is nothing."""
        if not self.written:
            raise self.refused[0]
        return self.written


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Jobs, one or several that happen together or not at all, and the caller that waits for them."""

    jobs: Sequence[Job]
    then: Then | None
    answer: asyncio.Future[list[Result]]
    since: float = field(default_factory=time.monotonic)


@dataclass(slots=True)
class Pulse:
    """How a writer fares; times are of the clock that only goes forward, in seconds."""

    written_at: float = field(default_factory=time.monotonic)
    """When something was last written, or found to be writable."""
    batches: int = 0
    requests: int = 0
    refused: int = 0
    """Requests that the database failed."""
    seconds: float = 0.0
    """What all batches together took."""

    def wrote(self, requests: int, began: float) -> None:
        """Count a batch that was written."""
        self.written_at = time.monotonic()
        self.batches += 1
        self.requests += requests
        self.seconds += self.written_at - began

    @property
    def silence(self) -> float:
        """Return for how many seconds nothing was written."""
        return time.monotonic() - self.written_at


class Writer:
    """Writes requests in the order in which they come; made by `open_writer`."""

    def __init__(
        self, database: Database, open_draws: Callable[[], SourcedDraws], idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._outbox = Outbox(alone=database.alone)
        self._transactions = Transactions(database, open_draws, self._outbox)
        self._database = database
        self.pulse = Pulse()
        self._waiting: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._idle_seconds = idle_seconds
        self._due = False
        self._closing = False
        self._watch: RollWatch | None = None
        self._task = asyncio.create_task(self._run(), name="writer")

    async def write(self, caller: Caller, command: Command) -> Written:
        """Return the command's event, once it is durable; the same one if it was delivered before.

        A command whose text the campaign reads otherwise is made again. Raises what the request raises
        (a DiceError: nothing has changed), or Unavailable where the database fails, too many requests wait,
        or the bot is stopping.
        """
        return (await self.write_all([(caller, command)])).some()[0]

    async def write_all(self, asked: Sequence[Request], then: Then | None = None) -> SideBySide:
        """Write what one interaction asks for in several places: side by side, and decided at once.

        In a campaign each is a part; what is alone in its campaign is none.

        What can't be met is left out, with its reason. `then` gives what follows from the first event; where
        that can't be met, nothing is. Delivered again, all that was written is returned.
        """
        commands, refused, readings = [*asked], dict[int, DiceError](), 0
        while left := [place for place in range(len(commands)) if place not in refused]:
            several = len({commands[place][1].needs().campaign for place in left}) < len(left) or bool(then)
            jobs = [
                Job.of(caller.at_part(part) if several else caller, command)
                for part, (caller, command) in enumerate((commands[place] for place in left), start=1)
            ]
            results = await self._waited(jobs, then)
            errors = {place: one for place, one in enumerate(results) if isinstance(one, Exception)}
            if not errors:
                return SideBySide(tuple([one for one in results if isinstance(one, Written)]), refused)
            readings += 1
            for place, error in errors.items():
                if place >= len(left) or not isinstance(error, DiceError):
                    raise error
                caller, command = commands[left[place]]
                if isinstance(error, Misread) and isinstance(command, TextCommand) and readings < _READINGS:
                    commands[left[place]] = caller, command.again(error)
                else:
                    refused[left[place]] = error
        return SideBySide((), refused)

    async def _waited(self, jobs: Sequence[Job], then: Then | None = None) -> list[Result]:
        if self._closing:
            raise Unavailable("Evenhand is stopping. Please try again in a minute.")
        if len(self._waiting) >= QUEUE_LIMIT:
            raise Unavailable("Too many rolls are waiting to be written. Please try again in a minute.")
        waiting = _Waiting(jobs, then, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        return await waiting.answer

    def watch(self, watch: RollWatch) -> None:
        """Have somebody told of each new roll once, behind a reply if it has one, of reveals and of plays."""
        self._watch = watch

    def _tell(self, written: Written, *, replied: bool) -> None:
        event = written.event
        told = written.new and isinstance(event.body, _TOLD) and is_replied_to(event) is replied
        if told and self._watch:
            try:
                self._watch(event, written.campaign, written.shows)
            except Exception:  # the roll is written and answered, whoever else hears of it
                log.exception("A roll could not be told elsewhere")

    def delivered(self, written: Written) -> None:
        """Note that the reply reached Discord; the undelivered rolls that came with it were shown in it."""
        self._outbox.delivered(written)
        self._tell(written, replied=True)
        if self._timer is None:
            # The timer is the writer's own, not the caller's: a table that waits for its callers' doings
            # (simcord does) must not wait for it.
            self._wake.set()

    def lost(self, written: Written) -> None:
        """Discord did not take the reply: the roll stands, and shows at the campaign's next one."""
        self._outbox.lost(written)
        self._tell(written, replied=True)

    def answered_elsewhere(self, written: Written) -> None:
        """Note that Discord had an answer already: whoever gave it knows whether it was the roll."""
        self._outbox.answered_elsewhere(written)
        self._tell(written, replied=True)
        self._wake.set()

    @property
    def queue(self) -> tuple[int, float]:
        """Return how many requests wait, and for how many seconds the first one has."""
        return len(self._waiting), time.monotonic() - self._waiting[0].since if self._waiting else 0.0

    async def probe(self) -> None:
        """Find out whether the database can be written to; Unavailable if not."""
        await work(self._database, _nothing())
        self.pulse.written_at = time.monotonic()

    async def close(self) -> None:
        """Take nothing more, finish what waits, and save which replies were confirmed."""
        self._closing = True
        self._wake.set()
        await asyncio.shield(self._task)

    def _flush_later(self) -> None:
        if self._timer is None and self._outbox.settled:
            self._timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._flush_now)

    def _flush_now(self) -> None:
        self._timer = None
        self._due = True
        self._wake.set()

    async def _run(self) -> None:
        while not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await self._write_some()
                # Callers that were just answered may have more to ask: it joins the next batch.
                await asyncio.sleep(0)
            await self._settle()
        if self._timer:
            self._timer.cancel()

    async def _write_some(self) -> None:
        taken = [self._waiting.popleft()]
        # What has to stand side by side has a transaction of its own.
        while (
            self._waiting and len(taken) < BATCH_LIMIT and _is_alone(taken[0]) and _is_alone(self._waiting[0])
        ):
            taken.append(self._waiting.popleft())
        # Who went away before their turn is spared the roll.
        batch = [waiting for waiting in taken if not waiting.answer.done()]
        if not batch:
            return
        try:
            await self._write(batch)
        except Exception as error:  # noqa: BLE001 (whatever it is, each request gets a chance of its own)
            note(error)
            if hopeless(error):
                self._fail_all(batch, error)
            else:
                await self._redo(batch)

    async def _redo(self, batch: Sequence[_Waiting]) -> None:
        for place, waiting in enumerate(batch):
            try:
                await self._write([waiting])
            except Exception as error:  # noqa: BLE001 (it goes to the caller)
                note(error)
                if gone(error) or hopeless(error):
                    self._fail_all(batch[place:], error)
                    return
                self.pulse.refused += 1
                self._fail(waiting, error)

    def _fail_all(self, batch: Sequence[_Waiting], error: Exception) -> None:
        """Fail a batch and all that waited behind it all the while: their time is up as well."""
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
        # In proof mode a press has to stand where it came: in the order of ids, as far as they wait.
        batch = sorted(batch, key=lambda waiting: waiting.jobs[0].caller.interaction_id or 0)
        jobs, together = [job for waiting in batch for job in waiting.jobs], not _is_alone(batch[0])
        results = await self._transactions.run(jobs, together=together, then=batch[0].then)
        self.pulse.wrote(len(batch), began)
        for waiting, answer in zip(batch, [results] if together else ([one] for one in results), strict=True):
            self._answer(waiting, answer)

    def _answer(self, waiting: _Waiting, results: list[Result]) -> None:
        written = [one for one in results if isinstance(one, Written)]
        for one in written if log.isEnabledFor(logging.DEBUG) else ():
            ms = round(1000 * (time.monotonic() - waiting.since), 1)
            at = {"campaign": one.event.campaign_id, "number": one.event.seq, "ms": ms}
            log.debug("Written", extra=at)
        if waiting.answer.done():
            # Its caller went away meanwhile, so nobody will show it.
            for one in written:
                self.lost(one)
            return
        waiting.answer.set_result(results)
        for one in written:
            self._tell(one, replied=False)

    async def _settle(self) -> None:
        if not self._due and not self._closing:
            self._flush_later()
            return
        self._due = False
        try:
            await self._transactions.settle()
        except Exception as error:  # noqa: BLE001 (whatever it is, the next batch takes them along)
            note(error)
            log.warning("Confirmed replies could not be saved; the bot still has them in memory")


def _is_alone(waiting: _Waiting) -> bool:
    """Return whether there is one job, which may share a transaction with others."""
    return len(waiting.jobs) == 1 and waiting.then is None


def _nothing() -> Queries[None]:
    yield from ()


@asynccontextmanager
async def open_writer(
    database: Database, open_draws: Callable[[], SourcedDraws], idle_seconds: float = IDLE_SECONDS
) -> AsyncGenerator[Writer]:
    """Open the writer of an open database; `open_draws` gives each roll its draws. Closed at the end."""
    writer = Writer(database, open_draws, idle_seconds)
    try:
        yield writer
    finally:
        await writer.close()
