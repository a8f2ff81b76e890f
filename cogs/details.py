"""Roll details: a message's menu that tells all that is known of its roll."""

import re
from collections.abc import Iterator

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render.details import NO_ROLL, details
from bot.services.groups import Groups
from bot.services.rolling import Rolling
from cogs.shared.asking import asked, person

_BUTTON = re.compile(r"(?:again|look|reveal):(\d+):(\d+)")
_CALL = re.compile(r"call-lead:(\d+):(\d+)")
"""A call's message always has this one."""


class DetailsCog(commands.Cog, name="Details"):
    """A message's menu."""

    def __init__(self, rolling: Rolling, groups: Groups) -> None:
        self._rolling = rolling
        self._groups = groups
        self._menu = app_commands.ContextMenu(name="Roll details", callback=self.tell)

    def menu(self) -> app_commands.ContextMenu:
        """What stands in the menu of every message."""
        return self._menu

    async def tell(self, interaction: discord.Interaction[Evenhand], message: discord.Message) -> None:
        """Tell the details of a message's roll, or of one's own for a call, to who asks alone."""
        ours = message.author == interaction.client.user
        found = next(_named(message, _BUTTON), None) if ours else None
        if ours and found is None and (call := next(_named(message, _CALL), None)):
            found = call[0], await self._groups.own(asked(interaction), *call)
        if found is None:
            await interaction.response.send_message(NO_ROLL, ephemeral=True)
            return
        text = details(await self._rolling.details(asked(interaction), person(interaction), *found))
        await interaction.response.send_message(text, ephemeral=True)


def _named(message: discord.Message, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Campaign and number of what a message's buttons of a kind are about."""
    for row in message.components:
        for button in row.children if isinstance(row, discord.ActionRow) else ():
            if found := pattern.fullmatch(button.custom_id or ""):
                yield int(found[1]), int(found[2])


async def setup(bot: Evenhand) -> None:
    """Add the cog, and its menu."""
    cog = DetailsCog(bot.house.rolling, bot.house.groups)
    await bot.add_cog(cog)
    bot.tree.add_command(cog.menu())
