"""Messages as values: a card has a tone, blocks and buttons. Its plain text has the same content and order.

Texts are escaped Discord Markdown. Renderers add no words; `fitted` and `plain` keep a message's limits.
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
_LISTED, _GROUPED = 20, 60
"""Most judged rows with a line each, and most that show their dice."""
ROWS_PRESSED = 10
"""Most rows of a list with a button."""
_GROUP_TEXTS = {
    True: phrase("**Pass ({n})**: {rolls}"),
    False: phrase("**Fail ({n})**: {rolls}"),
    None: "{rolls}",
}
"""Texts of rows that are grouped by their result."""


class Tone(StrEnum):
    """The meaning of a card's coloured edge; a card without a tone has no edge."""

    NONE = ""
    GOOD = "good"
    BAD = "bad"
    QUIET = "quiet"
    SECRET = "secret"  # noqa: S105 (no password)


@dataclass(frozen=True, slots=True)
class CardButton:
    """A button by name, with the values that a press passes on; the kind defines the default label."""

    name: str
    values: tuple[object, ...] = ()
    label: str = ""
    emoji: str = ""
    style: Literal["", "primary", "secondary", "success", "danger"] = ""
    on: bool = True
    apart: str = ""
    """The label of the button when it is not beside its row, as in plain text."""


@dataclass(frozen=True, slots=True)
class Head:
    """The large first line: the result, such as "22", or a title; its dice; and a remark beside them."""

    text: str
    dice: str = ""
    aside: str = ""

    @property
    def beside(self) -> str:
        """Return the dice and the remark."""
        return " · ".join(filter(None, (self.dice, self.aside)))

    def __str__(self) -> str:
        return _append(_with_dice(f"**{self.text}**", self.dice), self.aside)

    @property
    def heading(self) -> str:
        """Return it as a heading; dice as digits and the question stand below, or would be in large type."""
        if self.beside and not drawn(self.dice):
            return f"# **{self.text}**\n{'' if self.dice else '-# '}{self.beside}"
        return f"# {self}"


def _with_dice(total: str, dice: str) -> str:
    """Return a total with its dice, with an arrow between unless these are pictures."""
    return f"{total} {dice}" if drawn(dice) else f"{total} ← {dice}" if dice else total


def _append(text: str, more: str) -> str:
    return f"{text} · {more}" if more else text


def drawn(dice: str) -> bool:
    """Return True if the dice are pictures, not figures."""
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
    """A picture attached to the message, by file name; `alt` is its alternative text."""

    file: str
    alt: str

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of a list: a name, a total, the dice and addends, and the outcome."""

    name: str
    total: str = ""
    dice: str = ""
    verdict: str = ""
    passed: bool | None = None

    def line(self, *, dice: bool = True, verdict: bool = True) -> str:
        """Return the row as one line."""
        total = f"**{self.total}**" if self.total else ""
        text = _with_dice(" ".join(filter(None, (self.name, total))), self.dice if dice else "")
        return _append(text, self.verdict if verdict else "")


@dataclass(frozen=True, slots=True)
class CardRows:
    """Rows below each other."""

    rows: tuple[CardRow, ...]

    def __str__(self) -> str:
        return "\n".join(row.line() for row in self.rows)

    def within(self, room: int) -> str:
        """Return the rows in at most `room` characters, the first of these forms that fits.

        A line each with dice and outcome; a line each without the outcome; grouped into passes and fails;
        totals alone; the first totals and the number of the others.
        """
        rows, judged = self.rows, any(row.passed is not None for row in self.rows)
        if len(rows) == 1 and len(line := rows[0].line()) > room:
            return line[: room - len(CUT)] + CUT
        if not judged and not any(row.total for row in rows):
            return lines_within([row.line() for row in rows], room - 30)
        forms: list[Callable[[], str]] = []
        if not judged or len(rows) <= _LISTED:
            forms += [self.__str__, lambda: "\n".join(row.line(verdict=False) for row in rows)]
        if judged:
            forms += [lambda: self._group_rows(dice=True)] if len(rows) <= _GROUPED else []
            forms.append(lambda: self._group_rows(dice=False))
        short = [row.line(dice=False, verdict=False) for row in rows]
        forms += [lambda: "\n".join(short), lambda: " · ".join(short)]
        fitting = (text for form in forms if len(text := form()) <= room)
        return next(fitting, "") or lines_within(short, room - 30)

    def _group_rows(self, *, dice: bool) -> str:
        lines: list[str] = []
        ranked = sorted(self.rows, key=lambda row: (True, None, False).index(row.passed))
        for passed, group in groupby(ranked, key=lambda row: row.passed):
            rolls = [row.line(dice=dice, verdict=False) for row in group]
            lines.append(say(_GROUP_TEXTS[passed], n=len(rolls), rolls=", ".join(rolls)))
        return "\n".join(lines)


Wording: TypeAlias = Head | Text | Small | CardRows


@dataclass(frozen=True, slots=True)
class Beside:
    """One to three texts with a button on their right."""

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
    """Buttons per row."""

    def below(self, rows: int) -> tuple[CardButton, ...]:
        """Return the buttons for `rows` rows below a text; drop the last ones beside blocks if too many."""
        beside = [block.button for block in self.blocks if isinstance(block, Beside)]
        apart = [replace(button, label=button.apart or button.label) for button in beside]
        return (*apart[: rows * self.columns - len(self.buttons)], *self.buttons)


def in_rows(rows: Sequence[tuple[CardRow, CardButton | None]]) -> tuple[Block, ...]:
    """Return the rows as blocks; the first ones have their buttons on the right."""
    blocks: list[Block] = []
    for index, (row, button) in enumerate(rows):
        if button and index < ROWS_PRESSED:
            blocks.append(Beside((CardRows((row,)),), button))
        elif blocks and isinstance(last := blocks[-1], CardRows):
            blocks[-1] = CardRows((*last.rows, row))
        else:
            blocks.append(CardRows((row,)))
    return (*blocks,)


def text_card(text: str, *buttons: CardButton, tone: Tone = Tone.NONE) -> Card:
    """Return a card of a text; its last lines are small if they are marked with "-# "."""
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
    """Return the blocks in at most `limit` characters: shorten rows first, then the longest text."""
    fitting = [*blocks]
    while (excess := sum(_length(block) + 1 for block in fitting) - limit) > 0:
        index, block = max(enumerate(fitting), key=lambda at: (isinstance(at[1], CardRows), _length(at[1])))
        fitting[index] = _shorten(block, excess)
    return fitting


def _length(block: Block) -> int:
    """Return the characters of a block in a card, where headings are longer than in a plain text."""
    if isinstance(block, Beside):
        return sum(_length(inner) + 1 for inner in block.blocks) - 1
    return len(block.heading if isinstance(block, Head) else str(block))


def _shorten(block: Block, by: int) -> Block:
    """Return a block shortened by `by` characters, or as many as it has."""
    match block:
        case Beside():
            longest = max(range(len(block.blocks)), key=lambda i: len(str(block.blocks[i])))
            shorter = (_cut(text, by) if i == longest else text for i, text in enumerate(block.blocks))
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
