"""The codec of event bodies: typed values to plain JSON values in the parts of a record, and back.

It follows the fields of a body and their types: defaults are left out, enumerations are written as their
values, tuples as lists, frozen dataclasses as objects, and integers beyond 2^53 - 1, which not every JSON
reader has, as decimal text. What was rolled is one of several dataclasses; its fields are written among the
roll's own ("flat"), and which fields are present tells the class.
"""

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import (
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from bot.campaign.events import Body  # importing it registers all kinds of bodies
from bot.campaign.kinds import BODIES, Kind
from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.hashing import LARGEST_NUMBER

_T = TypeVar("_T")
_Decode: TypeAlias = Callable[[Json], object]

_DECIMAL = re.compile(r"-?[1-9][0-9]{15,}", re.ASCII)


class Unreadable(ValueError):
    """A record that can't be decoded."""


class Parts(NamedTuple):
    """A body as JSON objects, by who may read them; see `bot.campaign.kinds`."""

    pub: dict[str, Json]
    what: dict[str, Json]
    how: dict[str, Json]


@dataclass(frozen=True, slots=True)
class _Coder:
    """How one field is encoded and decoded."""

    part: str
    default: object
    decode: _Decode
    flat: bool = False
    """True for a field of a value whose fields are written among the body's own."""


def encode(body: Body) -> Parts:
    """Return a body's parts, without its kind and target, which are fields of the event itself."""
    parts: dict[str, dict[str, Json]] = {name: {} for name in Parts._fields}
    for name, coder in _coders(type(body)).items():
        value: object = getattr(body, name)
        if value != coder.default:
            parts[coder.part][name] = encode_value(value)
    return Parts(**parts)


def decode(kind: Kind, target: int | None, parts: Parts) -> Body:
    """Return the body that an event's parts describe; Unreadable if they are not one."""
    cls = BODIES[kind]
    coders = _coders(cls)
    for part, obj in zip(Parts._fields, parts, strict=True):
        if any(name in coders and coders[name].part != part for name in obj):
            raise Unreadable(f"a {kind} has unknown fields")
    try:
        values = _read_fields(cls, {**parts.pub, **parts.what, **parts.how})
        if flat := {name: values.pop(name) for name in [*values] if coders[name].flat}:
            name, values[name] = _flat(cls, *flat.items())
        return cls(target=target, **values)  # pyright: ignore[reportArgumentType] (its coder checked each)
    except (DiceError, TypeError, ValueError, KeyError) as error:
        raise Unreadable(f"the record of a {kind} is damaged: {error}") from error


def decode_value(cls: type[_T], value: Json) -> _T:
    """Return the frozen dataclass that a JSON object describes; Unreadable if it is not one."""
    try:
        decoded = _decoder(cls)(value)
    except (DiceError, TypeError, ValueError, KeyError) as error:
        raise Unreadable(f"the record of {cls.__name__.lower()} is damaged: {error}") from error
    if not isinstance(decoded, cls):
        raise Unreadable(f"the record holds no {cls.__name__.lower()}")
    return decoded


@lru_cache(maxsize=64)
def _coders(cls: type) -> Mapping[str, _Coder]:
    """Return the coders of a class's recorded fields, by name."""
    hints = get_type_hints(cls)
    coders: dict[str, _Coder] = {}
    for field in fields(cls):
        hint, part = hints[field.name], field.metadata.get("part", "what")
        if field.metadata.get("flat"):
            for flat_class in get_args(hint):
                coders |= {name: replace(coder, flat=True) for name, coder in _coders(flat_class).items()}
        elif part:
            default = _default(field)
            # A default is not written, so a None that is one need not be decoded.
            required = (_inner(hint) or hint) if default is None else hint
            coders[field.name] = _Coder(part, default, _decoder(required))
    return coders


@lru_cache(maxsize=1_024)
def _flat(cls: type, *items: tuple[str, object]) -> tuple[str, object]:
    """Return the name of the flat field, and its value."""
    [flat_field] = [field for field in fields(cls) if field.metadata.get("flat")]
    values, classes = dict(items), get_args(get_type_hints(cls)[flat_field.name])
    for candidate in classes:
        if values.keys() <= {field.name for field in fields(candidate)}:
            return flat_field.name, candidate(**values)
    raise ValueError("two things at once")


def _default(field: "Field[object]") -> object:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


def encode_value(value: object) -> Json:
    """Return a field's value as JSON, a frozen dataclass as an object; TypeError for what no body holds."""
    match value:
        case Enum():
            return str(value.value)
        case str() | bool() | None:
            return value
        case int():
            return number_or_text(value)
        case tuple():
            return [encode_value(item) for item in cast("tuple[object, ...]", value)]
        case _:
            return {
                name: encode_value(inner)
                for name, coder in _coders(type(value)).items()
                if (inner := getattr(value, name)) != coder.default
            }


def number_or_text(number: int) -> int | str:
    """Return an integer as it is recorded: as decimal text where it is too large for JSON."""
    return number if -LARGEST_NUMBER <= number <= LARGEST_NUMBER else str(number)


def _decoder(hint: object) -> _Decode:
    """Return the function that decodes a type's values; it raises ValueError or TypeError for others."""
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
        words: dict[Json, object] = {str(member.value): member for member in hint}
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
        # Lists of integers are so common that one call per integer would take most of the time.
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
    if any(coder.default is MISSING and name not in value for name, coder in _coders(cls).items()):
        raise ValueError("missing fields")
    return cls(**_read_fields(cls, value))


def _read_fields(cls: type, obj: Mapping[str, Json]) -> dict[str, object]:
    """Return the values of fields; ValueError for a default, since a body must have exactly one record."""
    coders = _coders(cls)
    if not obj.keys() <= coders.keys():
        raise ValueError("unknown fields")
    values = {name: coders[name].decode(value) for name, value in obj.items()}
    for name, value in values.items():
        if value == coders[name].default:
            raise ValueError(f"{name} is as by default")
    return values


def _inner(hint: object) -> object | None:
    """Return T of `T | None`; None for every other type."""
    if get_origin(hint) not in {Union, types.UnionType}:
        return None
    (inner,) = (arg for arg in get_args(hint) if arg is not type(None))
    return inner
