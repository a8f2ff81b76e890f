"""/d100: a hundred-sided roll out of six-sided dice, through the accumulation register."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.services.rolling import Rolling
from cogs.shared.asking import asked
from cogs.shared.telling import tell

Dice = app_commands.Range[int, 1, 9]


class D100Cog(commands.GroupCog, name="d100", description="A d100 out of six-sided dice."):
    """Roll a d100 with d6s."""

    def __init__(self, rolling: Rolling) -> None:
        self._rolling = rolling

    @app_commands.command()
    @app_commands.describe(dice="How many six-sided dice are added to your register: 4 unless you say so")
    async def roll(self, interaction: discord.Interaction[Evenhand], dice: Dice = 4) -> None:
        """Throw six-sided dice, add them to your register, and read a value of 1 to 100."""
        await tell(interaction, self._rolling, await self._rolling.register(asked(interaction), dice))


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(D100Cog(bot.house.rolling))
