"""The games that come with Evenhand."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from bot.rulebooks.book import Game, read_game


@cache
def originals() -> Mapping[str, Game]:
    """Return them in English, by their keys, in the order of their names."""
    found = [file for file in (files("bot") / "games").iterdir() if file.name.endswith(".json")]
    games = [read_game(file.read_text(encoding="utf-8")) for file in found]
    return {game.key: game for game in sorted(games, key=lambda game: game.name)}
