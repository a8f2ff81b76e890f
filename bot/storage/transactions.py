"""One transaction: lock, look up, decide every job in order, save, commit.

The ledgers are locked before anything else is read, so that what another process committed is seen; and
campaigns are made before any is locked, so that two processes never wait for each other in a circle.

Every roll is owed a reply from its own transaction on. This process learns how each reply went, and keeps
that in memory until the next batch takes it to the database; rolls of a process that died are found there.

Where a commit is not answered, it may still come about. So the next transaction locks the same campaigns, and
only then looks for what stands: it is answered if somebody still waits for it, and else owed.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import UNNAMED, Campaign
from bot.campaign.command import Caller, Command
from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Visibility
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError
from bot.record.checkpoint import Checkpoint
from bot.record.exchange import EVERY
from bot.storage.batch import Batch
from bot.storage.campaigns import make_campaigns, unmake_campaigns
from bot.storage.engine import Database, scrub_again
from bot.storage.faults import Doubtful, Fault, is_repeated
from bot.storage.jobs import Asking, EventAt, Job
from bot.storage.loading import load_answered, load_ledgers, load_lost, load_missing, load_orphans, load_owed
from bot.storage.queries import Connection, Control, Queries
from bot.storage.rows import is_replied_to
from bot.storage.saving import SpecIn, save_batch, settle
from bot.times import DAY

log = logging.getLogger(__name__)

SHOWN = 3
"""The most lost rolls that one reply shows; the rest come with the next."""
PATIENCE_SECONDS = 10
"""A living process may still be replying to a roll that is younger than this."""

_SPECS_KEPT_IN_MIND = 10_000
# Deciding is done on the event loop, where the draws live; others get their turn this often.
_BREATH_SECONDS = 0.01
_CAMPAIGNS_KEPT_IN_MIND = 100_000
_Decided: TypeAlias = tuple[Event, bool] | Exception | None
"""None is what was left out, for what stands beside it can't be met."""


class Milestones:
    """Tells which public rolls show a checkpoint: a day's first, and the first from each hundredth event on.

    Each process knows what it has shown; after a restart one may be shown again, which does no harm.
    """

    def __init__(self) -> None:
        self._passed: dict[int, tuple[int, int, int]] = {}

    def passes(self, event: Event) -> bool:
        """Return whether a public roll is the first of its UTC day, or of its hundred of numbers.

        One that is answered again, since it was delivered twice, passes again.
        """
        day, hundred, newest = self._passed.get(event.campaign_id, (-1, -1, 0))
        here = max(day, int(event.time) // DAY), max(hundred, event.seq // EVERY)
        if here == (day, hundred):
            return event.seq == newest
        if len(self._passed) >= _CAMPAIGNS_KEPT_IN_MIND:
            self._passed.clear()
        self._passed[event.campaign_id] = *here, event.seq
        return True


@dataclass(frozen=True, slots=True)
class Written:
    """What a request came to, once it is durable."""

    event: Event
    new: bool
    """False if this interaction was delivered, and so decided, before."""
    undelivered: tuple[Event, ...] = ()
    """Rolls of the same campaign whose reply was lost, the oldest first; only this reply shows them."""
    campaign: Campaign = UNNAMED
    """What is set about the campaign after the batch."""
    about: Event | None = None
    """The event that it is about, if the command saw it."""
    shows: Event | None = None
    """The hidden event that everybody sees from then on: one that it is about, or itself."""
    checkpoint: Checkpoint | None = None
    """The log after the batch, where the reply is to show it."""


Result: TypeAlias = Written | Exception | None


class Outbox:
    """What this process knows about replies: who gets none sees the roll at the campaign's next one.

    Of a roll it keeps the number alone: its person may be erased before it is shown.
    """

    def __init__(self, *, alone: bool) -> None:
        self._patience = 0 if alone else PATIENCE_SECONDS
        self._lost: dict[int, set[int]] = {}
        self._showing: set[EventAt] = set()
        self._settled: dict[EventAt, bool] = {}

    @property
    def settled(self) -> dict[EventAt, bool]:
        """Rolls that this process owes nothing any more, which the database does not know yet.

        With each stands whether it was shown; if not, it is owed unless another process has shown it.
        """
        return dict(self._settled)

    def delivered(self, written: Written) -> None:
        """Note that the reply was shown, and with it the undelivered ones."""
        if is_replied_to(written.event):
            self._settle(written.event)
        for event in written.undelivered:
            self._settle(event)

    def lost(self, written: Written) -> None:
        """Note that the reply did not reach Discord; what it would have shown waits for the next one.

        A second delivery's reply is not counted: the first one's decides.
        """
        event = written.event
        if written.new and is_replied_to(event):
            self._lost.setdefault(event.campaign_id, set()).add(event.seq)
        self._showing.difference_update(map(_at, written.undelivered))

    def answered_elsewhere(self, written: Written) -> None:
        """Note that another delivery was answered first: with the roll, or with a refusal."""
        if written.new and is_replied_to(written.event):
            self._settled.setdefault(_at(written.event), False)
        self._showing.difference_update(map(_at, written.undelivered))

    def saved(self, settled: Mapping[EventAt, bool]) -> None:
        """Note that the database knows these now."""
        self._settled = {at: shown for at, shown in self._settled.items() if settled.get(at) is not shown}

    def waiting(self, campaigns: Iterable[int]) -> list[EventAt]:
        """Return this process's lost rolls of some campaigns."""
        return [EventAt(one, seq) for one in campaigns for seq in sorted(self._lost.get(one, ()))]

    def claim(self, owed: Iterable[Event]) -> tuple[Event, ...]:
        """Return what to show with a reply, of rolls that are owed."""
        lost = {_at(event): event for event in owed}
        waiting = sorted(at for at in lost if at not in self._showing and at not in self._settled)[:SHOWN]
        self._showing.update(waiting)
        return tuple(lost[at] for at in waiting)

    def before(self) -> float:
        """Another process's rolls asked for before this, in seconds since 1970, count as lost."""
        return time.time() - self._patience

    def _settle(self, event: Event) -> None:
        self._settled[_at(event)] = True
        self._showing.discard(_at(event))
        lost = self._lost.get(event.campaign_id, set())
        lost.discard(event.seq)
        if not lost:
            self._lost.pop(event.campaign_id, None)


def _at(event: Event) -> EventAt:
    return EventAt(event.campaign_id, event.seq)


Request: TypeAlias = tuple[Caller, Command]
"""Who asks, and for what."""
Then: TypeAlias = Callable[[Event], Sequence[Request]]


@dataclass(slots=True)
class Transactions:
    """Runs transactions on the connection that writes, one at a time."""

    database: Database
    open_draws: Callable[[], SourcedDraws]
    outbox: Outbox
    milestones: Milestones = field(default_factory=Milestones)
    _known_specs: set[SpecIn] = field(default_factory=set[SpecIn])
    _doubtful: dict[Asking, Job] = field(default_factory=dict[Asking, Job])
    """Jobs of commits that were not answered."""
    _orphans: dict[Asking, Job] = field(default_factory=dict[Asking, Job])
    """Those of them for which nobody waits any more."""

    async def run(
        self, jobs: Sequence[Job], *, together: bool = False, then: Then | None = None
    ) -> list[Result]:
        """Return what each job came to, durably; a job's own error is among the results.

        What is `together` is of one interaction and stands side by side, with nobody else's among it; where
        one of it can't be met, all else is None. `then` gives the commands that follow from the first one's
        event. What the interaction has made before is returned as it is.

        Raises Fault where the database fails: then nothing is saved, unless it is Doubtful.
        """
        try:
            return await self._run(jobs, look_up=together, together=together, then=then)
        except Fault as error:
            if not is_repeated(error):
                raise
        # Rare, so that nobody else pays for it: an interaction was delivered again.
        return await self._run(jobs, look_up=True, together=together, then=then)

    def give_up(self, job: Job) -> bool:
        """Note that nobody waits for a job any more; whether it may stand all the same."""
        doubtful = job.asking and self._doubtful.pop(job.asking, None)
        if job.asking and doubtful:
            self._orphans[job.asking] = doubtful
        return bool(doubtful)

    async def _run(
        self, jobs: Sequence[Job], *, look_up: bool, together: bool, then: Then | None
    ) -> list[Result]:
        batch, settled = Batch(), self.outbox.settled
        asked = {job.asking: job for job in jobs if job.asking}
        # An orphan that is delivered again has somebody who waits for it.
        self._doubtful |= {asking: self._orphans.pop(asking) for asking in asked.keys() & self._orphans}
        look_up |= not self._doubtful.keys().isdisjoint(asked)
        try:
            async with self.database.writing() as connection:
                owed = await connection.do(self._begin(batch, jobs, look_up=look_up))
                answered = sorted(batch.answered.items()) if together else []
                before = [event for _, events in answered for event in events]
                decided: list[_Decided] = [(event, False) for event in before]
                if not before:
                    decided = await self._decide_all(connection, batch, jobs)
                    if then and isinstance(first := decided[0], tuple):
                        more = enumerate(then(first[0]), start=2)
                        jobs = [*jobs, *(Job.of(who.at_part(part), command) for part, (who, command) in more)]
                        decided += await self._decide_all(connection, batch, jobs[1:])
                if together and any(isinstance(one, Exception) for one in decided):
                    batch.appended.clear()
                    decided = [one if isinstance(one, Exception) else None for one in decided]
                new_specs = await connection.do(self._finish(batch, jobs, decided, settled))
        except Doubtful:
            self._doubtful |= asked
            raise
        self._doubtful = {asking: job for asking, job in self._doubtful.items() if asking not in asked}
        # Claimed while the outbox still knows what was settled: it was loaded before this batch settled it.
        written = [self._written(batch, one, owed) for one in decided]
        # Only what is committed counts as known.
        self.outbox.saved(settled)
        self._known_specs |= new_specs
        if len(self._known_specs) > _SPECS_KEPT_IN_MIND:
            self._known_specs.clear()
        return written

    async def settle(self) -> None:
        """Save which replies were confirmed, if any were; and empty the journal, if that is due."""
        if self.outbox.settled:
            await self.run([])
        await scrub_again(self.database)

    def _begin(self, batch: Batch, jobs: Sequence[Job], *, look_up: bool) -> Queries[dict[int, list[Event]]]:
        """Lock the jobs' campaigns and load what all of them need; returns the rolls that are owed there."""
        process, alone = self.database.process, self.database.alone
        located = [*jobs, *self._orphans.values()]
        yield Control.BEGIN
        if not located:
            return {}
        elsewhere = yield from load_ledgers(batch, located, process, alone=alone)
        if missing := batch.places.missing((job.caller, job.needs) for job in located):
            yield Control.ROLLBACK
            yield Control.BEGIN
            # Who makes one that a doubtful commit has made as well waits here until that is decided.
            yield from make_campaigns(missing)
            elsewhere = yield from load_ledgers(batch, located, process, alone=alone)
        if self._orphans:
            for event in (yield from load_orphans(self._orphans, process)):
                self.outbox.lost(Written(event, new=True))
            self._orphans.clear()
        owed = (yield from load_owed(elsewhere, process, self.outbox.before())) if elsewhere else {}
        for event in (yield from load_lost(self.outbox.waiting(batch.ledgers))):
            owed.setdefault(event.campaign_id, []).append(event)
        if look_up:
            yield from load_answered(batch, jobs)
        while more := batch.missing(jobs):
            yield from load_missing(batch, more)
        return owed

    async def _decide_all(self, connection: Connection, batch: Batch, jobs: Sequence[Job]) -> list[_Decided]:
        decided: list[_Decided] = []
        breath = time.perf_counter()
        for job in jobs:
            # An earlier job may have led to what was not loaded, such as the event below an undone one.
            while batch.needs_reload and (more := batch.missing([job])):
                await connection.do(load_missing(batch, more))
            decided.append(self._decide(batch, job))
            if time.perf_counter() - breath > _BREATH_SECONDS:
                await asyncio.sleep(0)
                breath = time.perf_counter()
        return decided

    def _decide(self, batch: Batch, job: Job) -> _Decided:
        try:
            event, new = batch.decide(job, self.open_draws)
        except DiceError as error:
            return error
        except Exception as error:
            log.exception("A request failed while the bot decided it")
            return error
        # What stands of a doubtful commit nobody was shown: to its caller it is new.
        return event, new or job.asking in self._doubtful

    def _finish(
        self, batch: Batch, jobs: Sequence[Job], decided: list[_Decided], settled: Mapping[EventAt, bool]
    ) -> Queries[set[SpecIn]]:
        """Save what was decided and commit; returns the specs that are in the database from now on."""
        if len(decided) == len(jobs):
            yield from _answer_again(batch, jobs, decided)
        new_specs: set[SpecIn] = set()
        if batch.appended:
            new_specs = yield from save_batch(batch, self.database.process, self._known_specs)
            unused = [ledger.campaign_id for ledger in batch.ledgers.values() if not ledger.seq]
            yield from unmake_campaigns(unused)
        else:
            # Nothing was asked for that could be done: a campaign that was made for it goes again.
            yield Control.ROLLBACK
            yield Control.BEGIN
        yield from settle(settled, self.database.process)
        yield Control.COMMIT
        return new_specs

    def _written(self, batch: Batch, decided: _Decided, owed: dict[int, list[Event]]) -> Result:
        if not isinstance(decided, tuple):
            return decided
        event, new = decided
        # Only a public roll's own reply shows earlier ones, and everybody reads it.
        public = isinstance(event.body, Rolled) and event.visibility is Visibility.PUBLIC
        shows = public and event.target is None
        claimed = self.outbox.claim(owed.get(event.campaign_id, ())) if shows and new else ()
        passed = shows and self.milestones.passes(event)
        checkpoint = batch.ledgers[event.campaign_id].checkpoint if passed else None
        about, shown = batch.target_of(event), batch.shown_by(event)
        return Written(event, new, claimed, batch.campaign_in(event), about, shown, checkpoint)


def _answer_again(batch: Batch, jobs: Sequence[Job], decided: list[_Decided]) -> Queries[None]:
    """Answer as before those who were refused only since they have had already what they ask for."""
    refused = [place for place, one in enumerate(decided) if isinstance(one, Exception)]
    if refused:
        yield from load_answered(batch, [jobs[place] for place in refused])
    for place in refused:
        if event := batch.answer(jobs[place]):
            decided[place] = event, False
