"""/me: a user's character in the campaign, with its numbers and saved rolls."""

from collections.abc import Mapping
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import TextDisplay

from bot.campaign.characters import must_have_room
from bot.campaign.sheets import SHEET_LIMIT, Sheet, bonuses, read_sheet
from bot.client import Evenhand
from bot.dice.errors import SpecError
from bot.words.saying import say
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    NAME,
    NUMBER,
    ButtonHandler,
    ComponentHandler,
    Field,
    Interaction,
    PersistentForm,
    caller,
    caller_and_campaign,
    chosen_value,
    parts_of,
)
from cogs.kit.options import CharacterName, Name, roll_options
from cogs.kit.prompts import roll
from cogs.kit.replies import read_attachment
from cogs.me import words

_Numbers = app_commands.Range[str, 1, 400]


class MeCog(commands.Cog, name="Me"):
    """Characters and saved rolls."""

    @app_commands.command()
    @app_commands.rename(numbers="set")
    async def me(
        self,
        interaction: Interaction,
        numbers: _Numbers = "",
        use: CharacterName = "",
        new: Name = "",
        file: discord.Attachment | None = None,
    ) -> None:
        """Show your character: numbers for your dice, such as 1d20+str.

        :param numbers: Set numbers, such as str 3, stealth dex+prof
        :param use: Use another of your characters
        :param new: Make another character of this name
        :param file: Read numbers from lines, CSV or JSON
        """
        if new and use:
            raise SpecError("Make a character, or use one that you have. Leave one out.")
        characters, asker = interaction.client.app.characters, caller(interaction)
        sheet = await _read(interaction, file) if file else None
        if new:
            await characters.new(asker, new, numbers)
        elif use:
            await characters.use(asker, use, numbers)
        elif numbers:
            await characters.set(asker, numbers)
        if sheet:
            scored = await _has_scores(interaction, sheet.numbers)
            await send(interaction, words.read(sheet, scored=scored), private=True)
        else:
            await _show(interaction)


async def _show(interaction: Interaction, *, in_place: bool = False) -> None:
    """Show the user's character, in a new message or `in_place` of the pressed one."""
    app, (asker, campaign_id) = interaction.client.app, await caller_and_campaign(interaction)
    own, saved = await app.characters.mine(asker), await app.saved.all(asker)
    numbers = tuple(own[0].numbers.items()) if own else ()
    game = (await app.saved.names(asker)).game
    scored = bool(numbers) and bonuses(numbers, game.scores if game else ()) != numbers
    # Where no dice are usual, a number is what the dice are compared with, or how many they are.
    signed = game is None or bool(game.usual)
    names = [name for name, _ in saved]
    card = words.character_card(own[0] if own else None, names, campaign_id, scored=scored, signed=signed)
    others = {f"@{character.name}": character.name or say("Without a name") for character in own[1:]}
    lists = [_USE.select(campaign_id, options=others, placeholder=say("Use another"))] if others else []
    if in_place:
        await edit(interaction, card, *lists)
    else:
        await send(interaction, card, *lists, private=True)


async def _read(interaction: Interaction, file: discord.Attachment) -> Sheet:
    """Return the numbers of a file."""
    data = await read_attachment(interaction, file, SHEET_LIMIT)
    try:
        return read_sheet(data.decode())
    except UnicodeDecodeError:
        raise SpecError("That file isn't text. Send lines, CSV or JSON.") from None


async def _has_scores(interaction: Interaction, numbers: tuple[tuple[str, str], ...]) -> bool:
    """Return whether some of these numbers are scores, which can be turned into bonuses."""
    return bool(numbers) and bonuses(numbers, await _scores(interaction)) != numbers


async def _scores(interaction: Interaction) -> tuple[str, ...]:
    """Return the names of the numbers that are scores in the campaign's game."""
    game = (await interaction.client.app.saved.names(caller(interaction))).game
    return game.scores if game else ()


async def _keep_bonuses(interaction: Interaction) -> None:
    """Save the numbers of the message, or else of the character, with scores turned into bonuses."""
    own = await interaction.client.app.characters.mine(caller(interaction))
    await _keep(interaction, await _scores(interaction), own[0].lines if own else "")


async def _keep(interaction: Interaction, scores: tuple[str, ...] = (), own: str = "") -> None:
    """Save the numbers of the message, or else `own`; those named in `scores` become bonuses."""
    texts = (part.content for part in parts_of(interaction.message) if isinstance(part, TextDisplay))
    content = interaction.message.content if interaction.message else ""
    match = words.NUMBERS_BLOCK.search("\n".join([content, *texts]))
    numbers = match[1] if match else own
    if not numbers:
        raise SpecError(words.READ_ON)
    await interaction.client.app.characters.set(caller(interaction), numbers, scores)
    await _show(interaction, in_place=True)


async def _edit(interaction: Interaction, shown_in: int, name: str) -> None:
    """Open the form with the character's name and numbers."""
    character = await interaction.client.app.characters.find(caller(interaction, shown_in), name)
    texts = {"name": character.name, "numbers": character.lines}
    await CharacterForm.open(interaction, shown_in, character.name, **texts)


async def _export(interaction: Interaction, shown_in: int, name: str) -> None:
    """Send the numbers as a file that `/me file:` reads."""
    character = await interaction.client.app.characters.find(caller(interaction, shown_in), name)
    file = discord.File(BytesIO(character.lines.encode()), f"{character.name or 'numbers'}.txt")
    await send(interaction, say(words.EXPORTED), file=file, private=True)


async def _ask_remove(interaction: Interaction, shown_in: int, name: str) -> None:
    """Ask for confirmation before a character is removed."""
    await interaction.client.app.characters.find(caller(interaction, shown_in), name)
    await send(interaction, words.confirm(name, shown_in), private=True)


async def _remove(interaction: Interaction, shown_in: int, name: str) -> None:
    """Remove a character."""
    await interaction.client.app.characters.remove(caller(interaction, shown_in), name)
    await edit(interaction, lambda: words.removed(name))


async def _roll(interaction: Interaction, name: str) -> None:
    """Roll a saved roll."""
    await roll(interaction, name, 1, roll_options())


async def _use(interaction: Interaction, shown_in: int) -> None:
    """Use the chosen character."""
    name = chosen_value(interaction).removeprefix("@")
    await interaction.client.app.characters.use(caller(interaction, shown_in), name)
    await _show(interaction, in_place=True)


async def _ask_name(interaction: Interaction) -> None:
    """Open the form for another character, unless the user has as many as they may have."""
    must_have_room(len(await interaction.client.app.characters.mine(caller(interaction))))
    await NewForm.open(interaction)


class CharacterForm(
    PersistentForm, title="Your character", word="me-edit", fields=(NUMBER, NAME), file=__file__
):
    """Asks for a character's name and numbers."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Save the character, and show it."""
        (shown_in, old), characters = self.values, interaction.client.app.characters
        await characters.edit(caller(interaction, shown_in), old, typed["name"], typed["numbers"])
        await _show(interaction, in_place=True)


class NewForm(PersistentForm, title="New character", word="me-new", file=__file__):
    """Asks for another character's name."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Create the character, and show it."""
        await interaction.client.app.characters.new(caller(interaction), typed["name"])
        await _show(interaction, in_place=True)


_USE = ComponentHandler("me-use", _use, NUMBER)
EDIT = ButtonHandler("me-edit", "Edit…", _edit, NUMBER, NAME)
NEW = ButtonHandler("me-new", "New character…", _ask_name)
EXPORT = ButtonHandler("me-export", "Export", _export, NUMBER, NAME)
REMOVE = ButtonHandler("me-remove", "Remove", _ask_remove, NUMBER, NAME)
GONE = ButtonHandler("me-gone", "Remove", _remove, NUMBER, NAME, style="danger")
KEEP = ButtonHandler("me-keep", "Keep", _keep, style="primary")
BONUSES = ButtonHandler("me-bonuses", "Turn scores into bonuses", _keep_bonuses)
ROLL = ButtonHandler("me-roll", str, _roll, Field(r".{1,32}"))


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(MeCog())
