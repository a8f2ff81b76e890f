"""Commands whose text may contain names, and what they become when a name is a roller's."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from bot.campaign.adjustments import read_modifiers
from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.call_terms import Form, Terms
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import EVENHAND, RollDice, must_be_one_check
from bot.dice import notation
from bot.dice.choices import named_faces, with_label
from bot.dice.dialects.dialect import Dialect
from bot.dice.dialects.dice_maiden import is_private
from bot.dice.errors import NotationError, SpecError
from bot.dice.names import clean
from bot.dice.naming import Resolved, folded
from bot.parsing import suggestions
from bot.parsing.names import CampaignNames
from bot.parsing.texts import is_word, read_as

Named: TypeAlias = RollDice | RollCheck | RollForNames | OpenCall
"""Commands whose text may contain names as terms."""
_REPEATS = re.compile(r"\s*(?P<times>\d{1,3}) ?# ?(?P<roll>.+)", re.DOTALL)


def roll_beside(command: Named, resolved: Resolved, options: RollOptions) -> Named:
    """Return the command as a roll with a roller as a term; raise SpecError if it can't be one."""
    roller, around = resolved.roller, read_modifiers(resolved.text)
    options = replace(options, label=options.label or clean(around.words))
    changes = {"dice": roller, "adjustment": around.adjustment, "options": options, "by": EVENHAND}
    match command:
        case OpenCall(account="", terms=terms) if resolved.times == 1:
            if around.terms:
                if terms.dc is not None:
                    raise SpecError("A call has one DC. Leave it out of the dice.")
                terms = replace(terms, dc=around.terms.dc, under=terms.under or around.terms.under)
            return replace(command, terms=terms, **changes)
        case RollForNames() if resolved.times == 1:
            return replace(command, terms=around.terms, **changes)
        case RollDice():
            times = resolved.times * command.times
            if around.terms is None:
                return replace(command, times=times, **changes)
            must_be_one_check(times)
            return RollCheck(roller, around.terms, options=options, adjustment=around.adjustment)
        case RollCheck(account=""):
            if around.terms and (command.terms or command.versus is not None):
                raise SpecError("A check has one DC. Leave it out of the dice.")
            must_be_one_check(resolved.times)
            return replace(command, terms=command.terms or around.terms, **changes)
        case RollCheck() | OpenCall() if command.account:
            raise must_take_dice(roller)
        case _:
            raise SpecError("Everybody rolls once. Leave the repeats out.")


def translated(command: Named, text: str) -> Named:
    """Return a command with its text translated; a comment that this has becomes the label."""
    options = command.options
    if not options.label and notation.reads(text):
        options = replace(options, label=clean(notation.comment(text)))
    return replace(command, dice=text, options=options)


def with_their_options(command: Named, dialect: Dialect) -> Named:
    """Return a command with what another program says beside dice: a label, or that the roll is private."""
    text, options = command.source_text, command.options
    if dialect is Dialect.DICE_MAIDEN and is_private(text) and options.visibility is None:
        options = replace(options, visibility=Visibility.SELF)
    if dialect is not Dialect.EVENHAND and not options.label:
        with suppress(NotationError):
            options = replace(options, label=clean(notation.comment(notation.to_own_notation(dialect, text))))
    return replace(command, options=options)


def with_repeats(command: Named) -> Named:
    """Return a roll of a game, `3#attack +5`, as `attack +5` three times; any other command unchanged."""
    repeats = _REPEATS.fullmatch(command.source_text)
    if not repeats or not is_word(repeats["roll"]) or notation.reads(command.source_text):
        return command
    is_once = isinstance(command, RollDice) and command.times == 1
    return replace(command, dice=repeats["roll"], times=int(repeats["times"])) if is_once else command


def resolve_command(command: Named, names: CampaignNames) -> Named | None:
    """Return a command with the names in its text resolved; None if it contains no known name."""
    resolved = names.resolve_text(command.source_text)
    if resolved is None:
        return None
    typed, label = command.dice, command.options.label
    if isinstance(command, RollDice):
        saved_roll = names.vocabulary.saved.get(folded(notation.without_comment(typed)), "")
        faces = notation.comment(saved_roll)
        words = label or resolved.comment or notation.comment(typed)
        if named_faces(faces):
            words = with_label(faces, words)
        elif not words:
            words = typed if saved_roll else notation.comment(resolved.text)
            words = words or suggestions.saved_name(typed, names.vocabulary)
        label = clean(words)
    options = replace(command.options, label=label, typed=notation.without_comment(typed))
    if resolved.roller:
        return roll_beside(command, resolved, options)
    return replace(command, dice=resolved.text, options=options, by=read_as(names.rules))


def with_face_names(command: Named) -> Named:
    """Return a check of several people with the names of its faces in its label, as a roll of a coin has.

    Any other command is returned unchanged, and so is one whose names don't fit beside its label.
    """
    faces, options = notation.comment(command.source_text), command.options
    own_label = "" if options.label == faces else options.label
    label = with_label(faces, own_label) if named_faces(faces) else ""
    match command:
        case OpenCall(terms=Terms(form=Form.CHECK)) | RollForNames() if label and clean(label) == label:
            return replace(command, options=replace(options, label=label))
        case _:
            return command


def must_take_dice(roller: str) -> SpecError:
    """Return the refusal of a roller on a luck account."""
    return SpecError(
        "A luck account takes dice. {roller} is a roller, and one roll can't use two memories.",
        roller=roller,
    )
