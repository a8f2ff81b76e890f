"""Characters: a name, and named numbers, each a formula that may use others."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from bot.dice import notation
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import is_reserved
from bot.rulebooks.formula import read_formula

NUMBERS_LIMIT, VALUE_LIMIT = 100, 10_000
LINES_LIMIT = 4_000
"""The most characters of all numbers as text, so that they fit one form field."""
CHARACTERS_LIMIT = 20
"""The most characters of a person in one campaign."""
_NAME = re.compile(r"[^\W\d_](?:[\w '-]*[^\W_])?")
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_DIE = re.compile(r"(?<!\w)\d{0,3}[dw](?P<sides>\d{1,4})(?!\w)", re.ASCII)
"""A die, also a German one."""
_SLASH = re.compile(r"(?<!/)/(?!/)")


@dataclass(frozen=True, slots=True)
class Character:
    """A person's character in a campaign; SpecError for an invalid number."""

    name: str = ""
    """The cleaned name; "" for the unnamed character."""
    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name as typed to the formula as typed."""
    values: Mapping[str, int] = field(init=False, compare=False, repr=False)
    """Casefolded name to value."""

    def __post_init__(self) -> None:
        if len(self.numbers) > NUMBERS_LIMIT or len(self.lines) > LINES_LIMIT:
            raise SpecError(
                "A character has at most {most} numbers, and {lines:,} letters and signs in all.",
                most=NUMBERS_LIMIT,
                lines=LINES_LIMIT,
            )
        object.__setattr__(self, "values", _values(self.numbers))

    @property
    def key(self) -> str:
        """Return the casefolded name."""
        return self.name.casefold()

    def having(self, numbers: Iterable[tuple[str, str]]) -> "Character":
        """Return the character with these numbers added or replaced."""
        spelling = {name.casefold(): name for name in self.numbers}
        return replace(
            self,
            numbers={**self.numbers, **{spelling.get(name.casefold(), name): text for name, text in numbers}},
        )

    @property
    def lines(self) -> str:
        """Return the numbers as text, one line each."""
        return "\n".join(f"{name} {text}" for name, text in self.numbers.items())


def must_have_room(count: int) -> None:
    """Raise DiceError for a user who has as many characters as they may have."""
    if count >= CHARACTERS_LIMIT:
        raise DiceError("You have {most} characters. Remove one first.", most=CHARACTERS_LIMIT)


def clean_character_name(name: str) -> str:
    """Return a cleaned character name; SpecError if it has no letter or digit."""
    name = clean(name, NAME_LIMIT)
    if not any(sign.isalnum() for sign in name):
        raise SpecError("A character needs a name with letters in it.")
    return name


def clean_number_name(name: str) -> str:
    """Return a cleaned number name; SpecError if it is not allowed."""
    name = clean(name)
    if not name:
        raise SpecError("A number needs a name, such as dex.")
    if not _NAME.fullmatch(name) or len(name) > NAME_LIMIT:
        raise SpecError(
            "{name} can't name a number. Begin with a letter, and take letters, digits and "
            "blanks, {most} at most.",
            name=name[:NAME_LIMIT],
            most=NAME_LIMIT,
        )
    if is_reserved(name) or notation.reads(name) or notation.reads(f"1{name}"):
        raise SpecError("{name} means something in dice. Take another name.", name=name)
    return name


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern that finds the longest of these names as whole words."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")


def _values(numbers: Mapping[str, str]) -> dict[str, int]:
    """Evaluate all numbers; SpecError for an invalid or circular one."""
    texts = {name.casefold(): text.casefold().strip() for name, text in numbers.items()}
    signs = {name: f"number_{place}" for place, name in enumerate(texts)}
    pattern = _pattern(frozenset(texts))
    operands = {name: [] if _WHOLE.fullmatch(text) else pattern.findall(text) for name, text in texts.items()}
    values = dict[str, int]()
    try:
        for name in TopologicalSorter(operands).static_order():
            text = pattern.sub(lambda number: signs[number[0]], texts[name])
            values[name] = _value(name, text, {signs[number]: values[number] for number in operands[name]})
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        raise SpecError(
            "These numbers need each other: {circle}. Give one of them a plain number.", circle=circle
        ) from None
    return values


def _value(name: str, text: str, operands: Mapping[str, int]) -> int:
    """Return a number's value; SpecError if it can't be worked out, or is out of range."""
    result = int(text) if _WHOLE.fullmatch(text) else _worked_out(name, text, operands)
    if abs(result) > VALUE_LIMIT:
        raise SpecError(
            "{name} is {result:,}. Numbers go from -{most:,} to {most:,}.",
            name=name,
            result=result,
            most=VALUE_LIMIT,
        )
    return result


def _worked_out(name: str, text: str, operands: Mapping[str, int]) -> int:
    """Return the value of a number's formula, in which / rounds down like //."""
    if die := _DIE.search(text):
        raise SpecError(
            "{name} can't have {die} in it. Type {sides} for a die of {sides} sides, or keep dice "
            "with `/save`.",
            name=name,
            die=die[0],
            sides=die["sides"],
        )
    try:
        formula = read_formula(_SLASH.sub("//", text))
    except SpecError:
        raise SpecError("I can't read the value of {name}. Write 3, +2 or dex+prof.", name=name) from None
    if unknown := sorted(formula.names - operands.keys()):
        raise SpecError("{name} uses {strange}, and you have no such number.", name=name, strange=unknown[0])
    try:
        return formula.value(operands)
    except SpecError:
        raise SpecError("I can't work out the value of {name}.", name=name) from None
