"""Lay a card out as Discord's components, within a message's limits: 40 components, 4,000 characters.

Components are built as plain dicts: discord.py's own objects for them cost more than the roll.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias

from discord import ComponentType as Kind
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
    fitted,
)
from cogs.kit.interactions import button

Component: TypeAlias = dict[str, Any]
_COLOURS = {Tone.GOOD: 0x86CDB2, Tone.BAD: 0xF0A092, Tone.SECRET: 0xE3B661}
_IDS = {Head: 1_000, CardRows: 2_000, Small: 3_000}
"""The numeric ids of texts begin here: they tell the table's page what a text is."""
_PARTS, _TEXTS, _ALT = 40, 3, 1_024


class Components:
    """Ready components in the shape of a discord.py view.

    discord.py need not keep them: buttons are handled by their ids.
    """

    __discord_ui_view__ = True
    timeout = None

    def __init__(self, parts: list[Component], *, layout: bool = False) -> None:
        self.parts = parts
        self._layout = layout

    def to_components(self) -> list[Component]:
        """Return the components as Discord takes them."""
        return self.parts

    def has_components_v2(self) -> bool:
        """Return whether the parts are the whole message."""
        return self._layout

    def is_finished(self) -> bool:
        """Return that nobody waits for a press of this very message."""
        return True

    def is_dispatchable(self) -> bool:
        """Return False: discord.py dispatches nothing to it."""
        return False


def lay_out(card: Card, *lists: Item[Any], file: str | None = None) -> Components:
    """Return a card and its one file as components; each of the `lists` has a row of its own."""
    below = rows(card.buttons, card.columns, lists)
    room = _PARTS - 1 - len(card.blocks) - bool(file) - sum(1 + len(row["components"]) for row in below)
    converter = _Converter(room, file)
    pictured = any(isinstance(block, Picture) and block.file == file for block in card.blocks)
    parts = [converter.part(*pair) for pair in zip(card.blocks, fitted(card.blocks), strict=True)]
    components = [part for part in parts if part]
    if file and not pictured:
        components.append({"type": Kind.file.value, "file": {"url": f"attachment://{file}"}})
    if card.tone is not Tone.NONE:
        colour = {"accent_color": _COLOURS[card.tone]} if card.tone in _COLOURS else {}
        components = [{"type": Kind.container.value, **colour, "components": components}]
    return Components([*components, *below], layout=True)


def rows(buttons: Iterable[CardButton], columns: int, lists: Sequence[Item[Any]]) -> list[Component]:
    """Return rows of at most `columns` buttons, then one row for each list."""
    drawn_buttons = [*map(button, buttons)]
    contents = [drawn_buttons[at : at + columns] for at in range(0, len(drawn_buttons), columns)]
    contents += [[select.to_component_dict()] for select in lists]
    return [{"type": Kind.action_row.value, "components": content} for content in contents]


class _Converter:
    """Converts the blocks of one message; `room` is the number of components beyond one for each block."""

    def __init__(self, room: int, file: str | None) -> None:
        self._room = room
        self._file = file
        self._ids = {kind: count(first) for kind, first in _IDS.items()}

    def part(self, original: Block, block: Block) -> Component | None:
        """Return a block as a component, or None if it is empty. `block` is `original`, perhaps cut."""
        match block:
            case Divider():
                return {"type": Kind.separator.value}
            case Picture():
                return self._picture(block)
            case Beside():
                return self._section(block)
            case _:
                text = self._text(block, type(original))
                return text if text["content"] else None

    def _text(self, block: Block, kind: type[Block]) -> Component:
        number = {"id": next(self._ids[kind])} if kind in self._ids else {}
        text = block.heading if isinstance(block, Head) else str(block)
        return {"type": Kind.text_display.value, **number, "content": text}

    def _section(self, block: Beside) -> Component:
        self._room -= 1 + len(block.blocks[:_TEXTS])
        if self._room < 0:
            return self._text(Text(str(block)), Text)
        rest = "\n".join(map(str, block.blocks[_TEXTS:]))
        texts = [self._text(inner, type(inner)) for inner in block.blocks[:_TEXTS]]
        texts[-1]["content"] += f"\n{rest}" if rest else ""
        return {"type": Kind.section.value, "components": texts, "accessory": button(block.button)}

    def _picture(self, block: Picture) -> Component | None:
        if self._file != block.file:
            return None
        item: Component = {"media": {"url": f"attachment://{block.file}"}}
        item |= {"description": block.alt[:_ALT]} if block.alt else {}
        return {"type": Kind.media_gallery.value, "items": [item]}
