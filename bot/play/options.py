"""Commands and what their options take: values from what was typed.

An option stays the JSON object that the bot has told: name, description, type, required, choices and limits.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.play.store import Object

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(3, 12)
_GROUPS = {1, 2}
OptionValue: TypeAlias = str | int | float | bool
Names: TypeAlias = Mapping[int, Mapping[str, int]]
"""Who and what an option of a kind can name: ids by name; of files the sender's own uploads."""
_WORDS = {
    INTEGER: "a whole number", NUMBER: "a number", BOOLEAN: "yes or no", USER: "a person",
    CHANNEL: "a channel", ROLE: "a role", FILE: "a file: add one with the paper-clip",
}  # fmt: skip
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NOBODY = {ROLE: "There is no role", CHANNEL: "There is no channel"}
_LONGEST_TEXT, _LARGEST_NUMBER = 6_000, 2**53


class ActRefused(Exception):
    """What can't be done: one sentence, and the place of the fault in the line, if it has one."""

    def __init__(self, sentence: str, at: int | None = None) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class AppCommand:
    """A command that can be run: its whole name and its options; `told` is as it was synced."""

    name: str
    about: str
    options: list[Object]
    told: Object

    def data(self, given: list[Object]) -> Object:
        """Return what an interaction says of it, with options where Discord puts them: inside its words."""
        kind = 1
        for word in reversed(self.name.split()[1:]):
            given, kind = [{"name": word, "type": kind, "options": given}], 2
        return {"id": self.told["id"], "name": self.told["name"], "type": 1, "options": given}


def commands(parts: Iterable[Object], told: Object | None = None, before: str = "") -> list[AppCommand]:
    """Return the commands that can be run, subcommands by their whole names."""
    found: list[AppCommand] = []
    for part in parts:
        name = before + part["name"]
        options: list[Object] = part.get("options") or []
        if subs := [each for each in options if each["type"] in _GROUPS]:
            found += commands(subs, told or part, f"{name} ")
        else:
            found.append(AppCommand(name, part["description"], options, told or part))
    return found


def allowed(option: Object) -> str:
    """Return what an option takes, in words; "" for any text."""
    if choices := option.get("choices"):
        return f"one of {', '.join(str(choice['value']) for choice in choices)}"
    low, high = option.get("min_value"), option.get("max_value")
    most = "" if high is None else f" to {high:,}"
    return _WORDS.get(option["type"], "") + ("" if low is None else f" from {low:,}{most}")


def value_of(option: Object, text: str, at: int, names: Names) -> OptionValue:
    """Return an option's value from the text that stands at a place of the line; raise ActRefused."""
    kind, value = option["type"], None
    if option.get("choices"):
        value = _chosen(option["choices"], text.casefold())
    elif kind == TEXT:
        value = mentioned(text, names)
        low, high = option.get("min_length") or 0, option.get("max_length") or _LONGEST_TEXT
        if not low <= len(value) <= high:
            limit = f"at most {high}" if len(value) > high else f"at least {low}"
            raise ActRefused(f"{option['name']} is {limit} characters long.", at)
    elif kind in {INTEGER, NUMBER}:
        value = _number(option, text)
    elif kind == BOOLEAN:
        value = _BOOLEANS.get(text.lower())
    else:
        named = text.lstrip("@#").casefold()
        value = next((str(number) for name, number in names[kind].items() if name.casefold() == named), None)
        if value is None and kind != FILE:
            raise ActRefused(f"{_NOBODY.get(kind, 'Nobody here is')} called {text.lstrip('@#')}.", at)
    if value is None:
        raise ActRefused(f"{option['name']} is {allowed(option)}.", at)
    return value


def _chosen(choices: list[Object], wanted: str) -> OptionValue | None:
    """Return the choice of that value or name, or the only one that begins so."""
    called = [(c["value"], {str(c["value"]).casefold(), c["name"].casefold()}) for c in choices]
    exact = [value for value, names in called if wanted in names]
    begun = [value for value, names in called if any(name.startswith(wanted) for name in names)]
    return next((found[0] for found in (exact, begun) if len(found) == 1), None)


def _number(option: Object, text: str) -> int | float | None:
    try:
        value = int(text.removeprefix("#")) if option["type"] == INTEGER else float(text)
    except ValueError:
        value = math.nan
    low, high = option.get("min_value", -_LARGEST_NUMBER), option.get("max_value", _LARGEST_NUMBER)
    return value if low <= value <= high else None


def mentioned(text: str, names: Names) -> str:
    """Return a text in which each @Name is a mention: the longest name first, in any case."""
    known = {name.casefold(): f"<@{number}>" for name, number in names[USER].items()}
    known |= {name.casefold(): f"<@&{number}>" for name, number in names[ROLE].items()}
    longest_first = sorted(known, key=len, reverse=True)
    pattern = rf"(?<![\w@])@({'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda at: known.get(at[1].casefold(), at[0]), text, flags=re.IGNORECASE)
