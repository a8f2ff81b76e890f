"""/roll, /r, /destination, /save, /details and "Roll details"."""

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.command import NeedsOtherHand
from bot.campaign.deals import MAP
from bot.client import Evenhand
from bot.dice import notation
from bot.dice.by_hand import numbered
from bot.dice.errors import NameTaken, NotationError, SpecError
from bot.systems.destinator import REGIONS, read_throws
from bot.words.cards import text_card
from bot.words.saying import phrase, say
from bot.words.text import coins
from cogs.kit.cards import pictures_for, send
from cogs.kit.interactions import Interaction, caller
from cogs.kit.options import DiceOrSaved, DiceText, Label, MapName, Name, OneOf, Seen, Times, roll_options
from cogs.kit.prompts import ask_instead
from cogs.kit.replies import CALL_ID, ROLL_BUTTONS, event_under, proof_file, reply
from cogs.roll import words
from cogs.roll.buttons import ask_for_hand, ask_to_save, go, offer_saved, offer_to_save, saved_rolls

Throws = app_commands.Range[str, 1, 40]
WHERE = OneOf({REGIONS: phrase("region: without a city")})
EventNumber = app_commands.Range[int, 1, 2**53 - 1]


class RollCog(commands.Cog, name="Roll"):
    """Commands to roll, to save rolls, and to inspect one."""

    @app_commands.command()
    async def roll(
        self,
        interaction: Interaction,
        dice: DiceOrSaved,
        times: Times = 1,
        label: Label = "",
        visibility: Seen | None = None,
        practice: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
        thrown: DiceText = "",
    ) -> None:
        """Roll dice, or a roller.

        :param dice: Dice such as 2d6+3 or 4d6kh3, a roller, or a saved roll
        :param times: Roll this often (1)
        :param label: What it is for
        :param visibility: Who sees it (as the campaign's settings say)
        :param practice: Roll plain dice that no roller counts
        :param thrown: Type your own dice as they fell, such as 5 2
        """
        app = interaction.client.app
        if thrown:
            thrown = numbered(await app.saved.text(caller(interaction), dice), thrown)
        options = roll_options(label, visibility, practice=practice, thrown=thrown)
        rolling = app.rolling
        try:
            answer = await rolling.roll(caller(interaction), dice, times, options, typed=True)
        except NeedsOtherHand:
            await ask_for_hand(interaction, dice, times, options)
            return
        except NotationError as refused:
            if thrown:
                raise
            await ask_instead(interaction, refused, dice, times, options)
            return
        await reply(interaction, answer)
        if answer.tags and notation.reads(dice):
            await offer_saved(interaction, answer, times, options)

    r = app_commands.Command(name="r", description=roll.description, callback=roll.callback)

    @app_commands.command()
    async def destination(
        self,
        interaction: Interaction,
        map: MapName = MAP,  # noqa: A002 (people read the option's name)
        region: Label = "",
        where: app_commands.Transform[str, WHERE] = "",
        number: Throws = "",
        dice: Throws = "",
        visibility: Seen | None = None,
    ) -> None:
        """Roll where to go: a region and a city.

        :param map: Which map (Destination)
        :param region: Roll a city of this region
        :param where: Roll the region alone (region and city)
        :param number: Type the numbers of your own throws, 1 to 72
        :param dice: Type your own throws, such as 5 2 heads
        :param visibility: Who sees it (as the campaign's settings say)
        """
        if (number and dice) or (region and where):
            raise SpecError(words.TWICE)
        thrown = read_throws(coins(number or dice)) if number or dice else ()
        options = replace(roll_options(visibility=visibility), thrown=thrown)
        await go(interaction, map, region or where, options)

    @app_commands.command()
    async def save(
        self,
        interaction: Interaction,
        name: Name | None = None,
        dice: DiceText | None = None,
        shared: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Save a roll under a name, or see the ones you saved.

        :param name: Name it: /roll takes the name
        :param dice: Dice such as 8d6, a roller, or a game's words
        :param shared: Save it for everybody in this campaign (GMs)
        """
        asker, service = caller(interaction), interaction.client.app.saved
        if name and dice:
            try:
                saved = await service.save(asker, name, dice, shared=shared, sure=False)
            except NameTaken as refused:
                if not await ask_to_save(interaction, refused, name, dice, shared=shared):
                    raise
            except NotationError as refused:
                await offer_to_save(interaction, refused, name, shared=shared)
            else:
                await send(interaction, words.saved(saved), private=True)
        elif name or dice or shared:
            raise SpecError(words.HALF)
        else:
            card, lists = await saved_rolls(interaction)
            await send(interaction, card, *lists, private=True)

    @app_commands.command(name="details")
    async def details(self, interaction: Interaction, number: EventNumber) -> None:
        """Look into a roll: its dice, its odds, its proof.

        :param number: The roll's number, such as 24
        """
        played = await interaction.client.app.histories.played(caller(interaction))
        await _show_details(interaction, played, number)


@app_commands.context_menu(name="Roll details")
async def _details(interaction: Interaction, message: discord.Message) -> None:
    """Show the details of a message's roll, or of the user's own roll for its call."""
    at = None
    if message.author == interaction.client.user:
        at = event_under(message, *(kind.custom_id for kind in ROLL_BUTTONS))
        if at is None and (call := event_under(message, CALL_ID)):
            at = call[0], await interaction.client.app.calls.own(caller(interaction), *call)
    if at is None:
        await send(interaction, text_card(say(words.NO_ROLL)), private=True)
        return
    await _show_details(interaction, *at)


async def _show_details(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Send the details of a roll, and its proof."""
    asker, app = caller(interaction), interaction.client.app
    card = words.details(
        await app.histories.details(asker, campaign_id, number), await pictures_for(interaction)
    )
    file = proof_file(await app.verifying.prove(asker, campaign_id, number))
    await send(interaction, card, file=file, private=True)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(RollCog())
    bot.tree.add_command(_details)
