"""/export and /import: a campaign's history as files, and rollers and saved rolls back from such a file."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.imports import EXPORT_BYTES_LIMIT, read_beginning, read_bundle
from bot.client import Evenhand
from bot.services.exports import ExportFormat
from cogs.export import words
from cogs.kit.interactions import Interaction, Name, caller
from cogs.kit.replies import read_attachment, send_with

FORMS = [
    app_commands.Choice(name="csv: a table for a spreadsheet", value=ExportFormat.CSV),
    app_commands.Choice(name="json: everything, to check or to keep", value=ExportFormat.JSON),
]
PROGRESS_SECONDS = 2.0
"""Progress is shown at most this often."""
_SPARE = 4_096
"""Bytes left free, for what else is in the message."""


class ExportCog(commands.Cog, name="Export"):
    """Write a history to files, and read one."""

    @app_commands.command()
    @app_commands.rename(form="format")
    @app_commands.describe(form="What kind of file: csv if left out")
    @app_commands.choices(form=FORMS)
    async def export(self, interaction: Interaction, form: str = ExportFormat.CSV) -> None:
        """Get this campaign's history as a file; only you see the answer."""
        interaction.client.app.pace.figures(interaction.user.id)
        await interaction.response.defer(ephemeral=True)

        async def edit(text: str, file: discord.File | None = None) -> None:
            await interaction.edit_original_response(content=text, attachments=[file] if file else [])

        with TemporaryDirectory(prefix="evenhand-") as folder:
            export = await interaction.client.app.exports.export(
                caller(interaction),
                ExportFormat(form),
                Path(folder),
                min(interaction.filesize_limit, EXPORT_BYTES_LIMIT) - _SPARE,
                Progress(edit).tell,
            )
            for number, path in enumerate(export.files, start=1):
                file = await asyncio.to_thread(discord.File, path)
                text = words.exported(export, form, number)
                if number == 1:
                    # In place of the progress.
                    await send_with(edit, text, file)
                else:
                    await send_with(interaction.followup.send, text, file, ephemeral=True)

    @app_commands.command(name="import")
    @app_commands.describe(
        file="What /export format:json or /roller export gave; of an export in parts, any one part",
        name="What to call it, if the file is one roller",
    )
    async def bring(
        self, interaction: Interaction, file: discord.Attachment, name: Name | None = None
    ) -> None:
        """Bring in an export's rollers and your saved rolls; nothing that is here is replaced."""
        data = await read_attachment(interaction, file, EXPORT_BYTES_LIMIT)
        bundle = await asyncio.to_thread(lambda: read_bundle(read_beginning(data), name))
        brought = await interaction.client.app.imports.bring(caller(interaction), bundle)
        await interaction.followup.send(words.imported(brought), ephemeral=True)
        if text := words.announced(brought):
            await interaction.followup.send(text)


class Progress:
    """Shows how far long work is; a try that Discord refuses is dropped."""

    def __init__(
        self, edit: Callable[[str], Awaitable[object]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._edit = edit
        self._clock = clock
        self._told = clock()

    async def tell(self, done: int, of: int) -> None:
        """Show the progress, unless it began or was shown less than two seconds ago."""
        if self._clock() - self._told < PROGRESS_SECONDS:
            return
        with contextlib.suppress(discord.HTTPException):
            await self._edit(words.progress(done, of))
        # The edit itself may take long.
        self._told = self._clock()


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(ExportCog())
