"""A message as a value: a tone, blocks and buttons by name. Its plain text says the same in the same order.

Texts are Discord's Markdown, escaped already. Whoever shows a card adds no words; `fitted` and `plain` keep
the limits of a message.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Literal, TypeAlias

from bot.words.saying import phrase, say
from bot.words.text import CUT, MESSAGE_LIMIT, lines_within

CARD_LIMIT = 4_000
"""Discord's limit of characters in all texts of a card."""
_DETAILED, _GROUPED = 20, 60
"""How many rows have a line each, and how many show their dice."""
ROWS_PRESSED = 10
"""How many rows of a list have a button."""
_TOGETHER = {
    True: phrase("**Pass ({n})**: {rolls}"),
    False: phrase("**Fail ({n})**: {rolls}"),
    None: "{rolls}",
}
"""How rows stand together that came to the same."""


class Tone(StrEnum):
    """What a card's edge says; one without a tone has no edge and no ground of its own."""

    NONE = ""
    GOOD = "good"
    BAD = "bad"
    QUIET = "quiet"
    SECRET = "secret"  # noqa: S105 (no password)


@dataclass(frozen=True, slots=True)
class CardButton:
    """A button by its name, with the values that a press hands on; its kind knows the usual label."""

    name: str
    values: tuple[object, ...] = ()
    label: str = ""
    emoji: str = ""
    style: Literal["", "primary", "secondary", "success", "danger"] = ""
    on: bool = True
    apart: str = ""
    """The label where the button does not stand beside what it is for, as in plain text."""


@dataclass(frozen=True, slots=True)
class Head:
    """One large line that carries the result: "22" or a title, its dice, and what stands beside them."""

    text: str
    dice: str = ""
    aside: str = ""

    @property
    def beside(self) -> str:
        """Return what stands beside the text."""
        return " · ".join(filter(None, (self.dice, self.aside)))

    def __str__(self) -> str:
        return _with(_made(f"**{self.text}**", self.dice), self.aside)


def _made(total: str, dice: str) -> str:
    """Return a total with its dice: drawn ones speak for themselves."""
    return f"{total} {dice}" if drawn(dice) else f"{total} ← {dice}" if dice else total


def _with(text: str, more: str) -> str:
    return f"{text} · {more}" if more else text


def drawn(dice: str) -> bool:
    """Return whether there are pictures of dice; else they are figures."""
    return "<:" in dice


@dataclass(frozen=True, slots=True)
class Text:
    """A text of usual size."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Small:
    """A small line, or several."""

    text: str

    def __str__(self) -> str:
        return "-# " + self.text.replace("\n", "\n-# ")


@dataclass(frozen=True, slots=True)
class Divider:
    """A thin line between two blocks."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that goes with the message, by the name of its file; `alt` tells those who can't see it."""

    file: str
    alt: str

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class CardRow:
    """Somebody or something in a list: who, a total, its dice and what is added, and what came of it."""

    who: str
    total: str = ""
    dice: str = ""
    verdict: str = ""
    passed: bool | None = None

    def line(self, *, dice: bool = True, verdict: bool = True) -> str:
        """Return the row as one line."""
        total = f"**{self.total}**" if self.total else ""
        said = _made(" ".join(filter(None, (self.who, total))), self.dice if dice else "")
        return _with(said, self.verdict if verdict else "")


@dataclass(frozen=True, slots=True)
class CardRows:
    """Rows below each other, in their order."""

    rows: tuple[CardRow, ...]

    def __str__(self) -> str:
        return "\n".join(row.line() for row in self.rows)

    def within(self, room: int) -> str:
        """Return the rows in at most `room` characters: the more there are, the less of each.

        First each has a line with its dice and what came of it, then without that, then all who pass and all
        who fail stand together, then they are totals alone; what is still too long ends with a number.
        """
        rows, judged = self.rows, any(row.passed is not None for row in self.rows)
        if len(rows) == 1 and len(whole := rows[0].line()) > room:
            return whole[: room - len(CUT)] + CUT
        if not judged and not any(row.total for row in rows):
            return lines_within([row.line() for row in rows], room - 30)
        ways: list[Callable[[], str]] = []
        if not judged or len(rows) <= _DETAILED:
            ways += [self.__str__, lambda: "\n".join(row.line(verdict=False) for row in rows)]
        if judged:
            ways += [lambda: self._together(dice=True)] if len(rows) <= _GROUPED else []
            ways.append(lambda: self._together(dice=False))
        short = [row.line(dice=False, verdict=False) for row in rows]
        ways += [lambda: "\n".join(short), lambda: " · ".join(short)]
        fitting = (text for way in ways if len(text := way()) <= room)
        return next(fitting, "") or lines_within(short, room - 30)

    def _together(self, *, dice: bool) -> str:
        found: list[str] = []
        for passed, group in groupby(sorted(self.rows, key=_rank), key=lambda row: row.passed):
            rolls = [row.line(dice=dice, verdict=False) for row in group]
            found.append(say(_TOGETHER[passed], n=len(rolls), rolls=", ".join(rolls)))
        return "\n".join(found)


def _rank(row: CardRow) -> int:
    return (True, None, False).index(row.passed)


Wording: TypeAlias = Head | Text | Small | CardRows


@dataclass(frozen=True, slots=True)
class Beside:
    """One to three texts with a button at their right."""

    blocks: tuple[Wording, ...]
    button: CardButton

    def __str__(self) -> str:
        return "\n".join(map(str, self.blocks))


Block: TypeAlias = Wording | Divider | Picture | Beside


@dataclass(frozen=True, slots=True)
class Card:
    """A message: its tone, its blocks from top to bottom, and the buttons below them."""

    blocks: tuple[Block, ...]
    buttons: tuple[CardButton, ...] = ()
    tone: Tone = Tone.NONE
    columns: int = 5
    """How many buttons stand in a row."""

    def below(self, rows: int) -> tuple[CardButton, ...]:
        """Return all buttons for so many rows below a text; of those beside blocks the last ones give way."""
        beside = [block.button for block in self.blocks if isinstance(block, Beside)]
        apart = [replace(one, label=one.apart or one.label) for one in beside]
        return (*apart[: rows * self.columns - len(self.buttons)], *self.buttons)


def in_rows(rows: Sequence[tuple[CardRow, CardButton | None]]) -> tuple[Block, ...]:
    """Return rows, of which the first ones have their buttons at the right."""
    blocks: list[Block] = []
    for place, (row, button) in enumerate(rows):
        if button and place < ROWS_PRESSED:
            blocks.append(Beside((CardRows((row,)),), button))
        elif blocks and isinstance(last := blocks[-1], CardRows):
            blocks[-1] = CardRows((*last.rows, row))
        else:
            blocks.append(CardRows((row,)))
    return (*blocks,)


def text_card(text: str, *buttons: CardButton, tone: Tone = Tone.NONE) -> Card:
    """Return a card of a text; its last lines stand small where they are marked so ("-# ")."""
    lines = text.split("\n")
    small = len(lines)
    while small and lines[small - 1].startswith("-# "):
        small -= 1
    blocks: list[Block] = [Text("\n".join(lines[:small]))] if any(lines[:small]) else []
    if lines[small:]:
        blocks.append(Small("\n".join(line[3:] for line in lines[small:])))
    return Card((*blocks,), buttons, tone)


def plain(card: Card) -> str:
    """Return the card as the text of a message, in at most 2,000 characters."""
    return "\n".join(filter(None, map(str, fitted(card.blocks, MESSAGE_LIMIT))))


def fitted(blocks: Sequence[Block], limit: int = CARD_LIMIT) -> Sequence[Block]:
    """Return the blocks in at most `limit` characters: rows give way first, then the longest text."""
    over = sum(len(str(block)) + 1 for block in blocks) - limit
    found = [*blocks]
    while over > 0:
        place = max(range(len(found)), key=lambda at: (isinstance(found[at], CardRows), len(str(found[at]))))
        whole = found[place]
        found[place] = shorter = _shorter(whole, over)
        over -= len(str(whole)) - len(str(shorter))
    return found


def _shorter(block: Block, by: int) -> Block:
    """Return a block with so many characters fewer, as far as it has them."""
    match block:
        case Beside():
            place = max(range(len(block.blocks)), key=lambda at: len(str(block.blocks[at])))
            shorter = (_cut(one, by) if at == place else one for at, one in enumerate(block.blocks))
            return Beside((*shorter,), block.button)
        case Divider() | Picture():
            return block
        case _:
            return _cut(block, by)


def _cut(block: Wording, by: int) -> Wording:
    if isinstance(block, CardRows):
        return Text(block.within(len(str(block)) - by))
    if isinstance(block, Head) and (block.dice or block.aside):
        return Head(block.text, aside=CUT if len(block.dice) + len(block.aside) > 1 else "")
    return replace(block, text=block.text[: -by - 1] + CUT)
