"""People's characters in a campaign: no part of the history, so they can change."""

import json

from sqlalchemy import bindparam, delete, insert, select

from bot.campaign.characters import CHARACTERS_LIMIT, Character
from bot.campaign.command import Caller
from bot.dice.errors import DiceError, SpecError
from bot.storage import schema
from bot.storage.asking import Ask, Piece
from bot.storage.campaigns import played, settle_in

_c = schema.character.c
_theirs = (_c.campaign_id == bindparam("campaign")) & (_c.user_id == bindparam("user"))
_ALL = select(_c.name, _c.numbers).where(_theirs).order_by(_c.used.desc(), _c.key)
# As it was read: whoever changes it meanwhile is not overtaken.
_TAKE = (
    delete(schema.character)
    .where(_theirs, _c.key == bindparam("its_key"), _c.numbers == bindparam("before"))
    .returning(_c.key)
)
_KEYS = select(_c.key).where(_theirs)
_KEEP = insert(schema.character)


def of_person(campaign_id: int, user_id: int) -> Piece[list[Character]]:
    """Return a person's characters in a campaign; the first one is in use."""
    rows = yield Ask(_ALL, {"campaign": campaign_id, "user": user_id})
    return [Character(row["name"], dict(json.loads(row["numbers"]))) for row in rows]


def mine(caller: Caller) -> Piece[list[Character]]:
    """Return the caller's characters in the campaign that is played; the first one is in use."""
    campaign_id = yield from played(caller.channel_id, caller.parent_id)
    return [] if campaign_id is None else (yield from of_person(campaign_id, caller.user_id))


def replace_with(caller: Caller, before: Character | None, after: Character | None) -> Piece[bool]:
    """Put a character in another's place and in use; False where that one was changed since it was read.

    DiceError over the limit, SpecError where there is another of its name.
    """
    campaign_id = yield from settle_in(caller)
    owner = {"campaign": campaign_id, "user": caller.user_id}
    if before and not (yield Ask(_TAKE, {**owner, "its_key": before.key, "before": _printed(before)})):
        return False
    if after is None:
        return True
    others: list[str] = [row["key"] for row in (yield Ask(_KEYS, owner))]
    if len(others) >= CHARACTERS_LIMIT:
        raise DiceError(f"You have {CHARACTERS_LIMIT} characters. Remove one first.")
    if after.key in others:
        raise SpecError(f"You have a character {after.name or 'without a name'} already.")
    row = {"campaign_id": campaign_id, "user_id": caller.user_id, "key": after.key, "name": after.name}
    yield Ask(_KEEP, {**row, "numbers": _printed(after), "used": caller.interaction_id or 0})
    return True


def _printed(character: Character) -> str:
    return json.dumps([*character.numbers.items()], ensure_ascii=False, separators=(",", ":"))
