"""/destination: two dice and a coin for a region, and once more for a city in it."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.destinations import MAP
from bot.campaign.events import Visibility
from bot.client import Evenhand
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from cogs.shared.asking import VISIBILITIES, asked
from cogs.shared.telling import tell

Name = app_commands.Range[str, 1, 32]


class DestinationCog(commands.Cog, name="Destination"):
    """Where the journey goes."""

    def __init__(self, rolling: Rolling, rollers: Rollers) -> None:
        self._rolling = rolling
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        map="Which map: the channel's Destination, unless you say so; a game master imports others",
        visibility="Who sees it: everybody, unless you or the campaign's settings say so",
    )
    @app_commands.choices(visibility=VISIBILITIES)
    async def destination(
        self,
        interaction: discord.Interaction[Evenhand],
        map: Name = MAP,  # noqa: A002 (people read the option's name)
        visibility: str | None = None,
    ) -> None:
        """Roll where to: 2d6 and a coin for the region, 2d6 and a coin for the city."""
        asking = asked(interaction, "", Visibility(visibility) if visibility else None)
        answer = await self._rolling.destination(asking, map)
        await tell(interaction, self._rolling, answer)

    @destination.autocomplete("map")
    async def suggest(
        self, interaction: discord.Interaction[Evenhand], typed: str
    ) -> list[app_commands.Choice[str]]:
        """The channel's maps."""
        names = await self._rollers.suggest_maps(interaction.channel_id or 0, typed)
        return [app_commands.Choice(name=name, value=name) for name in names]


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(DestinationCog(bot.house.rolling, bot.house.rollers))
