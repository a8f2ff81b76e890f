"""A file that came with a command, read as text."""

import discord

from bot.campaign.imports import BYTES_LIMIT, read_file
from bot.dice.errors import SpecError, Unavailable

_NO_FILE = "Discord did not give me the file, so nothing was made. Please try again."


async def attached(interaction: discord.Interaction, file: discord.Attachment) -> str:
    """The file's text; the answer is put off first, for fetching takes as long as it takes.

    SpecError for what is too long or no text, Unavailable where Discord does not give it.
    """
    return read_file(await fetched(interaction, file, BYTES_LIMIT))


async def fetched(interaction: discord.Interaction, file: discord.Attachment, limit: int) -> bytes:
    """The file, of at most so many bytes; answer and errors are as above."""
    if file.size > limit:
        raise SpecError(f"The file has {file.size:,} bytes: at most {limit:,}.")
    await interaction.response.defer(ephemeral=True)
    try:
        return await file.read()
    except discord.HTTPException:
        raise Unavailable(_NO_FILE) from None
