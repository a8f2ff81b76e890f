"""Questions about evenings."""

from sqlalchemy import bindparam, text

from bot.campaign.histories import Session, sessions
from bot.storage import schema
from bot.storage.asking import Piece, ask
from bot.storage.cutting import beginning
from bot.storage.rows import EVENTS, read_event

KEPT_IN_SIGHT = 50
"""As many marks are looked through."""

# Word for word as the index says it: with a parameter in its place the index would not be used.
_MARKS = (
    EVENTS.where(schema.event.c.campaign_id == bindparam("campaign"), text("event.kind = 'session'"))
    .order_by(schema.event.c.seq.desc())
    .limit(KEPT_IN_SIGHT)
)


def latest(campaign_id: int) -> Piece[list[Session]]:
    """Return a campaign's latest evenings, newest first."""
    rows = yield ask(_MARKS, {"campaign": campaign_id})
    all_seen = len(rows) < KEPT_IN_SIGHT
    start = (yield from beginning(campaign_id)) if all_seen else None
    # While old events are being removed, some of them are still there.
    upto = start.upto if start else 0
    return sessions((read_event(row) for row in rows if row["seq"] > upto), start)
