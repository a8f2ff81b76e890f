"""People's characters and their numbers, in the campaign played there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from bot.campaign.characters import Character, a_character, a_number
from bot.campaign.command import Caller
from bot.campaign.sheets import bonuses, read_sheet
from bot.dice.errors import DiceError, Unknown
from bot.dice.naming import folded
from bot.services.access import DataStore
from bot.storage import characters
from bot.storage.engine import work

Numbers: TypeAlias = Mapping[str, str]
"""Numbers by their folded names."""
NO_NUMBERS: Numbers = MappingProxyType({})
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Characters:
    """The use cases of characters."""

    store: DataStore

    async def mine(self, caller: Caller) -> list[Character]:
        """Return the caller's characters here; the first one is in use."""
        return await self.store.reader.do(characters.mine(caller))

    async def set(self, caller: Caller, text: str, scores: tuple[str, ...] = ()) -> Character:
        """Set numbers of the character in use, scores among them as bonuses; SpecError for what is none."""
        numbers = bonuses(read_sheet(text).numbers, scores)
        return await self._change(caller, lambda own: (own[:1], (own or [Character()])[0].having(numbers)))

    async def edit(self, caller: Caller, old: str, name: str, text: str) -> Character:
        """Give the caller's character of that name a name and numbers; SpecError where they can't be."""
        numbers = dict(read_sheet(text).numbers) if text.strip() else {}
        after = Character(a_character(name) if name.strip() else "", numbers)
        return await self._change(caller, lambda own: (_named(own, old, there=bool(own)), after))

    async def new(self, caller: Caller, name: str) -> Character:
        """Make a character, and use it; SpecError where there is one of that name."""
        character = Character(a_character(name))
        return await self._change(caller, lambda _: ([], character))

    async def use(self, caller: Caller, name: str) -> Character:
        """Use another of the caller's characters; Unknown if there is none of that name."""
        return await self._change(caller, lambda own: (found := _named(own, name), found[0]))

    async def remove(self, caller: Caller, name: str) -> None:
        """Remove a character of the caller's; Unknown if there is none of that name."""
        await self._change(caller, lambda own: (_named(own, name), None))

    async def give(self, caller: Caller, numbers: Iterable[tuple[str, str]], *, keep: bool) -> Numbers:
        """Return what typed numbers are for the caller's character, and keep them if they are to be kept.

        SpecError for what is no number.
        """
        typed = [(a_number(name), text.strip() or "0") for name, text in numbers]
        if keep:
            character = await self._change(
                caller, lambda own: (own[:1], (own or [Character()])[0].having(typed))
            )
        else:
            character = ((await self.mine(caller)) or [Character()])[0].having(typed)
        return {folded(name): str(character.values[name.casefold()]) for name, _ in typed}

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return the names of the caller's characters that contain what was typed."""
        wanted = typed.strip().casefold()
        return [each.name for each in await self.mine(caller) if each.name and wanted in each.key]

    async def _change(
        self, caller: Caller, change: Callable[[list[Character]], tuple[list[Character], Character | None]]
    ) -> Character:
        """Put what a change returns in the place of what it names first; again where others were faster."""
        for _ in range(_TRIES):
            old, after = change(own := await self.mine(caller))
            before = old[0] if old else None
            if await work(self.store.database, characters.replace_with(caller, own, before, after)):
                return after or Character()
        raise DiceError("Your character was changed just now. Please try again.")


def _named(own: list[Character], name: str, *, there: bool = True) -> list[Character]:
    """Return the one of that name; Unknown if there is none, unless there need not be."""
    found = [each for each in own if each.key == name.strip().casefold()]
    if not found and there:
        raise Unknown("You have no character {name} here. `/me` shows yours.", name=name)
    return found
