"""From Discord's interaction to the values that the services take."""

import discord
from discord import app_commands

from bot.campaign.events import Asked, Visibility
from bot.dice.names import clean
from bot.services.access import Person
from bot.services.histories import Place

VISIBILITIES = [
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only you", value=Visibility.SELF),
    app_commands.Choice(name="gm: you and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
]


def asked(
    interaction: discord.Interaction, label: str = "", visibility: Visibility | None = Visibility.PUBLIC
) -> Asked:
    """Who asks for something, where, and with which words."""
    return Asked(
        interaction_id=interaction.id,
        guild_id=None if _visits(interaction) else interaction.guild_id,
        channel_id=interaction.channel_id or interaction.user.id,
        user_id=interaction.user.id,
        label=clean(label),
        visibility=visibility,
        parent_id=parent_id(interaction),
    )


def person(interaction: discord.Interaction) -> Person:
    """Who asks, and whether they manage the place; alone with the bot everybody does.

    Where the bot is only a guest of theirs, a server's rights count for nothing.
    """
    alone = interaction.guild_id is None and interaction.context.dm_channel
    manages = alone or (interaction.permissions.manage_guild and not _visits(interaction))
    roles = interaction.user.roles if isinstance(interaction.user, discord.Member) else ()
    return Person(interaction.user.id, manages, frozenset(role.id for role in roles))


def parent_id(interaction: discord.Interaction) -> int | None:
    """The channel that a thread or a forum's post belongs to."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def place(interaction: discord.Interaction) -> Place:
    """Where it is asked."""
    return Place(interaction.channel_id or interaction.user.id, parent_id(interaction))


def _visits(interaction: discord.Interaction) -> bool:
    """Whether somebody brought the bot along to a place that it is no member of."""
    return interaction.is_user_integration() and not interaction.is_guild_integration()
