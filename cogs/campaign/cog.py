"""/campaign: histories that several channels share, and their game masters."""

from typing import TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.campaigns import Master, MasterKind
from bot.client import Evenhand
from bot.services.campaigns import Campaigns
from cogs.campaign import words
from cogs.kit.choices import Name, choices
from cogs.kit.context import Interaction, asked, person

Who: TypeAlias = discord.User | discord.Role
_WHICH = "Which campaign; without a name the one played here"


class CampaignCog(commands.GroupCog, name="campaign", description="Histories that channels share."):
    """Make, choose and change the campaigns of a server."""

    gm = app_commands.Group(name="gm", description="The campaign's game masters.")

    def __init__(self, campaigns: Campaigns) -> None:
        self._campaigns = campaigns

    @app_commands.command()
    @app_commands.describe(name="What to call it")
    async def create(self, interaction: Interaction, name: Name) -> None:
        """Make a campaign with a history of its own; you are its game master."""
        event, joins = await self._campaigns.create(asked(interaction), person(interaction), name)
        await interaction.response.send_message(words.created(event, joins=joins))

    @app_commands.command()
    @app_commands.describe(name="Which campaign; without a name it is this channel's own")
    async def use(self, interaction: Interaction, name: Name | None = None) -> None:
        """Play a campaign in this channel and its threads."""
        event = await self._campaigns.use(asked(interaction), person(interaction), name)
        await interaction.response.send_message(words.used(event))

    @app_commands.command(name="list")
    async def index(self, interaction: Interaction) -> None:
        """Show the campaigns of this server."""
        found = await self._campaigns.named(asked(interaction))
        await interaction.response.send_message(words.listing(found), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(name=_WHICH)
    async def show(self, interaction: Interaction, name: Name | None = None) -> None:
        """Show a campaign's channels and game masters."""
        shown = await self._campaigns.show(asked(interaction), name)
        await interaction.response.send_message(words.shown(shown), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(new="The new name", name=_WHICH)
    async def rename(self, interaction: Interaction, new: Name, name: Name | None = None) -> None:
        """Rename a campaign."""
        event = await self._campaigns.rename(asked(interaction), person(interaction), name, new)
        await interaction.response.send_message(words.renamed(event))

    @app_commands.command()
    @app_commands.describe(name=_WHICH)
    async def archive(self, interaction: Interaction, name: Name | None = None) -> None:
        """Archive a campaign; its history stays, and its channels go back to their own."""
        event = await self._campaigns.archive(asked(interaction), person(interaction), name)
        await interaction.response.send_message(words.archived(event))

    @gm.command()
    @app_commands.describe(who="A person, or a role whose members are game masters", campaign=_WHICH)
    async def add(self, interaction: Interaction, who: Who, campaign: Name | None = None) -> None:
        """Make somebody a game master."""
        await self._change(interaction, who, campaign, named=True)

    @gm.command()
    @app_commands.describe(who="A person, or a role", campaign=_WHICH)
    async def remove(self, interaction: Interaction, who: Who, campaign: Name | None = None) -> None:
        """Remove a game master."""
        await self._change(interaction, who, campaign, named=False)

    @use.autocomplete("name")
    @show.autocomplete("name")
    @rename.autocomplete("name")
    @archive.autocomplete("name")
    @add.autocomplete("campaign")
    @remove.autocomplete("campaign")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest campaigns of this server."""
        return choices(await self._campaigns.suggest(asked(interaction), typed))

    async def _change(self, interaction: Interaction, who: Who, campaign: str | None, *, named: bool) -> None:
        kind = MasterKind.ROLE if isinstance(who, discord.Role) else MasterKind.USER
        master = Master(kind, who.id)
        await self._campaigns.change_master(
            asked(interaction), person(interaction), campaign, master, named=named
        )
        text = words.master_changed(interaction.user.id, master, named=named)
        await interaction.response.send_message(text)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(CampaignCog(bot.app.campaigns))
