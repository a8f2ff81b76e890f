"""/game: choose the game of a campaign, whose words /roll understands."""

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Select, View

from bot.campaign.imports import read_file
from bot.client import Evenhand
from bot.rulebooks.book import FILE_LIMIT, builtin_games
from bot.words.cards import Card
from bot.words.games import shipped
from bot.words.saying import say
from cogs.game import words
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    NAME,
    NUMBER,
    OPTIONS_LIMIT,
    ButtonHandler,
    ComponentHandler,
    Interaction,
    caller,
    chosen_value,
    in_lists,
)
from cogs.kit.replies import read_attachment

_KEY = app_commands.Range[str, 1, 60]


class GameCog(commands.GroupCog, name="game", description="Play by a game's own words."):
    """The game of a campaign."""

    @app_commands.command(name="list")
    async def index(self, interaction: Interaction) -> None:
        """Show all games."""
        played = await interaction.client.app.games.current(caller(interaction))
        await send(interaction, words.listing(shipped().values(), played), *_lists(), private=True)

    @app_commands.command()
    async def show(self, interaction: Interaction, game: _KEY = "") -> None:
        """Show how to type a game's rolls.

        :param game: Which game (the one played here)
        """
        await send(interaction, await _game_card(interaction, game), private=True)

    @app_commands.command()
    async def use(self, interaction: Interaction, game: _KEY) -> None:
        """Play a game here, so that /roll understands its words.

        :param game: Which game
        """
        await _use(interaction, game)

    @app_commands.command()
    async def stop(self, interaction: Interaction) -> None:
        """Stop playing a game here."""
        await interaction.client.app.campaigns.set_rules(caller(interaction), {"game": ""})
        await send(interaction, lambda: say(words.STOPPED))

    @app_commands.command(name="import")
    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Play a game from a file.

        :param file: A game as JSON (see docs/games.md)
        """
        data = await read_attachment(interaction, file, FILE_LIMIT)
        game = await interaction.client.app.games.bring(caller(interaction), read_file(data))
        # The download deferred a private answer, because errors are private.
        await send(interaction, say("Done."), private=True)
        await send(interaction, lambda: words.used(game))

    @show.autocomplete("game")
    @use.autocomplete("game")
    async def suggest(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their word or their name."""
        query = typed.strip().casefold()
        names = {key: f"{key} {game.name}" for key, game in builtin_games().items()}
        fitting = [game for key, game in shipped().items() if query in f"{names[key]} {game.name}".casefold()]
        return [app_commands.Choice(name=game.name, value=game.key) for game in fitting[:OPTIONS_LIMIT]]


def _lists() -> list[Select[View]]:
    """Return all games as lists, each within Discord's limit of options."""
    lists = list[Select[View]]()
    for place, options in in_lists({key: game.short for key, game in shipped().items()}):
        first, *_, last = options.values()
        span = say("{first} to {last}", first=first, last=last)
        lists.append(_LIST.select(place, options=options, placeholder=span))
    return lists


async def _choose(interaction: Interaction, _place: int) -> None:
    """Show the chosen game in place of the list."""
    await edit(interaction, await _game_card(interaction, chosen_value(interaction)))


async def _game_card(interaction: Interaction, game: str) -> Card:
    asker, app = caller(interaction), interaction.client.app
    shown_game, played = await app.games.find(asker, game), await app.games.current(asker)
    return words.game_card(shown_game, played, leads=await app.campaigns.leads(asker))


async def _use(interaction: Interaction, game: str) -> None:
    """Play a game in the campaign, and announce it."""
    used = await interaction.client.app.games.use(caller(interaction), game)
    await send(interaction, lambda: words.used(used))


_LIST = ComponentHandler("games", _choose, NUMBER)
USE = ButtonHandler("game-use", "Play it here", _use, NAME)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(GameCog())
