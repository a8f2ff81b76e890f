"""What an export asks of the database besides the events: where the ledger stands, and all rollers."""

import json
from dataclasses import dataclass
from typing import cast

from sqlalchemy import bindparam, select

from bot.campaign.rollers import Roller
from bot.dice.bases import Json
from bot.storage import schema
from bot.storage.asking import Piece, ask
from bot.storage.loading import ROLLERS, read_roller

_CAMPAIGN = select(schema.campaign).where(schema.campaign.c.id == bindparam("campaign"))
_ROLLERS = ROLLERS.where(
    schema.roller.c.campaign_id == bindparam("campaign"), schema.roller.c.spec_id.is_not(None)
).order_by(schema.roller.c.key)


@dataclass(frozen=True, slots=True)
class Standing:
    """A campaign's ledger at a moment."""

    name: str
    seq: int
    head: bytes
    rules: Json


def standing(campaign_id: int) -> Piece[Standing | None]:
    """Where a campaign's ledger stands; None if there is no such campaign."""
    rows = yield ask(_CAMPAIGN, {"campaign": campaign_id})
    if not rows:
        return None
    row = rows[0]
    return Standing(row["name"] or "", row["seq"], row["head"], cast("Json", json.loads(row["rules"])))


def rollers(campaign_id: int) -> Piece[list[Roller]]:
    """Return a campaign's rollers by name, without removed ones."""
    rows = yield ask(_ROLLERS, {"campaign": campaign_id})
    return [read_roller(row) for row in rows]
