"""What goes with messages: files that were attached, charts, and the names of the people in them."""

from collections.abc import Iterable
from io import BytesIO

import discord

from bot.dice.errors import SpecError, Unavailable
from bot.record.checkpoint import InclusionProof
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


def proof_file(proof: InclusionProof) -> discord.File:
    """Return the proof of one event to attach; `python -m bot verify` and tools/verify.py take it."""
    return discord.File(BytesIO(proof.text.encode()), f"proof-{proof.index + 1}.txt")


async def display_names(
    client: discord.Client, guild: discord.Guild | None, user_ids: Iterable[int]
) -> dict[int, str]:
    """Ask Discord for the names of these people, on the server or at large; those it refuses are left out."""
    names: dict[int, str] = {}
    for user_id in user_ids:
        try:
            found = await (guild.fetch_member(user_id) if guild else client.fetch_user(user_id))
        except discord.HTTPException:
            continue
        names[user_id] = found.display_name
    return names
