"""/campaign: histories that several channels share, and their game masters."""

from typing import TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.campaign_commands import ArchiveCampaign, ChangeMaster, RenameCampaign
from bot.campaign.campaigns import Master, MasterKind
from bot.client import Evenhand
from bot.dice.dialects.dialect import Dialect
from bot.dice.names import NAME_LIMIT, clean
from cogs.campaign import words
from cogs.kit.cards import send
from cogs.kit.interactions import NAME, ButtonHandler, Interaction, caller
from cogs.kit.options import CampaignName, Name, OneOf

Who: TypeAlias = discord.User | discord.Role
_DIALECTS = OneOf({str(dialect): dialect.program for dialect in Dialect}, Dialect)


class CampaignCog(commands.GroupCog, name="campaign", description="Make and choose campaigns."):
    """Campaigns and their game masters."""

    gm = app_commands.Group(name="gm", description="Name game masters.")

    @app_commands.command()
    async def create(
        self,
        interaction: Interaction,
        name: Name,
        fresh: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Make a campaign from this channel, with you as its game master.

        :param name: Name it
        :param fresh: Begin empty, without this channel's history and rollers
        """
        created = await interaction.client.app.campaigns.create(caller(interaction), name, fresh=fresh)
        await send(interaction, lambda: words.created(*created))

    @app_commands.command()
    async def use(self, interaction: Interaction, name: CampaignName | None = None) -> None:
        """Play a campaign in this channel and its threads.

        :param name: Which campaign (this channel's own)
        """
        await _use(interaction, name)

    @app_commands.command(name="list")
    async def index(self, interaction: Interaction) -> None:
        """Show the campaigns of this server."""
        campaigns = await interaction.client.app.campaigns.list_all(caller(interaction))
        await send(interaction, words.listing(campaigns), private=True)

    @app_commands.command()
    async def show(self, interaction: Interaction, name: CampaignName | None = None) -> None:
        """Show a campaign's channels and game masters.

        :param name: Which campaign (the one played here)
        """
        await _show(interaction, name)

    @app_commands.command()
    async def rename(self, interaction: Interaction, new: Name, name: CampaignName | None = None) -> None:
        """Rename a campaign.

        :param new: The new name
        :param name: Which campaign (the one played here)
        """
        asker, app = caller(interaction), interaction.client.app
        number = await app.campaigns.number(asker, name)
        done = await app.ask(asker, RenameCampaign(number, clean(new, NAME_LIMIT)))
        await send(interaction, lambda: words.renamed(done.event))

    @app_commands.command()
    async def archive(self, interaction: Interaction, name: CampaignName | None = None) -> None:
        """Archive a campaign. Its history stays.

        :param name: Which campaign (the one played here)
        """
        asker, app = caller(interaction), interaction.client.app
        done = await app.ask(asker, ArchiveCampaign(await app.campaigns.number(asker, name)))
        await send(interaction, lambda: words.archived_message(done.event, done.campaign.name or ""))

    @app_commands.command()
    async def dialect(
        self, interaction: Interaction, program: app_commands.Transform[Dialect, _DIALECTS]
    ) -> None:
        """Read typed dice as another program does.

        :param program: Whose notation your players know
        """
        event = await interaction.client.app.campaigns.set_rules(caller(interaction), {"dialect": program})
        await send(interaction, lambda: words.dialect_set(event, program))

    @gm.command()
    async def add(self, interaction: Interaction, who: Who, campaign: CampaignName | None = None) -> None:
        """Make somebody a game master.

        :param who: A person, or a role whose members are game masters
        :param campaign: Which campaign (the one played here)
        """
        await _change(interaction, who, campaign, is_added=True)

    @gm.command()
    async def remove(self, interaction: Interaction, who: Who, campaign: CampaignName | None = None) -> None:
        """Remove a game master.

        :param who: A person, or a role
        :param campaign: Which campaign (the one played here)
        """
        await _change(interaction, who, campaign, is_added=False)


async def _change(interaction: Interaction, subject: Who, campaign: str | None, *, is_added: bool) -> None:
    kind = MasterKind.ROLE if isinstance(subject, discord.Role) else MasterKind.USER
    master, asker, app = Master(kind, subject.id), caller(interaction), interaction.client.app
    number = await app.campaigns.number(asker, campaign)
    done = await app.ask(asker, ChangeMaster(number, master, is_added))
    name = done.campaign.name
    await send(interaction, lambda: words.master_changed(done.event, master, name, is_added=is_added))


async def _show(interaction: Interaction, name: str | None) -> None:
    """Send a campaign's card to the user."""
    asker, guild = caller(interaction), interaction.guild
    overview = await interaction.client.app.campaigns.show(asker, name or None)
    # A server has a role at least, but none is known before Discord has sent it.
    roles = {role.id for role in guild.roles} if guild else set[int]()
    await send(interaction, words.campaign_card(overview, asker, roles), private=True)


async def _use(interaction: Interaction, name: str | None) -> None:
    """Play a campaign in the channel, and announce it."""
    asker = caller(interaction)
    used = await interaction.client.app.campaigns.use(asker, name or None)
    await send(interaction, lambda: words.used(*used, threaded=asker.parent_id is not None))


SHOW = ButtonHandler("campaign-show", "Show", _show, NAME)
USE = ButtonHandler("campaign-use", "Play it here", _use, NAME)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(CampaignCog())
