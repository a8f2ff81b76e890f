"""Proof mode: one committed key for each of the next 1,024 numbers, and the bits of a roll from its key.

The keys' hashes are published before the first roll. So whoever rolls chooses nothing, and each roll is
provable as soon as its own key is shown, while all others stay secret. Source: docs/format.md, section 5.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from hmac import digest
from typing import cast

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.proof import KEYS, KeysCommitted, KeysDropped, SaltGiven, round_after
from bot.dice.draws import RecyclingDraws, Source
from bot.record.codec import encode
from bot.record.hashing import Tree, Value, canon, leaf_hash

SECRET_BYTES = 32
_HEX = re.compile("(?:[0-9a-f]{2})+")
_WORD_BYTES = RecyclingDraws.WORD_BITS // 8


@dataclass(frozen=True, slots=True)
class Epoch:
    """The secret of one epoch, 32 bytes of the mixed pool, which opens every roll of it, and where it is."""

    secret: bytes = field(repr=False)
    begun: int = 0
    """The number of its commit."""
    salt: str = ""
    """Of the players' own words; "" until somebody gave some."""

    def key_of(self, seq: int) -> bytes | None:
        """Return the key of an event's number; None beyond the last one."""
        place = seq - self.begun - 1
        return self.key(place) if 0 <= place < KEYS else None

    def after(self, event: Event) -> "Epoch | None":
        """Return the epoch after an event; None where its keys are never used again."""
        match event.body:
            case KeysCommitted() | KeysDropped():
                return None
            case SaltGiven() as body:
                return replace(self, salt=salted(self.salt, cast("Value", encode(body).pub)))
            case _:
                return self

    def key(self, place: int) -> bytes:
        """Return key number `place`, counted from 0; ValueError beyond the last one."""
        if not 0 <= place < KEYS:
            raise ValueError(f"an epoch has {KEYS} keys")
        return digest(self.secret, f"evenhand/2 key {place}".encode(), "sha256")

    def leaves(self) -> tuple[bytes, ...]:
        """Return the hashes of all keys, which are published; they tell nothing of the keys."""
        return tuple(leaf_hash(self.key(place)) for place in range(KEYS))


def keys_root(leaves: tuple[bytes, ...]) -> bytes:
    """Return the root over the hashes of an epoch's keys, which its `commit` holds."""
    tree = Tree()
    for leaf in leaves:
        tree = tree.append(leaf).tree
    return tree.root


@dataclass(frozen=True, slots=True)
class Press:
    """All that a roll's bits depend on besides its key; none of it is the host's to choose."""

    log: str
    """The campaign's 32 random hexadecimal digits."""
    seq: int
    interaction: str
    """Discord's id of the press, which Discord makes."""
    part: int
    salt: str
    """Of the players' own words; "" until somebody gave some."""


class KeyedDraws:
    """The draws of one roll whose bits follow from its key, fresh for each."""

    source = Source.KEYED

    def __init__(self, key: bytes, log: str, seq: int, caller: Caller, salt: str) -> None:
        draws = draws_of(key, Press(log, seq, str(caller.interaction_id), caller.part, salt))
        self.below = draws.below
        self.choose = draws.choose


def draws_of(key: bytes, press: Press) -> RecyclingDraws:
    """Return the draws of one roll, fresh for each."""
    return RecyclingDraws(words(key, press))


def words(key: bytes, press: Press) -> Callable[[], int]:
    """Return what gives the 64-bit words of one roll, one after the other: four from each HMAC."""
    said = f"evenhand/2 bits {press.log}|{press.seq}|{press.interaction}|{press.part}|{press.salt}"
    block = 0
    held = b""

    def word() -> int:
        nonlocal block, held
        if not held:
            held = digest(key, f"{said}|{block}".encode(), "sha256")
            block += 1
        taken, held = held[:_WORD_BYTES], held[_WORD_BYTES:]
        return int.from_bytes(taken)

    return word


def is_round(drand: Value, time: int) -> bool:
    """Return whether a salt has drand's first round after a time, in milliseconds since 1970.

    Its value must be its signature's hash; that drand signed it is not checked.
    """
    match drand:
        case [_, _, str(signature)] if _HEX.fullmatch(signature):
            value = sha256(bytes.fromhex(signature)).hexdigest()
            return drand == [round_after(time), value, signature]
        case _:
            return False


def salted(salt: str, pub: Value) -> str:
    """Return the salt after a `salt` event, whose public words all later bits depend on."""
    return sha256(canon([salt, pub])).hexdigest()
