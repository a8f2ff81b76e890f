"""Proof mode's events and key bookkeeping: committed keys, one for each event number.

The bits are derived from a key in `bot.record.proof_mode`. Source: docs/format.md, section 6.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.campaign.kinds import PUB, UNRECORDED, Body, Kind
from bot.dice.draws import Source
from bot.times import milliseconds_of

KEYS = 1_024
"""The number of keys in one commit."""
FEWEST = 256
"""Publish new keys while at least this many old ones remain, or once all are used up."""
GENESIS, PERIOD = 1_692_803_367_000, 3_000
"""The time of drand's round 1 (chain quicknet) and the time between rounds, in milliseconds."""
Round: TypeAlias = tuple[int, str, str]
"""A round of drand: its number, its value and its signature, both in hexadecimal digits."""


def round_after(time: int) -> int:
    """Return the number of drand's first round after a time in milliseconds since 1970."""
    return (time - GENESIS) // PERIOD + 2


def round_after_message(message: int) -> int:
    """Return the number of drand's first round after the message with this id.

    Whoever shows keys after a round is out could have tried keys until one fits it.
    """
    return round_after(milliseconds_of(message))


def time_of_round(number: int) -> int:
    """Return the time of a drand round, in milliseconds since 1970."""
    return GENESIS + (number - 1) * PERIOD


@dataclass(frozen=True, slots=True)
class CommittedKeys:
    """The public data of one commit's keys."""

    begun: int
    """The number of the commit event."""
    first: int
    """The number of the event that uses the first key."""
    message: int | None = None
    """The id of the message that published their root; None before."""

    @property
    def end(self) -> int:
        """Return the number after the last event that uses one of them."""
        return self.first + KEYS

    def has(self, seq: int) -> bool:
        """Return whether an event of that number uses one of them."""
        return self.first <= seq < self.end


@dataclass(frozen=True, slots=True)
class ProofMode:
    """A campaign's proof mode, as visible to commands."""

    keys: tuple[CommittedKeys, ...]
    """The keys in use and the next ones; none after a cut that removed their commit."""
    host: int | None = None
    """The id of the bot's host, for whom others press; None for nobody, 0 for an erased person."""
    drand: int | None = None
    """The number of the awaited drand round; 0 once it was given, None if none is used."""

    @property
    def begun(self) -> int:
        """Return the number of the newest commit; 0 for none."""
        return self.keys[-1].begun if self.keys else 0

    def keys_left(self, seq: int) -> int:
        """Return the number of unused keys after event number `seq`."""
        return sum(
            keys.end - max(seq + 1, keys.first) for keys in self.keys if keys.message and keys.end > seq
        )

    def next_first(self, seq: int) -> int | None:
        """Return the first event number of keys committed to by event `seq`; None if it is too late.

        New keys start once the published ones are used up, and people need time to see them before that.
        """
        published = [keys for keys in self.keys if keys.message]
        if len(published) > 1:
            return None
        if not published or seq >= published[0].end:
            return seq + 1
        return published[0].end if published[0].end - 1 - seq >= FEWEST else None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysCommitted(Body, kind=Kind.COMMIT):
    """Proof mode was switched on or got new keys; the hashes of the keys are published."""

    keys: int = field(default=0, metadata=PUB)
    root: str = field(default="", metadata=PUB)
    """The root over the keys' hashes, as 64 hexadecimal digits."""
    first: int = field(default=0, metadata=PUB)
    """The number of the event that has the first key."""
    source: Source | None = None
    """The weakest source of the secret that the keys are derived from."""
    second_hand: bool = False
    """Whether others press for the bot's host, whose id is not recorded."""
    drand: bool = False
    """Whether a round of drand becomes salt; see `KeysShown.round`."""
    host: int | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """The id of the bot's host, if others press for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysShown(Body, kind=Kind.SHOWN):
    """The root of the target, a commit, was published in a message."""

    message: str = field(default="", metadata=PUB)
    """Discord's id of the message."""
    round: int | None = field(default=None, metadata=PUB)
    """The number of drand's first round after the message, if it becomes salt; None in older histories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaltGiven(Body, kind=Kind.SALT):
    """Salt was added that all later bits of proof mode depend on: a player's words, or a drand round."""

    salt: str = field(default="", metadata=PUB)
    message: str = field(default="", metadata=PUB)
    """Discord's id of the message that showed the words, after which they count; "" in older histories."""
    drand: Round | None = field(default=None, metadata=PUB)


class KeysDropped(Body, kind=Kind.UNCOMMIT):
    """Proof mode was switched off; unused keys are dropped."""


def keys_after(keys: tuple[CommittedKeys, ...], seq: int, body: Body) -> tuple[CommittedKeys, ...]:
    """Return the keys in use and the next ones, after the event with that number."""
    match body:
        case KeysCommitted(first=first):
            published = tuple(committed for committed in keys if committed.message and first > seq + 1)
            return (*published[:1], CommittedKeys(seq, first))
        case KeysShown(target=target, message=message):
            return tuple(
                replace(committed, message=int(message)) if committed.begun == target else committed
                for committed in keys
            )
        case KeysDropped() | Body(kind=Kind.RESTORED):
            return ()
        case Body(kind=Kind.CUT, target=int(target)) if keys and target >= keys[0].begun:
            return ()
        case _:
            is_used_up = len(keys) > 1 and seq + 1 >= keys[1].first
            return keys[1:] if is_used_up else keys
