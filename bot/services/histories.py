"""The campaign's history, a page at a time, as far as the reader may see it."""

from dataclasses import dataclass

from bot.core.histories import Entry, Page
from bot.core.requests.reveals import may_see
from bot.services.access import Access, Person
from bot.storage.campaigns import CampaignReader
from bot.storage.reading import Reader

PAGE = 10


@dataclass(frozen=True, slots=True)
class Filter:
    """Which events are wanted; None is all."""

    user_id: int | None = None
    roller: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, and the one it belongs to if it is a thread or a post."""

    channel_id: int
    parent_id: int | None = None


class Histories:
    """The use cases of looking back."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._campaigns = CampaignReader(reader)
        self._access = Access(self._campaigns)

    async def newest(self, place: Place, person: Person, wanted: Filter) -> Page:
        """The newest entries."""
        return await self._page(place, person, wanted, None, None)

    async def older(self, place: Place, person: Person, wanted: Filter, before: int) -> Page:
        """The entries before number `before`."""
        return await self._page(place, person, wanted, before, None)

    async def newer(self, place: Place, person: Person, wanted: Filter, after: int) -> Page:
        """The entries after number `after`."""
        return await self._page(place, person, wanted, None, after)

    async def _page(
        self, place: Place, person: Person, wanted: Filter, before: int | None, after: int | None
    ) -> Page:
        campaign_id = await self._campaigns.played(place.channel_id, place.parent_id)
        if campaign_id is None:
            return Page((), None, None)
        person = await self._access.known(person, campaign_id)
        # One more than is shown tells whether there is another page in that direction.
        rows = await self._reader.page(
            campaign_id,
            before=before,
            after=after,
            limit=PAGE + 1,
            user_id=wanted.user_id,
            roller=wanted.roller,
        )
        more = len(rows) > PAGE
        shown = rows[-PAGE:] if after is not None else rows[:PAGE]
        entries = tuple(
            Entry(
                row.event,
                visible=row.revealed or may_see(row.event, person.user_id, is_gm=person.is_gm),
                undone=row.undone,
            )
            for row in shown
        )
        if not entries:
            return Page((), None, None)
        first, last = entries[0].event.seq, entries[-1].event.seq
        has_older = more if after is None else True
        has_newer = before is not None if after is None else more
        return Page(entries, last if has_older else None, first if has_newer else None)
