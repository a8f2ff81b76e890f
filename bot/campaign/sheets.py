"""Parse a character's numbers from lines, comma-separated text, CSV or JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.characters import NUMBERS_LIMIT, VALUE_LIMIT, clean_number_name
from bot.dice.errors import SpecError
from bot.dice.names import NAME_LIMIT
from bot.dice.system import is_list, is_object

Path: TypeAlias = tuple[str, ...]
"""The keys that lead to a number; its own name is the last."""
SHEET_LIMIT = 65_536
"""The most bytes of a file, and characters of a text."""
_SCORE = 7
"""If no value exceeds this, the values are bonuses already, not scores."""
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_ASSIGNMENT = re.compile(r"[:=]")
_GLUED = re.compile(r"\A[^\W\d]++(?=[+-]\d++\Z)")
_NO_NAME = re.compile(r"[+*/()]|-(?!\w)")
_COUNTS = re.compile(r"[-+*/()\d]")
_TIGHT = re.compile(r"\s*+([-+*/])\s*+|(?<=\()\s++|\s++(?=\))")
_NEXT = re.compile(r"([\s:=][+-]?\d+(?:/\d+)?)\s+(?=[^\W\d])")
_OF_MOST = re.compile(r"(\d+) ?/ ?(\d+)", re.ASCII)
"""A number of so many, such as hit points: `23/30`."""
_TOGETHER = re.compile(r"([^\W\d]+)(\d+)")
_CELLS = re.compile(r"[,;\t]")
_PASTED = [
    (re.compile(pattern, re.MULTILINE), text)
    for pattern, text in (
        (r"[\u2212\u2013](?=\d)", "-"),
        (r"^[-*\u2022\u2013] +|\*\*|__|`", ""),
        (r"\|", ","),
        (r"\.{2,}|\u2026", " "),
        # A score with its bonus: the bonus is what dice take.
        (
            r"(?<!\w)([^\W\d]++(?: [^\W\d]++){0,3}+)[ :=]*+(\d+) ?[(\[]([+-]\d+)[)\]][ ,;]*",
            r"\1 \3, \1_score \2, ",
        ),
        (r"[(\[]([+-]\d+)[)\]]", r"\1"),
        (r"(?<=[^\W\d]) \(([^\W\d][\w ]*)\)(?=[ :=]*[+-]?\d)", r" \1"),
        (r"(?<=\d) ?(?:\([^\W\d][\w ]*\)|%|\.(?=\s|$))", ""),
    )
]
"""Signs of copied sheets to what they are here: lists, tables, `Str 18 (+4)`, `Firearms (Handgun) 40`."""
_FULL, _EMPTY = "\u25cf\u2022\u2b24\u25a0", "\u25cb\u25a1\u00b7"
_DOTS = re.compile(rf"(?<=[^\W\d][ :])[{_FULL}]++(?=[{_EMPTY}]*\s*(?:[,;]|$))[{_EMPTY}]*", re.MULTILINE)
"""Dots of a sheet, full ones and empty ones."""
_PARENTS = 8
"""The most keys that a number's name is made of."""
_STRANGE = re.compile(r"[^\w '-]+|_+(?=\W|\Z)")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Numbers parsed from a file or text."""

    numbers: tuple[tuple[str, str], ...]
    """(Name, value as typed), with unique names."""
    skipped: int = 0
    """The number of values left out: too many, or too large."""


def read_sheet(text: str) -> Sheet:
    """Parse numbers; SpecError if there are none, or a line can't be parsed."""
    if len(text) > SHEET_LIMIT:
        raise SpecError("At most {most:,} characters, not {count:,}.", most=SHEET_LIMIT, count=len(text))
    text = text.removeprefix("\ufeff").strip()
    is_json = text[:1] in {"{", "["}
    entries = [*(_from_json(text) if is_json else _with_most(_from_lines(text)))]
    valid = [(name, value) for name, value in entries if not _is_whole(value) or _is_in_range(value)]
    accepted = valid[:NUMBERS_LIMIT]
    if not accepted:
        raise SpecError("I find no numbers there. Write them like str 3, dex +2.")
    numbers = (
        _name_leaves(accepted)
        if is_json
        else [(clean_number_name(name[0]), value) for name, value in accepted]
    )
    return Sheet(tuple(dict(numbers).items()), len(entries) - len(accepted))


def bonuses(numbers: tuple[tuple[str, str], ...], scores: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the numbers with each score replaced by its bonus and added as, for example, str_score.

    One that has such a score already is a bonus.
    """
    names = {name for name, _ in numbers}
    score_values = {
        name: int(text)
        for name, text in numbers
        if name.casefold() in scores and _is_whole(text) and f"{name}_score" not in names
    }
    if max(score_values.values(), default=0) <= _SCORE:
        return numbers
    rows: list[tuple[str, str]] = []
    for name, text in numbers:
        if name in score_values:
            rows += [(name, str((score_values[name] - 10) // 2)), (f"{name}_score", text)]
        else:
            rows.append((name, text))
    return tuple(rows)


def _is_in_range(value: str) -> bool:
    return len(value) < 7 and abs(int(value)) <= VALUE_LIMIT


def _is_whole(text: str) -> bool:
    return bool(_WHOLE.fullmatch(text))


def _from_lines(text: str) -> Iterator[tuple[Path, str]]:
    """Yield the numbers of lines, or of a header row and a row of values."""
    text = _DOTS.sub(lambda dots: str(len(dots[0].rstrip(_EMPTY))), text)
    for pattern, own_text in _PASTED:
        text = pattern.sub(own_text, text)
    lines = [_NEXT.sub(r"\1,", line) for line in map(str.strip, text.splitlines()) if line]
    rows = [[cell.strip().strip('"') for cell in _CELLS.split(line)] for line in lines]
    names, values = rows[:2] if len(rows) > 1 else ([], [])
    if len(names) == len(values) > 1 and _is_table(names, values):
        pairs = zip(names, values, strict=True)
        yield from (((name,), value) for name, value in pairs if _is_whole(value))
        return
    for row in rows:
        cells = [cell for cell in row if cell]
        together = list(filter(None, map(_TOGETHER.fullmatch, cells)))
        if len(together) == len(cells):
            yield from (((match[1],), match[2]) for match in together)
            continue
        if len(cells) == 2 and not _split_entry(cells[0]) and not _split_entry(cells[1]):
            yield (cells[0],), cells[1]
            continue
        for cell in cells:
            entry = _split_entry(cell)
            if entry is None:
                raise SpecError(
                    "I can't read {cell}. Write a name and a number, such as str 3.", cell=cell[:40]
                )
            yield (entry[0],), entry[1]


def _with_most(entries: Iterator[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    """Yield the entries, `hp 23/30` as `hp 23` and `hp_max 30`: nobody means a division of two numbers."""
    for path, value in entries:
        if of_most := _OF_MOST.fullmatch(value):
            yield path, of_most[1]
            yield (*path[:-1], f"{path[-1]}_max"), of_most[2]
        else:
            yield path, value


def _is_table(names: list[str], values: list[str]) -> bool:
    return any(map(_is_whole, values)) and not any(_is_whole(name) or _split_entry(name) for name in names)


def _split_entry(text: str) -> tuple[str, str] | None:
    """Split a text into a name and a value; None if one is missing."""
    parts = [part.strip() for part in _ASSIGNMENT.split(text)]
    if len(parts) == 1:
        line = _GLUED.sub(r"\g<0> ", " ".join(text.split()))
        name, _, value = line.rpartition(" ")
        if not _is_whole(value) or _NO_NAME.search(name):
            name, _, value = _TIGHT.sub(lambda sign: sign[1] or "", line).rpartition(" ")
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


def _name_leaves(leaves: list[tuple[Path, str]]) -> Iterator[tuple[str, str]]:
    """Yield leaves by name, prefixed with parents' names if a name is ambiguous or not allowed."""
    names_of = [_suffixes(path) for path, _ in leaves]
    counts = Counter(name.casefold() for names in names_of for name in {*names})
    for names, (_, value) in zip(names_of, leaves, strict=True):
        unique = (name for name in names if counts[name.casefold()] == 1 and _is_valid_name(name))
        name = next(unique, names[-1])
        if allowed := next(filter(_is_valid_name, (name, f"my_{name}"[:NAME_LIMIT])), ""):
            yield allowed, value


def _suffixes(path: Path) -> list[str]:
    """Return the names that a leaf may have: its own, and those with ever more of its parents."""
    parts = [_STRANGE.sub(" ", part).strip() for part in path[-_PARENTS:]]
    return ["_".join(parts[start:])[:NAME_LIMIT].strip(" _-'") for start in reversed(range(len(parts)))]


def _is_valid_name(name: str) -> bool:
    try:
        return bool(clean_number_name(name))
    except SpecError:
        return False
