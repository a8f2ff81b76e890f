"""Text to expression: what is not known is refused, with the column, and never guessed at.

Letters may be upper or lower case, and blanks may stand between any two signs; `str(parse(text))` is the
canonical text, and reads back as the same roll. In words:

    2d6  d20  d%  4dF         dice; d% has 100 sides, dF shows -1, 0 or 1
    d{2,3,5}  3d{1,1,2}       dice with these faces
    (1d4)d6  (2+1)d6          the number of dice is thrown first, or worked out
    ro1  ro<3  ro{1,>=5}      reroll once what shows a 1, less than 3, any of these
    rr<3  r3{1}               reroll for ever, or up to three times
    min2  max5                count less as 2, more as 5
    !  !{>=5}                 explode on the highest face, or on these
    !o  !p  !s  !i{1}         once only; further dice one less; separate dice; taken off
    u                         no face twice
    kh3  k3  kl  dh  dl2  d2  keep or drop the highest or lowest; one, unless a number says more
    d20 adv  d20+5 dis        the one d20 twice, the higher or the lower kept; alone they mean a d20
    km2  dl1dh1               keep the middle two, drop one at both ends
    k{>3}  d{1,2}             keep, or drop, the dice that show these faces
    >=7  =6  #{2,4,6}         behind dice, count the faces that pass, in place of adding them
    >=7x2{10}f{1}             tens count twice, ones take a success off
    {2d6,1d8}kh1  {2d6+1d8}k2 the best part of several, the best two dice of all
    d20+5>=15  (2d6)>7        behind a total, 1 if it passes, else 0
    [fire]                    a tag on what stands before it
    + - * // % ( )            sums; // rounds down, % is what is left over
    d20+5 vs d20+3            the first roll less the second
    6#4d6kh3                  the whole roll, six times
    2d6; 3d8                  several rolls, each with its own result
    2d6 # fire                a comment, behind a blank and #

`/r`, `/roll`, `!r` or `roll` may stand in front, and a + before a number or a bracket. What other programs
mean by a text is in `bot/dice/dialects`.
"""

from bot.dice.dialects.dialect import Dialect, read_in
from bot.dice.errors import NotationError
from bot.dice.expressions import Expression, ZeroDivisor
from bot.dice.own import UnknownNotation, read_own, reads, split
from bot.dice.readings import meanings

__all__ = ["comment", "parse", "reads"]

_OWN = Dialect.EVENHAND
_OTHERS = "I have no such notation, but other programs do."


def parse(text: str, dialect: Dialect = _OWN) -> Expression:
    """Parse dice notation; NotationError names the column, and the rolls that the text may mean."""
    try:
        return read_own(text) if dialect is _OWN else read_in(dialect, text)
    except NotationError as error:
        refused = error
    if dialect is _OWN and not isinstance(refused, ZeroDivisor):
        refused.readings = meanings(text)
    if isinstance(refused, UnknownNotation) and any(reading.meaning for reading in refused.readings):
        refused = NotationError(_OTHERS, column=refused.column, readings=refused.readings)
    raise refused from None


def without_comment(text: str) -> str:
    """Return what stands before the comment, and behind any command."""
    return split(text)[0].strip()


def comment(text: str) -> str:
    """Return what stands behind the dice and a #, "fire" in "2d6 # fire"; "" for none."""
    return split(text)[1]
