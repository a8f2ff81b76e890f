"""A card as Discord's components, in the limits of a message: 40 components and 4,000 characters."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import discord
from discord.ui import (
    ActionRow,
    Container,
    File,
    Item,
    LayoutView,
    MediaGallery,
    Section,
    Separator,
    TextDisplay,
)

from bot.words.cards import (
    Beside,
    Block,
    Card,
    CardRows,
    Divider,
    Head,
    Picture,
    Small,
    Text,
    Tone,
    drawn,
    fitted,
)
from cogs.kit.interactions import KeptButton, button

_COLOURS = {Tone.GOOD: 0x86CDB2, Tone.BAD: 0xF0A092, Tone.SECRET: 0xE3B661}
_IDS = {Head: 1_000, CardRows: 2_000, Small: 3_000}
"""The numeric ids of texts begin here: they tell the table's page what a text is."""
_PARTS, _TEXTS, _ALT = 40, 3, 1_024


def layout(card: Card, *lists: Item[Any], file: str | None = None) -> LayoutView:
    """Return a card as components, and the one file that goes with it; a `list` has a row of its own."""
    rows = _rows([button(one) for one in card.buttons], card.columns, lists)
    room = _PARTS - 1 - len(card.blocks) - bool(file) - sum(1 + len(one.children) for one in rows)
    drawing = _Drawn(room, file)
    parts = [drawing.part(*pair) for pair in zip(card.blocks, fitted(card.blocks), strict=True)]
    shown = [part for part in parts if part]
    if file and not drawing.has_file:
        shown.append(File(f"attachment://{file}"))
    if card.tone is not Tone.NONE:
        shown = [Container(*shown, accent_colour=_COLOURS.get(card.tone))]
    view = LayoutView(timeout=None)
    for part in (*shown, *rows):
        view.add_item(part)
    # Buttons are found by their ids. discord.py would keep the view of a private message for 15 minutes.
    view.stop()
    return view


def _rows(buttons: Sequence[KeptButton], columns: int, lists: Sequence[Item[Any]]) -> list[ActionRow[Any]]:
    filled = [buttons[at : at + columns] for at in range(0, len(buttons), columns)]
    return [ActionRow(*each) for each in (*filled, *([one] for one in lists))]


class _Drawn:
    """Draws the blocks of one message; `room` is for so many components beyond one for each block."""

    def __init__(self, room: int, file: str | None) -> None:
        self._room = room
        self._file = file
        self.has_file = False
        """Whether a picture shows the file."""
        self._ids = {kind: count(first) for kind, first in _IDS.items()}

    def part(self, original: Block, block: Block) -> Item[Any] | None:
        """Return a block as a component; None where there is nothing to see. It may be `original` cut."""
        match block:
            case Divider():
                return Separator()
            case Picture():
                return self._picture(block)
            case Beside():
                return self._section(block)
            case _:
                return self._text(block, type(original)) if str(block) else None

    def _text(self, block: Block, kind: type[Block]) -> TextDisplay[Any]:
        number = next(self._ids[kind]) if kind in self._ids else None
        said = str(block)
        if isinstance(block, Head):
            # Figures in the place of pictures, or what is asked, would be lines of large type.
            small = block.beside and not drawn(block.dice)
            said = (
                f"# **{block.text}**\n{'' if block.dice else '-# '}{block.beside}" if small else f"# {said}"
            )
        return TextDisplay(said, id=number)

    def _section(self, block: Beside) -> Item[Any]:
        self._room -= 1 + len(block.blocks[:_TEXTS])
        if self._room < 0:
            return self._text(Text(str(block)), Text)
        rest = "\n".join(map(str, block.blocks[_TEXTS:]))
        texts = [self._text(one, type(one)) for one in block.blocks[:_TEXTS]]
        texts[-1].content += f"\n{rest}" if rest else ""
        return Section(*texts, accessory=button(block.button))

    def _picture(self, block: Picture) -> Item[Any] | None:
        if self._file != block.file:
            return None
        self.has_file = True
        item = discord.MediaGalleryItem(f"attachment://{block.file}", description=block.alt[:_ALT] or None)
        return MediaGallery(item)
