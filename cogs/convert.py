"""/convert: any die out of any others, with the fewest rolls there can be, and a button that rolls it."""

import asyncio
import re
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.client import Evenhand
from bot.d100.conversion import VALUES_LIMIT, read_dice
from bot.d100.method import Method
from bot.render import d100 as render
from bot.systems.registry import read_spec
from cogs.shared.asking import asked
from cogs.shared.pressing import Press, PressButton, row
from cogs.shared.telling import tell

Text = app_commands.Range[str, 1, 40]
Values = app_commands.Range[int, 2, VALUES_LIMIT]
Rolls = app_commands.Range[int, 1, 20]


class ConvertCog(commands.Cog, name="Convert"):
    """One die out of another."""

    @app_commands.command()
    @app_commands.rename(source="from", values="to", most="rolls")
    @app_commands.describe(
        source="The dice you have, such as d6, or d6 + d4 for dice that take turns",
        values="How many sides the die has that you want: 20 for a d20",
        most="In at most so many rolls; left out, as few as can be",
    )
    async def convert(
        self,
        interaction: discord.Interaction[Evenhand],
        source: Text,
        values: Values,
        most: Rolls | None = None,
    ) -> None:
        """Show how to roll any die exactly with other dice, and how many rolls it takes."""
        dice = read_dice(source)
        said = await asyncio.to_thread(render.conversion, dice, values, most)
        await interaction.response.send_message(said, view=row(RollIt(dice, values)), ephemeral=True)


class RollIt(PressButton, template=r"convert:(?P<dice>\d+(?:\.\d+)*):(?P<values>\d+)"):
    """A roll by the table; its id holds the dice and the number of values."""

    def __init__(self, dice: tuple[int, ...], values: int) -> None:
        custom_id = f"convert:{'.'.join(map(str, dice))}:{values}"
        super().__init__(Button(label=f"Roll a d{values}", custom_id=custom_id))
        self.dice = dice
        self.values = values

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(tuple(map(int, match["dice"].split("."))), int(match["values"]))

    async def press(self, interaction: Press) -> None:
        """Roll, seen by those who see the campaign's rolls."""
        house = interaction.client.house
        way = Method("table", self.dice, self.values)
        read_spec(way.as_spec())  # an id that was tampered with is refused in words
        answer = await house.d100.roll(asked(interaction, visibility=None), way)
        await tell(interaction, house.rolling, answer)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the button under its answers."""
    bot.add_dynamic_items(RollIt)
    await bot.add_cog(ConvertCog())
