"""Count the dice of games' rolls as the plain dice that they are, for /stats."""

from alembic import op
from sqlalchemy import select

from bot.storage import schema
from bot.storage.migrations.tossed import add, tossed

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the dice of all public rolls of games, but those that a cut has removed."""
    connection = op.get_bind()
    games = select(schema.spec.c.id).where(schema.spec.c.body.like('%"system":"game"%'))
    add(connection, tossed(connection, schema.event.c.spec_id.in_(games)))
