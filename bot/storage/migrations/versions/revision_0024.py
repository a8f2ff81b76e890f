"""Take dice that are not even off the counts, such as `d{2,4,6}`: others looked rigged by them."""

from collections import Counter

from alembic import op
from sqlalchemy import delete, or_

from bot.storage import schema
from bot.storage.migrations.tossed import Counted, add, tossed

revision = "0024"
down_revision = "0023"

_SUCH = [schema.event.c.what.like(f'%"text":"%{sign}%') for sign in ("d{", "rr", "u")]
"""Where a die's other faces, its endless rerolls or its unlike faces may stand in notation."""


def upgrade() -> None:
    """Subtract them in all public rolls, but those that a cut has removed; /rigged begins anew there."""
    connection = op.get_bind()
    wrong = tossed(connection, or_(*_SUCH), even=False, by_hand=False)
    less = Counter[Counted]()
    less.subtract(wrong)
    add(connection, less)
    campaign_id = schema.evidence.c.campaign_id
    for number in {toss[0] for toss in wrong}:
        connection.execute(delete(schema.evidence).where(campaign_id == number))
