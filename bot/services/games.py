"""Games: the built-in ones, and the one that a campaign plays."""

from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice.errors import SpecError, Unknown
from bot.parsing.texts import shipped
from bot.rulebooks.book import Game, read_game
from bot.rulebooks.words import full_key, understand
from bot.services.access import DataStore, read_for
from bot.storage import campaigns


@dataclass(frozen=True, slots=True)
class Games:
    """The use cases of games."""

    store: DataStore

    async def current(self, caller: Caller) -> Game | None:
        """Return the game of the current campaign; None for none."""
        return (await self.store.reader.do(campaigns.played_rules(caller))).played(shipped())

    async def find(self, caller: Caller, key: str) -> Game:
        """Return a game by its key, or for "" the current one; raise Unknown if there is none."""
        played = await self.current(caller)
        game_key = full_key(key)
        if not game_key and played is None:
            raise Unknown("No game is played here. A game master chooses one with `/game use`.")
        game = played if played and game_key in {"", played.key} else shipped().get(game_key)
        if game is None:
            raise Unknown("There is no game `{key}`. `/game list` shows them.", key=key[:40])
        return game

    async def use(self, caller: Caller, key: str) -> Game:
        """Set the campaign's game, for game masters; raise Unknown if there is none of that key."""
        game = shipped().get(full_key(key))
        if game is None:
            raise Unknown(
                "There is no game `{key}`. `/game list` shows them; `/game import` reads a file.",
                key=key[:40],
            )
        await self.store.set_rules(caller, {"game": game.key})
        return game

    async def bring(self, caller: Caller, text: str) -> Game:
        """Set the campaign's game from a file; raise SpecError with the place of a fault."""
        game = await read_for(self.store.reader, caller, True, lambda: _read_new_game(text))
        await self.store.set_rules(caller, {"game": text})
        return game


def _read_new_game(text: str) -> Game:
    game = read_game(text)
    if game.key in shipped():
        raise SpecError("key: {key} is a built-in game. Give this one another word.", key=game.key)
    for words in game.buttons:
        if understand(words, {game.key: game}, None) is None:
            raise SpecError("buttons: {words!r} does not begin with {key}.", words=words, key=game.key)
    return game
