"""The command that makes a recorded roll once more."""

from bot.campaign.adjustments import PLAIN, recorded
from bot.campaign.beside import RollBeside
from bot.campaign.call_commands import RollForNames
from bot.campaign.campaigns import REGISTER
from bot.campaign.checks import RollCheck
from bot.campaign.command import Drawing, RollOptions
from bot.campaign.d100_rolls import RollMethod
from bot.campaign.deals import RollDestination
from bot.campaign.events import Event
from bot.campaign.replay import recorded_dice
from bot.campaign.rolled import OfAccount, OfDice, OfPart, OfRoller
from bot.campaign.rolls import AS_OURS, ReadAs, RollDice, RollRegister
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.systems.game import GameRoll


def command(event: Event, by: ReadAs, thrown: tuple[int, ...] = ()) -> Drawing:
    """Return the command for the same roll, hidden as it was; with dice thrown by hand if there are any."""
    roll, of = event.roll, event.roll.of
    options = RollOptions(event.label or "", event.visibility, practice=roll.practice, thrown=thrown)
    on_account = isinstance(of, OfAccount)
    under = roll.check is not None and roll.check.under
    adjustment = recorded(roll.rest, roll.plus, roll.keep, under=under)
    if roll.names and isinstance(of, OfDice):
        once = str(recorded_dice(of.text).body)
        once = f"({once})>={roll.check.dc}" if roll.check else once
        return RollForNames(once, roll.names, options=options, by=by)
    if roll.names:
        return RollForNames(roll.roller, roll.names, None, None, adjustment, roll.check, options, by=by)
    if isinstance(of, OfRoller) and not on_account and adjustment != PLAIN:
        times = 1 if roll.keep else len(roll.results)
        return RollBeside(roll.roller, adjustment, times, roll.check, options, roll.versus)
    if isinstance(of, OfRoller) and (own := _of_d100(event, options)):
        return own
    if roll.check or on_account:
        account = roll.roller if on_account else ""
        return RollCheck(roll.dice, roll.check, account, options, roll.versus, by=by)
    if isinstance(of, OfDice):
        return RollDice(of.text, options=options)
    if isinstance(of, OfPart):
        return RollDestination(None, roll.roller, of.part, options)
    by = by if isinstance(of.system, GameRoll) else AS_OURS
    return RollDice(roll.roller, len(roll.results) // of.system.hand, options, by=by)


def _of_d100(event: Event, options: RollOptions) -> Drawing | None:
    """Return the command for the same roll of a way to a d100; None for other rolls."""
    roll, times = event.roll, len(event.roll.results)
    match roll.of.system:
        case Register(dice=dice) if roll.roller == REGISTER:
            return RollRegister(dice, times, options, roll.check)
        case Method() | PoolMethod() | LeftoversMethod() as way:
            return RollMethod(way, times, options, roll.check)
        case _:
            return None
