"""One transaction: lock, look up, decide every job in order, save, commit.

The ledgers are locked before anything else is read, so that what another process committed is seen; and
campaigns are made before any is locked, so that two processes never wait for each other in a circle.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sqlalchemy import Connection

from bot.campaign.events import Event, Rolled
from bot.campaign.visibility import Visibility
from bot.dice.errors import DiceError
from bot.dice.labels import LabelledDraws
from bot.storage.batch import Batch, EventAt, Job
from bot.storage.engine import Database
from bot.storage.loading import load_answered, load_lack, load_ledgers, load_owed
from bot.storage.making import make_campaigns, missing_campaigns, unmake_campaigns
from bot.storage.outbox import Outbox, Written
from bot.storage.saving import save_batch, settle
from bot.storage.threaded import WritingConnection

log = logging.getLogger(__name__)

_SPECS_KEPT_IN_MIND = 10_000
# Deciding is done on the event loop, where the draws live; others get their turn this often.
_BREATH_SECONDS = 0.01


_Decided: TypeAlias = tuple[Event, bool] | Exception


@dataclass(slots=True)
class Transactions:
    """Runs transactions on the writing connection, one at a time."""

    database: Database
    open_draws: Callable[[], LabelledDraws]
    outbox: Outbox
    _known_specs: set[str] = field(default_factory=set[str])

    async def run(self, jobs: Sequence[Job]) -> list[Written | Exception]:
        """What each job came to, durably; a job's own error is among the results.

        Raises what the database raises; then nothing is saved, as far as can be known.
        """
        settled = self.outbox.settled
        batch = Batch()
        async with self.database.writer.connect() as connection:
            owed = await connection.run_sync(self._begin, batch, jobs) if jobs else {}
            decided = await self._decide_all(connection, batch, jobs)
            new_specs = await connection.run_sync(self._finish, batch, settled)
        # Claimed while the outbox still knows what was settled: it was loaded before this batch settled it.
        written = [self._written(batch, one, owed) for one in decided]
        # Only what is committed counts as known.
        self.outbox.saved(settled)
        self._known_specs |= new_specs
        if len(self._known_specs) > _SPECS_KEPT_IN_MIND:
            self._known_specs.clear()
        return written

    async def settle(self) -> None:
        """Save which replies were confirmed, if any were."""
        if self.outbox.settled:
            await self.run([])

    def _begin(self, connection: Connection, batch: Batch, jobs: Sequence[Job]) -> dict[int, list[Event]]:
        """Lock the jobs' campaigns and load what all of them need; returns what other processes owe."""
        process = self.database.process
        elsewhere = load_ledgers(connection, batch, jobs, process)
        if missing := missing_campaigns(batch, jobs):
            connection.rollback()
            make_campaigns(connection, missing)
            elsewhere = load_ledgers(connection, batch, jobs, process)
        owed = load_owed(connection, elsewhere, process, self.outbox.before()) if elsewhere else {}
        load_answered(connection, batch, jobs)
        while lack := batch.lacks(jobs):
            load_lack(connection, batch, lack)
        return owed

    async def _decide_all(
        self, connection: WritingConnection, batch: Batch, jobs: Sequence[Job]
    ) -> list[_Decided]:
        decided: list[_Decided] = []
        breath = time.perf_counter()
        for job in jobs:
            # An earlier job may have led to what was not loaded, such as the event below an undone one.
            while lack := batch.lacks([job]):
                await connection.run_sync(load_lack, batch, lack)
            decided.append(self._decide(batch, job))
            if time.perf_counter() - breath > _BREATH_SECONDS:
                await asyncio.sleep(0)
                breath = time.perf_counter()
        return decided

    def _decide(self, batch: Batch, job: Job) -> _Decided:
        try:
            return batch.decide(job, self.open_draws)
        except DiceError as error:
            return error
        except Exception as error:
            log.exception("A request could not be decided")
            return error

    def _finish(self, connection: Connection, batch: Batch, settled: frozenset[EventAt]) -> set[str]:
        """Save what was decided and commit; returns the specs that are in the database from now on."""
        new_specs: set[str] = set()
        if batch.appended:
            new_specs = save_batch(connection, batch, self.database.process, self._known_specs)
            unused = [ledger.campaign_id for ledger in batch.ledgers.values() if not ledger.seq]
            if unused:
                unmake_campaigns(connection, unused)
        else:
            # Nothing was asked for that could be done: a campaign that was made for it goes again.
            connection.rollback()
        settle(connection, settled)
        connection.commit()
        return new_specs

    def _written(self, batch: Batch, decided: _Decided, owed: dict[int, list[Event]]) -> Written | Exception:
        if isinstance(decided, Exception):
            return decided
        event, new = decided
        # Only a public roll's own reply shows earlier ones, and everybody reads it.
        public = isinstance(event.body, Rolled) and event.visibility is Visibility.PUBLIC
        shows = new and public and event.target is None
        claimed = self.outbox.claim(event, owed.get(event.campaign_id, ())) if shows else ()
        return Written(event, new, claimed, batch.campaign_in(event))
