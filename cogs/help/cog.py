"""/help: six topics, each with something to do."""

from discord import app_commands

from bot.words.saying import say
from cogs.help import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import Field, Interaction, KindOfButton


@app_commands.command(name="help")
async def show(interaction: Interaction) -> None:
    """Show what I can do."""
    await send(interaction, words.page("roll", interaction.client.app.page), private=True)


async def _turn(interaction: Interaction, name: str) -> None:
    """Show a topic in place of the one before."""
    await edit(interaction, lambda: words.page(name, interaction.client.app.page))


TURN = KindOfButton(
    "help", lambda name: say(words.TOPICS[name].title), _turn, Field("|".join(words.TOPICS), str)
)
