"""/lab: tune a system for an evening, convert dice, compare d100 methods, show random sources."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.campaign.d100_rolls import RollMethod
from bot.client import Evenhand
from bot.d100.catalogue import catalogue
from bot.d100.conversion import VALUES_LIMIT as SIDES_LIMIT
from bot.d100.conversion import read_dice
from bot.d100.method import Method
from bot.d100.rules import TEXT_LIMIT, score_rule
from bot.dice.errors import SpecError
from bot.stats.tuner import SAMPLES_LIMIT, VALUES_LIMIT
from bot.systems.registry import read_spec
from bot.words import d100
from bot.words.cards import CardButton
from cogs.kit.cards import send
from cogs.kit.interactions import NUMBER, ButtonHandler, Field, Interaction, caller
from cogs.kit.options import DiceText, Suggested, roll_options
from cogs.kit.replies import reply
from cogs.lab import words
from cogs.lab.tuning import Tuner

Roller = app_commands.Transform[str, Suggested(200, lambda app: app.rollers.suggest)]
Values = app_commands.Range[int, 2, VALUES_LIMIT]
Samples = app_commands.Range[int, 1, SAMPLES_LIMIT]
Percent = app_commands.Range[int, 50, 99]
Source = app_commands.Range[str, 1, 40]
Sides = app_commands.Range[int, 2, SIDES_LIMIT]
RuleText = app_commands.Range[str, 1, TEXT_LIMIT]
DieSides = app_commands.Range[int, 2, 100]
Rolls = app_commands.Range[int, 1, 20]


class LabCog(commands.GroupCog, name="lab", description="Try out dice and methods."):
    """Commands to try out dice and methods."""

    def __init__(self) -> None:
        self._tuner = Tuner()

    @app_commands.command()
    @app_commands.rename(most="to")
    async def tune(
        self,
        interaction: Interaction,
        values: Values | None = None,
        samples: Samples = 25,
        unpredictability: Percent | None = None,
        roller: Roller | None = None,
        beside: Roller | None = None,
        dice: DiceText | None = None,
        most: Samples | None = None,
    ) -> None:
        """Find the dice with the most even luck that stay hard to guess.

        :param values: Sides of the die (6)
        :param samples: Rolls in an evening, about (25)
        :param unpredictability: Per cent of plain dice (90): 99 is nearly plain, 80 very even
        :param roller: Show one of your rollers instead, over that many rolls
        :param beside: Compare it with another roller
        :param dice: Instead of values: dice such as 2d6, or results such as wood 4, brick 3
        :param most: If you can't know how many rolls: samples is the fewest, this the most
        """
        if dice and values:
            raise SpecError("Give `values` or `dice`. Leave one out.")
        names = [name for name in (roller, beside) if name]
        if names and most:
            raise SpecError("Rollers are shown over `samples` rolls. Leave `to` out.")
        evening = range(samples, (most or samples) + 1)
        await self._tuner.answer(interaction, dice or values, evening, unpredictability, names)

    @app_commands.command()
    @app_commands.rename(source="from", values="to", most="rolls")
    async def convert(
        self,
        interaction: Interaction,
        source: Source,
        values: Sides,
        most: Rolls | None = None,
        thrown: DiceText = "",
    ) -> None:
        """Roll any die exactly with other dice.

        :param source: The dice you have, such as d6, or d6 + d4 to take turns
        :param values: Sides of the die you want: 20 for a d20
        :param most: Use at most this many rolls (as few as possible)
        :param thrown: The dice you threw by hand, in order, such as 4 5 1: they make the die
        """
        dice = read_dice(source)
        if thrown:
            if most:
                raise SpecError("Your dice go by the whole table. Leave `rolls` out.")
            command = RollMethod(Method("table", dice, values), options=roll_options(thrown=thrown))
            await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), command))
            return
        button = CardButton("convert", (".".join(map(str, dice)), values))
        card = await asyncio.to_thread(d100.conversion_card, dice, values, most, button)
        await send(interaction, card, private=True)

    @app_commands.command()
    async def methods(self, interaction: Interaction) -> None:
        """Compare all ways to a d100: how even they are, how many dice they take."""
        catalogued = await asyncio.to_thread(catalogue, 6, 100)
        await send(interaction, d100.methods(catalogued), private=True)

    @app_commands.command()
    async def score(
        self, interaction: Interaction, rule: RuleText, dice: DieSides = 6, values: Sides = 100
    ) -> None:
        """Score your own rule for a d100: how even it is, how many dice it takes.

        :param rule: Such as 20d6-20 mod 100, or 36*(a-1)+6*(b-1)+c, reroll if total>200
        :param dice: Sides of the dice a, b, c (6)
        :param values: Values that the rule makes (100)
        """
        figures = await asyncio.to_thread(score_rule, rule, dice, values)
        catalogued = await asyncio.to_thread(catalogue, dice, values)
        await send(interaction, d100.score_card(rule, figures, catalogued), private=True)

    @app_commands.command()
    async def sources(self, interaction: Interaction) -> None:
        """Show where the dice get their random bits."""
        report = await interaction.client.app.health.randomness(caller(interaction))
        await send(interaction, words.answer(report), private=True)


async def _convert(interaction: Interaction, dice: str, values: int) -> None:
    """Roll by the table method, with the campaign's visibility."""
    way = Method("table", tuple(map(int, dice.split("."))), values)
    read_spec(way.as_spec())  # refuses a forged id with a message
    await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), RollMethod(way)))


async def _figures(interaction: Interaction) -> None:
    """Send all figures of the methods to the presser."""
    catalogued = await asyncio.to_thread(catalogue, 6, 100)
    await send(interaction, d100.all_figures(catalogued), private=True)


METHODS = ButtonHandler("methods", "Details", _figures)
_DICE, _VALUES = Field(r"\d+(?:\.\d+)*"), Field(NUMBER.pattern, int, name="values")
CONVERT = ButtonHandler("convert", "Roll a d{values}", _convert, _DICE, _VALUES)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(LabCog())
