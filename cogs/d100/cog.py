"""/d100 and /convert: a d100 out of six-sided dice, real dice too, and any die out of any others."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import Real, ResetRegister, RollMethod, Start
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollRegister
from bot.client import Evenhand
from bot.d100.catalogue import catalogue
from bot.d100.conversion import VALUES_LIMIT, read_dice
from bot.d100.method import Method
from bot.d100.physical import read_faces
from bot.d100.register import DICE_LIMIT, Register
from bot.dice.errors import SpecError
from bot.services.d100 import METHODS, is_complete, real_dice
from bot.systems.registry import read_spec
from bot.words import d100 as words
from bot.words.cards import CardButton, said
from cogs.d100.keys import KEY, entering
from cogs.kit.cards import send
from cogs.kit.interactions import NUMBER, DiceText, Field, Interaction, KindOfButton, add_buttons, caller
from cogs.kit.replies import reply

Dice = app_commands.Range[int, 1, DICE_LIMIT]
Source = app_commands.Range[str, 1, 40]
Values = app_commands.Range[int, 2, VALUES_LIMIT]
Rolls = app_commands.Range[int, 1, 20]
_DICE = 4
WAYS = [
    app_commands.Choice(name="register: dice are added to your value before", value=Register.name),
    *(app_commands.Choice(name=f"{name}: {way.words}", value=name) for name, way in METHODS.items()),
]
REAL = [
    app_commands.Choice(name="register: added to your value before", value=Real.REGISTER),
    app_commands.Choice(name="table: exact; it asks for more dice when it needs them", value=Real.TABLE),
]
STARTS = [
    app_commands.Choice(name="0", value=Start.ZERO),
    app_commands.Choice(name="random: drawn now, for everybody to see", value=Start.RANDOM),
]


class D100Cog(commands.GroupCog, name="d100", description="A d100 out of six-sided dice."):
    """Roll a d100 with d6s."""

    @app_commands.command()
    @app_commands.describe(
        dice="How many six-sided dice are added to your register: 4 if left out",
        method="How the dice make a d100: the register if left out; /d100 methods compares them",
        practice="A roll that begins at 0, and that your register does not count",
    )
    @app_commands.choices(method=WAYS)
    async def roll(
        self,
        interaction: Interaction,
        dice: Dice | None = None,
        method: str = Register.name,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Roll six-sided dice, and read a value of 1 to 100 off them."""
        options = RollOptions(practice=practice)
        if method == Register.name:
            command = RollRegister(_DICE if dice is None else dice, options=options)
        elif method not in METHODS:
            raise SpecError("There is no such method. /d100 methods shows them all.")
        elif dice is not None:
            raise SpecError(f"The method {method} knows how many dice it needs. Only the register asks you.")
        else:
            command = RollMethod(METHODS[method], options=options)
        await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), command))

    @app_commands.command()
    @app_commands.describe(
        dice="What your own dice show, such as 3 5 1 6; left out, you press them",
        method="What they are for: your register if left out",
    )
    @app_commands.choices(method=REAL)
    async def physical(
        self, interaction: Interaction, dice: DiceText = "", method: str = Real.REGISTER
    ) -> None:
        """Enter dice that you threw yourself; the result is marked as thrown by hand."""
        app, real, faces = interaction.client.app, Real(method), read_faces(dice)
        if is_complete(faces, real) or (faces and real is Real.REGISTER):
            answer = await app.rolling.ask(caller(interaction), real_dice(faces, real))
            await reply(interaction, answer)
            return
        rules = await app.campaigns.rules(caller(interaction))
        private = rules.visibility is not Visibility.PUBLIC
        await send(interaction, entering(real, faces, interaction.user.id), private=private)

    @app_commands.command()
    async def methods(self, interaction: Interaction) -> None:
        """Compare all ways to a d100: how even they are, and how many dice they take."""
        known = await asyncio.to_thread(catalogue, 6, 100)
        await send(interaction, said(words.methods(known)), private=True)

    @app_commands.command()
    @app_commands.describe(start="Where it begins: at 0 if left out")
    @app_commands.choices(start=STARTS)
    async def reset(self, interaction: Interaction, start: str = Start.ZERO) -> None:
        """Reset your own register to 0, or to a random value that everybody sees."""
        done = await interaction.client.app.ask(caller(interaction), ResetRegister(Start(start)))
        await send(interaction, said(words.reset(done.event)))


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
        button = CardButton("convert", (".".join(map(str, dice)), values))
        await send(interaction, said(text, button), private=True)


def _label(_dice: str, values: int) -> str:
    return f"Roll a d{values}"


async def _convert(interaction: Interaction, dice: str, values: int) -> None:
    """Roll by the table, seen by those who see the campaign's rolls."""
    way = Method("table", tuple(map(int, dice.split("."))), values)
    read_spec(way.as_spec())  # an id that was tampered with is refused in words
    await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), RollMethod(way)))


CONVERT = KindOfButton("convert", _label, _convert, Field(r"\d+(?:\.\d+)*", str), NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the cogs, the keys for real dice, and the button under a conversion."""
    add_buttons(bot, KEY, CONVERT)
    await bot.add_cog(D100Cog())
    await bot.add_cog(ConvertCog())
