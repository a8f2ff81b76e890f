"""What a player adds to a called roll, read before it is rolled.

Dice and rollers take advantage, a modifier or further dice; a roller rolls twice to keep one of the two.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.dice import notation
from bot.dice.advantage import twice
from bot.dice.errors import NotationError, SpecError
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Node, Operator, bounds, dice_in
from bot.dice.modifiers import Which

MODIFIER_LIMIT = 10_000
_WORDS = {
    **dict.fromkeys(("adv", "advantage"), Which.KEEP_HIGHEST),
    **dict.fromkeys(("dis", "disadvantage"), Which.KEEP_LOWEST),
}
_TURNED = {Which.KEEP_HIGHEST: Which.KEEP_LOWEST, Which.KEEP_LOWEST: Which.KEEP_HIGHEST}
# As in notation, letters are ASCII ones only.
_ADJUSTMENT = re.compile(
    r"(?P<word>[a-z]+)?[\s\xa0]*(?P<rest>[+\-].*)?", re.IGNORECASE | re.DOTALL | re.ASCII
)
# A d20 of its own, so that an advantage behind it is never about the dice that it stands for.
_BEFORE = "1d20"


class Added(NamedTuple):
    """What is rolled beside a roller, or added to what it shows."""

    keep: Which | None = None
    """Which of two rolls of it counts."""
    dice: Expression | None = None
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What is added to a roll."""

    keep: Which | None = None
    """Which of two dice, or of two rolls, counts."""
    rest: str = ""
    """Notation that begins with + or -; "" for none."""
    steps: tuple[tuple[Operator, Node], ...] = field(init=False, compare=False, repr=False)
    """What the notation adds, from left to right."""
    dice: Expression | None = field(init=False, compare=False, repr=False)
    """The notation alone; None where it has no dice."""
    wrong: NotationError | None = field(init=False, compare=False, repr=False)
    """What is wrong with the notation; None for nothing."""

    def __post_init__(self) -> None:
        steps, dice, wrong = (), None, None
        if self.rest:
            try:
                steps = _steps(self.rest)
                if any(True for _, node in steps for _ in dice_in(node)):
                    dice = notation.parse(self.rest.removeprefix("+"))
            except NotationError as error:
                wrong = error.alone()
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "wrong", wrong)

    def kept(self, *, under: bool) -> Which | None:
        """Return which of two counts, advantage being what helps: the lower one where low rolls pass."""
        return _TURNED[self.keep] if self.keep and under else self.keep

    def joined(self, more: "Adjustment") -> "Adjustment":
        """Return this and what somebody adds to it; SpecError where both say which of two counts."""
        return Adjustment(_one(self.keep, more.keep), self.rest + more.rest)

    def beside(self, before: "Added | None" = None, *, under: bool = False) -> "Added":
        """Return what is rolled beside a roller, behind what is there before; a DiceError for neither."""
        before, keep = before or Added(), self.kept(under=under)
        if before.dice is None:
            dice, plus = self.on_roller()
            return Added(_one(before.keep, keep), dice, before.plus + plus)
        body = before.dice.body
        for operator, node in self.steps:
            body = Binary(operator, body, node)
        return Added(_one(before.keep, keep), Expression(body), before.plus)

    def on_dice(self, roll: Expression, *, under: bool = False) -> Expression:
        """Return dice with it; NotationError or SpecError where it does not fit."""
        if roll.more:
            raise SpecError("A called roll is one roll, not several.")
        body, keep = roll.body, self.kept(under=under)
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
        """Return the dice that are added to a roller's face, or the number; a DiceError for neither."""
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
"""Nothing is added."""


def recorded(rest: str, plus: int, keep: Which | None = None, *, under: bool = False) -> Adjustment:
    """Return what a record says was added to a roller: dice, a number, and which of two counts."""
    return Adjustment(Adjustment(keep).kept(under=under), added(rest, plus))


def added(rest: str, plus: int) -> str:
    """Return recorded dice and a number as they are typed behind a roller: "+1d4", "-2"; "" for neither."""
    dice = f"+{rest}".replace("+-", "-") if rest else ""
    return f"{dice}{plus:+}" if plus else dice


def _one(before: Which | None, more: Which | None) -> Which | None:
    if before and more:
        raise SpecError("This roll has advantage or disadvantage already. Add the rest alone.")
    return before or more


def read_adjustment(text: str) -> Adjustment:
    """Read what a text adds: "+5", "adv", "dis -1", "adv +1d4", a bare number; NotationError otherwise."""
    if len(text) > MAX_TEXT:
        raise NotationError(
            "At most {most} characters, not {count:,}.", most=MAX_TEXT, count=len(text), column=MAX_TEXT + 1
        )
    text = text.strip()
    if text.isdecimal() and text.isascii():
        text = f"+{text}"
    found = _ADJUSTMENT.fullmatch(text)
    word = found["word"].casefold() if found and found["word"] else ""
    if not found or (word and word not in _WORDS):
        raise NotationError("I can't add that. Type something like +5, +1d4, adv, dis or adv +5.")
    return Adjustment(_WORDS.get(word), (found["rest"] or "").strip())


def _steps(rest: str) -> tuple[tuple[Operator, Node], ...]:
    """Read what stands behind a roll; NotationError where that reaches into the roll itself."""
    roll, before = notation.parse(f"{_BEFORE}{rest}"), notation.parse(_BEFORE).body
    part, steps = roll.body, list[tuple[Operator, Node]]()
    while isinstance(part, Binary) and part != before:
        steps.insert(0, (part.operator, part.right))
        part = part.left
    if part != before or roll.more:
        raise _unread(rest)
    return tuple(steps)


def _unread(rest: str) -> NotationError:
    return NotationError("I can't read '{rest}' as something to add, such as +5 or +1d4.", rest=rest)
