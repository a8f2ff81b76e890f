"""Resolve the names in a call's dice; those of numbers are kept, because each player has their own."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.campaign.beside import RollBeside, read_modifiers
from bot.campaign.call_commands import OpenCall
from bot.campaign.call_terms import Form
from bot.campaign.characters import clean_number_name
from bot.campaign.rolls import roller_of
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import NotationError, SpecError
from bot.dice.everyday import RESERVED, WORD
from bot.dice.naming import first_name, folded, number_names, resolve, without_numbers
from bot.rulebooks.book import Game, NamedRoll, plain
from bot.rulebooks.option_words import option_meant
from bot.rulebooks.own_dice import DICE
from bot.services.named import Named
from bot.services.naming import CampaignNames
from bot.services.parsing import parse_game_roll, read_as, reads_as_game, split_dc

_NAME = rf"{WORD}(?: {WORD})*+"
_SUM = re.compile(rf"[-+]? ?{_NAME}(?: ?[-+] ?{_NAME})*+(?: ?[-+] ?\d++)*+")
_NAMES, _NUMBER = re.compile(_NAME), re.compile(r"([-+]?) ?\{([^{}]+)\}")
_WORDS_LIMIT = 8
"""Most words of a game's roll that are searched for names."""


def are_names(text: str) -> bool:
    """Return whether a text is a name or a sum of names."""
    return bool(_SUM.fullmatch(" ".join(text.split())))


def named_roll(text: str, names: CampaignNames) -> tuple[str, str]:
    """Return the game's roll that a text with names asks for, `cthulhu skill {listen}`, and it with numbers.

    It is the game's first roll, `listen hard`, or one whose word the text begins with, `attack +str`. The
    numbers are 0, or as low as the roll takes. Return two "" for other texts.
    """
    game, words = names.game, text.split()
    if game is None or not words or len(words) > _WORDS_LIMIT or "#" in text or notation.reads(text):
        return "", ""
    word = plain(words.pop(0)) if len(words) > 1 and game.answers(plain(words[0])) else ""
    roll = game.roll(word) or game.rolls[0]
    own_name = first_name(" ".join(words), names.vocabulary)
    is_other = own_name and folded(own_name) not in names.vocabulary.numbers
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


def resolve_call(command: OpenCall, names: CampaignNames) -> Named | RollBeside | None:
    """Return a call with its names resolved; None if it contains no known name."""
    text, dialect = names.vocabulary.saved.get(folded(command.dice), command.dice), names.rules.dialect
    is_roller = names.is_roller(text)
    if not (is_roller or reads_as_game(text, names.game)):
        with_bonus = names.with_bonus(text.strip().removeprefix("+"))
        braced, with_numbers = ("", "") if command.account else named_roll(text, names)
        is_unsure = names.correct_name(text) or (with_bonus and any(names.with_label_behind(text)))
        if is_unsure and not notation.reads(text, dialect):
            readings = tuple(names.suggest_readings(text))
            raise NotationError("I don't know {said}.", said=f"`{text}`", readings=readings)
        if braced:
            options = replace(command.options, typed=braced)
            return replace(command, dice=with_numbers, options=options, by=read_as(names.rules))
        text = with_bonus or text
    resolved = None if is_roller else resolve(text, names.vocabulary, dialect, later=True)
    if resolved is None or not number_names(resolved.text):
        return names.resolve_command(command)
    dice = notation.without_comment(resolved.text)
    if not resolved.roller and command.terms.form is Form.CHECK:
        dice, dc = split_dc(dice)
        if None not in {dc, command.terms.dc}:
            raise SpecError("A check has one DC. Leave one of them out.")
        command = replace(command, terms=replace(command.terms, dc=command.terms.dc if dc is None else dc))
    options = replace(command.options, typed=dice)
    if resolved.roller:
        of_roller = replace(command, dice=without_numbers(dice, lambda text: _is_beside(text, names)))
        call = names.resolve_command(of_roller)
        return replace(call, options=options) if isinstance(call, OpenCall) else call
    now = without_numbers(dice)
    _check_unambiguous(now, dialect)
    return replace(command, dice=now, options=options, by=read_as(names.rules))


def _check_unambiguous(dice: str, dialect: Dialect) -> None:
    """Raise NotationError for unreadable dice, without readings: they have numbers that nobody typed."""
    try:
        notation.read_in(dialect, dice)
    except NotationError as error:
        raise NotationError(error.text, **error.values) from None


def _is_beside(text: str, names: CampaignNames) -> bool:
    """Return whether a text is a roller with a readable modifier."""
    with suppress(NotationError):
        resolved = resolve(text, names.vocabulary, names.rules.dialect)
        return bool(resolved and resolved.roller and read_modifiers(resolved.text))
    return False
