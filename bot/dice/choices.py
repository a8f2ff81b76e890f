"""Read a coin, a choice among names, an order of names, ability scores, and dice with named faces."""

import re
from collections.abc import Sequence
from math import gcd

from bot.dice.everyday import NUMBERS, WORDS

_FLAGS = re.ASCII | re.IGNORECASE
_CALL = re.compile(
    r"(?P<times>\d+ ?# ?)?(?P<word>coin|flip|heads or tails|choose|shuffle|stats)\b(?P<rest>.*)",
    _FLAGS | re.DOTALL,
)
_AMONG = r"(?:out of|of|from|between|among)\b"
_JOINS = r"(?:or|and|vs\.?|versus|[&/|;,+\u00b7\u2022\u2192\u2013\u2014-])"
"""Words and signs between two options."""
_SOME = re.compile(
    rf"(?P<number>\d+)(?: {_AMONG}|:| (?!{_JOINS} ))|"
    rf"(?P<word>one|{'|'.join(NUMBERS)}) {_AMONG}|{_AMONG}|one:",
    _FLAGS,
)
_QUOTED = re.compile(r'"[^"]+"|\u201c[^\u201c\u201d]+\u201d|(?<!\w)\'[^\']+\'(?!\w)')
_HOLDER = "\ue000"
"""A stand-in for a quoted option while the others are read, since it may contain any sign."""
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^][]*)\]|\{([^{}]*)\}")
_LISTS, _SEPARATORS = ([re.compile(sign, _FLAGS) for sign in WORDS[kind]] for kind in ("lists", "separators"))
_LAST = tuple(re.compile(rf"(?:\A| ){word} ", _FLAGS) for word in ("or", "and"))
_BULLET = re.compile(r"(?:[-*\u2022\u2013\u2014]|\d{1,2}[.)]) ")
_WEIGHTS = re.compile(r".*[^\d\s] ?(?:[=*:\u00d7]| x) ?\d+|.*\S \d+ ?%", _FLAGS | re.DOTALL)
_WEIGHT = re.compile(r".*[^\d\s][=*:\u00d7]\d+|x\d+|\d+%|\d+[.)]", _FLAGS)
"""Numbers that say how likely an option is, or its place; an option of a list, and a word on its own."""
_IN_SCRIPT = re.compile(r"\w|[^\x00-\u2bff]|[\u2600-\u27bf]")
"""A letter, a digit or an emoji: what has none is a sign between options."""
_PHRASE = re.compile(r"(?:an?|the|my|our|your|his|her|their|some|any|who|which|what|where) \S{2}", _FLAGS)
"""What begins a sentence and no list of words: `choose a player`, `choose who begins`."""
_CHOICE = re.compile(r"\s*(?:choose|shuffle)\b", _FLAGS)
COIN = "1 heads, 2 tails"
_NOTE = " # "
_MOST = 100

_NAMED = re.compile(r"(?P<times>\d+ ?# ?)?(?P<number>\d{0,3})d\{(?P<faces>[^{}#]+)\}", _FLAGS)
_TIMES_AS_LIKELY = re.compile(r" [0-9]{1,3}$")


def read_call(text: str) -> tuple[str, str] | None:
    """Return the dice and faces of a coin, choice, shuffle, scores or named faces; None for other text."""
    call = _CALL.fullmatch(text.strip())
    if call is None:
        return _read_named_faces(text.strip())
    word, rest, times = call["word"].lower(), call["rest"].strip(), call["times"] or ""
    if word in {"choose", "shuffle"}:
        return _read_choice(word, rest, times)
    rest = "" if rest.lower() in {"flip", "coin", "a coin"} else rest
    if word == "stats" and not rest:
        return f"{times or '6#'}4d6kh3", ""
    number = rest if word == "flip" and rest.isdecimal() and not times else ""
    return (f"{number}#1d2" if number else f"{times}1d2", COIN) if number == rest else None


def asks_choice(text: str) -> bool:
    """Return whether a text asks for a choice or an order, be it of options that can be told apart or not."""
    return bool(_CHOICE.match(text))


def is_unclear_choice(text: str) -> bool:
    """Return whether a text asks for a choice or an order, but of options that can't be told apart."""
    return asks_choice(text) and read_call(text) is None


def _read_choice(word: str, rest: str, times: str) -> tuple[str, str] | None:
    rest = rest.removeprefix(":").strip()
    options = split_options(rest)
    some = _SOME.match(rest)
    # `choose 2 elk, owl` is two of them, but `choose 2 rings, 3 swords` and `choose 1, 2, 3` are options.
    if some and (not some["number"] or not any(option[:1].isdecimal() for option in options[1:])):
        options = split_options(rest[some.end() :])
    else:
        some = None
    if not 2 <= len(options) <= _MOST or (some and word == "shuffle"):
        return None
    count = (some["number"] or NUMBERS.get((some["word"] or "").lower())) if some else None
    number = len(options) if word == "shuffle" else int(count or 1)
    if some and some[0].strip().isdecimal() and number > len(options):
        return None
    return f"{times}{number}d{len(options)}{'u' if number > 1 else ''}", _numbered(options)


def split_options(text: str) -> list[str]:
    """Return the options of a list, in order; none if they can't be told apart for certain.

    The strongest separator wins: commas or lines, ; or |, then "or", "and", "vs", a slash, and blanks.
    """
    text = text.strip(" ,;\n").removesuffix("?")
    if bracketed := _BRACKETED.fullmatch(text):
        text = next(filter(None, bracketed.groups()), "")
    quoted = iter(_QUOTED.findall(text))
    names = [] if _HOLDER in text else _split(_QUOTED.sub(_HOLDER, text))
    options = [
        next(quoted)[1:-1] if name == _HOLDER else re.sub(_HOLDER, lambda _: next(quoted), name)
        for name in names
    ]
    # Names of faces are kept with commas between them.
    return [] if any(", " in option for option in options) else options


def _split(text: str) -> list[str]:
    lists = [pattern for pattern in _LISTS if pattern.search(text)]
    separator = next((pattern for pattern in (*lists, *_SEPARATORS) if pattern.search(text)), None)
    parts = separator.split(text) if separator else text.split()
    if lists and (joint := next((pattern for pattern in _LAST if pattern.search(parts[-1].strip())), None)):
        # The last of several, "red, blue or green", has no comma.
        parts[-1:] = joint.split(parts[-1].strip(), 1)
    else:
        joint = _LAST[0]
    names = [name for part in parts if (name := _BULLET.sub("", part.strip(), 1).strip())]
    if len(names) < 2 or len(lists) > 1:
        return []
    if lists and (" & " in names[-1] or any(map(joint.search, names))):
        return []
    if (separator is None and _PHRASE.match(text)) or not all(map(_IN_SCRIPT.search, names)):
        return []
    weighted = [name for name in names if (_WEIGHTS if separator else _WEIGHT).fullmatch(name)]
    return names if not weighted or (separator is None and len(weighted) == len(names)) else []


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"{place} {name}" for place, name in enumerate(names, start=1))


def _read_named_faces(text: str) -> tuple[str, str] | None:
    """Return the dice of named faces with weights, such as d{wood 4, brick 3, grain}; None for others."""
    match = _NAMED.fullmatch(text)
    if match is None:
        return None
    names, weights = list[str](), list[int]()
    for part in match["faces"].split(","):
        weight = _TIMES_AS_LIKELY.search(face := part.strip())
        names.append(face[: weight.start()] if weight else face)
        weights.append(int(weight[0]) if weight else 1)
    shared = gcd(*weights)
    is_named = len(names) > 1 and all(name[:1].isalpha() for name in names)
    if not is_named or not all(weights) or sum(weights) > _MOST * shared:
        return None
    sides = ",".join(str(place) for place, n in enumerate(weights, start=1) for _ in range(n // shared))
    return f"{match['times'] or ''}{match['number'] or 1}d{{{sides}}}", _numbered(names)


def named_faces(comment: str) -> list[str]:
    """Return the names in "1 heads, 2 tails"; none for other comments."""
    parts = [part.partition(" ") for part in comment.partition(_NOTE)[0].split(", ")]
    is_numbered = all(number == str(place) for place, (number, _, _) in enumerate(parts, start=1))
    names = [name for _, _, name in parts]
    return names if is_numbered and all(names) else []


def with_label(comment: str, label: str) -> str:
    """Return the label of a roll, or else its comment; names of faces stay in front of both."""
    if not (label and named_faces(comment)):
        return label or comment
    return f"{comment.partition(_NOTE)[0]}{_NOTE}{label}"


def beside_faces(label: str) -> str:
    """Return a label without names of faces in front: "first" for "1 heads, 2 tails # first"."""
    return label.partition(_NOTE)[2] if named_faces(label) else label
