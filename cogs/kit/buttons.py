"""Buttons that work after a restart: the custom id holds all that a press needs to know.

Each feature has one table of its kinds of buttons: a word, a label, what a press does, and the values that
stand in the id behind the word. A press that comes too late or fails is answered as a command is.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVarTuple

import discord
from discord.ui import Button, DynamicItem, Item, View

from bot.answers import report
from bot.client import Evenhand
from cogs.kit.context import Interaction

_Values = TypeVarTuple("_Values")


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a custom id: the pattern of its text, and the function that reads it."""

    pattern: str
    read: Callable[[str], Any]


NUMBER = Field(r"\d+", int)
NAME = Field(r".{0,64}", str)
EVENT = (NUMBER, NUMBER)
"""A campaign, and the number of an event in it."""


@dataclass(frozen=True, slots=True)
class CustomId:
    """The form of a custom id: a word and the values behind it, with colons between."""

    word: str
    fields: tuple[Field, ...]

    @property
    def template(self) -> re.Pattern[str]:
        """Return the pattern of the whole id."""
        return re.compile(":".join([re.escape(self.word), *(f"({field.pattern})" for field in self.fields)]))

    def write(self, *values: object) -> str:
        """Return the id with these values."""
        return ":".join([self.word, *map(str, values)])

    def read(self, match: re.Match[str]) -> list[Any]:
        """Return the values of an id that matches the template."""
        return [field.read(text) for field, text in zip(self.fields, match.groups(), strict=True)]


class KindOfButton(Generic[*_Values]):
    """A row of a feature's table of buttons; calling it with the values makes a button.

    `label` is a text, or a function of the values.
    """

    def __init__(
        self,
        word: str,
        label: str | Callable[[*_Values], str],
        press: Callable[[Interaction, *_Values], Awaitable[None]],
        *fields: Field,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        custom_id = CustomId(word, fields)
        on_press: Callable[..., Awaitable[None]] = press

        class Kept(KeptButton, template=custom_id.template):
            form = custom_id
            action = staticmethod(on_press)

        self.custom_id = custom_id
        self.item: type[KeptButton] = Kept
        self._label = label
        self._style = style

    def __call__(self, *values: *_Values, emoji: str | None = None) -> "KeptButton":
        """Return the button with these values in its id, and a picture before its label if one is given."""
        label = self._label if isinstance(self._label, str) else self._label(*values)
        custom_id = self.custom_id.write(*values)
        button = Button[View](label=label, style=self._style, custom_id=custom_id, emoji=emoji)
        return self.item(button, values)


class KeptButton(DynamicItem[Button[View]], template="never"):
    """A button that discord.py makes anew from its custom id when it is pressed."""

    form: ClassVar[CustomId]
    action: ClassVar[Callable[..., Awaitable[None]]]

    def __init__(self, button: Button[View], values: tuple[object, ...]) -> None:
        super().__init__(button)
        self._values = values

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, item: Item[View], match: re.Match[str]
    ) -> Self:
        """Return the button that was pressed."""
        if not isinstance(item, Button):
            raise TypeError(f"{match.string} is no button")
        return cls(item, tuple(cls.form.read(match)))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the button does."""
        await attend(interaction, type(self).action, *self._values)


async def attend(interaction: Interaction, action: Callable[..., Awaitable[None]], *values: object) -> None:
    """Do what a press, a choice or a form asks for, unless it comes too late; say in words what goes wrong.

    discord.py would only log the error.
    """
    try:
        if await interaction.client.tree.interaction_check(interaction):
            await action(interaction, *values)
    except Exception as error:  # noqa: BLE001 (the one place that turns these errors into words)
        await report(interaction, error)


def add_buttons(bot: Evenhand, *kinds: KindOfButton[*tuple[Any, ...]]) -> None:
    """Have discord.py hand the presses of these buttons on."""
    bot.add_dynamic_items(*(kind.item for kind in kinds))


def row(*buttons: KeptButton | Button[View]) -> View:
    """Return the buttons as the view that goes with a message."""
    view = View(timeout=None)
    for button in buttons:
        view.add_item(button)
    # They are found by their ids. discord.py would keep the View of each private message for 15 minutes.
    view.stop()
    return view
