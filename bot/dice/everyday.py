"""Rewrite everyday phrases as notation: d66, a target, words between dice; tidy what can't be read.

What may be meant in several ways is refused by `bot/dice/slips.py`.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from bot.dice.dialects.rewriting import split_outside
from bot.dice.errors import DiceReading

_FLAGS = re.ASCII | re.IGNORECASE
_DIGITS = re.compile(r"(\d+ ?#)? ?d(66|88|666)", _FLAGS)
_TENS = re.compile(r"(?<![\w)])d(66|88|666)(?!\d)", _FLAGS)
_LAWS = {"66": "1d6*10+1d6", "88": "1d8*10+1d8", "666": "1d6*100+1d6*10+1d6"}
_TARGET = re.compile(
    r"(?P<times>\d+ ?#)?(?P<sum>.+)\b(?:vs\.?|dc|ac) ?[:=]? ?(?P<number>\d+)", _FLAGS | re.DOTALL
)
_SPREAD = re.compile(r"[-+*/].*\b(?:adv|dis)[a-z]*", _FLAGS | re.DOTALL)
_WITH = re.compile(r"(?<=[\w)\]] )(?:with|at) (?=(?:adv|dis)(?:antage|advantage)?\b)", _FLAGS)
_VERSUS = re.compile(r"\b(?:vs\.?|versus|against) (?=(?:dc|ac)(?![a-z]))", _FLAGS)
_OPPOSED = re.compile(r"\b(?:versus|against) (?=\d*d[\d%])", _FLAGS)
_MAY_SAY = re.compile(r"[^\W\d_]{2}|\n|d66|d88", re.IGNORECASE)
WORD = r"[^\W\d_]++(?:['-][^\W\d_]++)*+"
"""A word of any script."""
NAME = rf"{WORD}(?: {WORD})*+"
"""A name of one word or more."""
PICTURES = r"[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]++"
"""Emojis."""
_TAG = re.compile(rf"(?<=[\w%)\]}}])\s++({WORD}(?:\s++{WORD})*+)\s*+(?=\+|-|\Z)")
_REPEAT = re.compile(r"\s*\d+\s*#")
_LONG = re.compile(rf"[^\W\d_]{{3}}|{PICTURES}")
WORDS = tomllib.loads((files("bot.dice") / "words.toml").read_text(encoding="utf-8"))
"""Words as patterns, by what they may do beside dice."""
RESERVED_WORDS = f"(?:{'|'.join(WORDS['reserved'])})"
_CHANGING = "|".join([RESERVED_WORDS, *WORDS["behind_dice"], *WORDS["of_d100"]])
_OPERATORS = re.compile(rf"\b(?:{_CHANGING})\b", re.IGNORECASE)
"""Words that change a roll behind its dice."""
RESERVED = re.compile(rf"\b(?:{_CHANGING}|{'|'.join(WORDS['in_labels'])})\b", re.IGNORECASE)
"""All words that may change a roll, those in labels included."""
NUMBERS: dict[str, str] = WORDS["numbers"]
"""The digits of number words."""
PLURALS = {word: f"{face}s" for face, word in enumerate(WORDS["plurals"], start=1)}
"""Faces in words to their digits: "sixes" are 6s."""
_DIGITS_OF = NUMBERS | PLURALS | {"twice": "2 times", "thrice": "3 times"}
_NUMBER, _FACES = "|".join(NUMBERS), "|".join(PLURALS)
_IN_WORDS = re.compile(
    rf"(?<!est )\b(?:twice|thrice)\b|"
    rf"\b(?:{_NUMBER})(?=\s+(?:times\b|d\d|highest|lowest|best|worst|dice\b|\d+[ -]sided)|[ -]sided)|"
    rf"(?:(?<=times )|(?<=highest )|(?<=lowest )|(?<=best )|(?<=worst )|(?<=top ))(?:{_NUMBER})\b|"
    rf"(?:(?<=\d )|(?<=count )|(?<=many )|(?<=reroll )|(?<=and ))(?:{_FACES})\b",
    re.IGNORECASE,
)
_MAY_CHANGE = re.compile(
    rf"\d|\b(?:\w|dc|ac|tn|no|without|again|opposed|contested|{'|'.join([*NUMBERS, *WORDS['in_front']])})\b|"
    rf"{_OPERATORS.pattern}",
    re.IGNORECASE,
)
"""What no label has: single letters, numbers, and words that may change a roll."""
_AT_NAME = re.compile(
    r"(?<=[\w)] )(?:(?:vs\.?|versus|against) )?(?:dc|ac|vs\.?|versus|against)[:=]? (?=[^\W\d])(?![ad]c\b)",
    re.IGNORECASE,
)
"""What stands between dice and the name of a target: `d20+5 dc climb`."""
AIMED_AT = re.compile(r"(?:dc|ac) (?=[^\W\d])", re.IGNORECASE)
"""A target that words behind it name: `d20+5 dc climb`."""
_PHRASES = re.compile(
    r"(?<=[^\W\d]) and (?=[^\W\d])|\b(?:under|over|above|below|with) (?=[^\W\d_]{2})|"
    r"\bcreat(?:e|es|ing) (?:an? )?advantage\b",
    re.IGNORECASE,
)
"""Such words where they change nothing: "hack and slash", "act under fire"."""
_STEPS = {
    kind: [(re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in steps]
    for kind, steps in tomllib.loads((files("bot.dice") / "tidied.toml").read_text(encoding="utf-8")).items()
}
_PICTURES = re.compile(PICTURES)
_WIDE = {0xFF00 + place: 0x20 + place for place in range(1, 0x5F)} | {0x3000: 0x20}
"""The full-width forms of ASCII characters and of the blank, to plain ones."""


def in_digits(text: str) -> str:
    """Return a text with the number words before dice and "times" as digits; twice is 2 times."""
    return _IN_WORDS.sub(lambda word: _DIGITS_OF[word[0].lower()], text)


def is_harmless(words: str) -> bool:
    """Return whether words are only a comment: at least one is long, and none is reserved."""
    return is_label(words) and not RESERVED.search(words)


def is_label(words: str) -> bool:
    """Return whether words can be a label: at least one is long, and none always changes a roll."""
    may_be = _LONG.search(words) and not AIMED_AT.match(words)
    return bool(may_be) and not _OPERATORS.search(_PHRASES.sub(" ", words))


def aimed_at_names(text: str) -> str:
    """Return dice with "vs" before each name of a target: `d20 vs climb` for `d20 dc climb`."""
    return _AT_NAME.sub("vs ", text)


def may_change(words: str) -> bool:
    """Return whether words in front of dice may change a roll, so that they are never taken for a label."""
    return bool(_MAY_CHANGE.search(_PHRASES.sub(" ", words)))


def everyday_notation(text: str) -> str | None:
    """Return the notation of dice "with advantage", with a target or words, or on several lines.

    Return None for other text.
    """
    if not _MAY_SAY.search(text):
        return None
    if digits := _DIGITS.fullmatch(text.strip()):
        return f"{digits[1] or ''}{_LAWS[digits[2]]}"
    lines = split_outside(text, "\n", "([{", ")]}")
    parts = [part for line in lines for part in line.split(";") if part.strip()]
    own_text = "; ".join(
        _rewrite_part(_OPPOSED.sub("vs ", _VERSUS.sub("", _WITH.sub("", " ".join(part.split())))))
        for part in parts
    )
    return own_text if own_text != text else None


def _rewrite_part(text: str) -> str:
    target = _TARGET.fullmatch(text)
    if target is None:
        return _tag_words(text)
    body = _tag_words(target["sum"].strip())
    total = body if _SPREAD.search(body) else f"({body})"
    return f"{target['times'] or ''}{total}>={target['number']}"


def _tag_words(text: str) -> str:
    """Return a sum with its words as tags, each on the terms since the previous tag."""
    repeat = _REPEAT.match(text)
    start = repeat.end() if repeat else 0
    body, *more = _TAG.split(text[start:])
    if not more or not all(map(is_harmless, more[::2])):
        return text
    tagged = "".join(
        f"{'+' if place else ''}({sum_.strip().removeprefix('+')})[{words}]"
        for place, (sum_, words) in enumerate(zip([body, *more[1::2]], more[::2], strict=False))
    )
    return f"{text[:start]}{tagged}{more[-1]}"


def has_more_than_tens(text: str) -> bool:
    """Return whether d66, d88 or d666, two or three dice for the digits, stands in a text with more."""
    return bool(_TENS.search(text)) and not _DIGITS.fullmatch(text.strip())


def read_tens(text: str) -> Iterator[DiceReading]:
    """Yield the readings of d66, d88 or d666 with more beside it."""
    if _TENS.search(text):
        yield DiceReading(_TENS.sub(lambda die: f"({_LAWS[die[1]]})", text), "tens and ones")
        yield DiceReading(_TENS.sub(r"1d\1", text), "one die")


def narrowed(text: str) -> str:
    """Return a text with plain characters in place of full-width ones."""
    return text.translate(_WIDE)


def tidy(text: str) -> str:
    """Return a text without what says nothing about its dice, such as quotes, emojis and polite words."""
    return _replace(text, *_STEPS)


def without_manners(text: str) -> str:
    """Return a text without commands and polite words around it: `can I roll a d20 please`."""
    return _replace(text, "around")


def _replace(text: str, *kinds: str) -> str:
    """Return a text with the replacements of these kinds; its comment stays as it is."""
    dice, mark, comment = text.partition(" #")
    dice = " ".join(in_digits(_PICTURES.sub(" ", narrowed(dice))).split())
    for kind in kinds:
        for pattern, replacement in _STEPS[kind]:
            dice = " ".join(pattern.sub(replacement, dice).split())
    return f"{dice}{mark}{comment}"
