"""Commands whose text may contain names, and what they become when a name is a roller's."""

from dataclasses import replace
from typing import TypeAlias

from bot.campaign.beside import RollBeside, read_modifiers
from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.call_terms import Form, Terms
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.rolls import EVENHAND, RollDice
from bot.dice import notation
from bot.dice.choices import named_faces, with_label
from bot.dice.errors import SpecError
from bot.dice.names import clean
from bot.dice.naming import Resolved

Named: TypeAlias = RollDice | RollCheck | RollForNames | OpenCall
"""Commands whose text may contain names as terms."""


def roll_beside(command: Named, resolved: Resolved, options: RollOptions) -> Named | RollBeside:
    """Return the command as a roll with a roller as a term; raise SpecError if it can't be one."""
    roller, around = resolved.roller, read_modifiers(resolved.text)
    if around.words and not options.label:
        options = replace(options, label=clean(around.words))
    changes = {"dice": roller, "adjustment": around.adjustment, "options": options, "by": EVENHAND}
    match command:
        case OpenCall(account="", terms=terms) if resolved.times == 1:
            if around.terms:
                if terms.dc is not None:
                    raise SpecError("A call has one DC. Leave it out of the dice.")
                terms = replace(terms, dc=around.terms.dc, under=around.terms.under)
            return replace(command, terms=terms, **changes)
        case RollForNames() if resolved.times == 1:
            return replace(command, terms=around.terms, **changes)
        case RollDice():
            times = resolved.times * command.times
            return RollBeside(roller, around.adjustment, times, around.terms, options)
        case RollCheck(account=""):
            if around.terms and (command.terms or command.versus is not None):
                raise SpecError("A check has one DC. Leave it out of the dice.")
            terms = command.terms or around.terms
            return RollBeside(roller, around.adjustment, resolved.times, terms, options, command.versus)
        case RollCheck() | OpenCall() if command.account:
            raise must_take_dice(roller)
        case _:
            raise SpecError("Everybody rolls once. Leave the repeats out.")


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
