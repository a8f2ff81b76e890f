"""Load hands, pushes and sessions, which few commands need: all of a kind in one statement."""

from collections import Counter
from collections.abc import Collection

from sqlalchemy import Text, bindparam, cast, func, select, text, tuple_

from bot.campaign.events import EventAt
from bot.campaign.histories import sessions
from bot.storage import schema
from bot.storage.batch import Batch
from bot.storage.cutting import beginnings
from bot.storage.queries import Queries, Query
from bot.storage.rows import EVENTS, PersonAt, read_event

_e, _c, _h = schema.event.c, schema.campaign.c, schema.hand.c
_HAND_SIZES = (
    select(_h.campaign_id, _h.user_id, _e.roller_key, func.count().label("n"))
    .select_from(schema.hand.join(schema.event, (_e.campaign_id == _h.campaign_id) & (_e.seq == _h.seq)))
    .where(tuple_(_h.campaign_id, _h.user_id).in_(bindparam("people")))
    .group_by(_h.campaign_id, _h.user_id, _e.roller_key)
)
_pushed = schema.event.alias("pushed")
_p = _pushed.c
# The record's JSON has no blanks, and a quote in a name would be escaped.
_pushes_it = _e.what.like('%"pushes":' + cast(_p.seq, Text) + ",%")
# Only whoever rolled can push.
_is_later = (_e.campaign_id == _p.campaign_id) & (_e.user_id == _p.user_id) & (_e.seq > _p.seq)
_PUSHES = (
    select(_p.campaign_id, _p.seq, _p.user_id, func.min(_e.seq).label("push"))
    .select_from(_pushed.join(schema.event, _is_later & _pushes_it))
    .where(tuple_(_p.campaign_id, _p.seq).in_(bindparam("events")))
    .group_by(_p.campaign_id, _p.seq, _p.user_id)
)
# Literally the condition of the index: with a parameter the index would not be used.
_marks = schema.event.alias("mark")
_newest_mark = (
    select(_marks.c.seq)
    .where(_marks.c.campaign_id == _c.id, text("mark.kind = 'session'"))
    .order_by(_marks.c.seq.desc())
    .limit(1)
    .correlate(schema.campaign)
    .scalar_subquery()
)
_of_newest = select(_c.id, _newest_mark).where(_c.id.in_(bindparam("campaigns")))
_NEWEST_MARKS = EVENTS.where(tuple_(_e.campaign_id, _e.seq).in_(_of_newest))


def load_hands(batch: Batch, people: Collection[PersonAt]) -> Queries[None]:
    """Count the cards in players' hands, by the deck's casefolded name."""
    batch.cards.update({at: Counter() for at in people})
    for row in (yield Query(_HAND_SIZES, {"people": sorted(people)})):
        at = PersonAt(row["campaign_id"], row["user_id"])
        batch.cards[at][row["roller_key"]] = int(row["n"])


def load_pushes(batch: Batch, pushes: Collection[tuple[EventAt, int]]) -> Queries[None]:
    """Load the numbers of players' pushes of their rolls."""
    batch.pushes.update(dict.fromkeys(pushes))
    for row in (yield Query(_PUSHES, {"events": sorted({at for at, _ in pushes})})):
        batch.pushes[EventAt(row["campaign_id"], row["seq"]), row["user_id"]] = row["push"]


def load_sessions(batch: Batch, campaigns: Collection[int]) -> Queries[None]:
    """Load whether a session is open: whether the newest mark is a start, or one was open at the cut."""
    rows = yield Query(_NEWEST_MARKS, {"campaigns": sorted(campaigns)})
    marks = {row["campaign_id"]: [read_event(row)] for row in rows}
    starts = yield from beginnings(campaigns - marks.keys())
    for campaign_id in campaigns:
        latest = sessions(marks.get(campaign_id, []), starts.get(campaign_id))
        batch.sessions[campaign_id] = bool(latest) and latest[0].end is None
