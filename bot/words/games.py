"""Games in the language of who reads: what is said of them, the words that people type, and those of results.

Only the games that come with Evenhand have such words; whoever brings a game writes it in one language. What
is recorded has the English ones.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from bot.campaign.campaigns import REGISTER
from bot.campaign.replay import RollResult
from bot.dice.system import Outcome, System
from bot.dice.throws import Part, Pool, Throw
from bot.rulebooks.book import Game, originals, plain
from bot.systems.game import GameRoll
from bot.systems.renewal import Renewal
from bot.words.languages import SPOKEN, Language
from bot.words.saying import phrase, say

SHOWN, TYPED = "game", "typed"
"""The contexts of a game's words in the files of translators: what is shown, and what people type."""
_AT_HOME = frozenset({"dsa", "splittermond"})
"""Games that were written in one of our languages: each has its words for itself, in its own contexts."""
_PITY = {phrase("event"), phrase("nothing")}
"""The results of a renewal to which nobody gave names."""
_REGISTER = phrase("d100 register")
_NEXT = " · "
_PART = re.compile(r"(?P<before> · )?(?P<word>[^ (].*?)(?P<after> -?\d+| )?", re.DOTALL)


def context(kind: str, game: str) -> str:
    """Return where translators find a word of a game."""
    return f"{kind} {game}" if game in _AT_HOME else kind


def shipped() -> Mapping[str, Game]:
    """Return the games that come with Evenhand in the language that is spoken, by their keys."""
    language = SPOKEN.get()
    return _games(language) if language else originals()


def translated(game: Game) -> Game:
    """Return a game in the language that is spoken; one from a file stays as it is."""
    return shipped().get(game.key, game)


def face_name(game: str, word: str) -> str:
    """Return the name of an outcome, a note, a value or a kind of dice, given the game's key."""
    language = SPOKEN.get()
    return language.word(context(SHOWN, game), word) if language and game in originals() else word


def face(system: System | None, name: str) -> str:
    """Return what came out of a roller as it is shown: the name of a game's outcome, and names of our own."""
    if isinstance(system, Renewal) and {*system.labels} == _PITY:
        return say(name)
    return face_name(system.game, name) if isinstance(system, GameRoll) and system.rule.classes else name


def recorded(system: System, names: Sequence[str]) -> tuple[str, ...]:
    """Return results as a roller has them, of what people type as it is shown; what it has not stays."""
    known = {face(system, each).casefold(): each for each in system.faces}
    return tuple(name if name in system.faces else known.get(name.casefold(), name) for name in names)


def recorded_roller(name: str) -> str:
    """Return the name of a roller that people type as it is shown."""
    return REGISTER if name.strip().casefold() == say(_REGISTER).casefold() else name


def is_named(name: str, typed: str) -> bool:
    """Return whether what was typed is in a roller's name, as it is recorded or as it is shown."""
    wanted = typed.strip().casefold()
    return wanted in name.casefold() or wanted in called(None, name).casefold()


def called(system: System | None, name: str) -> str:
    """Return a roller's name, or ours; a game's roll as it is typed where that game is played."""
    if name == REGISTER:
        return say(_REGISTER)
    if not isinstance(system, GameRoll):
        return name
    game = originals().get(system.game)
    roll = game and game.roll(system.roll)
    if roll and roll.options and (first := roll.options[0]).low < 0:
        value = dict(system.given).get(first.name, 0)
        name = name.replace(f" {first.name} {value}", f" {value:+}", 1)
    return _short(system.game, spoken(name).removeprefix(f"{system.game} "))


def _short(key: str, text: str) -> str:
    """Return a roll without its game's word, but one that is named "roll", for `/roll roll 3` reads badly."""
    first, *rest = text.split(" ")
    return " ".join([key if first == "roll" else first, *rest])


def typed_here(game: Game, text: str) -> str:
    """Return a roll in a game's words as it is typed where that game is played."""
    rest = spoken(text).removeprefix(game.key).strip()
    first, named = game.rolls[0].word, game.roll(rest.partition(" ")[0])
    return _short(game.key, rest if named else f"{first} {rest}".strip())


def spoken(text: str) -> str:
    """Return a roll in a game's English words as whoever reads would type it; other texts as they are."""
    key, *words = text.split(" ")
    if not words or not SPOKEN.get() or (game := shipped().get(key)) is None:
        return text
    roll = game.roll(words[0]) or game.rolls[0]
    said = {each.name: each.word for each in (*roll.options, roll)}
    said[roll.thrown] = roll.thrown_said or roll.thrown
    return " ".join([key, *(said.get(word, word) for word in words)])


def judged(system: System | None, throw: Throw) -> str:
    """Return what a game's class was judged by, "23 vs AC 15"; "" where it was held against nothing."""
    if throw.judgement is None or not isinstance(system, GameRoll):
        return ""
    game, (number, name, aim) = shipped().get(system.game), throw.judgement
    roll = game and game.roll(system.roll)
    word = option.word if roll and (option := roll.option(name)) else name
    return say(
        "{number} vs {option} {aim}", number=number, option=word.upper() if len(word) == 2 else word, aim=aim
    )


def tells_natural(system: System | None, throw: Throw) -> bool:
    """Return whether a note of the game's says that a die shows its end."""
    if not isinstance(system, GameRoll):
        return False
    notes = {face_name(system.game, name) for name, _ in system.rule.notes if "natural" in name}
    return any(isinstance(part, str) and part.removeprefix(_NEXT) in notes for part in throw.parts)


def in_words(rolled: RollResult) -> RollResult:
    """Return a roll with the words of its game, or with ours, in the language that is spoken."""
    system = rolled.roll.of.system
    ours = isinstance(system, Renewal) or (isinstance(system, GameRoll) and system.game in originals())
    if not SPOKEN.get() or not ours:
        return rolled
    return replace(rolled, outcomes=tuple(_outcome(system, each) for each in rolled.outcomes))


def _outcome(system: System | None, came: Outcome) -> Outcome:
    throw = came.throw
    if throw and isinstance(system, GameRoll):
        throw = throw._replace(parts=tuple(_part(system, part) for part in throw.parts))
    return replace(came, face=face(system, came.face), throw=throw)


def _part(system: GameRoll, part: Part) -> Part:
    """Return a part of a throw with its name: a note, a value behind its name, or a name before dice."""
    if isinstance(part, Pool) or not (found := _PART.fullmatch(part)):
        return part
    before, word, after = found["before"] or "", found["word"], found["after"] or ""
    if f"{word}{after}" in dict(system.rule.notes):
        word, after = f"{word}{after}", ""
    return f"{before}{face_name(system.game, word)}{after}"


@lru_cache(maxsize=16)
def _games(language: Language) -> Mapping[str, Game]:
    games = sorted(
        (_game(game, language) for game in originals().values()), key=lambda game: plain(game.name)
    )
    return {game.key: game for game in games}


def _game(game: Game, language: Language) -> Game:
    """Return a game with its texts in a language, and with the words that people type there.

    A word that is one of the game's in English already, or the same for two things, is left out.
    """
    names = [
        name for roll in game.rolls for name in (roll.name, roll.thrown, *(o.name for o in roll.options))
    ]
    taken = dict(zip(names, names, strict=True))

    def word(name: str, taken: dict[str, str]) -> str:
        said = language.word(context(TYPED, game.key), name) if name else ""
        return said if taken.setdefault(plain(said), name) == name else ""

    rolls = [
        replace(roll, help=language.say(roll.help, {}), said=word(roll.name, taken)) for roll in game.rolls
    ]
    for place, roll in enumerate(rolls):
        here = {**taken}
        options = tuple(replace(option, said=word(option.name, here)) for option in roll.options)
        rolls[place] = replace(roll, options=options, thrown_said=word(roll.thrown, here))
    name, about = language.say(game.name, {}), language.say(game.help, {})
    return replace(game, name=name, help=about, rolls=(*rolls,))
