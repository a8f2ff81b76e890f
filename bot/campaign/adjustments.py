"""What a player adds to a called roll: advantage or disadvantage, a modifier, further dice.

Dice of notation take any of them; a roller takes a whole number, and rolls twice to keep one of the two.
"""

import re
from dataclasses import dataclass, replace

from bot.dice import notation
from bot.dice.advantage import twice
from bot.dice.errors import NotationError, SpecError
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Node
from bot.dice.modifiers import Which

MODIFIER_LIMIT = 10_000
_WORDS = {
    "adv": Which.KEEP_HIGHEST,
    "advantage": Which.KEEP_HIGHEST,
    "dis": Which.KEEP_LOWEST,
    "disadvantage": Which.KEEP_LOWEST,
}
# As in notation, letters are ASCII ones only.
_ADJUSTMENT = re.compile(
    r"(?P<word>[a-z]+)?[\s\xa0]*(?P<rest>[+\-].*)?", re.IGNORECASE | re.DOTALL | re.ASCII
)
_WHOLE = re.compile(r"[+\-]\s*[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What is added to a roll."""

    keep: Which | None = None
    """Which of two dice, or of two rolls, counts."""
    rest: str = ""
    """Notation that begins with + or -; "" for none."""

    @property
    def turned(self) -> "Adjustment":
        """Return the same where low rolls are the good ones."""
        turned = {Which.KEEP_HIGHEST: Which.KEEP_LOWEST, Which.KEEP_LOWEST: Which.KEEP_HIGHEST}
        return replace(self, keep=turned[self.keep]) if self.keep else self

    def on_dice(self, dice: str) -> str:
        """Return called dice with it as notation; NotationError or SpecError where it does not fit."""
        roll = notation.parse(dice)
        if roll.more:
            raise SpecError("A roll that is called is one roll, not several.")
        if self.keep:
            body = twice(roll.body, self.keep)
            if body is None:
                raise SpecError(
                    f"Advantage doubles a single die that adds to the total, and {roll} has none."
                )
            roll = Expression(body, roll.repeat)
        return str(_added(roll, self.rest) if self.rest else roll)

    def on_roller(self) -> int:
        """Return the whole number that it adds to a roller's face; SpecError where it has dice in it."""
        if not self.rest:
            return 0
        if not _WHOLE.fullmatch(self.rest):
            raise SpecError("To a roller's result you can add a whole number, such as +3, and nothing else.")
        plus = int(self.rest[0] + self.rest[1:].strip())
        if abs(plus) > MODIFIER_LIMIT:
            raise SpecError(f"A modifier is at most {MODIFIER_LIMIT:,}.")
        return plus


PLAIN = Adjustment()
"""Nothing is added."""


def read_adjustment(text: str) -> Adjustment:
    """Read what a text adds: "+5", "adv", "dis -1", "adv +1d4", a bare number; NotationError otherwise."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    text = text.strip()
    if text.isdecimal() and text.isascii():
        text = f"+{text}"
    found = _ADJUSTMENT.fullmatch(text)
    word = found["word"].casefold() if found and found["word"] else ""
    if not found or (word and word not in _WORDS):
        raise NotationError(
            "I can't add that. Write a modifier such as +5 or +1d4, adv or dis, or both, as in adv +5."
        )
    return Adjustment(_WORDS.get(word), (found["rest"] or "").strip())


def _added(roll: Expression, rest: str) -> Expression:
    """Return the roll with more behind it; NotationError where that reaches into the roll itself."""
    whole = notation.parse(f"{roll}{rest}")
    part: Node = whole.body
    while isinstance(part, Binary) and part != roll.body:
        part = part.left
    if part != roll.body:
        raise NotationError(f"I can't read '{rest}' as something to add, such as +5 or +1d4.")
    return whole
