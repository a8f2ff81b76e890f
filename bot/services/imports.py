"""Import rollers and saved rolls for a channel from a file.

Nothing that is there is replaced, and nothing is brought in twice however often Discord delivers the command.
Each roller is an event of its own, so that each can be undone alone.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.imports import Brought, Bundle, Imported, Left, read_import
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
    """The use case of bringing in."""

    store: DataStore
    rollers: Rollers
    saved: Saved

    async def bring(self, caller: Caller, bundle: Bundle) -> Brought:
        """Bring in what there is no other of; the rest is told with its reason.

        Rollers are for whoever may make them here, shared rolls for game masters, one's own for everybody.
        """
        left: list[Left] = []
        made = await self._bring_rollers(caller, bundle.rollers, left)
        # A saved roll may be of a roller, and one's own of a shared one, that only came with it.
        shared = await self._bring_saved(caller, bundle.shared, left, shared=True)
        saved = await self._bring_saved(caller, bundle.saved, left)
        return Brought(tuple(made), tuple(saved), tuple(shared), tuple(left))

    async def _bring_rollers(
        self, caller: Caller, rollers: Sequence[Imported], left: list[Left]
    ) -> list[tuple[Event, System]]:
        try:
            if rollers:
                await self.rollers.may_make(caller)
        except DiceError as error:
            left += [Left(roller.name, error) for roller in rollers]
            return []
        read: list[tuple[Imported, MakeRoller]] = []
        for roller in _each_once(rollers, left):
            try:
                system = await asyncio.to_thread(read_import, roller.text)
            except DiceError as error:
                left.append(Left(roller.name, error))
            else:
                name = clean(roller.name, NAME_LIMIT)
                read.append((roller, MakeRoller(name, system, roller.memory, new=True)))
        together = await self.store.writer.write_all([(caller, command) for _, command in read])
        left += [Left(read[place][0].name, error) for place, error in together.refused.items()]
        return [(one.event, load_spec(spec_of(one.event))) for one in together.written]

    async def _bring_saved(
        self,
        caller: Caller,
        saved: Sequence[tuple[str, str]],
        left: list[Left],
        *,
        shared: bool = False,
    ) -> list[str]:
        kept: list[str] = []
        waiting, before = [*saved], 0
        # One that has others' names in it waits until these are there.
        while len(waiting) != before:
            refused, before = list[tuple[str, str, DiceError]](), len(waiting)
            for name, dice in waiting:
                try:
                    made = await self.saved.save(caller, name, dice, shared=shared, instead=False)
                except DiceError as error:
                    refused.append((name, dice, error))
                else:
                    kept.append(made.name)
            waiting = [(name, dice) for name, dice, _ in refused]
            if len(waiting) == before:
                left += [Left(name, error) for name, _, error in refused]
        return kept


def _each_once(rollers: Sequence[Imported], left: list[Left]) -> list[Imported]:
    """Return the rollers without those of a name that came before."""
    found: dict[str, Imported] = {}
    for roller in rollers:
        first = found.setdefault(clean(roller.name, NAME_LIMIT).casefold(), roller)
        if (first.text, first.memory) != (roller.text, roller.memory):
            left.append(Left(roller.name, SpecError("The file has another roller of that name.")))
    return [*found.values()]
