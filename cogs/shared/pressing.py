"""Buttons that outlive a restart, and whose errors reach the person who pressed, as a command's do."""

import re
from typing import Any, Self, TypeAlias

import discord
from discord.ui import Button, DynamicItem, Item, View

from bot.client import Evenhand

Press: TypeAlias = discord.Interaction[Evenhand]


class PressButton(DynamicItem[Button[View]], template="never"):
    """A button whose id holds all that it needs to know."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Press, unless it comes too late; discord.py itself would only log an error."""
        press: Press = interaction
        tree = press.client.tree
        try:
            if await tree.interaction_check(press):
                await self.press(press)
        except Exception as error:  # noqa: BLE001 (the one place that turns a press's errors into words)
            await tree.report(press, error)

    async def press(self, interaction: Press) -> None:
        """What the button does."""
        raise NotImplementedError


class SureButton(PressButton, template="never"):
    """A red button that has nothing to remember, such as the answer to "are you sure?"."""

    word = ""
    label = ""

    def __init__(self) -> None:
        super().__init__(Button(label=self.label, style=discord.ButtonStyle.danger, custom_id=self.word))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], _match: re.Match[str]
    ) -> Self:
        """The button."""
        return cls()


class EventButton(PressButton, template="never"):
    """A button about one event; its id is its word, the campaign and the event's number."""

    word = ""
    label = ""
    style = discord.ButtonStyle.secondary

    def __init__(self, campaign_id: int, number: int) -> None:
        custom_id = f"{self.word}:{campaign_id}:{number}"
        super().__init__(Button(label=self.label, style=self.style, custom_id=custom_id))
        self.campaign_id = campaign_id
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["campaign"]), int(match["number"]))


def row(*buttons: PressButton) -> View:
    """The buttons, to go with a message."""
    view = View(timeout=None)
    for button in buttons:
        view.add_item(button)
    # They are found by their ids. discord.py would keep the View of each private message for 15 minutes.
    view.stop()
    return view
