"""Reads a typed line such as `/roll 2d6+3 label:Climb` as a command, and lists what can be typed next.

    /NAME text before the first pair option:value option:"a value with option: in it"

The name is the longest that fits. A value ends where the next option not given yet begins, at a blank. Text
before the first pair fills the needed options in order: a word or quoted text each, the last all the rest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from bot.play import options
from bot.play.options import AppCommand, LineFault, Names, OptionValue, value_of
from bot.play.store import Object

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FIRST = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ][^ ]*) +')
_DELETING = {"erase", "data forget"}
_AT_NAME = re.compile(r"(?<![\w@])@([^@]{0,24})$")
_LAST_WORD = re.compile(r"(?<![^ ])[\w-]*$")
_TOP = "roll"


@dataclass(frozen=True, slots=True)
class Given:
    """An option's text as typed, and where it stands."""

    option: Object
    text: str
    start: int


def _plain(line: str) -> str:
    return re.sub(r"\s", " ", line)  # places stay


def _find(line: str, known: Sequence[AppCommand]) -> tuple[AppCommand, int] | None:
    """Return the command that a line begins with, the longest name first, and where its name ends."""
    found: list[tuple[AppCommand, int]] = []
    for command in known:
        pattern = "/ *" + " +".join(map(re.escape, command.name.split())) + r"(?= |$)"
        if match := re.match(pattern, line, re.IGNORECASE):
            found.append((command, match.end()))
    return max(found, key=lambda each: each[1], default=None)


def _split(line: str, command: AppCommand, start: int) -> list[Given]:
    """Return what is given for which option, in the order of the line; raise LineFault."""
    left = {option["name"].lower(): option for option in command.options}
    begun: list[tuple[Object, int, int]] = []
    at = start = len(line) - len(line[start:].lstrip(" "))
    while left and (pair := _pairs(left).search(line, at)):
        begun.append((left.pop(pair[1].lower()), pair.start(1), pair.end()))
        quoted = _QUOTED.match(line, pair.end())
        at = quoted.end() if quoted else pair.end()
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
    """Return what finds the beginning of a pair: one of the names and a colon, behind a blank, and blanks."""
    names = "|".join(map(re.escape, sorted(options, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}): *", re.IGNORECASE)


def _given(option: Object, line: str, start: int, end: int) -> Given:
    """Return a value between two places; nothing may stand behind a quoted one."""
    text = line[start:end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        sentence = f"Nothing can stand behind the closing quote of {option['name']}."
        raise LineFault(sentence, start + quoted.end())
    return Given(option, text, start)


def read(line: str, known: Sequence[AppCommand], names: Names) -> tuple[AppCommand, dict[str, OptionValue]]:
    """Return the command that a line runs, and the values of its options; raise LineFault."""
    line = _plain(line)
    command, start = _find(line, known) or (None, 0)
    if command is None:
        raise _no_command(line, known)
    given = [(each, _unquoted(each.text)) for each in _split(line, command, start)]
    values = {g.option["name"]: value_of(g.option, text, g.start, names) for g, text in given if text}
    for option in command.options:
        if option.get("required") and option["name"] not in values:
            raise LineFault(f"{option['name']} is needed: {option['description'].rstrip('.')}.", len(line))
    return command, values


def _unquoted(text: str) -> str:
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


@dataclass(frozen=True, slots=True)
class HintRow:
    """A row of the list: taking it puts `text` in place of what stands from `start` to the caret."""

    label: str
    about: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Question:
    """Choices that the bot is to be asked for: of which option, how far it is typed, what the others are."""

    command: AppCommand
    option: Object
    typed: str
    values: Mapping[str, str]
    start: int

    def row(self, name: str, value: str) -> HintRow:
        """Return the row of a choice that the bot offers."""
        return HintRow(name, "", f"{quoted(value, self.command)} ", self.start)


@dataclass(slots=True)
class Hints:
    """The rows and their title, the current option, the file option still open, the question for the bot."""

    rows: list[HintRow] = field(default_factory=list[HintRow])
    option: Object | None = None
    file: str | None = None
    title: str = ""
    question: Question | None = None


def hints(line: str, at: int, known: Sequence[AppCommand], names: Names, used: Mapping[str, int]) -> Hints:
    """Return what can be typed at a place of a line; `used` is how often each command was."""
    line = _plain(line)
    head = line[:at]
    if not head.startswith("/") or head.startswith("//"):
        return Hints(_people(head, names))
    found = _find(line, known)
    if found is None or at <= found[1]:
        return Hints(_commands(head, known, used))
    try:
        return _inside(head, found[0], _split(head, *found), names)
    except LineFault:
        return Hints()


def _commands(head: str, known: Iterable[AppCommand], used: Mapping[str, int]) -> list[HintRow]:
    """Return the commands: prefix before word before any place, most used first; what deletes last."""
    typed = " ".join(head[1:].lower().split())

    def rank(name: str) -> tuple[object, ...]:
        inside = (not name.startswith(typed), f" {typed}" not in f" {name}")
        return (name in _DELETING, *inside, -used.get(name, 0), name != _TOP, name)

    fitting = [c for c in known if typed in c.name and (typed or c.name not in _DELETING)]
    fitting.sort(key=lambda command: rank(command.name))
    return [HintRow(f"/{c.name}", c.about, f"/{c.name} ", 0) for c in fitting]


def _inside(head: str, command: AppCommand, given: Sequence[Given], names: Names) -> Hints:
    """Return what can follow a command's name: values of the option that is typed, and other options."""
    current = given[-1] if given else None
    free = [option for option in command.options if all(option is not each.option for each in given)]
    shown = Hints(file=next((o["name"] for o in free if o["type"] == options.FILE), None))
    shown.option = current.option if current else free[0] if free else None
    start = current.start if current else len(head)
    typed = head[start:]
    closed = typed.startswith('"') and typed.endswith('"') and typed != '"'
    if shown.option and not closed:
        shown.rows = _people(typed, names, start) or _values(shown.option, typed, start, command, names)
        if shown.option.get("autocomplete"):
            texts = (g for g in given[:-1] if g.option["type"] == options.TEXT and g.text)
            values = {g.option["name"]: _unquoted(g.text) for g in texts}
            shown.question = Question(command, shown.option, _unquoted(typed), values, start)
    word = _LAST_WORD.search(head)
    if word and (current is None or word.start() > start or closed):
        wanted = (option for option in free if option["name"].startswith(word[0].lower()))
        shown.title = "" if shown.rows else f"Options of /{command.name}"
        for option in wanted:
            name, allowed = f"{option['name']}:", options.allowed(option)
            about = option["description"].rstrip(".") + (f" ({allowed})" if allowed else "")
            shown.rows.append(HintRow(name, about, name, word.start()))
    return shown


def _values(option: Object, typed: str, start: int, command: AppCommand, names: Names) -> list[HintRow]:
    """Return the rows of an option's own values that begin as typed."""
    kind, wanted = option["type"], typed.strip().lstrip("@#").casefold()
    texts = {str(choice["value"]): str(choice["name"]) for choice in option.get("choices") or ()}
    if kind == options.BOOLEAN:
        texts = {"yes": "", "no": ""}
    sign, roles = {options.CHANNEL: "#", options.FILE: ""}.get(kind, "@"), names[options.ROLE]
    texts |= {f"{sign}{name}": "role" if name in roles else "" for name in names.get(kind, ())}
    return [
        HintRow(text, about if about != text else "", f"{quoted(text, command)} ", start)
        for text, about in texts.items()
        if text.lstrip("@#").casefold().startswith(wanted) or about.casefold().startswith(wanted)
    ]


def _people(head: str, names: Names, start: int = 0) -> list[HintRow]:
    """Return the rows of people and roles after an @."""
    found = _AT_NAME.search(head)
    if not found:
        return []
    named = {**dict.fromkeys(names[options.USER], ""), **dict.fromkeys(names[options.ROLE], "role")}
    return [
        HintRow(f"@{name}", about, f"@{name} ", start + found.start())
        for name, about in named.items()
        if name.casefold().startswith(found[1].casefold())
    ]
