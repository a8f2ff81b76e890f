"""Rolls that players keep under a name, in a campaign: no part of the history, so they can change."""

from typing import TypeAlias

from sqlalchemy import bindparam, delete, func, select

from bot.storage import schema
from bot.storage.queries import Queries, Query, replacing
from bot.storage.rows import of_campaign, of_user

Owner: TypeAlias = tuple[int, int]
"""A campaign and a player."""
SHARED = 0
"""The owner of the rolls that a campaign's game masters share with everybody."""

_s = schema.saved.c
_theirs = of_campaign(schema.saved) & of_user(schema.saved)
_ALL = select(_s.name, _s.text).where(_theirs).order_by(_s.key)
# A player's own roll goes before a shared one of the same name, which is overwritten: no id of a person is 0.
_offered = of_campaign(schema.saved) & _s.user_id.in_([bindparam("user"), SHARED])
_OFFERED = select(_s.key, _s.text).where(_offered).order_by(_s.user_id)
_COUNT = select(func.count()).where(_theirs, _s.key != bindparam("its_key"))
_KEEP = replacing(schema.saved, "name", "text")
_REMOVE = delete(schema.saved).where(_theirs, _s.key == bindparam("its_key")).returning(_s.key)


def keep(owner: Owner, name: str, text: str, limit: int) -> Queries[bool]:
    """Keep a roll for its owner; False if there are `limit` others already."""
    key = name.casefold()
    ((others,),) = yield Query(_COUNT, {"campaign": owner[0], "user": owner[1], "its_key": key})
    if others >= limit:
        return False
    row = {"campaign_id": owner[0], "user_id": owner[1], "key": key, "name": name, "text": text}
    yield Query(_KEEP, row)
    return True


def remove(owner: Owner, name: str) -> Queries[bool]:
    """Remove a roll; False if there was none."""
    parameters = {"campaign": owner[0], "user": owner[1], "its_key": name.casefold()}
    return bool((yield Query(_REMOVE, parameters)))


def all_of(owner: Owner) -> Queries[list[tuple[str, str]]]:
    """Return a player's saved rolls, by name: name and text."""
    rows = yield Query(_ALL, {"campaign": owner[0], "user": owner[1]})
    return [(row["name"], row["text"]) for row in rows]


def offered(owner: Owner) -> Queries[dict[str, str]]:
    """Return the texts that a player's own and the shared names stand for, by casefolded name."""
    rows = yield Query(_OFFERED, {"campaign": owner[0], "user": owner[1]})
    return {row["key"]: row["text"] for row in rows}
