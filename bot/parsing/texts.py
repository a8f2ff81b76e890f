"""Parse texts as words of games, as dice with a DC or an advantage beside them, and as rollers."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from bot.campaign.campaigns import Rules
from bot.campaign.rolls import ReadAs
from bot.dice import advantage, notation
from bot.dice.errors import DiceReading, SpecError
from bot.dice.everyday import WORD
from bot.dice.system import System
from bot.rulebooks.book import Game, NamedRoll, plain
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.words import SHORT_NAMES, GameRequest, understand
from bot.systems.game import game_roll
from bot.systems.plain import plain_dice
from bot.systems.registry import load_spec
from bot.words.games import shipped, translated
from bot.words.languages import SPOKEN, Language, speaking
from bot.words.notation import AIMS, before_account, in_notation

# A group of dice begins with a bracket too.
COMMENT = " #"
"""What stands before a comment behind dice."""
_NAME = re.compile(WORD)
_STANDARD = re.compile(r"(?:[1-9]\d?)?d(?:4|6|8|10|12|20|100)(?: ?[-+] ?\d{1,3})*+", re.ASCII)
_JSON = re.compile(r"\s*\{\s*(?:[\"}]|$)")
_DC = re.compile(
    r"(?P<dice>.+?) (?:(?:vs\.?|against) (?=dc|ac))?(?P<word>(?:vs\.?|dc|ac) ?[:=]? ?\+?)?"
    r"(?P<dc>[0-9]{1,5})(?P<more>(?(word)(?: ?[-+] ?[0-9]{1,5}+)*+))",
    re.ASCII | re.IGNORECASE,
)
_SIGNED = re.compile(r"[-+][0-9]+", re.ASCII)
_ADVANTAGE = re.compile(rf"(?:\A| )(?:(?:with|at) )?{advantage.WORD}(?: (?:on|for) )?", re.IGNORECASE)
_ADVANTAGE_D20 = re.compile(rf"\s*{advantage.WORD} 1?d20\b", re.IGNORECASE)
_APART = re.compile(r"[#;,()\[\]{}]")
_AIM = re.compile(r" (?:vs\.?|dc|ac) ?\d", re.IGNORECASE)
BEGINS_NAME = re.compile(r"(?!d\d)[^\W\d]")
"""What begins with a name, and not with a die."""


def read_as(rules: Rules, *, typed: bool = False) -> ReadAs:
    """Return how a campaign reads recorded texts, or `typed` ones."""
    return ReadAs(rules.dialect if typed else None, shipped(), rules.game)


def is_standard(text: str) -> bool:
    """Return whether a text is usual dice and numbers, `2d6+3`: alike in each game, dialect, language."""
    return _STANDARD.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """Return whether a text begins with a word that starts a roll of a built-in game.

    A language's word for "roll" before dice is none: LANCER is a game, and French for "to roll". Nor is one
    for advantage: Spanish has the same word for the edge of several games.
    """
    is_first = plain(text.split(maxsplit=1)[0]) in _first_words(SPOKEN.get()) if text.strip() else False
    return is_first and not (says_roll(text) or _says_advantage(text))


def says_roll(text: str) -> bool:
    """Return whether a text is dice behind the current language's word for "roll"."""
    translated_text = in_notation(text)
    return translated_text != text and translated_text.startswith("roll ") and notation.reads(translated_text)


def _says_advantage(text: str) -> bool:
    """Return whether a text is a d20 behind the current language's word for advantage: `ventaja 1d20`."""
    return SPOKEN.get() is not None and bool(_ADVANTAGE_D20.match(in_notation(text)))


@lru_cache(maxsize=16)
def _first_words(_language: Language | None) -> frozenset[str]:
    games = shipped().values()
    rolls = [roll for game in games for roll in game.rolls]
    words = (plain(word) for roll in rolls for word in (roll.name, roll.word))
    return frozenset([*(game.key for game in games), *SHORT_NAMES, *words])


def split_dc(text: str, *, is_name: bool = False) -> tuple[str, int | None]:
    """Split "d20+5 dc 15" into the dice, or an account's name, and the DC; None for no DC.

    A bare number is a DC only behind dice; behind a name it may mean something else. A game's words keep
    their target, but an account may be called Fate.
    """
    match = _DC.fullmatch(" ".join(in_notation(text, AIMS).split()))
    if match is None or (is_word(text) and not is_name):
        return text, None
    dice = match["dice"]
    alone = notation.reads(dice) and not notation.reads(text)
    dc = int(match["dc"]) + sum(map(int, _SIGNED.findall(match["more"].replace(" ", ""))))
    return (dice, dc) if match["word"] or alone else (text, None)


def mentions_account(text: str) -> bool:
    """Return whether a text may end in `on ACCOUNT`."""
    return bool(before_account().search(text))


def split_at_advantage(text: str) -> tuple[str, str] | None:
    """Return a text without its advantage, and the word for it: `adv sneak`, `stealth dc 15 adv`.

    Return None if no name can be at its beginning, if it is more than one roll or has brackets or a comment,
    or if the advantage is at the end and no target before it.
    """
    matches = [*_ADVANTAGE.finditer(text := " ".join(text.split()))]
    if len(matches) != 1 or _APART.search(text):
        return None
    behind = text[matches[0].end() :]
    if not (behind or _AIM.search(text)):
        return None
    roll = f"{text[: matches[0].start()]} {behind.lstrip()}".strip()
    return (roll, matches[0]["word"]) if BEGINS_NAME.match(roll) else None


def with_accents(word: str, text: str) -> str:
    """Return a word as it was typed in a text, with its accents and capitals."""
    return next((typed for typed in text.split() if plain(typed) == word), word)


def single_rolls(readings: Iterable[DiceReading]) -> tuple[DiceReading, ...]:
    """Return the readings that are one roll, without repeats."""
    return tuple(offer for offer in readings if not {*offer.text.partition(COMMENT)[0]} & {*";#"})


def parse_game_roll(text: str, played: Game | None) -> GameRequest | None:
    """Return the game's roll that a text requests; None if it reads as dice, or as no game's words."""
    return None if notation.reads(text) else understand(text, shipped(), played)


def reads_as_game(text: str, played: Game | None) -> bool:
    """Return whether a text is a complete roll of a game."""
    try:
        return parse_game_roll(text, played) is not None
    except SpecError:
        return False


def must_know_words(text: str, played: Game | None) -> None:
    """Raise UnknownWord for a game's roll with words that it does not know."""
    try:
        parse_game_roll(text, played)
    except UnknownWord:
        raise
    except SpecError:
        return


def in_english(text: str, played: Game | None) -> str:
    """Return a text readable in any language: a game's words that are not English are translated."""
    request = parse_game_roll(text, played) if reads_as_game(text, played) else None
    with speaking(None):
        english_game = translated(played) if played else None
        if request is None or reads_as_game(text, english_game):
            return text
        by_word = _translate_words(text, request.roll)
        with suppress(SpecError):
            own = parse_game_roll(by_word, english_game)
            if own and own.words == request.words:
                return by_word
        return request.words


def _translate_words(text: str, roll: NamedRoll) -> str:
    """Return a game's roll with each word in English, so that a bonus stays one: `attack +5`."""
    names = {plain(item.word): item.name for item in (*roll.options, roll)}
    names |= {plain(roll.thrown_translation): roll.thrown} if roll.thrown else {}
    words, mark, comment = text.partition(COMMENT)
    words = f" {' '.join(plain(words).split())} "
    for short in roll.shorthands:
        option = roll.option(short.option)
        is_name = short.number is None or (option and option.is_switch)
        meaning = short.option if is_name else f"{short.option} {short.number}"
        words = words.replace(f" {short.word} ", f" {meaning} ")
    return f"{_NAME.sub(lambda word: names.get(word[0], word[0]), words.strip())}{mark}{comment}"


def read_roller(text: str) -> System:
    """Parse a system; raise DiceError with what is wrong with it."""
    if _JSON.match(text):
        return load_spec(text)
    game_request = parse_game_roll(text, None)
    return game_roll(game_request) if game_request else plain_dice(text)
