"""Questions about evenings."""

from sqlalchemy import bindparam, text

from bot.campaign.sessions import Session, sessions
from bot.storage import schema
from bot.storage.cutting import CutReader
from bot.storage.reading import Reader
from bot.storage.rows import EVENTS, read_event

KEPT_IN_SIGHT = 50
"""As many marks are looked through."""

# Word for word as the index says it: with a parameter in its place the index would not be used.
_MARKS = (
    EVENTS.where(schema.event.c.campaign_id == bindparam("campaign"), text("event.kind = 'session'"))
    .order_by(schema.event.c.seq.desc())
    .limit(KEPT_IN_SIGHT)
)


class SessionReader:
    """Asks through a reader; every method raises Unavailable where that fails."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._cuts = CutReader(reader)

    async def sessions(self, campaign_id: int) -> list[Session]:
        """A campaign's latest evenings, newest first."""
        rows = await self._reader.read(_MARKS, campaign=campaign_id)
        all_seen = len(rows) < KEPT_IN_SIGHT
        beginning = await self._cuts.beginning(campaign_id) if all_seen else None
        # While old events are being removed, some of them are still there.
        upto = beginning.upto if beginning else 0
        return sessions((read_event(row) for row in rows if row["seq"] > upto), beginning)
