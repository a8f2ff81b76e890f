"""Reads a typed line such as `/roll 2d6+3 label:Climb` as a command, or says what is wrong with it.

    /NAME text before the first pair option:value option:"a value with option: in it"

The name is the longest that fits. A value ends where the next option not given yet begins, at a blank.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bot.play.told import TEXT, AppCommand, Option, OptionValue
from bot.play.values import Given, LineFault, Names, value_of

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NOBODY = Option("", "", TEXT, required=False, choices=(), low=None, high=None, asks=False)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command with the values of its options."""

    command: AppCommand
    values: Mapping[str, OptionValue]


def plain(line: str) -> str:
    """Return the line with every kind of white space as a blank; places stay."""
    return re.sub(r"\s", " ", line)


def find(line: str, known: Sequence[AppCommand]) -> tuple[AppCommand, int] | None:
    """Return the command that a line begins with, the longest name first, and where its name ends."""
    best: tuple[AppCommand, int] | None = None
    for command in known:
        pattern = "/ *" + " +".join(map(re.escape, command.name.split())) + r"(?= |$)"
        match = re.match(pattern, line, re.IGNORECASE)
        if match and (best is None or match.end() > best[1]):
            best = command, match.end()
    return best


def split(line: str, command: AppCommand, start: int) -> list[Given]:
    """Return what is given for which option, in the order of the line; raise Fault."""
    left = {option.name.lower(): option for option in command.options}
    begun: list[tuple[Option, int, int]] = []
    at = start
    while left and (pair := _pairs(left).search(line, at)):
        value = _after_blanks(line, pair.end())
        begun.append((left.pop(pair[1].lower()), pair.start(1), value))
        quoted = _QUOTED.match(line, value)
        at = quoted.end() if quoted else value
    ends = [*(name for _, name, _ in begun), len(line)]
    found = [_given(option, line, at, end) for (option, _, at), end in zip(begun, ends[1:], strict=True)]
    lead = _given(_NOBODY, line, _after_blanks(line, start), ends[0])
    if not lead.text:
        return found
    first = next(iter(left.values()), None)
    if first is None:
        raise LineFault(f"/{command.name} takes nothing more.", lead.start)
    return [Given(first, lead.text, lead.start, lead.end, named=False), *found]


def _pairs(options: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the beginning of a pair: one of the names and a colon, behind a blank."""
    names = "|".join(map(re.escape, sorted(options, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}):", re.IGNORECASE)


def _after_blanks(line: str, at: int) -> int:
    return len(line) - len(line[at:].lstrip(" "))


def _given(option: Option, line: str, start: int, end: int) -> Given:
    """Return a value between two places; nothing may stand behind a quoted one."""
    text = line[start:end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        name = option.name or "the value"
        raise LineFault(f"Nothing can stand behind the closing quote of {name}.", start + quoted.end())
    return Given(option, text, start, start + len(text), named=True)


def read(line: str, known: Sequence[AppCommand], names: Names) -> CommandLine:
    """Return the command that a line runs; raise Fault."""
    line = plain(line)
    found = find(line, known)
    if found is None:
        raise _no_command(line, known)
    command, start = found
    values: dict[str, OptionValue] = {}
    for given in split(line, command, start):
        text = unquoted(given.text)
        if text:
            values[given.option.name] = value_of(given, text, names)
    for option in command.options:
        if option.required and option.name not in values:
            raise LineFault(f"{option.name} is needed: {option.about.rstrip('.')}.", len(line))
    return CommandLine(command, values)


def unquoted(text: str) -> str:
    """Return a value without the quotes around it."""
    quoted = _QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else text


def quoted(value: str, command: AppCommand) -> str:
    """Return a value as it is to be typed: in quotes where it would else be read differently."""
    pair = command.options and _pairs(option.name for option in command.options).search(value)
    if value == value.strip() and not value.startswith('"') and not pair:
        return value
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


def _no_command(line: str, known: Sequence[AppCommand]) -> LineFault:
    typed = line[1:].strip(" ").lower()
    words = " ".join(typed.split(" ")[:3])
    group = [command.name for command in known if typed and command.name.startswith(f"{typed} ")]
    if group:
        return LineFault(
            f"/{typed} needs one more word: {_one_of(name.removeprefix(f'{typed} ') for name in group)}.",
            len(line),
        )
    names = [command.name for command in known]
    first = words.split(" ")[0]
    near = get_close_matches(words, names, n=1) or get_close_matches(first, names, n=1)
    shown = words if any(name.startswith(f"{first} ") for name in names) else first
    hint = f" Did you mean /{near[0]}?" if near else " Type / for a list."
    return LineFault(f"There is no /{shown}.{hint}", len(f"/{shown}"))


def _one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def to_units(line: str, at: int) -> int:
    """Return a place in a line as JavaScript counts it, in UTF-16 units."""
    return len(line[:at].encode("utf-16-le")) // 2


def from_units(line: str, at: int) -> int:
    """Return JavaScript's place in a line as Python counts it."""
    return len(line.encode("utf-16-le")[: 2 * max(at, 0)].decode("utf-16-le", "ignore"))
