"""Read a game's roll whose numbers are named, `listen hard`: each player has their own."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from bot.campaign.characters import clean_number_name
from bot.campaign.rolls import roller_of
from bot.dice import notation
from bot.dice.errors import SpecError
from bot.dice.everyday import NAME, RESERVED, WORD
from bot.dice.naming import Resolved, UnknownNumber, Vocabulary, first_name, folded
from bot.dice.slips import split_hidden
from bot.parsing.texts import COMMENT, parse_game_roll, reads_as_game
from bot.rulebooks.book import Game, NamedRoll, plain
from bot.rulebooks.option_words import option_meant
from bot.rulebooks.own_dice import DICE
from bot.rulebooks.played import for_first_roll, words_for

_SUM = re.compile(rf"[-+]? ?{NAME}(?: ?[-+] ?{NAME})*+(?: ?[-+] ?\d++)*+")
_NAMES, _NUMBER = re.compile(NAME), re.compile(r"([-+]?) ?\{([^{}]+)\}")
_NAMES_ADDED = re.compile(rf"\s*{WORD}(?:(?:[-+]| [-+] ){WORD})++(?:\s*[-+]\s*\d++)*+\s*")
_WORDS = re.compile(WORD)
_OWN = re.compile(rf"(\s?)([-+]?)\s?(?<!\w)({WORD})")
_ADDED = re.compile(rf"[-+]\s*({WORD})(?!\w)|(?<=\s)({WORD})(?=[-+])")
_BEHIND_WORD = re.compile(r"\s|(?=[-+])")
_WORDS_LIMIT = 8
"""Most words of a game's roll that are searched for names."""


def ask_for_sum(text: str, game: Game | None, vocabulary: Vocabulary) -> None:
    """Raise UnknownNumber for a sum of names, `dexterity+melee`, that the game's first roll takes."""
    names = _WORDS.findall(text) if _NAMES_ADDED.fullmatch(text) else []
    unknown = [name for name in names if not vocabulary.has(folded(name))]
    is_sum = unknown and not (game and game.answers(plain(names[0])))
    others = [name for name in names if name not in unknown and folded(name) not in vocabulary.numbers]
    if is_sum and not others and for_first_roll("+1" * len(names), game):
        raise UnknownNumber(tuple(dict.fromkeys(unknown)), 1)


def are_names(text: str) -> bool:
    """Return whether a text is a name or a sum of names."""
    return bool(_SUM.fullmatch(" ".join(text.split())))


def named_roll(text: str, game: Game | None, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return the game's roll that a text with names asks for, `cthulhu skill {listen}`, and it with numbers.

    It is the game's first roll, `listen hard`, or one whose word the text begins with, `attack +str`. The
    numbers are 0, or as low as the roll takes. Return two "" for other texts.
    """
    words = text.split()
    if game is None or not words or len(words) > _WORDS_LIMIT or "#" in text or notation.reads(text):
        return "", ""
    if any(split_hidden(text)):
        return "", ""
    word = plain(words.pop(0)) if len(words) > 1 and game.answers(plain(words[0])) else ""
    roll = game.roll(word) or game.rolls[0]
    own_name = first_name(" ".join(words), vocabulary)
    is_other = own_name and folded(own_name) not in vocabulary.numbers
    # In a game with usual dice a name alone is a bonus on these.
    if is_other or (game.usual and not word) or _is_size(roll):
        return "", ""
    # The fewest words are names: those behind them are options, as in `listen hard`.
    for end in range(1, len(words) + 1):
        summed, options = " ".join(words[:end]), words[end:]
        numbers: list[str] = _NAMES.findall(summed)
        if any(
            option_meant(roll, plain(part)) or RESERVED.search(part) for part in " ".join(numbers).split()
        ):
            return "", ""
        if not _SUM.fullmatch(summed):
            continue
        braced = " ".join([game.key, roll.name, _NAMES.sub(r"{\g<0>}", summed), *options])
        for number in (0, 1, 3, *(option.low for option in roll.options[:1])):
            with suppress(SpecError):
                for name in numbers:
                    clean_number_name(name)
                return braced, fill_in(braced, lambda _, number=number: number, game)
    return "", ""


def _unknown_numbers(text: str, game: Game | None, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the unknown names that a game's roll has in place of a number it needs, `skill listen hard`."""
    braced, _ = named_roll(text, game, vocabulary)
    roll = game.roll(braced.split()[1]) if game and braced else None
    if roll and roll.options and roll.options[0].usual is None:
        yield from (name for _, name in _NUMBER.findall(braced) if not vocabulary.has(folded(name)))


def with_number(text: str, game: Game | None, vocabulary: Vocabulary) -> str:
    """Return a name whose number is unknown as a roll of the game, `skill listen`; "" for other texts.

    In a game with usual dice a number is a bonus on these.
    """
    is_unknown = text.strip()[:1].isalpha() and _replace_by_values(text, vocabulary) == text
    if game is None or game.usual or not is_unknown or not any(named_roll(text, game, vocabulary)):
        return ""
    for word in words_for(text, game):
        roll = game.roll(plain(word)) or game.rolls[0]
        signs = ("", "+") if _adds_number(roll) else ("",)
        for asking in (f"{word} {sign}{text}" for sign in signs):
            try:
                resolve_game_words(asking, game, vocabulary)
            except UnknownNumber:
                return asking
        if word == game.first_word:
            break
    return ""


def _adds_number(roll: NamedRoll) -> bool:
    """Return whether a roll's first number is added to its dice, and no number of dice."""
    option = roll.options[0].name if roll.options else ""
    return bool(option) and not any(option in pool.count.names for pool in roll.rule.pools)


def _is_size(roll: NamedRoll) -> bool:
    """Return whether a roll's first number counts dice of one size, so that it is nobody's skill."""
    return bool(roll.options and DICE.fullmatch(roll.options[0].name))


def fill_in(dice: str, number_of: Callable[[str], int], game: Game | None) -> str:
    """Return a game's roll with the numbers of its names; raise SpecError if it does not take them."""

    def signed(match: re.Match[str], plus: str) -> str:
        number = number_of(match[2]) * (-1 if match[1] == "-" else 1)
        return f"{number:{'+' if match[1] else plus}}"

    # As in `attack str`, and in `skill mu/in/ch`, which takes no sign.
    texts = [_NUMBER.sub(lambda match, plus=plus: signed(match, plus), dice) for plus in ("+", "-")]
    text = next((text for text in texts if reads_as_game(text, game)), texts[0])
    if request := parse_game_roll(text, game):
        roller_of(request)
    return text


def with_values(text: str, vocabulary: Vocabulary) -> str:
    """Return a text with the signed values of a person's numbers, `+5+4` for `agility+pistols`.

    Its comment stays as it is.
    """
    text, mark, comment = " ".join(text.split()).partition(COMMENT)
    name = first_name(text, vocabulary)
    own = f"{vocabulary.number(name):+}" if folded(name) in vocabulary.numbers else ""
    return f"{own}{_replace_by_values(text[len(name) :] if own else text, vocabulary)}{mark}{comment}"


def resolve_game_words(text: str, game: Game | None, vocabulary: Vocabulary) -> Resolved | None:
    """Resolve names in a game's words, `sword adv ac 15` or `attack str`; return None for other texts.

    Raise UnknownNumber if only numbers are unknown.
    """
    name = first_name(text, vocabulary)
    saved_text, rest = vocabulary.saved.get(folded(name), ""), text.strip().removeprefix(name)
    # Words behind a saved roll's own comment would be a part of it, and not of the roll.
    saved_words, mark, comment = saved_text.partition(COMMENT)
    words, own_mark, own_comment = rest.partition(COMMENT)
    game_text = f"{saved_words} {words.strip()}{own_mark or mark}{own_comment if own_mark else comment}"
    if saved_text and reads_as_game(saved_text, game) and parse_game_roll(game_text, game):
        return Resolved(game_text, comment=own_comment.strip() or name)
    text, mark, comment = text.strip().partition(COMMENT)
    first, rest = [*_BEHIND_WORD.split(text, 1), ""][:2]
    if rest[:1] in {"+", "-"} and vocabulary.has(folded(first)):
        return None
    if not (game and game.answers(plain(first))) or reads_as_game(text, game):
        return None
    # `skill mu/in/ch` takes numbers where `attack str` takes a bonus.
    texts = [f"{first} {_replace_by_values(rest, vocabulary, plus)}" for plus in ("+", "")]
    if readable := [text for text in texts if reads_as_game(text, game)]:
        name = "" if mark else first_name(rest.lstrip("+ "), vocabulary)
        return Resolved(f"{readable[0]}{mark}{comment}", comment=name)
    unknown = [name for names in _ADDED.findall(texts[0]) for name in names if name]
    if not (unknown and reads_as_game(_ADDED.sub("+1", texts[0]), game)):
        unknown = [*_unknown_numbers(text, game, vocabulary)]
    if unknown:
        raise UnknownNumber(tuple(dict.fromkeys(unknown)), 1)
    return None


def _replace_by_values(text: str, vocabulary: Vocabulary, plus: str = "+") -> str:
    """Return a text with the values of a person's numbers, with their signs; `plus` goes before others."""

    def value(match: re.Match[str]) -> str:
        blank, sign, name = match.groups()
        if folded(name) not in vocabulary.numbers:
            return match[0]
        return f"{blank}{vocabulary.number(name) * (-1 if sign == '-' else 1):{'+' if sign else plus}}"

    return _OWN.sub(value, text)
