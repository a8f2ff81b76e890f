"""The four parts of an event, and how each is bound by itself, so that one can be shown and another closed.

Events are plain JSON here. A part is open as `[salt, value]`, or closed as its commitment of 64 hexadecimal
digits; the leaf is the same either way. Salts come from keys, so that erasing a key erases what hangs on it.
Source: docs/format.md, sections 1.2 to 1.4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import digest

from bot.record.canonical import NotCanonical, Value, bytes_of, text_of
from bot.record.tree import leaf_hash

PARTS = ("who", "words", "what", "how")
"""Who asked; their own words for it; what came out; what it was worked out from."""
KEY_BYTES = 32
SALT_DIGITS = 32
SEAL_DIGITS = 32
"""As many of the leaf's hexadecimal digits are shown of a hidden roll: to find two rolls that share them
takes 2^64 tries."""

_DOMAIN = "evenhand/2"
_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SALT = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets that one event's salts come from; never shown, logged or exported."""

    campaign: bytes = field(repr=False)
    person: bytes = field(repr=False)
    """The key of who asked, in this campaign."""

    def salts(self, seq: int) -> dict[str, str]:
        """Return each part's salt for the event of that number."""
        what, how = _two_salts(self.campaign, "what", seq)
        who, words = _two_salts(self.person, "who", seq)
        return {"who": who, "words": words, "what": what, "how": how}


def commitment(name: str, salt: str, value: Value) -> str:
    """Return what binds a part without telling it: 64 hexadecimal digits."""
    return commitment_of(name, salt, text_of(value))


def commitment_of(name: str, salt: str, text: str) -> str:
    """Return the commitment to a part that is written as canonical text."""
    return sha256(bytes_of(f'["{_DOMAIN}","{name}","{salt}",{text}]')).hexdigest()


def open_parts(event: Mapping[str, Value], parts: Mapping[str, Value], keys: Keys) -> dict[str, Value]:
    """Return an event's line with all its parts open: its public fields, and each part with its salt."""
    seq = event.get("seq")
    if type(seq) is not int:
        raise NotCanonical("an event has a number")
    salts = keys.salts(seq)
    return {**event, **{name: [salts[name], value] for name, value in parts.items()}}


def close_parts(event: Mapping[str, Value], *names: str) -> dict[str, Value]:
    """Return an event's line with these parts closed; a part that is not there stays away."""
    return {key: _closed(key, value) if key in names else value for key, value in event.items()}


def person_commitments(event: Mapping[str, Value]) -> tuple[str, str]:
    """Return the commitments to a person and to their words."""
    return _closed("who", event["who"]), _closed("words", event["words"])


def part_of(event: Mapping[str, Value], name: str) -> Value:
    """Return an open part's value; None where it is closed or not there."""
    match event.get(name):
        case [_, value]:
            return value
        case _:
            return None


def entry(event: Mapping[str, Value]) -> bytes:
    """Return what stands in the tree for an event: its line with all parts closed."""
    return bytes_of(text_of(close_parts(event, *PARTS)))


def leaf_of(event: Mapping[str, Value]) -> bytes:
    """Return an event's leaf, however it is told; NotCanonical for a part that is neither open nor closed."""
    match event:
        case {"seq": int(), "leaf": str(leaf), **rest} if not rest and _COMMITMENT.fullmatch(leaf):
            return bytes.fromhex(leaf)
        case _:
            return leaf_hash(entry(event))


def withhold(event: Mapping[str, Value]) -> dict[str, Value]:
    """Return the line for a reader who may know no more of an event than its number."""
    return {"leaf": leaf_of(event).hex(), "seq": event["seq"]}


def seal(leaf: bytes) -> str:
    """Return the beginning of a leaf as it is shown: four groups of eight hexadecimal digits."""
    digits = leaf.hex()[:SEAL_DIGITS]
    return " ".join(digits[place : place + 8] for place in range(0, SEAL_DIGITS, 8))


def _closed(name: str, part: Value) -> str:
    match part:
        case str() if _COMMITMENT.fullmatch(part):
            return part
        case [str(salt), value] if _SALT.fullmatch(salt):
            return commitment(name, salt, value)
        case _:
            raise NotCanonical(f"the part {name} is neither open nor closed")


def _two_salts(key: bytes, name: str, seq: int) -> tuple[str, str]:
    both = digest(key, f"{_DOMAIN} salt {name} {seq}".encode(), "sha256").hex()
    return both[:SALT_DIGITS], both[SALT_DIGITS:]
