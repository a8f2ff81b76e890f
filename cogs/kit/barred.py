"""Channels that take no rolls: why, and what to do."""

import discord

from bot.answers import DISCORD_ERRORS, Barrier, barrier
from bot.words.saying import read_table, say
from bot.words.text import code
from cogs.kit.interactions import lacks_to_post

_WHY = read_table(__file__, "barred")


def explain_bar(reason: Barrier, setting: str, channel_id: int) -> str:
    """Return why the channel of a setting of `/admin settings` takes no rolls, and what to do."""
    return say(_WHY[reason.name], channel_id=channel_id, setting=code(f"/admin settings {setting}:"))


async def find_bar(guild: discord.Guild, channel_id: int) -> Barrier | None:
    """Return why the bot can't post in a channel of a server; None if it can, or nobody says."""
    try:
        # An archived thread is not among those that Discord tells of by itself.
        place = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        granted = place.permissions_for(guild.me)
    except DISCORD_ERRORS as error:
        return barrier(error)
    threaded = isinstance(place, discord.Thread)
    if isinstance(place, discord.Thread) and place.archived and place.locked:
        return Barrier.CLOSED
    return Barrier.RIGHTS if lacks_to_post(granted, threaded=threaded) else None
