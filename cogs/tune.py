"""/tune: which system suits an evening, as figures and a chart, with buttons that make it."""

import asyncio
import re
from fractions import Fraction
from io import BytesIO
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.campaign.rollers import Remembers
from bot.client import Evenhand
from bot.dice.bases import Json
from bot.dice.system import print_decimal
from bot.render import rollers as render_rollers
from bot.render import tuning as render
from bot.render.curves import curves_chart
from bot.stats.advice import Advice, advise
from bot.stats.tuner import SAMPLES_LIMIT, VALUES_LIMIT, best_deck
from cogs.shared.asking import asked, person
from cogs.shared.pressing import Press, PressButton, row

Values = app_commands.Range[int, 2, VALUES_LIMIT]
Samples = app_commands.Range[int, 1, SAMPLES_LIMIT]
Percent = app_commands.Range[int, 50, 99]


class TuneCog(commands.Cog, name="Tune"):
    """Find the parameters for an evening."""

    def __init__(self) -> None:
        # One at a time: the longest searches take seconds, and rolls want the processor too.
        self._turn = asyncio.Semaphore(1)

    @app_commands.command()
    @app_commands.describe(
        values="How many equally likely results: 6 for a d6",
        samples="How many rolls an evening has, about: 25 unless you say so",
        unpredictability="In per cent of plain dice: 90 unless you say so; 99 is hardly tamed, 80 tightly",
    )
    async def tune(
        self,
        interaction: discord.Interaction[Evenhand],
        values: Values = 6,
        samples: Samples = 25,
        unpredictability: Percent = 90,
    ) -> None:
        """Find the deck and the dice with the most even luck at an unpredictability."""
        await interaction.response.defer()
        wanted = Fraction(unpredictability, 100)
        # The deck is known at once, and said; the dice and the chart take their time.
        deck = await asyncio.to_thread(best_deck, values, samples, wanted)
        heading = render.title(values, samples, str(unpredictability))
        message = await interaction.followup.send(render.beginning(heading, deck), wait=True)
        async with self._turn:
            advice = await asyncio.to_thread(advise, values, samples, wanted)
            chart = await asyncio.to_thread(curves_chart, advice)
        picture = discord.File(BytesIO(chart.png), "tune.png", description=chart.alt)
        await message.edit(content=render.summary(advice), attachments=[picture], view=_buttons(advice))


class MakeDice(PressButton, template=r"tune:f:(?P<values>\d{1,2}):(?P<factor>[\d.]{1,8})"):
    """Makes the dynamic dice that were found; its id holds their parameters."""

    def __init__(self, values: int, factor: str) -> None:
        super().__init__(Button(label="Make the dice (GM)", custom_id=f"tune:f:{values}:{factor}"))
        self.values = values
        self.factor = factor

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["values"]), match["factor"])

    async def press(self, interaction: Press) -> None:
        """Make the dice, and tell everybody."""
        spec: dict[str, Json] = {"system": "dynamic", "base": f"1d{self.values}", "factor": self.factor}
        await _make(interaction, f"Even d{self.values}", spec)


class MakeDeck(PressButton, template=r"tune:d:(?P<values>\d{1,2}):(?P<size>\d{1,2}):(?P<refill>\d{1,2})"):
    """Makes the deck that was found; its id holds its parameters."""

    def __init__(self, values: int, size: int, refill: int) -> None:
        super().__init__(Button(label="Make the deck (GM)", custom_id=f"tune:d:{values}:{size}:{refill}"))
        self.values = values
        self.size = size
        self.refill = refill

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: Item[View], match: re.Match[str]
    ) -> Self:
        """The button as its id names it."""
        return cls(int(match["values"]), int(match["size"]), int(match["refill"]))

    async def press(self, interaction: Press) -> None:
        """Make the deck, and tell everybody."""
        spec: dict[str, Json] = {
            "system": "deck",
            "base": f"1d{self.values}",
            "size": self.size,
            "refill": self.refill,
        }
        await _make(interaction, f"Deck d{self.values} {self.size}-{self.refill}", spec)


async def _make(interaction: Press, name: str, spec: dict[str, Json]) -> None:
    made = await interaction.client.house.rollers.make(
        asked(interaction), person(interaction), name, spec, Remembers.TABLE
    )
    await interaction.response.send_message(render_rollers.made(*made))


def _buttons(advice: Advice) -> View:
    tuning = advice.tuning
    dice = MakeDice(tuning.values, print_decimal(tuning.optimum.factor))
    if tuning.deck is None:
        return row(dice)
    return row(dice, MakeDeck(tuning.values, tuning.deck.size, tuning.deck.refill))


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the buttons that make what was found."""
    bot.add_dynamic_items(MakeDice, MakeDeck)
    await bot.add_cog(TuneCog())
