"""Keeps how the bets against a campaign's dice stand after each stretch of events; see `bot.stats.rigged`."""

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
"""Under this name a row says up to which event the others are."""
_c, _v = schema.campaign.c, schema.evidence.c
_of_all_dice = (_v.user_id == _ALL_DICE.user_id) & (_v.die == _ALL_DICE.die)
_STATES = (
    select(_c.seq.label("newest"), _v.user_id, _v.die, _v.upto, _v.state)
    .select_from(schema.campaign.outerjoin(schema.evidence))
    .where(_c.id == bindparam("campaign"))
)
_STATE = _STATES.where(_of_all_dice | ((_v.user_id == bindparam("user_id")) & (_v.die == bindparam("die"))))
_BEHIND = (
    select(_c.id, _c.seq)
    .select_from(schema.campaign.outerjoin(schema.evidence, (_v.campaign_id == _c.id) & _of_all_dice))
    .where(_c.seq - func.coalesce(_v.upto, 0) >= bindparam("least"), IN_USE)
    .order_by(_c.id)
)
_DROP = delete(schema.evidence).where(of_campaign(schema.evidence))
_KEEP = replacing(schema.evidence, "upto", "state")


@dataclass(frozen=True, slots=True)
class KeptBets:
    """How bets stand after the event `upto` of `newest`."""

    newest: int
    upto: int
    states: Mapping[Subject, BetState]


def load_bets(campaign_id: int, subject: Subject | None = None) -> Queries[KeptBets]:
    """Return how a campaign's bets stand: all, or those on one subject."""
    asked = {"campaign": campaign_id, **(subject._asdict() if subject else {})}
    rows = yield Query(_STATE if subject else _STATES, asked)
    found = {Subject(row["user_id"], row["die"]): row["state"] for row in rows if row["die"]}
    states = {subject: BetState(**json.loads(state)) for subject, state in found.items()}
    newest = rows[0]["newest"] if rows else 0
    return KeptBets(newest, max((row["upto"] or 0 for row in rows), default=0), states)


def keep_bets(
    campaign_id: int, before: KeptBets, upto: int, states: Mapping[Subject, BetState]
) -> Queries[None]:
    """Keep how bets stand after the event `upto`; not if they moved on or somebody was erased meanwhile."""
    yield from lock_ledger(campaign_id)
    now = yield from load_bets(campaign_id, _ALL_DICE)
    if now.upto != before.upto or (yield from happened_since(campaign_id, before.newest, Kind.ERASE)):
        return
    texts = {_ALL_DICE: "", **{subject: json.dumps(asdict(state)) for subject, state in states.items()}}
    here = {"campaign_id": campaign_id, "upto": upto}
    yield Query(_KEEP, [{**here, **at._asdict(), "state": text} for at, text in texts.items()])


def drop_bets(campaign_id: int) -> Queries[None]:
    """Forget how a campaign's bets stand: they are carried anew from its first event."""
    yield Query(_DROP, {"campaign": campaign_id})


def behind(least: int) -> Queries[list[tuple[int, int]]]:
    """Return the campaigns in which at least `least` events happened since, each with its newest one."""
    return [(row["id"], row["seq"]) for row in (yield Query(_BEHIND, {"least": least}))]
