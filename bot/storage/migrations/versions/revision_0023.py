"""Count the dice of games' rolls as the plain dice that they are, for /stats."""

from collections import Counter

from alembic import op
from sqlalchemy import select

from bot.campaign.replay import plain_tosses
from bot.storage import schema
from bot.storage.rows import ROWS, read_row
from bot.storage.saving import ADD_COUNTS, NOBODY

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the dice of all public rolls of games, but those that a cut has removed."""
    connection = op.get_bind()
    games = select(schema.spec.c.id).where(schema.spec.c.body.like('%"system":"game"%'))
    counts = Counter[tuple[int, int, str, str]]()
    for record in connection.execute(ROWS.where(schema.event.c.spec_id.in_(games))).mappings():
        row = read_row(record)
        if row.counts:
            event = row.visible_event
            at = event.campaign_id, event.player_id or NOBODY
            counts.update((*at, *toss) for toss in plain_tosses(event))
    if counts:
        rows = ((*key, n) for key, n in counts.items())
        connection.execute(ADD_COUNTS, {"rows": dict(enumerate(rows))})
