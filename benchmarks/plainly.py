"""The baseline of the batching writer: the same roll, in a transaction of its own."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select, update

from bot.campaign.command import Caller, Drawing, decide
from bot.campaign.events import Event
from bot.campaign.state import State, evolve
from bot.dice.draws import SourcedDraws
from bot.storage import schema
from bot.storage.campaign_lookup import new_key
from bot.storage.engine import in_transaction
from bot.storage.queries import Connection, Queries, Query
from bot.storage.rows import EVENTS, ROLLERS, PersonAt, read_event, read_ledger, read_memory, read_roller
from bot.storage.saving import save_appended, save_people

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
    _r.key == bindparam("name"),
)
_its_memory = (
    (_m.roller_id == bindparam("roller"))
    & (_m.epoch == bindparam("now"))
    & (_m.owner_id == bindparam("owner"))
)
_PERSON = select(schema.person.c.secret).where(
    schema.person.c.campaign_id == bindparam("campaign"), schema.person.c.user_id == bindparam("user")
)
_MEMORY = select(_m.value).where(_its_memory)
_CHANGE_ROLLER = (
    update(schema.roller)
    .where(_r.id == bindparam("roller"))
    .values(epoch=bindparam("epoch"), last=bindparam("last"))
)
_CHANGE_MEMORY = update(schema.memory).where(_its_memory).values(value=bindparam("value"))
_MAKE_MEMORY = insert(schema.memory)
# The roll before was replied to meanwhile.
_SETTLE = (
    update(schema.event)
    .where(schema.event.c.campaign_id == bindparam("campaign"), schema.event.c.seq == bindparam("number"))
    .values(owed=None)
)


@dataclass(frozen=True, slots=True)
class PlainWriter:
    """Rolls of rollers that are there and remember; nothing is shared between two rolls."""

    writing: Callable[[], AbstractAsyncContextManager[Connection]]
    process: str
    open_draws: Callable[[], SourcedDraws]

    async def write(self, caller: Caller, command: Drawing) -> Event:
        """Roll, durably."""
        async with self.writing() as connection:
            return await connection.do(in_transaction(self._roll(caller, command)))

    def _roll(self, caller: Caller, command: Drawing) -> Queries[Event]:
        (ledger_row,) = yield Query(_LEDGER, {"channel": caller.channel_id})
        ledger = read_ledger(ledger_row)
        person = PersonAt(ledger.campaign_id, caller.user_id)
        rows = yield Query(_PERSON, {"campaign": person.campaign_id, "user": person.user_id})
        secret: bytes = rows[0]["secret"] if rows else new_key()
        if not rows:
            yield from save_people({person: secret})
        if answered := (yield Query(_ANSWERED, {"interaction": caller.interaction_id})):
            return read_event(answered[0])
        keys = {"campaign": ledger.campaign_id, "name": command.needs().roller}
        (roller_row,) = yield Query(_ROLLER, keys)
        roller = read_roller(roller_row)
        slot = roller.epoch, roller.memory.owner(caller.user_id)
        at = {"roller": roller_row["id"], "now": slot[0], "owner": slot[1]}
        memories = yield Query(_MEMORY, at)

        before = {slot: read_memory(memories[0]["value"])} if memories else {}
        state = State(roller=roller, memories=before, played=True)
        body = decide(command, caller, state, self.open_draws)
        appended = ledger.append(caller, command.options, body, secret)
        event = appended.event
        after = evolve(state, event)
        if after.roller is None or slot not in after.memories:
            raise TypeError("only rolls of rollers that remember are measured")

        yield from save_appended(appended, process=self.process)
        roller = after.roller
        yield Query(_CHANGE_ROLLER, {"roller": at["roller"], "epoch": roller.epoch, "last": roller.last})
        value = json.dumps(after.memories[slot])
        if memories:
            yield Query(_CHANGE_MEMORY, {**at, "value": value})
        else:
            row = {"roller_id": at["roller"], "epoch": slot[0], "owner_id": slot[1], "value": value}
            yield Query(_MAKE_MEMORY, row)
        yield Query(_SETTLE, {"campaign": event.campaign_id, "number": event.seq - 1})
        return event
