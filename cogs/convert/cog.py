"""/convert: how to roll any die exactly with other dice in the fewest rolls, and a button that does."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.campaign.command import RollOptions
from bot.client import Evenhand
from bot.d100.conversion import VALUES_LIMIT, read_dice
from bot.d100.method import Method
from bot.systems.registry import read_spec
from cogs.convert import words
from cogs.kit.buttons import NUMBER, Field, KindOfButton, add_buttons, row
from cogs.kit.context import Interaction, caller
from cogs.kit.replies import reply

Source = app_commands.Range[str, 1, 40]
Values = app_commands.Range[int, 2, VALUES_LIMIT]
Rolls = app_commands.Range[int, 1, 20]


class ConvertCog(commands.Cog, name="Convert"):
    """Show how to roll a die with others."""

    @app_commands.command()
    @app_commands.rename(source="from", values="to", most="rolls")
    @app_commands.describe(
        source="The dice you have, such as d6, or d6 + d4 for dice that take turns",
        values="How many sides the die has that you want: 20 for a d20",
        most="At most so many rolls; left out, as few as possible",
    )
    async def convert(
        self, interaction: Interaction, source: Source, values: Values, most: Rolls | None = None
    ) -> None:
        """Show how to roll any die exactly with other dice, and how many rolls it takes."""
        dice = read_dice(source)
        text = await asyncio.to_thread(words.conversion, dice, values, most)
        button = ROLL(".".join(map(str, dice)), values)
        await interaction.response.send_message(text, view=row(button), ephemeral=True)


def _label(_dice: str, values: int) -> str:
    return f"Roll a d{values}"


async def _roll(interaction: Interaction, dice: str, values: int) -> None:
    """Roll by the table, seen by those who see the campaign's rolls."""
    app = interaction.client.app
    way = Method("table", tuple(map(int, dice.split("."))), values)
    read_spec(way.as_spec())  # an id that was tampered with is refused in words
    await reply(interaction, app.rolling, await app.d100.roll(caller(interaction), way, RollOptions()))


ROLL = KindOfButton("convert", _label, _roll, Field(r"\d+(?:\.\d+)*", str), NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the button under its answers."""
    add_buttons(bot, ROLL)
    await bot.add_cog(ConvertCog())
