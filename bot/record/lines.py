"""Events read back from their lines, however a reader is told them.

Nothing fits but canonical text: a line must be written as it would be written again. Source: docs/format.md,
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
    leaf_hash,
    read_line,
    text_of,
)
from bot.record.ledger import read_pub

_is_channel = re.compile("[0-9]{1,20}").fullmatch
_is_press = re.compile("[1-9][0-9]{15,18}").fullmatch
_is_user = re.compile("0|[1-9][0-9]{0,19}").fullmatch
_is_salt = re.compile("[0-9a-f]{32}").fullmatch
_is_hash = re.compile("[0-9a-f]{64}").fullmatch
_NEEDED = frozenset({"channel", "kind", "see", "seq"})
_FIELDS = frozenset({*PARTS, *_NEEDED, "clock", "id", "part", "pub", "target"})
_KINDS = {kind.value: kind for kind in Kind}
_SEE = {see.value: see for see in Visibility}
_MISFIT = "has a field or a part that is not as it should be"
_WHAT, _HOW = '{"results":', '{"draws":'
"""How parts begin of plain dice, which come out the same again and again: their bodies are kept in mind."""
_SHORT, _MANY = 200, 2_048
"""The most characters of both, and how many there may be."""


class Told(NamedTuple):
    """An event as a reader is told it; withheld, it has nothing but its number and its leaf."""

    seq: int
    leaf: bytes
    kind: Kind | None = None
    """None where the event is withheld."""
    visibility: Visibility | None = None
    target: int | None = None
    pub: Mapping[str, Value] | None = None
    event: Event | None = None
    """None where it is not told what happened; what else is closed is as by default."""
    closed: frozenset[str] = frozenset()
    """The names of its closed parts."""
    press: tuple[int, int] | None = None
    """Discord's id and the part; None where nobody asked."""
    user_id: int | None = None
    """Who asked; None for nobody, and where it is not told."""


def read_told(text: str) -> Told:
    """Return an event as its line, but for the newline, tells it.

    NotCanonical for text that is written otherwise than canonically, Unreadable for all else that tells none.
    """
    try:
        return _read_told(text)
    except (DiceError, ValueError, TypeError, KeyError, RecursionError) as error:
        why = str(error)  # the error itself would keep all that was read in memory
    # A line that can be read in two ways says nothing at all.
    read_line(bytes_of(text) + b"\n")
    raise Unreadable(why)


class _Read(NamedTuple):
    """The parts of a line, as values and as texts, and what they are bound by."""

    values: dict[str, dict[str, Json]]
    texts: dict[str, str]
    closed: frozenset[str]
    leaf: bytes


def _read_told(text: str) -> Told:
    said = _object(json.loads(text))
    if text_of(said) != text:
        raise NotCanonical("it is not written canonically")
    if said.keys() == {"leaf", "seq"}:
        return Told(_integer(said["seq"], least=0), bytes.fromhex(_text(said["leaf"], _is_hash)))
    if not _NEEDED <= said.keys() <= _FIELDS or (visibility := _SEE.get(str(said["see"]))) is None:
        raise Unreadable(_MISFIT)
    kind, read = _KINDS.get(str(said["kind"])), _read_parts(said)
    if kind is None:
        raise Unreadable("is of a kind that there is not")
    if kind is Kind.ROLL and not said.keys() >= {*PARTS}:
        raise Unreadable("is a roll without one of its parts")
    if ("id" in said) == ("clock" in said) or ("clock" in said and "part" in said):
        raise Unreadable("has no time, or two")
    seq, part = _integer(said["seq"]), _integer(said.get("part", 1))
    press = (int(_text(said["id"], _is_press)), part if "part" in said else 0) if "id" in said else None
    clock = _integer(said["clock"], least=0) if "clock" in said else None
    target = _integer(said["target"]) if "target" in said else None
    openly, channel = _object(said.get("pub", {})), _text(said["channel"], _is_channel)
    log, pub = read_pub(seq, openly)
    user_id, said_words = _person(read.values["who"], read.values["words"])
    event = None
    if "what" in read.closed:
        # What no body is read from, nobody has looked at.
        check(cast("Value", [openly, read.values["how"]]))
    else:
        event = Event(
            campaign_id=0,
            seq=seq,
            interaction_id=press[0] if press else None,
            part=press[1] if press else 0,
            clock=clock,
            channel_id=int(channel),
            user_id=user_id,
            words=said_words,
            visibility=visibility,
            body=_body(kind, target, pub, read),
            log=log,
            seal=Seal(
                read.leaf, (str(said["who"]), str(said.get("words", ""))) if "who" in read.closed else None
            ),
        )
    told = cast("Mapping[str, Value]", openly)
    return Told(seq, read.leaf, kind, visibility, target, told, event, read.closed, press, user_id)


def _read_parts(said: dict[str, Json]) -> _Read:
    """Read the parts, and bind the event: in its entry open parts give way to what binds them."""
    values, texts, entry = dict[str, dict[str, Json]](), dict[str, str](), {**said}
    for name in PARTS:
        match said.get(name):
            case [str(salt), dict(value)] if _is_salt(salt):
                values[name], texts[name] = value, text_of(value)
                entry[name] = commitment(name, salt, texts[name])
            case str(bound) if _is_hash(bound):
                values[name], texts[name] = {}, "{}"
            case _ if name not in said:
                values[name], texts[name] = {}, "{}"
            case _:
                raise Unreadable(_MISFIT)
    closed = frozenset(name for name in PARTS if isinstance(said.get(name), str))
    return _Read(values, texts, closed, leaf_hash(bytes_of(text_of(entry))))


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
    """Return who asked and their own words; neither of an erased person, nor where nobody is told."""
    said = decode_value(Words, words) if words else WORDLESS
    if not who:
        return None, None
    if who.keys() != {"user"}:
        raise Unreadable(_MISFIT)
    return int(_text(who["user"], _is_user)), said


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
