"""/session: an evening begins and ends, and everybody looks back on it."""

import asyncio
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.render import recaps as render
from bot.render.luck_charts import evening_chart
from bot.services.sessions import Sessions
from cogs.shared.asking import asked, person
from cogs.shared.knowing import known_names


class SessionCog(commands.GroupCog, name="session", description="An evening, for the statistics."):
    """Mark an evening."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @app_commands.command()
    async def start(self, interaction: discord.Interaction[Evenhand]) -> None:
        """Begin a session: what is rolled from now on belongs to it."""
        event = await self._sessions.start(asked(interaction), person(interaction))
        await interaction.response.send_message(render.began(event.seq))

    @app_commands.command()
    async def end(self, interaction: discord.Interaction[Evenhand]) -> None:
        """End the session, with a look back on everybody's dice."""
        campaign_id, session = await self._sessions.end(asked(interaction), person(interaction))
        await interaction.response.defer()
        evening = await self._sessions.look_back(campaign_id, session)
        text = render.recap(session, evening)
        if not evening.players:
            await interaction.followup.send(text)
            return
        players = [player.user_id for player in evening.players[: render.PLAYERS_SHOWN]]
        known = await known_names(interaction.client, interaction.guild, players)
        names = render.names(evening, known)
        chart = await asyncio.to_thread(evening_chart, "Everybody's dice this session", names)
        file = discord.File(BytesIO(chart.png), "session.png", description=chart.alt)
        await interaction.followup.send(text, file=file)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(SessionCog(bot.house.sessions))
