"""Commands and their options: parse an option's value from typed text.

An option stays the JSON object that the bot synced: name, description, type, required, choices and limits.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.dice.errors import LocalizedError
from bot.play.store import Object, mapped
from bot.rulebooks.book import plain
from bot.words.languages import SPOKEN
from bot.words.saying import phrase, say

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, _, FILE = range(3, 12)
"""Kinds of options; the bot has none of the kind that is left out, for decimals."""
_GROUPS = {1, 2}
OptionValue: TypeAlias = str | int | bool
Names: TypeAlias = Mapping[int, Mapping[str, int]]
"""Kind of option to the ids of everything it can name, by name; for files, the sender's own uploads."""
_WORDS = {
    INTEGER: phrase("a whole number"), BOOLEAN: phrase("yes or no"),
    USER: phrase("a person"), CHANNEL: phrase("a channel"), ROLE: phrase("a role"),
    FILE: phrase("a file: add one with the plus"),
}  # fmt: skip
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_LONGEST_TEXT, _LARGEST_NUMBER = 6_000, 2**53


class ActRefused(LocalizedError):
    """A refused action: one sentence, and the position `at` of the fault in the line, if it has one."""

    def __init__(self, text: str, at: int | None = None, /, **values: object) -> None:
        super().__init__(text, **values)
        self.at = at


@dataclass(frozen=True, slots=True)
class AppCommand:
    """A command that can be run, with its whole name; `synced` is the top-level command as it was synced."""

    name: str
    about: str
    options: list[Object]
    synced: Object

    def data(self, arguments: list[Object]) -> Object:
        """Return an interaction's data for this command, with the arguments nested in its subcommands."""
        kind = 1
        for word in reversed(self.name.split()[1:]):
            arguments, kind = [{"name": word, "type": kind, "options": arguments}], 2
        return {"id": self.synced["id"], "name": self.synced["name"], "type": 1, "options": arguments}


def localised(part: Object, key: str) -> str:
    """Return a name or description in the spoken language, as the bot synced it."""
    spoken = SPOKEN.get()
    localisation = mapped(part.get(f"{key}_localizations")).get(spoken.code) if spoken else None
    return localisation or say(part[key])


def commands(parts: Iterable[Object], synced: Object | None = None, before: str = "") -> list[AppCommand]:
    """Return the commands that can be run, subcommands by their whole names."""
    runnable: list[AppCommand] = []
    for part in parts:
        name = before + part["name"]
        options: list[Object] = part.get("options") or []
        if subs := [option for option in options if option["type"] in _GROUPS]:
            runnable += commands(subs, synced or part, f"{name} ")
        else:
            runnable.append(AppCommand(name, localised(part, "description"), options, synced or part))
    return runnable


def allowed(option: Object) -> str:
    """Return the values that an option accepts, in words; "" for any text."""
    if choices := option.get("choices"):
        return say("one of {choices}", choices=", ".join(str(choice["value"]) for choice in choices))
    low, high = option.get("min_value"), option.get("max_value")
    if option["type"] != INTEGER or low is None:
        return say(_WORDS.get(option["type"], ""))
    text = "a whole number from {low:,}" if high is None else "a whole number from {low:,} to {high:,}"
    return say(text, low=low, high=high)


def value_of(option: Object, text: str, at: int, names: Names) -> OptionValue:
    """Parse an option's value from text at a position of the line; raise ActRefused."""
    kind, name, value = option["type"], option["name"], None
    if option.get("choices"):
        value = _find_choice(option["choices"], text.casefold())
    elif kind == TEXT:
        value = with_mentions(text, names)
        low, high = option.get("min_length") or 0, option.get("max_length") or _LONGEST_TEXT
        if len(value) > high:
            raise ActRefused("{option} is at most {most} characters long.", at, option=name, most=high)
        if len(value) < low:
            raise ActRefused("{option} is at least {least} characters long.", at, option=name, least=low)
    elif kind == INTEGER:
        value = _number(option, text)
    elif kind == BOOLEAN:
        spoken = {plain(say("yes")): True, plain(say("no")): False}
        value = (_BOOLEANS | spoken).get(plain(text))
    else:
        target = text.lstrip("@#").casefold()
        value = next((str(number) for key, number in names[kind].items() if key.casefold() == target), None)
        if value is None and kind != FILE:
            raise _unknown_name(kind, text.lstrip("@#"), at)
    if value is None:
        raise ActRefused("{option} is {allowed}.", at, option=name, allowed=allowed(option))
    return value


def _unknown_name(kind: int, name: str, at: int) -> ActRefused:
    if kind == CHANNEL:
        return ActRefused("There is no channel called {name}.", at, name=name)
    if kind == ROLE:
        return ActRefused("There is no role called {name}.", at, name=name)
    return ActRefused("Nobody here is called {name}.", at, name=name)


def _find_choice(choices: list[Object], text: str) -> OptionValue | None:
    """Return the value of the choice with that value or name, or of the only one that begins with it."""
    labels = [(c["value"], {str(c["value"]).casefold(), c["name"].casefold()}) for c in choices]
    exact = [value for value, names in labels if text in names]
    begun = [value for value, names in labels if any(name.startswith(text) for name in names)]
    return next((matches[0] for matches in (exact, begun) if len(matches) == 1), None)


def _number(option: Object, text: str) -> int | None:
    try:
        value = int(text.removeprefix("#"))
    except ValueError:
        return None
    low, high = option.get("min_value", -_LARGEST_NUMBER), option.get("max_value", _LARGEST_NUMBER)
    return value if low <= value <= high else None


def with_mentions(text: str, names: Names) -> str:
    """Return a text with each @Name as a mention, in any case; the longest name wins."""
    # Not casefolded, for a pattern finds no `ss` in Strauß.
    mentions = {name.lower(): f"<@{number}>" for name, number in names[USER].items()}
    mentions |= {name.lower(): f"<@&{number}>" for name, number in names[ROLE].items()}
    longest_first = sorted(mentions, key=len, reverse=True)
    pattern = rf"(?<![\w@])@({'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda at: mentions.get(at[1].lower(), at[0]), text, flags=re.IGNORECASE)
