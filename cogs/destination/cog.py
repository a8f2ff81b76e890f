"""/destination: roll a region and a city on a map, each with two dice and a coin."""

from discord import app_commands
from discord.ext import commands

from bot.campaign.rolls import MAP
from bot.client import Evenhand
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from cogs.kit.choices import VISIBILITIES, Name, choices, roll_options
from cogs.kit.context import Interaction, caller
from cogs.kit.replies import reply


class DestinationCog(commands.Cog, name="Destination"):
    """Roll destinations."""

    def __init__(self, rolling: Rolling, rollers: Rollers) -> None:
        self._rolling = rolling
        self._rollers = rollers

    @app_commands.command()
    @app_commands.describe(
        map="Which map: the campaign's Destination if left out; a game master imports others",
        visibility="Who sees it: left out, what the campaign's settings say",
    )
    @app_commands.choices(visibility=VISIBILITIES)
    async def destination(
        self,
        interaction: Interaction,
        map: Name = MAP,  # noqa: A002 (people read the option's name)
        visibility: str | None = None,
    ) -> None:
        """Roll where to: 2d6 and a coin for the region, 2d6 and a coin for the city."""
        options = roll_options(visibility=visibility)
        answer = await self._rolling.destination(caller(interaction), map, options)
        await reply(interaction, self._rolling, answer)

    @destination.autocomplete("map")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest maps of the campaign."""
        return choices(await self._rollers.suggest_maps(caller(interaction), typed))


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(DestinationCog(bot.app.rolling, bot.app.rollers))
