"""Store the state of the bets against a campaign's dice after a stretch of events; see `bot.stats.rigged`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import bindparam, delete, func, select

from bot.campaign.kinds import Kind
from bot.stats.processes import BetState
from bot.stats.rigged import EVERYBODY, Subject
from bot.storage import schema
from bot.storage.cutting import happened_since
from bot.storage.ledgers import lock_ledger
from bot.storage.queries import Queries, Query, replacing
from bot.storage.rows import IN_USE, of_campaign

_ALL_DICE = Subject(EVERYBODY, "")
"""Key of the row with the number of the last event in all other rows."""
_c, _v = schema.campaign.c, schema.evidence.c
_of_all_dice = (_v.user_id == _ALL_DICE.user_id) & (_v.die == _ALL_DICE.die)
_of_same_campaign = _v.campaign_id == _c.id
_STATES = (
    select(_c.seq.label("newest"), _v.user_id, _v.die, _v.upto, _v.state)
    .select_from(schema.campaign.outerjoin(schema.evidence, _of_same_campaign))
    .where(_c.id == bindparam("campaign"))
)
_BEHIND = (
    select(_c.id, _c.seq)
    .select_from(schema.campaign.outerjoin(schema.evidence, _of_same_campaign & _of_all_dice))
    .where(_c.seq - func.coalesce(_v.upto, 0) >= bindparam("least"), IN_USE)
    .order_by(_c.id)
)
_DROP = delete(schema.evidence).where(of_campaign(schema.evidence))


@dataclass(frozen=True, slots=True)
class StoredBets:
    """State of bets after event number `upto`, of `newest` events."""

    newest: int
    upto: int
    states: Mapping[Subject, BetState]


def load_bets(campaign_id: int) -> Queries[StoredBets]:
    """Return the state of a campaign's bets."""
    rows = yield Query(_STATES, {"campaign": campaign_id})
    states = {
        Subject(row["user_id"], row["die"]): BetState(**json.loads(row["state"]))
        for row in rows
        if row["die"]
    }
    newest = rows[0]["newest"] if rows else 0
    return StoredBets(newest, max((row["upto"] or 0 for row in rows), default=0), states)


def store_bets(
    campaign_id: int, before: StoredBets, upto: int, states: Mapping[Subject, BetState]
) -> Queries[None]:
    """Store the state of bets after event `upto`, unless it changed or a person was erased meanwhile."""
    yield from lock_ledger(campaign_id)
    current = yield from load_bets(campaign_id)
    if current.upto != before.upto or (yield from happened_since(campaign_id, before.newest, Kind.ERASE)):
        return
    texts = {_ALL_DICE: "", **{subject: json.dumps(asdict(state)) for subject, state in states.items()}}
    columns = {"campaign_id": campaign_id, "upto": upto}
    rows = [{**columns, **at._asdict(), "state": text} for at, text in texts.items()]
    yield Query(replacing(schema.evidence, "upto", "state"), rows)


def drop_bets(campaign_id: int) -> Queries[None]:
    """Delete the state of a campaign's bets; it is computed again from the first event."""
    yield Query(_DROP, {"campaign": campaign_id})


def campaigns_behind(least: int) -> Queries[list[tuple[int, int]]]:
    """Return the campaigns whose bets are at least `least` events behind, with their newest event number."""
    return [(row["id"], row["seq"]) for row in (yield Query(_BEHIND, {"least": least}))]
