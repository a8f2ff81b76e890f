"""What the batching writer is measured against: the same roll, in a transaction of its own."""

import json
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert, select, update

from bot.campaign.events import Asked, Event
from bot.campaign.request import Request, Scene
from bot.dice.labels import LabelledDraws
from bot.record.ledger import Ledger, numbered
from bot.storage import schema
from bot.storage.asking import Piece, Station, ask
from bot.storage.loading import ROLLERS, read_memory, read_roller
from bot.storage.rows import EVENTS, read_event, write_event
from bot.storage.working import committed

_c, _r, _m = schema.campaign.c, schema.roller.c, schema.memory.c
_LEDGER = (
    select(schema.campaign)
    .join(schema.channel)
    .where(schema.channel.c.channel_id == bindparam("channel"))
    .with_for_update(of=schema.campaign)
)
_ANSWERED = EVENTS.where(schema.event.c.interaction_id == bindparam("interaction"))
_ROLLER = ROLLERS.where(
    _r.campaign_id == bindparam("campaign"),
    _r.channel_id == bindparam("channel"),
    _r.key == bindparam("name"),
)
_its_memory = (
    (_m.roller_id == bindparam("roller"))
    & (_m.epoch == bindparam("now"))
    & (_m.owner_id == bindparam("owner"))
)
_MEMORY = select(_m.value).where(_its_memory)
_KEEP_EVENT = insert(schema.event)
_MOVE_LEDGER = (
    update(schema.campaign)
    .where(_c.id == bindparam("campaign"))
    .values(seq=bindparam("seq"), head=bindparam("head"))
)
_CHANGE_ROLLER = (
    update(schema.roller)
    .where(_r.id == bindparam("roller"))
    .values(epoch=bindparam("epoch"), last=bindparam("last"))
)
_CHANGE_MEMORY = update(schema.memory).where(_its_memory).values(value=bindparam("value"))
_MAKE_MEMORY = insert(schema.memory)
_OWE = insert(schema.outbox)
# The roll before was replied to meanwhile.
_SETTLE = delete(schema.outbox).where(
    schema.outbox.c.campaign_id == bindparam("campaign"), schema.outbox.c.seq < bindparam("number")
)


@dataclass(frozen=True, slots=True)
class PlainWriter:
    """Rolls of rollers that are there and remember; nothing is shared between two rolls."""

    writing: Callable[[], AbstractAsyncContextManager[Station]]
    process: str
    open_draws: Callable[[], LabelledDraws]

    async def write(self, asked: Asked, request: Request) -> Event:
        """The roll, durable."""
        async with self.writing() as station:
            return await station.do(committed(self._roll(asked, request)))

    def _roll(self, asked: Asked, request: Request) -> Piece[Event]:
        (ledger_row,) = yield ask(_LEDGER, {"channel": asked.channel_id})
        ledger = Ledger(ledger_row["id"], ledger_row["seq"], ledger_row["head"])
        if answered := (yield ask(_ANSWERED, {"interaction": asked.interaction_id})):
            return read_event(answered[0])
        here = {"campaign": ledger.campaign_id, "channel": asked.channel_id, "name": request.needs().roller}
        (roller_row,) = yield ask(_ROLLER, here)
        state = read_roller(roller_row)
        at = {"roller": roller_row["id"], "now": state.epoch, "owner": state.owner(asked.user_id)}
        memories = yield ask(_MEMORY, at)

        draws = self.open_draws()
        scene = Scene(state, read_memory(memories[0]["value"]) if memories else None)
        change = request.decide(asked, scene, draws)
        ledger, made = ledger.append(asked, change, draws.label, os.urandom(16))
        if change.state is None or change.memory is None:
            raise TypeError("only rolls of rollers that remember are measured")
        after = numbered(change.state, made.seq)
        owner_id, numbers = change.memory

        yield ask(_KEEP_EVENT, write_event(made))
        yield ask(_MOVE_LEDGER, {"campaign": made.campaign_id, "seq": ledger.seq, "head": ledger.head})
        yield ask(_CHANGE_ROLLER, {"roller": at["roller"], "epoch": after.epoch, "last": after.last})
        value = json.dumps(numbers)
        if memories:
            yield ask(_CHANGE_MEMORY, {**at, "value": value})
        else:
            row = {"roller_id": at["roller"], "epoch": after.epoch, "owner_id": owner_id, "value": value}
            yield ask(_MAKE_MEMORY, row)
        yield ask(_OWE, {"campaign_id": made.campaign_id, "seq": made.seq, "process": self.process})
        yield ask(_SETTLE, {"campaign": made.campaign_id, "number": made.seq})
        return made
