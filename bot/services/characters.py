"""Players' characters and their numbers, in the current campaign."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from bot.campaign.characters import Character, clean_character_name, clean_number_name
from bot.campaign.command import Caller
from bot.campaign.sheets import bonuses, read_sheet
from bot.dice.errors import Unknown
from bot.dice.naming import folded
from bot.services.access import DataStore
from bot.storage import belongings
from bot.storage.campaigns import in_played
from bot.storage.engine import transact

Numbers: TypeAlias = Mapping[str, str]
"""Folded name to the text of a number or formula."""
NO_NUMBERS: Numbers = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Characters:
    """The use cases of characters."""

    store: DataStore

    async def mine(self, caller: Caller) -> list[Character]:
        """Return the caller's characters here; the first one is in use."""
        find = partial(belongings.characters_of, user_id=caller.user_id)
        return await self.store.reader.do(in_played(caller, find))

    async def find(self, caller: Caller, name: str) -> Character:
        """Return the caller's character of that name, an empty one for ""; raise Unknown if it is gone."""
        return _find_edited(await self.mine(caller), name) or Character()

    async def set(self, caller: Caller, text: str, scores: tuple[str, ...] = ()) -> Character:
        """Set numbers of the current character, scores as bonuses; raise SpecError for anything else."""
        numbers = bonuses(read_sheet(text).numbers, scores)
        return await self._change(caller, lambda own: (_in_use(own), _having(own, numbers)))

    async def edit(self, caller: Caller, old: str, name: str, text: str) -> Character:
        """Replace name and numbers of the caller's character `old`; raise SpecError if they are invalid."""
        after = Character(clean_character_name(name) if name.strip() else "", dict(_numbers_of(text)))
        return await self._change(caller, lambda own: (_find_edited(own, old), after))

    async def new(self, caller: Caller, name: str, text: str = "") -> Character:
        """Create a character with these numbers and use it; raise SpecError if there is one of that name."""
        character = Character(clean_character_name(name)).having(_numbers_of(text))
        return await self._change(caller, lambda _: (None, character))

    async def use(self, caller: Caller, name: str, text: str = "") -> Character:
        """Switch to another of the caller's characters and set these numbers; raise Unknown if it is gone."""
        numbers = _numbers_of(text)
        return await self._change(
            caller, lambda own: (match := _find_named(own, name), match.having(numbers))
        )

    async def remove(self, caller: Caller, name: str) -> None:
        """Remove one of the caller's characters; raise Unknown if there is none of that name."""
        await self._change(caller, lambda own: (_find_named(own, name), None))

    async def give(self, caller: Caller, numbers: Iterable[tuple[str, str]], *, keep: bool) -> Numbers:
        """Return typed numbers as evaluated for the caller's character; with `keep` store them.

        Raise SpecError for anything that is no number.
        """
        typed = [(clean_number_name(name), text.strip() or "0") for name, text in numbers]
        if keep:
            character = await self._change(caller, lambda own: (_in_use(own), _having(own, typed)))
        else:
            character = _having(await self.mine(caller), typed)
        return {folded(name): str(character.values[name.casefold()]) for name, _ in typed}

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return the names of the caller's characters that contain the typed text."""
        key = typed.strip().casefold()
        return [own.name for own in await self.mine(caller) if own.name and key in own.key]

    async def _change(self, caller: Caller, change: belongings.CharacterChange) -> Character:
        return await transact(self.store.database, belongings.replace_character(caller, change))


def _numbers_of(text: str) -> Iterable[tuple[str, str]]:
    """Return the numbers in a text; none for an empty one."""
    return read_sheet(text).numbers if text.strip() else ()


def _in_use(own: list[Character]) -> Character | None:
    return own[0] if own else None


def _having(own: list[Character], numbers: Iterable[tuple[str, str]]) -> Character:
    """Return the character in use, or a new one, with these numbers set."""
    return (_in_use(own) or Character()).having(numbers)


def _find_edited(own: list[Character], name: str) -> Character | None:
    """Return the character of that name, None for a first one without a name; raise Unknown if it is gone."""
    return _find_named(own, name) if name or any(not character.name for character in own) else None


def _find_named(own: list[Character], name: str) -> Character:
    """Return the character of that name; raise Unknown if there is none."""
    for character in own:
        if character.key == name.strip().casefold():
            return character
    if not name:
        raise Unknown("You have no character without a name here. `/me` shows yours.")
    raise Unknown("You have no character {name} here. `/me` shows yours.", name=name)
