"""/data: what is stored about you, and how to erase it; the clock by which old data goes."""

import logging

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.render import privacy as render
from bot.services.privacy import Privacy
from bot.services.retention import Retention
from cogs.shared.deleting import Forget
from cogs.shared.pressing import row

_log = logging.getLogger(__name__)

Interaction = discord.Interaction[Evenhand]


class DataCog(commands.GroupCog, name="data", description="What is stored about you."):
    """Personal data, and the clock that deletes."""

    def __init__(self, privacy: Privacy, retention: Retention) -> None:
        self._privacy = privacy
        self._retention = retention

    async def cog_load(self) -> None:
        """Begin the daily round."""
        self.tidy.start()

    async def cog_unload(self) -> None:
        """End it."""
        self.tidy.cancel()

    @tasks.loop(hours=24)
    async def tidy(self) -> None:
        """Delete the data of servers that were left long enough ago, and what histories no longer keep."""
        for round_ in (self._privacy.tidy, self._retention.tidy):
            try:
                await round_()
            except Unavailable as error:
                _log.error("The daily round has to wait until tomorrow: %s", error)
            except Exception:  # noqa: BLE001 (neither keeps the other, or tomorrow's, from its work)
                _log.exception("The daily round failed")

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot has left; an outage of Discord does not come here."""
        await self._privacy.left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is back."""
        await self._privacy.joined(guild.id)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """Show what is stored about you, on all servers; only you see the answer."""
        holdings = await self._privacy.show(interaction.user.id)
        await interaction.response.send_message(render.held(holdings), ephemeral=True)

    @app_commands.command()
    async def forget(self, interaction: Interaction) -> None:
        """Erase yourself from every history; you are asked once more."""
        await interaction.response.send_message(render.FORGET, view=row(Forget()), ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the button that erases."""
    bot.add_dynamic_items(Forget)
    await bot.add_cog(DataCog(bot.house.privacy, bot.house.retention))
