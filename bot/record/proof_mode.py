"""Proof mode: a committed key for each of the next 1,024 event numbers, and a roll's bits from its key.

The hashes of the keys are published before the first roll, so the host can't choose any result. Each roll can
be checked once its own key is shown, while the other keys stay secret. Source: docs/format.md, section 6.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from typing import cast

from bot.campaign.events import Event
from bot.campaign.proof import (
    KEYS,
    CommittedKeys,
    KeysCommitted,
    SaltGiven,
    keys_after,
    round_after,
    time_of_round,
)
from bot.dice.draws import RecyclingDraws, Source, words_of
from bot.record.codec import encode
from bot.record.hashing import Tree, Value, canon, leaf_hash
from bot.times import DISCORD_EPOCH, INSTANCE_BITS

SECRET_BYTES = 32
_SIGNATURE = re.compile("[0-9a-f]{96}")
_LINKS = 200
"""Links kept; a press that counts is late by seconds at most."""


@dataclass(frozen=True, slots=True)
class Salts:
    """The chain of salts of one commit; each link is a salt, and the id that presses must be above."""

    links: tuple[tuple[int, str], ...] = ((0, ""),)

    def after(self, event: Event) -> "Salts":
        """Return the chain after a `salt` event.

        A link counts for presses younger than its own, than the message that showed its words, and than
        those of all links before it.
        """
        if not isinstance(event.body, SaltGiven):
            return self
        drand = event.body.drand
        since = max(event.interaction_id or 0, int(event.body.message or 0))
        if drand:
            since = (time_of_round(drand[0]) - DISCORD_EPOCH + 1 << INSTANCE_BITS) - 1
        before, salt = self.links[-1]
        link = max(since, before), salted(salt, cast("Value", encode(event.body).pub))
        return Salts((*self.links[-_LINKS:], link))

    def of(self, interaction: int) -> str:
        """Return the salt that counts for an interaction."""
        return next((salt for since, salt in reversed(self.links) if since < interaction), "")


NO_SALT = Salts()
_UNUSED = CommittedKeys(0, 1)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The secret of 32 random bytes that derives all keys of one commit, and its salts."""

    secret: bytes = field(repr=False)
    keys: CommittedKeys = _UNUSED
    salts: Salts = NO_SALT

    def key_of(self, seq: int, interaction: int | None) -> bytes | None:
        """Return the key of an event number for an interaction; None if the keys were shown after it."""
        message = self.keys.message
        usable = message and interaction and interaction > message and self.keys.has(seq)
        return self.key(seq - self.keys.first) if usable else None

    def key(self, place: int) -> bytes:
        """Return key number `place`, counted from 0; raise ValueError beyond the last one."""
        if not 0 <= place < KEYS:
            raise ValueError(f"an epoch has {KEYS} keys")
        return digest(self.secret, f"evenhand/2 key {place}".encode(), "sha256")

    def leaves(self) -> tuple[bytes, ...]:
        """Return the hashes of all keys, which are published and reveal nothing of the keys."""
        return tuple(leaf_hash(self.key(place)) for place in range(KEYS))


@lru_cache(maxsize=4)  # an audit asks for the root of an epoch several times
def keys_root(leaves: tuple[bytes, ...]) -> bytes:
    """Return the root over the hashes of an epoch's keys, which its `commit` event holds."""
    tree = Tree()
    for leaf in leaves:
        tree = tree.append(leaf).tree
    return tree.root


@dataclass(frozen=True, slots=True)
class Press:
    """Everything besides its key that a roll's bits depend on; the host can choose none of it."""

    log: str
    """The campaign's 32 random hexadecimal digits."""
    seq: int
    interaction: int
    """The id that Discord made for the interaction."""
    salt: str
    """Hash of the players' own words; "" before the first ones."""


class KeyedDraws(RecyclingDraws):
    """The draws of one roll from its key; make a new one for each roll."""

    __slots__ = ()
    source = Source.KEYED

    def __init__(self, key: bytes, press: Press) -> None:
        super().__init__(words(key, press))


def words(key: bytes, press: Press) -> Callable[[], int]:
    """Return a function that gives the next 64-bit word of one roll; each HMAC has four words."""
    prefix = f"evenhand/2 bits {press.log}|{press.seq}|{press.interaction}|{press.salt}"
    return words_of(lambda block: digest(key, f"{prefix}|{block}".encode(), "sha256"))


def is_round(drand: Value, time: int) -> bool:
    """Return whether a salt has drand's first round after a time, in milliseconds since 1970.

    The value must be the hash of the signature; the signature itself is not checked.
    """
    match drand:
        case [_, _, str(signature)] if _SIGNATURE.fullmatch(signature):
            value = sha256(bytes.fromhex(signature)).hexdigest()
            return drand == [round_after(time), value, signature]
        case _:
            return False


def salted(salt: str, pub: Value) -> str:
    """Return the salt after a `salt` event with these public fields."""
    return sha256(canon([salt, pub])).hexdigest()


def epochs_after(epochs: tuple[Epoch, ...], event: Event, secret: bytes | None) -> tuple[Epoch, ...]:
    """Return the epochs in use and waiting after an event; `secret` is that of a commit."""
    by_commit = {epoch.keys.begun: epoch for epoch in epochs}
    if secret and isinstance(event.body, KeysCommitted):
        by_commit[event.seq] = Epoch(secret, CommittedKeys(event.seq, event.body.first))
    after = keys_after(tuple(epoch.keys for epoch in epochs), event.seq, event.body)
    renewed = (replace(by_commit[keys.begun], keys=keys) for keys in after)
    return tuple(
        replace(epoch, salts=epoch.salts.after(event)) if event.target in {None, epoch.keys.begun} else epoch
        for epoch in renewed
    )
