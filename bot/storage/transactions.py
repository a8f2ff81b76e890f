"""Run a write transaction: lock, load, decide every job in order, save, commit.

Ledgers are locked before anything else is read, so that the commits of other processes are visible; campaigns
are made before any is locked, so that two processes can't deadlock.

Every roll is stored as owing a reply. This process keeps the outcome of its replies in memory until the next
batch saves them; the rolls of a process that died are found in the database.

A commit without an answer may have succeeded. So the next transaction locks the same campaigns, then looks
for its events: those that a caller still waits for are returned, the others count as lost replies.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import UNNAMED, Campaign
from bot.campaign.command import Caller, Command
from bot.campaign.events import Event, EventAt, Rolled
from bot.campaign.kinds import Visibility
from bot.dice.draws import SourcedDraws
from bot.newest import Newest
from bot.record.checkpoint import Checkpoint
from bot.record.exchange import EVERY
from bot.storage.batch import Batch
from bot.storage.campaigns import make_campaigns, unmake_campaigns
from bot.storage.engine import Database, scrub_again
from bot.storage.faults import Doubtful, Fault, is_repeated
from bot.storage.jobs import DeliveryKey, Job
from bot.storage.loading import load_answered, load_ledgers, load_lost, load_missing, load_orphans, load_owed
from bot.storage.queries import Connection, Control, Queries
from bot.storage.rows import is_replied_to
from bot.storage.saving import SpecIn, save_batch, settle
from bot.times import DAY, INSTANCE_BITS

SHOWN = 3
"""The most lost rolls that one reply shows; the rest come with the next."""
PATIENCE_SECONDS = 10
"""A living process may still be replying to a roll that is younger than this."""

_LOST_AT_ONCE = 20
"""Most lost rolls of a campaign that a batch loads: after an outage there may be thousands."""
_KNOWN_SPECS_LIMIT = 10_000
# Jobs are decided on the event loop, for the draws are not thread-safe; this often it yields to other tasks.
_YIELD_SECONDS = 0.01
_CAMPAIGNS_LIMIT = 100_000
_Decided: TypeAlias = tuple[Event, bool] | Exception | None
"""An event and whether it is new; None for a job dropped because another of its request failed."""


class Milestones:
    """Choose the public rolls that show a checkpoint: a day's first, and the first of each hundred events.

    Kept per process: after a restart a checkpoint may be shown again, which does no harm.
    """

    def __init__(self) -> None:
        self._passed = Newest[int, tuple[int, int, int]](_CAMPAIGNS_LIMIT)

    def passes(self, event: Event) -> bool:
        """Return whether a public roll is the first of its UTC day, or of its hundred of numbers.

        A second delivery of the same roll gets the same answer.
        """
        day, hundred, newest = self._passed.get(event.campaign_id, (-1, -1, 0))
        period = max(day, int(event.time) // DAY), max(hundred, event.seq // EVERY)
        if period == (day, hundred):
            return event.seq == newest
        self._passed[event.campaign_id] = *period, event.seq
        return True


@dataclass(frozen=True, slots=True)
class Written:
    """The durable result of a request."""

    event: Event
    new: bool
    """False for a repeated delivery of an interaction."""
    undelivered: tuple[Event, ...] = ()
    """Rolls of the campaign whose reply was lost, oldest first; only this reply shows them."""
    campaign: Campaign = UNNAMED
    """The campaign's settings after the batch."""
    about: Event | None = None
    """Its target, if the command loaded it."""
    shows: Event | None = None
    """The hidden event that it makes public, which may be itself."""
    checkpoint: Checkpoint | None = None
    """The log after the batch, if the reply has to show it."""


Result: TypeAlias = Written | Exception | None


class Outbox:
    """The replies of this process: a roll whose reply was lost is shown with its campaign's next one.

    Only the number of a roll is kept: its person may be erased before it is shown.
    """

    def __init__(self, *, alone: bool) -> None:
        self._patience = 0 if alone else PATIENCE_SECONDS
        self._lost: dict[int, set[EventAt]] = {}
        """By campaign: a batch must not look at the lost rolls of all others."""
        self._showing: set[EventAt] = set()
        self._settled: dict[EventAt, bool] = {}

    @property
    def settled(self) -> dict[EventAt, bool]:
        """Rolls that this process owes no reply any more, not saved yet, each with whether it was shown.

        One that was not is owed unless another process has shown it.
        """
        return dict(self._settled)

    def delivered(self, written: Written) -> None:
        """Note that the reply was shown, and with it the undelivered rolls."""
        if is_replied_to(written.event):
            self._settle(written.event)
        for event in written.undelivered:
            self._settle(event)

    def lost(self, written: Written) -> None:
        """Note that the reply did not reach Discord; its rolls wait for the next reply.

        The reply to a repeated delivery does not count: the first one decides.
        """
        event = written.event
        if written.new and is_replied_to(event):
            self._lost.setdefault(event.campaign_id, set()).add(event.at)
        self._showing.difference_update(event.at for event in written.undelivered)

    def answered_elsewhere(self, written: Written) -> None:
        """Note that another delivery was answered first, with the roll or a refusal."""
        if written.new and is_replied_to(written.event):
            self._settled.setdefault(written.event.at, False)
        self._showing.difference_update(event.at for event in written.undelivered)

    def saved(self, settled: Mapping[EventAt, bool]) -> None:
        """Drop the settled rolls that are saved now."""
        self._settled = {
            at: is_shown for at, is_shown in self._settled.items() if settled.get(at) is not is_shown
        }

    def lost_rolls(self, campaigns: Iterable[int]) -> list[EventAt]:
        """Return the oldest of each campaign's lost rolls of this process that no reply shows yet."""
        waiting = (sorted(self._lost.get(number, set()) - self._showing) for number in campaigns)
        return [at for rolls in waiting for at in rolls[:_LOST_AT_ONCE]]

    def claim(self, owed: Iterable[Event]) -> tuple[Event, ...]:
        """Claim up to `SHOWN` of the owed rolls for a reply, and return them."""
        lost = {event.at: event for event in owed}
        waiting = sorted(at for at in lost if at not in self._showing and at not in self._settled)[:SHOWN]
        self._showing.update(waiting)
        return tuple(lost[at] for at in waiting)

    def lost_before(self, jobs: Iterable[Job]) -> int:
        """Return the interaction before which another process's unanswered rolls count as lost.

        By the newest interaction's time: the clocks of two machines may differ.
        """
        newest = max((job.caller.interaction_id or 0 for job in jobs), default=0)
        return newest - (self._patience * 1000 << INSTANCE_BITS)

    def forget(self, rolls: Iterable[EventAt]) -> None:
        """Forget lost rolls that were shown, or that are gone with the old history."""
        for at in rolls:
            self._lost.get(at.campaign_id, set()).discard(at)

    def _settle(self, event: Event) -> None:
        self._settled[event.at] = True
        self._showing.discard(event.at)
        self.forget([event.at])


Request: TypeAlias = tuple[Caller, Command]
"""A caller and a command."""
Then: TypeAlias = Callable[[Event], Sequence[Request]]


@dataclass(slots=True)
class Transactions:
    """Runs transactions on the connection that writes, one at a time."""

    database: Database
    open_draws: Callable[[], SourcedDraws]
    outbox: Outbox
    milestones: Milestones = field(default_factory=Milestones)
    _known_specs: set[SpecIn] = field(default_factory=set[SpecIn])
    _doubtful: dict[DeliveryKey, Job] = field(default_factory=dict[DeliveryKey, Job])
    """Jobs of commits without an answer."""
    _orphans: dict[DeliveryKey, Job] = field(default_factory=dict[DeliveryKey, Job])
    """Doubtful jobs whose caller does not wait any more."""

    async def run(
        self, jobs: Sequence[Job], *, together: bool = False, then: Then | None = None
    ) -> list[Result]:
        """Run the jobs in one transaction and return their results; a job's own error is its result.

        Jobs that run `together` are of one interaction and alone in their transaction; if one fails, nothing
        is saved and the results of the others are None. `then` returns the commands that follow from the
        first job's event. Events that the interaction has made already are returned unchanged.

        Raise Fault if the database fails: nothing is saved then, unless it is Doubtful.
        """
        try:
            return await self._run(jobs, look_up=together, together=together, then=then)
        except Fault as error:
            if not is_repeated(error):
                raise
        # An interaction was delivered again: rare, so the look-up is done only now.
        return await self._run(jobs, look_up=True, together=together, then=then)

    def give_up(self, job: Job) -> bool:
        """Note that nobody waits for a job any more; return whether it may have been committed."""
        doubtful = job.delivery and self._doubtful.pop(job.delivery, None)
        if job.delivery and doubtful:
            self._orphans[job.delivery] = doubtful
        return bool(doubtful)

    async def _run(
        self, jobs: Sequence[Job], *, look_up: bool, together: bool, then: Then | None
    ) -> list[Result]:
        batch, settled = Batch(), self.outbox.settled
        deliveries = {job.delivery: job for job in jobs if job.delivery}
        # An orphan that is delivered again has a caller who waits for it.
        self._doubtful |= {key: self._orphans.pop(key) for key in deliveries.keys() & self._orphans}
        look_up |= not self._doubtful.keys().isdisjoint(deliveries)
        try:
            async with self.database.writing() as connection:
                owed = await connection.do(self._begin(batch, jobs, look_up=look_up))
                answered = sorted(batch.answered.items()) if together else []
                decided: list[_Decided] = [(event, False) for _, events in answered for event in events]
                if not decided:
                    decided = await self._decide_all(connection, batch, jobs)
                    if then and isinstance(first := decided[0], tuple):
                        more = enumerate(then(first[0]), start=len(jobs) + 1)
                        new_jobs = [Job.of(caller.at_part(part), command) for part, (caller, command) in more]
                        decided += await self._decide_all(connection, batch, new_jobs)
                        jobs = [*jobs, *new_jobs]
                if together and any(isinstance(answer, Exception) for answer in decided):
                    batch.appended.clear()
                    decided = [answer if isinstance(answer, Exception) else None for answer in decided]
                new_specs = await connection.do(self._finish(batch, jobs, decided, settled))
        except Doubtful:
            self._doubtful |= deliveries
            raise
        self._doubtful = {key: job for key, job in self._doubtful.items() if key not in deliveries}
        # Claimed before the settled rolls are dropped: `owed` was loaded before this batch saved them.
        results = [self._to_result(batch, answer, owed) for answer in decided]
        # Only committed specs count as known.
        self.outbox.saved(settled)
        self._known_specs |= new_specs
        if len(self._known_specs) > _KNOWN_SPECS_LIMIT:
            self._known_specs.clear()
        return results

    async def settle(self) -> None:
        """Save the settled replies, if any, and empty the journal, if that is due."""
        if self.outbox.settled:
            await self.run([])
        await scrub_again(self.database)

    def _begin(self, batch: Batch, jobs: Sequence[Job], *, look_up: bool) -> Queries[list[Event]]:
        """Lock the jobs' campaigns, load the rows they need, and return the rolls whose replies are owed."""
        process, alone = self.database.process, self.database.alone
        located = [*jobs, *self._orphans.values()]
        yield Control.BEGIN
        if not located:
            return []
        owing_elsewhere = yield from load_ledgers(batch, located, process, alone=alone)
        if missing := batch.lookup.missing((job.caller, job.needs) for job in located):
            yield Control.ROLLBACK
            yield Control.BEGIN
            # If a doubtful commit has made the same campaign, this waits until that commit is decided.
            yield from make_campaigns(missing)
            owing_elsewhere = yield from load_ledgers(batch, located, process, alone=alone)
        if self._orphans:
            for event in (yield from load_orphans(self._orphans, process)):
                self.outbox.lost(Written(event, new=True))
            self._orphans.clear()
        owed = yield from load_owed(owing_elsewhere, process, self.outbox.lost_before(jobs))
        lost_rolls = self.outbox.lost_rolls(batch.ledgers)
        lost = yield from load_lost(lost_rolls)
        self.outbox.forget({*lost_rolls}.difference(event.at for event in lost))
        owed += lost
        if look_up:
            yield from load_answered(batch, jobs)
        while keys := batch.missing(jobs):
            yield from load_missing(batch, keys)
        return owed

    async def _decide_all(self, connection: Connection, batch: Batch, jobs: Sequence[Job]) -> list[_Decided]:
        decided: list[_Decided] = []
        last_yield = time.perf_counter()
        for job in jobs:
            # An earlier job may have led to rows that are not loaded, such as the event below an undone one.
            while batch.needs_reload and (keys := batch.missing([job])):
                await connection.do(load_missing(batch, keys))
            decided.append(self._decide(batch, job))
            if time.perf_counter() - last_yield > _YIELD_SECONDS:
                await asyncio.sleep(0)
                last_yield = time.perf_counter()
        return decided

    def _decide(self, batch: Batch, job: Job) -> _Decided:
        try:
            event, new = batch.decide(job, self.open_draws)
        except Exception as error:  # noqa: BLE001 (it goes to the caller, who logs it without typed words)
            return error
        # The events of a doubtful commit were not shown yet: to their caller they are new.
        return event, new or job.delivery in self._doubtful

    def _finish(
        self, batch: Batch, jobs: Sequence[Job], decided: list[_Decided], settled: Mapping[EventAt, bool]
    ) -> Queries[set[SpecIn]]:
        """Save the batch and commit; return the specs that are stored now."""
        if len(decided) == len(jobs):
            yield from _answer_again(batch, jobs, decided)
        new_specs: set[SpecIn] = set()
        if batch.appended:
            new_specs = yield from save_batch(batch, self.database.process, self._known_specs)
            if unused := [ledger.campaign_id for ledger in batch.ledgers.values() if not ledger.seq]:
                yield from unmake_campaigns(unused)
        else:
            # No job succeeded: undo the campaigns that were made for them.
            yield Control.ROLLBACK
            yield Control.BEGIN
        yield from settle(settled, self.database.process)
        yield Control.COMMIT
        return new_specs

    def _to_result(self, batch: Batch, decided: _Decided, owed: list[Event]) -> Result:
        if not isinstance(decided, tuple):
            return decided
        event, new = decided
        # Earlier rolls are shown with the reply to a public roll only, which everybody can read.
        is_public = isinstance(event.body, Rolled) and event.visibility is Visibility.PUBLIC
        shows_lost = is_public and event.target is None
        theirs = [roll for roll in owed if roll.campaign_id == event.campaign_id]
        claimed = self.outbox.claim(theirs) if shows_lost and new else ()
        is_milestone = shows_lost and self.milestones.passes(event)
        checkpoint = batch.ledgers[event.campaign_id].checkpoint if is_milestone else None
        campaign = batch.lookup.settings.get(event.campaign_id, UNNAMED)
        target, revealed = batch.target_of(event), batch.revealed_by(event)
        return Written(event, new, claimed, campaign, target, revealed, checkpoint)


def _answer_again(batch: Batch, jobs: Sequence[Job], decided: list[_Decided]) -> Queries[None]:
    """Replace refusals of repeated deliveries by the events that the first delivery made."""
    refused = [index for index, answer in enumerate(decided) if isinstance(answer, Exception)]
    if refused:
        yield from load_answered(batch, [jobs[index] for index in refused])
    for index in refused:
        if event := batch.answer(jobs[index]):
            decided[index] = event, False
