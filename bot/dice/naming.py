"""Resolve names used as terms in dice (`Sneak+2`, `1d20+str`, `Luck + 1d4`) into notation.

A name can only stand where a term may begin: at the start, behind + - * // ( , # ; { < > = and "vs". The
longest known name that ends at a word's end wins; `"Great Axe"`, `{str}` and `$str` mark the end of a name.
Only text that can't be read without names is searched for them, so no name changes the meaning of notation.
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
from bot.dice.everyday import RESERVED_WORDS, aimed_at_names
from bot.dice.expressions import MAX_TEXT, bounds
from bot.dice.names import NAME_LIMIT

DEPTH = 8
"""The maximum nesting of names in names."""
_FLAGS = re.ASCII | re.IGNORECASE
# What the grammar and other programs write in letters, and what stands behind a roll or begins one.
_TOKEN = (
    rf"(?:{RESERVED_WORDS}|[dfkrux]|[kd][hlm]|r[aor]|i[er]|xo|x2|mi|ma|p[hl]|c[sf]|s[ad]|[ds]f|"
    r"m[st]|tl|coin|flip|choose|shuffle|stats)"
)
_TAKEN = re.compile(
    rf"(?:.*[\s'-])?(?:{RESERVED_WORDS}|dc|ac|on)|(?:{_TOKEN}[0-9]+)++{_TOKEN}?|(?!kl\Z){_TOKEN}", _FLAGS
)
_NOTATION = re.compile(rf"d(?:[0-9%({{]|f(?![^\W_]))|{RESERVED_WORDS}\b|[kwd\u0434\u043a](?=[0-9])", _FLAGS)
_STOPS = re.compile(rf"(?<!\s)\s++(?:[0-9]|(?:{RESERVED_WORDS}|dc|ac|on)\b)", _FLAGS)
_REPEAT = re.compile(r"\s*([0-9]+)\s*#")
_BRACED = re.compile(r"\{[^{}]*[^\W\d_][^{}]*\}")
_ASKED = re.compile(r"\{([^\W\d_][\w '-]*)\}")
_NUMBER = re.compile(r"\s+([0-9]+)(?![\w])")
_TIMES = re.compile(r"\s*(?:x|times)(?!\w)", re.IGNORECASE)
_ADDS = re.compile(r"\Z|\s*[-+]\s*\w|\s+[^\W\d]")
_BELOW = re.compile(r"\(-([0-9]+)\)")
_SINGLE = re.compile(r"[^\W\d_]\w*")
_OPENS = "+-*(,;#{\n<>="
_HOLDS = ("*", "/", "%", ")", "}", ",")
_STAND_IN = 918_270
"""A number that replaces a name while another program's notation is read."""
_MARK = "\x00"
"""The placeholder of a roller."""


class UnknownName(NotationError):
    """Dice with unknown names that could be read if these were numbers."""

    def __init__(self, names: tuple[str, ...], column: int) -> None:
        listed = ", ".join("`" + name.replace("`", "'") + "`" for name in names)
        super().__init__("I don't know {said}.", said=listed, column=column)
        self.names = names


class UnknownNumber(UnknownName):
    """Names that a game's roll adds, and that have no value yet."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that a user can use in a campaign, by `folded` name; earlier fields take precedence."""

    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Formulas of numbers and names of numbers, such as "dex+2"."""
    saved: Mapping[str, str] = field(default_factory=dict[str, str])
    """Saved dice: the user's own before shared ones."""
    rollers: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of the campaign's rollers, in their original spelling."""

    def has(self, name: str) -> bool:
        """Return whether a folded name is known."""
        return name in self.numbers or name in self.saved or name in self.rollers

    def number(self, name: str) -> int:
        """Return the current value of a number; NotationError for a circle, and if it is not constant."""
        return _Reading(Vocabulary(self.numbers)).number(folded(name), ())


class Resolved(NamedTuple):
    """Dice with their names replaced."""

    text: str
    """Canonical notation; with a roller the typed text of the other terms, "" for none."""
    roller: str = ""
    """The name of the roller that is one of the terms; "" for none."""
    times: int = 1
    """The number of rolls of that roller."""
    comment: str = ""
    """The comment typed behind a roller."""


def folded(name: str) -> str:
    """Return the lookup key of a name."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def is_reserved(name: str) -> bool:
    """Return whether a name consists of tokens of notation, or ends in a word that changes a roll."""
    return bool(_TAKEN.fullmatch(folded(name)))


def is_taken(name: str, dialect: Dialect = Dialect.EVENHAND) -> bool:
    """Return whether a name is reserved, or is notation of Evenhand or of the dialect."""
    texts = folded(name), f"1{folded(name)}"
    return is_reserved(name) or any(_is_dice(text, dialect) for text in texts)


def _is_dice(text: str, dialect: Dialect) -> bool:
    """Return whether a text is dice, be they over a limit or with several meanings."""
    try:
        notation.read_own(text)
    except notation.UnknownNotation:
        return notation.reads(text, dialect)
    except NotationError:
        pass
    return True


def number_names(text: str) -> tuple[str, ...]:
    """Return the names in braces that `resolve` with `later` left for the roller's own numbers."""
    names = dict.fromkeys(_ASKED.findall(text))
    return tuple(name for name in names if not is_reserved(name))


def as_typed(text: str) -> str:
    """Return such dice with the names of numbers as a user types them."""
    # Before a letter the braces say where the name ends.
    return _ASKED.sub(lambda match: match[0] if _in_word(text[match.end() :][:1]) else match[1], text)


def first_name(text: str, names: Vocabulary) -> str:
    """Return the known name at the beginning of a text, as typed; "" for none."""
    first = _name_at(text, len(text) - len(text.lstrip()), names) if text.strip() else None
    return first[0] if first and names.has(folded(first[0])) else ""


def without_numbers(text: str, reads: Callable[[str], bool] = notation.reads) -> str:
    """Return such dice with 0 for each named number, or with 1 if 0 can't be read."""
    with_zeros, with_ones = (_ASKED.sub(number, text) for number in ("0", "1"))
    return with_zeros if reads(with_zeros) else with_ones


def resolve(
    text: str, names: Vocabulary, dialect: Dialect = Dialect.EVENHAND, *, later: bool = False
) -> Resolved | None:
    """Return dice with their names replaced; None if they can be read without names, or no name is known.

    With `later`, numbers and unknown names stay in the text, in braces: each roller has their own values.
    Raise UnknownName if only names are unknown, and NotationError if the text can't be read with its names
    or is ambiguous; its readings then say what to type instead.
    """
    if len(text) > MAX_TEXT or _MARK in text or notation.reads(text, dialect):
        return None
    reading = _Reading(names, dialect, later)
    dice, comment = notation.split(text)
    own_text = reading.replace_names(aimed_at_names(dice), ())
    if reading.roller:
        times, summands = _split_at_roller(reading.roller, own_text)
        reading.check_known()
        if later:
            is_whole = len(reading.roller) in _ends(reading.roller, 0)
            name = reading.roller if is_whole else f'"{reading.roller}"'
            summands = own_text.replace(_MARK, name)
        return Resolved(reading.restore_hidden(summands), reading.roller, times, comment)
    try:
        if dialect is not Dialect.EVENHAND:
            own_text = notation.to_own_notation(dialect, own_text)
        own_text = reading.restore_hidden(own_text)
        roll = notation.parse(_BRACED.sub("(1)", own_text) if later else own_text)
    except NotationError as error:
        if reading.terms and not reading.unknown:
            raise NotationError(
                "With its names that is `{ours}`. {error}", ours=own_text.strip(), error=error
            ) from None
        return None
    reading.check_known()
    if not (reading.terms or reading.unknown):
        return None
    suffix = f" # {comment}" if comment else ""
    return Resolved(f"{own_text if later and reading.unknown else roll}{suffix}")


@dataclass(slots=True)
class _Reading:
    """The state of one resolution; each saved roll and number is resolved once."""

    names: Vocabulary
    dialect: Dialect = Dialect.EVENHAND
    later: bool = False
    roller: str = ""
    unknown: dict[str, int] = field(default_factory=dict[str, int])
    """Unknown names and their positions."""
    terms: dict[str, str] = field(default_factory=dict[str, str])
    """The known numbers and saved dice of the text, and those that they are made of."""
    hidden: list[str] = field(default_factory=list[str])
    """The terms replaced by numbers while another program's notation is read."""

    def replace_names(self, text: str, parents: tuple[str, ...]) -> str:
        """Return dice with each name replaced by its term; `parents` are the names that contain the text."""
        pieces: list[str] = []
        place, may_begin = 0, True
        while place < len(text):
            sign, end = text[place], place + 1
            if may_begin and (located := _name_at(text, place, self.names)):
                at, (name, place) = place, located
                if sign.isalpha():
                    _check_unambiguous(text, name, place, self.names)
                previous, following = "".join(pieces).rstrip(" "), text[place:].lstrip(" ")[:1]
                is_alone = not parents and not previous.rpartition(";")[2] and following in {"", ";", "\n"}
                term = self._resolve_term(name, at, parents, is_alone=is_alone)
                is_summand = previous[-1:] in {"+", "-"} and following not in {"*", "/", "%"}
                if is_summand and (negative := _BELOW.fullmatch(term)):
                    pieces, term = [previous[:-1], "-" if previous[-1] == "+" else "+"], negative[1]
                pieces.append(term)
                may_begin = False
                continue
            if sign == "[" or (sign == "{" and not may_begin):
                end = text.find("]" if sign == "[" else "}", place) + 1 or len(text)
                may_begin = False
            elif sign.isalpha():
                end = place + len(_word(text, place))
                may_begin = text[place:end].casefold() == "vs"
            elif not sign.isspace() or sign == "\n":
                may_begin = sign in _OPENS or text[place - 1 : end] == "//"
            pieces.append(text[place:end])
            place = end
        return "".join(pieces)

    def check_known(self) -> None:
        """Raise UnknownName if there are unknown names, unless they are resolved later."""
        if self.unknown and not self.later:
            raise UnknownName(tuple(self.unknown), min(self.unknown.values()) + 1)

    def restore_hidden(self, text: str) -> str:
        """Return the text with its hidden terms put back."""
        for place, term in enumerate(self.hidden):
            text = text.replace(str(_STAND_IN + place), term)
        return text

    def number(self, key: str, parents: tuple[str, ...]) -> int:
        """Return the current value of a number; NotationError for a circle, and if it is not constant."""
        _check_nesting(key, parents)
        if key not in self.terms:
            unknown = len(self.unknown)
            formula = self.replace_names(self.names.numbers[key], (*parents, key))
            low, high = bounds(notation.read_own(f"0*1d1+({formula})").body)
            if low != high or len(self.unknown) > unknown:
                raise NotationError("'{key}' is no number.", key=key)
            self.terms[key] = str(low)
        return int(self.terms[key])

    def _resolve_term(self, name: str, place: int, parents: tuple[str, ...], *, is_alone: bool) -> str:
        """Return the term that replaces a name: 1 for an unknown one."""
        key = folded(name)
        if self.later and key not in self.names.saved and key not in self.names.rollers:
            self.unknown.setdefault(name, place)
            return f"{{{name}}}"
        if key in self.names.numbers:
            number = self.number(key, parents)
            return str(number) if number >= 0 else f"({number})"
        if key in self.names.saved:
            term = self._resolve_saved(key, parents)
            if not is_alone and not notation.reads(f"({term})"):
                raise NotationError("'{key}' is `{term}`, which is rolled alone.", key=key, term=term)
            return self._hide(term if is_alone else f"({term})")
        if key not in self.names.rollers:
            self.unknown.setdefault(name, place)
            return "(1)"
        if self.roller or parents:
            raise NotationError("A roll takes one roller, once. Roll a saved roll with a roller alone.")
        self.roller = self.names.rollers[key]
        return _MARK

    def _resolve_saved(self, key: str, parents: tuple[str, ...]) -> str:
        """Return a saved roll in canonical notation."""
        _check_nesting(key, parents)
        if key not in self.terms:
            text = self.names.saved[key]
            if not notation.reads(text):
                text = self.replace_names(notation.without_comment(text), (*parents, key))
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


def _check_nesting(key: str, parents: tuple[str, ...]) -> None:
    """Raise NotationError if a name contains itself, or is nested too deeply."""
    if key in parents:
        circle = " → ".join((*parents[parents.index(key) :], key))
        raise NotationError("These names need each other: {circle}.", circle=circle)
    if len(parents) >= DEPTH:
        raise NotationError("Names can use each other at most {depth} deep.", depth=DEPTH)


def _check_unambiguous(text: str, name: str, end: int, names: Vocabulary) -> None:
    """Raise NotationError, with its readings, if a name can be read in two ways."""
    place = end - len(name)
    pieces = [folded(piece) for piece in name.split("-")]
    if len(pieces) > 1 and all(map(names.has, pieces)):
        texts = f'{text[:place]}"{name}"{text[end:]}', f"{text[:place]}{name.replace('-', ' - ')}{text[end:]}"
        readings = DiceReading(texts[0], "the one name"), DiceReading(texts[1], "less the other")
        raise NotationError("'{name}' is a name here, and so are its parts.", name=name, readings=readings)
    if names.has(folded(name)) and (number := _NUMBER.match(text, end)):
        head, n, tail = text[:end], number[1], text[number.end() :].rstrip()
        times = _TIMES.match(tail)
        readings = [DiceReading(f"{head}+{n}{tail}", "added")] if _ADDS.match(tail) and not times else []
        if times:
            readings.append(DiceReading(f"{n}#{head}{tail[times.end() :]}", "separate rolls"))
        elif not (text[:place].strip() or tail):
            readings += [
                DiceReading(f"{n}#{name}", "separate rolls"),
                DiceReading(f"{head} dc {n}", "a check"),
            ]
        raise NotationError(
            "Behind '{name}' I can't tell what {n} is.", name=name, n=n, readings=tuple(readings)
        )


def _name_at(text: str, place: int, names: Vocabulary) -> tuple[str, int] | None:
    """Return the name at a position and its end; None if notation begins there, or no name."""
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
        end = max(position for position in ends if position <= (stop.start() if stop else ends[-1]))
    return text[start:end], end


def _ends(text: str, start: int) -> Iterator[int]:
    """Yield the possible ends of a name that starts at a position: behind each of its words."""
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
    """Return whether a character is a letter or a combining mark."""
    return sign.isalpha() or unicodedata.category(sign or " ")[0] == "M"


def _in_word(sign: str) -> bool:
    return sign == "_" or sign.isalnum() or _is_letter(sign)


def _split_at_roller(roller: str, text: str) -> tuple[int, str]:
    """Return the number of rolls and the other terms beside a roller; NotationError if it is no summand."""
    head, tail = text.split(_MARK)
    repeat = _REPEAT.match(head)
    head, tail = head[repeat.end() if repeat else 0 :].strip(), tail.strip()
    deep = head.count("(") - head.count(")") + head.count("{") - head.count("}")
    if deep or ";" in head + tail or not head.endswith(("", "+")[bool(head)]) or tail[:1] in _HOLDS:
        raise NotationError("To {roller} you can add, as in {roller} + 1d4, and nothing else.", roller=roller)
    summands = f"{head.removesuffix('+')} {tail}" if head else tail.removeprefix("+")
    return int(repeat[1]) if repeat else 1, summands.strip()
