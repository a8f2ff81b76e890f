"""What is typed at a table and is no notation: a coin, a choice, d66, a target, words between dice."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from math import gcd

from bot.dice import advantage
from bot.dice.errors import DiceReading, NotationError

_FLAGS = re.ASCII | re.IGNORECASE
_CALL = re.compile(
    r"(?P<times>\d+ ?# ?)?(?P<word>coin|flip|choose|shuffle|stats)\b(?P<rest>.*)", _FLAGS | re.DOTALL
)
_SOME = re.compile(r"(?P<number>\d+)(?: of\b|\b)", _FLAGS)
_LISTED = tuple(map(re.compile, (r"[,\n]", r" or ", r" ")))
COIN = "1 heads, 2 tails"
_MOST = 100

_NAMED = re.compile(r"(?P<times>\d+ ?# ?)?(?P<number>\d{0,3})d\{(?P<faces>[^{}#]+)\}", _FLAGS)
_WEIGHT = re.compile(r" [0-9]{1,3}$")

_DIGITS = re.compile(r"(\d+ ?#)? ?d(66|88|666)", _FLAGS)
_TENS = re.compile(r"(?<![\w)])d(66|88|666)(?!\d)", _FLAGS)
_LAWS = {"66": "1d6*10+1d6", "88": "1d8*10+1d8", "666": "1d6*100+1d6*10+1d6"}
_TARGET = re.compile(
    r"(?P<times>\d+ ?#)?(?P<sum>.+)\b(?:vs\.?|dc|ac) ?[:=]? ?(?P<number>\d+)", _FLAGS | re.DOTALL
)
_SPREAD = re.compile(r"[-+*/].*\b(?:adv|dis)[a-z]*", _FLAGS | re.DOTALL)
_WITH = re.compile(r"(?<=\w )(?:with|at) (?=(?:adv|dis)(?:antage|advantage)?\b)", _FLAGS)
_MAY_SAY = re.compile(r"[^\W\d_]{2}|\n|d66|d88", re.IGNORECASE)
WORD = r"[^\W\d_]++(?:['-][^\W\d_]++)*+"
"""A word of any script."""
_TAG = re.compile(rf"(?<=[\w%)\]}}])\s++({WORD}(?:\s++{WORD})*+)\s*+(?=\+|-|\Z)")
_REPEAT = re.compile(r"\s*\d+\s*#")
_LONG = re.compile(r"[^\W\d_]{3}")
_REMARK = re.compile(
    r"(?:(?<=\d )(?:adv|dis)(?:antage|advantage)?\b(?: ?[-+] ?[\dd]++)*+|\b(?:vs\.?|dc|ac) ?[:=]? ?\d+) "
    rf"(?P<comment>{WORD}(?: {WORD})*+)\s*\Z",
    _FLAGS,
)
RESERVED_WORDS = (
    r"(?:adv(?:antage)?|dis(?:adv(?:antage)?)?|keep|take|drop|highest|lowest|best|worst|middle|"
    r"reroll(?:s|ing)?|explod(?:e|es|ing)|min|max|mid|even|odd|abs|ceil|floor|round|plus|minus|times|and|not|"
    r"vs|versus|against|with|each|per|above|below|over|under|once|twice|double|triple|half|success(?:es)?|"
    r"target)"
)
"""What may change a roll, here or in another program; whoever adds a modifier of letters adds it."""
_BEHIND_DICE = (
    r"kept|keep(?:s|ing)|tak(?:es|en|ing)|drop(?:s|ped|ping)|high(?:er)?|low(?:er)?|rerolled|exploded|"
    r"repeat(?:s|ed|ing)?|unique|doubl(?:es|ed|ing)|tripl(?:es|ed|ing)|halv(?:e|es|ed|ing)"
)
"""What may change a roll behind its dice; in a name it says nothing."""
RESERVED = re.compile(rf"\b(?:{RESERVED_WORDS}|{_BEHIND_DICE}|register|pool|leftovers)\b", re.IGNORECASE)
"""All these, and with what `d100` is the name of a player's own roller."""


def called(text: str) -> tuple[str, str] | None:
    """Return the dice of a coin, a choice, an order, scores or named faces, and what they show; else None."""
    call = _CALL.fullmatch(text.strip())
    if call is None:
        return _weighed(text.strip())
    word, rest, times = call["word"].lower(), call["rest"].strip(), call["times"] or ""
    if word in {"coin", "flip", "stats"}:
        rest = "" if rest.lower() in {"flip", "coin", "a coin"} else rest
        if word == "stats" and not rest:
            return f"{times or '6#'}4d6kh3", ""
        number = rest if word == "flip" and rest.isdecimal() and not times else ""
        return (f"{number}#1d2" if number else f"{times}1d2", COIN) if number == rest else None
    some = _SOME.match(rest) if word == "choose" else None
    named = _listed(rest[some.end() :] if some else rest)
    if not 2 <= len(named) <= _MOST:
        return None
    number = len(named) if word == "shuffle" else int(some["number"]) if some else 1
    faces = ", ".join(f"{place} {name}" for place, name in enumerate(named, start=1))
    return f"{times}{number}d{len(named)}{'u' if number > 1 else ''}", faces


def _weighed(text: str) -> tuple[str, str] | None:
    """Return the dice of named faces with weights, such as d{wood 4, brick 3, grain}; None for others."""
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    names, weights = list[str](), list[int]()
    for part in found["faces"].split(","):
        weight = _WEIGHT.search(face := part.strip())
        names.append(face[: weight.start()] if weight else face)
        weights.append(int(weight[0]) if weight else 1)
    shared = gcd(*weights)
    if len(names) < 2 or not all(weights) or sum(weights) > _MOST * shared:
        return None
    if not all(name[:1].isalpha() for name in names):
        return None
    sides = ",".join(str(place) for place, n in enumerate(weights, start=1) for _ in range(n // shared))
    faces = ", ".join(f"{place} {name}" for place, name in enumerate(names, start=1))
    return f"{found['times'] or ''}{found['number'] or 1}d{{{sides}}}", faces


def named_faces(comment: str) -> list[str]:
    """Return the names in "1 heads, 2 tails"; none for other comments."""
    names: list[str] = []
    for place, part in enumerate(comment.split(", "), start=1):
        number, _, name = part.partition(" ")
        if number != str(place) or not name:
            return []
        names.append(name)
    return names


def _listed(text: str) -> list[str]:
    text = text.strip(" ,\n")
    sign = next((each for each in _LISTED if each.search(text)), None)
    return [name.strip() for name in sign.split(text) if name.strip()] if sign else []


def remark(text: str) -> re.Match[str] | None:
    """Find words behind an advantage or a target, which can only be a comment."""
    found = _REMARK.search(text)
    words = found["comment"] if found else ""
    return found if says_nothing(words) else None


def says_nothing(words: str) -> bool:
    """Return whether words can change no roll: one of them is long, and none is reserved."""
    return bool(_LONG.search(words)) and not RESERVED.search(words)


def everyday_notation(text: str) -> str | None:
    """Return dice "with advantage", with a target or words behind them, or in several lines, in notation.

    None for others.
    """
    if not _MAY_SAY.search(text):
        return None
    if digits := _DIGITS.fullmatch(text.strip()):
        return f"{digits[1] or ''}{_LAWS[digits[2]]}"
    parts = [part for part in _lines(text).split(";") if part.strip()]
    ours = "; ".join(_part(_WITH.sub("", " ".join(part.split()))) for part in parts)
    return ours if ours != text else None


def _lines(text: str) -> str:
    """Return the text with a semicolon at each end of a line that no bracket is open over."""
    signs, depth = [*text], 0
    for place, sign in enumerate(signs):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "\n" and not depth:
            signs[place] = ";"
    return "".join(signs)


def _part(text: str) -> str:
    target = _TARGET.fullmatch(text)
    if target is None:
        return _tagged(text)
    body = _tagged(target["sum"].strip())
    total = body if _SPREAD.search(body) else f"({body})"
    return f"{target['times'] or ''}{total}>={target['number']}"


def _tagged(text: str) -> str:
    """Return a sum with its words as tags, each on what stands before it from the last one on."""
    repeat = _REPEAT.match(text)
    start = repeat.end() if repeat else 0
    body, *more = _TAG.split(text[start:])
    if not more or not all(map(says_nothing, more[::2])):
        return text
    said = "".join(
        f"{'+' if place else ''}({sum_.strip().removeprefix('+')})[{words}]"
        for place, (sum_, words) in enumerate(zip([body, *more[1::2]], more[::2], strict=False))
    )
    return f"{text[:start]}{said}{more[-1]}"


SLIPS = tomllib.loads((files("bot.dice") / "slips.toml").read_text(encoding="utf-8"))
"""What people type in place of our notation: what it may mean, and signs that are replaced."""
_MEANT = [
    (re.compile(pattern, _FLAGS), [DiceReading(*one) for one in ours.items()])
    for pattern, ours in SLIPS["meant"].items()
]
_KEEPS = re.compile(r"\dk\s*[<>]|\d\s+k\s*[<>]", _FLAGS)
_ADVANTAGE = re.compile(rf"[-+] ?(?P<die>1?d(?P<sides>\d++)) ?(?:with )?{advantage.WORD}", _FLAGS)
_D20 = re.compile(r"(?<![\d%])1?d20\b(?! ?(?:with )?(?:adv|dis))", _FLAGS)
_APART = re.compile(r"[;#,]")
_ROLL = re.compile(r"[\dd%+*() -]+", _FLAGS)
_BETWEEN = re.compile(r" ?, ?| (?=\d*d\d)", _FLAGS)
_OPTION = re.compile(r"(?P<dice>.+) (?P<name>[a-z]{4,7}): ?(?P<value>\S.*)", _FLAGS)


def must_be_clear(text: str) -> None:
    """NotationError for a text that could be read, but in several ways."""
    if any(_doubled(text)):
        raise NotationError("Roll the d20 twice, or the last die? I can't tell.")
    if _KEEPS.search(text):
        raise NotationError("Keep the dice that pass, or count the best one? I can't tell.")
    if _TENS.search(text) and not _DIGITS.fullmatch(text.strip()):
        raise NotationError("d66 alone is two dice, for tens and ones: with more behind it I can't tell.")


def intended(text: str) -> Iterator[DiceReading]:
    """Yield what a refused text may mean in our notation, and how; every die and number is in it."""
    text = " ".join(text.split())
    for pattern, ours in _MEANT:
        if found := pattern.fullmatch(text):
            yield from (one._replace(text=found.expand(one.text)) for one in ours)
            return
    if doubled := [*_doubled(text)]:
        yield from doubled
        return
    if _TENS.search(text):
        yield DiceReading(_TENS.sub(lambda die: f"({_LAWS[die[1]]})", text), "tens and ones")
        yield DiceReading(_TENS.sub(r"1d\1", text), "one die")
        return
    rolls = _BETWEEN.split(text)
    if len(rolls) > 1 and all(map(_ROLL.fullmatch, rolls)):
        yield DiceReading("; ".join(rolls), "separate rolls")
    elif option := _OPTION.fullmatch(text):
        yield from _given(option["dice"], option["name"].lower(), option["value"])


def _doubled(text: str) -> Iterator[DiceReading]:
    """Yield which die an advantage is for, where it stands behind another one than the d20."""
    behind = _ADVANTAGE.search(text)
    d20 = _D20.search(text, 0, behind.start()) if behind else None
    if behind and d20 and behind["sides"] != "20" and not _APART.search(text, 0, behind.start()):
        rest, keep = text[behind.end() :], "kh" if behind["word"].lower() == "adv" else "kl"
        between = text[d20.end() : behind.end("die")]
        yield DiceReading(f"{text[: d20.end()]} {behind['word']}{between}{rest}", "the d20 twice")
        yield DiceReading(
            f"{text[: behind.start('die')]}2d{behind['sides']}{keep}1{rest}", "the last die twice"
        )


def _given(dice: str, name: str, value: str) -> Iterator[DiceReading]:
    """Yield dice with an option that was typed into their text, where its name is near to one."""
    if len({*name} ^ {*"times"}) <= 2 and value.isdecimal():
        yield DiceReading(f"{value}#{dice}")
    elif len({*name} ^ {*"label"}) <= 2:
        yield DiceReading(f"{dice} # {value}")
