"""Texts and cards of /game: the list of games, and the rolls of one."""

from collections.abc import Iterable

from bot.rulebooks.book import Game
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Small, Text, Tone
from bot.words.games import translated, typed_here
from bot.words.saying import phrase, say
from bot.words.text import code, escape

_KEYS, _LABEL = 5, 80
STOPPED = phrase("No game is played here any more. Past rolls stay in the history.")


def listing(games: Iterable[Game], played: Game | None) -> Card:
    """Return the list of all games."""
    intro = say("No game is played here. Choose one to see its rolls.")
    if played:
        plays = "This campaign plays **{game}**. Choose one to see its rolls."
        intro = say(plays, game=escape(translated(played).name))
    names = " · ".join(escape(game.short) for game in games)
    return Card((Head(say("Games")), Text(intro), Small(names)), tone=Tone.QUIET)


def game_card(game: Game, played: Game | None, *, leads: bool) -> Card:
    """Return a game's rolls as they are typed, with its buttons."""
    is_played, game = bool(played and played.key == game.key), translated(game)
    rows: list[CardRow] = []
    for roll in game.rolls:
        text = game.pattern(roll)
        rows.append(CardRow(code(typed_here(game, text) if is_played else text), verdict=escape(roll.help)))
    blocks = Head(escape(game.name)), Text(escape(game.help)), CardRows((*rows,))
    buttons = [CardButton("game-use", (game.key,))] if leads else []
    if is_played:
        keys = {text: typed_here(game, text)[:_LABEL] for text in game.buttons[:_KEYS]}
        buttons = [CardButton("read", (1, "u", text), label) for text, label in keys.items()]
    return Card(blocks, (*buttons,), Tone.QUIET)


def used(game: Game) -> str:
    """Return the public message of a newly chosen game."""
    game = translated(game)
    return say(
        "This campaign plays **{name}** now. Type `/roll {example}`. `/game show` lists its rolls; "
        "`/buttons` puts up keys.",
        name=escape(game.name),
        example=typed_here(game, game.example),
    )
