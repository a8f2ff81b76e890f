"""Turn Discord's interactions and options into the values that services take."""

from typing import TypeAlias

import discord
from discord import app_commands

from bot.campaign.caller import Caller
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.dice.names import clean

Interaction: TypeAlias = discord.Interaction[Evenhand]
Name = app_commands.Range[str, 1, 32]
DiceText = app_commands.Range[str, 1, 200]
Label = app_commands.Range[str, 1, 80]

VISIBILITIES = [
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only you", value=Visibility.SELF),
    app_commands.Choice(name="gm: you and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
]


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


def roll_options(label: str = "", visibility: str | None = None, *, practice: bool = False) -> RollOptions:
    """Return a roll's options as somebody chose them; no visibility leaves it to the campaign's rules."""
    return RollOptions(clean(label), Visibility(visibility) if visibility else None, practice=practice)
