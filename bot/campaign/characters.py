"""A character: a name, and numbers under their names, each of them a formula that may use others."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bot.dice import notation
from bot.dice.errors import SpecError
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import reserved
from bot.rulebooks.formula import Formula, read_formula

NUMBERS_LIMIT, VALUE_LIMIT = 100, 10_000
LINES_LIMIT = 4_000
"""All numbers of a character fit one field of a form."""
CHARACTERS_LIMIT = 20
"""A person can have so many characters in a campaign."""
_NAME = re.compile(r"[^\W\d_](?:[\w '-]*[^\W_])?")
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_SLASH = re.compile(r"(?<!/)/(?!/)")


@dataclass(frozen=True, slots=True)
class Character:
    """A person's character in a campaign; SpecError for a number that can't be."""

    name: str = ""
    """Cleaned; "" for the one that nobody named."""
    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    """What was typed for each number, by its name as typed."""
    values: Mapping[str, int] = field(init=False, compare=False, repr=False)
    """What each number is, by its casefolded name."""

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
        """Return it with these numbers, new or in place of old ones."""
        named = {name.casefold(): name for name in self.numbers}
        return replace(
            self,
            numbers={**self.numbers, **{named.get(name.casefold(), name): text for name, text in numbers}},
        )

    @property
    def lines(self) -> str:
        """Return a line for each number, as they may be typed."""
        return "\n".join(f"{name} {text}" for name, text in self.numbers.items())


def a_character(name: str) -> str:
    """Return a character's name, cleaned; SpecError without a letter or digit in it."""
    name = clean(name, NAME_LIMIT)
    if not any(sign.isalnum() for sign in name):
        raise SpecError("A character needs a name with letters in it.")
    return name


def a_number(name: str) -> str:
    """Return a number's name with single blanks; SpecError where none may be called so."""
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
    if reserved(name) or notation.reads(name) or notation.reads(f"1{name}"):
        raise SpecError("{name} means something in dice. Take another name, such as my {name}.", name=name)
    return name


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds the longest of these names where a word begins and ends."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")


def _values(numbers: Mapping[str, str]) -> dict[str, int]:
    """Work all numbers out; SpecError names the one that can't be, as in a circle."""
    texts = {name.casefold(): text.casefold().strip() for name, text in numbers.items()}
    signs = {name: f"number_{place}" for place, name in enumerate(texts)}
    found = _pattern(frozenset(texts)) if texts else None
    values = dict[str, int]()

    def value(name: str, above: tuple[str, ...]) -> int:
        if name in values:
            return values[name]
        if name in above:
            circle = " → ".join((*above[above.index(name) :], name))
            raise SpecError(
                "These numbers need each other: {circle}. Give one of them a plain number.", circle=circle
            )
        text = texts[name]
        if _WHOLE.fullmatch(text):
            result = int(text)
        else:
            formula = _formula(name, found.sub(lambda each: signs[each[0]], text) if found else text)
            used = {signs[each]: each for each in (found.findall(text) if found else ())}
            if strange := sorted(formula.names - used.keys()):
                raise SpecError(
                    "{name} uses {strange}, and you have no such number.", name=name, strange=strange[0]
                )
            parts = {sign: value(each, (*above, name)) for sign, each in used.items()}
            try:
                result = formula.value(parts)
            except SpecError:
                raise SpecError("I can't work out the value of {name}.", name=name) from None
        if abs(result) > VALUE_LIMIT:
            raise SpecError(
                "{name} is {result:,}. Numbers go from -{most:,} to {most:,}.",
                name=name,
                result=result,
                most=VALUE_LIMIT,
            )
        values[name] = result
        return result

    for name in texts:
        value(name, ())
    return values


def _formula(name: str, text: str) -> Formula:
    """Read a number's formula, in which a single / rounds down too; SpecError where it is none."""
    try:
        return read_formula(_SLASH.sub("//", text))
    except SpecError:
        raise SpecError("I can't read the value of {name}. Write 3, +2 or dex+prof.", name=name) from None
