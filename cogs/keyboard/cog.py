"""/buttons: a lasting message with dice to press."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from cogs.keyboard import words
from cogs.keyboard.keys import KEYS, ModifierForm, show
from cogs.kit.interactions import Interaction, add_buttons, add_forms

_SETS = [app_commands.Choice(name=what, value=name) for name, (what, _) in words.SETS.items()]


class KeyboardCog(commands.Cog, name="Keyboard"):
    """Put keyboards of dice into channels."""

    @app_commands.command()
    @app_commands.rename(chosen="set")
    @app_commands.describe(
        chosen="Which keys; the campaign's game if one is played, else a d20 table",
        rolls="Rolls of your own choice with commas between, such as 1d20+5, 8d6",
    )
    @app_commands.choices(chosen=_SETS)
    async def buttons(
        self, interaction: Interaction, chosen: str = "", rolls: app_commands.Range[str, 1, 400] = ""
    ) -> None:
        """Put a message with dice to press into this channel; it stays, and everybody may press."""
        await show(interaction, "own" if rolls else chosen, rolls)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the keys."""
    add_buttons(bot, *KEYS)
    add_forms(bot, ModifierForm)
    await bot.add_cog(KeyboardCog())
