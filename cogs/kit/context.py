"""Turn Discord's interaction into the values that services take: who asks, where, with which rights."""

from collections.abc import Iterable
from typing import TypeAlias

import discord

from bot.campaign.events import Asked
from bot.campaign.visibility import Visibility
from bot.client import Evenhand
from bot.dice.names import clean
from bot.services.access import Person
from bot.services.histories import Place

Interaction: TypeAlias = discord.Interaction[Evenhand]


def asked(
    interaction: Interaction, label: str = "", visibility: Visibility | None = Visibility.PUBLIC
) -> Asked:
    """Return who asks for something, where, and with which words."""
    return Asked(
        interaction_id=interaction.id,
        guild_id=None if _is_visit(interaction) else interaction.guild_id,
        channel_id=interaction.channel_id or interaction.user.id,
        user_id=interaction.user.id,
        label=clean(label),
        visibility=visibility,
        parent_id=parent_id(interaction),
    )


def person(interaction: Interaction) -> Person:
    """Return who asks, and whether they manage the place; alone with the bot everybody does.

    Where the bot is only a guest of theirs, a server's rights count for nothing.
    """
    alone = interaction.guild_id is None and interaction.context.dm_channel
    manages = alone or (interaction.permissions.manage_guild and not _is_visit(interaction))
    roles = interaction.user.roles if isinstance(interaction.user, discord.Member) else ()
    return Person(interaction.user.id, manages, frozenset(role.id for role in roles))


def parent_id(interaction: Interaction) -> int | None:
    """Return the channel that a thread or a forum's post belongs to."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def place(interaction: Interaction) -> Place:
    """Return where it is asked."""
    return Place(interaction.channel_id or interaction.user.id, parent_id(interaction))


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


def _is_visit(interaction: Interaction) -> bool:
    """Return whether somebody brought the bot along to a place that it is no member of."""
    return interaction.is_user_integration() and not interaction.is_guild_integration()
