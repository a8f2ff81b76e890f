"""/d100: a d100 made of six-sided dice, simulated or real."""

from discord import app_commands
from discord.ext import commands

from bot.campaign.d100_rolls import (
    METHODS,
    Real,
    ResetRegister,
    RollMethod,
    Start,
    is_complete,
    real_dice,
    roll_register,
)
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.d100.physical import read_faces
from bot.d100.register import DICE_LIMIT, Register
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms
from bot.words import d100 as words
from bot.words.cards import text_card
from bot.words.saying import phrase
from cogs.d100.keys import entering
from cogs.kit.cards import send
from cogs.kit.interactions import Interaction, caller
from cogs.kit.options import DiceText, Label, OneOf, Seen, Times, offered, roll_options
from cogs.kit.replies import reply

Dice = app_commands.Range[int, 1, DICE_LIMIT]
Target = app_commands.Range[int, 1, 1_000]
_DICE = 4
WAYS = OneOf(
    {Register.name: phrase("register: dice are added to your value before")}
    | {name: f"{name}: {way.words}" for name, way in METHODS.items()}
)
REAL, STARTS = offered(__file__, "real", Real), offered(__file__, "starts", Start)


class D100Cog(commands.GroupCog, name="d100", description="Roll a d100 with six-sided dice."):
    """Commands for a d100 made of six-sided dice."""

    @app_commands.command()
    async def roll(
        self,
        interaction: Interaction,
        dice: Dice | None = None,
        method: app_commands.Transform[str, WAYS] = Register.name,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
        dc: Target | None = None,
        under: bool | None = None,  # noqa: FBT001 (an option of the command)
        times: Times = 1,
        label: Label = "",
        visibility: Seen | None = None,
    ) -> None:
        """Roll a d100 with six-sided dice.

        :param dice: Six-sided dice to add to your register (4)
        :param method: How the dice make a d100 (register)
        :param practice: Begin at 0, and leave your register as it is
        :param dc: What the d100 must reach
        :param under: Pass at or under the DC
        :param times: Roll this often (1)
        :param label: What it is for
        :param visibility: Who sees it (as the campaign's settings say)
        """
        app, asker = interaction.client.app, caller(interaction)
        options, terms = roll_options(label, visibility, practice=practice), None
        if dc is not None:
            low = await app.targets.passes_low(asker, "d100") if under is None else under
            terms = CheckTerms(dc, low)
        elif under is not None:
            raise SpecError("At or under what? Add `dc:45`.")
        if method == Register.name:
            command = roll_register(_DICE if dice is None else dice, times, options, terms)
        elif dice is not None:
            raise SpecError(
                "The method {method} takes as many dice as it needs. Leave `dice` out, or take the register.",
                method=method,
            )
        else:
            command = RollMethod(METHODS[method], times, options, terms)
        await reply(interaction, await app.rolling.ask(asker, command))

    @app_commands.command()
    async def physical(
        self,
        interaction: Interaction,
        dice: DiceText = "",
        method: app_commands.Transform[Real, REAL] = Real.REGISTER,
    ) -> None:
        """Enter dice that you threw by hand.

        :param dice: Your dice, such as 3 5 1 6, or press them afterwards
        :param method: What they are for (your register)
        """
        app, faces = interaction.client.app, read_faces(dice)
        if is_complete(faces, method) or (faces and method is Real.REGISTER):
            await reply(interaction, await app.rolling.ask(caller(interaction), real_dice(faces, method)))
            return
        rules = await app.campaigns.rules(caller(interaction))
        private = rules.visibility is not Visibility.PUBLIC
        await send(interaction, lambda: entering(method, faces, interaction.user.id), private=private)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """Show where your register is."""
        value = await interaction.client.app.rollers.register(caller(interaction))
        await send(interaction, words.register(value), private=True)

    @app_commands.command()
    async def reset(
        self, interaction: Interaction, start: app_commands.Transform[Start, STARTS] = Start.ZERO
    ) -> None:
        """Reset your register to 0 or to a random value.

        :param start: Where it begins (0)
        """
        done = await interaction.client.app.ask(caller(interaction), ResetRegister(start))
        await send(interaction, lambda: text_card(words.reset(done.event)))


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(D100Cog())
