"""/buttons: a lasting message with dice to press."""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.campaign.caller import Caller
from bot.client import Evenhand
from bot.dice import notation
from bot.dice.errors import NotationError, SpecError
from bot.rulebooks.book import Game
from bot.services.games import Games
from bot.services.rollers import Rollers
from bot.services.saved import Saved
from bot.services.shelf import reads_as_game
from cogs.keyboard import words
from cogs.keyboard.keys import KEYS, Key, ModifierForm, keyboard
from cogs.kit.buttons import add_buttons
from cogs.kit.context import Interaction, caller
from cogs.kit.forms import receive

_SETS = [app_commands.Choice(name=what, value=name) for name, (what, _) in words.SETS.items()]


class KeyboardCog(commands.Cog, name="Keyboard"):
    """Put keyboards of dice into channels."""

    def __init__(self, games: Games, saved: Saved, rollers: Rollers) -> None:
        self._games = games
        self._saved = saved
        self._rollers = rollers

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
        asker, chosen = caller(interaction), "own" if rolls else chosen
        played = await self._games.here(asker)
        title, keys = await self._keys(asker, chosen, rolls, played.game)
        if played.rules.faces:
            pictures = interaction.client.pictures
            keys = [replace(key, picture=words.picture(key.text, pictures)) for key in keys]
        await interaction.response.send_message(words.put(title), view=keyboard(keys, interaction.user.id))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Take the form that asks for a modifier."""
        await receive(interaction, ModifierForm)

    async def _keys(self, asker: Caller, chosen: str, rolls: str, game: Game | None) -> tuple[str, list[Key]]:
        """Return a title and the keys where this game is played; SpecError where a set has none."""
        if chosen == "own":
            return words.SETS["own"][0], await self._own(asker, rolls, game)
        if chosen == "saved":
            saved = [*await self._saved.all(asker), *await self._saved.shared(asker)]
            if not saved:
                raise SpecError(words.NO_SAVED)
            return words.SETS["saved"][0], [Key(text, name) for name, text in saved]
        if game and chosen in {"", "game"}:
            return game.name, [Key(text, text.removeprefix(f"{game.key} ")) for text in game.buttons]
        if chosen == "game":
            raise SpecError(words.NO_GAME)
        title, texts = words.SETS[chosen or "d20"]
        return title, [Key(text) for text in texts]

    async def _own(self, asker: Caller, rolls: str, game: Game | None) -> list[Key]:
        """Return keys for dice, rollers and games' words; SpecError names what is none of them."""
        texts = [text.strip() for text in rolls.split(",") if text.strip()]
        if not texts:
            raise SpecError(words.NO_ROLLS)
        rollers = {roller.name.casefold() for roller in await self._rollers.present(asker)}
        for text in texts:
            if text.casefold() not in rollers and not reads_as_game(text, game):
                try:
                    notation.parse(text)
                except NotationError as error:
                    raise SpecError(f"{text}: {error}") from None
        return [Key(text) for text in texts]


async def setup(bot: Evenhand) -> None:
    """Add the cog, and the keys."""
    add_buttons(bot, *KEYS)
    await bot.add_cog(KeyboardCog(bot.app.games, bot.app.saved, bot.app.rollers))
