"""Translations of games: their texts, the words that people type, and the names of results.

Only the games that come with Evenhand are translated; an imported game has one language. Records contain the
English words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from bot.campaign.campaigns import REGISTER
from bot.campaign.replay import RollResult
from bot.dice.system import Outcome, System
from bot.dice.throws import Part, Pool, Throw
from bot.rulebooks.book import Game, NamedRoll, Shorthand, builtin_games, plain
from bot.systems.game import GameRoll
from bot.systems.renewal import Renewal
from bot.words.languages import SPOKEN, Language
from bot.words.saying import phrase, say

SHOWN, TYPED = "game", "typed"
"""Translation contexts of a game's words: displayed names, and words that people type."""
_OWN_CONTEXT = frozenset({"dsa", "splittermond"})
"""Games with an original that is not English: each has translation contexts of its own."""
_PITY = {phrase("event"), phrase("nothing")}
"""The default results of a renewal."""
_REGISTER = phrase("d100 register")
_ADVANTAGES = ((("adv", "advantage"), "boon"), (("dis", "disadvantage"), "bane"))
"""Words for an advantage, and what it is in games that have a boon."""
_NEXT = " · "
_PART = re.compile(r"(?P<before> · )?(?P<word>[^ (].*?)(?P<after> -?\d+| )?", re.DOTALL)

_DICE_OPTION = re.compile(r" (d\d++) (\d++)(?!\w)")
"""An option that is a number of dice, `d8 2`, shown as 2d8."""


def context(kind: str, game: str) -> str:
    """Return the translation context of a game's words."""
    return f"{kind} {game}" if game in _OWN_CONTEXT else kind


def shipped() -> Mapping[str, Game]:
    """Return the games that come with Evenhand in the current language, by key."""
    language = SPOKEN.get()
    return _games(language) if language else builtin_games()


def translated(game: Game) -> Game:
    """Return a game in the current language; an imported game is returned unchanged."""
    return shipped().get(game.key, game)


def face_name(game: str, word: str) -> str:
    """Return the displayed name of a game's outcome, note, value or kind of dice."""
    language = SPOKEN.get()
    return language.word(context(SHOWN, game), word) if language and game in builtin_games() else word


def face(system: System | None, name: str) -> str:
    """Return the displayed name of a roller's face: translated for games and default names."""
    if isinstance(system, Renewal) and {*system.labels} == _PITY:
        return say(name)
    return face_name(system.game, name) if isinstance(system, GameRoll) and system.rule.classes else name


def recorded_faces(system: System, names: Sequence[str]) -> tuple[str, ...]:
    """Return the faces of a roller for their displayed names; unknown names are returned unchanged."""
    by_label = {face(system, name).casefold(): name for name in system.faces}
    return tuple(name if name in system.faces else by_label.get(name.casefold(), name) for name in names)


def recorded_roller(name: str) -> str:
    """Return the recorded name of a roller for its displayed name."""
    return REGISTER if name.strip().casefold() == say(_REGISTER).casefold() else name


def is_named(name: str, typed: str) -> bool:
    """Return True if a roller's recorded or displayed name contains the typed text."""
    query = typed.strip().casefold()
    return query in name.casefold() or query in roller_name(None, name).casefold()


def roller_name(system: System | None, name: str) -> str:
    """Return the displayed name of a roller; of a game's roll, the words to type in that game."""
    if name == REGISTER:
        return say(_REGISTER)
    if not isinstance(system, GameRoll):
        return name
    game = builtin_games().get(system.game)
    roll = game and game.roll(system.roll)
    if roll and roll.options and (first := roll.options[0]).low < 0:
        value = dict(system.given).get(first.name, 0)
        name = name.replace(f" {first.name} {value}", f" {value:+}", 1)
    name = _DICE_OPTION.sub(r" \2\1", name)
    return _short(system.game, spoken(name).removeprefix(f"{system.game} "))


def _short(key: str, text: str) -> str:
    """Return a roll's words; a roll named "roll" gets its game's key, since `/roll roll 3` reads badly."""
    first, *words = text.split(" ")
    return " ".join([key if first == "roll" else first, *words])


def typed_here(game: Game, text: str) -> str:
    """Return the words to type for a roll where its game is played."""
    rest = spoken(text).removeprefix(game.key).strip()
    default, roll = game.rolls[0].word, game.roll(rest.partition(" ")[0])
    return _short(game.key, rest if roll else f"{default} {rest}".strip())


def spoken(text: str) -> str:
    """Return a game's roll with its English words in the current language; other texts unchanged."""
    key, *words = text.split(" ")
    if not words or not SPOKEN.get() or (game := shipped().get(key)) is None:
        return text
    roll = game.roll(words[0]) or game.rolls[0]
    translations = {item.name: item.word for item in (*roll.options, roll)}
    translations[roll.thrown] = roll.thrown_translation or roll.thrown
    return " ".join([key, *(translations.get(word, word) for word in words)])


def without_game(text: str) -> str:
    """Return a game's roll as people say it, without the key of its game; other texts unchanged."""
    key, _, words = text.partition(" ")
    game = shipped().get(key)
    if game is None or game.roll(words.partition(" ")[0]) is None:  # it may be a roller named "wod luck"
        return spoken(text)
    return _short(key, spoken(text).removeprefix(f"{key} "))


def judged(system: System | None, throw: Throw) -> str:
    """Return the comparison that gave a game's class, "23 vs AC 15" or "31 vs 22 (skill 45)"; else ""."""
    if throw.judgement is None or not isinstance(system, GameRoll):
        return ""
    game, (number, name, aim) = shipped().get(system.game), throw.judgement
    roll = game and game.roll(system.roll)
    word = option.word if roll and (option := roll.option(name)) else name
    word = word.upper() if len(word) == 2 else word
    text = "{number} vs {goal} ({option} {aim})" if throw.goal else "{number} vs {option} {aim}"
    return say(text, number=number, goal=throw.goal, option=word, aim=aim)


def counted_in(system: System | None, number: str) -> str:
    """Return a game's number with its name if it shows that, "2 stress"; a total and other results alone."""
    if not isinstance(system, GameRoll) or (rule := system.rule).classes or rule.against:
        return number
    has_name = rule.number in rule.show and rule.number != "total"
    return f"{number} {face_name(system.game, rule.number)}" if has_name else number


def tells_natural(system: System | None, throw: Throw) -> bool:
    """Return True if the throw already has the game's own note on a natural roll."""
    if not isinstance(system, GameRoll):
        return False
    notes = {face_name(system.game, name) for name, _ in system.rule.notes if "natural" in name}
    return any(isinstance(part, str) and part.removeprefix(_NEXT) in notes for part in throw.parts)


def localize_result(rolled: RollResult) -> RollResult:
    """Return a roll with the names of its results in the current language."""
    system = rolled.roll.of.system
    is_shipped = isinstance(system, GameRoll) and system.game in builtin_games()
    if not SPOKEN.get() or not (is_shipped or isinstance(system, Renewal)):
        return rolled
    return replace(rolled, outcomes=tuple(_outcome(system, outcome) for outcome in rolled.outcomes))


def _outcome(system: System | None, outcome: Outcome) -> Outcome:
    throw = outcome.throw
    if throw and isinstance(system, GameRoll):
        throw = throw._replace(parts=tuple(_part(system, part) for part in throw.parts))
    return replace(outcome, face=face(system, outcome.face), throw=throw)


def _part(system: GameRoll, part: Part) -> Part:
    """Return a part of a throw with its name translated: a note, a named value, or a name before dice."""
    if isinstance(part, Pool) or not (match := _PART.fullmatch(part)):
        return part
    before, word, after = match["before"] or "", match["word"], match["after"] or ""
    if f"{word}{after}" in dict(system.rule.notes):
        word, after = f"{word}{after}", ""
    return f"{before}{face_name(system.game, word)}{after}"


@lru_cache(maxsize=16)
def _games(language: Language) -> Mapping[str, Game]:
    games = [_game(game, language) for game in builtin_games().values()]
    return {game.key: game for game in sorted(games, key=lambda game: plain(game.name))}


def _game(game: Game, language: Language) -> Game:
    """Return a game with its texts and typed words in a language.

    Leave out a word that is another of the game's English words, or that has two meanings.
    """
    names = [
        name
        for roll in game.rolls
        for name in (roll.name, roll.thrown, *(option.name for option in roll.options))
    ]
    meanings = dict(zip(names, names, strict=True))

    def word(name: str, meanings: dict[str, str]) -> str:
        translation = language.word(context(TYPED, game.key), name) if name else ""
        return translation if meanings.setdefault(plain(translation), name) == name else ""

    rolls = [
        replace(roll, help=language.say(roll.help, {}), translation=word(roll.name, meanings))
        for roll in game.rolls
    ]
    for index, roll in enumerate(rolls):
        roll_meanings = {**meanings}
        options = tuple(
            replace(option, translation=word(option.name, roll_meanings)) for option in roll.options
        )
        words = [
            replace(short, word=plain(translation))
            for short in roll.words
            if (translation := word(short.word, roll_meanings))
        ]
        words += _advantages(replace(roll, options=options), language, roll_meanings)
        words += _results(replace(roll, options=options), game, language, roll_meanings)
        rolls[index] = replace(
            roll,
            options=options,
            thrown_translation=word(roll.thrown, roll_meanings),
            shorthands=(*roll.shorthands, *words),
        )
    name, about = language.say(game.name, {}), language.say(game.help, {})
    return replace(game, name=name, help=about, rolls=(*rolls,))


def _advantages(roll: NamedRoll, language: Language, meanings: Mapping[str, str]) -> Iterator[Shorthand]:
    """Yield a language's words for advantage, `ventaja` and `con ventaja`, that mean an option of a roll."""
    before = plain(language.word(TYPED, "with"))
    for spellings, boon in _ADVANTAGES:
        for translation in dict.fromkeys(plain(language.word(TYPED, word)) for word in spellings):
            options = filter(None, map(roll.option, (translation, spellings[0], boon)))
            if (option := next(options, None)) is None:
                continue
            if option.is_switch:  # behind others may be a number
                yield Shorthand(f"{before} {translation}", option.name, 1)
            if meanings.get(translation) is None:
                yield Shorthand(translation, option.name, None)


def _results(
    roll: NamedRoll, game: Game, language: Language, meanings: Mapping[str, str]
) -> Iterator[Shorthand]:
    """Yield the displayed names of results that are switches too: in Call of Cthulhu `majeure` is hard."""
    for option in roll.options:
        result_name = plain(language.word(context(SHOWN, game.key), option.name))
        if option.is_switch and option.name in dict(roll.rule.classes):
            yield Shorthand(result_name, option.name, 1)
            # "Réussite majeure" is a success; only its last word says which.
            if meanings.get(last := result_name.split()[-1]) is None:
                yield Shorthand(last, option.name)
