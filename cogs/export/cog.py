"""/export: a campaign's history as files, and import of rollers and saved rolls from one."""

import asyncio
from codecs import BOM_UTF8
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.imports import EXPORT_BYTES_LIMIT, read_beginning, read_bundle
from bot.client import Evenhand
from bot.dice.errors import SpecError
from bot.record.spreadsheet import HEADER
from bot.services.exports import ExportFormat
from cogs.export import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import Interaction, caller
from cogs.kit.options import Name, offered
from cogs.kit.replies import read_attachment
from cogs.kit.throttle import Progress

FORMS = offered(__file__, "forms", ExportFormat)
_SPARE = 4_096
"""Bytes of an upload reserved for the rest of the message."""


class ExportCog(commands.Cog, name="Export"):
    """Exports and imports."""

    @app_commands.command()
    @app_commands.rename(form="format", file="bring_back")
    async def export(
        self,
        interaction: Interaction,
        form: app_commands.Transform[ExportFormat, FORMS] | None = None,
        file: discord.Attachment | None = None,
        name: Name | None = None,
    ) -> None:
        """Get this campaign's history as a file, or bring one back.

        :param form: What kind of file (csv)
        :param file: Bring back the rollers and saved rolls of an export
        :param name: Name the roller, if that file is one roller
        """
        if file and form:
            raise SpecError("A file that you bring back has its format. Leave `format` out.")
        if file:
            await _import(interaction, file, name)
        elif name:
            raise SpecError("Give the file of that roller as `bring_back`.")
        else:
            await _export(interaction, form or ExportFormat.CSV)


async def _export(interaction: Interaction, form: ExportFormat) -> None:
    interaction.client.app.pace.figures(interaction.user.id)
    await interaction.response.defer(ephemeral=True)

    progress = Progress(lambda done, total: edit(interaction, words.progress(done, total)))
    room = min(interaction.filesize_limit, EXPORT_BYTES_LIMIT) - _SPARE
    with TemporaryDirectory(prefix="evenhand-") as folder:
        try:
            exports = interaction.client.app.exports
            export = await exports.export(caller(interaction), form, Path(folder), room, progress.tell)
        finally:
            await progress.end()
        for number, path in enumerate(export.files, start=1):
            file = await asyncio.to_thread(discord.File, path)
            text = words.exported(export, form, number)
            if number == 1:
                # The first file replaces the progress.
                await edit(interaction, text, file=file)
            else:
                await send(interaction, text, file=file, private=True)


async def _import(interaction: Interaction, file: discord.Attachment, name: str | None) -> None:
    """Import an export's rollers and saved rolls. Existing ones are not replaced."""
    data = await read_attachment(interaction, file, EXPORT_BYTES_LIMIT)
    if data.removeprefix(BOM_UTF8).startswith(HEADER.strip().encode()):
        raise SpecError(words.CSV)
    bundle = await asyncio.to_thread(lambda: read_bundle(read_beginning(data), name))
    brought = await interaction.client.app.imports.bring(caller(interaction), bundle)
    await send(interaction, words.imported(brought), private=True)
    if words.announced(brought):
        await send(interaction, lambda: words.announced(brought))


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(ExportCog())
