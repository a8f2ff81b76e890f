"""Parser and completions of typed lines such as `/roll 2d6+3 label:Climb`.

    /NAME text before the first pair option:value option:"a value with option: in it"

The longest matching name wins. A value ends at a blank before the next unused option. Text before the first
pair fills the required options in order: one word or quoted text each, and the last gets the rest. If none is
required, a person or a number goes to the first option of its type, other text to the first option, and the
first pair needs no colon. Dice behind or before a name go to the option `dice`, required or not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from operator import itemgetter

from bot.dice.naming import is_reserved
from bot.play import options
from bot.play.options import ActRefused, AppCommand, Names, OptionValue, localised
from bot.play.store import Object
from bot.words.saying import either, say

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FIRST_VALUE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ][^ ]*) +')
_RARE = re.compile(r"admin\b|erase|data forget")
"""Commands for managers, and those that delete: listed last, and only once typing begins."""
_EVERYDAY = ("roll", "r", "check", "save", "odds", "deal", "hand", "me", "buttons", "help")
_TRAILING_DICE = re.compile(r" \d*d[\d%]", re.IGNORECASE)
_DICE_IN_FRONT = re.compile(r"\d*+d(?:\d++|%)(?:[-+]\d++)*+(?: (?P<name>.*))?", re.IGNORECASE)
_FIRST_WORD = re.compile(r"(\w+) +(?=[^ ])")
_ANY_PAIR = re.compile(r" *(\w+):(?=\S)")
_AT_NAME = re.compile(r"(?<![\w@])@[^@]{0,24}$")
_LAST_WORD = re.compile(r"(?<![^ ])[\w-]*$")


@dataclass(frozen=True, slots=True)
class TypedOption:
    """An option's text as typed, and its position in the line."""

    option: Object
    text: str
    start: int

    @property
    def value(self) -> str:
        """The text without the quotes around it."""
        quoted = _QUOTED.fullmatch(self.text)
        return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else self.text


def _with_plain_blanks(line: str) -> str:
    return re.sub(r"\s", " ", line)  # positions stay the same


def find(line: str, commands: Iterable[AppCommand]) -> tuple[AppCommand, int] | None:
    """Return the command with the longest name that begins the line, and the end of the name; or None."""
    ends: list[tuple[AppCommand, int]] = []
    for command in commands:
        words = r"\s+".join(map(re.escape, command.name.split()))
        pattern = rf"/\s*{words}(?=\s|$)"
        if match := re.match(pattern, line, re.IGNORECASE):
            ends.append((command, match.end()))
    return max(ends, key=itemgetter(1), default=None)


def _split(line: str, command: AppCommand, start: int, names: Names) -> list[TypedOption]:
    """Return the options typed behind a command's name, in the order of the line; raise ActRefused."""
    unused = {option["name"].lower(): option for option in command.options}
    begun: list[tuple[Object, int, int]] = []
    at = start = len(line) - len(line[start:].lstrip(" "))
    pair = _leading_name(line, at, command)
    if pair and pair[1].lower() == next(iter(unused)):
        # What follows goes there by itself, with dice behind it where the command takes some.
        at, start, pair = pair.end(), pair.end(), None
    while unused and (pair := pair or _pairs(unused).search(line, at)):
        begun.append((unused.pop(pair[1].lower()), pair.start(1), pair.end()))
        quoted = _QUOTED.match(line, pair.end())
        at, pair = quoted.end() if quoted else pair.end(), None
    first, *ends = [*(name for _, name, _ in begun), len(line)]
    pairs = [_read_value(option, line, at, end) for (option, _, at), end in zip(begun, ends, strict=True)]
    if not line[start:first].strip():
        return pairs
    if not unused:
        raise ActRefused("/{command} takes nothing more.", start, command=command.name)
    free = list(unused.values())
    needed = [option for option in free if option.get("required")]
    text = line[start:first].strip()
    may_be_named_dice = not needed or (needed == free[:1] and _TRAILING_DICE.search(text))
    *before, last = (
        (_named_dice(free) if may_be_named_dice else ()) or needed or [_option_for(text, free, names)]
    )
    if len(before) == 1 and last["name"] == "dice" and _has_dice_in_front(text):
        before, last = [last], before[0]
    leading: list[TypedOption] = []
    for option in before:
        if (word := _FIRST_VALUE.match(line, start, first)) is None:
            last = option
            break
        leading.append(_read_value(option, line, start, word.end()))
        start = word.end()
    return [*leading, _read_value(last, line, start, first), *pairs]


def _has_dice_in_front(text: str) -> bool:
    """Return whether a text is plain dice, alone or with words behind them that are no notation."""
    match = _DICE_IN_FRONT.fullmatch(text)
    words = (match["name"] or "").split() if match else ()
    return match is not None and all(word[0].isalpha() and not is_reserved(word) for word in words)


def _named_dice(free: Sequence[Object]) -> Sequence[Object]:
    """Return the first two options if they are a text and dice; else ()."""
    head = free[:2]
    begins = [option["type"] for option in head] == [options.TEXT] * 2 and head[1]["name"] == "dice"
    return head if begins else ()


def _option_for(text: str, free: Sequence[Object], names: Names) -> Object:
    """Return the option that takes a text if none is required."""
    narrow = [option for option in free if option["type"] in {options.USER, options.INTEGER}]
    for option in narrow:
        with suppress(ActRefused):
            options.value_of(option, text, 0, names)
            return option
    return next((option for option in free if option not in narrow), free[0])


def _leading_name(text: str, at: int, command: AppCommand) -> re.Match[str] | None:
    """Return an option's name that begins a text without a colon, for commands that require no option."""
    word = _FIRST_WORD.match(text, at)
    names = {option["name"] for option in command.options if not option.get("required")}
    return word if word and word[1].lower() in names and len(names) == len(command.options) else None


def _pairs(option_names: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a pair's beginning: an option's name behind a blank, a colon, and blanks."""
    names = "|".join(map(re.escape, sorted(option_names, key=len, reverse=True)))
    return re.compile(rf"(?<![^ ])({names}): *", re.IGNORECASE)


def _read_value(option: Object, line: str, start: int, end: int) -> TypedOption:
    """Return the value between two positions; raise ActRefused for text behind a quoted value."""
    text = line[start:end].rstrip(" ")
    quoted = _QUOTED.match(text)
    if quoted and quoted.end() < len(text):
        after = start + quoted.end()
        raise ActRefused("Nothing can follow the closing quote of {option}.", after, option=option["name"])
    return TypedOption(option, text, start)


def read(line: str, commands: Sequence[AppCommand], names: Names) -> tuple[AppCommand, list[Object]]:
    """Return the command of a line, and its options as Discord sends them; raise ActRefused."""
    line = _with_plain_blanks(line)
    match = find(line, commands)
    if match is None:
        raise _unknown_command(line, [command.name for command in commands])
    command, name_end = match
    _check_option(line, command, name_end, commands)
    typed = [item for item in _split(line, command, name_end, names) if item.value]
    values = [
        _argument(item.option, options.value_of(item.option, item.value, item.start, names)) for item in typed
    ]
    for option in command.options:
        if option.get("required") and all(option is not item.option for item in typed):
            about = localised(option, "description").rstrip(".")
            raise ActRefused("{option} is needed: {about}.", len(line), option=option["name"], about=about)
    return command, values


def _check_option(line: str, command: AppCommand, at: int, commands: Sequence[AppCommand]) -> None:
    """Raise ActRefused for another command's option in front, such as /odds dice:2d6."""
    pair, own = _ANY_PAIR.match(line, at), [option["name"] for option in command.options]
    others = {option["name"] for other in commands for option in other.options}.difference(own)
    if pair and own and pair[1].lower() in others:
        values = {"command": command.name, "option": pair[1], "known": ", ".join(own)}
        raise ActRefused("/{command} has no option {option}. It has: {known}.", pair.start(1), **values)


def _argument(option: Object, value: OptionValue) -> Object:
    return {"name": option["name"], "type": option["type"], "value": value}


def in_quotes(value: str, command: AppCommand) -> str:
    """Return a value as it must be typed, with quotes if it would be read differently without."""
    pair = command.options and _pairs(option["name"] for option in command.options).search(value)
    pair = pair or _leading_name(value, 0, command)
    if value == value.strip() and not value.startswith('"') and not pair:
        return value
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


def _unknown_command(line: str, names: Sequence[str]) -> ActRefused:
    words = line[1:].lower().split()
    beginnings = ("".join(f"{word} " for word in words[:count]) for count in (2, 1, 0))
    begun = next(text for text in beginnings if not text or any(name.startswith(text) for name in names))
    members = [name.removeprefix(begun) for name in names if name.startswith(begun)]
    unknown = "".join(words[begun.count(" ") :][:1])
    near = get_close_matches(unknown, members, n=1)
    if not begun and _TRAILING_DICE.match(f" {unknown}"):
        near = [f"roll {unknown}"]
    elif unknown and not near:
        begins = [member for member in members if f" {unknown}" in f" {member}"]
        near = sorted(begins, key=len)[:1]
    if begun and not near:
        typed = begun.rstrip()
        return ActRefused(
            "/{typed} needs one of these words: {words}.", len(begun), typed=typed, words=either(members)
        )
    command, at = f"{begun}{unknown}", len(f"/{begun}{unknown}")
    if not near:
        return ActRefused("There is no /{command}. Type / for a list.", at, command=command)
    return ActRefused(
        "There is no /{command}. Did you mean /{other}?", at, command=command, other=f"{begun}{near[0]}"
    )


def _row(label: str, about: str, before: str, text: str) -> Object:
    return {"label": label, "about": about, "text": before + text}


def hints(
    head: str, commands: Iterable[AppCommand], names: Names, used: Mapping[str, int],
    choices: Sequence[Object] = (),
) -> tuple[Object, Object | None]:  # fmt: skip
    """Return the completions of the beginning of a line, and the data of an autocomplete request or None.

    Each of `rows` has the `text` that replaces the beginning; `hint` describes the option being typed, `file`
    names an unused file option. `used` counts the runs of each command, `choices` are the bot's.
    """
    line, completions = _with_plain_blanks(head), {"rows": list[Object](), "hint": None, "file": None}
    if not line.startswith("/") or line.startswith("//"):
        return completions | {"rows": _people(line, names)}, None
    match = find(line, commands)
    if match is None or match[1] == len(line):
        return completions | {"rows": _commands(line, commands, used)}, None
    try:
        return _inside(line, match[0], _split(line, *match, names), names, choices)
    except ActRefused:
        return completions, None


def _commands(head: str, commands: Iterable[AppCommand], used: Mapping[str, int]) -> list[Object]:
    """Return rows of matching commands: a prefix before a word before any match; the most used first."""
    typed = " ".join(head[1:].lower().split())

    def rank(command: AppCommand) -> tuple[object, ...]:
        name = command.name
        inside = (not name.startswith(typed), f" {typed}" not in f" {name}")
        place = _EVERYDAY.index(name) if name in _EVERYDAY else len(_EVERYDAY)
        return (bool(_RARE.match(name)), *inside, -used.get(name, 0), place, name)

    fitting = [c for c in commands if typed in c.name and (typed or not _RARE.match(c.name))]
    return [_row(f"/{c.name}", c.about, "", f"/{c.name} ") for c in sorted(fitting, key=rank)]


def _inside(
    head: str, command: AppCommand, pairs: Sequence[TypedOption], names: Names, choices: Sequence[Object]
) -> tuple[Object, Object | None]:
    """Return completions behind a command's name: values of the option being typed, and other options."""
    free = [option for option in command.options if all(option is not pair.option for pair in pairs)]
    option, start = (pairs[-1].option, pairs[-1].start) if pairs else (next(iter(free), Object()), len(head))
    typed = TypedOption(option, head[start:], start)
    closed = bool(_QUOTED.fullmatch(typed.text))
    rows: list[Object] = []
    request = None
    if option and not closed:
        offered = [
            (str(choice["name"]), f"{in_quotes(str(choice['value']), command)} ") for choice in choices
        ]
        rows += [
            _row(name, "", head[:start], text) for name, text in offered if text.strip() != typed.text.strip()
        ]
        rows += _people(head, names, start) or _values(typed, head, command, names)
        if option.get("autocomplete"):
            texts = (pair for pair in pairs[:-1] if pair.option["type"] == options.TEXT and pair.text)
            others = [_argument(pair.option, pair.value) for pair in texts]
            request = command.data([*others, _argument(option, typed.value) | {"focused": True}])
    word = _LAST_WORD.search(head)
    if word and (not pairs or word.start() > start or closed):
        for other in free:
            if other["name"].startswith(word[0].lower()):
                name = f"{other['name']}:"
                rows.append(_row(name, _describe(other), head[: word.start()], name))
    hint = option and {"name": option["name"], "about": localised(option, "description")}
    file = next((other["name"] for other in free if other["type"] == options.FILE), None)
    return {"rows": rows, "hint": hint, "file": file}, request


def _describe(option: Object) -> str:
    """Return an option's description with its allowed values, and whether it is required."""
    about, allowed = localised(option, "description").rstrip("."), options.allowed(option)
    if option.get("required"):
        with_both = say("{about} (needed, {allowed})", about=about, allowed=allowed)
        return with_both if allowed else say("{about} (needed)", about=about)
    return f"{about} ({allowed})" if allowed else about


def _values(typed: TypedOption, head: str, command: AppCommand, names: Names) -> list[Object]:
    """Return rows of an option's values that begin with the typed text."""
    kind, prefix = typed.option["type"], typed.text.strip().lstrip("@#").casefold()
    texts = {str(choice["value"]): localised(choice, "name") for choice in typed.option.get("choices") or ()}
    texts |= {"yes": say("yes"), "no": say("no")} if kind == options.BOOLEAN else _labels(kind, names)
    return [
        _row(text, about if about != text else "", head[: typed.start], f"{in_quotes(text, command)} ")
        for text, about in texts.items()
        if text.lstrip("@#").casefold().startswith(prefix) or about.casefold().startswith(prefix)
    ]


def _labels(kind: int, names: Names) -> dict[str, str]:
    """Return the names for an option of a kind, with their sign, each with "role" or ""."""
    sign = {options.CHANNEL: "#", options.FILE: ""}.get(kind, "@")
    return {sign + name: say("role") if name in names[options.ROLE] else "" for name in names.get(kind, ())}


def _people(head: str, names: Names, start: int = 0) -> list[Object]:
    """Return rows of people and roles after an @."""
    if not (match := _AT_NAME.search(head, start)):
        return []
    return [
        _row(name, about, head[: match.start()], f"{name} ")
        for name, about in _labels(options.MENTIONABLE, names).items()
        if name.casefold().startswith(match[0].casefold())
    ]
