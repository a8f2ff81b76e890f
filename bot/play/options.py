"""What a command's options take, and their values from what was typed.

An option stays the JSON object that the bot has told: name, description, type, required, choices and limits.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.play.store import Object

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(3, 12)
_GROUPS = {1, 2}
OptionValue: TypeAlias = str | int | float | bool
Names: TypeAlias = Mapping[int, Mapping[str, int]]
"""Who and what an option of a kind can name: ids by name; of files the sender's own uploads."""
_WORDS = {BOOLEAN: "yes or no", USER: "a person", CHANNEL: "a channel", ROLE: "a role", FILE: "a file"}
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NOBODY = {ROLE: "There is no role", CHANNEL: "There is no channel"}
_MENTION = re.compile(r"<(?:@&|@!?|#)(\d{1,19})>")
_LONGEST_TEXT, _LARGEST_NUMBER = 6_000, 2**53


class LineFault(Exception):
    """What can't be done: one sentence, and the place of the fault in the line."""

    def __init__(self, sentence: str, at: int = 0) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class AppCommand:
    """A command that can be run: its whole name and its options; `told` is as it was synced."""

    name: str
    about: str
    options: list[Object]
    told: Object


def commands(told: Iterable[Object]) -> list[AppCommand]:
    """Return the slash commands that can be run, subcommands by their whole names."""
    slash = (command for command in told if command["type"] == 1)
    return [each for command in slash for each in _below(command["name"], command, command)]


def _below(name: str, part: Object, told: Object) -> Iterator[AppCommand]:
    options: list[Object] = part.get("options") or []
    subs = [each for each in options if each["type"] in _GROUPS]
    if not subs:
        yield AppCommand(name, part["description"], options, told)
    for each in subs:
        yield from _below(f"{name} {each['name']}", each, told)


def allowed(option: Object) -> str:
    """Return what an option takes, in words; "" for any text."""
    if choices := option.get("choices"):
        return f"one of {', '.join(str(choice['value']) for choice in choices)}"
    if option["type"] not in {INTEGER, NUMBER}:
        return _WORDS.get(option["type"], "")
    what = "a whole number" if option["type"] == INTEGER else "a number"
    low, high = option.get("min_value"), option.get("max_value")
    if low is not None and high is not None:
        return f"{what} from {low:,} to {high:,}"
    limits = [("at least", low), ("at most", high)]
    return what + "".join(f", {word} {limit:,}" for word, limit in limits if limit is not None)


def value_of(option: Object, text: str, at: int, names: Names) -> OptionValue:
    """Return an option's value from the text that stands at a place of the line; raise LineFault."""
    kind, value = option["type"], None
    if option.get("choices"):
        value = _chosen(option["choices"], text.casefold())
    elif kind == TEXT:
        value = mentioned(text, names)
        low, high = option.get("min_length") or 0, option.get("max_length") or _LONGEST_TEXT
        if not low <= len(value) <= high:
            limit = f"at most {high}" if len(value) > high else f"at least {low}"
            raise LineFault(f"{option['name']} is {limit} characters long.", at)
    elif kind in {INTEGER, NUMBER}:
        value = _number(option, text)
    elif kind == BOOLEAN:
        value = _BOOLEANS.get(text.lower())
    elif kind == FILE:
        value = str(names[FILE][text]) if text in names[FILE] else None
    else:
        return _named(kind, text, at, names)
    if value is None:
        way = ": add one with the paper-clip" if kind == FILE else ""
        raise LineFault(f"{option['name']} is {allowed(option)}{way}.", at)
    return value


def _chosen(choices: list[Object], wanted: str) -> OptionValue | None:
    """Return the choice of that value or name, or the only one that begins so."""
    called = [(c["value"], {str(c["value"]).casefold(), c["name"].casefold()}) for c in choices]
    exact = [value for value, names in called if wanted in names]
    begun = [value for value, names in called if any(name.startswith(wanted) for name in names)]
    return next((found[0] for found in (exact, begun) if len(found) == 1), None)


def _number(option: Object, text: str) -> int | float | None:
    try:
        value = int(text) if option["type"] == INTEGER else float(text)
    except ValueError:
        value = math.nan
    low, high = option.get("min_value", -_LARGEST_NUMBER), option.get("max_value", _LARGEST_NUMBER)
    return value if low <= value <= high else None


def _named(kind: int, text: str, at: int, names: Names) -> str:
    known = {name.casefold(): number for name, number in names[kind].items()}
    wanted, mention = text.lstrip("@#"), _MENTION.fullmatch(text)
    if mention and int(mention[1]) in known.values():
        return mention[1]
    if wanted.casefold() not in known:
        raise LineFault(f"{_NOBODY.get(kind, 'Nobody here is')} called {wanted}.", at)
    return str(known[wanted.casefold()])


def mentioned(text: str, names: Names) -> str:
    """Return a text in which each @Name is a mention: the longest name first, in any case."""
    known = {name.casefold(): f"<@{number}>" for name, number in names[USER].items()}
    known |= {name.casefold(): f"<@&{number}>" for name, number in names[ROLE].items()}
    longest_first = sorted(known, key=len, reverse=True)
    pattern = rf"(?<![\w@])@({'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda at: known.get(at[1].casefold(), at[0]), text, flags=re.IGNORECASE)
