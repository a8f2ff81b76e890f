"""What can be typed next: commands, options, choices, people, for the list above the line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.play import line as lines
from bot.play import told
from bot.play.told import AppCommand, Option
from bot.play.values import Given, LineFault, Names

_DELETING = {"admin data", "data forget"}
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
    """Choices that the bot is to be asked for: of which option, and how far it is typed."""

    command: AppCommand
    option: Option
    typed: str
    values: Mapping[str, object]
    """What the other options are."""
    start: int
    end: int

    def row(self, name: str, value: str) -> HintRow:
        """Return the row of a choice that the bot offers."""
        return HintRow(name, "", f"{lines.quoted(value, self.command)} ", self.start, self.end)


@dataclass(slots=True)
class Hints:
    """The rows, the current option, the file option that is still open, and the question for the bot."""

    rows: list[HintRow] = field(default_factory=list[HintRow])
    option: Option | None = None
    file: str | None = None
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
        given = lines.split(head, found[0], found[1])
    except LineFault:
        return Hints()
    return _inside(head, found[0], given, names)


def _commands(head: str, known: Sequence[AppCommand], used: Mapping[str, int]) -> list[HintRow]:
    typed = " ".join(head[1:].lower().split())
    ranked: list[tuple[tuple[bool, int, int, bool, str], HintRow]] = []
    for command in known:
        name = command.name
        deletes = name in _DELETING
        if name.startswith(typed):
            rank = 0
        elif any(word.startswith(typed) for word in name.split()):
            rank = 1
        elif typed in name:
            rank = 2
        else:
            continue
        if deletes and not typed:
            continue
        row = HintRow(f"/{name}", command.about, f"/{name} ", 0, len(head))
        ranked.append(((deletes, rank, -used.get(name, 0), name != _FIRST, name), row))
    return [row for _, row in sorted(ranked, key=lambda each: each[0])]


def _inside(head: str, command: AppCommand, given: list[Given], names: Names) -> Hints:
    taken = {each.option.name for each in given}
    free = [option for option in command.options if option.name not in taken]
    current = given[-1] if given else None
    closed = (
        current is not None and current.text.startswith('"') and current.text != '"' and head.endswith('"')
    )
    shown = Hints(file=next((o.name for o in free if o.kind == told.FILE), None))
    if current is None:
        first = free[0] if free else None
        shown.option = first
        if first and first.kind != told.FILE:
            shown.rows = _values(first, "", len(head), command, names)
            shown.question = _question(command, first, "", {}, len(head), len(head))
    elif not closed:
        typed = head[current.start :]
        shown.option = current.option
        shown.rows = _people(head, names) or _values(
            current.option, typed, current.start, command, names, len(head)
        )
        values = {g.option.name: lines.unquoted(g.text) for g in given[:-1] if g.option.kind == told.TEXT}
        shown.question = _question(command, current.option, typed, values, current.start, len(head))
    word = _LAST_WORD.search(head)
    if word and (current is None or word.start() > current.start or closed):
        start = word.start()
        shown.rows += [
            _row(option, start, len(head)) for option in free if option.name.startswith(word[0].lower())
        ]
    return shown


def _row(option: Option, start: int, end: int) -> HintRow:
    allowed = told.allowed(option)
    about = option.about.rstrip(".") + (f" ({allowed})" if allowed else "")
    return HintRow(f"{option.name}:", about, f"{option.name}:", start, end)


def _question(
    command: AppCommand, option: Option, typed: str, values: Mapping[str, object], start: int, end: int
) -> Question | None:
    if not option.asks:
        return None
    return Question(command, option, lines.unquoted(typed), values, start, end)


def _values(
    option: Option, typed: str, start: int, command: AppCommand, names: Names, end: int | None = None
) -> list[HintRow]:
    """Return the rows of an option's own values that begin as typed."""
    wanted = typed.strip().lstrip("@#").casefold()
    texts: list[tuple[str, str]] = [(str(value), name) for name, value in option.choices]
    if option.kind == told.BOOLEAN:
        texts = [("yes", ""), ("no", "")]
    if option.kind in {told.USER, told.MENTIONABLE}:
        texts += [(f"@{name}", "") for name in names.people]
    if option.kind in {told.ROLE, told.MENTIONABLE}:
        texts += [(f"@{name}", "role") for name in names.roles]
    if option.kind == told.CHANNEL:
        texts += [(f"#{name}", "") for name in names.channels]
    if option.kind == told.FILE:
        texts += [(name, "") for name in names.files]
    fitting = [
        (text, about)
        for text, about in texts
        if text.lstrip("@#").casefold().startswith(wanted) or about.casefold().startswith(wanted)
    ]
    stop = start if end is None else end
    return [
        HintRow(text, about if about != text else "", f"{lines.quoted(text, command)} ", start, stop)
        for text, about in fitting
    ]


def _people(head: str, names: Names) -> list[HintRow]:
    """Return the rows of people and roles after an @."""
    found = _AT_NAME.search(head)
    if not found:
        return []
    typed = found[1].casefold()
    rows = [HintRow(f"@{name}", "", f"@{name} ", found.start(), len(head)) for name in names.people]
    rows += [HintRow(f"@{name}", "role", f"@{name} ", found.start(), len(head)) for name in names.roles]
    return [row for row in rows if row.label[1:].casefold().startswith(typed)]
