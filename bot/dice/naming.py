"""Names as terms in dice: `Sneak+2`, `1d20+str`, `Luck + 1d4`, put as notation before it is read.

A name stands where a term may begin, and nowhere else: at the start, behind + - * // ( , # ; { and "vs". The
longest known one that ends where a word ends is taken; `"Great Axe"`, `{str}` and `$str` say where one ends.
Only what does not read without names is looked at for them, so no name changes what has a meaning.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceReading, NotationError
from bot.dice.everyday import RESERVED_WORDS
from bot.dice.expressions import MAX_TEXT, bounds
from bot.dice.names import NAME_LIMIT

DEPTH = 8
"""Names may stand in names so deep."""
_FLAGS = re.ASCII | re.IGNORECASE
# What the grammar and other programs write in letters, and what stands behind a roll or begins one.
_TOKEN = (
    rf"(?:{RESERVED_WORDS}|[dfkrux]|[kd][hlm]|r[aor]|i[er]|xo|x2|mi|ma|p[hl]|c[sf]|s[ad]|[ds]f|"
    r"m[st]|tl|coin|flip|choose|shuffle|stats)"
)
_TAKEN = re.compile(
    rf"(?:.*[\s'-])?(?:{RESERVED_WORDS}|dc|ac|on)|(?:{_TOKEN}[0-9]+)++{_TOKEN}?|{_TOKEN}", _FLAGS
)
_NOTATION = re.compile(rf"d(?:[0-9%({{]|f(?![^\W_]))|{RESERVED_WORDS}\b|[kwd\u0434\u043a](?=[0-9])", _FLAGS)
_STOPS = re.compile(rf"(?<!\s)\s++(?:[0-9]|(?:{RESERVED_WORDS}|dc|ac|on)\b)", _FLAGS)
_REPEAT = re.compile(r"\s*([0-9]+)\s*#")
_BRACED = re.compile(r"\{[^{}]*[^\W\d_][^{}]*\}")
_ASKED = re.compile(r"\{([^\W\d_][\w '-]*)\}")
_NUMBER = re.compile(r"\s+([0-9]+)(?![\w])")
_BELOW = re.compile(r"\(-([0-9]+)\)")
_SINGLE = re.compile(r"[^\W\d_]\w*")
_OPENS = "+-*(,;#{\n"
_HOLDS = ("*", "/", "%", ")", "}", ",")
_STAND_IN = 918_270
"""A number that stands for a name while another program's notation is read."""
_MARK = "\x00"
"""The place of a roller."""


class NoName(NotationError):
    """Dice with names that nobody knows here, and that would be read if these were numbers."""

    def __init__(self, names: tuple[str, ...], column: int) -> None:
        said = ", ".join("`" + name.replace("`", "'") + "`" for name in names)
        super().__init__("I don't know {said}.", said=said, column=column)
        self.names = names


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What names mean for somebody in a campaign, by `folded` names; the first that knows one wins."""

    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Formulas of numbers and names of numbers, such as "dex+2"."""
    saved: Mapping[str, str] = field(default_factory=dict[str, str])
    """Dice as they were saved: somebody's own before what everybody shares."""
    rollers: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of the campaign's rollers, as they are written."""

    def has(self, name: str) -> bool:
        """Return whether a folded name means something."""
        return name in self.numbers or name in self.saved or name in self.rollers

    def number(self, name: str) -> int:
        """Return what a number is now; NotationError for a circle, and for what is no number."""
        return _Reading(Vocabulary(self.numbers)).number(folded(name), ())


class Resolved(NamedTuple):
    """Dice in notation without names."""

    text: str
    """Canonical notation; beside a roller what stands around it as it was typed, "" for nothing."""
    roller: str = ""
    """The name of the roller that is a term of it; "" for none."""
    times: int = 1
    """How often that roller is rolled."""
    comment: str = ""
    """What was typed as a comment beside a roller."""


def folded(name: str) -> str:
    """Return a name as it is looked up."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def reserved(name: str) -> bool:
    """Return whether a name is made of signs of notation, or ends in a word that changes a roll."""
    return bool(_TAKEN.fullmatch(folded(name)))


def taken(name: str, dialect: Dialect = Dialect.EVENHAND) -> bool:
    """Return whether a name is reserved, or is notation, ours or that dialect's."""
    texts = folded(name), f"1{folded(name)}"
    return reserved(name) or any(notation.reads(text) or notation.reads(text, dialect) for text in texts)


def asked(text: str) -> tuple[str, ...]:
    """Return the names of numbers that dice leave to whoever rolls, as `resolve` has them `later`."""
    names = dict.fromkeys(_ASKED.findall(text))
    return tuple(name for name in names if not reserved(name))


def as_typed(text: str) -> str:
    """Return such dice with the names of numbers as somebody types them."""
    # Before a letter the braces say where the name ends.
    return _ASKED.sub(lambda found: found[0] if _in_word(text[found.end() :][:1]) else found[1], text)


def first_name(text: str, names: Vocabulary) -> str:
    """Return the known name that a text begins with, as it is typed; "" for none."""
    found = _name_at(text, len(text) - len(text.lstrip()), names) if text.strip() else None
    return found[0] if found and names.has(folded(found[0])) else ""


def without_numbers(text: str, reads: Callable[[str], bool] = notation.reads) -> str:
    """Return such dice with 0 for each number, or 1 where that can't be read."""
    zero, one = (_ASKED.sub(number, text) for number in ("0", "1"))
    return zero if reads(zero) else one


def resolve(
    text: str, names: Vocabulary, dialect: Dialect = Dialect.EVENHAND, *, later: bool = False
) -> Resolved | None:
    """Return dice with each name as what it means; None where they are read without, or none is known.

    With `later`, numbers and unknown names stay in the text, in braces: who rolls has their own.
    Raise NoName where names are unknown and all else is right, NotationError where the text can't be read
    with its names, or not surely; then its readings can be typed.
    """
    if len(text) > MAX_TEXT or _MARK in text or notation.reads(text, dialect):
        return None
    reading = _Reading(names, dialect, later)
    dice, comment = notation.split(text)
    ours = reading.put(dice, ())
    if reading.roller:
        times, around = _around(reading.roller, ours)
        reading.must_know()
        if later:
            plain = len(reading.roller) in _ends(reading.roller, 0)
            name = reading.roller if plain else f'"{reading.roller}"'
            return Resolved(reading.shown(ours.replace(_MARK, name)), reading.roller, times, comment)
        return Resolved(reading.shown(around), reading.roller, times, comment)
    try:
        ours = reading.shown(ours if dialect is Dialect.EVENHAND else notation.in_own(dialect, ours))
        roll = notation.parse(_BRACED.sub("(1)", ours) if later else ours)
    except NotationError as error:
        if reading.known:
            raise NotationError("With its names that is `{ours}`. {error}", ours=ours, error=error) from None
        return None
    reading.must_know()
    said = f" # {comment}" if comment else ""
    return (
        Resolved(f"{ours if later and reading.unknown else roll}{said}")
        if reading.known or reading.unknown
        else None
    )


@dataclass(slots=True)
class _Reading:
    """A text on its way to notation; each saved roll and number in it is worked out once."""

    names: Vocabulary
    dialect: Dialect = Dialect.EVENHAND
    later: bool = False
    roller: str = ""
    known: bool = False
    unknown: dict[str, int] = field(default_factory=dict[str, int])
    """The names that nobody knows, with their places."""
    terms: dict[str, str] = field(default_factory=dict[str, str])
    hidden: list[str] = field(default_factory=list[str])
    """What stands where another program's notation has a number in its place."""

    def put(self, text: str, within: tuple[str, ...]) -> str:
        """Return dice with each name in them as a term."""
        out: list[str] = []
        place, begins = 0, True
        while place < len(text):
            sign, end = text[place], place + 1
            if begins and (found := _name_at(text, place, self.names)):
                at, (name, place) = place, found
                if sign.isalpha():
                    _must_be_sure(text, name, place, self.names)
                before, behind = "".join(out).rstrip(" "), text[place:].lstrip(" ")[:1]
                alone = not within and not before.rpartition(";")[2] and behind in {"", ";", "\n"}
                term = self._term(name, at, within, alone=alone)
                if (
                    before[-1:] in {"+", "-"}
                    and behind not in {"*", "/", "%"}
                    and (below := _BELOW.fullmatch(term))
                ):
                    out, term = [before[:-1], "-" if before[-1] == "+" else "+"], below[1]
                out.append(term)
                begins = False
                continue
            if sign == "[" or (sign == "{" and not begins):
                end = text.find("]" if sign == "[" else "}", place) + 1 or len(text)
                begins = False
            elif sign.isalpha():
                end = place + len(_word(text, place))
                begins = text[place:end].casefold() == "vs"
            elif not sign.isspace() or sign == "\n":
                begins = sign in _OPENS or text[place - 1 : end] == "//"
            out.append(text[place:end])
            place = end
        return "".join(out)

    def must_know(self) -> None:
        """Raise NoName where names are unknown and none is left for later."""
        if self.unknown and not self.later:
            raise NoName(tuple(self.unknown), min(self.unknown.values()) + 1)

    def shown(self, text: str) -> str:
        """Return a text with what was hidden in it."""
        for place, term in enumerate(self.hidden):
            text = text.replace(str(_STAND_IN + place), term)
        return text

    def number(self, key: str, within: tuple[str, ...]) -> int:
        """Return what a number is now; NotationError for a circle, and for what is no number."""
        _must_end(key, within)
        if key not in self.terms:
            formula = self.put(self.names.numbers[key], (*within, key))
            low, high = bounds(notation.read_own(f"0*1d1+({formula})").body)
            if low != high or self.unknown:
                raise NotationError("'{key}' is no number.", key=key)
            self.terms[key] = str(low)
        return int(self.terms[key])

    def _term(self, name: str, place: int, within: tuple[str, ...], *, alone: bool) -> str:
        """Return what stands for a name; unknown ones count as 1."""
        key = folded(name)
        if self.later and key not in self.names.saved and key not in self.names.rollers:
            self.unknown.setdefault(name, place)
            return f"{{{name}}}"
        if key in self.names.numbers:
            self.known = True
            number = self.number(key, within)
            return str(number) if number >= 0 else f"({number})"
        if key in self.names.saved:
            self.known = True
            term = self._saved(key, within)
            if not alone and not notation.reads(f"({term})"):
                raise NotationError("'{key}' is `{term}`, which is rolled alone.", key=key, term=term)
            return self._hide(term if alone else f"({term})")
        if key not in self.names.rollers:
            self.unknown.setdefault(name, place)
            return "(1)"
        if self.roller or within:
            raise NotationError("A roll takes one roller, once. Roll a saved roll with a roller alone.")
        self.known, self.roller = True, self.names.rollers[key]
        return _MARK

    def _saved(self, key: str, within: tuple[str, ...]) -> str:
        """Return what a saved roll stands for, in canonical notation."""
        _must_end(key, within)
        if key not in self.terms:
            text = self.names.saved[key]
            if not notation.reads(text):
                text = self.put(notation.without_comment(text), (*within, key))
            if not notation.reads(text):
                raise NotationError(
                    "'{key}' is `{saved}`, which is rolled alone.", key=key, saved=self.names.saved[key]
                )
            self.terms[key] = str(notation.read_own(text))
        return self.terms[key]

    def _hide(self, term: str) -> str:
        if self.dialect is Dialect.EVENHAND:
            return term
        self.hidden.append(term)
        return str(_STAND_IN + len(self.hidden) - 1)


def _must_end(key: str, within: tuple[str, ...]) -> None:
    """Raise a NotationError for a name that stands in itself, or too deep in others."""
    if key in within:
        circle = " → ".join((*within[within.index(key) :], key))
        raise NotationError("These names need each other: {circle}.", circle=circle)
    if len(within) >= DEPTH:
        raise NotationError("Names can use each other at most {depth} deep.", depth=DEPTH)


def _must_be_sure(text: str, name: str, end: int, names: Vocabulary) -> None:
    """Raise a NotationError, with what can be typed, where a name may be read in two ways."""
    place = end - len(name)
    pieces = [folded(piece) for piece in name.split("-")]
    if len(pieces) > 1 and all(map(names.has, pieces)):
        said = f'{text[:place]}"{name}"{text[end:]}', f"{text[:place]}{name.replace('-', ' - ')}{text[end:]}"
        readings = DiceReading(said[0], "the one name"), DiceReading(said[1], "less the other")
        raise NotationError("'{name}' is a name here, and so are its parts.", name=name, readings=readings)
    if names.has(folded(name)) and (number := _NUMBER.match(text, end)):
        head, n, tail = text[:end], number[1], text[number.end() :].rstrip()
        readings = [DiceReading(f"{head}+{n}{tail}", "added")]
        if not (text[:place].strip() or tail):
            readings += [
                DiceReading(f"{n}#{name}", "separate rolls"),
                DiceReading(f"{head} dc {n}", "a check"),
            ]
        raise NotationError(
            "Behind '{name}' I can't tell what {n} is.", name=name, n=n, readings=tuple(readings)
        )


def _name_at(text: str, place: int, names: Vocabulary) -> tuple[str, int] | None:
    """Return the name that begins there, and where it ends; None where notation does, or nothing."""
    sign = text[place]
    if sign in '"{':
        end = text.find('"' if sign == '"' else "}", place + 1)
        name = text[place + 1 : end].strip()
        if end < 0 or not name or not (sign == '"' or names.has(folded(name)) or _SINGLE.fullmatch(name)):
            return None
        return None if sign == "{" and _NOTATION.match(name) else (name, end + 1)
    start = place + (sign == "$")
    if not text[start : start + 1].isalpha():
        return None
    ends = [*_ends(text, start)]
    end = next((end for end in reversed(ends) if names.has(folded(text[start:end]))), None)
    if end is None:
        if not ends or _NOTATION.match(text, start):
            return None
        stop = _STOPS.search(text, start, ends[-1])
        end = max(each for each in ends if each <= (stop.start() if stop else ends[-1]))
    return text[start:end], end


def _ends(text: str, start: int) -> Iterator[int]:
    """Yield the places where a name that starts there may end: behind each of its words."""
    for place in range(start, min(len(text), start + 2 * NAME_LIMIT)):
        sign, after = text[place], text[place + 1 : place + 2]
        if sign == "-":
            if not (_is_letter(text[place - 1]) and _is_letter(after)):
                return
        elif not (_in_word(sign) or sign in " '"):
            return
        if _in_word(sign) and sign != "_" and not _in_word(after):
            yield place + 1


def _word(text: str, place: int) -> str:
    return "".join(takewhile(str.isalpha, text[place:]))


def _is_letter(sign: str) -> bool:
    """Return whether it is a letter, or a mark on one."""
    return sign.isalpha() or unicodedata.category(sign or " ")[0] == "M"


def _in_word(sign: str) -> bool:
    return sign == "_" or sign.isalnum() or _is_letter(sign)


def _around(roller: str, text: str) -> tuple[int, str]:
    """Return how often a roller is rolled, and what is around it; NotationError where it is no summand."""
    before, behind = text.split(_MARK)
    repeat = _REPEAT.match(before)
    before, behind = before[repeat.end() if repeat else 0 :].strip(), behind.strip()
    deep = before.count("(") - before.count(")") + before.count("{") - before.count("}")
    if deep or ";" in before + behind or not before.endswith(("", "+")[bool(before)]) or behind[:1] in _HOLDS:
        raise NotationError("To {roller} you can add, as in {roller} + 1d4, and nothing else.", roller=roller)
    around = f"{before.removesuffix('+')} {behind}" if before else behind.removeprefix("+")
    return int(repeat[1]) if repeat else 1, around.strip()
