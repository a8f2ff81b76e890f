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

`/r`, `/roll`, `!r` or `roll` may stand in front, and a + before a number or a bracket. A coin, a choice,
d66, a target and words behind dice are read by `bot/dice/everyday.py` first. What other programs mean by a
text is in `bot/dice/dialects`. What can't be read is refused with what it may mean in each
program, told apart by exact laws; programs that agree are named together, and none is likelier than another.
"""

import re
from contextlib import suppress
from functools import lru_cache

from lark import UnexpectedInput

from bot.dice import everyday
from bot.dice.dialects.dialect import OTHERS, Dialect, in_ours
from bot.dice.die_distribution import Budget
from bot.dice.distribution import laws
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.expressions import MAX_NESTING, MAX_TEXT, Expression, ZeroDivisor
from bot.dice.grammar import read

_OWN = Dialect.EVENHAND
_OTHERS = "I have no such notation, but other programs do."
_FRONT = re.compile(r"\s*(?:[/!]r(?:oll)?|roll)\s+", re.ASCII | re.IGNORECASE)
_PLUS = re.compile(r"\s*\+(?=\s*[\d(])", re.ASCII)
# Digits before a # repeat the roll; a comment stands behind dice and a blank.
_COMMENT = re.compile(r"(?<=\s)#(?P<comment>.*)", re.DOTALL)
_REPEAT = re.compile(r"\s*\d+\s+#", re.ASCII)
_BARE = re.compile(r"(?<![\w)])d(?=\d)", re.ASCII | re.IGNORECASE)
_COUNTS = re.compile(r"[\d+*/,]|\bx\b", re.ASCII | re.IGNORECASE)
_WORK = 12_000
"""For all that a text may mean, in the unit of `Budget`: with reading it once that is less than 20 ms."""
_PARSING = 25
"""What it takes to read one sign of a text."""
_FLAGS = re.ASCII | re.IGNORECASE
_KEEP_WORDS = (
    r"\s*\b(?P<verb>keep|take|drop)(?:ing)?\s+(?:the\s+)?"
    r"(?:(?P<before>\d+)\s+)?(?P<end>highest|best|lowest|worst)(?:\s+(?P<after>\d+))?\b"
)
_REPAIRS = [(re.compile(pattern, _FLAGS), ours) for pattern, ours in everyday.SLIPS["repaired"].items()]
_WIDE = {0xFF00 + place: 0x20 + place for place in range(1, 0x5F)} | {0x3000: 0x20}
"""The signs that East Asian keyboards write as wide as their own, and the blank."""
_KEEP = re.compile(_KEEP_WORDS, _FLAGS)
_NAME = re.compile(rf"\s*({everyday.WORD}(?:\s++{everyday.WORD})*+)(?=\s++\d|\s*+(?:[-+]|\Z))")
_WORDS = re.compile(rf"{everyday.WORD}(?:[\s,.]++{everyday.WORD})*+[.!]?")

_ENDS = (" 15", "6", "5", " d20", ")", "}kh1", "1, 2}")
"""What a text that breaks off may go on with."""
_ENDED = 32
"""Characters of such a text that are shown."""


class UnknownNotation(NotationError):
    """Text that breaks off, or goes on with what no notation of ours has."""


def parse(text: str, dialect: Dialect = _OWN) -> Expression:
    """Parse dice notation; NotationError names the column, and the rolls that the text may mean."""
    try:
        return read_in(dialect, text)
    except NotationError as error:
        refused = error
    if dialect is _OWN and not isinstance(refused, ZeroDivisor):
        refused.readings = meanings(text)
    if isinstance(refused, UnknownNotation) and any(reading.programs for reading in refused.readings):
        refused = NotationError(_OTHERS, column=refused.column, readings=refused.readings)
    # In another program's notation the columns are those of what we made of it.
    refused.typed = text if dialect is _OWN and len(text) <= MAX_TEXT else ""
    raise refused from None


def read_in(dialect: Dialect, text: str) -> Expression:
    """Read the whole text as that program does; NotationError where it does not, or our dice can't."""
    return read_own(in_own(dialect, text))


def in_own(dialect: Dialect, text: str) -> str:
    """Return the whole text in our notation, with what that program takes for a comment behind a #."""
    if dialect is _OWN or len(text) > MAX_TEXT or everyday.called(_behind_front(text)):
        return text
    # With its number d66 is a die of 66 sides, as every program has it.
    return _BARE.sub("1d", in_ours(dialect, split(text)[0].strip()))


@lru_cache(maxsize=1_024)
def read_own(text: str) -> Expression:
    """Parse a text; NotationError with the column of what is beyond a limit or can't be read."""
    dice, _ = split(text)
    if plus := _PLUS.match(dice):
        dice = " " * plus.end() + dice[plus.end() :]
    if not dice.strip():
        raise NotationError("There is nothing to roll. Type dice such as `d20`.")
    if len(text) > MAX_TEXT:
        raise NotationError(
            "At most {most} characters, not {count:,}.", most=MAX_TEXT, count=len(text), column=MAX_TEXT + 1
        )
    _check_nesting(dice)
    everyday.must_be_clear(dice)
    if said := everyday.everyday_notation(dice):
        with suppress(UnexpectedInput, NotationError):
            return read(said)
    try:
        return read(dice)
    except UnexpectedInput as error:
        raise _unreadable(dice, error) from None


@lru_cache(maxsize=1_024)  # a failure is not kept by the parser's own cache
def reads(text: str, dialect: Dialect = _OWN) -> bool:
    """Return whether the text can be read."""
    try:
        read_in(dialect, text)
    except NotationError:
        return False
    return True


@lru_cache(maxsize=1_024)
def split(text: str) -> tuple[str, str]:
    """Return the dice, with blanks for a command before them, and the comment; "" for none."""
    repeat = _REPEAT.match(text)
    found = _COMMENT.search(text, repeat.end() if repeat else 0) or everyday.remark(text)
    dice = text[: found.start("comment")].removesuffix("#") if found else text
    call = everyday.called(_behind_front(text)) if len(text) <= MAX_TEXT else None
    if call:
        return call
    front = _FRONT.match(dice)
    blanks = front.end() if front else 0
    return " " * blanks + dice[blanks:], found["comment"].strip() if found else ""


def _behind_front(text: str) -> str:
    front = _FRONT.match(text)
    return text[front.end() :] if front else text


def without_comment(text: str) -> str:
    """Return what stands before the comment, and behind any command."""
    return split(text)[0].strip()


def comment(text: str) -> str:
    """Return the comment, "fire" in "2d6 # fire" and "stealth" in "d20 adv stealth"; "" for none."""
    return split(text)[1]


def _check_nesting(text: str) -> None:
    depth = 0
    for column, sign in enumerate(text, start=1):
        depth += (sign in "({") - (sign in ")}")
        if depth > MAX_NESTING:
            raise NotationError(
                "At most {most} brackets inside one another.", most=MAX_NESTING, column=column
            )


def _unreadable(text: str, error: UnexpectedInput) -> UnknownNotation:
    place = error.pos_in_stream
    end = len(text.rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        end += 1
        typed = text.strip()
        if len(typed) <= _ENDED and (ended := _ended(typed)):
            return UnknownNotation(
                "Something is missing after `{text}`, such as `{example}`.",
                text=typed,
                example=ended,
                column=end,
            )
        return UnknownNotation("Something is missing after `{text}`.", text=typed[-_ENDED:], column=end)
    # Name a word from its beginning: where "drop" can't be read, its d can.
    while place and text[place].isalpha() and text[place - 1].isalpha():
        place -= 1
    name = _NAME.match(text)
    if name and not text[:place].strip() and not everyday.RESERVED.search(name[0]):
        return UnknownNotation("I don't know {said}.", said=f"`{name[1][:32]}`", column=place + 1)
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    shown = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return UnknownNotation("I can't read '{shown}'.", shown=shown, column=place + 1)


@lru_cache(maxsize=256)
def _ended(text: str) -> str:
    """Return a text that breaks off with an end that can be read; "" where none can."""
    # A number behind a blank is for words such as "vs", and for no die.
    for end in _ENDS if text[-1].isalpha() and text[-1] not in "dD" else _ENDS[1:]:
        with suppress(UnexpectedInput, NotationError):
            read(everyday.everyday_notation(text + end) or text + end)
            return text + end
    return ""


@lru_cache(maxsize=256)
def meanings(text: str) -> tuple[DiceReading, ...]:
    """Return the roll that a text with slips means, else its readings in other programs; none over budget.

    None either of a text that is too long to be read: to look for them may take longer than it is long.
    """
    if len(text) > MAX_TEXT:
        return ()
    budget = Budget(_WORK)
    try:
        return _slip(text, budget) or _others(text, budget)
    except SpecError:
        return ()


def _slip(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return the roll that a text with slips means, in its canonical form and with its comment, if any."""
    dice, words = split(text)
    meant = [one for one in everyday.intended(dice) if reads(one.text)]
    budget.spend(_PARSING * sum(len(one.text) for one in meant))
    if meant:
        return tuple(
            one._replace(text=_said(read_own(one.text), words or comment(one.text))) for one in meant
        )
    for tried, said in ((dice, words), (not words and split_words(dice)) or ("", "")):
        fixed = repaired(tried)
        budget.spend(_PARSING * len(fixed))
        if reads(fixed):
            return (DiceReading(_said(read_own(fixed), said)),)
    return ()


def _said(roll: Expression, said: str) -> str:
    return f"{roll} # {said}" if said else str(roll)


def _others(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return what the text means in other programs, one reading for each law."""
    found: dict[object, tuple[str, list[str]]] = {}
    for dialect in OTHERS:
        budget.spend(_PARSING * len(text))
        try:
            ours = in_own(dialect, text)
            roll = read_own(ours)
        except NotationError:
            continue
        behind = comment(ours)
        if not comment(text) and (_COUNTS.search(behind) or everyday.RESERVED.search(behind)):
            continue  # nothing that may change a roll becomes a comment
        law, said = laws(roll, budget), _said(roll, behind)
        shown, names = found.setdefault(law, (said, []))
        names.append(dialect.program)
        if len(said) < len(shown):
            found[law] = said, names
    return tuple(DiceReading(said, programs=tuple(names)) for said, names in found.values())


def repaired(text: str) -> str:
    """Return the text with its slips put right, which may still be unreadable."""
    text = text.translate(_WIDE)
    for pattern, ours in _REPAIRS:
        text = pattern.sub(ours, text)
    text = _KEEP.sub(_short, text)
    text += "]" * (text.count("[") - text.count("]"))
    return text + ")" * (text.count("(") - text.count(")"))


def split_words(text: str) -> tuple[str, str] | None:
    """Return the dice and the words behind them; None where there are none, or they might be modifiers."""
    for blank in re.finditer(r"(?<=\S)\s+", text):
        dice, words = text[: blank.start()], text[blank.end() :].strip()
        if _WORDS.fullmatch(words):
            # In Dice Maiden a bang stands before a comment, elsewhere it explodes.
            return (dice, words) if not dice.endswith("!") and everyday.says_nothing(words) else None
    return None


def _short(words: re.Match[str]) -> str:
    """Return kh3 for "keep highest 3" or "keep the 3 highest"; the words where two numbers are given."""
    if words["before"] and words["after"]:
        return words[0]
    number = words["before"] or words["after"] or "1"
    verb, end = words["verb"].casefold(), words["end"].casefold()
    return f"{'d' if verb == 'drop' else 'k'}{'h' if end in {'highest', 'best'} else 'l'}{number}"
