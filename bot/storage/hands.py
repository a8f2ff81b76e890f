"""Questions about cards in hands."""

from sqlalchemy import bindparam, func, select

from bot.campaign.events import Event
from bot.storage import schema
from bot.storage.queries import Queries, Query
from bot.storage.rows import EVENTS, of_campaign, of_user, read_event

_here = of_campaign(schema.hand)
_HELD = EVENTS.where(
    of_campaign(schema.event),
    schema.event.c.seq.in_(select(schema.hand.c.seq).where(_here, of_user(schema.hand))),
).order_by(schema.event.c.seq)
_SIZES = select(schema.hand.c.user_id, func.count().label("n")).where(_here).group_by(schema.hand.c.user_id)
_OF_DECK = (
    select(func.count())
    .select_from(
        schema.hand.join(
            schema.event,
            (schema.event.c.campaign_id == schema.hand.c.campaign_id)
            & (schema.event.c.seq == schema.hand.c.seq),
        )
    )
    .where(_here, schema.event.c.roller_key == bindparam("key"))
)


def held(campaign_id: int, user_id: int) -> Queries[list[Event]]:
    """Return the draws whose cards a player holds, the oldest first."""
    return [read_event(row) for row in (yield Query(_HELD, {"campaign": campaign_id, "user": user_id}))]


def sizes(campaign_id: int) -> Queries[dict[int, int]]:
    """Return how many cards each player holds who holds any."""
    return {row["user_id"]: int(row["n"]) for row in (yield Query(_SIZES, {"campaign": campaign_id}))}


def count(campaign_id: int, key: str = "") -> Queries[int]:
    """Return how many cards are in all hands, or only of the deck of that casefolded name."""
    if not key:
        return sum((yield from sizes(campaign_id)).values())
    ((number,),) = yield Query(_OF_DECK, {"campaign": campaign_id, "key": key})
    return int(number)
