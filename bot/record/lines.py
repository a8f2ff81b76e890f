"""Parse the lines of events, with open and closed parts.

Only canonical text is accepted: writing the values again must give the same line. Source: docs/format.md,
sections 1.2 and 1.3.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, cast

from bot.campaign.events import Body, Event
from bot.campaign.kinds import WORDLESS, Kind, Seal, Visibility, Words
from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.codec import Parts, Unreadable, decode, decode_value
from bot.record.hashing import (
    LARGEST_NUMBER,
    PARTS,
    NotCanonical,
    Value,
    bytes_of,
    check,
    commitment,
    is_hash,
    leaf_hash,
    read_line,
    text_of,
)
from bot.record.ledger import read_pub

_is_channel = re.compile("[0-9]{1,20}").fullmatch
is_snowflake = re.compile("[1-9][0-9]{15,18}").fullmatch
"""Return a match if a text is an id that Discord gives interactions and messages."""
_is_user = re.compile("0|[1-9][0-9]{0,19}").fullmatch
_is_salt = re.compile("[0-9a-f]{32}").fullmatch
_NEEDED = frozenset({"channel", "kind", "see", "seq"})
_FIELDS = frozenset({*PARTS, *_NEEDED, "clock", "id", "part", "pub", "target"})
_KINDS = {kind.value: kind for kind in Kind}
_SEE = {see.value: see for see in Visibility}
_MISFIT = "has a field or a part that is not as it should be"
_WHAT, _HOW = '{"results":', '{"draws":'
"""How the parts of plain dice begin, whose bodies are cached, since the same ones come again and again."""
_SHORT, _MANY = 200, 2_048
"""Cache limits: longest text in characters, entries."""


class EventRecord(NamedTuple):
    """An event as one reader may see it; a withheld one has only its number and its leaf."""

    seq: int
    leaf: bytes
    kind: Kind | None = None
    """None for a withheld event."""
    visibility: Visibility | None = None
    target: int | None = None
    pub: Mapping[str, Value] | None = None
    event: Event | None = None
    """None if its part "what" is closed; the fields of other closed parts have their defaults."""
    closed: frozenset[str] = frozenset()
    """Names of its closed parts."""
    press: tuple[int, int] | None = None
    """Discord's id of the interaction, and the part; None for an event that nobody asked for."""
    user_id: int | None = None
    """The person who asked; None for nobody, and if that is closed."""


def read_record(text: str) -> EventRecord:
    """Return the event on a line, given without its newline.

    Raise NotCanonical for text that is not canonical, Unreadable for any other that is no event.
    """
    try:
        return _read_event(text)
    except (DiceError, ValueError, TypeError, KeyError, RecursionError) as error:
        why = str(error)  # the error itself would keep all parsed values in memory
    # First of all raise NotCanonical for a line that could be read in two ways.
    read_line(bytes_of(text) + b"\n")
    raise Unreadable(why)


class _Read(NamedTuple):
    """The parts of a line, as values and as texts, and the event's leaf."""

    values: dict[str, dict[str, Json]]
    texts: dict[str, str]
    closed: frozenset[str]
    leaf: bytes


def _read_event(text: str) -> EventRecord:
    line = _object(json.loads(text))
    if text_of(line) != text:
        raise NotCanonical("it is not written canonically")
    if line.keys() == {"leaf", "seq"}:
        return EventRecord(_integer(line["seq"], least=0), bytes.fromhex(_text(line["leaf"], is_hash)))
    if not _NEEDED <= line.keys() <= _FIELDS or (visibility := _SEE.get(str(line["see"]))) is None:
        raise Unreadable(_MISFIT)
    kind, read = _KINDS.get(str(line["kind"])), _read_parts(line)
    if kind is None:
        raise Unreadable("is of a kind that there is not")
    if kind is Kind.ROLL and not line.keys() >= {*PARTS}:
        raise Unreadable("is a roll without one of its parts")
    if ("id" in line) == ("clock" in line) or ("clock" in line and "part" in line):
        raise Unreadable("has no time, or two")
    seq, part = _integer(line["seq"]), _integer(line.get("part", 1))
    press = (int(_text(line["id"], is_snowflake)), part if "part" in line else 0) if "id" in line else None
    clock = _integer(line["clock"], least=0) if "clock" in line else None
    target = _integer(line["target"]) if "target" in line else None
    open_fields, channel = _object(line.get("pub", {})), _text(line["channel"], _is_channel)
    log, pub = read_pub(seq, open_fields)
    user_id, own_words = _person(read.values["who"], read.values["words"])
    event = None
    if "what" in read.closed:
        # No codec checks these values, since no body is decoded from them.
        check(cast("Value", [open_fields, read.values["how"]]))
    else:
        event = Event(
            campaign_id=0,
            seq=seq,
            interaction_id=press[0] if press else None,
            part=press[1] if press else 0,
            clock=clock,
            channel_id=int(channel),
            user_id=user_id,
            words=own_words,
            visibility=visibility,
            body=_body(kind, target, pub, read),
            log=log,
            seal=Seal(
                read.leaf, (str(line["who"]), str(line.get("words", ""))) if "who" in read.closed else None
            ),
        )
    public = cast("Mapping[str, Value]", open_fields)
    return EventRecord(seq, read.leaf, kind, visibility, target, public, event, read.closed, press, user_id)


def _read_parts(line: dict[str, Json]) -> _Read:
    """Parse the parts, and hash the event's entry, in which each open part is replaced by its commitment."""
    values: dict[str, dict[str, Json]] = {name: {} for name in PARTS}
    texts: dict[str, str] = dict.fromkeys(PARTS, "{}")
    closed, entry = set[str](), {**line}
    for name in filter(line.__contains__, PARTS):
        match line[name]:
            case [str(salt), dict(value)] if _is_salt(salt):
                values[name], texts[name] = value, text_of(value)
                entry[name] = commitment(name, salt, texts[name])
            case str(hash_text) if is_hash(hash_text):
                closed.add(name)
            case _:
                raise Unreadable(_MISFIT)
    return _Read(values, texts, frozenset(closed), leaf_hash(bytes_of(text_of(entry))))


def _body(kind: Kind, target: int | None, pub: dict[str, Json], read: _Read) -> Body:
    what, how = read.texts["what"], read.texts["how"]
    plain = what.startswith(_WHAT) and how.startswith(_HOW)
    if pub or target or not plain or len(what) + len(how) > _SHORT:
        return decode(kind, target, Parts(pub, read.values["what"], read.values["how"]))
    return _plain_body(kind, what, how)


@lru_cache(maxsize=_MANY)
def _plain_body(kind: Kind, what: str, how: str) -> Body:
    return decode(kind, None, Parts({}, json.loads(what), json.loads(how)))


def _person(who: dict[str, Json], words: dict[str, Json]) -> tuple[int | None, Words | None]:
    """Return the person and their own words; None for both if the person was erased or is closed."""
    own_words = decode_value(Words, words) if words else WORDLESS
    if not who:
        return None, None
    if who.keys() != {"user"}:
        raise Unreadable(_MISFIT)
    return int(_text(who["user"], _is_user)), own_words


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise Unreadable("has a part that is no object")
    return value


def _text(value: Json, fits: Callable[[str], re.Match[str] | None]) -> str:
    if not isinstance(value, str) or not fits(value):
        raise Unreadable(_MISFIT)
    return value


def _integer(value: Json, *, least: int = 1) -> int:
    if type(value) is not int or not least <= value <= LARGEST_NUMBER:
        raise Unreadable("has a number that is none")
    return value
