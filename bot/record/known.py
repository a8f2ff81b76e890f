"""What a history tells of one roller: kept while the history is folded, and in a cut.

A player stands in a cut as a tag from their key, so that they can be erased; without the keys it says of
nobody's memory whose it is, and every player's memory may be anything there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import TABLE, KeptRoller, Roller
from bot.dice.system import Memory

Tagging: TypeAlias = Callable[[int], str | None]
"""Gives what stands for a player in a cut; None for whoever has no key."""
_Owner: TypeAlias = int | str
"""Whose memory: the table's, a player's, or that of the player with a tag."""

_TABLE = "table"
_MADE, _LOOSE, _ADRIFT = "made", "loose", "adrift"


@dataclass(slots=True)
class KnownRoller:
    """A roller as far as the history has told."""

    roller: Roller
    memories: dict[tuple[int, _Owner], Memory] = field(default_factory=dict[tuple[int, _Owner], Memory])
    """By epoch and owner."""
    made: bool = True
    """Whether its making could be seen, which alone says whose rolls it remembers."""
    loose: bool = False
    """Whether a memory that is not here may be anything, since a part of it lies in a gap."""
    evening: int = 0
    """The number of the event that began the newest session."""
    adrift: bool = False
    """Whether its newest number is not known, since what lies in a gap was undone."""

    @property
    def since(self) -> int:
        """Return the number that its memories count from."""
        return self.roller.since(self.evening)

    def forget(self) -> None:
        """Keep nothing of its memories: something happened to it that could not be seen."""
        self.memories.clear()
        self.loose = True

    def memory(self, owner: int, tagging: Tagging) -> Memory | None:
        """Return what it remembers since its epoch, of the table or a player; None if nothing is known."""
        epoch = self.since
        found = self.memories.get((epoch, owner))
        tag = tagging(owner) if found is None and owner != TABLE else None
        return self.memories.get((epoch, tag)) if tag else found

    def keep(self, tagging: Tagging) -> KeptRoller:
        """Return it for a cut: memories of earlier epochs can't come back once the rest is cut off."""
        memories = {
            tag: memory
            for (epoch, owner), memory in self.memories.items()
            if epoch == self.since and (tag := _tag(owner, tagging))
        }
        unsure = [_MADE] * (not self.made) + [_LOOSE] * self.loose + [_ADRIFT] * self.adrift
        evening = self.evening if self.since == self.evening else 0
        kept = tuple(sorted(memories.items()))
        return KeptRoller(self.roller.at(0), kept, self.roller.last, evening, tuple(unsure))


def read_rollers(kept: Iterable[KeptRoller]) -> dict[str, KnownRoller]:
    """Return the rollers that a cut has kept, by casefolded name."""
    rollers: dict[str, KnownRoller] = {}
    for one in kept:
        known = rollers[one.roller.name.casefold()] = KnownRoller(
            one.roller.at(one.last),
            made=_MADE not in one.unsure,
            loose=_LOOSE in one.unsure,
            adrift=_ADRIFT in one.unsure,
            evening=one.evening,
        )
        for owner, memory in one.memories:
            known.memories[known.since, TABLE if owner == _TABLE else owner] = memory
    return rollers


def _tag(owner: _Owner, tagging: Tagging) -> str | None:
    if isinstance(owner, str):
        return owner
    return _TABLE if owner == TABLE else tagging(owner)
