"""Import rollers and saved rolls for a channel from a file.

Nothing existing is replaced, and a second delivery of the command imports nothing twice. Each roller is an
event of its own, so that each can be undone alone.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.imports import Bundle, ImportedRoller, ImportResult, SkippedItem, read_import
from bot.campaign.roller_commands import MakeRoller
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.services.access import DataStore
from bot.services.rollers import Rollers
from bot.services.saved import Saved
from bot.storage.rows import spec_of
from bot.systems.registry import load_spec


@dataclass(frozen=True, slots=True)
class Imports:
    """The use case of importing."""

    store: DataStore
    rollers: Rollers
    saved: Saved

    async def bring(self, caller: Caller, bundle: Bundle) -> ImportResult:
        """Import all entries with new names; return them, and the skipped ones with their reasons.

        Rollers need the right to make them, shared rolls a game master; personal saved rolls nothing.
        """
        skipped: list[SkippedItem] = []
        rollers = await self._bring_rollers(caller, bundle.rollers, skipped)
        # A saved roll may use a roller of the same file, and a personal one a shared one.
        shared = await self._bring_saved(caller, bundle.shared, skipped, shared=True)
        saved = await self._bring_saved(caller, bundle.saved, skipped, shared=False)
        return ImportResult(tuple(rollers), tuple(saved), tuple(shared), tuple(skipped))

    async def _bring_rollers(
        self, caller: Caller, rollers: Sequence[ImportedRoller], skipped: list[SkippedItem]
    ) -> list[tuple[Event, System]]:
        try:
            if rollers:
                await self.rollers.may_make(caller)
        except DiceError as error:
            skipped += [SkippedItem(roller.name, error) for roller in rollers]
            return []
        commands: list[tuple[ImportedRoller, MakeRoller]] = []
        for roller in _drop_duplicates(rollers, skipped):
            try:
                system = await asyncio.to_thread(read_import, roller.text)
            except DiceError as error:
                skipped.append(SkippedItem(roller.name, error))
            else:
                name = clean(roller.name, NAME_LIMIT)
                commands.append((roller, MakeRoller(name, system, roller.memory, new=True)))
        together = await self.store.writer.write_all([(caller, command) for _, command in commands])
        skipped += [
            SkippedItem(commands[position][0].name, error) for position, error in together.refused.items()
        ]
        return [(row.event, load_spec(spec_of(row.event))) for row in together.written]

    async def _bring_saved(
        self, caller: Caller, saved: Sequence[tuple[str, str]], skipped: list[SkippedItem], *, shared: bool
    ) -> list[str]:
        saved_names: list[str] = []
        refused: list[tuple[str, str, DiceError]] = []
        waiting, before = [*saved], 0
        # A roll with names of others waits until these are saved.
        while len(waiting) != before:
            before = len(waiting)
            refused.clear()
            for name, dice in waiting:
                try:
                    roll = await self.saved.save(caller, name, dice, shared=shared, instead=False)
                except DiceError as error:
                    refused.append((name, dice, error))
                else:
                    saved_names.append(roll.name)
            waiting = [(name, dice) for name, dice, _ in refused]
        skipped += [SkippedItem(name, error) for name, _, error in refused]
        return saved_names


def _drop_duplicates(rollers: Sequence[ImportedRoller], skipped: list[SkippedItem]) -> list[ImportedRoller]:
    """Return the rollers without those whose name occurred before."""
    by_name: dict[str, ImportedRoller] = {}
    for roller in rollers:
        first = by_name.setdefault(clean(roller.name, NAME_LIMIT).casefold(), roller)
        if (first.text, first.memory) != (roller.text, roller.memory):
            skipped.append(SkippedItem(roller.name, SpecError("The file has another roller of that name.")))
    return [*by_name.values()]
