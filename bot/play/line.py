"""Reads a typed line such as `/roll 2d6+3 label:Climb` as a command, or says what is wrong with it.

    /NAME text before the first pair option:value option:"a value with option: in it"

The name is the longest that fits. A value ends where the next option not given yet begins, at a blank. Text
before the first pair fills the needed options in order: a word or quoted text each, the last all the rest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bot.play.options import AppCommand, LineFault, Names, OptionValue, value_of
from bot.play.store import Object

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FIRST = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ][^ ]*) +')


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command with the values of its options."""

    command: AppCommand
    values: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Given:
    """An option's text as typed, and where it stands."""

    option: Object
    text: str
    start: int


def plain(line: str) -> str:
    """Return the line with every kind of white space as a blank; places stay."""
    return re.sub(r"\s", " ", line)


def find(line: str, known: Sequence[AppCommand]) -> tuple[AppCommand, int] | None:
    """Return the command that a line begins with, the longest name first, and where its name ends."""
    found: list[tuple[AppCommand, int]] = []
    for command in known:
        pattern = "/ *" + " +".join(map(re.escape, command.name.split())) + r"(?= |$)"
        if match := re.match(pattern, line, re.IGNORECASE):
            found.append((command, match.end()))
    return max(found, key=lambda each: each[1], default=None)


def split(line: str, command: AppCommand, start: int) -> list[Given]:
    """Return what is given for which option, in the order of the line; raise LineFault."""
    left = {option["name"].lower(): option for option in command.options}
    begun: list[tuple[Object, int, int]] = []
    at = start = _after_blanks(line, start)
    while left and (pair := _pairs(left).search(line, at)):
        value = _after_blanks(line, pair.end())
        begun.append((left.pop(pair[1].lower()), pair.start(1), value))
        quoted = _QUOTED.match(line, value)
        at = quoted.end() if quoted else value
    ends = [*(name for _, name, _ in begun), len(line)]
    found = [_given(option, line, at, end) for (option, _, at), end in zip(begun, ends[1:], strict=True)]
    if not line[start : ends[0]].strip():
        return found
    if not left:
        raise LineFault(f"/{command.name} takes nothing more.", start)
    free = list(left.values())
    return [*_in_order([o for o in free if o.get("required")] or free[:1], line, start, ends[0]), *found]


def _in_order(options: Sequence[Object], line: str, at: int, end: int) -> Iterator[Given]:
    """Give a word or quoted text to each option, and to the last what is left."""
    for option in options:
        word = _FIRST.match(line, at, end) if option is not options[-1] else None
        yield _given(option, line, at, word.end() if word else end)
        if word is None:
            return
        at = word.end()


def _pairs(options: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the beginning of a pair: one of the names and a colon, behind a blank."""
    names = "|".join(map(re.escape, sorted(options, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}):", re.IGNORECASE)


def _after_blanks(line: str, at: int) -> int:
    return len(line) - len(line[at:].lstrip(" "))


def _given(option: Object, line: str, start: int, end: int) -> Given:
    """Return a value between two places; nothing may stand behind a quoted one."""
    text = line[start:end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        sentence = f"Nothing can stand behind the closing quote of {option['name']}."
        raise LineFault(sentence, start + quoted.end())
    return Given(option, text, start)


def read(line: str, known: Sequence[AppCommand], names: Names) -> CommandLine:
    """Return the command that a line runs; raise LineFault."""
    line = plain(line)
    command, start = find(line, known) or (None, 0)
    if command is None:
        raise _no_command(line, known)
    given = [(each, unquoted(each.text)) for each in split(line, command, start)]
    values = {g.option["name"]: value_of(g.option, text, g.start, names) for g, text in given if text}
    for option in command.options:
        if option.get("required") and option["name"] not in values:
            raise LineFault(f"{option['name']} is needed: {option['description'].rstrip('.')}.", len(line))
    return CommandLine(command, values)


def unquoted(text: str) -> str:
    """Return a value without the quotes around it."""
    quoted = _QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else text


def quoted(value: str, command: AppCommand) -> str:
    """Return a value as it is to be typed: in quotes where it would else be read differently."""
    pair = command.options and _pairs(option["name"] for option in command.options).search(value)
    if value == value.strip() and not value.startswith('"') and not pair:
        return value
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


def _no_command(line: str, known: Sequence[AppCommand]) -> LineFault:
    typed = line[1:].strip(" ").lower()
    names = [command.name for command in known]
    group = [name.removeprefix(f"{typed} ") for name in names if typed and name.startswith(f"{typed} ")]
    if group:
        words = f"{', '.join(group[:-1])} or {group[-1]}" if group[1:] else group[0]
        return LineFault(f"/{typed} needs one more word: {words}.", len(line))
    first, words = typed.split(" ")[0], " ".join(typed.split(" ")[:3])
    near = get_close_matches(words, names, n=1) or get_close_matches(first, names, n=1)
    shown = words if any(name.startswith(f"{first} ") for name in names) else first
    hint = f" Did you mean /{near[0]}?" if near else " Type / for a list."
    return LineFault(f"There is no /{shown}.{hint}", len(f"/{shown}"))


def to_units(line: str, at: int) -> int:
    """Return a place in a line as JavaScript counts it, in UTF-16 units."""
    return len(line[:at].encode("utf-16-le")) // 2


def from_units(line: str, at: int) -> int:
    """Return JavaScript's place in a line as Python counts it."""
    return len(line.encode("utf-16-le")[: 2 * max(at, 0)].decode("utf-16-le", "ignore"))
