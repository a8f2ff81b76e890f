"""Players' characters and their numbers, in the current campaign."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from bot.campaign.characters import Character, clean_character_name, clean_number_name
from bot.campaign.command import Caller
from bot.campaign.sheets import bonuses, read_sheet
from bot.dice.errors import DiceError, Unknown
from bot.dice.naming import folded
from bot.services.access import DataStore
from bot.storage import characters
from bot.storage.engine import work

Numbers: TypeAlias = Mapping[str, str]
"""Folded name to the text of a number or formula."""
NO_NUMBERS: Numbers = MappingProxyType({})
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Characters:
    """The use cases of characters."""

    store: DataStore

    async def mine(self, caller: Caller) -> list[Character]:
        """Return the caller's characters here; the first one is in use."""
        return await self.store.reader.do(characters.of_caller(caller))

    async def set(self, caller: Caller, text: str, scores: tuple[str, ...] = ()) -> Character:
        """Set numbers of the current character, scores as bonuses; raise SpecError for anything else."""
        numbers = bonuses(read_sheet(text).numbers, scores)
        return await self._change(caller, lambda own: (own[:1], (own or [Character()])[0].having(numbers)))

    async def edit(self, caller: Caller, old: str, name: str, text: str) -> Character:
        """Replace name and numbers of the caller's character `old`; raise SpecError if they are invalid."""
        numbers = dict(read_sheet(text).numbers) if text.strip() else {}
        after = Character(clean_character_name(name) if name.strip() else "", numbers)
        return await self._change(caller, lambda own: (_find_named(own, old, required=bool(own)), after))

    async def new(self, caller: Caller, name: str) -> Character:
        """Create a character and use it; raise SpecError if there is one of that name."""
        character = Character(clean_character_name(name))
        return await self._change(caller, lambda _: ([], character))

    async def use(self, caller: Caller, name: str) -> Character:
        """Switch to another of the caller's characters; raise Unknown if there is none of that name."""
        return await self._change(caller, lambda own: (matches := _find_named(own, name), matches[0]))

    async def remove(self, caller: Caller, name: str) -> None:
        """Remove one of the caller's characters; raise Unknown if there is none of that name."""
        await self._change(caller, lambda own: (_find_named(own, name), None))

    async def give(self, caller: Caller, numbers: Iterable[tuple[str, str]], *, keep: bool) -> Numbers:
        """Return typed numbers as evaluated for the caller's character; with `keep` store them.

        Raise SpecError for anything that is no number.
        """
        typed = [(clean_number_name(name), text.strip() or "0") for name, text in numbers]
        if keep:
            character = await self._change(
                caller, lambda own: (own[:1], (own or [Character()])[0].having(typed))
            )
        else:
            character = ((await self.mine(caller)) or [Character()])[0].having(typed)
        return {folded(name): str(character.values[name.casefold()]) for name, _ in typed}

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return the names of the caller's characters that contain the typed text."""
        key = typed.strip().casefold()
        return [
            character.name for character in await self.mine(caller) if character.name and key in character.key
        ]

    async def _change(
        self, caller: Caller, change: Callable[[list[Character]], tuple[list[Character], Character | None]]
    ) -> Character:
        """Replace a character by the result of `change`; retry if the characters changed meanwhile."""
        for _ in range(_TRIES):
            old, after = change(current := await self.mine(caller))
            before = old[0] if old else None
            if await work(self.store.database, characters.replace_with(caller, current, before, after)):
                return after or Character()
        raise DiceError("Your character was changed just now. Please try again.")


def _find_named(own: list[Character], name: str, *, required: bool = True) -> list[Character]:
    """Return the characters of that name, none or one; raise Unknown if one is required and missing."""
    matches = [character for character in own if character.key == name.strip().casefold()]
    if not matches and required:
        raise Unknown("You have no character {name} here. `/me` shows yours.", name=name)
    return matches
