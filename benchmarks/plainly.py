"""What the batching writer is measured against: the same roll, in a transaction of its own."""

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from bot.campaign.events import Asked, Event
from bot.campaign.request import Request, Scene
from bot.dice.labels import LabelledDraws
from bot.record.ledger import Ledger, numbered
from bot.storage import schema
from bot.storage.loading import ROLLERS, read_memory, read_roller
from bot.storage.rows import EVENTS, read_event, write_event
from bot.storage.threaded import WritingEngine


@dataclass(frozen=True, slots=True)
class PlainWriter:
    """Rolls of rollers that are there and remember; nothing is shared between two rolls."""

    engine: WritingEngine
    process: str
    open_draws: Callable[[], LabelledDraws]
    turn: asyncio.Semaphore
    """As many at once as there are connections."""

    async def write(self, asked: Asked, request: Request) -> Event:
        """The roll, durable."""
        async with self.turn, self.engine.connect() as connection:
            return await connection.run_sync(self._roll, asked, request)

    def _roll(self, connection: Connection, asked: Asked, request: Request) -> Event:
        campaign, event, roller, memory = schema.campaign, schema.event, schema.roller, schema.memory
        locked = connection.execute(
            select(campaign)
            .join(schema.channel)
            .where(schema.channel.c.channel_id == asked.channel_id)
            .with_for_update(of=campaign)
        )
        ledger_row = locked.mappings().one()
        ledger = Ledger(ledger_row["id"], ledger_row["seq"], ledger_row["head"])
        answered = connection.execute(EVENTS.where(event.c.interaction_id == asked.interaction_id))
        if row := answered.mappings().one_or_none():
            return read_event(row)
        here = (roller.c.campaign_id == ledger.campaign_id) & (roller.c.channel_id == asked.channel_id)
        found = connection.execute(ROLLERS.where(here & (roller.c.key == request.needs().roller)))
        roller_row = found.mappings().one()
        state = read_roller(roller_row)
        its_memory = (
            (memory.c.roller_id == roller_row["id"])
            & (memory.c.epoch == state.epoch)
            & (memory.c.owner_id == state.owner(asked.user_id))
        )
        value = connection.scalar(select(memory.c.value).where(its_memory))

        draws = self.open_draws()
        scene = Scene(state, read_memory(value) if value else None)
        change = request.decide(asked, scene, draws)
        ledger, made = ledger.append(asked, change, draws.label, os.urandom(16))
        if change.state is None or change.memory is None:
            raise TypeError("only rolls of rollers that remember are measured")
        after = numbered(change.state, made.seq)
        owner_id, numbers = change.memory

        connection.execute(insert(event).values(**write_event(made)))
        moved = update(campaign).where(campaign.c.id == ledger.campaign_id)
        connection.execute(moved.values(seq=ledger.seq, head=ledger.head))
        connection.execute(
            update(roller).where(roller.c.id == roller_row["id"]).values(epoch=after.epoch, last=after.last)
        )
        text = json.dumps(numbers)
        if value:
            connection.execute(update(memory).where(its_memory).values(value=text))
        else:
            key = {"roller_id": roller_row["id"], "epoch": after.epoch, "owner_id": owner_id}
            connection.execute(insert(memory).values(**key, value=text))
        owed = schema.outbox
        connection.execute(
            insert(owed).values(campaign_id=made.campaign_id, seq=made.seq, process=self.process)
        )
        # The roll before was replied to meanwhile.
        connection.execute(delete(owed).where(owed.c.campaign_id == made.campaign_id, owed.c.seq < made.seq))
        connection.commit()
        return made
