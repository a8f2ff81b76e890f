"""A card as Discord's components, in the limits of a message: 40 components and 4,000 characters.

They are written at once. discord.py's own objects for them cost more than the roll.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias

from discord import ComponentType
from discord.ui import Item

from bot.words.cards import (
    Beside,
    Block,
    Card,
    CardButton,
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
from cogs.kit.interactions import button

Component: TypeAlias = dict[str, Any]
_ROW, _SECTION, _TEXT, _GALLERY, _FILE, _SEPARATOR, _CONTAINER = (
    kind.value
    for kind in (
        ComponentType.action_row,
        ComponentType.section,
        ComponentType.text_display,
        ComponentType.media_gallery,
        ComponentType.file,
        ComponentType.separator,
        ComponentType.container,
    )
)
_COLOURS = {Tone.GOOD: 0x86CDB2, Tone.BAD: 0xF0A092, Tone.SECRET: 0xE3B661}
_IDS = {Head: 1_000, CardRows: 2_000, Small: 3_000}
"""The numeric ids of texts begin here: they tell the table's page what a text is."""
_PARTS, _TEXTS, _ALT = 40, 3, 1_024


class Components:
    """Components that are written already, as what discord.py takes for a view.

    It need not keep them: buttons are found by their ids.
    """

    __discord_ui_view__ = True
    timeout = None

    def __init__(self, parts: list[Component], *, layout: bool = False) -> None:
        self.parts = parts
        self._layout = layout

    def to_components(self) -> list[Component]:
        """Return what Discord is told."""
        return self.parts

    def has_components_v2(self) -> bool:
        """Return whether the parts are the whole message."""
        return self._layout

    def is_finished(self) -> bool:
        """Return that nobody waits for a press of this very message."""
        return True

    def is_dispatchable(self) -> bool:
        """Return that discord.py has nothing to hand on."""
        return False


def lay_out(card: Card, *lists: Item[Any], file: str | None = None) -> Components:
    """Return a card as components, and the one file that goes with it; a `list` has a row of its own."""
    below = rows(card.buttons, card.columns, lists)
    room = _PARTS - 1 - len(card.blocks) - bool(file) - sum(1 + len(one["components"]) for one in below)
    drawing = _Drawn(room, file)
    pictured = any(isinstance(block, Picture) and block.file == file for block in card.blocks)
    parts = [drawing.part(*pair) for pair in zip(card.blocks, fitted(card.blocks), strict=True)]
    shown = [part for part in parts if part]
    if file and not pictured:
        shown.append({"type": _FILE, "file": {"url": f"attachment://{file}"}})
    if card.tone is not Tone.NONE:
        colour = {"accent_color": _COLOURS[card.tone]} if card.tone in _COLOURS else {}
        shown = [{"type": _CONTAINER, **colour, "components": shown}]
    return Components([*shown, *below], layout=True)


def rows(buttons: Iterable[CardButton], columns: int, lists: Sequence[Item[Any]]) -> list[Component]:
    """Return rows of so many buttons, and one for each list."""
    presses = [*map(button, buttons)]
    filled = [presses[at : at + columns] for at in range(0, len(presses), columns)]
    filled += [[one.to_component_dict()] for one in lists]
    return [{"type": _ROW, "components": each} for each in filled]


class _Drawn:
    """Draws the blocks of one message; `room` is for so many components beyond one for each block."""

    def __init__(self, room: int, file: str | None) -> None:
        self._room = room
        self._file = file
        self._ids = {kind: count(first) for kind, first in _IDS.items()}

    def part(self, original: Block, block: Block) -> Component | None:
        """Return a block as a component; None where there is nothing to see. It may be `original` cut."""
        match block:
            case Divider():
                return {"type": _SEPARATOR}
            case Picture():
                return self._picture(block)
            case Beside():
                return self._section(block)
            case _:
                return self._text(block, type(original)) if str(block) else None

    def _text(self, block: Block, kind: type[Block]) -> Component:
        number = {"id": next(self._ids[kind])} if kind in self._ids else {}
        said = str(block)
        if isinstance(block, Head):
            # Figures in the place of pictures, or what is asked, would be lines of large type.
            small = block.beside and not drawn(block.dice)
            said = (
                f"# **{block.text}**\n{'' if block.dice else '-# '}{block.beside}" if small else f"# {said}"
            )
        return {"type": _TEXT, **number, "content": said}

    def _section(self, block: Beside) -> Component:
        self._room -= 1 + len(block.blocks[:_TEXTS])
        if self._room < 0:
            return self._text(Text(str(block)), Text)
        rest = "\n".join(map(str, block.blocks[_TEXTS:]))
        texts = [self._text(one, type(one)) for one in block.blocks[:_TEXTS]]
        texts[-1]["content"] += f"\n{rest}" if rest else ""
        return {"type": _SECTION, "components": texts, "accessory": button(block.button)}

    def _picture(self, block: Picture) -> Component | None:
        if self._file != block.file:
            return None
        item = {"media": {"url": f"attachment://{block.file}"}}
        return {"type": _GALLERY, "items": [item | ({"description": block.alt[:_ALT]} if block.alt else {})]}
