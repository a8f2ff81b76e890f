"""What an export asks of the database besides the events: where the ledger stands, and all rollers."""

import json
from dataclasses import dataclass
from typing import cast

from sqlalchemy import bindparam, select

from bot.campaign.rollers import Roller
from bot.dice.bases import Json
from bot.storage import schema
from bot.storage.loading import ROLLERS, read_roller
from bot.storage.reading import Reader

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


class ExportReader:
    """Asks through a reader; every method raises Unavailable where that fails."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def standing(self, campaign_id: int) -> Standing | None:
        """Where a campaign's ledger stands; None if there is no such campaign."""
        rows = await self._reader.read(_CAMPAIGN, campaign=campaign_id)
        if not rows:
            return None
        row = rows[0]
        rules = cast("Json", json.loads(row.get("rules") or "{}"))
        return Standing(row["name"] or "", row["seq"], row["head"], rules)

    async def rollers(self, campaign_id: int) -> list[Roller]:
        """Return a campaign's rollers by name, without removed ones."""
        rows = await self._reader.read(_ROLLERS, campaign=campaign_id)
        return [read_roller(row) for row in rows]
