"""/export: the campaign's history as files, for a spreadsheet or to be checked by anyone, without Discord."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.imports import EXPORT_BYTES_LIMIT
from bot.client import Evenhand
from bot.render import exports as render
from bot.services.exports import Exports, Form
from cogs.shared.asking import person, place
from cogs.shared.progressing import Progress

FORMS = [
    app_commands.Choice(name="csv: a table for a spreadsheet", value=Form.CSV),
    app_commands.Choice(name="json: everything, to check or to keep", value=Form.JSON),
]
_SPARE = 4_096
"""Bytes left free, for what else is in the message."""


class ExportCog(commands.Cog, name="Export"):
    """Take the history away."""

    def __init__(self, exports: Exports) -> None:
        self._exports = exports

    @app_commands.command()
    @app_commands.rename(form="format")
    @app_commands.describe(form="What kind of file: csv, unless you say so")
    @app_commands.choices(form=FORMS)
    async def export(self, interaction: discord.Interaction[Evenhand], form: str = Form.CSV) -> None:
        """Get this campaign's history as a file; only you see the answer."""
        await interaction.response.defer(ephemeral=True)

        async def edit(text: str) -> None:
            await interaction.edit_original_response(content=text)

        with TemporaryDirectory(prefix="evenhand-") as folder:
            export = await self._exports.export(
                place(interaction),
                person(interaction),
                Form(form),
                Path(folder),
                min(interaction.filesize_limit, EXPORT_BYTES_LIMIT) - _SPARE,
                Progress(edit, render.progress).tell,
            )
            for number, path in enumerate(export.files, start=1):
                file = await asyncio.to_thread(discord.File, path)
                text = render.told(export.events, export.hidden, form, number, len(export.files))
                if number == 1:
                    # In place of how far it is.
                    await interaction.edit_original_response(content=text, attachments=[file])
                else:
                    await interaction.followup.send(text, file=file, ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(ExportCog(bot.house.exports))
