"""Buttons that work after a restart: the custom id holds all that a press needs to know.

Each feature has one table of its kinds of buttons: a word, a label, what a press does, and the values that
stand in the id behind the word.
"""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVarTuple

import discord
from discord.ui import Button, View

from bot.client import Evenhand
from cogs.kit.context import Interaction

_Values = TypeVarTuple("_Values")
KeptButton: TypeAlias = Button[View]


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a custom id: the pattern of its text, and the function that reads it."""

    pattern: str
    read: Callable[[str], Any]


NUMBER = Field(r"\d+", int)
NAME = Field(r".{0,64}", str)
EVENT = (NUMBER, NUMBER)
"""A campaign, and the number of an event in it."""


@dataclass(frozen=True)
class CustomId:
    """The form of a custom id: a word without a colon and the values behind it, with colons between."""

    word: str
    fields: tuple[Field, ...]

    @cached_property
    def _template(self) -> re.Pattern[str]:
        return re.compile(":".join([re.escape(self.word), *(f"({field.pattern})" for field in self.fields)]))

    def write(self, *values: object) -> str:
        """Return the id with these values."""
        return ":".join([self.word, *map(str, values)])

    def read(self, custom_id: str | None) -> list[Any] | None:
        """Return the values of an id; None for one of another form."""
        match = self._template.fullmatch(custom_id or "")
        return match and [field.read(text) for field, text in zip(self.fields, match.groups(), strict=True)]


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
        self.custom_id = CustomId(word, fields)
        self._label = label
        self._press: Callable[..., Awaitable[None]] = press
        self._style = style

    def __call__(self, *values: *_Values, emoji: str | None = None) -> KeptButton:
        """Return the button with these values in its id, and a picture before its label if one is given."""
        label = self._label if isinstance(self._label, str) else self._label(*values)
        custom_id = self.custom_id.write(*values)
        return Button(label=label, style=self._style, custom_id=custom_id, emoji=emoji)

    async def receive(self, interaction: Interaction, custom_id: str) -> None:
        """Do what the button of that id does; nothing where the id has another form."""
        values = self.custom_id.read(custom_id)
        if values is not None:
            await self._press(interaction, *values)


def buttons_on(message: discord.Message, *forms: CustomId) -> Iterator[tuple[discord.Button, list[Any]]]:
    """Yield a message's buttons of these forms, with the values in their ids."""
    for row_of in message.components:
        for button in row_of.children if isinstance(row_of, discord.ActionRow) else ():
            for values in (form.read(button.custom_id) for form in forms):
                if values is not None and isinstance(button, discord.Button):
                    yield button, values


def add_buttons(bot: Evenhand, *kinds: KindOfButton[*tuple[Any, ...]]) -> None:
    """Have the bot hand the presses of these buttons on."""
    for kind in kinds:
        bot.handlers[discord.InteractionType.component, kind.custom_id.word] = kind.receive


def row(*buttons: KeptButton) -> View:
    """Return the buttons as the view that goes with a message."""
    view = View(timeout=None)
    for button in buttons:
        view.add_item(button)
    # They are found by their ids. discord.py would keep the View of each private message for 15 minutes.
    view.stop()
    return view
