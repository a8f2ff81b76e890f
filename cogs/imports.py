"""/import: the rollers and one's own saved rolls of an export, or one roller, come to this channel."""

import asyncio

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.imports import EXPORT_BYTES_LIMIT, read_beginning, read_bundle
from bot.client import Evenhand
from bot.render.imports import announced, told
from bot.services.imports import Imports
from cogs.shared.asking import asked, person
from cogs.shared.attaching import fetched

Name = app_commands.Range[str, 1, 32]


class ImportCog(commands.Cog, name="Import"):
    """Bring in."""

    def __init__(self, imports: Imports) -> None:
        self._imports = imports

    @app_commands.command(name="import")
    @app_commands.describe(
        file="What /export format:json or /roller export gave; of an export in parts, any one part",
        name="What to call it, if the file is one roller",
    )
    async def bring(
        self, interaction: discord.Interaction[Evenhand], file: discord.Attachment, name: Name | None = None
    ) -> None:
        """Bring in an export's rollers and your saved rolls; nothing that is here is replaced."""
        data = await fetched(interaction, file, EXPORT_BYTES_LIMIT)
        bundle = await asyncio.to_thread(lambda: read_bundle(read_beginning(data), name))
        brought = await self._imports.bring(asked(interaction), person(interaction), bundle)
        await interaction.followup.send(told(brought), ephemeral=True)
        if text := announced(brought):
            await interaction.followup.send(text)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(ImportCog(bot.house.imports))
