"""The campaign's history by page or by roll, redacted for the caller."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.campaign.campaigns import CampaignEntry, RightHolder
from bot.campaign.command import Caller
from bot.campaign.events import Event, Rolled
from bot.campaign.followups import Reveal, Viewer, may_see_typed
from bot.campaign.histories import Beginning, Entry, Filter, Page, bursts, touches_memory
from bot.campaign.kinds import Visibility
from bot.campaign.replay import Details, RollResult, moment, read_roll
from bot.dice.errors import Unknown
from bot.services.access import CampaignAccess, DataStore, campaign_by_id, current_campaign, require_played
from bot.services.visibility import (
    hide_revealing_dice,
    memory_before_hides,
    must_see,
    sees,
    shows_memory,
    without_dice,
)
from bot.storage import campaigns, reading
from bot.storage.cutting import beginning
from bot.storage.ledgers import find_ledger
from bot.storage.queries import Queries
from bot.storage.rows import Row

PAGE = 10
LABELS_SEARCHED = 5_000
"""Entries searched for a label."""
_MARGIN = 8


@dataclass(frozen=True, slots=True)
class Histories:
    """The use cases of reading the history."""

    store: DataStore

    async def page(self, caller: Caller, only: Filter, count: int = PAGE) -> Page:
        """Return at most `count` entries that a filter lets through."""
        return await self.store.reader.do(_load_page(caller, only, count))

    async def around(self, caller: Caller, only: Filter, number: int, count: int = PAGE) -> Page:
        """Return entries from an event number downwards; raise Unknown if there is no such event."""
        current, start = await self.store.reader.do(_load_extent(caller))
        if start and 1 <= number <= (upto := start.upto):
            raise Unknown(
                "#{number:,} was removed. The history begins with #{first:,}.", number=number, first=upto + 1
            )
        if current is None or not 1 <= number <= current.seq:
            raise Unknown(
                "There is no #{number:,} here; the newest is #{seq:,}.",
                number=number,
                seq=current.seq if current else 0,
            )
        before = None if number == current.seq else number + 1
        return await self.page(caller, replace(only, before=before), count)

    async def played(self, caller: Caller) -> int:
        """Return the id of the campaign played here; raise Unknown if nothing was rolled yet."""
        return await self.store.reader.do(require_played(caller))

    async def details(self, caller: Caller, campaign_id: int, number: int) -> Details:
        """Return a roll with its odds and the memory before it, redacted for the caller."""
        access, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        rolled = _read_visible(caller, access, row)
        if not may_see_typed(row.event, caller.user_id, is_gm=access.is_gm) and (words := row.event.words):
            rolled = replace(rolled, event=replace(rolled.event, words=replace(words, typed="")))
        may_see_odds = access.is_gm or access.campaign.rules.odds is RightHolder.EVERYONE
        viewer = Viewer(caller.user_id, access.is_gm)
        sees_memory = not await self.store.reader.do(memory_before_hides(row.event, viewer))
        is_veiled, rolled = may_see_odds and not sees_memory, rolled if sees_memory else without_dice(rolled)
        # The law of a game's roll may take half a second.
        at_roll = await asyncio.to_thread(moment, rolled) if may_see_odds and not is_veiled else None
        return Details(rolled, at_roll, is_veiled)

    async def look(self, caller: Caller, campaign_id: int, number: int) -> RollResult:
        """Return a hidden roll; raise NotAllowed unless the caller may see it or it was revealed."""
        access, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        rolled = _read_visible(caller, access, row)
        viewer = Viewer(caller.user_id, access.is_gm)
        if shows_memory(rolled) and await self.store.reader.do(memory_before_hides(row.event, viewer)):
            return without_dice(rolled)
        return rolled

    async def reveal(self, caller: Caller, campaign_id: int, number: int) -> RollResult:
        """Reveal a hidden roll to everybody; raise NotAllowed unless the caller may see it."""
        _, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        await self.store.writer.write(caller, Reveal(campaign_id, number))
        rolled = read_roll(row.visible_event)
        public = replace(rolled, event=replace(rolled.event, visibility=Visibility.PUBLIC))
        visible = await self.store.reader.do(hide_revealing_dice(public))
        return replace(rolled, outcomes=visible.outcomes, undone=row.undone)


def find_roll(caller: Caller, campaign_id: int, number: int) -> Queries[tuple[CampaignAccess, Row]]:
    """Return the caller's access to a campaign and a roll of it; raise Unknown if there is none."""
    access = yield from campaign_by_id(caller, campaign_id)
    row = yield from reading.event(campaign_id, number)
    start = (yield from beginning(campaign_id)) if row is None else None
    if start and number <= start.upto:
        raise Unknown("#{number} was removed with the old part of the history.", number=number)
    if row is None or not isinstance(row.event.body, Rolled):
        raise Unknown("There is no roll #{number} here.", number=number)
    return access, row


def _read_visible(caller: Caller, access: CampaignAccess, row: Row) -> RollResult:
    must_see(row, access, caller)
    event = replace(row.event, visibility=Visibility.PUBLIC) if row.revealed else row.event
    return replace(read_roll(event), undone=row.undone)


def _load_page(caller: Caller, only: Filter, count: int) -> Queries[Page]:
    access = yield from current_campaign(caller)
    campaign_id = access.campaign_id
    visible = partial(sees, access=access, caller=caller)
    # One row more than the page has shows whether there is another page in that direction.
    rows = yield from _load_rows(campaign_id, only, count + 1, visible)
    more = len(rows) > count
    page_rows = sorted(rows[:count], key=lambda row: row.event.seq, reverse=True)
    burst_seqs = bursts((yield from _load_around(campaign_id, page_rows)))
    entries = tuple(
        Entry(row.visible_event, visible=visible(row), undone=row.undone, burst=row.event.seq in burst_seqs)
        for row in page_rows
    )
    ledger = yield from find_ledger(campaign_id)
    checkpoint = ledger.checkpoint.line if ledger and ledger.seq else ""
    if not entries:
        return Page((), None, None, (yield from beginning(campaign_id)), checkpoint)
    first, last = entries[0].event.seq, entries[-1].event.seq
    has_older = more if only.after is None else True
    has_newer = only.before is not None if only.after is None else more
    start = None if has_older else (yield from beginning(campaign_id))
    return Page(entries, last if has_older else None, first if has_newer else None, start, checkpoint)


def _load_rows(
    campaign_id: int, only: Filter, limit: int, visible: Callable[[Row], bool]
) -> Queries[list[Row]]:
    """Return `limit` events that a filter lets through, in the order of `page`; fewer if there are no more.

    The words of a hidden roll are hidden too, so a search by label or character skips it.
    """
    rows: list[Row] = []
    remaining = LABELS_SEARCHED
    while True:
        page = yield from reading.page(campaign_id, only, limit=limit, searched=remaining)
        matching = [row for row in page if not (only.label or only.character) or visible(row)]
        rows += matching
        if len(page) < limit or len(rows) >= limit:
            return rows[:limit]
        last = page[-1].event.seq
        if only.after is None:
            remaining -= (only.before or page[0].event.seq + 1) - last
            only = replace(only, before=last)
        else:
            remaining -= last - only.after
            only = replace(only, after=last)


def _load_around(campaign_id: int, page_rows: Sequence[Row]) -> Queries[list[Event]]:
    """Return the page's events and a few on either side, to find bursts that cross its ends."""
    events = [row.event for row in page_rows]
    if not any(map(touches_memory, events)):
        return []
    newer = yield from reading.page(campaign_id, Filter(after=events[0].seq), limit=_MARGIN)
    older = yield from reading.page(campaign_id, Filter(before=events[-1].seq), limit=_MARGIN)
    return [*events, *(row.event for row in (*newer, *older))]


def _load_extent(caller: Caller) -> Queries[tuple[CampaignEntry | None, Beginning | None]]:
    """Return the campaign played here, and the beginning of its history."""
    current = yield from campaigns.played_campaign(caller)
    return current, (yield from beginning(current.campaign_id)) if current else None
