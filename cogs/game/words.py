"""Games in words: which there are, and how the rolls of one are typed."""

from collections.abc import Iterable

from bot.rulebooks.book import Game
from bot.rulebooks.words import pattern
from bot.words.cards import Card, CardButton, CardRow, CardRows, Head, Small, Text, Tone
from bot.words.games import translated, typed_here
from bot.words.saying import phrase, say
from bot.words.text import code, escape

_KEYS, _LABEL = 5, 80
STOPPED = phrase("No game is played here any more. Past rolls stay in the history.")


def listing(games: Iterable[Game], played: Game | None) -> Card:
    """Return the games there are."""
    here = say("No game is played here. Choose one to see its rolls.")
    if played:
        plays = "This campaign plays **{game}**. Choose one to see its rolls."
        here = say(plays, game=escape(translated(played).name))
    named = " · ".join(escape(short(game)) for game in games)
    return Card((Head(say("Games")), Text(here), Small(named)), tone=Tone.QUIET)


def short(game: Game) -> str:
    """Return a game's name without its edition."""
    return game.name.partition(" (")[0]


def game_card(game: Game, played: Game | None, *, leads: bool) -> Card:
    """Return how the rolls of a game are typed, and what can be done with it here."""
    here, game = bool(played and played.key == game.key), translated(game)
    typed = ((roll, pattern(game, roll)) for roll in game.rolls)
    rows = [
        CardRow(code(typed_here(game, text) if here else text), verdict=escape(roll.help))
        for roll, text in typed
    ]
    keys = [
        CardButton("read", (1, "u", text), typed_here(game, text)[:_LABEL]) for text in game.buttons[:_KEYS]
    ]
    blocks = Head(escape(game.name)), Text(escape(game.help)), CardRows((*rows,))
    use = [CardButton("game-use", (game.key,))] if leads else []
    return Card(blocks, (*(keys if here else use),), Tone.QUIET)


def used(game: Game) -> str:
    """Return the public message about the game that is played from now on."""
    game = translated(game)
    example = game.buttons[len(game.buttons) // 2] if game.buttons else f"{game.key} {game.rolls[0].name}"
    return say(
        "This campaign plays **{name}** now. Type `/roll {example}`. `/game show` lists its rolls; "
        "`/buttons` puts up keys.",
        name=escape(game.name),
        example=typed_here(game, example),
    )
