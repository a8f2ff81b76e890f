"""From Discord's interaction to the values that the services take."""

import discord
from discord import app_commands

from bot.core.events import Asked, Visibility
from bot.core.names import clean
from bot.services.access import Person

VISIBILITIES = [
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only you", value=Visibility.SELF),
    app_commands.Choice(name="gm: you and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
]


def asked(
    interaction: discord.Interaction, label: str = "", visibility: Visibility = Visibility.PUBLIC
) -> Asked:
    """Who asks for something, where, and with which words."""
    return Asked(
        interaction_id=interaction.id,
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id or interaction.user.id,
        user_id=interaction.user.id,
        label=clean(label),
        visibility=visibility,
    )


def person(interaction: discord.Interaction) -> Person:
    """Who asks, and whether they manage the place; alone with the bot everybody does."""
    alone = interaction.guild_id is None and interaction.context.dm_channel
    return Person(interaction.user.id, manages=alone or interaction.permissions.manage_guild)
