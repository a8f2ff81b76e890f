"""What the readers of other programs' notation share: find the dice, read each modifier, write ours.

A reader is a table of modifiers in `notations.toml`: each is a pattern, and what it puts into which place of
our notation. What a text does not say is a function of the program's file. What a reader does not know it
refuses: nothing is guessed at.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

FLAGS = re.ASCII | re.IGNORECASE

SLOTS = ("before", "reroll", "clamp", "explode", "unique", "keep", "count", "after")
"""The places behind dice, in the order in which our engine takes them.

`before` is for what has changed the dice themselves and writes nothing behind them.
"""
_HOLE = re.compile(r"\\{(\w)\\}")
_CONDITION = re.compile(r"\{\?(?:top)?\}")
_NOTATIONS = tomllib.loads((files("bot.dice.dialects") / "notations.toml").read_text(encoding="utf-8"))


class Unread(Exception):
    """The program does not define the text, or our engine can't say it."""


@dataclass(slots=True)
class PoolText:
    """The dice of one term, with what their modifiers were read as."""

    number: str
    sides: str
    slots: dict[str, str] = field(default_factory=dict[str, str])
    """What fills each place, in the order in which they were typed."""

    @property
    def top(self) -> int:
        """The highest face; Unread where the faces are listed."""
        if not self.sides.isdecimal():
            raise Unread
        return int(self.sides)

    def put(self, slot: str, text: str) -> None:
        """Fill a place; Unread where it is filled already, or where exploded dice are counted as one."""
        if slot in self.slots:
            raise Unread
        self.slots[slot] = text
        if "count" in self.slots and self.slots.get("explode", "").startswith("!!"):
            raise Unread  # our engine counts each face

    def add(self, slot: str, opening: str, face: str) -> None:
        """Add one more condition to the set of a place, `rr{1,3}`; Unread where another thing is there."""
        held = self.slots.get(slot)
        if held is None:
            self.put(slot, f"{opening}{{{face}}}")
        elif held.startswith(f"{opening}{{"):
            self.slots[slot] = f"{held[:-1]},{face}}}"
        else:
            raise Unread

    def __str__(self) -> str:
        behind = "".join(self.slots.get(slot, "") for slot in SLOTS)
        return f"{self.number}d{self.sides}{behind.replace('!!', '!')}"


Put = Callable[[PoolText, re.Match[str]], None]


@dataclass(frozen=True, slots=True)
class Notation:
    """One program's notation of dice."""

    modifiers: Sequence[tuple[re.Pattern[str], Put]]
    sides: Mapping[str, str]
    """Other sides than numbers, in lower case, and ours for them."""
    typed: bool
    """Whether modifiers take effect as typed: then other orders than ours are not read."""
    apart: Sequence[str]
    """Pairs of places that it takes in another order than our engine: filled together they are not read."""
    others: re.Pattern[str]
    """What may stand beside dice."""
    group: "Group | None"
    """What a group in { } is, from its parts, the text and the place behind it."""

    def rewrite(self, text: str) -> str:
        """Return the text in our notation; Unread where it can't be said."""
        out: list[str] = []
        place = 0
        while place < len(text):
            if found := self.dice(text, place):
                pool, place = found
                piece = str(pool)
            elif text[place] == "{" and self.group:
                end = closing(text, place)
                piece, place = self.group(self, split_parts(text[place + 1 : end]), text, end + 1)
            elif other := self.others.match(text, place):
                piece, place = other[0], other.end()
            else:
                raise Unread
            out.append(piece)
        return "".join(out)

    def dice(self, text: str, place: int) -> tuple[PoolText, int] | None:
        """Return the dice that begin at the place, and the place behind them; None where none do."""
        found = _DICE.match(text, place)
        if found is None:
            return None
        sides = found["sides"].lower()
        pool = PoolText(found["number"] or "", self.sides.get(sides, sides))
        if sides.startswith("f.") and sides not in self.sides:
            raise Unread
        place = found.end()
        while typed := next(
            ((put, match) for pattern, put in self.modifiers if (match := pattern.match(text, place))), None
        ):
            put, match = typed
            put(pool, match)
            place = match.end()
        if "explode" in pool.slots and "keep" in pool.slots:
            # Exploded dice are dice of their own where some are kept; `!!` is one die in every program.
            sign = pool.slots["explode"]
            pool.slots["explode"] = sign if sign.startswith("!!") else f"!s{sign[1:]}"
        if any(pool.slots.keys() >= {*pair.split()} for pair in self.apart):
            raise Unread
        if self.typed and [*pool.slots] != sorted(pool.slots, key=SLOTS.index):
            raise Unread
        return pool, place


Group = Callable[[Notation, Sequence[str], str, int], tuple[str, int]]


def best(notation: Notation, parts: Sequence[str], text: str, place: int) -> tuple[str, int]:
    """Read a group that keeps its best parts, or the best dice of a single one, or adds its parts."""
    inside = ",".join(notation.rewrite(part) for part in parts)
    keep = _KEEP.match(text, place)
    if keep is None:
        return f"({inside.replace(',', '+')})", place
    which = {"k": "kh", "d": "dl"}.get(keep[1].lower(), keep[1].lower())
    return f"{{{inside}}}{which}{keep[2] or 1}", keep.end()


_KEEP = re.compile(r"\s*(kh|kl|k|dh|dl|d)(\d*)", FLAGS)
_DICE = re.compile(
    r"(?P<number>(?<![\d.])\d{1,6}|\((?=[^()]*\)d)[^()]*\))?\s*"
    r"d(?P<sides>\d{1,7}|%|f(?:\.[12])?|\{[^{}]*\}|\([\d+\-* ]*\))",
    FLAGS,
)


def notation_of(program: str, group: Group | None = None, **puts: Put) -> Notation:
    """Return a program's notation, as `notations.toml` has it with functions that it names."""
    told = _NOTATIONS[program]
    compare = told.get("compare", "")
    modifiers = [
        (re.compile(rf"\s*(?:{pattern.replace('<CMP>', compare)})", FLAGS), _put(ours, puts))
        for pattern, ours in told["modifiers"].items()
    ]
    sides, typed, apart = told.get("sides", {}), told.get("typed", False), told.get("apart", ())
    return Notation(modifiers, sides, typed, apart, re.compile(told["others"], FLAGS), group)


def _put(ours: str, puts: Mapping[str, Put]) -> Put:
    """Return what a modifier does with the dice."""
    slot, _, template = ours.partition(" ")
    if not template:
        return puts[slot] if slot else lambda _pool, _match: None
    opening, adds, end = template.partition("{+")
    if adds:
        return lambda pool, match: pool.add(slot, opening, compared(match, inclusive=end == "=}"))
    return lambda pool, match: pool.put(slot, _written(pool, match, slot, template))


def _written(pool: PoolText, match: re.Match[str], slot: str, template: str) -> str:
    """Return our text for a modifier that was read; the ends stand for numbers that it leaves out."""
    if "?" in template:
        end = f"={pool.top if '?top' in template else 1}" if not match[2] else ""
        return _CONDITION.sub(f"{{{end or compared(match)}}}", template)
    text = match.expand(template).replace("{<=}", "{<=1}")
    if "{>=}" in text:
        text = text.replace("{>=}", f"{{>={pool.top}}}")
    return f"{text}1" if slot == "keep" and text[-1].isalpha() else text


def compared(match: re.Match[str], first: int = 1, less: int = 0, *, inclusive: bool = False) -> str:
    """Return the condition in two groups of a match as we write it, with a number that is less by some.

    `inclusive` says that < and > take in the number itself. Unread where it is all but one face.
    """
    sign, number = match[first] or "=", int(match[first + 1]) - less if less else match[first + 1]
    if sign in {"!=", "<>"}:
        raise Unread
    return f"{sign}{'=' if inclusive and sign in {'<', '>'} else ''}{number}"


def each_against(notation: "Notation", parts: Sequence[str], target: str) -> str:
    """Return the parts of a group, of which each total is held against a target."""
    return f"({'+'.join(f'(({notation.rewrite(part)}){target})' for part in parts)})"


_BEST = re.compile(r"\b(?P<which>min|max)\((?=.*,)", FLAGS | re.DOTALL)


def best_of(text: str) -> str:
    """Write min( , ) and max( , ) as groups of which one part is kept."""
    while found := _BEST.search(text):
        end = closing(text, found.end() - 1)
        keep = "kl" if found["which"].lower() == "min" else "kh"
        text = f"{text[: found.start()]}{{{text[found.end() : end]}}}{keep}1{text[end + 1 :]}"
    return text


_FUNCTION = re.compile(r"\b(floor|ceil|round)\s*\(", FLAGS)
_WHOLE = re.compile(r"(?P<body>.*)/\s*(?P<by>\d+)\s*", re.DOTALL | re.ASCII)


def functions(text: str) -> str:
    """Replace rounded divisions by whole ones: floor, ceil, and round, which rounds a half up."""
    while found := _FUNCTION.search(text):
        end = closing(text, found.end() - 1)
        inner = _WHOLE.fullmatch(text[found.end() : end])
        if inner is None:
            raise Unread
        body, by = inner["body"], int(inner["by"])
        if not by:
            raise Unread
        divided = {
            "floor": f"({body})//{by}",
            "ceil": f"(({body})+{by - 1})//{by}",
            "round": f"(({body})*2+{by})//{2 * by}",
        }[found[1].lower()]
        text = f"{text[: found.start()]}({divided}){text[end + 1 :]}"
    return text


def closing(text: str, opening: int) -> int:
    """Return the place of the bracket that closes the one at `opening`; Unread where there is none."""
    pairs = {"(": ")", "{": "}"}
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == text[opening]) - (text[place] == pairs[text[opening]])
        if not depth:
            return place
    raise Unread


def split_parts(text: str) -> list[str]:
    """Split a group's inside at its commas that stand in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "({") - (sign in ")}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


class OneWord:
    """Words of another program, each with what it is here."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        """Compile the templates; a blank in one may be left out."""
        self._fixed = {text: ours for text, ours in templates.items() if "{" not in text}
        self._open = [(_compiled(text), ours) for text, ours in templates.items() if "{" in text]

    def said(self, text: str) -> str | None:
        """Return what the text becomes, with its numbers; None where no template fits."""
        found = self.found(text)
        return found[0].format(**found[1]) if found else None

    def found(self, text: str) -> tuple[str, dict[str, Any]] | None:
        """Return what the text becomes and its numbers by their places; None where no template fits."""
        text = " ".join(text.casefold().split())
        if text in self._fixed:
            return self._fixed[text], {}
        for pattern, ours in self._open:
            if found := pattern.fullmatch(text):
                given = {name: int(number) for name, number in found.groupdict().items()}
                n, a = given.get("n", 0), given.get("a", 0)
                return ours, {**given, "sum": n + a, "difference": n - a}
        return None


def _compiled(text: str) -> re.Pattern[str]:
    template = _HOLE.sub(r"(?P<\1>\\d{1,3})", re.escape(text)).replace(r"\ ", " ?")
    return re.compile(template, FLAGS)
