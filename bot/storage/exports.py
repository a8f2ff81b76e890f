"""What an export asks of the database besides the events: where the ledger stands, and all rollers."""

import json
from dataclasses import dataclass
from typing import cast

from sqlalchemy import bindparam, select

from bot.dice.bases import Json
from bot.record.ledger import Ledger
from bot.storage import schema
from bot.storage.asking import Piece, ask
from bot.storage.ledgers import read_ledger

_CAMPAIGN = select(schema.campaign).where(schema.campaign.c.id == bindparam("campaign"))


@dataclass(frozen=True, slots=True)
class ExportStanding:
    """A campaign's ledger at a moment."""

    name: str
    ledger: Ledger
    rules: Json


def standing(campaign_id: int) -> Piece[ExportStanding | None]:
    """Return where a campaign's ledger stands; None if there is no such campaign."""
    rows = yield ask(_CAMPAIGN, {"campaign": campaign_id})
    if not rows:
        return None
    row = rows[0]
    return ExportStanding(row["name"] or "", read_ledger(row), cast("Json", json.loads(row["rules"])))
