"""Adjustments of a called roll: advantage, a modifier or further dice, parsed before the roll.

With advantage, a roller is rolled twice and one of the two results counts.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.dice import notation
from bot.dice.advantage import twice
from bot.dice.errors import NotationError, SpecError
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Node, Operator, bounds, dice_in
from bot.dice.modifiers import KeepKind

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
