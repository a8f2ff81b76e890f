"""Commands whose text may contain names, and what they become: with a roller, on an account, in a call."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from bot.campaign.adjustments import read_modifiers
from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.call_terms import Form, Terms
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import EVENHAND, RollDice, must_be_one_check
from bot.dice import notation
from bot.dice.choices import named_faces, read_call, with_label
from bot.dice.dialects.dialect import Dialect
from bot.dice.dialects.dice_maiden import is_private
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.names import clean, closest_name
from bot.dice.naming import Resolved, folded, number_names, resolve, without_numbers
from bot.parsing import suggestions
from bot.parsing.game_rolls import named_roll
from bot.parsing.guesses import refuse_effects
from bot.parsing.names import CampaignNames
from bot.parsing.offers import correct_name, suggest_readings
from bot.parsing.texts import (
    COMMENT,
    is_word,
    mentions_account,
    must_know_words,
    read_as,
    reads_as_game,
    split_dc,
)
from bot.rulebooks.played import low_passes
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount
from bot.words.notation import before_account

Named: TypeAlias = RollDice | RollCheck | RollForNames | OpenCall
"""Commands whose text may contain names as terms."""
_DIGITS = 5
"""Most digits of a DC."""
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


class OnAccount(NamedTuple):
    """Dice on a luck account."""

    dice: str
    roller: str
    dc: int | None = None
    under: bool = False
    """Whether low rolls of these dice pass in the campaign's game."""

    @property
    def terms(self) -> CheckTerms | None:
        """Return the check against its DC; None without one."""
        return None if self.dc is None else CheckTerms(self.dc, self.under)


def split_comment(text: str) -> tuple[str, str]:
    """Split dice from what is said behind them; a choice keeps its words, and an account is none."""
    dice, words = notation.split(text)
    is_choice = named_faces(words) or read_call(notation.without_command(dice))
    if not words or is_choice or mentions_account(text.partition(COMMENT)[0]):
        return text, ""
    return dice.strip(), words


def parse_account_roll(text: str, names: CampaignNames) -> OnAccount | None:
    """Return dice, the roller behind them and the DC; None if the campaign has no such roller."""
    text = " ".join(text.partition(COMMENT)[0].split())
    tails = [*before_account().finditer(text)]
    if not tails:
        return None
    dice, dc = split_dc(text[: tails[-1].start()])
    front, behind = f"{text[: tails[-1].start()]} on ", text[tails[-1].end() :]
    name, last = split_dc(behind, is_name=True)
    before, _, number = name.rpartition(" ")
    if before and last is None and number.isdecimal() and number.isascii() and len(number) <= _DIGITS:
        name, last = before, int(number)
    roller = names.rollers.get(name.strip('"').casefold())
    if roller is None:
        accounts = [key for key, other in names.rollers.items() if isinstance(other.system, LuckAccount)]
        if close := closest_name(name.casefold(), accounts):
            corrected = DiceReading(f"{front}{names.rollers[close].name}{behind[len(name) :]}")
            raise NotationError("I don't know {said}.", said=f"`{name}`", readings=(corrected,))
        return None
    if dc is not None and last is not None:
        raise SpecError("A check has one DC. Leave one of them out.")
    return OnAccount(dice, roller.name, dc if last is None else last, low_passes(dice, names.game))


def on_account(command: Named, names: CampaignNames) -> Named:
    """Return a command with the account that its dice name moved to its own field; else the command."""
    account_roll = parse_account_roll(command.source_text, names)
    if account_roll is None:
        return command
    dice, roller, dc, under = account_roll
    match command:
        case RollDice(times=times, options=options):
            must_be_one_check(times)
            label = options.label or clean(command.dice.partition(COMMENT)[2])
            return RollCheck(dice, account_roll.terms, roller, replace(options, label=label))
        case RollForNames():
            raise SpecError("Monsters roll plain dice. Leave out {roller}.", roller=roller)
        case RollCheck(account="", terms=terms) if dc is None or terms is None:
            return replace(command, dice=dice, account=roller, terms=account_roll.terms or terms)
        case OpenCall(account="", terms=terms) if dc is None or terms.dc is None:
            aim = {"dc": dc, "under": under or terms.under} if terms.dc is None and dc is not None else {}
            return replace(command, dice=dice, account=roller, terms=replace(terms, **aim))
        case _:
            raise SpecError("The account or the DC is there twice. Leave one out.")


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
