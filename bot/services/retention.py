"""Retention: once a day, remove events older than each campaign keeps.

The removed events are replaced by a cut; see `bot.campaign.histories`. Counts of faces are not changed.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.events import Event
from bot.campaign.histories import Beginning, Filter
from bot.campaign.kinds import FOREVER
from bot.dice.errors import DiceError, Unknown
from bot.record.audit import Cutting
from bot.record.findings import Broken
from bot.record.known import rollers_from_cut
from bot.services.rigging import advance_bets
from bot.storage import cutting as stored
from bot.storage import ledgers, reading
from bot.storage.cutting import CampaignAge, append_cut, drop_loose_ends, remove_some
from bot.storage.engine import Database, scrub, transact
from bot.storage.queries import Reader
from bot.times import DAY, first_id

_GRACE_SECONDS = DAY
"""Seconds to wait after a change of a campaign's retention rule before removing events."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retention:
    """The use case of retention; `limit` is the most days that any history is kept, 0 for ever."""

    database: Database
    reader: Reader
    limit: int = FOREVER

    async def tidy(self, now: float) -> int:
        """Remove events that are too old, in every campaign; return how many were removed.

        `now`, in seconds since 1970, is a time confirmed by more than one clock.
        """
        removed = after = 0
        while batch := await self.reader.do(stored.next_campaigns(after)):
            after = batch[-1].campaign_id
            for campaign in batch:
                removed += await self._cut(campaign, now)
        if removed:
            await scrub(self.database)
        return removed

    async def _cut(self, aged: CampaignAge, now: float) -> int:
        days = aged.rules.kept_days(self.limit)
        since = first_id(int((now - days * DAY) * 1000))
        if days == FOREVER or aged.oldest >= since:
            return 0
        removed = 0
        grace_start = first_id(int((now - _GRACE_SECONDS) * 1000))
        try:
            removed = await self._finish(aged)
            upto = await self.reader.do(stored.last_older(aged, since))
            if await self.reader.do(stored.retention_changed_since(aged.campaign_id, grace_start)):
                return removed
            return removed + await self._begin(aged, upto, days, now)
        except Unknown:
            return removed  # the campaign was deleted meanwhile
        except (Broken, DiceError, ValueError) as error:
            # A history that does not hold is evidence, and kept.
            _log.error("The history of campaign %d does not hold and is not cut: %s", aged.campaign_id, error)
            return removed

    async def _begin(self, aged: CampaignAge, upto: int, days: int, now: float) -> int:
        """Cut everything up to an event number, beyond the last cut; return how many were removed."""
        last = await self.reader.do(stored.beginning(aged.campaign_id))
        ledger, keys = await self.reader.do(ledgers.all_keys(aged.campaign_id))
        cutting = Cutting(ledger.log, keys, last)
        first = cutting.upto + 1
        while cutting.upto < upto:
            room, newer = min(reading.SLICE, upto - cutting.upto), Filter(after=cutting.upto)
            rows = await self.reader.do(reading.page(aged.campaign_id, newer, limit=room))
            if not rows or rows[0].event.seq != cutting.upto + 1:
                return 0  # another process is at it
            await asyncio.to_thread(_feed, cutting, [row.with_keys(keys) for row in rows])
        if not cutting.seen:
            return 0
        await advance_bets(self.database, self.reader, aged.campaign_id, cutting.upto)
        cut = await asyncio.to_thread(cutting.cut, days)
        clock = int(now * 1000)
        if not await transact(self.database, append_cut(aged, first, cut, clock)):
            return 0
        beginning = Beginning(cutting.upto, cut, clock / 1000)
        return await self._remove(aged.campaign_id, beginning)

    async def _finish(self, aged: CampaignAge) -> int:
        """Finish the last cut if the bot stopped during it; return how many events were removed."""
        cut = await self.reader.do(stored.beginning(aged.campaign_id))
        if cut is None or await self.reader.do(stored.first_event(aged.campaign_id)) > cut.upto:
            return 0
        return await self._remove(aged.campaign_id, cut)

    async def _remove(self, campaign_id: int, cut: Beginning) -> int:
        removed = 0
        while count := await transact(self.database, remove_some(campaign_id, cut.upto)):
            removed += count  # waiting rolls are written in between
        rollers = rollers_from_cut(cut.cut.rollers)
        epochs = {key: roller.since for key, roller in rollers.items() if roller.made}
        await transact(self.database, drop_loose_ends(campaign_id, cut.upto, epochs))
        _log.info("Campaign %d: %d events up to #%d were removed", campaign_id, removed, cut.upto)
        return removed


def _feed(cutting: Cutting, events: Sequence[Event]) -> None:
    for event in events:
        cutting.see(event)
