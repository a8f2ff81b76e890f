"""Games in words: which there are, and how the rolls of one are typed."""

from collections.abc import Iterable

from bot.rulebooks.book import Game
from bot.rulebooks.words import usage
from bot.words.text import code, escape, lines_within

_ROOM = 1_900
STOPPED = "No game is played here any more. What was rolled stays in the history."


def listing(games: Iterable[Game], played: Game | None) -> str:
    """Return the games there are, each with the word that begins its rolls."""
    head = f"This campaign plays **{escape(played.name)}**." if played else "No game is played here."
    lines = [f"{code(game.key)} {escape(game.name)}" for game in games]
    foot = "A game master chooses one with `/game use`. `/game show` tells how its rolls are typed."
    return "\n".join([head, lines_within(lines, _ROOM - len(head) - len(foot)), foot])


def shown(game: Game) -> str:
    """Return how the rolls of a game are typed."""
    lines = [f"- {usage(game, roll)}" for roll in game.rolls]
    head = f"**{escape(game.name)}**: {escape(game.help)}"
    return "\n".join([head, lines_within(lines, _ROOM - len(head))])


def used(game: Game) -> str:
    """Return the public message about the game that is played from now on."""
    rolls = ", ".join(code(roll.name) for roll in game.rolls)
    example = game.buttons[len(game.buttons) // 2] if game.buttons else f"{game.key} {game.rolls[0].name}"
    return (
        f"This campaign plays **{escape(game.name)}** from now on. Its rolls are {rolls}: type "
        f"`/roll {example}`. `/game show` tells how; `/buttons` has the keys."
    )
