"""Buttons that outlive a restart, and whose errors reach the person who pressed, as a command's do."""

from typing import Any, TypeAlias

import discord
from discord.ui import Button, DynamicItem, View

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


def row(*buttons: PressButton) -> View:
    """The buttons, to go with a message."""
    view = View(timeout=None)
    for button in buttons:
        view.add_item(button)
    # They are found by their ids. discord.py would keep the View of each private message for 15 minutes.
    view.stop()
    return view
