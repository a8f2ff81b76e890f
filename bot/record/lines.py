"""Events read back from their lines, however a reader is told them.

A line is taken apart from left to right, and nothing fits but canonical text: what stands between its values
is spelled out here, and each value must be written as it would be written again. Source: docs/format.md,
sections 1.2 and 1.3.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, cast

from bot.campaign.events import Body, Event
from bot.campaign.kinds import WORDLESS, Kind, Seal, Visibility, Words
from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.codec import Parts, Unreadable, decode, decode_value
from bot.record.hashing import (
    LARGEST_NUMBER,
    SALT_DIGITS,
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

_NUMBER = "(?:0|[1-9][0-9]{0,15})"
_COUNT = "[1-9][0-9]{0,15}"
_CLOSED = '"[0-9a-f]{64}"'
_SALT = r'\["[0-9a-f]{32}",'
_STRING = r'"(?:[^"\\]++|\\.)*+"'
_withheld = re.compile(rf'{{"leaf":"([0-9a-f]{{64}})","seq":({_NUMBER})}}').fullmatch
_begin = re.compile(
    rf'{{"channel":"([0-9]{{1,20}})"(?:,"clock":({_NUMBER}))?(?:,"how":({_CLOSED}|{_SALT}))?'
).match
_middle = re.compile(
    rf'(?:,"id":"([1-9][0-9]{{15,18}})")?,"kind":"([a-z_]{{1,20}})"(?:,"part":({_COUNT}))?(,"pub":)?'
).match
_later = re.compile(
    rf',"see":"(public|self|gm|blind)","seq":({_COUNT})(?:,"target":({_COUNT}))?'
    rf'(?:,"what":({_CLOSED}|{_SALT}))?'
).match
_end = re.compile(
    rf'(?:,"who":({_CLOSED}|{_SALT}({{}}|{{"user":"(?:0|[1-9][0-9]{{0,19}})"}})\]))?'
    rf'(?:,"words":({_CLOSED}|{_SALT}({{(?:"(?:character|label|typed)":{_STRING},?)*+}})\]))?}}'
).fullmatch

_SALTED = len('["",') + SALT_DIGITS
_parse = json.JSONDecoder().raw_decode
_KINDS = {kind.value: kind for kind in Kind}
_SEE = {see.value: see for see in Visibility}
_ROLL = Kind.ROLL
_WHAT, _HOW = '{"results":', '{"draws":'
"""How parts begin of plain dice, which come out the same again and again: they are kept in mind."""
_SHORT, _MANY = 200, 2_048
"""The most characters of each, and how many there may be."""


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


class _Said(NamedTuple):
    """An object on a line."""

    text: str
    value: dict[str, Json]


_NOTHING = _Said("{}", {})


class _Entry:
    """A line while it is read, and the entry that it stands for: open parts give way to what binds them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._said: list[str] = []
        self._upto = 0
        self.closed: list[str] = []

    def open(self, name: str, told: str | None, end: int) -> tuple["_Said", int]:
        """Return a part and where it ends; its salt ends at `end`, or all of it if it is closed."""
        if told is None:
            return _NOTHING, end
        if told[0] == '"':
            self.closed.append(name)
            return _NOTHING, end
        said, behind = _value(self._text, end)
        if self._text[behind : behind + 1] != "]":
            raise Unreadable("has a part that is neither open nor closed")
        self.bind(name, end - len(told), behind + 1)
        return said, behind + 1

    def bind(self, name: str, start: int, end: int) -> None:
        """Put what binds it in the place of an open part."""
        salt, value = start + 2, start + _SALTED
        bound = commitment(name, self._text[salt : value - 2], self._text[value : end - 1])
        self._said += (self._text[self._upto : start], '"', bound, '"')
        self._upto = end

    def leaf(self) -> bytes:
        """Return the event's leaf, once all parts were read."""
        return leaf_hash(bytes_of("".join((*self._said, self._text[self._upto :]))))


def _read_told(text: str) -> Told:
    if gone := _withheld(text):
        return Told(_integer(gone[2]), bytes.fromhex(gone[1]))
    entry = _Entry(text)
    begin = _fit(_begin(text))
    how, at = entry.open("how", begin[3], begin.end())
    middle = _fit(_middle(text, at))
    said, at = _value(text, middle.end()) if middle[4] else (_NOTHING, middle.end())
    later = _fit(_later(text, at))
    what, at = entry.open("what", later[4], later.end())
    end = _fit(_end(text, at))
    for place, name in ((1, "who"), (3, "words")):
        if end[place + 1]:
            entry.bind(name, *end.span(place))
        elif end[place]:
            entry.closed.append(name)
    interaction, part, clock = middle[1], middle[3], begin[2]
    if (interaction is None) == (clock is None) or (clock and part):
        raise Unreadable("has no time, or two")
    kind, visibility, seq = _KINDS.get(middle[2]), _SEE[later[1]], _integer(later[2])
    if kind is None:
        raise Unreadable("is of a kind that there is not")
    if kind is _ROLL and None in (begin[3], later[4], end[1], end[3]):
        raise Unreadable("is a roll without one of its parts")
    leaf, target, closed = entry.leaf(), _integer(later[3]) if later[3] else None, frozenset(entry.closed)
    press = (int(interaction), _integer(part or "0")) if interaction else None
    log, pub = read_pub(seq, said.value)
    user_id, said_words = _person(end[2], end[4])
    event = None
    if "what" in closed:
        # What no body is read from, nobody has looked at.
        check(cast("Value", [said.value, how.value]))
    else:
        event = Event(
            campaign_id=0,
            seq=seq,
            interaction_id=press[0] if press else None,
            part=press[1] if press else 0,
            clock=_integer(clock) if clock else None,
            channel_id=int(begin[1]),
            user_id=user_id,
            words=said_words,
            visibility=visibility,
            body=_body(kind, target, pub, what, how),
            log=log,
            seal=Seal(leaf, (end[1][1:-1], (end[3] or "")[1:-1]) if "who" in closed else None),
        )
    openly = cast("Mapping[str, Value]", said.value)
    return Told(seq, leaf, kind, visibility, target, openly, event, closed, press, user_id)


def _fit(found: re.Match[str] | None) -> re.Match[str]:
    if found is None:
        raise Unreadable("has a field or a part that is not as it should be")
    return found


def _value(text: str, start: int) -> tuple[_Said, int]:
    """Return the object that begins there, and where it ends."""
    if text.startswith((_WHAT, _HOW), start):
        end = text.find('}],"', start, start + _SHORT) + 1
        if end and (known := _plain(text[start:end])):
            return known, end
    value, end = _parse(text, start)
    return _canonical(value, text[start:end]), end


@lru_cache(maxsize=_MANY)
def _plain(text: str) -> _Said | None:
    """Return a part of plain dice; None where the text ends elsewhere than the object that it begins with."""
    try:
        value, end = _parse(text)
    except ValueError:
        return None
    return _canonical(value, text) if end == len(text) else None


def _canonical(value: Json, text: str) -> _Said:
    if not isinstance(value, dict):
        raise Unreadable("has a part that is no object")
    if text_of(value) != text:
        raise NotCanonical("it is not written canonically")
    return _Said(text, value)


def _body(kind: Kind, target: int | None, pub: dict[str, Json], what: _Said, how: _Said) -> Body:
    plain = what.text.startswith(_WHAT) and how.text.startswith(_HOW)
    if pub or target or not plain or len(what.text) + len(how.text) > _SHORT:
        return decode(kind, target, Parts(pub, what.value, how.value))
    return _plain_body(kind, what.text, how.text)


@lru_cache(maxsize=_MANY)
def _plain_body(kind: Kind, what: str, how: str) -> Body:
    return decode(kind, None, Parts({}, _value(what, 0)[0].value, _value(how, 0)[0].value))


def _person(who: str | None, words: str | None) -> tuple[int | None, Words | None]:
    """Return who asked and their own words; neither of an erased person, nor where nobody is told."""
    said = WORDLESS if words in {None, "{}"} else decode_value(Words, _value(str(words), 0)[0].value)
    if not who or who == "{}":
        return None, None
    return int(who[len('{"user":"') : -len('"}')]), said


def _integer(digits: str) -> int:
    number = int(digits)
    if number > LARGEST_NUMBER:
        raise Unreadable("has a number that is none")
    return number
