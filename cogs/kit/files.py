"""Files in messages: read one that was attached, attach a chart."""

from io import BytesIO

import discord

from bot.dice.errors import SpecError, Unavailable
from cogs.kit.context import Interaction

_NO_FILE = "Discord did not give me the file, so nothing was made. Please try again."


async def read_attachment(interaction: Interaction, file: discord.Attachment, limit: int) -> bytes:
    """Defer the answer, for this can take long, and return the file's content.

    Raise SpecError for more than `limit` bytes, Unavailable where Discord does not give the file.
    """
    if file.size > limit:
        raise SpecError(f"The file has {file.size:,} bytes: at most {limit:,}.")
    await interaction.response.defer(ephemeral=True)
    try:
        return await file.read()
    except discord.HTTPException:
        raise Unavailable(_NO_FILE) from None


def chart_file(png: bytes, name: str, alt: str) -> discord.File:
    """Return a chart to attach; `alt` describes it to those who can't see it."""
    return discord.File(BytesIO(png), name, description=alt)
