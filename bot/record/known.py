"""State of one roller as an audit knows it, while a history is folded and in a cut.

A cut names a player by a tag made from their key, so that they can be erased. Without the keys the tags name
nobody, and every player's memory is unknown there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import TABLE, KeptRoller, Roller
from bot.dice.system import Memory

Tagging: TypeAlias = Callable[[int], str | None]
"""Gives the tag of a player in a cut; None for a player without a key."""
_Owner: TypeAlias = int | str
"""Owner of a memory: the table, a player's id, or a player's tag."""

_TABLE = "table"
_MADE, _LOOSE, _ADRIFT = "made", "loose", "adrift"


@dataclass(slots=True)
class KnownRoller:
    """A roller, its memories, and what of them is unknown."""

    roller: Roller
    memories: dict[tuple[int, _Owner], Memory] = field(default_factory=dict[tuple[int, _Owner], Memory])
    """By epoch and owner."""
    made: bool = True
    """True if the event that made it could be seen; only that one says whose rolls it remembers."""
    loose: bool = False
    """True if a memory that is missing here is unknown, since some of its rolls are hidden."""
    evening: int = 0
    """Number of the event that began the newest session."""
    adrift: bool = False
    """True if a hidden event was undone, so the number of its newest event is unknown."""

    @property
    def since(self) -> int:
        """Return the number of the event that its memories count from."""
        return self.roller.since(self.evening)

    def forget(self) -> None:
        """Drop its memories, after an event that could not be seen."""
        self.memories.clear()
        self.loose = True

    def memory(self, owner: int, tagging: Tagging) -> Memory | None:
        """Return the memory of the table or a player in its epoch; None if it is unknown."""
        epoch = self.since
        memory = self.memories.get((epoch, owner))
        tag = tagging(owner) if memory is None and owner != TABLE else None
        return self.memories.get((epoch, tag)) if tag else memory

    def keep(self, tagging: Tagging) -> KeptRoller:
        """Return it for a cut, without memories of earlier epochs, which no undo can restore after a cut."""
        memories = {
            tag: memory
            for (epoch, owner), memory in self.memories.items()
            if epoch == self.since and (tag := _tag(owner, tagging))
        }
        unsure = [_MADE] * (not self.made) + [_LOOSE] * self.loose + [_ADRIFT] * self.adrift
        evening = self.evening if self.since == self.evening else 0
        return KeptRoller(
            self.roller.at(0), tuple(sorted(memories.items())), self.roller.last, evening, tuple(unsure)
        )


def rollers_from_cut(kept_rollers: Iterable[KeptRoller]) -> dict[str, KnownRoller]:
    """Return the rollers of a cut, by casefolded name."""
    rollers: dict[str, KnownRoller] = {}
    for entry in kept_rollers:
        state = rollers[entry.roller.name.casefold()] = KnownRoller(
            entry.roller.at(entry.last),
            made=_MADE not in entry.unsure,
            loose=_LOOSE in entry.unsure,
            adrift=_ADRIFT in entry.unsure,
            evening=entry.evening,
        )
        for owner, memory in entry.memories:
            state.memories[state.since, TABLE if owner == _TABLE else owner] = memory
    return rollers


def _tag(owner: _Owner, tagging: Tagging) -> str | None:
    if isinstance(owner, str):
        return owner
    return _TABLE if owner == TABLE else tagging(owner)
