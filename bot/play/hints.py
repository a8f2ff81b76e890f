"""What can be typed next: commands, options, choices, people, for the list above the line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.play import line as lines
from bot.play import options
from bot.play.line import Given
from bot.play.options import AppCommand, LineFault, Names
from bot.play.store import Object

_DELETING = {"erase", "data forget"}
_AT_NAME = re.compile(r"(?<![\w@])@([^@]{0,24})$")
_LAST_WORD = re.compile(r"(?<![^ ])[\w-]*$")
_FIRST = "roll"


@dataclass(frozen=True, slots=True)
class HintRow:
    """A row of the list: taking it puts `text` in place of what stands from `start` to `end`."""

    label: str
    about: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """Choices that the bot is to be asked for: of which option, how far it is typed, what the others are."""

    command: AppCommand
    option: Object
    typed: str
    values: Mapping[str, str]
    start: int
    end: int

    def row(self, name: str, value: str) -> HintRow:
        """Return the row of a choice that the bot offers."""
        return HintRow(name, "", f"{lines.quoted(value, self.command)} ", self.start, self.end)


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
    line = lines.plain(line)
    head = line[:at]
    if not head.startswith("/") or head.startswith("//"):
        return Hints(_people(head, names))
    found = lines.find(line, known)
    if found is None or at <= found[1]:
        return Hints(_commands(head, known, used))
    try:
        return _inside(head, found[0], lines.split(head, *found), names)
    except LineFault:
        return Hints()


def _commands(head: str, known: Iterable[AppCommand], used: Mapping[str, int]) -> list[HintRow]:
    """Return the commands: prefix before word before any place, most used first; what deletes last."""
    typed = " ".join(head[1:].lower().split())

    def rank(name: str) -> int:
        begins = any(word.startswith(typed) for word in name.split())
        return 0 if name.startswith(typed) else 1 if begins else 2

    fitting = [c for c in known if typed in c.name and (typed or c.name not in _DELETING)]
    fitting.sort(
        key=lambda c: (c.name in _DELETING, rank(c.name), -used.get(c.name, 0), c.name != _FIRST, c.name)
    )
    return [HintRow(f"/{c.name}", c.about, f"/{c.name} ", 0, len(head)) for c in fitting]


def _inside(head: str, command: AppCommand, given: Sequence[Given], names: Names) -> Hints:
    """Return what can follow a command's name: values of the option that is typed, and other options."""
    end, current = len(head), given[-1] if given else None
    free = [option for option in command.options if all(option is not each.option for each in given)]
    shown = Hints(file=next((o["name"] for o in free if o["type"] == options.FILE), None))
    shown.option = current.option if current else free[0] if free else None
    start = current.start if current else end
    closed = head[start : start + 1] == '"' and head.endswith('"') and end > start + 1
    if shown.option and not closed:
        typed = head[start:]
        shown.rows = _people(typed, names, start) or _values(shown.option, typed, start, command, names)
        if shown.option.get("autocomplete"):
            texts = (g for g in given[:-1] if g.option["type"] == options.TEXT and g.text)
            values = {g.option["name"]: lines.unquoted(g.text) for g in texts}
            shown.question = Question(command, shown.option, lines.unquoted(typed), values, start, end)
    word = _LAST_WORD.search(head)
    if word and (current is None or word.start() > start or closed):
        wanted = (option for option in free if option["name"].startswith(word[0].lower()))
        shown.title = "" if shown.rows else f"Options of /{command.name}"
        shown.rows += [_option(option, word.start(), end) for option in wanted]
    return shown


def _option(option: Object, start: int, end: int) -> HintRow:
    name, allowed = f"{option['name']}:", options.allowed(option)
    about = option["description"].rstrip(".") + (f" ({allowed})" if allowed else "")
    return HintRow(name, about, name, start, end)


def _values(option: Object, typed: str, start: int, command: AppCommand, names: Names) -> list[HintRow]:
    """Return the rows of an option's own values that begin as typed."""
    kind, wanted = option["type"], typed.strip().lstrip("@#").casefold()
    texts = {str(choice["value"]): str(choice["name"]) for choice in option.get("choices") or ()}
    if kind == options.BOOLEAN:
        texts = {"yes": "", "no": ""}
    sign = "#" if kind == options.CHANNEL else "@"
    texts |= {f"{sign}{name}": "role" if name in names.roles else "" for name in names.of(kind)}
    texts |= dict.fromkeys(names.files if kind == options.FILE else (), "")
    end = start + len(typed)
    return [
        HintRow(text, about if about != text else "", f"{lines.quoted(text, command)} ", start, end)
        for text, about in texts.items()
        if text.lstrip("@#").casefold().startswith(wanted) or about.casefold().startswith(wanted)
    ]


def _people(head: str, names: Names, start: int = 0) -> list[HintRow]:
    """Return the rows of people and roles after an @."""
    found = _AT_NAME.search(head)
    if not found:
        return []
    at, end = start + found.start(), start + len(head)
    named = {**dict.fromkeys(names.people, ""), **dict.fromkeys(names.roles, "role")}
    return [
        HintRow(f"@{name}", about, f"@{name} ", at, end)
        for name, about in named.items()
        if name.casefold().startswith(found[1].casefold())
    ]
