"""/data: show and erase a user's stored data; delete old data once a day."""

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.client import Evenhand
from cogs.data import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import ButtonHandler, Interaction, caller

_ROUND_HOURS, _AGAIN_HOURS = 24, 1


class DataCog(commands.GroupCog, name="data", description="Show or erase what is stored about you."):
    """Personal data, and the daily deletion of old data."""

    def __init__(self, bot: Evenhand) -> None:
        self._bot = bot

    async def cog_load(self) -> None:
        """Start the daily deletion."""
        self.tidy.start()

    async def cog_unload(self) -> None:
        """Stop the daily deletion."""
        self.tidy.cancel()

    @tasks.loop(hours=_ROUND_HOURS)
    async def tidy(self) -> None:
        """Delete the data of servers that the bot left a week ago, and histories past their retention."""
        done = await self._bot.app.tidying.run(self._bot.presence(), await self._bot.discord_time())
        self.tidy.change_interval(hours=_ROUND_HOURS if done else _AGAIN_HOURS)

    @tidy.before_loop
    async def ready(self) -> None:
        """Wait until Discord has sent the list of servers."""
        await self._bot.wait_until_ready()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that the bot has left a server. An outage of Discord does not raise this event."""
        await self._bot.app.tidying.leave_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that the bot is in a server (again)."""
        await self._bot.app.tidying.join_server(guild.id)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """Show what is stored about you, on all servers."""
        holdings = await self._bot.app.privacy.show(caller(interaction))
        await send(interaction, words.stored(holdings), private=True)

    @app_commands.command()
    async def forget(self, interaction: Interaction) -> None:
        """Erase yourself from every history, after a question."""
        await send(interaction, words.confirm(), private=True)


async def _erase(interaction: Interaction) -> None:
    """Erase the presser's data."""
    await interaction.response.defer()
    # A long history takes a while, and lines are posted meanwhile.
    interaction.client.dispatch("forgotten", interaction.user.id)
    erased = await interaction.client.app.privacy.forget(caller(interaction))
    interaction.client.dispatch("forgotten", interaction.user.id)
    await edit(interaction, lambda: words.forgotten(erased.events, erased.campaigns))


ERASE = ButtonHandler("forget-me", "Erase me", _erase, style="danger")


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(DataCog(bot))
