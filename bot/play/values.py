"""The value of an option from the text that was typed for it, or a sentence that says what it takes."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.play import told
from bot.play.told import Option, OptionValue, allowed

_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_MENTION = re.compile(r"<(?:@&|@!?|#)(\d{1,19})>")
_LONGEST_TEXT, _LARGEST_NUMBER = 6_000, 2**53


class LineFault(Exception):
    """A line that can't be run: one sentence, and the place of the fault in it."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what can be named: ids by name, and the sender's uploaded files by name."""

    people: Mapping[str, int]
    roles: Mapping[str, int]
    channels: Mapping[str, int]
    files: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Given:
    """An option's text as typed, and where it stands; `named` tells a pair from the text before."""

    option: Option
    text: str
    start: int
    end: int
    named: bool

    def fault(self, sentence: str) -> LineFault:
        """Return the fault of this value: the option's name and the sentence."""
        return LineFault(f"{self.option.name} {sentence}.", self.start)


def value_of(given: Given, text: str, names: Names) -> OptionValue:
    """Return the value of an option; raise Fault."""
    if given.option.choices:
        return _choice(given, text)
    match given.option.kind:
        case told.INTEGER | told.NUMBER:
            return _number(given, text)
        case told.BOOLEAN:
            if text.lower() in _BOOLEANS:
                return _BOOLEANS[text.lower()]
            raise given.fault(f"is {allowed(given.option)}")
        case told.TEXT:
            return _text(given, mentioned(text, names))
        case told.FILE:
            if text in names.files:
                return str(names.files[text])
            raise given.fault("is a file: add one with the paper-clip")
        case _:
            return _named(given, text, names)


def _text(given: Given, text: str) -> str:
    low, high = int(given.option.low or 0), int(given.option.high or _LONGEST_TEXT)
    if not low <= len(text) <= high:
        raise given.fault(
            f"is {f'at most {high}' if len(text) > high else f'at least {low}'} characters long"
        )
    return text


def _choice(given: Given, text: str) -> OptionValue:
    wanted = text.casefold()
    called = [(value, {str(value).casefold(), name.casefold()}) for name, value in given.option.choices]
    exact = [value for value, names in called if wanted in names]
    begun = [value for value, names in called if any(name.startswith(wanted) for name in names)]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    raise given.fault(f"is {allowed(given.option)}")


def _number(given: Given, text: str) -> int | float:
    option = given.option
    try:
        value = int(text) if option.kind == told.INTEGER else float(text)
    except ValueError:
        value = math.nan
    low = -_LARGEST_NUMBER if option.low is None else option.low
    high = _LARGEST_NUMBER if option.high is None else option.high
    if not low <= value <= high:
        raise given.fault(f"is {allowed(option)}")
    return value


def _named(given: Given, text: str, names: Names) -> str:
    kinds: dict[int, tuple[str, tuple[Mapping[str, int], ...]]] = {
        told.USER: ("Nobody here is", (names.people,)),
        told.ROLE: ("There is no role", (names.roles,)),
        told.CHANNEL: ("There is no channel", (names.channels,)),
        told.MENTIONABLE: ("Nobody here is", (names.people, names.roles)),
    }
    nobody, groups = kinds[given.option.kind]
    known = {name.casefold(): number for group in groups for name, number in group.items()}
    wanted = text.lstrip("@#")
    mention = _MENTION.fullmatch(text)
    if mention and int(mention[1]) in known.values():
        return mention[1]
    if wanted.casefold() not in known:
        raise LineFault(f"{nobody} called {wanted}.", given.start)
    return str(known[wanted.casefold()])


def mentioned(text: str, names: Names) -> str:
    """Return a text in which each @Name is a mention: the longest name first, in any case."""
    known = {name.casefold(): f"<@{number}>" for name, number in names.people.items()}
    known |= {name.casefold(): f"<@&{number}>" for name, number in names.roles.items()}
    longest_first = sorted(known, key=len, reverse=True)
    pattern = rf"(?<![\w@])@({'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda at: known.get(at[1].casefold(), at[0]), text, flags=re.IGNORECASE)
