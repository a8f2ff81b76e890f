"""/d100: a d100 out of six-sided dice, by the accumulation register or any other way, and with real dice."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import Real, Start
from bot.campaign.visibility import Visibility
from bot.client import Evenhand
from bot.d100.catalogue import catalogue
from bot.d100.physical import read_faces
from bot.d100.register import DICE_LIMIT, Register
from bot.dice.errors import SpecError
from bot.services.administration import Administration
from bot.services.d100 import D100, METHODS, is_complete
from bot.services.rolling import Rolling
from cogs.d100 import words
from cogs.d100.keys import KEY, keys
from cogs.kit.buttons import add_buttons
from cogs.kit.choices import DiceText
from cogs.kit.context import Interaction, caller
from cogs.kit.replies import reply

Dice = app_commands.Range[int, 1, DICE_LIMIT]
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

    def __init__(self, rolling: Rolling, d100: D100, administration: Administration) -> None:
        self._rolling = rolling
        self._d100 = d100
        self._administration = administration

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
        asking, options = caller(interaction), RollOptions(practice=practice)
        if method == Register.name:
            answer = await self._rolling.register(asking, _DICE if dice is None else dice, options=options)
        elif method not in METHODS:
            raise SpecError("There is no such method. /d100 methods shows them all.")
        elif dice is not None:
            raise SpecError(f"The method {method} knows how many dice it needs. Only the register asks you.")
        else:
            answer = await self._d100.roll(asking, METHODS[method], options)
        await reply(interaction, self._rolling, answer)

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
        real, faces = Real(method), read_faces(dice)
        if is_complete(faces, real) or (faces and real is Real.REGISTER):
            answer = await self._d100.physical(caller(interaction), faces, real, RollOptions())
            await reply(interaction, self._rolling, answer)
            return
        rules = await self._administration.rules(caller(interaction))
        await interaction.response.send_message(
            words.entering(real, faces, interaction.user.id),
            view=keys(real, interaction.user.id, interaction.id, faces),
            ephemeral=rules.visibility is not Visibility.PUBLIC,
        )

    @app_commands.command()
    async def methods(self, interaction: Interaction) -> None:
        """Compare all ways to a d100: how even they are, and how many dice they take."""
        known = await asyncio.to_thread(catalogue, 6, 100)
        await interaction.response.send_message(words.methods(known), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(start="Where it begins: at 0 if left out")
    @app_commands.choices(start=STARTS)
    async def reset(self, interaction: Interaction, start: str = Start.ZERO) -> None:
        """Reset your own register to 0, or to a random value that everybody sees."""
        event = await self._d100.reset(caller(interaction), Start(start))
        await interaction.response.send_message(words.reset(event))


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the keys for real dice."""
    add_buttons(bot, KEY)
    await bot.add_cog(D100Cog(bot.app.rolling, bot.app.d100, bot.app.administration))
