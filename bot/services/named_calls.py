"""Resolve the names in a call's dice; those of numbers are kept, because each player has their own."""

from contextlib import suppress
from dataclasses import replace

from bot.campaign.beside import RollBeside, read_modifiers
from bot.campaign.call_commands import OpenCall
from bot.dice import notation
from bot.dice.errors import NotationError
from bot.dice.naming import folded, number_names, resolve, without_numbers
from bot.services.named import Named
from bot.services.naming import CampaignNames
from bot.services.parsing import read_as, reads_as_game


def resolve_call(command: OpenCall, names: CampaignNames) -> Named | RollBeside | None:
    """Return a call with its names resolved; None if it contains no known name."""
    text, dialect = names.vocabulary.saved.get(folded(command.dice), command.dice), names.rules.dialect
    is_roller = names.is_roller(text)
    if not (is_roller or reads_as_game(text, names.game)):
        with_bonus = names.with_bonus(text)
        is_unsure = names.correct_name(text) or (with_bonus and any(names.with_label_behind(text)))
        if is_unsure and not notation.reads(text, dialect):
            readings = tuple(names.suggest_readings(text))
            raise NotationError("I don't know {said}.", said=f"`{text}`", readings=readings)
        text = with_bonus or text
    resolved = None if is_roller else resolve(text, names.vocabulary, dialect, later=True)
    if resolved is None or not number_names(resolved.text):
        return names.resolve_command(command)
    dice = notation.without_comment(resolved.text)
    options = replace(command.options, typed=dice)
    if resolved.roller:
        of_roller = replace(command, dice=without_numbers(dice, lambda text: _is_beside(text, names)))
        call = names.resolve_command(of_roller)
        return replace(call, options=options) if isinstance(call, OpenCall) else call
    return replace(command, dice=without_numbers(dice), options=options, by=read_as(names.rules))


def _is_beside(text: str, names: CampaignNames) -> bool:
    """Return whether a text is a roller with a readable modifier."""
    with suppress(NotationError):
        resolved = resolve(text, names.vocabulary, names.rules.dialect)
        return bool(resolved and resolved.roller and read_modifiers(resolved.text))
    return False
