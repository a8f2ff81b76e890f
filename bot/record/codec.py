"""The one codec of event bodies: typed values to plain JSON values in the parts of a record, and back.

A body's fields and their types say all: values that are as by default are left out, enumerations are their
words, tuples are lists, frozen dataclasses are objects, and integers beyond 2^53 - 1, which not every reader
of JSON has, are decimal text. What was rolled is one of several dataclasses, and no object of its own: its
fields stand among the roll's, and which of them are there tells the class.
"""

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bot.campaign.events import Body  # and so all kinds of them
from bot.campaign.kinds import BODIES, Kind
from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.hashing import LARGEST_NUMBER

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T")
_Decode: TypeAlias = Callable[[Json], object]

PARTS = ("pub", "what", "how")
_DECIMAL = re.compile(r"-?[1-9][0-9]{15,}", re.ASCII)


class Unreadable(ValueError):
    """A record that no body can be read from."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A body as JSON objects, by who may be told them; see `bot.campaign.events`."""

    pub: dict[str, Json]
    what: dict[str, Json]
    how: dict[str, Json]


@dataclass(frozen=True, slots=True)
class _Coder:
    """How one field is written and read."""

    name: str
    part: str
    default: object
    decode: _Decode
    flat: bool = False
    """Whether it is a field of a value whose fields stand among the body's own."""


def encode(body: Body) -> Parts:
    """Return a body's parts; its kind and its target are public fields of the event itself."""
    parts: dict[str, dict[str, Json]] = {name: {} for name in PARTS}
    for coder in _coders(type(body)):
        value: object = getattr(body, coder.name)
        if value != coder.default:
            parts[coder.part][coder.name] = _encode(value)
    return Parts(**parts)


def decode(kind: Kind, target: int | None, parts: Parts) -> Body:
    """Return the body that an event's parts describe; Unreadable where they describe none."""
    cls = BODIES[kind]
    coders = _by_part(cls)
    values: dict[str, object] = {"target": target}
    flat: dict[str, object] = {}
    try:
        for part, said in zip(coders, (parts.pub, parts.what, parts.how), strict=True):
            for name, value in said.items():
                coder = part.get(name)
                if coder is None:
                    raise Unreadable(f"a {kind} has unknown fields")
                (flat if coder.flat else values)[name] = _read(coder, value)
        if flat:
            name, made = _flat(cls, *flat.items())
            values[name] = made
        return cls(**values)  # pyright: ignore[reportArgumentType] (each value was checked by its coder)
    except (DiceError, TypeError, ValueError, KeyError) as error:
        raise Unreadable(f"the record of a {kind} is damaged: {error}") from error


def encode_value(value: "DataclassInstance") -> Json:
    """Return a frozen dataclass as a JSON object, as it stands in a body."""
    return _encode(value)


def decode_value(cls: type[_T], value: Json) -> _T:
    """Return the frozen dataclass that a JSON object describes; Unreadable where it describes none."""
    try:
        found = _decoder(cls)(value)
    except (DiceError, TypeError, ValueError, KeyError) as error:
        raise Unreadable(f"the record of {cls.__name__.lower()} is damaged: {error}") from error
    if not isinstance(found, cls):
        raise Unreadable(f"the record holds no {cls.__name__.lower()}")
    return found


@lru_cache(maxsize=64)
def _coders(cls: type) -> tuple[_Coder, ...]:
    hints = get_type_hints(cls)
    found: list[_Coder] = []
    for one in fields(cls):
        part = one.metadata.get("part", "what")
        if one.metadata.get("flat"):
            inner = {own.name: own for each in get_args(hints[one.name]) for own in _coders(each)}
            found += [replace(own, flat=True) for own in inner.values()]
        elif part:
            hint, default = hints[one.name], _default(one)
            # A default is not written, so nobody has to read a None here.
            read = (_inner(hint) or hint) if default is None else hint
            found.append(_Coder(one.name, part, default, _decoder(read)))
    return tuple(found)


@lru_cache(maxsize=64)
def _by_part(cls: type) -> tuple[Mapping[str, _Coder], ...]:
    """Return the coders of a body's fields by their names, for each part."""
    return tuple({coder.name: coder for coder in _coders(cls) if coder.part == part} for part in PARTS)


@lru_cache(maxsize=1_024)
def _flat(cls: type, *said: tuple[str, object]) -> tuple[str, object]:
    """Return the field whose value's fields stand among the body's, and its value."""
    [of] = [one for one in fields(cls) if one.metadata.get("flat")]
    values, classes = dict(said), get_args(get_type_hints(cls)[of.name])
    for made in classes:
        if values.keys() <= {one.name for one in fields(made)}:
            return of.name, made(**values)
    raise ValueError("two things at once")


def _default(one: "Field[object]") -> object:
    if one.default is not MISSING:
        return one.default
    return one.default_factory() if one.default_factory is not MISSING else MISSING


def _encode(value: object) -> Json:
    """Return a value as JSON; TypeError for what no body holds."""
    match value:
        case Enum():
            return str(value.value)
        case str() | bool() | None:
            return value
        case int():
            return number_or_text(value)
        case tuple():
            return [_encode(item) for item in cast("tuple[object, ...]", value)]
        case _:
            own = ((coder, getattr(value, coder.name)) for coder in _coders(type(value)))
            return {coder.name: _encode(one) for coder, one in own if one != coder.default}


def number_or_text(number: int) -> int | str:
    """Return an integer as it is recorded: as decimal text where it is too large for JSON."""
    return number if -LARGEST_NUMBER <= number <= LARGEST_NUMBER else str(number)


def _decoder(hint: object) -> _Decode:
    """Return the reader of values of a type; it raises a ValueError or a TypeError for all others."""
    inner = _inner(hint)
    if inner is not None:
        decode_inner = _decoder(inner)
        return lambda value: None if value is None else decode_inner(value)
    if get_origin(hint) is tuple:
        args = get_args(hint)
        decoders = [_decoder(arg) for arg in args if arg is not Ellipsis]
        if Ellipsis not in args:
            return lambda value: _decode_tuple(value, decoders)
        return _decode_integers if args[0] is int else lambda value: _decode_list(value, decoders[0])
    if hint is int:
        return _decode_integer
    if isinstance(hint, type) and issubclass(hint, Enum):
        words: dict[Json, object] = {str(one.value): one for one in hint}
        return words.__getitem__
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: _decode_object(hint, value)
    return _decode_plain(bool, "neither true nor false") if hint is bool else _decode_plain(str, "no text")


def _decode_tuple(value: Json, decoders: list[_Decode]) -> object:
    if not isinstance(value, list) or len(value) != len(decoders):
        raise TypeError("no list of that length")
    return tuple([decode_item(item) for decode_item, item in zip(decoders, value, strict=True)])


def _decode_list(value: Json, decode_item: _Decode) -> object:
    if not isinstance(value, list):
        raise TypeError("no list")
    return tuple([decode_item(item) for item in value])


def _decode_integers(value: Json) -> object:
    if isinstance(value, list) and {*map(type, value)} == {int}:
        # There are so many of these that one call for each would take most of the time.
        numbers = cast("list[int]", value)
        if max(numbers) <= LARGEST_NUMBER and min(numbers) >= -LARGEST_NUMBER:
            return tuple(numbers)
    return _decode_list(value, _decode_integer)


def _decode_integer(value: Json) -> object:
    if type(value) is int and -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        return value
    if isinstance(value, str) and _DECIMAL.fullmatch(value) and abs(number := int(value)) > LARGEST_NUMBER:
        return number
    raise TypeError("no integer")


def _decode_plain(kind: type, fault: str) -> _Decode:
    def decode_checked(value: Json) -> object:
        if not isinstance(value, kind):
            raise TypeError(fault)
        return value

    return decode_checked


def _decode_object(cls: type, value: Json) -> object:
    if not isinstance(value, dict):
        raise TypeError("no object")
    coders = _coders(cls)
    values = {coder.name: _read(coder, value[coder.name]) for coder in coders if coder.name in value}
    if len(values) < len(value):
        raise ValueError("unknown fields")
    if any(coder.default is MISSING and coder.name not in values for coder in coders):
        raise ValueError("missing fields")
    return cls(**values)


def _read(coder: _Coder, value: Json) -> object:
    """Return a field's value; a default is not written, so that a body has one record and no other."""
    found = coder.decode(value)
    if found == coder.default:
        raise ValueError(f"{coder.name} is as by default")
    return found


def _inner(hint: object) -> object | None:
    """Return T of `T | None`; None for every other type."""
    if get_origin(hint) not in {Union, types.UnionType}:
        return None
    (inner,) = (arg for arg in get_args(hint) if arg is not type(None))
    return inner
