"""Turn Discord's interaction into the values that services take: who asks, where, with which rights."""

from collections.abc import Iterable
from typing import TypeAlias

import discord

from bot.campaign.caller import Caller
from bot.client import Evenhand

Interaction: TypeAlias = discord.Interaction[Evenhand]


def caller(interaction: Interaction) -> Caller:
    """Return who asks, where, and with which rights; alone with the bot everybody manages the place.

    Where the bot is only a guest of theirs, a server's rights count for nothing.
    """
    visits = interaction.is_user_integration() and not interaction.is_guild_integration()
    alone = interaction.guild_id is None and interaction.context.dm_channel
    channel, user = interaction.channel, interaction.user
    return Caller(
        interaction_id=interaction.id,
        guild_id=None if visits else interaction.guild_id,
        channel_id=interaction.channel_id or user.id,
        user_id=user.id,
        parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
        manages=alone or (interaction.permissions.manage_guild and not visits),
        roles=frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else frozenset(),
    )


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
