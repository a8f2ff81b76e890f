"""Events as lines of plain JSON, with their parts open, and back from however a reader is told them.

Source: docs/format.md, sections 1.2 and 1.3.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.seals import Seal
from bot.campaign.visibility import Visibility
from bot.dice.bases import Json
from bot.record.canonical import NotCanonical, Value, rewrite
from bot.record.codec import Parts, Unreadable, decode, encode
from bot.record.commitments import PARTS, Keys, close_parts, open_parts
from bot.record.tree import leaf_hash

FORMAT = 2
ORIGIN = "evenhand/"

Line: TypeAlias = dict[str, Value]

_NUMBER = "(?:0|[1-9][0-9]{0,15})"
_HASH = '"[0-9a-f]{64}"'
# The canonical text of an event whose parts are closed, its `pub` put as 0: which fields there may be.
_is_entry = re.compile(
    rf'{{"channel":"[0-9]{{1,20}}",("clock":{_NUMBER},)?("how":{_HASH},)?("id":"[1-9][0-9]{{15,18}}",)?'
    rf'"kind":"[a-z_]{{1,20}}",("part":{_NUMBER},)?("pub":0,)?"see":"(?:public|self|gm|blind)","seq":{_NUMBER}'
    rf'(,"target":{_NUMBER})?(,"what":{_HASH})?(,"who":{_HASH})?(,"words":{_HASH})?}}',
    re.ASCII,
).fullmatch
_is_leaf = re.compile("[0-9a-f]{64}", re.ASCII).fullmatch
_is_user = re.compile("(?:0|[1-9][0-9]{0,19})", re.ASCII).fullmatch


@dataclass(frozen=True, slots=True)
class Told:
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


def write_line(event: Event, keys: Keys) -> Line:
    """Return an event's line with all parts open, but for those of an erased person."""
    parts = encode(event.body)
    line: Line = {
        "seq": event.seq,
        "kind": event.kind.value,
        "see": event.visibility.value,
        "channel": str(event.channel_id),
    }
    if event.interaction_id is None:
        line["clock"] = event.clock
    else:
        line["id"] = str(event.interaction_id)
    if event.part:
        line["part"] = event.part
    if event.target is not None:
        line["target"] = event.target
    if pub := write_pub(event.log, parts.pub):
        line["pub"] = cast("Value", pub)
    values: dict[str, Json] = {
        "who": {} if event.user_id is None else {"user": str(event.user_id)},
        "words": {"label": event.label} if event.label else {},
        "what": parts.what,
        "how": parts.how,
    }
    line = open_parts(line, cast("dict[str, Value]", values), keys)
    if event.seal.kept:
        line["who"], line["words"] = event.seal.kept
    return line


def write_pub(log: str, pub: Mapping[str, Json]) -> dict[str, Json]:
    """Return what an event says openly; `log` is the name that event 1 gives its log, else ""."""
    return {**pub, "format": FORMAT, "log": log, "origin": f"{ORIGIN}{log}"} if log else {**pub}


def read_pub(seq: int, pub: Mapping[str, Json]) -> tuple[str, dict[str, Json]]:
    """Return the log's name, "" but for event 1, and what the body says openly; Unreadable for no log."""
    rest = {**pub}
    if seq != 1:
        return "", rest
    log = rest.pop("log", None)
    if (rest.pop("format", None), rest.pop("origin", None)) != (FORMAT, f"{ORIGIN}{log}"):
        raise Unreadable("it does not begin a log of this format")
    return str(log), rest


def read_told(line: Line) -> Told:
    """Return an event as a line tells it; NotCanonical or Unreadable where it is none."""
    seq = line.get("seq")
    if type(seq) is not int:
        raise NotCanonical("it is no event")
    match line:
        case {"leaf": str(leaf), **rest} if rest.keys() == {"seq"} and _is_leaf(leaf):
            return Told(seq, bytes.fromhex(leaf))
        case _:
            pass
    entry = close_parts(line, *PARTS)
    text = rewrite(entry)
    shape = rewrite({**entry, "pub": 0}) if isinstance(entry.get("pub"), dict) else text
    if not _is_entry(shape.decode()):
        raise Unreadable("has a field or a part that is not as it should be")
    if "id" in line if "clock" in line else "id" not in line:
        raise Unreadable("has no time, or two")
    if "clock" in line and "part" in line:
        raise Unreadable("has no time, or two")
    if line["kind"] == Kind.ROLL.value and not line.keys() >= {*PARTS}:
        raise Unreadable("is a roll without one of its parts")
    return _read(seq, line, entry, leaf_hash(text))


def _read(seq: int, line: Line, entry: Line, leaf: bytes) -> Told:
    kind, visibility = Kind(str(line["kind"])), Visibility(str(line["see"]))
    target = cast("int | None", line.get("target"))
    closed = frozenset(name for name in PARTS if isinstance(line.get(name), str))
    interaction = int(str(line["id"])) if "id" in line else None
    part = cast("int", line.get("part", 0))
    told = Told(
        seq,
        leaf,
        kind,
        visibility,
        target,
        cast("Mapping[str, Value]", line.get("pub", {})),
        closed=closed,
        press=None if interaction is None else (interaction, part),
    )
    log, pub = read_pub(seq, _object(line.get("pub", {})))
    if "what" in closed:
        return told
    body = decode(kind, target, Parts(pub, _part(line, "what"), _part(line, "how")))
    user, label = _part(line, "who"), _part(line, "words")
    if not (user.keys() <= {"user"} and label.keys() <= {"label"}):
        raise Unreadable("has an unknown field in who or words")
    if user and not _is_user(str(user["user"])):
        raise Unreadable("has a user that is none")
    kept = (str(entry.get("who", "")), str(entry.get("words", ""))) if "who" in closed else None
    event = Event(
        campaign_id=0,
        seq=seq,
        interaction_id=interaction,
        part=part,
        clock=cast("int | None", line.get("clock")),
        channel_id=int(str(line["channel"])),
        user_id=int(str(user["user"])) if user else None,
        label=str(label.get("label", "")) if user else None,
        visibility=visibility,
        body=body,
        log=log,
        seal=Seal(leaf, kept),
    )
    return Told(seq, leaf, kind, visibility, target, told.pub, event=event, closed=closed, press=told.press)


def _part(line: Line, name: str) -> dict[str, Json]:
    match line.get(name):
        case [_, value]:
            return _object(value)
        case _:
            return {}


def _object(value: Value) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise Unreadable("has a part that is no object")
    return cast("dict[str, Json]", value)
