"""What people have of their own in a campaign, saved rolls and characters.

They are no part of the history, so they can change.
"""

import json
from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import bindparam, delete, func, select

from bot.campaign.characters import Character, must_have_room
from bot.campaign.command import Caller
from bot.dice.errors import SpecError
from bot.dice.naming import folded
from bot.storage import schema
from bot.storage.campaign_lookup import new_key
from bot.storage.campaigns import find_or_make
from bot.storage.ledgers import lock_ledger
from bot.storage.queries import Queries, Query, inserting, replacing
from bot.storage.rows import of_campaign, of_user

Owner: TypeAlias = tuple[int, int]
"""Campaign id and user id."""
SHARED = 0
"""User id of the rolls that a campaign's game masters share with everybody."""

_s = schema.saved.c
_of_owner = of_campaign(schema.saved) & of_user(schema.saved)
_SAVED_ROLLS = select(_s.name, _s.text).where(_of_owner).order_by(_s.key)
# Ordered so that a player's own roll replaces a shared one of the same name: no user id is below `SHARED`.
_is_offered = of_campaign(schema.saved) & _s.user_id.in_([bindparam("user"), SHARED])
_OFFERED = select(_s.key, _s.text).where(_is_offered).order_by(_s.user_id)
_COUNT = select(func.count()).where(_of_owner, _s.key != bindparam("its_key"))
_REMOVE = delete(schema.saved).where(_of_owner, _s.key == bindparam("its_key")).returning(_s.key)

CharacterChange: TypeAlias = Callable[[list[Character]], tuple[Character | None, Character | None]]
"""What a person's characters are turned into: one of them, or None, and what replaces it, or None."""
_c = schema.character.c
_of_person = of_campaign(schema.character) & of_user(schema.character)
_CHARACTERS = select(_c.key, _c.name, _c.numbers).where(_of_person).order_by(_c.used.desc(), _c.key)
_TAKE = delete(schema.character).where(_of_person, _c.key == bindparam("its_key"))


def save_roll(owner: Owner, name: str, text: str, limit: int) -> Queries[bool]:
    """Save a roll for its owner; return False if there are `limit` others already."""
    key = name.casefold()
    ((others,),) = yield Query(_COUNT, {"campaign": owner[0], "user": owner[1], "its_key": key})
    if others >= limit:
        return False
    row = {"campaign_id": owner[0], "user_id": owner[1], "key": key, "name": name, "text": text}
    yield Query(replacing(schema.saved, "name", "text"), row)
    return True


def remove_roll(owner: Owner, name: str) -> Queries[bool]:
    """Delete a roll; return False if there was none."""
    parameters = {"campaign": owner[0], "user": owner[1], "its_key": name.casefold()}
    return bool((yield Query(_REMOVE, parameters)))


def saved_rolls(owner: Owner) -> Queries[list[tuple[str, str]]]:
    """Return the names and texts of an owner's saved rolls, by name."""
    rows = yield Query(_SAVED_ROLLS, {"campaign": owner[0], "user": owner[1]})
    return [(row["name"], row["text"]) for row in rows]


def available_rolls(owner: Owner) -> Queries[dict[str, str]]:
    """Return the texts of a player's own and the shared rolls, by casefolded name."""
    rows = yield Query(_OFFERED, {"campaign": owner[0], "user": owner[1]})
    return {row["key"]: row["text"] for row in rows}


def characters_of(campaign_id: int, user_id: int) -> Queries[list[Character]]:
    """Return a person's characters in a campaign, the one in use first."""
    rows = yield Query(_CHARACTERS, {"campaign": campaign_id, "user": user_id})
    return [Character(row["name"], dict(json.loads(row["numbers"]))) for row in rows]


def numbers_of(campaign_id: int, user_id: int) -> Queries[dict[str, str]]:
    """Return the numbers of a person's character in use, by folded name."""
    own = yield from characters_of(campaign_id, user_id)
    return {folded(name): str(value) for name, value in own[0].values.items()} if own else {}


def replace_character(caller: Caller, change: CharacterChange) -> Queries[Character]:
    """Replace a character of the caller's as `change` says; return the new one, which is in use.

    Raise DiceError over the limit, SpecError if another character has its name.
    """
    campaign_id = yield from find_or_make(caller)
    # While this lock is held, nobody else changes the person's characters or inserts their row.
    yield from lock_ledger(campaign_id)
    before, after = change(own := (yield from characters_of(campaign_id, caller.user_id)))
    if before:
        yield Query(_TAKE, {"campaign": campaign_id, "user": caller.user_id, "its_key": before.key})
    others = {character.key: character.name for character in own if character != before}
    name = after.name if after else next(iter(others.values()), "")
    person = {"campaign_id": campaign_id, "user_id": caller.user_id, "secret": new_key(), "character": name}
    yield Query(replacing(schema.person, "character"), person)
    if after is None:
        return Character()
    must_have_room(len(others))
    if after.key in others:
        if not after.name:
            raise SpecError("You have a character without a name already.")
        raise SpecError("You have a character {name} already.", name=after.name)
    row = {"campaign_id": campaign_id, "user_id": caller.user_id, "key": after.key, "name": after.name}
    values = json.dumps([*after.numbers.items()], ensure_ascii=False, separators=(",", ":"))
    yield Query(inserting(schema.character), {**row, "numbers": values, "used": caller.interaction_id or 0})
    return after
