"""The history's hash chain: each head hashes the head before and everything that an event says.

A person stands in it as a salted hash of their id and of their own words, so that erasing them leaves the
chain whole.
"""

import json
from dataclasses import replace
from hashlib import sha256

from bot.campaign.events import Event
from bot.record.codec import encode

START = bytes(32)
"""The head of an empty history."""
HEAD_CHARACTERS = 4
"""As many of the head's hexadecimal digits are shown beside a roll's number."""


def hash_person(salt: bytes, user_id: int, label: str) -> bytes:
    """Return what the chain holds in place of a person and of their words."""
    return sha256(salt + _canonical([user_id, label])).digest()


def link(head: bytes, event: Event) -> Event:
    """Return the event with the head after it, from the head before it; its own head does not count."""
    parts = encode(event.body)
    said = [
        event.seq,
        event.interaction_id,
        event.part,
        event.clock,
        event.channel_id,
        event.kind,
        event.visibility,
        event.target,
        [parts.pub, parts.what, parts.how],
        event.seal.person.hex(),
    ]
    return replace(event, seal=replace(event.seal, head=sha256(head + _canonical(said)).digest()))


def short(head: bytes) -> str:
    """Return the few characters of a head that are shown to players."""
    return head.hex()[:HEAD_CHARACTERS]


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()
