"""Reads a character's numbers from what people have: lines, commas, CSV, or plain numbers in JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.characters import NUMBERS_LIMIT, VALUE_LIMIT, a_number
from bot.dice.errors import SpecError
from bot.dice.names import NAME_LIMIT
from bot.dice.system import is_list, is_object

Path: TypeAlias = tuple[str, ...]
"""A number's name, behind those of what it lies in."""
SHEET_LIMIT = 65_536
"""Bytes of a file, and characters of a text."""
_SCORE = 7
"""No bonus of a beginner is higher; of scores one is."""
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_GIVEN = re.compile(r"[:=]")
_GLUED = re.compile(r"\A[^\W\d]++(?=[+-]\d++\Z)")
_NO_NAME = re.compile(r"[+*/()]|-(?!\w)")
_COUNTS = re.compile(r"[-+*/()\d]")
_TIGHT = re.compile(r"\s*+([-+*/(])\s*+|\s++(?=\))")
_NEXT = re.compile(r"(\s[+-]?\d+)\s+(?=[^\W\d])")
_CELLS = re.compile(r"[,;\t]")
_STRANGE = re.compile(r"[^\w '-]+|_+(?=\W|\Z)")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was read."""

    numbers: tuple[tuple[str, str], ...]
    """Names and values as typed; a name stands once."""
    left: int = 0
    """How many numbers were left out: too many, or too large."""


def read_sheet(text: str) -> Sheet:
    """Read numbers; SpecError where there are none, or a line is none."""
    if len(text) > SHEET_LIMIT:
        raise SpecError("At most {most:,} characters, not {count:,}.", most=SHEET_LIMIT, count=len(text))
    text = text.removeprefix("\ufeff").strip()
    is_json = text[:1] in {"{", "["}
    found = [*(_from_json(text) if is_json else _from_lines(text))]
    fitting = [(name, value) for name, value in found if not _is_whole(value) or _fits(value)]
    kept = fitting[:NUMBERS_LIMIT]
    if not kept:
        raise SpecError("I find no numbers there. Write them like str 3, dex +2.")
    numbers = _named(kept) if is_json else [(a_number(name[0]), value) for name, value in kept]
    return Sheet(tuple(dict(numbers).items()), len(found) - len(kept))


def bonuses(numbers: tuple[tuple[str, str], ...], scores: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return numbers with each score as its bonus, and the score as str_score; as they are without any."""
    given = {name: int(text) for name, text in numbers if name.casefold() in scores and _is_whole(text)}
    if max(given.values(), default=0) <= _SCORE:
        return numbers
    return tuple(
        each
        for name, text in numbers
        for each in (
            ((name, str((given[name] - 10) // 2)), (f"{name}_score", text))
            if name in given
            else ((name, text),)
        )
    )


def _fits(value: str) -> bool:
    return len(value) < 7 and abs(int(value)) <= VALUE_LIMIT


def _is_whole(text: str) -> bool:
    return bool(_WHOLE.fullmatch(text))


def _from_lines(text: str) -> Iterator[tuple[Path, str]]:
    """Yield the numbers of lines, or of a row of names above a row of numbers."""
    lines = [_NEXT.sub(r"\1,", line) for line in map(str.strip, text.splitlines()) if line]
    rows = [[cell.strip().strip('"') for cell in _CELLS.split(line)] for line in lines]
    if len(rows) > 1 and len({len(row) for row in rows[:2]}) == 1 < len(rows[0]) and _wide(rows[0], rows[1]):
        yield from (((name,), value) for name, value in zip(*rows[:2], strict=True) if _is_whole(value))
        return
    for row in rows:
        cells = [cell for cell in row if cell]
        if len(cells) == 2 and not _entry(cells[0]) and not _entry(cells[1]):
            yield (cells[0],), cells[1]
            continue
        for cell in cells:
            entry = _entry(cell)
            if entry is None:
                raise SpecError(
                    "I can't read {cell}. Write a name and a number, such as str 3.", cell=cell[:40]
                )
            yield (entry[0],), entry[1]


def _wide(names: list[str], values: list[str]) -> bool:
    return any(map(_is_whole, values)) and not any(_is_whole(name) or _entry(name) for name in names)


def _entry(text: str) -> tuple[str, str] | None:
    """Return a name and its value; None where the text is not both."""
    parts = [part.strip() for part in _GIVEN.split(text)]
    if len(parts) == 1:
        said = _GLUED.sub(r"\g<0> ", " ".join(text.split()))
        name, _, value = said.rpartition(" ")
        if not _is_whole(value) or _NO_NAME.search(name):
            name, _, value = _TIGHT.sub(lambda sign: sign[1] or "", said).rpartition(" ")
        parts = [name, value if _COUNTS.search(value) else ""]
    return (parts[0], parts[1]) if len(parts) == 2 and all(parts) else None


def _from_json(text: str) -> Iterator[tuple[Path, str]]:
    """Yield the whole numbers at any depth."""
    try:
        yield from _leaves(json.loads(text), ())
    except (ValueError, RecursionError):
        raise SpecError("I can't read that file. It begins like JSON, but it is not.") from None


def _leaves(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    if is_object(value):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif is_list(value):
        for place, inner in enumerate(value, start=1):
            yield from _leaves(inner, (*path, str(place)))
    elif isinstance(value, int) and not isinstance(value, bool) and path:
        yield path, str(value)


def _named(leaves: list[tuple[Path, str]]) -> Iterator[tuple[str, str]]:
    """Yield leaves by their names, with their parents' in front where another has it or none may."""
    depths = [1] * len(leaves)
    while True:
        names = [_joined(path[-depth:]) for (path, _), depth in zip(leaves, depths, strict=True)]
        often = Counter(map(str.casefold, names))
        more = [
            place
            for place, name in enumerate(names)
            if (often[name.casefold()] > 1 or not _may_name(name))
            and depths[place] < len(leaves[place][0])
            and len(name) < NAME_LIMIT
        ]
        if not more:
            break
        for place in more:
            depths[place] += 1
    for name, (_, value) in zip(names, leaves, strict=True):
        if found := next(filter(_may_name, (name, f"my_{name}"[:NAME_LIMIT])), ""):
            yield found, value


def _joined(path: tuple[str, ...]) -> str:
    return "_".join(_STRANGE.sub(" ", part).strip() for part in path)[:NAME_LIMIT].strip(" _-'")


def _may_name(name: str) -> bool:
    try:
        return bool(a_number(name))
    except SpecError:
        return False
