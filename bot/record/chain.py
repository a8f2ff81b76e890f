"""The history's hash chain: each head hashes the head before and everything an event says.

A person stands in it as a salted hash of their id and of their own words, so that erasing them leaves the
chain whole. Source: spec "operations", 3.3 and 6.2.
"""

import json
from dataclasses import replace
from hashlib import sha256

from bot.campaign.events import Event

START = bytes(32)
"""The head of an empty history."""
HEAD_CHARACTERS = 4
"""As many of the head's hexadecimal digits are shown beside a roll's number."""


def hash_person(salt: bytes, user_id: int, label: str) -> bytes:
    """What the chain holds in place of who asked, and of their words for it."""
    return sha256(salt + _canonical([user_id, label])).digest()


def link(head: bytes, event: Event) -> bytes:
    """The head after an event, from the head before it; the event's own `head` does not count."""
    said = [
        event.seq,
        event.interaction_id,
        event.channel_id,
        event.kind,
        event.roller,
        event.text,
        event.visibility,
        event.source,
        list(event.results),
        event.spec,
        event.target,
        dict(event.detail),
        event.person.hex(),
    ]
    return sha256(head + _canonical(said)).digest()


def seal(head: bytes, event: Event) -> Event:
    """The event with its head set."""
    return replace(event, head=link(head, event))


def short(head: bytes) -> str:
    """The few characters of a head that are shown to players."""
    return head.hex()[:HEAD_CHARACTERS]


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()
