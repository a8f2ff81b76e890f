"""Events as plain JSON with parts open and closed, as docs/format.md says, without the bot's code for it."""

import re
from collections.abc import Mapping
from hashlib import sha256

from bot.record.hashing import PARTS, Keys, Value, canon

Line = dict[str, Value]


def commitment(name: str, salt: str, value: Value) -> str:
    """Return the commitment to a part: 64 hexadecimal digits."""
    return sha256(canon(["evenhand/2", name, salt, value])).hexdigest()


def open_parts(event: Mapping[str, Value], parts: Mapping[str, Value], keys: Keys) -> Line:
    """Return the event's line with all its parts open."""
    seq = event["seq"]
    assert isinstance(seq, int)
    salts = keys.salts(seq)
    return {**event, **{name: [salts[name], value] for name, value in parts.items()}}


def close_parts(event: Mapping[str, Value], *names: str) -> Line:
    """Return the event's line with these parts closed; missing parts stay missing."""
    return {key: _closed(key, value) if key in names else value for key, value in event.items()}


def part_of(event: Mapping[str, Value], name: str) -> Value:
    """Return an open part's value; None if it is closed or missing."""
    match event.get(name):
        case [_, value]:
            return value
        case _:
            return None


def entry(event: Mapping[str, Value]) -> bytes:
    """Return an event's entry in the tree: its line with all parts closed."""
    return canon(close_parts(event, *PARTS))


def leaf_of(event: Mapping[str, Value]) -> bytes:
    """Return an event's leaf, whether its parts are open or closed."""
    match event:
        case {"seq": _, "leaf": str(leaf), **rest} if not rest:
            return bytes.fromhex(leaf)
        case _:
            return sha256(b"\0" + entry(event)).digest()


def withhold(event: Mapping[str, Value]) -> Line:
    """Return the line for a reader who may know no more of an event than its number."""
    return {"leaf": leaf_of(event).hex(), "seq": event["seq"]}


def _closed(name: str, part: Value) -> Value:
    match part:
        case [str(salt), value] if re.fullmatch("[0-9a-f]{32}", salt):
            return commitment(name, salt, value)
        case _:
            return part
