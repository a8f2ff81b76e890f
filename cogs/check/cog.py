"""/check: a roll against a DC or another roll, with or without a luck account."""

from discord import app_commands
from discord.ext import commands

from bot.campaign.checks import RollCheck, lacks_target, must_have_no_names
from bot.client import Evenhand
from bot.dice import notation
from bot.dice.errors import NotationError, SpecError
from bot.dice.naming import UnknownName
from bot.parsing.commands import split_comment
from bot.parsing.texts import split_dc
from bot.systems.checks import CONTEST, DC_LIMIT, CheckTerms, read_degrees
from bot.words.notation import before_account
from cogs.kit.interactions import Interaction, caller
from cogs.kit.options import AccountName, AnyDice, DiceText, Label, Seen, read_reference, roll_options
from cogs.kit.prompts import ask_instead
from cogs.kit.replies import reply

_AGAINST = (
    "Roll against @somebody, a roll's number such as #41, or dice such as 1d20+3. "
    "A number alone is a DC: give it as `dc`."
)
Degrees = app_commands.Range[str, 1, 400]


class CheckCog(commands.Cog, name="Check"):
    """Checks against a number."""

    @app_commands.command()
    async def check(
        self,
        interaction: Interaction,
        dice: AnyDice,
        dc: app_commands.Range[int, -DC_LIMIT, DC_LIMIT] | None = None,
        roller: AccountName = "",
        label: Label = "",
        under: bool | None = None,  # noqa: FBT001 (an option of the command)
        against: AnyDice = "",
        degrees: Degrees = "",
        visibility: Seen | None = None,
        thrown: DiceText = "",
    ) -> None:
        """Roll against a DC and see by how much you pass.

        :param dice: Dice such as 1d20+5, a roller, or a game's words
        :param dc: What the roll must reach
        :param roller: A luck account that counts it
        :param label: What it is for
        :param under: Pass at or under the DC
        :param against: Beat a roll instead: @somebody's newest, #41, or dice
        :param degrees: Name degrees of success: critical miss, -9 miss, 0 pass, 10 critical pass
        :param visibility: Who sees it (as the campaign's settings say)
        :param thrown: Type your own dice as they fell, such as 5 2
        """
        app, asker = interaction.client.app, caller(interaction)
        typed = await app.saved.in_notation(asker, dice)
        dice, comment = split_comment(typed)
        try:
            # What stands behind the dice may change the roll in the game.
            await app.targets.ask_about_game(asker, typed if comment else "")
        except NotationError as refused:
            await ask_instead(interaction, refused, typed, 1, roll_options(label, visibility))
            return
        dice, dc = _dice_and_dc(await app.targets.with_named_dc(asker, dice), dc)
        if against and (dc is not None or degrees or under is not None):
            raise SpecError(
                "A contest is against somebody's roll, so it has no DC and no degrees of its own."
            )
        must_have_no_names(notation.comment(dice))
        whole = "" if roller or thrown or against else typed
        dice, terms = await _aim(interaction, dice, dc, under=under, degrees=degrees, on_account=bool(roller))
        own, (versus, theirs, other) = dice, await _read_other_side(interaction, against)
        if theirs:
            own = before_account().split(dice, maxsplit=1)[0]
            dice, comment = f"{own} vs {theirs}{dice[len(own) :]}", comment or other
            terms = CheckTerms(0, degrees=CONTEST)
        options = roll_options(label or comment, visibility, thrown=thrown)
        command = RollCheck(dice, terms, roller, options, versus)
        try:
            await app.targets.ask_whose_dice(asker, whole, terms)
        except NotationError as refused:
            await ask_instead(interaction, refused, whole, 1, options)
            return
        try:
            await reply(interaction, await app.rolling.roll_command(asker, command))
        except NotationError as refused:
            if against and versus is None and not any(map(str.isdigit, against)):
                raise SpecError(_AGAINST) from None
            unread = refused.text.startswith("I can't read") and not refused.readings
            if terms and terms.degrees == CONTEST and unread and not notation.reads(own):
                raise SpecError(
                    "Only dice are rolled against dice at once. Roll {dice} first, and name that roll: "
                    "`against:#41`.",
                    dice=f"`{theirs}`",
                ) from None
            await _ask_instead(interaction, refused, command)


async def _aim(
    interaction: Interaction, dice: str, dc: int | None, *, under: bool | None, degrees: str, on_account: bool
) -> tuple[str, CheckTerms | None]:
    """Return dice and the check against a DC, or a game's roll with it; SpecError for terms without a DC."""
    if dc is None:
        if degrees:
            raise SpecError("Degrees of success need a DC. Add `dc`.")
        if under is not None:
            raise SpecError("At or under what? Add `dc:45`.")
        return dice, None
    targets, asker = interaction.client.app.targets, caller(interaction)
    low = await targets.passes_low(asker, dice) if under is None else under
    terms = CheckTerms(dc, low, read_degrees(degrees))
    aimed = terms.is_plain and not on_account and await targets.aim(asker, dice, dc)
    return (aimed, None) if aimed else (dice, terms)


async def _read_other_side(interaction: Interaction, against: str) -> tuple[int | None, str, str]:
    """Return the number of an opposing roll, or opposing dice and their comment; SpecError for a number."""
    app, asker = interaction.client.app, caller(interaction)
    person, number = read_reference(against)
    if against.strip().isdecimal():
        raise SpecError(_AGAINST)
    if person:
        return await app.checks.newest(asker, person), "", ""
    if not against or number is not None:
        return number, "", ""
    theirs, comment = split_comment(await app.saved.in_notation(asker, against))
    if (alone := await app.targets.number_alone(asker, theirs)) is not None:
        raise SpecError(
            "`{said}` is {n:,}, a number and no roll. Give `dc:{n}` for a DC, or dice such as 1d20+3.",
            said=theirs,
            n=alone,
        )
    return None, theirs, comment


async def _ask_instead(interaction: Interaction, refused: NotationError, command: RollCheck) -> None:
    """Offer what the dice of a check may mean or ask for numbers, if `/roll` can say it; else raise it."""
    dice, terms = command.dice, command.terms
    if command.account or command.options.thrown or command.versus is not None:
        raise refused
    if terms is None:
        # Dice lack a DC, but a game's roll needs none.
        targets, asker = interaction.client.app.targets, caller(interaction)
        if not (rolls := await targets.rolls_of_game(asker, refused.readings)):
            # Numbers are asked for once the check has a DC.
            raise lacks_target() if isinstance(refused, UnknownName) else refused
        refused.readings = rolls
    elif terms.is_plain:
        offers = await interaction.client.app.targets.offers(
            caller(interaction), dice, terms.dc, refused.readings
        )
        refused.readings, dice = (*offers,), f"{dice} vs {terms.dc}"
    elif terms.degrees != CONTEST:
        raise refused
    await ask_instead(interaction, refused, dice, 1, command.options)


def _dice_and_dc(typed: str, dc: int | None) -> tuple[str, int | None]:
    """Return dice without the DC behind them, and the DC; raise SpecError if there are two."""
    dice, number = split_dc(typed)
    if number is None:
        return typed, dc
    if dc is not None:
        raise SpecError(
            "The DC is there twice: {number} behind the dice, and {dc}. Leave one out.", number=number, dc=dc
        )
    return dice, number


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(CheckCog())
