"""Events as lines of plain JSON, with their parts open, and back from however a reader is told them.

Source: docs/format.md, sections 1.2 and 1.3.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.seals import Seal
from bot.campaign.visibility import Visibility
from bot.dice.bases import Json
from bot.record.canonical import LARGEST_NUMBER, NotCanonical, Value, bytes_of, check, text_of
from bot.record.codec import Parts, Unreadable, decode, encode
from bot.record.commitments import PARTS, Keys, open_parts, person_commitments
from bot.record.entries import FORMAT, ORIGIN, PublicFields, closed, opened, pub_of
from bot.record.tree import leaf_hash

Line: TypeAlias = dict[str, Value]

_FIELDS = frozenset({"channel", "clock", "id", "kind", "part", "pub", "see", "seq", "target", *PARTS})
_is_channel = re.compile("[0-9]{1,20}", re.ASCII).fullmatch
_is_id = re.compile("[1-9][0-9]{15,18}", re.ASCII).fullmatch
_is_hash = re.compile("[0-9a-f]{64}", re.ASCII).fullmatch
_is_salt = re.compile("[0-9a-f]{32}", re.ASCII).fullmatch
_is_user = re.compile("(?:0|[1-9][0-9]{0,19})", re.ASCII).fullmatch


@dataclass(frozen=True, slots=True)
class Told:
    """An event as a reader is told it; withheld, it has nothing but its number and its leaf."""

    seq: int
    leaf: bytes
    text: str
    """Its line as it is written canonically."""
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
    if pub := pub_of(event.log, parts):
        line["pub"] = {**pub}
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


def read_pub(seq: int, pub: Mapping[str, Json]) -> tuple[str, dict[str, Json]]:
    """Return the log's name, "" but for event 1, and what the body says openly; Unreadable for no log."""
    rest = {**pub}
    if seq != 1:
        return "", rest
    log = rest.pop("log", None)
    if (rest.pop("format", None), rest.pop("origin", None)) != (FORMAT, f"{ORIGIN}{log}"):
        raise Unreadable("it does not begin a log of this format")
    return str(log), rest


def without_person(event: Event, keys: Keys) -> Event:
    """Return an event as it is once its person is erased: nobody's, with what binds them."""
    kept = person_commitments(write_line(event, keys))
    return replace(event, user_id=None, label=None, seal=replace(event.seal, kept=kept))


def read_told(line: Line) -> Told:
    """Return an event as a line tells it; NotCanonical or Unreadable where it is none.

    A line of a file must be compared with the text that it gives: more than one text has the same values.
    """
    seq = line.get("seq")
    if type(seq) is not int:
        raise NotCanonical("it is no event")
    match line:
        case {"leaf": str(leaf), **rest} if rest.keys() == {"seq"} and _is_hash(leaf):
            return Told(seq, bytes.fromhex(leaf), f'{{"leaf":"{leaf}","seq":{seq}}}')
        case _:
            pass
    public = _read_public(line, seq)
    told, entry = dict[str, str](), dict[str, str]()
    for name in PARTS:
        if name in line:
            told[name], entry[name] = _read_part(name, line[name])
    if public.kind == Kind.ROLL.value and len(told) < len(PARTS):
        raise Unreadable("is a roll without one of its parts")
    return _read(line, public, entry, public.line(told))


def _read_public(line: Line, seq: int) -> PublicFields:
    channel, interaction, clock = line.get("channel"), line.get("id"), line.get("clock")
    part, target, pub = line.get("part"), line.get("target"), line.get("pub")
    if (interaction is None) == (clock is None) or (clock is not None and part is not None):
        raise Unreadable("has no time, or two")
    fits = (
        line.keys() <= _FIELDS
        and None not in line.values()
        and (isinstance(channel, str) and _is_channel(channel))
        and (interaction is None or (isinstance(interaction, str) and _is_id(interaction)))
        and (pub is None or isinstance(pub, dict))
    )
    if not fits:
        raise Unreadable("has a field or a part that is not as it should be")
    return PublicFields(
        seq,
        Kind(str(line.get("kind"))).value,
        Visibility(str(line.get("see"))).value,
        str(channel),
        None if interaction is None else str(interaction),
        _number(part),
        _number(clock),
        _number(target),
        "" if pub is None else text_of(pub),
    )


def _number(value: Value) -> int | None:
    if value is not None and not (type(value) is int and 0 <= value <= LARGEST_NUMBER):
        raise Unreadable("has a number that is none")
    return value


def _read_part(name: str, part: Value) -> tuple[str, str]:
    """Return a part's text in the line, and in the entry."""
    if isinstance(part, list) and len(part) == len(("salt", "value")):
        salt, value = part
        if isinstance(salt, str) and _is_salt(salt):
            text = "{}" if value == {} else text_of(value)
            return opened(salt, text), closed(name, salt, text)
    elif isinstance(part, str) and _is_hash(part):
        return f'"{part}"', f'"{part}"'
    raise NotCanonical(f"the part {name} is neither open nor closed")


def _read(line: Line, public: PublicFields, entry: Mapping[str, str], told: str) -> Told:
    """Return the event with what it tells; `entry` and `told` are its closed parts and its line."""
    seq, kind, visibility = public.seq, Kind(public.kind), Visibility(public.see)
    leaf = leaf_hash(bytes_of(public.line(entry)))
    hidden = frozenset(name for name in PARTS if isinstance(line.get(name), str))
    interaction = None if public.interaction is None else int(public.interaction)
    said = _object(line.get("pub", {}))
    log, pub = read_pub(seq, said)
    event = None
    if "what" in hidden:
        # What no body is read from, nobody has looked at.
        check(line)
    else:
        body = decode(kind, public.target, Parts(pub, _part(line, "what"), _part(line, "how")))
        user_id, label = _read_person(line)
        event = Event(
            campaign_id=0,
            seq=seq,
            interaction_id=interaction,
            part=public.part or 0,
            clock=public.clock,
            channel_id=int(public.channel),
            user_id=user_id,
            label=label,
            visibility=visibility,
            body=body,
            log=log,
            seal=Seal(leaf, _kept(line) if "who" in hidden else None),
        )
    return Told(
        seq,
        leaf,
        told,
        kind,
        visibility,
        public.target,
        cast("Mapping[str, Value]", said),
        event,
        hidden,
        None if interaction is None else (interaction, public.part or 0),
    )


def _read_person(line: Line) -> tuple[int | None, str | None]:
    """Return who asked and their own words; neither of an erased person."""
    who, words = _part(line, "who"), _part(line, "words")
    if not (who.keys() <= {"user"} and words.keys() <= {"label"}):
        raise Unreadable("has an unknown field in who or words")
    label = words.get("label", "")
    if not isinstance(label, str):
        raise Unreadable("has a label that is no text")
    if not who:
        return None, None
    user = who["user"]
    if not (isinstance(user, str) and _is_user(user)):
        raise Unreadable("has a user that is none")
    return int(user), label


def _kept(line: Line) -> tuple[str, str]:
    return str(line["who"]), str(line.get("words", ""))


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
