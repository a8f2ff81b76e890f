"""Proof mode as commands and events have it: keys are committed to, and each number has one of them.

How bits follow from a key is worked out in `bot.record.proof_mode`. Source: docs/format.md, section 6.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.kinds import PUB, UNRECORDED, Body, Kind
from bot.dice.draws import Source

KEYS = 1_024
"""Keys of one commit; the event after it has the first one."""
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
class ProofMode:
    """A campaign's proof mode, as far as a command may look at it."""

    begun: int
    """The number of the commit whose keys are in use."""
    host: int | None = None
    """Who hosts the bot, and for whom others throw; None for nobody."""
    drand: int | None = None
    """The number of drand's round that is awaited; 0 once it has come, None where none was asked for."""

    def keys_left(self, seq: int) -> int:
        """Return how many keys are left after event number `seq`."""
        return max(0, self.begun + KEYS - seq)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysCommitted(Body):
    """Proof mode began, or went on with new keys; the hashes of the keys are published."""

    kind = Kind.COMMIT

    keys: int = field(default=0, metadata=PUB)
    root: str = field(default="", metadata=PUB)
    """The root over the keys' hashes, as 64 hexadecimal digits."""
    source: Source | None = None
    """The weakest source of the secret that the keys follow from."""
    second_hand: bool = False
    """Whether others throw for whoever hosts the bot; it does not say who that is."""
    drand: bool = False
    """Whether drand's first round after it becomes salt."""
    host: int | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """Who hosts the bot, if others throw for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaltGiven(Body):
    """A player gave words that all later bits of proof mode depend on, or drand a round."""

    kind = Kind.SALT

    salt: str = field(default="", metadata=PUB)
    drand: Round | None = field(default=None, metadata=PUB)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysDropped(Body):
    """Proof mode ended; keys that are left are never used."""

    kind = Kind.UNCOMMIT
