"""Adjustments of a roll: advantage, a modifier or further dice, parsed before the roll.

They are typed alone or around a roller's name, there also with what it must reach. With advantage, a roller
is rolled twice and one of the two results counts. `Summand` has the exact odds of that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from typing import NamedTuple

from bot.dice import notation
from bot.dice.advantage import twice
from bot.dice.die_distribution import joined
from bot.dice.distribution import distribution
from bot.dice.errors import NotationError, SpecError
from bot.dice.everyday import RESERVED
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Node, Operator, bounds, dice_in
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory, System
from bot.systems.checks import CheckTerms
from bot.systems.odds import Span, long_run, odds

MODIFIER_LIMIT = 10_000
_WORDS = {
    **dict.fromkeys(("adv", "advantage"), KeepKind.KEEP_HIGHEST),
    **dict.fromkeys(("dis", "disadvantage"), KeepKind.KEEP_LOWEST),
}
_OPPOSITE = {KeepKind.KEEP_HIGHEST: KeepKind.KEEP_LOWEST, KeepKind.KEEP_LOWEST: KeepKind.KEEP_HIGHEST}
# As in notation, only ASCII letters count.
_ADJUSTMENT = re.compile(
    r"(?P<word>[a-z]+)?[\s\xa0]*(?P<rest>[+\-].*)?", re.IGNORECASE | re.DOTALL | re.ASCII
)
_BEHIND = re.compile(
    rf"(?P<rest>[+\-].*)(?<=[\s\xa0])(?P<word>{'|'.join(_WORDS)})", re.IGNORECASE | re.DOTALL | re.ASCII
)
_WITH = re.compile(r"\bwith[\s\xa0](?=(?:dis)?adv)", re.IGNORECASE | re.ASCII)
# A placeholder for the roll. Advantage after it never applies to the real dice.
_PLACEHOLDER = "1d20"
_FLAGS = re.ASCII | re.IGNORECASE
_DC = re.compile(r"(?:(?P<sign>[<>]=?)|(?:vs\.?|dc|ac) ?[:=]?) ?(?P<number>[0-9]{1,7})$", _FLAGS)
# After dice, a comparison counts successes.
_DIE = re.compile(r"d[0-9%({f]", _FLAGS)
_ADVANTAGES = r"(?:adv(?:antage)?|dis(?:adv(?:antage)?)?)\b"
_ADVANTAGE = re.compile(
    rf"\A(?:with |at )?(?P<first>{_ADVANTAGES})|\b(?:with |at )?(?P<last>{_ADVANTAGES})\Z", _FLAGS
)
_STAND_IN = "2d6"
_LABEL = re.compile(r"(?:\A|(?<=\s))[^\W\d_]{3}[^\W\d_]*+(?:\s++[^\W\d_]++)*+\Z")


class Added(NamedTuple):
    """The additions to a roller: advantage, dice, a number."""

    keep: KeepKind | None = None
    """Which of two rolls of it counts; None for one roll."""
    dice: Expression | None = None
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Advantage and additions to a roll."""

    keep: KeepKind | None = None
    """Which of two dice, or of two rolls, counts; None for one."""
    rest: str = ""
    """Notation that begins with + or -, or ""."""
    steps: tuple[tuple[Operator, Node], ...] = field(init=False, compare=False, repr=False)
    """The operators and operands of the notation, from left to right."""
    dice: Expression | None = field(init=False, compare=False, repr=False)
    """The notation's dice; None if it has none."""
    wrong: NotationError | None = field(init=False, compare=False, repr=False)
    """The error in the notation; None if it is valid."""

    def __post_init__(self) -> None:
        steps, dice, fault = (), None, None
        if self.rest:
            try:
                steps = _steps(self.rest)
                if any(True for _, node in steps for _ in dice_in(node)):
                    dice = notation.parse(self.rest.removeprefix("+"))
            except NotationError as error:
                fault = error.alone()
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "wrong", fault)

    def kept_result(self, *, under: bool) -> KeepKind | None:
        """Return which of two counts; advantage keeps the lower one if low rolls succeed."""
        return _OPPOSITE[self.keep] if self.keep and under else self.keep

    def joined(self, more: "Adjustment") -> "Adjustment":
        """Return both adjustments combined; SpecError if both have advantage or disadvantage."""
        return Adjustment(_combine(self.keep, more.keep), self.rest + more.rest)

    def beside(self, before: "Added | None" = None, *, under: bool = False) -> "Added":
        """Return the additions to a roller, after those before; DiceError if they don't fit."""
        before, keep = before or Added(), self.kept_result(under=under)
        if before.dice is None:
            dice, plus = self.on_roller()
            return Added(_combine(before.keep, keep), dice, before.plus + plus)
        body = before.dice.body
        for operator, node in self.steps:
            body = Binary(operator, body, node)
        return Added(_combine(before.keep, keep), Expression(body), before.plus)

    def on_dice(self, roll: Expression, *, under: bool = False) -> Expression:
        """Return the dice with this adjustment; NotationError or SpecError if it does not fit."""
        if roll.more:
            raise SpecError("A called roll is one roll, not several.")
        body, keep = roll.body, self.kept_result(under=under)
        doubled = twice(body, keep) if keep else body
        if doubled is None:
            raise SpecError(
                "Advantage doubles a single die that adds to the total, and {roll} has none.", roll=roll
            )
        if self.wrong:
            raise self.wrong.alone()
        if self.steps and doubled.binds < Operator.PLUS.binds:
            raise _unread(self.rest)
        for operator, node in self.steps:
            doubled = Binary(operator, doubled, node)
        return Expression(doubled, roll.repeat)

    def on_roller(self) -> tuple[Expression | None, int]:
        """Return the dice and the number to add to a roller's face; DiceError if they don't fit."""
        if self.wrong:
            raise self.wrong.alone()
        if self.dice and (self.dice.repeat, self.dice.more) != (1, ()):
            raise SpecError("Add one roll only to a roller.")
        signs = {Operator.PLUS: 1, Operator.MINUS: -1}
        plus = 0 if self.dice else sum(signs[sign] * bounds(node)[0] for sign, node in self.steps)
        if abs(plus) > MODIFIER_LIMIT:
            raise SpecError("A modifier is at most {most:,}.", most=MODIFIER_LIMIT)
        return self.dice, plus


PLAIN = Adjustment()
"""No adjustment."""


def recorded(rest: str, plus: int, keep: KeepKind | None = None, *, under: bool = False) -> Adjustment:
    """Return the adjustment that a record describes: dice, a number, and which of two results counts."""
    return Adjustment(Adjustment(keep).kept_result(under=under), added(rest, plus))


def added(rest: str, plus: int) -> str:
    """Return recorded dice and a number as typed after a roller, such as "+1d4" or "-2"; "" for neither."""
    dice = f"+{rest}".replace("+-", "-") if rest else ""
    return f"{dice}{plus:+}" if plus else dice


def _combine(before: KeepKind | None, more: KeepKind | None) -> KeepKind | None:
    if before and more:
        raise SpecError("This roll has advantage or disadvantage already. Add the rest alone.")
    return before or more


def read_adjustment(text: str) -> Adjustment:
    """Parse an adjustment: "+5", "adv", "dis -1", "+1d4 adv", a bare number; NotationError for others."""
    if len(text) > MAX_TEXT:
        raise NotationError(
            "At most {most} characters, not {count:,}.", most=MAX_TEXT, count=len(text), column=MAX_TEXT + 1
        )
    text = text.strip()
    if text.isdecimal() and text.isascii():
        text = f"+{text}"
    text = _WITH.sub("", text, count=1)
    match = _BEHIND.fullmatch(text) or _ADJUSTMENT.fullmatch(text)
    word = match["word"].casefold() if match and match["word"] else ""
    if not match or (word and word not in _WORDS):
        raise NotationError("I can't add that. Type something like +5, +1d4, adv, dis or adv +5.")
    return Adjustment(_WORDS.get(word), (match["rest"] or "").strip())


def _steps(rest: str) -> tuple[tuple[Operator, Node], ...]:
    """Parse the operators after a roll; NotationError if they would change the roll itself."""
    roll, before = notation.parse(f"{_PLACEHOLDER}{rest}"), notation.parse(_PLACEHOLDER).body
    part, steps = roll.body, list[tuple[Operator, Node]]()
    while isinstance(part, Binary) and part != before:
        steps.insert(0, (part.operator, part.right))
        part = part.left
    if part != before or roll.more:
        raise _unread(rest)
    return tuple(steps)


def _unread(rest: str) -> NotationError:
    return NotationError("I can't read '{rest}' as something to add, such as +5 or +1d4.", rest=rest)


class Around(NamedTuple):
    """The text around a roller's name, parsed."""

    adjustment: Adjustment = PLAIN
    terms: CheckTerms | None = None
    words: str = ""
    """The label; "" for none."""


def read_modifiers(text: str) -> Around:
    """Parse the text around a roller's name: "1d4+2 adv >= 15 fire", "adv +5"; else NotationError."""
    text = " ".join(text.split())
    match = _LABEL.search(text)
    words = match[0] if match and not RESERVED.search(match[0]) else ""
    if words:
        # What is refused behind dice, such as "hidden", is no label here either.
        try:
            notation.parse(f"{_STAND_IN} {words}")
        except NotationError as error:
            raise error.alone() from error
    text = text.removesuffix(words).strip()
    dc = _DC.search(text)
    terms = None
    if dc and not (dc["sign"] and _DIE.search(text[: dc.start()])):
        number, sign = int(dc["number"]), dc["sign"] or ">="
        terms = CheckTerms(number + {">": 1, "<": -1}.get(sign, 0), under=sign.startswith("<"))
        text = text[: dc.start()].strip()
    advantage = _ADVANTAGE.search(text)
    addition = (text[: advantage.start()] + text[advantage.end() :]).strip() if advantage else text
    signed = addition if addition[:1] in {"", "+", "-"} else f"+{addition}"
    word = (advantage["first"] or advantage["last"]) if advantage else ""
    adjustment = read_adjustment(f"{word} {signed}")
    if adjustment.wrong:
        raise adjustment.wrong.alone()
    return Around(adjustment, terms, words)


@dataclass(frozen=True, slots=True)
class Summand:
    """The law of what is added to a roller, for exact odds."""

    keep: KeepKind | None
    """Which of two draws counts; None for one draw."""
    added: Mapping[int, int]
    """Added total to its weight."""
    span: Span
    """The totals that meet the DC."""

    def law(self, system: System, memory: Memory | None) -> Mapping[int, Fraction]:
        """Return total to its exact chance, ascending; without a memory, of the long run."""
        values = [int(face) for face in system.faces]
        shares = long_run(system)
        drawn: dict[int, Fraction] = dict.fromkeys(values, Fraction(0))
        for i, p in enumerate(shares if memory is None else odds(system, memory)):
            if not self.keep or not p:
                drawn[values[i]] += p
                continue
            better = max if self.keep is KeepKind.KEEP_HIGHEST else min
            second_law = shares if memory is None else odds(system, system.advance(memory, i))
            for value, q in zip(values, second_law, strict=True):
                drawn[better(values[i], value)] += p * q
        whole = sum(self.added.values())
        return {total: p / whole for total, p in sorted(joined(drawn, self.added, add).items())}


def summand(around: Around) -> Summand:
    """Return the summand for a parsed text; DiceError if it can't be added."""
    terms = around.terms
    keep, dice, plus = around.adjustment.beside(under=terms is not None and terms.under)
    span = Span()
    if terms:
        span = Span(None, terms.dc) if terms.under else Span(terms.dc)
    return Summand(keep, distribution(dice) if dice else {plus: 1}, span)
