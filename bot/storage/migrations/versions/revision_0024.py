"""Take dice that are not even off the counts, such as `d{2,4,6}`: others looked rigged by them."""

from collections import Counter

from alembic import op
from sqlalchemy import delete, or_

from bot.campaign.replay import plain_tosses
from bot.storage import schema
from bot.storage.rows import ROWS, read_row
from bot.storage.saving import ADD_COUNTS, NOBODY

revision = "0024"
down_revision = "0023"

_SUCH = [schema.event.c.what.like(f'%"text":"%{sign}%') for sign in ("d{", "rr", "u")]
"""Where a die's other faces, its endless rerolls or its unlike faces may stand in notation."""


def upgrade() -> None:
    """Subtract them in all public rolls, but those that a cut has removed; /rigged begins anew there."""
    connection = op.get_bind()
    counts = Counter[tuple[int, int, str, str]]()
    for record in connection.execute(ROWS.where(or_(*_SUCH))).mappings():
        row = read_row(record)
        if row.counts:
            event = row.visible_event
            at = event.campaign_id, event.player_id or NOBODY
            wrong = [] if event.roll.thrown else plain_tosses(event, even=False)
            counts.subtract((*at, *toss) for toss in wrong)
    if counts:
        rows = ((*key, n) for key, n in counts.items())
        connection.execute(ADD_COUNTS, {"rows": dict(enumerate(rows))})
        evidence = schema.evidence.c
        for campaign_id in {key[0] for key in counts}:
            connection.execute(delete(schema.evidence).where(evidence.campaign_id == campaign_id))
