"""The button that deletes all that is stored of a server."""

import re
from typing import Self

import discord
from discord.ui import Button, Item, View

from bot.render import privacy as render
from cogs.shared.asking import asked, person
from cogs.shared.pressing import Press, PressButton


class DeleteAll(PressButton, template=r"delete:home"):
    """Deletes the data of the place in which it is pressed."""

    def __init__(self) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(Button(label="Delete it all", style=style, custom_id="delete:home"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], _match: re.Match[str]
    ) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Press) -> None:
        """Delete, for those who may still do it."""
        await interaction.response.defer()
        await interaction.client.house.privacy.delete_home(asked(interaction), person(interaction))
        await interaction.edit_original_response(content=render.DELETED, view=None)
