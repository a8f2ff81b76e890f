"""Commands as the bot tells them, made ready for typing: whole names, and options with their limits."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bot.play.store import Object

TEXT, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = 3, 4, 5, 6, 7, 8, 9, 10, 11
_GROUPS = {1, 2}
OptionValue: TypeAlias = str | int | float | bool
_WORDS = {BOOLEAN: "yes or no", USER: "a person", CHANNEL: "a channel", ROLE: "a role", FILE: "a file"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command; `low` and `high` limit a number's value or a text's length."""

    name: str
    about: str
    kind: int
    required: bool
    choices: tuple[tuple[str, OptionValue], ...]
    low: float | None
    high: float | None
    asks: bool
    """Whether the bot is asked for choices."""


@dataclass(frozen=True, slots=True)
class AppCommand:
    """A command that can be run: its whole name and its options; `told` is as it was synced."""

    name: str
    about: str
    options: tuple[Option, ...]
    told: Object


def commands(told: Iterable[Object]) -> list[AppCommand]:
    """Return the slash commands that can be run, subcommands by their whole names."""
    found: list[AppCommand] = []
    for command in told:
        if command["type"] == 1:
            _flatten(found, command["name"], command, command)
    return found


def _flatten(found: list[AppCommand], name: str, part: Object, told: Object) -> None:
    below: list[Object] = part.get("options") or []
    subs = [each for each in below if each["type"] in _GROUPS]
    if not subs:
        options = tuple(_option(each) for each in below)
        found.append(AppCommand(name, part["description"], options, told))
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
    return _WORDS.get(option.kind, "")
