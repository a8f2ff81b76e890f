"""Rollers and saved rolls from outside: a roller's JSON, a map's CSV, or what `/export` writes as JSON."""

import json
from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.campaigns import Remembers, is_own
from bot.campaign.events import Event
from bot.dice.errors import DiceError, SpecError
from bot.dice.system import Json, System, is_list, is_object
from bot.systems.destinator import read_map
from bot.systems.registry import load_spec, once

BYTES_LIMIT = 200_000
EXPORT_BYTES_LIMIT = 24_000_000
"""Of an export, of which only the beginning is read; none of its files is larger."""
ROLLERS_LIMIT = 100
SAVED_LIMIT = 50

_BEGINNING_BYTES = 4_000_000
_OPENING = b'{"evenhand":'

_Object: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Imported:
    """A roller from a file, not read yet: what is wrong with one must not spoil the others."""

    name: str
    text: str
    """For `read_import`."""
    memory: Remembers = Remembers.TABLE


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a file brings."""

    rollers: tuple[Imported, ...]
    saved: tuple[tuple[str, str], ...] = ()
    """Names and dice of one's own saved rolls."""
    shared: tuple[tuple[str, str], ...] = ()
    """Those of the rolls that everybody may use."""


@dataclass(frozen=True, slots=True)
class Left:
    """Something that was not brought in."""

    name: str
    why: DiceError


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of a file."""

    rollers: tuple[tuple[Event, System], ...]
    saved: tuple[str, ...]
    """Names of one's own saved rolls, which are as the file has them."""
    shared: tuple[str, ...]
    """Those of the rolls that everybody may use."""
    left: tuple[Left, ...]


def read_import(text: str) -> System:
    """Return the system that a text describes; DiceError says what is wrong with it."""
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise SpecError("The file is empty.")
    # A map begins with the names of its columns.
    return load_spec(text) if text.startswith(("{", "[", '"')) else read_map(text)


def read_file(data: bytes) -> str:
    """Return a file's text; SpecError over 200,000 bytes, or where it is no UTF-8."""
    if len(data) > BYTES_LIMIT:
        raise SpecError("The file has {count:,} bytes: at most {most:,}.", count=len(data), most=BYTES_LIMIT)
    return _decode(data)


def read_beginning(data: bytes) -> str:
    """Return the text of a file that may be an export; a long one without its events, which are not used."""
    if not data.startswith(_OPENING):
        return read_file(data)
    about = data.find(b"\n", data.find(b"\n", 0, _BEGINNING_BYTES) + 1, _BEGINNING_BYTES)
    return _decode(data[:about] if about > 0 else data[:_BEGINNING_BYTES])


def read_bundle(text: str, name: str | None) -> Bundle:
    """Return what a file brings; `name` is for a file of one roller, which does not hold its name.

    SpecError where the name is missing or too much, or the file is damaged or has over 100 rollers.
    """
    text = text.removeprefix("\ufeff").strip()
    export = _read_export(text)
    if export is None:
        if name is None:
            raise SpecError("This is one roller, and its name is not in the file. Give it as `name`.")
        return Bundle((Imported(name, text),))
    if name is not None:
        raise SpecError("This is a whole export, and its rollers have names. Leave `name` out.")
    found = [_roller(one) for one in _objects(export, "rollers")]
    rollers = tuple(roller for roller in found if not is_own(roller.name))
    if len(rollers) > ROLLERS_LIMIT:
        raise SpecError(
            "The export has {count:,} rollers: I can bring in {most} at most.",
            count=len(rollers),
            most=ROLLERS_LIMIT,
        )
    return Bundle(rollers, _saved(export, "saved"), _saved(export, "shared"))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError("The file is no text in UTF-8.") from None


def _read_export(text: str) -> _Object | None:
    """Return what an export says of settings and rollers, on its second line; None where it is none."""
    try:
        said = [json.loads(line, object_pairs_hook=once) for line in text.split("\n", 2)[:2]]
    except (ValueError, RecursionError):
        if text.startswith(_OPENING.decode()):
            raise SpecError("The export is damaged: its first two lines can't be read.") from None
        return None
    match said:
        case [{"evenhand": _}, {"about": about}] if is_object(about):
            return about
        case [{"evenhand": _}, *_]:
            raise SpecError("The export has no rollers.")
        case _:
            return None


def _objects(export: _Object, key: str) -> list[_Object]:
    value = export.get(key, [])
    if not is_list(value) or not all(map(is_object, value)):
        raise _damaged(key)
    return [one for one in value if is_object(one)]


def _roller(one: _Object) -> Imported:
    spec = one.get("spec")
    text = spec if isinstance(spec, str) else json.dumps(spec)
    try:
        memory = Remembers(str(one.get("memory", Remembers.TABLE)))
    except ValueError:
        raise _damaged("rollers") from None
    return Imported(_text(one, "name"), text, memory)


def _saved(export: _Object, key: str) -> tuple[tuple[str, str], ...]:
    saved = tuple((_text(one, "name"), _text(one, "dice")) for one in _objects(export, key))
    if len(saved) > SAVED_LIMIT:
        raise SpecError(
            "The export has {count:,} saved rolls: I can bring in {most} at most.",
            count=len(saved),
            most=SAVED_LIMIT,
        )
    return saved


def _text(one: _Object, key: str) -> str:
    value = one.get(key)
    if not isinstance(value, str):
        raise _damaged(key)
    return value


def _damaged(key: str) -> SpecError:
    return SpecError("The export is damaged: its `{key}` can't be read.", key=key)
