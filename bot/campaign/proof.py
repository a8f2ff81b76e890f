"""Proof mode as commands and events have it: keys are committed to, and each number has one of them.

How bits follow from a key is worked out in `bot.record.proof_mode`. Source: docs/format.md, section 6.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.campaign.kinds import PUB, UNRECORDED, Body, Kind
from bot.dice.draws import Source

KEYS = 1_024
"""Keys of one commit."""
FEWEST = 256
"""New keys are shown while at least this many old ones are left, or once all are used up."""
GENESIS, PERIOD = 1_692_803_367_000, 3_000
"""When round 1 of drand (chain quicknet) came, and from one round to the next, in milliseconds."""
Round: TypeAlias = tuple[int, str, str]
"""A round of drand: its number, its value and its signature, both in hexadecimal digits."""


def round_after(time: int) -> int:
    """Return the number of drand's first round after a time, which is in milliseconds since 1970."""
    return (time - GENESIS) // PERIOD + 2


def time_of_round(number: int) -> int:
    """Return when a round of drand comes, in milliseconds since 1970."""
    return GENESIS + (number - 1) * PERIOD


@dataclass(frozen=True, slots=True)
class CommittedKeys:
    """The keys of one commit, by what is public of them."""

    begun: int
    """The number of the commit."""
    first: int
    """The number of the event that has the first key."""
    message: int | None = None
    """The id of the message that showed their root; None until it did."""

    @property
    def end(self) -> int:
        """Return the number of the first event that has none of them."""
        return self.first + KEYS

    def has(self, seq: int) -> bool:
        """Return whether an event of that number has one of them."""
        return self.first <= seq < self.end


@dataclass(frozen=True, slots=True)
class ProofMode:
    """A campaign's proof mode, as far as a command may look at it."""

    keys: tuple[CommittedKeys, ...]
    """Those in use and those that wait to follow them; none after a cut that took their commit along."""
    host: int | None = None
    """Who hosts the bot, and for whom others throw; None for nobody, 0 for somebody who was erased since."""
    drand: int | None = None
    """The number of drand's round that is awaited; 0 once it has come, None where none was asked for."""

    @property
    def begun(self) -> int:
        """Return the number of the newest commit; 0 for none."""
        return self.keys[-1].begun if self.keys else 0

    def keys_left(self, seq: int) -> int:
        """Return how many keys are left after event number `seq`."""
        return sum(
            keys.end - max(seq + 1, keys.first) for keys in self.keys if keys.message and keys.end > seq
        )

    def next_first(self, seq: int) -> int | None:
        """Return the first number that keys committed to by event `seq` would have; None if too late.

        New keys take over once the shown ones are used up, and people need time to see them before that.
        """
        shown = [keys for keys in self.keys if keys.message]
        if len(shown) > 1:
            return None
        if not shown or seq >= shown[0].end:
            return seq + 1
        return shown[0].end if shown[0].end - 1 - seq >= FEWEST else None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysCommitted(Body, kind=Kind.COMMIT):
    """Proof mode began, or went on with new keys; the hashes of the keys are published."""

    keys: int = field(default=0, metadata=PUB)
    root: str = field(default="", metadata=PUB)
    """The root over the keys' hashes, as 64 hexadecimal digits."""
    first: int = field(default=0, metadata=PUB)
    """The number of the event that has the first key."""
    source: Source | None = None
    """The weakest source of the secret that the keys follow from."""
    second_hand: bool = False
    """Whether others throw for whoever hosts the bot; it does not say who that is."""
    drand: bool = False
    """Whether drand's first round after it becomes salt."""
    host: int | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """Who hosts the bot, if others throw for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysShown(Body, kind=Kind.SHOWN):
    """The root of the target, a commit, was shown in a message."""

    message: str = field(default="", metadata=PUB)
    """Discord's id of the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaltGiven(Body, kind=Kind.SALT):
    """A player gave words that all later bits of proof mode depend on, or drand a round."""

    salt: str = field(default="", metadata=PUB)
    drand: Round | None = field(default=None, metadata=PUB)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysDropped(Body, kind=Kind.UNCOMMIT):
    """Proof mode ended; keys that are left are never used."""


def keys_after(keys: tuple[CommittedKeys, ...], seq: int, body: Body) -> tuple[CommittedKeys, ...]:
    """Return the keys in use and those that wait, after an event of that number."""
    match body:
        case KeysCommitted(first=first):
            shown = tuple(one for one in keys if one.message and first > seq + 1)
            return (*shown[:1], CommittedKeys(seq, first))
        case KeysShown(target=target, message=message):
            return tuple(replace(one, message=int(message)) if one.begun == target else one for one in keys)
        case KeysDropped() | Body(kind=Kind.RESTORED):
            return ()
        case Body(kind=Kind.CUT, target=int(target)) if keys and target >= keys[0].begun:
            return ()
        case _:
            used = len(keys) > 1 and seq + 1 >= keys[1].first
            return keys[1:] if used else keys
