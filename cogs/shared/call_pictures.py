"""The chart under a check that is over: drawn once for what came out, and gone where the check goes on."""

import asyncio
import logging
import zlib
from io import BytesIO

import discord
from discord.ui import View

from bot.campaign.standings import Standing
from bot.render import calls as render
from bot.render.call_charts import call_chart, has_chart, shown
from cogs.shared.knowing import known_names

_log = logging.getLogger(__name__)


async def edit(
    client: discord.Client, message: discord.PartialMessage, standing: Standing, view: View
) -> None:
    """Edit a call's message, and edit it again with a chart where one is due and not yet there.

    The words never wait for the chart; without it the message is as good. Raises what Discord raises for
    the words.
    """
    text = render.board(standing)
    if not has_chart(standing):
        await message.edit(content=text, view=view, attachments=[])
        return
    sent = await message.edit(content=text, view=view)
    # The file's name says what it shows, so that this holds after a restart, and whichever process drew it.
    name = _file_name(standing)
    if any(attachment.filename == name for attachment in sent.attachments):
        return
    players = [entry.user_id for entry in shown(standing) if entry.user_id is not None]
    channel = client.get_channel(message.channel.id)
    guild = channel.guild if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None
    known = await known_names(client, guild, players)
    chart = await asyncio.to_thread(call_chart, standing, known)
    try:
        await message.edit(attachments=[discord.File(BytesIO(chart.png), name, description=chart.alt)])
    except discord.HTTPException as error:
        number = standing.call.event.seq
        _log.warning("The chart of call #%d can't be shown, for which I need Attach Files: %s", number, error)


def _file_name(standing: Standing) -> str:
    """The same for the same rolls of the same people, another one else."""
    rolls = [(entry.event.seq, entry.place, entry.user_id) for entry in shown(standing)]
    return f"call-{standing.call.event.seq}-{zlib.crc32(repr(rolls).encode()):08x}.png"
