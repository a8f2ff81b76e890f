"""Reads a typed line such as `/roll 2d6+3 label:Climb` as a command, and lists what can be typed next.

    /NAME text before the first pair option:value option:"a value with option: in it"

The name is the longest that fits. A value ends where the next option not given yet begins, at a blank. Text
before the first pair fills the needed options in order: a word or quoted text each, the last all the rest.
Where none is needed, a person or a number is for the first option that takes one, other text for the first.
Dice behind a name are for the option of that name, needed or not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches

from bot.play import options
from bot.play.options import ActRefused, AppCommand, Names, OptionValue, localised
from bot.play.store import Object
from bot.words.saying import either, say

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FIRST = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ][^ ]*) +')
_QUIET = re.compile(r"admin\b|erase|data forget")
"""Commands for managers, and those that delete: listed when they are typed."""
_EVERYDAY = ("roll", "r", "check", "save", "odds", "deal", "hand", "me", "buttons", "help")
_BEHIND = re.compile(r" \d*d[\d%]", re.IGNORECASE)
_AT_NAME = re.compile(r"(?<![\w@])@[^@]{0,24}$")
_LAST_WORD = re.compile(r"(?<![^ ])[\w-]*$")


@dataclass(frozen=True, slots=True)
class Given:
    """An option's text as typed, and where it stands."""

    option: Object
    text: str
    start: int

    @property
    def value(self) -> str:
        """The text without the quotes around it."""
        quoted = _QUOTED.fullmatch(self.text)
        return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else self.text


def _plain(line: str) -> str:
    return re.sub(r"\s", " ", line)  # places stay


def find(line: str, known: Iterable[AppCommand]) -> tuple[AppCommand, int] | None:
    """Return the command that a line begins with, the longest name first, and where its name ends."""
    patterns = (
        (each, r"/\s*" + r"\s+".join(map(re.escape, each.name.split())) + r"(?=\s|$)") for each in known
    )
    matches = ((each, re.match(pattern, line, re.IGNORECASE)) for each, pattern in patterns)
    return max(((each, found.end()) for each, found in matches if found), key=lambda at: at[1], default=None)


def _split(line: str, command: AppCommand, start: int, names: Names) -> list[Given]:
    """Return what is given for which option, in the order of the line; raise ActRefused."""
    left = {option["name"].lower(): option for option in command.options}
    begun: list[tuple[Object, int, int]] = []
    at = start = len(line) - len(line[start:].lstrip(" "))
    while left and (pair := _pairs(left).search(line, at)):
        begun.append((left.pop(pair[1].lower()), pair.start(1), pair.end()))
        quoted = _QUOTED.match(line, pair.end())
        at = quoted.end() if quoted else pair.end()
    first, *ends = [*(name for _, name, _ in begun), len(line)]
    found = [_given(option, line, at, end) for (option, _, at), end in zip(begun, ends, strict=True)]
    if not line[start:first].strip():
        return found
    if not left:
        raise ActRefused("/{command} takes nothing more.", start, command=command.name)
    free = list(left.values())
    needed = [option for option in free if option.get("required")]
    text = line[start:first].strip()
    named = not needed or (needed == free[:1] and _BEHIND.search(text))
    *before, last = (_named_dice(free) if named else ()) or needed or [_landing(free, text, names)]
    leading: list[Given] = []
    for option in before:
        if (word := _FIRST.match(line, start, first)) is None:
            last = option
            break
        leading.append(_given(option, line, start, word.end()))
        start = word.end()
    return [*leading, _given(last, line, start, first), *found]


def _named_dice(free: Sequence[Object]) -> Sequence[Object]:
    """Return a text and the dice behind it, where a command begins with them and asks for both if need be."""
    head = free[:2]
    begins = [option["type"] for option in head] == [options.TEXT] * 2 and head[1]["name"] == "dice"
    return head if begins else ()


def _landing(free: Sequence[Object], text: str, names: Names) -> Object:
    """Return the option that a text is for where none is needed."""
    narrow = [option for option in free if option["type"] in {options.USER, options.INTEGER}]
    for option in narrow:
        with suppress(ActRefused):
            options.value_of(option, text, 0, names)
            return option
    return next((option for option in free if option not in narrow), free[0])


def _pairs(given_names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the beginning of a pair: one of the names and a colon, behind a blank, and blanks."""
    names = "|".join(map(re.escape, sorted(given_names, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}): *", re.IGNORECASE)


def _given(option: Object, line: str, start: int, end: int) -> Given:
    """Return a value between two places; nothing may stand behind a quoted one."""
    text = line[start:end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        after = start + quoted.end()
        raise ActRefused("Nothing can follow the closing quote of {option}.", after, option=option["name"])
    return Given(option, text, start)


def read(line: str, known: Sequence[AppCommand], names: Names) -> tuple[AppCommand, list[Object]]:
    """Return the command that a line runs, and its options as Discord tells them; raise ActRefused."""
    line = _plain(line)
    found = find(line, known)
    if found is None:
        raise _no_command(line, [command.name for command in known])
    given = [each for each in _split(line, *found, names) if each.value]
    values = [_option_given(g.option, options.value_of(g.option, g.value, g.start, names)) for g in given]
    for option in found[0].options:
        if option.get("required") and all(option is not each.option for each in given):
            about = localised(option, "description").rstrip(".")
            raise ActRefused("{option} is needed: {about}.", len(line), option=option["name"], about=about)
    return found[0], values


def _option_given(option: Object, value: OptionValue) -> Object:
    return {"name": option["name"], "type": option["type"], "value": value}


def in_quotes(value: str, command: AppCommand) -> str:
    """Return a value as it is to be typed: in quotes where it would else be read differently."""
    pair = command.options and _pairs(option["name"] for option in command.options).search(value)
    if value == value.strip() and not value.startswith('"') and not pair:
        return value
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


def _no_command(line: str, names: Sequence[str]) -> ActRefused:
    typed = line[1:].strip(" ").lower()
    group = [name.removeprefix(f"{typed} ") for name in names if typed and name.startswith(f"{typed} ")]
    if group:
        return ActRefused(
            "/{typed} needs one more word: {words}.", len(line), typed=typed, words=either(group)
        )
    first, words = typed.split(" ")[0], " ".join(typed.split(" ")[:3])
    near = get_close_matches(words, names, n=1) or get_close_matches(first, names, n=1)
    shown = words if any(name.startswith(f"{first} ") for name in names) else first
    if not near:
        return ActRefused("There is no /{command}. Type / for a list.", len(shown) + 1, command=shown)
    return ActRefused(
        "There is no /{command}. Did you mean /{other}?", len(shown) + 1, command=shown, other=near[0]
    )


def _row(label: str, about: str, before: str, text: str) -> Object:
    return {"label": label, "about": about, "text": before + text}


def hints(
    head: str, known: Iterable[AppCommand], names: Names, used: Mapping[str, int],
    choices: Sequence[Object] = (),
) -> tuple[Object, Object | None]:  # fmt: skip
    """Return what can be typed behind the beginning of a line, and the data of what to ask the bot for it.

    `rows` are the list's, each with the `text` that it puts in place of the beginning; `hint` is of the
    option that is typed, `file` the file option still open. `used` is how often each command was, `choices`
    are what the bot has offered.
    """
    line, told = _plain(head), {"rows": list[Object](), "hint": None, "file": None}
    if not line.startswith("/") or line.startswith("//"):
        return told | {"rows": _people(line, names)}, None
    found = find(line, known)
    if found is None or found[1] == len(line):
        return told | {"rows": _commands(line, known, used)}, None
    try:
        return _inside(line, found[0], _split(line, *found, names), names, choices)
    except ActRefused:
        return told, None


def _commands(head: str, known: Iterable[AppCommand], used: Mapping[str, int]) -> list[Object]:
    """Return the commands: prefix before word before any place, most used first, then everyday ones."""
    typed = " ".join(head[1:].lower().split())

    def rank(command: AppCommand) -> tuple[object, ...]:
        name = command.name
        inside = (not name.startswith(typed), f" {typed}" not in f" {name}")
        place = _EVERYDAY.index(name) if name in _EVERYDAY else len(_EVERYDAY)
        return (bool(_QUIET.match(name)), *inside, -used.get(name, 0), place, name)

    fitting = [c for c in known if typed in c.name and (typed or not _QUIET.match(c.name))]
    return [_row(f"/{c.name}", c.about, "", f"/{c.name} ") for c in sorted(fitting, key=rank)]


def _inside(
    head: str, command: AppCommand, given: Sequence[Given], names: Names, choices: Sequence[Object]
) -> tuple[Object, Object | None]:
    """Return what can follow a command's name: values of the option that is typed, and other options."""
    free = [option for option in command.options if all(option is not each.option for each in given)]
    option, start = (given[-1].option, given[-1].start) if given else (next(iter(free), Object()), len(head))
    typed = Given(option, head[start:], start)
    closed = bool(_QUOTED.fullmatch(typed.text))
    rows: list[Object] = []
    asked = None
    if option and not closed:
        offered = [
            (str(choice["name"]), f"{in_quotes(str(choice['value']), command)} ") for choice in choices
        ]
        rows += [
            _row(name, "", head[:start], text) for name, text in offered if text.strip() != typed.text.strip()
        ]
        rows += _people(head, names, start) or _values(typed, head, command, names)
        if option.get("autocomplete"):
            texts = (each for each in given[:-1] if each.option["type"] == options.TEXT and each.text)
            others = [_option_given(each.option, each.value) for each in texts]
            asked = command.data([*others, _option_given(option, typed.value) | {"focused": True}])
    word = _LAST_WORD.search(head)
    if word and (not given or word.start() > start or closed):
        for other in free:
            if other["name"].startswith(word[0].lower()):
                name = f"{other['name']}:"
                rows.append(_row(name, _described(other), head[: word.start()], name))
    hint = option and {"name": option["name"], "about": localised(option, "description")}
    file = next((other["name"] for other in free if other["type"] == options.FILE), None)
    return {"rows": rows, "hint": hint, "file": file}, asked


def _described(option: Object) -> str:
    """Return what an option is for, what it takes, and whether it is needed."""
    about, allowed = localised(option, "description").rstrip("."), options.allowed(option)
    if option.get("required"):
        with_both = say("{about} (needed, {allowed})", about=about, allowed=allowed)
        return with_both if allowed else say("{about} (needed)", about=about)
    return f"{about} ({allowed})" if allowed else about


def _values(typed: Given, head: str, command: AppCommand, names: Names) -> list[Object]:
    """Return the rows of an option's own values that begin as typed."""
    kind, wanted = typed.option["type"], typed.text.strip().lstrip("@#").casefold()
    texts = {str(choice["value"]): localised(choice, "name") for choice in typed.option.get("choices") or ()}
    texts |= {"yes": say("yes"), "no": say("no")} if kind == options.BOOLEAN else _named(kind, names)
    return [
        _row(text, about if about != text else "", head[: typed.start], f"{in_quotes(text, command)} ")
        for text, about in texts.items()
        if text.lstrip("@#").casefold().startswith(wanted) or about.casefold().startswith(wanted)
    ]


def _named(kind: int, names: Names) -> dict[str, str]:
    """Return what can be named in an option of a kind, each with what it is."""
    sign = {options.CHANNEL: "#", options.FILE: ""}.get(kind, "@")
    return {sign + name: say("role") if name in names[options.ROLE] else "" for name in names.get(kind, ())}


def _people(head: str, names: Names, start: int = 0) -> list[Object]:
    """Return the rows of people and roles after an @."""
    if not (found := _AT_NAME.search(head, start)):
        return []
    return [
        _row(name, about, head[: found.start()], f"{name} ")
        for name, about in _named(options.MENTIONABLE, names).items()
        if name.casefold().startswith(found[0].casefold())
    ]
