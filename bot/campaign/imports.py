"""Parse imported rollers and saved rolls: a roller's JSON, a map's CSV, or a JSON file of `/export`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.campaigns import Remembers, is_own
from bot.campaign.events import Event
from bot.dice.errors import DiceError, SpecError
from bot.dice.system import Json, System, is_list, is_object
from bot.systems.destinator import read_map
from bot.systems.registry import NO_ROLLERS, load_spec, once

BYTES_LIMIT = 200_000
EXPORT_BYTES_LIMIT = 24_000_000
"""The largest file of an export; only its beginning is read."""
ROLLERS_LIMIT = 100
SAVED_LIMIT = 50

_BEGINNING_BYTES = 4_000_000
_OPENING = b'{"evenhand":'

_Object: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class ImportedRoller:
    """A roller from a file, unparsed: an error in one must not stop the others."""

    name: str
    text: str
    """The input of `read_import`."""
    memory: Remembers = Remembers.TABLE


@dataclass(frozen=True, slots=True)
class Bundle:
    """The contents of an imported file."""

    rollers: tuple[ImportedRoller, ...]
    saved: tuple[tuple[str, str], ...] = ()
    """(Name, dice) of one's own saved rolls."""
    shared: tuple[tuple[str, str], ...] = ()
    """(Name, dice) of the shared rolls."""


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An item that was not imported."""

    name: str
    why: DiceError


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import."""

    rollers: tuple[tuple[Event, System], ...]
    saved: tuple[str, ...]
    """The names of one's own saved rolls that now match the file."""
    shared: tuple[str, ...]
    """The names of the shared rolls that now match the file."""
    skipped: tuple[SkippedItem, ...]


def read_import(text: str) -> System:
    """Parse a roller's system from JSON or CSV; DiceError if it is invalid, or of no roller."""
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise SpecError("The file is empty.")
    # A map's CSV begins with its column names.
    return must_be_roller(load_spec(text) if text.startswith(("{", "[", '"')) else read_map(text))


def must_be_roller(system: System) -> System:
    """Return the system; SpecError if no roller can have it."""
    if isinstance(system, NO_ROLLERS):
        raise SpecError("Games and d100 methods are rolled by words of their own, and can't be rollers.")
    return system


def read_file(data: bytes) -> str:
    """Return a file's text; SpecError over 200,000 bytes, or if it is not UTF-8."""
    if len(data) > BYTES_LIMIT:
        raise SpecError("The file has {count:,} bytes: at most {most:,}.", count=len(data), most=BYTES_LIMIT)
    return _decode(data)


def read_beginning(data: bytes) -> str:
    """Return a file's text; of an export only its first two lines, without the events."""
    if not data.startswith(_OPENING):
        return read_file(data)
    end = data.find(b"\n", data.find(b"\n", 0, _BEGINNING_BYTES) + 1, _BEGINNING_BYTES)
    return _decode(data[:end] if end > 0 else data[:_BEGINNING_BYTES])


def read_bundle(text: str, name: str | None) -> Bundle:
    """Parse a file; `name` is for the file of a single roller, which does not contain its name.

    Raise SpecError for a missing or superfluous name, a damaged file, or over 100 rollers.
    """
    text = text.removeprefix("\ufeff").strip()
    export = _read_export(text)
    if export is None:
        if name is None:
            raise SpecError("This is one roller, and its name is not in the file. Give it as `name`.")
        return Bundle((ImportedRoller(name, text),))
    if name is not None:
        raise SpecError("This is a whole export, and its rollers have names. Leave `name` out.")
    imported = [_parse_roller(item) for item in _items(export, "rollers", "name")]
    rollers = tuple(roller for roller in imported if not is_own(roller.name))
    if len(rollers) > ROLLERS_LIMIT:
        raise SpecError(
            "The export has {count:,} rollers: I can bring in {most} at most.",
            count=len(rollers),
            most=ROLLERS_LIMIT,
        )
    return Bundle(rollers, _read_saved(export, "saved"), _read_saved(export, "shared"))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError("The file is no text in UTF-8.") from None


def _read_export(text: str) -> _Object | None:
    """Return the settings and rollers of an export, its second line; None for another file."""
    try:
        lines = [json.loads(line, object_pairs_hook=once) for line in text.split("\n", 2)[:2]]
    except (ValueError, RecursionError):
        if text.startswith(_OPENING.decode()):
            raise SpecError("The export is damaged: its first two lines can't be read.") from None
        return None
    match lines:
        case [{"evenhand": _}, {"about": about}] if is_object(about):
            return about
        case [{"evenhand": _}, *_]:
            raise SpecError("The export has no rollers.")
        case _:
            return None


def _items(export: _Object, key: str, *texts: str) -> Iterator[_Object]:
    """Yield the items of a list; SpecError unless each has these texts."""
    items = export.get(key, [])
    for item in items if is_list(items) else [items]:
        if not is_object(item) or not all(isinstance(item.get(text), str) for text in texts):
            raise SpecError("The export is damaged: its `{key}` can't be read.", key=key)
        yield item


def _parse_roller(item: _Object) -> ImportedRoller:
    spec, memory = item.get("spec"), str(item.get("memory", Remembers.TABLE))
    if memory not in [*Remembers]:
        raise SpecError("The export is damaged: its `{key}` can't be read.", key="rollers")
    text = spec if isinstance(spec, str) else json.dumps(spec)
    return ImportedRoller(str(item["name"]), text, Remembers(memory))


def _read_saved(export: _Object, key: str) -> tuple[tuple[str, str], ...]:
    saved = tuple((str(item["name"]), str(item["dice"])) for item in _items(export, key, "name", "dice"))
    if len(saved) > SAVED_LIMIT:
        raise SpecError(
            "The export has {count:,} saved rolls: I can bring in {most} at most.",
            count=len(saved),
            most=SAVED_LIMIT,
        )
    return saved
