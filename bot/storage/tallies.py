"""The counts of faces, kept beside the history: one statement a batch, and asking costs the same for ever.

Hidden rolls join when they are revealed, so that no count tells what is hidden; undone ones are taken back.
"""

import json
from collections import Counter
from collections.abc import Iterable

from sqlalchemy import JSON, SelectBase, bindparam, cast, delete, func, literal, literal_column, select, true
from sqlalchemy.dialects.postgresql import Insert

from bot.campaign.events import Event
from bot.stats.tallies import count
from bot.storage import schema
from bot.storage.asking import Piece, ask, insert_or

NOBODY = 0
"""Whose counts those of erased players are."""

_t = schema.tally.c


def _adding(counts: SelectBase) -> Insert:
    """Return the statement that adds selected counts to what is there."""
    adding = insert_or(schema.tally).from_select(list(_t.keys()), counts)
    return adding.on_conflict_do_update(
        index_elements=schema.tally.primary_key, set_={"n": _t.n + adding.excluded.n}
    )


# All rows in one value, since a statement for each would be most of what a roll asks. Of the functions that
# take JSON apart both engines have only the one that takes an object.
_rows = func.json_each(bindparam("rows", type_=JSON)).table_valued("key", "value")
_ADD = _adding(
    select(*(cast(literal_column(f"value ->> {place}"), column.type) for place, column in enumerate(_t)))
    .select_from(_rows)
    .where(true())
)
_mine = _t.user_id == bindparam("user")
_FORGET = _adding(select(_t.campaign_id, literal(NOBODY), _t.die, _t.face, _t.n).where(_mine))
_DROP = delete(schema.tally).where(_mine)
_here = _t.campaign_id == bindparam("campaign")
_faces = select(_t.face, func.sum(_t.n).label("n")).where(_here, _t.die == bindparam("die")).group_by(_t.face)
_dice = (
    select(_t.die, func.sum(_t.n).label("n"))
    .where(_here)
    .group_by(_t.die)
    .order_by(func.sum(_t.n).desc(), _t.die)
)
# Everybody's, and one player's.
_FACES = (_faces, _faces.where(_mine))
_DICE = (_dice, _dice.where(_mine))


def save_tallies(counted: Iterable[tuple[Event, int]]) -> Piece[None]:
    """Add what rolls count, or take it back where the sign is -1."""
    added: Counter[tuple[int, int, str, str]] = Counter()
    for event, sign in counted:
        user_id = NOBODY if event.user_id is None else event.user_id
        for (die, face), n in count(event).items():
            added[event.campaign_id, user_id, die, face] += sign * n
    if rows := [(*at, n) for at, n in sorted(added.items()) if n]:
        yield ask(_ADD, {"rows": json.dumps(dict(enumerate(rows)))})


def forget_tallies(user_id: int) -> Piece[None]:
    """Make a player's counts nobody's; those of everybody together stay as they are."""
    yield ask(_FORGET, {"user": user_id})
    yield ask(_DROP, {"user": user_id})


def faces(campaign_id: int, die: str, user_id: int | None = None) -> Piece[Counter[str]]:
    """Return how often each face of a die came out, for everybody or one player."""
    theirs = {} if user_id is None else {"user": user_id}
    rows = yield ask(_FACES[user_id is not None], {"campaign": campaign_id, "die": die, **theirs})
    return Counter({row["face"]: int(row["n"]) for row in rows})


def dice(campaign_id: int, user_id: int | None = None) -> Piece[dict[str, int]]:
    """Return the dice that were counted and how often, the most rolled first."""
    theirs = {} if user_id is None else {"user": user_id}
    rows = yield ask(_DICE[user_id is not None], {"campaign": campaign_id, **theirs})
    return {row["die"]: int(row["n"]) for row in rows}
