"""Commands and what their options take: values from what was typed.

An option stays the JSON object that the bot has told: name, description, type, required, choices and limits.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.dice.errors import LocalizedError
from bot.play.store import Object, mapped
from bot.rulebooks.book import plain
from bot.words.languages import SPOKEN
from bot.words.saying import phrase, say

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(3, 12)
_GROUPS = {1, 2}
OptionValue: TypeAlias = str | int | float | bool
Names: TypeAlias = Mapping[int, Mapping[str, int]]
"""Who and what an option of a kind can name: ids by name; of files the sender's own uploads."""
_WORDS = {
    INTEGER: phrase("a whole number"), NUMBER: phrase("a number"), BOOLEAN: phrase("yes or no"),
    USER: phrase("a person"), CHANNEL: phrase("a channel"), ROLE: phrase("a role"),
    FILE: phrase("a file: add one with the plus"),
}  # fmt: skip
_FROM = {INTEGER: phrase("a whole number from {low:,}"), NUMBER: phrase("a number from {low:,}")}
_BETWEEN = {
    INTEGER: phrase("a whole number from {low:,} to {high:,}"),
    NUMBER: phrase("a number from {low:,} to {high:,}"),
}
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_LONGEST_TEXT, _LARGEST_NUMBER = 6_000, 2**53


class ActRefused(LocalizedError):
    """What can't be done: one sentence, and the place of the fault in the line, if it has one."""

    def __init__(self, text: str, at: int | None = None, /, **values: object) -> None:
        super().__init__(text, **values)
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


def localised(part: Object, key: str) -> str:
    """Return a name or description as the bot has told it for the language that is spoken."""
    spoken = SPOKEN.get()
    told = mapped(part.get(f"{key}_localizations")).get(spoken.code) if spoken else None
    return told or say(part[key])


def commands(parts: Iterable[Object], told: Object | None = None, before: str = "") -> list[AppCommand]:
    """Return the commands that can be run, subcommands by their whole names."""
    found: list[AppCommand] = []
    for part in parts:
        name = before + part["name"]
        options: list[Object] = part.get("options") or []
        if subs := [each for each in options if each["type"] in _GROUPS]:
            found += commands(subs, told or part, f"{name} ")
        else:
            found.append(AppCommand(name, localised(part, "description"), options, told or part))
    return found


def allowed(option: Object) -> str:
    """Return what an option takes, in words; "" for any text."""
    if choices := option.get("choices"):
        return say("one of {choices}", choices=", ".join(str(choice["value"]) for choice in choices))
    low, high = option.get("min_value"), option.get("max_value")
    words = _WORDS if low is None else _FROM if high is None else _BETWEEN
    return say(words.get(option["type"], ""), low=low, high=high)


def value_of(option: Object, text: str, at: int, names: Names) -> OptionValue:
    """Return an option's value from the text that stands at a place of the line; raise ActRefused."""
    kind, name, value = option["type"], option["name"], None
    if option.get("choices"):
        value = _chosen(option["choices"], text.casefold())
    elif kind == TEXT:
        value = mentioned(text, names)
        low, high = option.get("min_length") or 0, option.get("max_length") or _LONGEST_TEXT
        if not low <= len(value) <= high:
            if len(value) > high:
                raise ActRefused("{option} is at most {most} characters long.", at, option=name, most=high)
            raise ActRefused("{option} is at least {least} characters long.", at, option=name, least=low)
    elif kind in {INTEGER, NUMBER}:
        value = _number(option, text)
    elif kind == BOOLEAN:
        ours = {plain(say("yes")): True, plain(say("no")): False}
        value = (_BOOLEANS | ours).get(plain(text))
    else:
        named = text.lstrip("@#").casefold()
        value = next((str(number) for name, number in names[kind].items() if name.casefold() == named), None)
        if value is None and kind != FILE:
            raise _nobody(kind, text.lstrip("@#"), at)
    if value is None:
        raise ActRefused("{option} is {allowed}.", at, option=name, allowed=allowed(option))
    return value


def _nobody(kind: int, name: str, at: int) -> ActRefused:
    if kind == CHANNEL:
        return ActRefused("There is no channel called {name}.", at, name=name)
    if kind == ROLE:
        return ActRefused("There is no role called {name}.", at, name=name)
    return ActRefused("Nobody here is called {name}.", at, name=name)


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
