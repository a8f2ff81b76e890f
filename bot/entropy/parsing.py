"""Parse what services send, strictly: the right count, range and type, or `Refused`; never a repair."""

import json
import re
from collections.abc import Sequence

from bot.dice.system import Json, is_list, is_object
from bot.entropy.web import Refused, Reply

_HEX = re.compile(r"[0-9a-fA-F]*", re.ASCII)


def json_object(reply: Reply) -> dict[str, Json]:
    """Return the JSON object that the reply consists of."""
    try:
        value: object = json.loads(reply.text("application/json"))
    except (ValueError, RecursionError):
        # The error itself carries the text it could not read.
        raise reply.refused("its answer is not JSON") from None
    if not is_object(value):
        raise reply.refused("its answer is not a JSON object")
    return value


def part(of: dict[str, Json], name: str) -> dict[str, Json]:
    """Return the object that a JSON object has under a name."""
    value = of.get(name)
    if not is_object(value):
        raise Refused("its answer lacks a part")
    return value


def sequence(value: object, count: int) -> Sequence[object]:
    """Return a JSON array of exactly `count` things."""
    if not is_list(value):
        raise Refused("its answer has no list of numbers")
    if len(value) != count:
        raise Refused(f"it sent {len(value)} numbers, not {count}")
    return value


def integers(items: Sequence[object], size: int) -> bytes:
    """Integers that fit into `size` bytes each, as these bytes."""
    top = 256**size
    out = bytearray()
    for item in items:
        # A bool is an int in Python and must not pass for a random number.
        if type(item) is not int or not 0 <= item < top:
            raise Refused("it sent something else than numbers of the right size")
        out += item.to_bytes(size)
    return bytes(out)


def hexadecimal(value: object, count: int) -> bytes:
    """Return exactly `count` bytes out of their hex digits."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Refused("it sent something else than hex digits")
    if len(value) != 2 * count:
        raise Refused(f"it sent {len(value)} hex digits, not {2 * count}")
    return bytes.fromhex(value)
