"""Roll details: a message's menu that tells all that is known of its roll."""

import re
from collections.abc import Iterator

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render.details import NO_ROLL, details
from bot.services.rolling import Rolling
from cogs.shared.asking import asked, person

_BUTTON = re.compile(r"(?:again|look|reveal):(\d+):(\d+)")


class DetailsCog(commands.Cog, name="Details"):
    """A message's menu."""

    def __init__(self, rolling: Rolling) -> None:
        self._rolling = rolling
        self._menu = app_commands.ContextMenu(name="Roll details", callback=self.tell)

    def menu(self) -> app_commands.ContextMenu:
        """What stands in the menu of every message."""
        return self._menu

    async def tell(self, interaction: discord.Interaction[Evenhand], message: discord.Message) -> None:
        """Tell the details of a message's roll, to who asks alone."""
        found = next(_rolls(message), None)
        if found is None or message.author != interaction.client.user:
            await interaction.response.send_message(NO_ROLL, ephemeral=True)
            return
        text = details(await self._rolling.details(asked(interaction), person(interaction), *found))
        await interaction.response.send_message(text, ephemeral=True)


def _rolls(message: discord.Message) -> Iterator[tuple[int, int]]:
    """Campaign and number of the rolls that a message's buttons are about."""
    for row in message.components:
        for button in row.children if isinstance(row, discord.ActionRow) else ():
            if found := _BUTTON.fullmatch(button.custom_id or ""):
                yield int(found[1]), int(found[2])


async def setup(bot: Evenhand) -> None:
    """Add the cog, and its menu."""
    cog = DetailsCog(bot.house.rolling)
    await bot.add_cog(cog)
    bot.tree.add_command(cog.menu())
