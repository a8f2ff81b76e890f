"""Players' saved rolls in a campaign; they are no part of the history, so they can change."""

from typing import TypeAlias

from sqlalchemy import bindparam, delete, func, select

from bot.storage import schema
from bot.storage.queries import Queries, Query, replacing
from bot.storage.rows import of_campaign, of_user

Owner: TypeAlias = tuple[int, int]
"""Campaign id and user id."""
SHARED = 0
"""User id of the rolls that a campaign's game masters share with everybody."""

_s = schema.saved.c
_of_owner = of_campaign(schema.saved) & of_user(schema.saved)
_ALL = select(_s.name, _s.text).where(_of_owner).order_by(_s.key)
# Ordered so that a player's own roll replaces a shared one of the same name: no user id is below `SHARED`.
_is_offered = of_campaign(schema.saved) & _s.user_id.in_([bindparam("user"), SHARED])
_OFFERED = select(_s.key, _s.text).where(_is_offered).order_by(_s.user_id)
_COUNT = select(func.count()).where(_of_owner, _s.key != bindparam("its_key"))
_REMOVE = delete(schema.saved).where(_of_owner, _s.key == bindparam("its_key")).returning(_s.key)


def save(owner: Owner, name: str, text: str, limit: int) -> Queries[bool]:
    """Save a roll for its owner; return False if there are `limit` others already."""
    key = name.casefold()
    ((others,),) = yield Query(_COUNT, {"campaign": owner[0], "user": owner[1], "its_key": key})
    if others >= limit:
        return False
    row = {"campaign_id": owner[0], "user_id": owner[1], "key": key, "name": name, "text": text}
    yield Query(replacing(schema.saved, "name", "text"), row)
    return True


def remove(owner: Owner, name: str) -> Queries[bool]:
    """Delete a roll; return False if there was none."""
    parameters = {"campaign": owner[0], "user": owner[1], "its_key": name.casefold()}
    return bool((yield Query(_REMOVE, parameters)))


def all_of(owner: Owner) -> Queries[list[tuple[str, str]]]:
    """Return the names and texts of an owner's saved rolls, by name."""
    rows = yield Query(_ALL, {"campaign": owner[0], "user": owner[1]})
    return [(row["name"], row["text"]) for row in rows]


def available(owner: Owner) -> Queries[dict[str, str]]:
    """Return the texts of a player's own and the shared rolls, by casefolded name."""
    rows = yield Query(_OFFERED, {"campaign": owner[0], "user": owner[1]})
    return {row["key"]: row["text"] for row in rows}
