"""Shared translator of other programs' notation: find the dice, read each modifier, write Evenhand's.

A program is a table of modifiers in `notations.toml`: each a pattern, a slot of Evenhand's notation and a
template, or a function in the program's file. Unknown text is refused, never guessed.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

FLAGS = re.ASCII | re.IGNORECASE

SLOTS = ("before", "reroll", "clamp", "explode", "unique", "keep", "count", "after")
"""The slots of modifiers behind dice, in the order in which they are applied.

`before` marks a modifier that changed the dice themselves and has no text.
"""
LISTED = 100
"""The most faces that are listed."""
_HOLE = re.compile(r"\\{(\w)\\}")
_CONDITION = re.compile(r"\{\?(?:top|=)?\}")
_NOTATIONS = tomllib.loads((files("bot.dice.dialects") / "notations.toml").read_text(encoding="utf-8"))


class Unread(Exception):
    """The text is invalid in the program, or has no equivalent in Evenhand's notation."""


@dataclass(slots=True)
class PoolText:
    """The dice of one term, with their translated modifiers."""

    number: str
    sides: str
    slots: dict[str, str] = field(default_factory=dict[str, str])
    """Slot to its text, in the typed order."""

    @property
    def top(self) -> int:
        """The highest face; Unread if the faces are listed."""
        return _plain(self.sides)

    @property
    def dice(self) -> int:
        """The number of dice, one by default; Unread if it is thrown."""
        return _plain(self.number or "1")

    def put(self, slot: str, text: str) -> None:
        """Fill a slot; Unread if it is filled already, or if exploded dice are counted as one."""
        if slot in self.slots:
            raise Unread
        self.slots[slot] = text
        if "count" in self.slots and self.slots.get("explode", "").startswith("!!"):
            raise Unread  # Evenhand counts each face

    def add(self, slot: str, opening: str, face: str) -> None:
        """Add a condition to the set of a slot, `rr{1,3}`; Unread if the slot has another text."""
        current = self.slots.get(slot)
        if current is None:
            self.put(slot, f"{opening}{{{face}}}")
        elif current.startswith(f"{opening}{{"):
            self.slots[slot] = f"{current[:-1]},{face}}}"
        else:
            raise Unread

    @property
    def faces(self) -> list[int]:
        """Its faces, which can be replaced; Unread over 100, or if they are listed."""
        if self.top > LISTED:
            raise Unread
        return [*range(1, self.top + 1)]

    def replace_faces(self, faces: Iterable[int]) -> None:
        """Make the dice show these faces; Unread if something else changed them before."""
        self.put("before", "")
        self.sides = f"{{{','.join(map(str, faces))}}}"

    def __str__(self) -> str:
        behind = "".join(self.slots.get(slot, "") for slot in SLOTS)
        return f"{self.number}d{self.sides}{behind.replace('!!', '!')}"


def _plain(text: str) -> int:
    if not text.isdecimal():
        raise Unread
    return int(text)


Put = Callable[[PoolText, re.Match[str]], None]


@dataclass(frozen=True, slots=True)
class Notation:
    """One program's notation of dice."""

    modifiers: Sequence[tuple[re.Pattern[str], Put]]
    sides: Mapping[str, str]
    """Sides other than numbers, in lower case, to Evenhand's."""
    typed: bool
    """Whether modifiers apply in the typed order: then other orders than Evenhand's are refused."""
    apart: Sequence[str]
    """Pairs of slots that the program applies in another order: both together are refused."""
    others: re.Pattern[str]
    """Text allowed between dice."""
    group: "Group | None"
    """Translate a group in { }, from its parts, the text and the position behind it."""

    def rewrite(self, text: str) -> str:
        """Return the text in Evenhand's notation; Unread if it has no equivalent."""
        pieces: list[str] = []
        place = 0
        while place < len(text):
            if parsed := self.dice(text, place):
                pool, place = parsed
                piece = str(pool)
            elif text[place] == "{" and self.group:
                end = closing(text, place)
                parts = [part.strip() for part in split_outside(text[place + 1 : end], ",")]
                piece, place = self.group(self, parts, text, end + 1)
            elif other := self.others.match(text, place):
                piece, place = other[0], other.end()
            else:
                raise Unread
            pieces.append(piece)
        return "".join(pieces)

    def dice(self, text: str, place: int) -> tuple[PoolText, int] | None:
        """Return the dice at a position, and the position behind them; None if there are none."""
        die = _DICE.match(text, place)
        if die is None:
            return None
        sides = die["sides"].lower()
        pool = PoolText(die["number"] or "", self.sides.get(sides, sides))
        if sides.startswith("f.") and sides not in self.sides:
            raise Unread
        place = die.end()
        while modifier := next(
            ((put, match) for pattern, put in self.modifiers if (match := pattern.match(text, place))), None
        ):
            put, match = modifier
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
    """Translate a group that keeps its best parts, or the best dice of a single part, or adds its parts."""
    inside = ",".join(notation.rewrite(part) for part in parts)
    keep = _KEEP.match(text, place)
    if keep is None:
        return f"({inside.replace(',', '+')})", place
    letters = {"k": "kh", "d": "dl"}.get(keep[1].lower(), keep[1].lower())
    return f"{{{inside}}}{letters}{keep[2] or 1}", keep.end()


_KEEP = re.compile(r"\s*(kh|kl|k|dh|dl|d)(\d*)", FLAGS)
_DICE = re.compile(
    r"(?P<number>(?<![\d.])\d{1,6}|\((?=[^()]*\)d)[^()]*\))?\s*"
    r"d(?P<sides>\d{1,7}|%|f(?:\.[12])?|\{[^{}]*\}|\([\d+\-* ]*\))",
    FLAGS,
)


def notation_of(program: str, group: Group | None = None, **puts: Put) -> Notation:
    """Return a program's notation from `notations.toml`; `puts` are the functions named in it."""
    table = _NOTATIONS[program]
    compare = table.get("compare", "")
    modifiers = [
        (re.compile(rf"\s*(?:{pattern.replace('<CMP>', compare)})", FLAGS), _make_put(rule, puts))
        for pattern, rule in table["modifiers"].items()
    ]
    sides, typed, apart = table.get("sides", {}), table.get("typed", False), table.get("apart", ())
    return Notation(modifiers, sides, typed, apart, re.compile(table["others"], FLAGS), group)


def _make_put(rule: str, puts: Mapping[str, Put]) -> Put:
    """Return the function that applies a modifier's rule to the dice."""
    slot, _, template = rule.partition(" ")
    if not template:
        return puts[slot] if slot else lambda _pool, _match: None
    opening, adds, end = template.partition("{+")
    if adds:
        return lambda pool, match: pool.add(slot, opening, compared(match, inclusive=end == "=}"))
    return lambda pool, match: pool.put(slot, _written(pool, match, slot, template))


def _written(pool: PoolText, match: re.Match[str], slot: str, template: str) -> str:
    """Return Evenhand's text of a matched modifier; missing numbers are the lowest or highest face."""
    if "?" in template:
        end = f"={pool.top if '?top' in template else 1}" if not match[2] else ""
        return _CONDITION.sub(f"{{{end or compared(match, inclusive='?=' in template)}}}", template)
    text = match.expand(template).replace("{<=}", "{<=1}")
    if "{>=}" in text:
        text = text.replace("{>=}", f"{{>={pool.top}}}")
    return f"{text}1" if slot == "keep" and text[-1].isalpha() else text


def compared(match: re.Match[str], first: int = 1, less: int = 0, *, inclusive: bool = False) -> str:
    """Return the condition in two groups of a match in Evenhand's notation, its number reduced by `less`.

    If `inclusive`, < and > include the number itself. Unread for a condition "not equal".
    """
    sign, number = match[first] or "=", int(match[first + 1]) - less if less else match[first + 1]
    if sign in {"!=", "<>"}:
        raise Unread
    return f"{sign}{'=' if inclusive and sign in {'<', '>'} else ''}{number}"


def each_against(notation: "Notation", parts: Sequence[str], target: str) -> str:
    """Return the sum of a group's parts, each part's total compared with a target."""
    return f"({'+'.join(f'(({notation.rewrite(part)}){target})' for part in parts)})"


_BEST = re.compile(r"\b(?P<which>min|max)\((?=.*,)", FLAGS | re.DOTALL)


def best_of(text: str) -> str:
    """Write min( , ) and max( , ) as groups of which one part is kept."""
    while match := _BEST.search(text):
        end = closing(text, match.end() - 1)
        keep = "kl" if match["which"].lower() == "min" else "kh"
        text = f"{text[: match.start()]}{{{text[match.end() : end]}}}{keep}1{text[end + 1 :]}"
    return text


_FUNCTION = re.compile(r"\b(floor|ceil|round)\s*\(", FLAGS)
_WHOLE = re.compile(r"(?P<body>.*)/\s*(?P<by>\d+)\s*", re.DOTALL | re.ASCII)


def functions(text: str) -> str:
    """Replace rounded divisions by whole ones: floor, ceil, and round, which rounds a half up."""
    while match := _FUNCTION.search(text):
        end = closing(text, match.end() - 1)
        inner = _WHOLE.fullmatch(text[match.end() : end])
        if inner is None or not (by := int(inner["by"])):
            raise Unread
        body = inner["body"]
        divided = {
            "floor": f"({body})//{by}",
            "ceil": f"(({body})+{by - 1})//{by}",
            "round": f"(({body})*2+{by})//{2 * by}",
        }[match[1].lower()]
        text = f"{text[: match.start()]}({divided}){text[end + 1 :]}"
    return text


def closing(text: str, opening: int) -> int:
    """Return the position of the bracket that closes the one at `opening`; Unread if there is none."""
    pairs = {"(": ")", "{": "}"}
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == text[opening]) - (text[place] == pairs[text[opening]])
        if not depth:
            return place
    raise Unread


def split_outside(text: str, separator: str, opening: str = "({", ending: str = ")}") -> list[str]:
    """Split a text at its separators outside of brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in opening) - (sign in ending)
        if sign == separator and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


class OneWord:
    """Translate whole commands of another program by templates."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        """Compile the templates; blanks in them are optional."""
        self._fixed = {text: template for text, template in templates.items() if "{" not in text}
        self._open = [(_compiled(text), template) for text, template in templates.items() if "{" in text]

    def translate(self, text: str) -> str | None:
        """Return the translation of the text, with its numbers; None if no template matches."""
        entry = self.find(text)
        return entry[0].format(**entry[1]) if entry else None

    def find(self, text: str) -> tuple[str, dict[str, Any]] | None:
        """Return the template of the translation and its numbers by name; None if no template matches."""
        text = " ".join(text.casefold().split())
        if text in self._fixed:
            return self._fixed[text], {}
        for pattern, template in self._open:
            if match := pattern.fullmatch(text):
                numbers = {name: int(number) for name, number in match.groupdict().items()}
                n, a = numbers.get("n", 0), numbers.get("a", 0)
                return template, {**numbers, "sum": n + a, "difference": n - a}
        return None


def _compiled(text: str) -> re.Pattern[str]:
    template = _HOLE.sub(r"(?P<\1>\\d{1,3})", re.escape(text)).replace(r"\ ", " ?")
    return re.compile(template, FLAGS)
