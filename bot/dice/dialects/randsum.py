"""RANDSUM's notation: capital letters with { }, a pool that is multiplied before anything is added.

From github.com/RANDSUM/randsum, the notation's specification.
"""

import re

from bot.dice.dialects.rewriting import FLAGS, PoolText, Unread, notation_of, split_outside
from bot.dice.modifiers import Comparison, Condition


def _caps(pool: PoolText, match: re.Match[str]) -> None:
    """Read the lower and the upper limit of a die."""
    least = re.search(r"<(\d+)", match[1])
    most = re.search(r"(?:>|(?<![<\d]))(\d+)", match[1])
    pool.put("clamp", (f"min{least[1]}" if least else "") + (f"max{most[1]}" if most else ""))


def _replaced(pool: PoolText, match: re.Match[str]) -> None:
    """Read faces that become others as a die with other faces."""
    faces = pool.faces
    for sign, replaced, becomes in re.findall(r"([<>]?)(\d+)=(\d+)", match[1]):
        if not 1 <= int(replaced) <= len(faces):
            raise Unread
        holds = Condition(Comparison(sign or "="), int(replaced)).holds
        faces = [int(becomes) if holds(face) else face for face in faces]
    pool.replace_faces(faces)


_NOTATION = notation_of("randsum", caps=_caps, replaced=_replaced)
_LABEL = re.compile(r"\[[^\[\]]*\]")
_REPEAT = re.compile(r"(?P<dice>.*\S)x(?P<times>\d+)", re.DOTALL | re.ASCII)
_UNIQUE = re.compile(r"(?<![a-z\d])(\d{0,3})DD(\d+)", FLAGS)
_ZEROS = re.compile(r"(?<![a-z\d])(?P<n>\d{0,3})z(?P<sides>\d{1,3})(?!\d)", FLAGS)
_ORDERED = re.compile(r"(?P<dice>(?:d%|[^+*/%\-])*+)(?P<steps>(?:(?:[+*%\-]|//)\d++)++)", FLAGS)
_STEP = re.compile(r"([+*%\-]|//)(\d+)", re.ASCII)
# Quotients are cut at the end there, and rounded down here: the same where nothing is below zero.
_BELOW_ZERO = re.compile(r"-|f|[#s]\{", FLAGS)
_WHOLE = re.compile(r"(?P<body>.*[^*])\*\*(?P<times>\d+)", re.DOTALL | re.ASCII)


def read(text: str) -> str:
    """Return RANDSUM's text in Evenhand's notation; Unread if it has no equivalent."""
    text = _LABEL.sub("", text).strip()
    if whole := _WHOLE.fullmatch(text):
        return f"({read(whole['body'])})*{whole['times']}"
    if repeat := _REPEAT.fullmatch(text):
        return f"{repeat['times']}#{read(repeat['dice'])}"
    if len(parts := split_outside(text, ",", "{", "}")) > 1:
        return "+".join(map(read, parts))
    text = _ZEROS.sub(lambda z: f"{z['n']}d{{{','.join(map(str, range(min(int(z['sides']), 101))))}}}", text)
    if (unique := _UNIQUE.fullmatch(text)) and int(unique[1] or 1) > (sides := int(unique[2])) > 0:
        rounds, rest = divmod(int(unique[1]), sides)  # each round shows every face once
        return f"{rounds * sides * (sides + 1) // 2}+{rest}d{sides}u"
    text = _UNIQUE.sub(r"\1d\2U", text)
    ordered = _ORDERED.fullmatch(text)
    return _in_order(ordered["dice"], ordered["steps"]) if ordered else _NOTATION.rewrite(text)


def _in_order(dice: str, typed: str) -> str:
    """Write products first, then sums, a quotient and a remainder, whatever the typed order."""
    steps: dict[str, list[str]] = {"*": [], "+": [], "//": [], "%": []}
    for sign, number in _STEP.findall(typed):
        steps["+" if sign == "-" else sign].append(f"{sign}{number}")
    if max(len(steps["//"]), len(steps["%"])) > 1 or (steps["//"] and _BELOW_ZERO.search(dice + typed)):
        raise Unread
    own_text = _NOTATION.rewrite("".join([dice, *steps["*"], *steps["+"]]))
    for step in [*steps["//"], *steps["%"]]:
        own_text = f"({own_text}){step}"
    return own_text
