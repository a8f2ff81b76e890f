"""Find the texts of the games that come with Evenhand: their descriptions, results, and words to type.

A word that several games have is one text for all of them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bot.rulebooks.book import Game, NamedRoll, read_game
from bot.words.games import SHOWN, TYPED, context
from bot.words.notation import PHRASE, PHRASES, WORDS

NAME, WORD = 60, 40
"""Most characters of a game's name, and of a shown word."""
CONTEXT = "\4"
"""gettext's separator between a context and a text."""
_NAMED = 4
"""Most games named in a note."""
_UNSAID = re.compile(r"dice|d\d+")
"""Kinds of dice whose name is never shown, or is the same in every language."""


class GameText(NamedTuple):
    """A text of games, behind its context if it has one."""

    text: str
    path: str
    limit: int
    note: str
    """Its kind, and the names of its games."""


def game_texts(root: Path) -> Iterator[GameText]:
    """Yield each text once, file by file, and then the words of notation."""
    texts: dict[str, list[tuple[str, str, str, int]]] = {}
    for path in sorted((root / "bot" / "games").glob("*.json")):
        game = read_game(path.read_text("utf-8"))
        for kind, text, limit in _texts(game):
            texts.setdefault(text, []).append((str(path.relative_to(root)), game.name, kind, limit))
    for text, places in texts.items():
        paths, names, kinds = (
            [*dict.fromkeys(column)] for column in zip(*(place[:3] for place in places), strict=True)
        )
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        note = f"{', '.join(kinds)}: {', '.join(names[:_NAMED])}{more}"
        yield GameText(text, paths[0] if len(paths) == 1 else "bot/games", places[0][3], note)
    if texts:
        for word, note in WORDS.items():
            yield GameText(f"{TYPED}{CONTEXT}{word}", "bot/words/words.toml", 0, note)
        for word, note in PHRASES.items():
            spellings = f"spellings, with | between them; {note}"
            yield GameText(f"{PHRASE}{CONTEXT}{word}", "bot/words/words.toml", 0, spellings)


def _texts(game: Game) -> Iterator[tuple[str, str, int]]:
    yield "name of a game", game.name, NAME
    yield "what a game is", game.help, 0
    shown_context, typed = context(SHOWN, game.key), context(TYPED, game.key)
    for roll in game.rolls:
        yield "what a roll is", roll.help, 0
        yield "name of a roll", f"{typed}{CONTEXT}{roll.name}", 0
        options = [option.name for option in roll.options if option.name not in roll.dice]
        for name in [*options, *filter(None, [roll.thrown])]:
            yield "option", f"{typed}{CONTEXT}{name}", 0
        for short in roll.words:
            yield "word for an option", f"{typed}{CONTEXT}{short.word}", 0
        for kind, name in _result_words(roll):
            yield kind, f"{shown_context}{CONTEXT}{name}", WORD


def _result_words(roll: NamedRoll) -> Iterator[tuple[str, str]]:
    """Yield the words in a roll's results, each with its kind."""
    rule = roll.rule
    yield from (("outcome", name) for name, _ in rule.classes)
    yield from (("note", name) for name, _ in rule.notes)
    values = dict.fromkeys(name for name in (*rule.show, rule.amount) if name)
    yield from (("value", name.replace("_", " ")) for name in values)
    pools = [pool.name for pool in rule.pools if not _UNSAID.fullmatch(pool.name)]
    yield from (("dice", name.replace("_", " ")) for name in pools)
