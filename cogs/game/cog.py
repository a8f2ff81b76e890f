"""/game: which game a campaign plays, so that /roll understands its words."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.campaign_commands import SetRules
from bot.campaign.imports import read_file
from bot.client import Evenhand
from bot.rulebooks.book import FILE_LIMIT
from bot.services.parsing import shipped
from cogs.game import words
from cogs.kit.interactions import Interaction, caller
from cogs.kit.replies import read_attachment

_KEY = app_commands.Range[str, 1, 60]


class GameCog(commands.GroupCog, name="game", description="Play by a game's own words."):
    """Choose a game for a campaign."""

    @app_commands.command(name="list")
    async def index(self, interaction: Interaction) -> None:
        """Show all games."""
        text = words.listing(shipped().values(), await interaction.client.app.games.here(caller(interaction)))
        await interaction.response.send_message(text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(game="Which game (the one played here)")
    async def show(self, interaction: Interaction, game: _KEY = "") -> None:
        """Show how to type a game's rolls."""
        text = words.shown(await interaction.client.app.games.find(caller(interaction), game))
        await interaction.response.send_message(text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(game="Which game")
    async def use(self, interaction: Interaction, game: _KEY) -> None:
        """Play a game here, so that /roll understands its words."""
        text = words.used(await interaction.client.app.games.use(caller(interaction), game))
        await interaction.response.send_message(text)

    @app_commands.command()
    async def stop(self, interaction: Interaction) -> None:
        """Stop playing a game here."""
        await interaction.client.app.ask(caller(interaction), SetRules(None, {"game": ""}))
        await interaction.response.send_message(words.STOPPED)

    @app_commands.command(name="import")
    @app_commands.describe(file="A game as JSON (see docs/games.md)")
    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Play a game from a file."""
        data = await read_attachment(interaction, file, FILE_LIMIT)
        game = await interaction.client.app.games.bring(caller(interaction), read_file(data))
        await interaction.followup.send(words.used(game), ephemeral=False)

    @show.autocomplete("game")
    @use.autocomplete("game")
    async def suggest(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their word or their name."""
        wanted = typed.strip().casefold()
        fitting = [game for game in shipped().values() if wanted in f"{game.key} {game.name}".casefold()]
        return [app_commands.Choice(name=game.name, value=game.key) for game in fitting][:25]


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(GameCog())
