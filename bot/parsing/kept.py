"""Read a text that is kept, as a saved roll or a key is: a roller, a game's words, or dice."""

from dataclasses import replace

from bot.campaign.adjustments import read_modifiers
from bot.campaign.rolls import must_be_dice
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError, DiceReading, NotationError
from bot.dice.naming import folded, resolve
from bot.parsing.names import CampaignNames
from bot.parsing.offers import offer_words, with_offers
from bot.parsing.questions import ask_about_game
from bot.parsing.texts import in_english, must_know_words, reads_as_game
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.played import on_usual


def read_to_keep(names: CampaignNames, text: str, *, saved_as: str = "") -> str:
    """Return a text as it is stored: a roller, a game's words in English, or dice in Evenhand's notation.

    `saved_as` is the name of a personal saved roll, whose dice keep their names; in other texts names are
    resolved, except numbers. Raise NotationError if the text is none of these or may mean more in the
    game, SpecError for a luck account, which has no dice.
    """
    if roller := names.rollers.get(text.casefold()):
        must_be_dice(roller)
    text = on_usual(names.in_notation(text), names.game)
    if roller or reads_as_game(text, names.game):
        return text if roller else in_english(text, names.game)
    text = _on_usual_dice(names, text)
    ask_about_game(text, names)
    try:
        return _read_dice(names, text, saved_as)
    except NotationError as refused:
        raise _refuse(names, refused, text) from None


def _read_dice(names: CampaignNames, text: str, saved_as: str) -> str:
    dialect = names.rules.dialect
    if not notation.reads(text, dialect):
        vocabulary = names.vocabulary
        if saved_as:
            vocabulary = replace(vocabulary, saved={**vocabulary.saved, folded(saved_as): text})
        if resolved := resolve(text, vocabulary, dialect, later=not saved_as):
            if saved_as and resolved.roller:
                read_modifiers(resolved.text)  # what stands beside a roller can be rolled
            return text if saved_as else resolved.text
    roll = notation.parse(text, dialect)
    return text if dialect is Dialect.EVENHAND else str(roll)


def _refuse(names: CampaignNames, refused: NotationError, text: str) -> DiceError:
    """Return the refusal of a text that is to be kept: it may be a game's roll with unknown words."""
    try:
        must_know_words(text, names.game)
    except UnknownWord as error:
        return offer_words(names, error, text)
    return with_offers(names, refused, text)


def _on_usual_dice(names: CampaignNames, text: str) -> str:
    """Return a number of the person's own on the game's usual dice, `d20+stealth adv`.

    Return other texts unchanged; raise NotationError if the game has no usual dice.
    """
    bonus = None if notation.reads(text, names.rules.dialect) else names.resolve_bonus(text)
    if bonus and not names.usual:
        raise NotationError("That has no dice.", readings=(DiceReading(f"{bonus.text} # {bonus.comment}"),))
    if bonus:
        return f"{names.usual}{text}" if text.lstrip()[0] in {"+", "-"} else names.with_bonus(text)
    return text
