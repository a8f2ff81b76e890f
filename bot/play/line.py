"""Reads a typed line such as `/roll 2d6+3 label:Climb` into a command with its options, or says where it is wrong.

    /NAME text before the first pair  option:value  option:"a value with option: in it"

The name is the longest that fits. A value ends where the next option that is not given yet begins, at a blank.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from bot.play.store import Object

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = 3, 4, 5, 6, 7, 8, 9, 10, 11
_GROUPS = {1, 2}
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_MENTION = re.compile(r"<(?:@&|@!?|#)(\d{1,19})>")
_AT = re.compile(r"(?<![\w@])@(?=\S)")


class Fault(Exception):
    """A line that can't be run: one sentence, and the place of the fault in it."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command; `low` and `high` limit a number's value or a text's length."""

    name: str
    about: str
    kind: int
    required: bool
    choices: tuple[tuple[str, Any], ...]
    low: float | None
    high: float | None
    asks: bool
    """Whether the bot is asked for choices."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be run: its whole name, and the options of that (sub)command; `told` is as it was synced."""

    name: str
    about: str
    options: tuple[Option, ...]
    told: Object


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what can be named: ids by name, and the sender's uploaded files by name."""

    people: Mapping[str, int]
    roles: Mapping[str, int]
    channels: Mapping[str, int]
    files: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Given:
    """An option's text as typed, and where it stands in the line; `named` tells a pair from the text before."""

    option: Option
    text: str
    start: int
    end: int
    named: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A command with the values of its options."""

    command: Command
    values: Mapping[str, Any]


def commands(told: Iterable[Object]) -> list[Command]:
    """Return the slash commands that can be run, subcommands by their whole names."""
    found: list[Command] = []
    for command in told:
        if command["type"] == 1:
            _flatten(found, command["name"], command, command)
    return found


def _flatten(found: list[Command], name: str, part: Object, told: Object) -> None:
    below: list[Object] = part.get("options") or []
    subs = [each for each in below if each["type"] in _GROUPS]
    if not subs:
        options = tuple(_option(each) for each in below)
        found.append(Command(name, part["description"], options, told))
    for each in subs:
        _flatten(found, f"{name} {each['name']}", each, told)


def _option(told: Object) -> Option:
    text = told["type"] == TEXT
    return Option(
        told["name"],
        told["description"],
        told["type"],
        bool(told.get("required")),
        tuple((choice["name"], choice["value"]) for choice in told.get("choices") or ()),
        told.get("min_length" if text else "min_value"),
        told.get("max_length" if text else "max_value"),
        bool(told.get("autocomplete")),
    )


def plain(line: str) -> str:
    """Return the line with every kind of white space as a blank; places stay."""
    return re.sub(r"\s", " ", line)


def find(line: str, known: Sequence[Command]) -> tuple[Command, int] | None:
    """Return the command that a line begins with, the longest name first, and where its name ends."""
    best: tuple[Command, int] | None = None
    for command in known:
        pattern = "/ *" + " +".join(map(re.escape, command.name.split())) + r"(?= |$)"
        match = re.match(pattern, line, re.IGNORECASE)
        if match and (best is None or match.end() > best[1]):
            best = command, match.end()
    return best


def split(line: str, command: Command, start: int) -> list[Given]:
    """Return what is given for which option, in the order of the line; raise Fault."""
    found: list[Given] = []
    left = {option.name.lower(): option for option in command.options}
    at = start
    while pair := _next_pair(line, at, left):
        name, value = pair.start(1), pair.end()
        lead = line[at:name].strip(" ")
        if found:
            found[-1] = _ended(found[-1], line, name)
        elif lead:
            found.append(
                Given(
                    _NOBODY, lead, at + len(line[at:name]) - len(line[at:name].lstrip(" ")), name, named=False
                )
            )
        option = left.pop(pair[1].lower())
        value += len(line[value:]) - len(line[value:].lstrip(" "))
        quoted = _QUOTED.match(line, value)
        at = quoted.end() if quoted else value
        found.append(Given(option, line[value:at], value, at, named=True))
    if found:
        found[-1] = _ended(found[-1], line, len(line))
    elif line[at:].strip(" "):
        value = at + len(line[at:]) - len(line[at:].lstrip(" "))
        found.append(_ended(Given(_NOBODY, "", value, value, named=False), line, len(line)))
    if found and not found[0].named:
        first = next(iter(left.values()), None)
        if first is None:
            raise Fault(f"/{command.name} takes nothing more.", found[0].start)
        lead = found[0]
        found[0] = Given(first, lead.text, lead.start, lead.end, named=False)
    return found


_NOBODY = Option("", "", TEXT, required=False, choices=(), low=None, high=None, asks=False)


def _next_pair(line: str, at: int, left: Mapping[str, Option]) -> re.Match[str] | None:
    if not left:
        return None
    names = "|".join(map(re.escape, sorted(left, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}):", re.IGNORECASE).search(line, at)


def _ended(given: Given, line: str, end: int) -> Given:
    """Return a value up to `end`; nothing may stand behind a quoted one."""
    text = line[given.start : end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        raise Fault(
            f"Nothing can stand behind the closing quote of {given.option.name}.", given.start + quoted.end()
        )
    return Given(given.option, text, given.start, given.start + len(text), given.named)


def read(line: str, known: Sequence[Command], names: Names) -> Call:
    """Return the command that a line runs; raise Fault."""
    line = plain(line)
    found = find(line, known)
    if found is None:
        raise _no_command(line, known)
    command, start = found
    values: dict[str, Any] = {}
    for given in split(line, command, start):
        text = unquoted(given.text)
        if text:
            values[given.option.name] = _value(given, text, names)
    for option in command.options:
        if option.required and option.name not in values:
            raise Fault(f"{option.name} is needed: {option.about.rstrip('.')}.", len(line))
    return Call(command, values)


def unquoted(text: str) -> str:
    """Return a value without the quotes around it."""
    quoted = _QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else text


def quoted(value: str, command: Command) -> str:
    """Return a value as it is to be typed: in quotes where it would else be read differently."""
    names = "|".join(re.escape(option.name) for option in command.options) or "$^"
    plain_one = (
        value == value.strip() and not value.startswith('"') and not re.search(rf"(?<![^ ])({names}):", value)
    )
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return value if plain_one else f'"{escaped}"'


def mentioned(text: str, names: Names) -> str:
    """Return a text in which each @Name is a mention: the longest name first, in any case."""
    known = [(name, f"<@{number}>") for name, number in names.people.items()]
    known += [(name, f"<@&{number}>") for name, number in names.roles.items()]
    known.sort(key=lambda each: -len(each[0]))
    parts, at = [""], 0
    for found in _AT.finditer(text):
        rest = text[found.end() :].casefold()
        mention = next((m for n, m in known if _begins(rest, n.casefold())), None)
        if mention and found.start() >= at:
            name = next(n for n, m in known if m == mention)
            parts += [text[at : found.start()], mention]
            at = found.end() + len(name)
    return "".join([*parts, text[at:]])


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


def _no_command(line: str, known: Sequence[Command]) -> Fault:
    typed = line[1:].strip(" ").lower()
    words = " ".join(typed.split(" ")[:3])
    group = [command.name for command in known if typed and command.name.startswith(f"{typed} ")]
    if group:
        return Fault(
            f"/{typed} needs one more word: {_one_of(name.removeprefix(f'{typed} ') for name in group)}.",
            len(line),
        )
    names = [command.name for command in known]
    first = words.split(" ")[0]
    near = get_close_matches(words, names, n=1) or get_close_matches(first, names, n=1)
    shown = words if any(name.startswith(f"{first} ") for name in names) else first
    hint = f" Did you mean /{near[0]}?" if near else " Type / for a list."
    return Fault(f"There is no /{shown}.{hint}", len(f"/{shown}"))


def _value(given: Given, text: str, names: Names) -> Any:
    option = given.option
    if option.choices:
        return _choice(given, text)
    match option.kind:
        case 4 | 10:
            return _number(given, text)
        case 5:
            if text.lower() not in _BOOLEANS:
                raise Fault(f"{option.name} is yes or no.", given.start)
            return _BOOLEANS[text.lower()]
        case 6 | 7 | 8 | 9:
            return _named(given, text, names)
        case 11:
            if text not in names.files:
                raise Fault(f"{option.name} is a file: add one with the paper-clip.", given.start)
            return str(names.files[text])
        case _:
            whole = mentioned(text, names)
            low, high = int(option.low or 0), int(option.high or 6000)
            if not low <= len(whole) <= high:
                limit = f"at most {high}" if len(whole) > high else f"at least {low}"
                raise Fault(f"{option.name} is {limit} characters long.", given.start)
            return whole


def _choice(given: Given, text: str) -> Any:
    choices, wanted = given.option.choices, text.casefold()
    exact = [value for name, value in choices if wanted in {str(value).casefold(), name.casefold()}]
    begun = [
        value
        for name, value in choices
        if name.casefold().startswith(wanted) or str(value).casefold().startswith(wanted)
    ]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    raise Fault(
        f"{given.option.name} is one of {', '.join(str(value) for _, value in choices)}.", given.start
    )


def _number(given: Given, text: str) -> int | float:
    option = given.option
    whole = option.kind == INTEGER
    try:
        value = int(text) if whole else float(text)
        fits = (option.low is None or value >= option.low) and (option.high is None or value <= option.high)
    except ValueError:
        value, fits = 0, False
    if not fits or abs(value) > 2**53:
        raise Fault(f"{option.name} is {allowed(option)}.", given.start)
    return value


def allowed(option: Option) -> str:
    """Return what an option takes, in words; "" for any text."""
    if option.choices:
        return f"one of {', '.join(str(value) for _, value in option.choices)}"
    if option.kind in {INTEGER, NUMBER}:
        what = "a whole number" if option.kind == INTEGER else "a number"
        low, high = (None if limit is None else f"{limit:g}" for limit in (option.low, option.high))
        if low and high:
            return f"{what} from {low} to {high}"
        return f"{what}, at least {low}" if low else f"{what}, at most {high}" if high else what
    words = {BOOLEAN: "yes or no", USER: "a person", CHANNEL: "a channel", ROLE: "a role", FILE: "a file"}
    return words.get(option.kind, "")


def _named(given: Given, text: str, names: Names) -> str:
    kinds = {
        USER: (names.people,),
        ROLE: (names.roles,),
        CHANNEL: (names.channels,),
        MENTIONABLE: (names.people, names.roles),
    }
    known = {name.casefold(): number for kind in kinds[given.option.kind] for name, number in kind.items()}
    wanted = text.lstrip("@#").casefold()
    mention = _MENTION.fullmatch(text)
    if mention and int(mention[1]) in known.values():
        return mention[1]
    if wanted not in known:
        what = {USER: "Nobody here is", ROLE: "There is no role", CHANNEL: "There is no channel"}
        raise Fault(
            f"{what.get(given.option.kind, 'Nobody here is')} called {text.lstrip('@#')}.", given.start
        )
    return str(known[wanted])


def _one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
