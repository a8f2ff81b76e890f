"""Parse dice notation into an expression; unknown text is refused with its column, never guessed.

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

The text may begin with `/r`, `!roll`, `!check` or `roll`, or with a + before a number or a bracket.
`bot/dice/choices.py` reads a coin and a choice first, `bot/dice/everyday.py` d66, a target and words behind
dice. `bot/dice/slips.py` asks about what can be meant in several ways, and `bot/dice/dialects` reads the
notation of other programs. A refusal offers their readings, one for each exact law: programs that agree are
named together.
"""

import re
from contextlib import suppress
from functools import lru_cache

from lark import UnexpectedInput

from bot.dice import choices, everyday, lines, slips
from bot.dice.dialects.dialect import OTHERS, Dialect, translate
from bot.dice.die_distribution import Budget
from bot.dice.distribution import laws
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.expressions import MAX_NESTING, MAX_TEXT, Expression, ZeroDivisor
from bot.dice.grammar import read

_OWN = Dialect.EVENHAND
_OTHERS = "I have no such notation, but other programs do."
_FRONT = re.compile(r"\s*(?:[/!]?r(?:oll)?\s+(?:for\s+)?|[/!]check\s+|roll(?=\+))", re.ASCII | re.IGNORECASE)
_PLUS = re.compile(r"\s*\+(?=\s*[\d(])", re.ASCII)
# Digits before a # repeat the roll; a comment stands behind dice and a blank.
_COMMENT = re.compile(r"(?<=\s)#(?P<comment>.*)", re.DOTALL)
_REPEAT = re.compile(r"\s*\d+\s+#", re.ASCII)
_BARE = re.compile(r"(?<![\w)])d(?=\d)", re.ASCII | re.IGNORECASE)
_TAG = re.compile(r"\s+\[")
_COUNTS = re.compile(r"[\d+*/,]|\bx\b", re.ASCII | re.IGNORECASE)
_WORK = 12_000
"""The work on all readings of a text, in the unit of `Budget`: less than 20 ms with parsing it once."""
_PARSING = 25
"""The work of parsing one character."""
_FLAGS = re.ASCII | re.IGNORECASE
_KEEP = re.compile(
    r"\s*\b(?P<verb>keep|take|drop)(?:ing)?\s+(?:the\s+)?"
    r"(?:(?P<before>\d+)\s+)?(?P<end>highest|best|lowest|worst)(?:\s+(?P<after>\d+))?\b",
    _FLAGS,
)
_REPAIRS = [
    (re.compile(pattern, _FLAGS), replacement) for pattern, replacement in slips.SLIPS["repaired"].items()
]
_NAME = re.compile(
    rf"\s*({everyday.WORD}(?:\s++(?!(?:dc|ac|vs)\b){everyday.WORD})*+)"
    r"(?=\s++(?:(?:dc|ac|vs)\s++)?\d|\s*+(?:[-+]|\Z))"
)
_WORDS = re.compile(
    rf"(?P<open>\()?{everyday.WORD}(?:[\s,.]++{everyday.WORD})*+[.!]?(?(open)\))|{everyday.PICTURES}"
)

_ENDS = (" 15", "6", "5", " d20", ")", "}kh1", "1, 2}")
"""Possible continuations of an incomplete text."""
_CARDS = re.compile(
    r"(?:deal|draw|pick|choose|shuffle|reshuffle) (?:me )?(?:(?:an?|the|my|our|one|\d+) )?"
    r"(?:tarot )?(?:cards?|decks?|tarot)(?: of cards)?",
    _FLAGS,
)
_OF_ODDS = re.compile(
    r"(?:\A|\s)(?:average|avg|max(?:imum|imi[sz]e)?|min(?:imum)?)(?: [^\W\d]++)*+(?: \d*d\d|\Z)", _FLAGS
)
"""What no throw tells: `average 8d6`, `max damage 2d6+3`."""
_EXCERPT_LIMIT = 32
"""The most characters of an incomplete text that an error shows."""


class UnknownNotation(NotationError):
    """Text that is incomplete, or has an unknown token."""


def parse(text: str, dialect: Dialect = _OWN) -> Expression:
    """Parse dice notation; NotationError has the column and the possible readings."""
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
    """Parse the whole text in a program's notation; NotationError if it is none, or can't be rolled here."""
    return read_own(to_own_notation(dialect, text))


def to_own_notation(dialect: Dialect, text: str) -> str:
    """Return the whole text in Evenhand's notation, the program's comment behind a #."""
    if dialect is _OWN or len(text) > MAX_TEXT or choices.read_call(without_command(text)):
        return text
    own_text = translate(dialect, split(text)[0].strip())
    # With its number d66 is a die of 66 sides, as every program has it; what stands in [ ] is a tag.
    return _TAG.sub("[", _BARE.sub("1d", own_text))


@lru_cache(maxsize=1_024)
def read_own(text: str) -> Expression:
    """Parse a text; NotationError has the column of what can't be read or exceeds a limit."""
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
    slips.check_unambiguous(dice)
    if own_text := everyday.everyday_notation(dice):
        with suppress(UnexpectedInput, NotationError):
            return read(own_text)
    if "\n" in dice.strip():
        # The lines are no rolls of their own, so that they are one.
        return read_own(" ".join(text.split()))
    try:
        return read(dice)
    except UnexpectedInput as error:
        raise _describe_unreadable(dice, error) from None


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
    """Return the dice, a command before them replaced by blanks, and the comment; "" for none."""
    repeat = _REPEAT.match(text)
    match = _COMMENT.search(text, repeat.end() if repeat else 0)
    dice = text[: match.start("comment")].removesuffix("#") if match else text
    if len(text) <= MAX_TEXT and (call := choices.read_call(without_command(dice))):
        return call[0], choices.with_label(call[1], match["comment"].strip() if match else "")
    remark = slips.find_remark(dice)
    dice = dice[: remark.start("comment")] if remark else dice
    command = _FRONT.match(dice)
    blanks = command.end() if command else 0
    comments = (words["comment"].strip() for words in (remark, match) if words)
    return " " * blanks + dice[blanks:], _joined(*comments)


def without_command(text: str) -> str:
    """Return a text without `/r`, `!roll` or `roll for` in front."""
    front = _FRONT.match(text)
    return text[front.end() :] if front else text


def without_comment(text: str) -> str:
    """Return the dice without their command and comment."""
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


def _describe_unreadable(text: str, error: UnexpectedInput) -> UnknownNotation:
    place = error.pos_in_stream
    end = len(text.rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        end += 1
        typed = text.strip()
        if len(typed) <= _EXCERPT_LIMIT and (example := _complete(typed)):
            return UnknownNotation(
                "Something is missing after `{text}`, such as `{example}`.",
                text=typed,
                example=example,
                column=end,
            )
        typed = typed[-_EXCERPT_LIMIT:]
        return UnknownNotation("Something is missing after `{text}`.", text=typed, column=end)
    if _OF_ODDS.search(text):
        return UnknownNotation("`/odds` shows the average and the highest total of dice.")
    if _CARDS.fullmatch(text.strip()):
        return UnknownNotation("Cards come from a deck, with `/deal`.")
    if choices.is_unclear_choice(text):
        return UnknownNotation(
            "I can't tell the options. Use commas, `choose tea, coffee`, or weights, `d{tea 3, coffee}`."
        )
    # Name a word from its beginning: where "drop" can't be read, its d can.
    while place and text[place].isalpha() and text[place - 1].isalpha():
        place -= 1
    name = _NAME.match(text)
    if name and not text[:place].strip() and not everyday.RESERVED.search(name[0]):
        return UnknownNotation("I don't know {said}.", said=f"`{name[1][:32]}`", column=place + 1)
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    excerpt = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return UnknownNotation("I can't read '{shown}'.", shown=excerpt, column=place + 1)


@lru_cache(maxsize=256)
def _complete(text: str) -> str:
    """Return an incomplete text with a valid continuation; "" if there is none."""
    # A number behind a blank is for words such as "vs", and for no die.
    for end in _ENDS if text[-1].isalpha() and text[-1] not in "dD" else _ENDS[1:]:
        with suppress(UnexpectedInput, NotationError):
            read(everyday.everyday_notation(text + end) or text + end)
            return text + end
    return ""


@lru_cache(maxsize=256)
def meanings(text: str) -> tuple[DiceReading, ...]:
    """Return the repaired roll of a text with typing slips, else its readings in other programs.

    Return () over the budget, for a text that is too long to parse, and for a choice of unclear options.
    """
    if len(text) > MAX_TEXT or choices.is_unclear_choice(without_command(text)):
        return ()
    dice, mark, words = text.partition(" #")
    budget, text = Budget(_WORK), f"{everyday.in_digits(dice)}{mark}{words}"
    try:
        return _repair_slips(text, budget) or _read_as_others(text, budget) or _with_label(text)
    except SpecError:
        return ()


def _repair_slips(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return the readings of a text with typing slips, in canonical form with their comments; () for none."""
    dice, words = split(text)
    intended = [reading for reading in slips.read_intended(dice) if reads(reading.text)]
    budget.spend(_PARSING * sum(len(reading.text) for reading in intended))
    if intended:
        return tuple(
            _labelled(reading.text, _joined(comment(reading.text), words), reading.meaning)
            for reading in intended
        )
    candidates = [(dice, words)]
    if not words and (labelled := split_words(dice)) and everyday.is_harmless(labelled[1]):
        candidates.append(labelled)
    for candidate, candidate_words in candidates:
        fixed = repair(candidate)
        budget.spend(_PARSING * len(fixed))
        if reads(fixed):
            return (_labelled(fixed, candidate_words or comment(fixed)),)
    return ()


def _with_label(text: str) -> tuple[DiceReading, ...]:
    """Return the reading of dice with the words behind them as a label; () if there is none."""
    dice, words = split_words(text) or ("", "")
    fixed = repair(dice)
    return (_labelled(fixed, words, slips.AS_LABEL),) if reads(fixed) else ()


@lru_cache(maxsize=256)
def guesses(text: str) -> tuple[DiceReading, ...]:
    """Return the readings of a text without `meanings`, once it is tidied, or else piece by piece."""
    if len(text) > MAX_TEXT:
        return ()
    tidied = everyday.tidy(text)
    if reads(tidied):
        return (_labelled(*split(tidied)),)
    if readings := meanings(tidied):
        return readings
    return tuple(
        _labelled(*split(reading.text), reading.meaning)
        for reading in lines.read_line(tidied)
        if reads(reading.text)
    )


def _joined(*comments: str) -> str:
    return ", ".join(filter(None, comments))


def _labelled(text: str, words: str, meaning: str = "") -> DiceReading:
    """Return the reading of a text in canonical notation, with the words as its comment."""
    return DiceReading(f"{read_own(text)} # {words}" if words else str(read_own(text)), meaning)


def _read_as_others(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return the readings of the text in other programs, one for each law."""
    shortest: dict[object, tuple[str, list[str]]] = {}
    for dialect in OTHERS:
        budget.spend(_PARSING * len(text))
        try:
            own_text = to_own_notation(dialect, text)
            roll = read_own(own_text)
        except NotationError:
            continue
        remark = comment(own_text)
        may_change = (
            _COUNTS.search(remark) or everyday.RESERVED.search(remark) or everyday.AIMED_AT.match(remark)
        )
        if remark != comment(text) and may_change:
            continue  # nothing that may change a roll becomes a comment
        law, canonical = laws(roll, budget), _labelled(own_text, remark).text
        shorter, names = shortest.setdefault(law, (canonical, []))
        names.append(dialect.program)
        if len(canonical) < len(shorter):
            shortest[law] = canonical, names
    return tuple(DiceReading(canonical, programs=tuple(names)) for canonical, names in shortest.values())


def repair(text: str) -> str:
    """Return the text with its typing slips corrected; it may still be unreadable."""
    text = everyday.narrowed(text)
    for pattern, replacement in _REPAIRS:
        text = pattern.sub(replacement, text)
    # All in one walk: "drop lowest drop highest" are two.
    text = _KEEP.sub(_abbreviate, text)
    text += "]" * (text.count("[") - text.count("]"))
    return text + ")" * (text.count("(") - text.count(")"))


def split_words(text: str) -> tuple[str, str] | None:
    """Return the dice and the words behind them; None without words, or if they can be no label."""
    for blank in re.finditer(r"(?<=\S)\s+", text):
        dice, words = text[: blank.start()], text[blank.end() :].strip()
        # In Dice Maiden a bang stands before a comment, elsewhere it explodes.
        if _WORDS.fullmatch(words) and everyday.is_label(words) and not dice.endswith("!"):
            return dice, words.strip("()")
    return None


def _abbreviate(words: re.Match[str]) -> str:
    """Return kh3 for "keep highest 3" or "keep the 3 highest"; the words where two numbers are given."""
    if words["before"] and words["after"]:
        return words[0]
    number = words["before"] or words["after"] or "1"
    verb, end = words["verb"].casefold(), words["end"].casefold()
    return f"{'d' if verb == 'drop' else 'k'}{'h' if end in {'highest', 'best'} else 'l'}{number}"
