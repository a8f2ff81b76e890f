"""Guess which roll of a game a refused text means where nothing else is offered."""

import re
from collections.abc import Iterator

from bot.dice import notation
from bot.dice.errors import DiceReading
from bot.dice.everyday import NAME, NUMBERS, may_change
from bot.dice.lines import read_line
from bot.dice.slips import AS_LABEL, EFFECT, EFFECT_WORDS
from bot.parsing.texts import COMMENT, reads_as_game, shipped
from bot.rulebooks import played
from bot.rulebooks.book import Game, plain
from bot.rulebooks.option_words import ALSO_AGAINST, option_meant

_LETTERS = re.compile(r"(?:\d{1,2}+ ?[a-z] ?){2,8}+", re.ASCII | re.IGNORECASE)
_BETWEEN = re.compile(r"(?<=\d) ?[,/] ?(?=\d)")
_AIMED_AT = re.compile(r"\b(?:vs\.?|against) (?=\d)", re.IGNORECASE)
_COUNTS = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b", re.IGNORECASE)
_NAME = re.compile(NAME)
_BESIDE = {"vs", "against", *ALSO_AGAINST}
_COMMON = {"bonus", "adv", "dis", "plus", "mod"}
"""Options that tell no game from another."""
_GAMES_LIMIT = 3
_OPPOSED = re.compile(r" (?:vs\.?|versus|against) ", re.IGNORECASE)
_SIDE = re.compile(r"(?P<label>(?:[^\W\d]++ )*+)(?P<number>\d{1,3}+)%?(?P<options>(?: .+)?)", re.IGNORECASE)
_NAMED = re.compile(r"(?:[^\W\d]++ ){1,3}\d++(?: (?:[^\W\d]++ ){1,3}\d++)++")
_WORD = re.compile(r"[^\W\d_]{2,}")
_EFFECTS = re.compile(rf"\b(?:{EFFECT_WORDS})\b", re.IGNORECASE)
_LABELS = re.compile(r"\[[^\[\]]*\]|# .*")
_ONE_SIDE, _OTHER_SIDE = "one side", "the other side"


def guess_roll(text: str, game: Game) -> Iterator[DiceReading]:
    """Yield the rolls of the game that a text means, with signs left out, or words as its label."""
    if _LETTERS.fullmatch(text) and reads_as_game(letters := text.replace(" ", ""), game):
        yield DiceReading(letters)
        return
    if sides := [*_opposed(text, game)]:
        yield from sides
        return
    others = (_BETWEEN.sub(" ", text), _AIMED_AT.sub("", text), _COUNTS.sub(_in_digits, text))
    rolls = (played.as_first_roll(other, game) for other in others if other != text)
    roll = next(filter(None, rolls), "") or _behind_words(text, game) or _without_names(text, game)
    if roll or (roll := _as_label(text, game)):
        yield DiceReading(roll)


def guess_game(text: str) -> Iterator[DiceReading]:
    """Yield the rolls of games, where none is played, with the options of a text: `2d20 vs 12 focus 3`."""
    names = {plain(name) for name in _WORD.findall(text)} - _BESIDE
    rolls: list[DiceReading] = []
    for game in shipped().values() if names and any(map(str.isdigit, text)) else ():
        options = {name: option_meant(game.rolls[0], name) for name in names}
        if all(option and option.name not in _COMMON for option in options.values()):
            own = played.as_first_roll(text, game) or played.as_first_roll(_AIMED_AT.sub("", text), game)
            rolls += [DiceReading(f"{game.key} {own}", game.name)] if own else []
    yield from rolls if len(rolls) <= _GAMES_LIMIT else ()


def _in_digits(word: re.Match[str]) -> str:
    return NUMBERS[word[0].lower()]


def _as_label(text: str, game: Game) -> str:
    """Return the game's first roll without numbers, the name of a move as its label: `act under fire`."""
    is_name = " " in text and _NAME.fullmatch(text) and not may_change(text)
    if any(game.answers(plain(word)) for word in _WORD.findall(text)):
        return ""  # another roll of the game: `(oracle almost certain)`
    return f"{game.first_word}{COMMENT} {text}" if is_name and reads_as_game(game.first_word, game) else ""


def lacks_number(text: str, game: Game | None) -> bool:
    """Return whether each number belongs to an option, `dodge 2 bonus`, where a roll needs a skill."""
    if game is None or not game.under:
        return False
    words = text.split()
    places = [place for place, word in enumerate(words) if word.isdecimal()]
    behind = [plain("".join(words[place + 1 : place + 2])) for place in places]
    return bool(places) and all(option_meant(game.rolls[0], word) for word in behind if word) and all(behind)


def _opposed(text: str, game: Game) -> Iterator[DiceReading]:
    """Yield the two rolls of a contest where low rolls pass, `45 vs 38`: each side throws its own."""
    sides = _OPPOSED.split(text) if game.under else []
    matches = [*map(_SIDE.fullmatch, sides)]
    if len(sides) != 2 or None in matches:
        return
    rolls: list[DiceReading] = []
    for match, meaning in zip(matches, (_ONE_SIDE, _OTHER_SIDE), strict=True):
        label = match["label"].strip() if match else ""
        roll = played.as_first_roll(f"{match['number']}{match['options']}", game) if match else ""
        if not roll or may_change(label):
            return
        rolls.append(DiceReading(f"{roll}{f'{COMMENT} {label}' if label else ''}", meaning))
    yield from rolls


def _behind_words(text: str, game: Game) -> str:
    """Return a roll with other words before its own, `ask the oracle likely`, with these as its label."""
    words = text.split()
    for place in range(1, min(len(words), 6)):
        label, roll = " ".join(words[:place]), " ".join(words[place:])
        if game.answers(plain(words[place])) and not may_change(label) and reads_as_game(roll, game):
            return f"{roll}{COMMENT} {label}"
    return ""


def _without_names(text: str, game: Game) -> str:
    """Return the game's first roll with its numbers, and their names as its label: `air 3 courtesy 2`."""
    roll = game.rolls[0]
    if (
        not _NAMED.fullmatch(text)
        or len(roll.options) < 2
        or roll.options[0].usual is not None
        or roll.options[1].is_switch
    ):
        return ""
    names = [
        word
        for word in _WORD.findall(text)
        if plain(word) not in _BESIDE and not option_meant(roll, plain(word))
    ]
    label = " ".join(names)
    numbers = " ".join(word for word in text.split() if word not in names)
    own = (
        played.as_first_roll(numbers, game)
        if names and not may_change(label) and not game.answers(plain(text.partition(" ")[0]))
        else ""
    )
    return f"{own}{COMMENT} {label}" if own else ""


def on_own_roll(text: str, game: Game | None) -> Iterator[DiceReading]:
    """Yield the game's roll for its usual dice with words that are its options: `d20+8 vs 20 fortune`."""
    bonus = text.strip().removeprefix("1").removeprefix(game.usual) if game and game.usual else text
    words = [plain(word) for word in _WORD.findall(bonus)]
    if game and bonus != text.strip() and any(option_meant(game.rolls[0], word) for word in words):
        yield from map(DiceReading, filter(None, [played.as_first_roll(bonus, game)]))


def keeps_options(reading: DiceReading, game: Game | None) -> bool:
    """Return whether no label of a reading is a word that changes a roll of the game: `# attack gwf`."""
    labels = " ".join(_EFFECTS.sub(" ", label) for label in _LABELS.findall(reading.text))
    words = {plain(word) for word in _WORD.findall(labels)} - _BESIDE - _COMMON
    options = (option_meant(roll, word) for roll in (game.rolls if game else ()) for word in words)
    return not any(option and (option.is_switch or option.may_be_missing) for option in options)


def with_effect(roll: str, label: str, game: Game | None) -> Iterator[DiceReading]:
    """Yield an attack or check with a word that changes a d20, `attack +5 lucky`, on plain dice."""
    word, _, rest = roll.partition(" ")
    if game and game.usual == "d20" and EFFECT.fullmatch(label) and game.answers(plain(word)):
        for reading in read_line(f"{game.usual}{rest} {label}"):
            if reading.meaning != AS_LABEL and notation.reads(reading.text):
                dice, _, comment = reading.text.partition(f"{COMMENT} ")
                yield DiceReading(f"{dice}{COMMENT} {comment or label}, {word}", reading.meaning)
