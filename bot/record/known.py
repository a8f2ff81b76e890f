"""What a history tells of one roller: kept while it is folded, and in a cut for the history that is left.

A player stands in a cut as a salted hash, so that they can be erased; without its salt it says of nobody's
memory whose it is, and every player's memory may be anything there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.events import Event
from bot.campaign.rollers import TABLE, Roller
from bot.dice.bases import Json
from bot.dice.system import Memory
from bot.record.chain import hash_person

Place: TypeAlias = tuple[int, str]
"""A channel, and a roller's name casefolded."""
_Owner: TypeAlias = int | bytes
"""Whose memory: the table's, a player's, or that of the player with a hash."""

_TABLE = "table"


@dataclass(slots=True)
class Known:
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
        """Something happened to it that could not be seen."""
        self.memories.clear()
        self.loose = True

    def memory(self, owner: int, salt: bytes | None) -> Memory | None:
        """What it remembers since its epoch, of the table or a player; None if nothing is known."""
        epoch = self.roller.epoch
        found = self.memories.get((epoch, owner))
        if found is None and salt is not None:
            found = self.memories.get((epoch, hash_person(salt, owner, "")))
        return found

    def as_json(self, channel_id: int, salt: bytes) -> Json:
        """What `read_known` needs: memories of earlier epochs can't come back once the rest is cut off."""
        memories: dict[str, Json] = {
            _owner(owner, salt): list(memory)
            for (epoch, owner), memory in self.memories.items()
            if epoch == self.roller.epoch
        }
        said: dict[str, Json] = {
            "channel": str(channel_id),
            "roller": self.roller.as_json(),
            "last": self.roller.last,
            "memories": dict(sorted(memories.items())),
        }
        unsure = [name for name in ("made", "loose", "adrift") if getattr(self, name) is (name != "made")]
        return {**said, "unsure": list(unsure)} if unsure else said


def place_of(event: Event) -> Place:
    """Which roller an event is about."""
    return event.channel_id, event.roller.casefold()


def print_known(rollers: Mapping[Place, Known], salt: bytes) -> list[Json]:
    """The rollers for a cut, in order."""
    return [known.as_json(channel_id, salt) for (channel_id, _), known in sorted(rollers.items(), key=_first)]


def read_known(said: Iterable[Json], salt: bytes | None) -> dict[Place, Known]:
    """The rollers that a cut has kept; ValueError or a DiceError where its record is damaged."""
    rollers: dict[Place, Known] = {}
    for one in said:
        match one:
            case {"channel": str(channel), "roller": roller, "last": int(last), "memories": dict(memories)}:
                known = Known(Roller.from_json(roller, last))
                unsure = one.get("unsure", [])
            case _:
                raise ValueError("the record of what is left of the rollers is damaged")
        doubts = unsure if isinstance(unsure, list) else []
        known.made, known.loose, known.adrift = "made" not in doubts, "loose" in doubts, "adrift" in doubts
        for owner, memory in memories.items():
            if owner != _TABLE and salt is None:
                known.loose = True
                continue
            whose = TABLE if owner == _TABLE else bytes.fromhex(owner)
            known.memories[known.roller.epoch, whose] = _numbers(memory)
        rollers[int(channel), known.roller.name.casefold()] = known
    return rollers


def _owner(owner: _Owner, salt: bytes) -> str:
    if isinstance(owner, bytes):
        return owner.hex()
    return _TABLE if owner == TABLE else hash_person(salt, owner, "").hex()


def _numbers(memory: Json) -> Memory:
    numbers = tuple(n for n in memory if type(n) is int) if isinstance(memory, list) else ()
    if not isinstance(memory, list) or len(numbers) != len(memory):
        raise ValueError("the record of a memory is damaged")
    return numbers


def _first(item: tuple[Place, Known]) -> Place:
    return item[0]
