"""Proof mode as commands and events have it: keys are committed to, and each number has one of them.

How bits follow from a key is worked out in `bot.record.proof_mode`. Source: docs/format.md, section 6.
"""

from dataclasses import dataclass, field

from bot.campaign.body import PUB, UNRECORDED, Body
from bot.campaign.kinds import Kind
from bot.dice.sources import Source

KEYS = 1_024
"""Keys of one commit; the event after it has the first one."""


@dataclass(frozen=True, slots=True)
class ProofMode:
    """A campaign's proof mode, as far as a command may look at it."""

    begun: int
    """The number of the commit whose keys are in use."""
    host: int | None = None
    """Who hosts the bot, and for whom others throw; None for nobody."""

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
    host: int | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """Who hosts the bot, if others throw for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaltGiven(Body):
    """A player gave words that all later bits of proof mode depend on."""

    kind = Kind.SALT

    salt: str = field(default="", metadata=PUB)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysDropped(Body):
    """Proof mode ended; keys that are left are never used."""

    kind = Kind.UNCOMMIT
