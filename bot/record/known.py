"""What a history tells of one roller: kept while it is folded, and in a cut for the history that is left.

A player stands in a cut as a salted hash, so that they can be erased; without its salt it says of nobody's
memory whose it is, and every player's memory may be anything there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.campaign.events import KeptRoller
from bot.campaign.rollers import TABLE, Roller
from bot.dice.system import Memory
from bot.record.chain import hash_person

_Owner: TypeAlias = int | bytes
"""Whose memory: the table's, a player's, or that of the player with a hash."""

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
    adrift: bool = False
    """Whether its newest number is not known, since what lies in a gap was undone."""

    def forget(self) -> None:
        """Keep nothing of its memories: something happened to it that could not be seen."""
        self.memories.clear()
        self.loose = True

    def memory(self, owner: int, salt: bytes | None) -> Memory | None:
        """Return what it remembers since its epoch, of the table or a player; None if nothing is known."""
        epoch = self.roller.epoch
        found = self.memories.get((epoch, owner))
        if found is None and salt is not None:
            found = self.memories.get((epoch, hash_person(salt, owner, "")))
        return found

    def keep(self, salt: bytes) -> KeptRoller:
        """Return it for a cut: memories of earlier epochs can't come back once the rest is cut off."""
        memories = {
            _owner(owner, salt): memory
            for (epoch, owner), memory in self.memories.items()
            if epoch == self.roller.epoch
        }
        unsure = [_MADE] * (not self.made) + [_LOOSE] * self.loose + [_ADRIFT] * self.adrift
        roller = replace(self.roller, last=0)
        return KeptRoller(roller, tuple(sorted(memories.items())), self.roller.last, tuple(unsure))


def keep_rollers(rollers: Mapping[str, KnownRoller], salt: bytes) -> tuple[KeptRoller, ...]:
    """Return the rollers for a cut, in the order of their names."""
    return tuple(known.keep(salt) for _, known in sorted(rollers.items()))


def read_rollers(kept: Iterable[KeptRoller], salt: bytes | None) -> dict[str, KnownRoller]:
    """Return the rollers that a cut has kept, by casefolded name; ValueError where a hash is damaged."""
    rollers: dict[str, KnownRoller] = {}
    for one in kept:
        known = rollers[one.roller.name.casefold()] = KnownRoller(
            one.restored(),
            made=_MADE not in one.unsure,
            loose=_LOOSE in one.unsure,
            adrift=_ADRIFT in one.unsure,
        )
        for owner, memory in one.memories:
            if owner != _TABLE and salt is None:
                known.loose = True
                continue
            whose = TABLE if owner == _TABLE else bytes.fromhex(owner)
            known.memories[known.roller.epoch, whose] = memory
    return rollers


def _owner(owner: _Owner, salt: bytes) -> str:
    if isinstance(owner, bytes):
        return owner.hex()
    return _TABLE if owner == TABLE else hash_person(salt, owner, "").hex()
