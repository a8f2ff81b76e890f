"""/help: six topics, each with a button to try it."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.words.saying import say
from cogs.help import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import ButtonHandler, Field, Interaction


class HelpCog(commands.Cog, name="Help"):
    """The help."""

    @app_commands.command(name="help")
    async def show(self, interaction: Interaction) -> None:
        """Show what I can do."""
        await send(interaction, words.page("roll", interaction.client.app.contact_url), private=True)


async def _turn(interaction: Interaction, name: str) -> None:
    """Show another topic in place of the current one."""
    await edit(interaction, lambda: words.page(name, interaction.client.app.contact_url))


TURN = ButtonHandler(
    "help", lambda name: say(words.TOPICS[name]["title"]), _turn, Field("|".join(words.TOPICS))
)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(HelpCog())
