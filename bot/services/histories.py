"""The campaign's history, a page or a roll at a time, as far as the reader may see it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from bot.campaign.campaigns import Found, Whose
from bot.campaign.command import Caller
from bot.campaign.events import Event, Rolled
from bot.campaign.followups import Reveal, may_see_typed
from bot.campaign.histories import Beginning, Entry, Page, bursts, touches_memory
from bot.campaign.kinds import Visibility
from bot.campaign.replay import Details, RollResult, moment, read_roll
from bot.dice.errors import Unknown
from bot.services.access import CampaignAccess, DataStore, campaign_by_id, current_campaign
from bot.services.sight import (
    as_shown,
    hidden_before,
    must_see,
    sees,
    sees_all,
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
"""How many entries are searched for a label."""
_AROUND = 8


@dataclass(frozen=True, slots=True)
class Filter:
    """Which events are wanted; None is all."""

    user_id: int | None = None
    roller: str | None = None
    label: str | None = None
    """A part of it, in any case; looked for in the newest entries before the place."""
    character: str | None = None
    """The name of the character whose rolls are wanted, looked for in the same entries."""


@dataclass(frozen=True, slots=True)
class Histories:
    """The use cases of looking back."""

    store: DataStore

    async def page(
        self,
        caller: Caller,
        wanted: Filter,
        before: int | None = None,
        after: int | None = None,
        count: int = PAGE,
    ) -> Page:
        """Return the entries before or after a number, or the newest; ten unless fewer are wanted."""
        return await self.store.reader.do(_page(caller, wanted, before, after, count))

    async def around(self, caller: Caller, wanted: Filter, number: int) -> Page:
        """Return the entries from a number downwards; Unknown for a number that nothing has."""
        found, start = await self.store.reader.do(_extent(caller))
        if start and 1 <= number <= (upto := start.upto):
            raise Unknown(
                "#{number:,} was removed. The history begins with #{first:,}.", number=number, first=upto + 1
            )
        if found is None or not 1 <= number <= found.seq:
            raise Unknown(
                "There is no #{number:,} here; the newest is #{seq:,}.",
                number=number,
                seq=found.seq if found else 0,
            )
        return await self.page(caller, wanted, None if number == found.seq else number + 1)

    async def played(self, caller: Caller) -> int:
        """Return the campaign that is played here; Unknown where nothing was rolled yet."""
        at = await self.store.reader.do(current_campaign(caller))
        if at.campaign_id is None:
            raise Unknown("Nobody rolled here yet.")
        return at.campaign_id

    async def details(self, caller: Caller, campaign_id: int, number: int) -> Details:
        """Return a roll with the odds and the memory of its moment, as far as the caller may see them."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        rolled = _visible(caller, at, row)
        if not may_see_typed(row.event, caller.user_id, is_gm=at.is_gm) and (words := row.event.words):
            rolled = replace(rolled, event=replace(rolled.event, words=replace(words, typed="")))
        shown = at.is_gm or at.campaign.rules.odds is Whose.EVERYONE
        known = sees_all(await self.store.reader.do(hidden_before(row.event)), at, caller)
        veiled, rolled = shown and not known, rolled if known else without_dice(rolled)
        return Details(rolled, moment(rolled) if shown and not veiled else None, veiled)

    async def look(self, caller: Caller, campaign_id: int, number: int) -> RollResult:
        """Return a hidden roll to whoever may see it, or once it is revealed; NotAllowed for others."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        rolled = _visible(caller, at, row)
        hidden = await self.store.reader.do(hidden_before(row.event)) if shows_memory(rolled) else ()
        return rolled if sees_all(hidden, at, caller) else without_dice(rolled)

    async def reveal(self, caller: Caller, campaign_id: int, number: int) -> RollResult:
        """Show a hidden roll to everybody; NotAllowed unless the caller may see it."""
        _, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        await self.store.writer.write(caller, Reveal(number, campaign_id))
        rolled = read_roll(row.told)
        openly = replace(rolled, event=replace(rolled.event, visibility=Visibility.PUBLIC))
        shown = await self.store.reader.do(as_shown(openly))
        return replace(rolled, outcomes=shown.outcomes)


def find_roll(caller: Caller, campaign_id: int, number: int) -> Queries[tuple[CampaignAccess, Row]]:
    """Return a roll, and its campaign as the caller stands in it; Unknown where there is none."""
    at = yield from campaign_by_id(caller, campaign_id)
    row = yield from reading.event(campaign_id, number)
    start = (yield from beginning(campaign_id)) if row is None else None
    if start and number <= start.upto:
        raise Unknown("#{number} was removed with the old part of the history.", number=number)
    if row is None or not isinstance(row.event.body, Rolled):
        raise Unknown("There is no roll #{number} here.", number=number)
    return at, row


def _visible(caller: Caller, at: CampaignAccess, row: Row) -> RollResult:
    must_see(row, at, caller)
    return read_roll(row.event)


def _page(caller: Caller, wanted: Filter, before: int | None, after: int | None, count: int) -> Queries[Page]:
    at = yield from current_campaign(caller)
    campaign_id = at.campaign_id
    if campaign_id is None:
        return Page((), None, None)
    visible = partial(sees, at=at, caller=caller)
    # One more than is shown tells whether there is another page in that direction.
    rows = yield from _rows(campaign_id, wanted, before, after, count + 1, visible)
    more = len(rows) > count
    shown = rows[-count:] if after is not None else rows[:count]
    marked = bursts((yield from _around(campaign_id, shown)))
    entries = tuple(
        Entry(row.told, visible=visible(row), undone=row.undone, burst=row.event.seq in marked)
        for row in shown
    )
    ledger = yield from find_ledger(campaign_id)
    checkpoint = ledger.checkpoint.line if ledger and ledger.seq else ""
    if not entries:
        return Page((), None, None, (yield from beginning(campaign_id)), checkpoint)
    first, last = entries[0].event.seq, entries[-1].event.seq
    has_older = more if after is None else True
    has_newer = before is not None if after is None else more
    start = None if has_older else (yield from beginning(campaign_id))
    return Page(entries, last if has_older else None, first if has_newer else None, start, checkpoint)


def _rows(
    campaign_id: int,
    wanted: Filter,
    before: int | None,
    after: int | None,
    limit: int,
    visible: Callable[[Row], bool],
) -> Queries[list[Row]]:
    """Return `limit` events next to a place, the newest first; fewer where there are no more.

    The words of a hidden roll are hidden too, also from who searches for it: then it goes on to the next.
    """
    rows: list[Row] = []
    left = LABELS_SEARCHED
    while True:
        found = yield from reading.page(
            campaign_id, before=before, after=after, limit=limit, searched=left, **asdict(wanted)
        )
        seen = [row for row in found if not (wanted.label or wanted.character) or visible(row)]
        rows = rows + seen if after is None else seen + rows
        if len(found) < limit or len(rows) >= limit:
            return rows[:limit] if after is None else rows[-limit:]
        newest, oldest = found[0].event.seq, found[-1].event.seq
        if after is None:
            left -= (before or newest + 1) - oldest
            before = oldest
        else:
            left -= newest - after
            after = newest


def _around(campaign_id: int, shown: Sequence[Row]) -> Queries[list[Event]]:
    """Return what is shown and a few entries on either side, so that a burst over the page's end is seen."""
    events = [row.event for row in shown]
    if not any(map(touches_memory, events)):
        return []
    newer = yield from reading.page(campaign_id, after=events[0].seq, limit=_AROUND)
    older = yield from reading.page(campaign_id, before=events[-1].seq, limit=_AROUND)
    return [*events, *(row.event for row in (*newer, *older))]


def _extent(caller: Caller) -> Queries[tuple[Found | None, Beginning | None]]:
    """Return the campaign that is played in a place, and where its history begins."""
    found = yield from campaigns.played_campaign(caller)
    return found, (yield from beginning(found.campaign_id)) if found else None
