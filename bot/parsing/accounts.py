"""Read dice with a luck account behind them, `1d20+5 on Luck dc 15`."""

from dataclasses import replace
from typing import NamedTuple

from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.checks import RollCheck
from bot.campaign.rolls import RollDice, must_be_one_check
from bot.dice import notation
from bot.dice.choices import named_faces, read_call
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.names import clean, closest_name
from bot.parsing.commands import Named
from bot.parsing.names import CampaignNames
from bot.parsing.texts import COMMENT, mentions_account, split_dc
from bot.rulebooks.played import low_passes
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount
from bot.words.notation import before_account

_DIGITS = 5
"""Most digits of a DC."""


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
