"""Resolve the names in a call's dice; those of numbers are kept, because each player has their own."""

from contextlib import suppress
from dataclasses import replace

from bot.campaign.adjustments import read_modifiers
from bot.campaign.call_commands import OpenCall
from bot.campaign.call_terms import Form
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import NotationError, SpecError
from bot.dice.naming import folded, number_names, resolve, without_numbers
from bot.parsing.commands import Named, resolve_command
from bot.parsing.game_rolls import named_roll
from bot.parsing.names import CampaignNames
from bot.parsing.offers import correct_name, suggest_readings
from bot.parsing.texts import must_know_words, read_as, reads_as_game, split_dc
from bot.parsing.words_behind import refuse_effects


def resolve_call(command: OpenCall, names: CampaignNames) -> Named | None:
    """Return a call with its names resolved; None if it contains no known name."""
    text, dialect = names.vocabulary.saved.get(folded(command.dice), command.dice), names.rules.dialect
    is_roller = names.is_roller(text)
    if not (is_roller or reads_as_game(text, names.game)):
        with_bonus = names.with_bonus(text.strip().removeprefix("+"))
        braced, with_numbers = ("", "") if command.account else named_roll(text, names.game, names.vocabulary)
        is_unsure = correct_name(names, text) or (with_bonus and any(names.with_label_behind(text)))
        if is_unsure and not notation.reads(text, dialect):
            must_know_words(text, names.game)
            readings = tuple(suggest_readings(names, text))
            raise NotationError("I don't know {said}.", said=f"`{text}`", readings=readings)
        if braced:
            options = replace(command.options, typed=braced)
            return replace(command, dice=with_numbers, options=options, by=read_as(names.rules))
        text = with_bonus or text
    if not is_roller and (question := refuse_effects(text, names.vocabulary, "")):
        raise question
    resolved = None if is_roller else resolve(text, names.vocabulary, dialect, later=True)
    if resolved is None or not number_names(resolved.text):
        return resolve_command(command, names)
    dice = notation.without_comment(resolved.text)
    if not resolved.roller and command.terms.form is Form.CHECK:
        dice, dc = split_dc(dice)
        if None not in {dc, command.terms.dc}:
            raise SpecError("A check has one DC. Leave one of them out.")
        command = replace(command, terms=replace(command.terms, dc=command.terms.dc if dc is None else dc))
    options = replace(command.options, typed=dice)
    if resolved.roller:
        of_roller = replace(command, dice=without_numbers(dice, lambda text: _is_beside(text, names)))
        call = resolve_command(of_roller, names)
        return replace(call, options=options) if isinstance(call, OpenCall) else call
    now = without_numbers(dice)
    _check_unambiguous(now, dialect)
    return replace(command, dice=now, options=options, by=read_as(names.rules))


def _check_unambiguous(dice: str, dialect: Dialect) -> None:
    """Raise NotationError for unreadable dice, without readings: they have numbers that nobody typed."""
    try:
        notation.read_in(dialect, dice)
    except NotationError as error:
        raise error.alone() from None


def _is_beside(text: str, names: CampaignNames) -> bool:
    """Return whether a text is a roller with a readable modifier."""
    with suppress(NotationError):
        resolved = resolve(text, names.vocabulary, names.rules.dialect)
        return bool(resolved and resolved.roller and read_modifiers(resolved.text))
    return False
