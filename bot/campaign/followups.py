"""Commands that follow a roll: the same roll again, a push in a game, and revealing it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.campaign.adjustments import recorded
from bot.campaign.call_commands import RollForNames
from bot.campaign.campaigns import Roller, Rules
from bot.campaign.checks import RollCheck
from bot.campaign.command import NOBODY, AboutEvent, Caller, Drawing, Needs, Plain, RollOptions
from bot.campaign.d100_rolls import D100Method, RollMethod, roller_name
from bot.campaign.deals import RollDestination
from bot.campaign.events import Event, Revealed, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import recorded_dice
from bot.campaign.rolled import OfAccount, OfDice, OfPart
from bot.campaign.rolls import EVENHAND, Attempt, ReadAs, RollDice, roll_roller
from bot.campaign.state import State
from bot.dice.draws import Replayer, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, Unknown
from bot.rulebooks.book import Game, NamedRoll
from bot.rulebooks.words import GameRequest, GamesByKey
from bot.systems.game import GameRoll


@dataclass(frozen=True, slots=True)
class PushRoll(AboutEvent, Drawing):
    """Push a roll of a game: roll its follow-up, if the first roll's dice allow it."""

    roll: Roller | None
    """The follow-up by the game's rules; None if there is none."""
    options: RollOptions = RollOptions()
    push = True

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; NotAllowed for another player's roll, DiceError for one that can't be pushed again."""
        if state.event is None or state.event.user_id != caller.user_id:
            raise NotAllowed("Only the player who rolled can push that roll.")
        if self.roll is None:
            raise DiceError("#{number} can't be pushed.", number=self.number)
        must_be_first(self.number, state)
        rolled = roll_roller(self.roll, 1, Attempt(caller, state, draws, self.options))
        return replace(rolled, pushes=self.number)


def must_be_first(number: int, state: State) -> None:
    """Raise DiceError if the player has pushed the roll, or has chosen among its dice."""
    if state.push:
        raise DiceError("You did that with #{number} already: see #{push}.", number=number, push=state.push)


class GameRolled(NamedTuple):
    """A recorded roll of a known game."""

    game: Game
    roll: NamedRoll
    system: GameRoll


def first_roll(event: Event, rules: Rules, games: GamesByKey) -> GameRolled | None:
    """Return the game of a roll that may have a follow-up; None for other rolls, and for chosen dice.

    Also return None for a roll by an earlier rule of the game, whose values may have had other names.
    """
    body = event.body
    system = body.of.system if isinstance(body, Rolled) and not body.stood else None
    if not isinstance(body, Rolled) or not isinstance(system, GameRoll) or len(body.results) != 1:
        return None
    played = rules.played(games)
    game = played if played and played.key == system.game else games.get(system.game)
    roll = game.roll(system.roll) if game else None
    return GameRolled(game, roll, system) if game and roll and roll.text == system.text else None


def find_push(event: Event, rules: Rules, games: GamesByKey) -> GameRequest | None:
    """Return the push of a roll; None if its game or its dice allow none."""
    first = first_roll(event, rules, games)
    if first is None or first.roll.push is None:
        return None
    game, push, system = first.game, first.roll.push, first.system
    values = system.fall(Replayer(event.roll.draws)).values
    follow_up = game.roll(push.roll)
    if follow_up is None or not push.condition.value(values):
        return None
    return follows(game, follow_up, {name: formula.value(values) for name, formula in push.options})


def follows(game: Game, roll: NamedRoll, values: Mapping[str, int]) -> GameRequest:
    """Return a request for a roll of a game, with these values of options and the defaults of the others."""
    return GameRequest(
        game,
        roll,
        tuple((option.name, values.get(option.name, option.usual or 0)) for option in roll.options),
    )


class Viewer(NamedTuple):
    """A person who may look at hidden rolls; by default somebody who sees none."""

    user_id: int = NOBODY
    is_gm: bool = False


EVERYBODY = Viewer()


def may_see(event: Event, user_id: int, *, is_gm: bool) -> bool:
    """Return whether a person may see a roll's result before it is revealed."""
    visibility = event.visibility
    by_rolling = event.user_id == user_id and visibility is not Visibility.BLIND
    by_leading = is_gm and visibility is not Visibility.SELF
    return visibility is Visibility.PUBLIC or by_rolling or by_leading


def may_see_typed(event: Event, user_id: int, *, is_gm: bool) -> bool:
    """Return whether a person may see what was typed for an event, if anything was."""
    return is_gm or event.user_id == user_id or not (event.words and event.words.typed)


class Reveal(AboutEvent, Plain):
    """Reveal a hidden roll to everybody; whoever may see it may reveal it."""

    def needs(self) -> Needs:
        """Return the roll and the game masters."""
        return Needs(event=self.number, campaign=self.campaign_id, masters=True)

    def decide(self, caller: Caller, state: State) -> Revealed:
        """Reveal it; Unknown if it is not hidden, NotAllowed without sight, DiceError if revealed before."""
        event = state.event
        if event is None or not isinstance(event.body, Rolled) or event.visibility is Visibility.PUBLIC:
            raise Unknown("#{number} is no hidden roll, so there is nothing to reveal.", number=self.number)
        if not may_see(event, caller.user_id, is_gm=caller.leads(state.masters)):
            raise NotAllowed("#{number} is hidden from you, so you can't reveal it.", number=self.number)
        if state.revealed:
            raise DiceError("#{number} is revealed already.", number=self.number)
        return Revealed(roller=event.roller, target=event.seq)


def repeat_command(event: Event, by: ReadAs, thrown: tuple[int, ...] = ()) -> Drawing:
    """Return the command that repeats a roll, equally hidden; with dice thrown by hand if any are given."""
    roll, of = event.roll, event.roll.of
    options = RollOptions(event.label or "", event.visibility, practice=roll.practice, thrown=thrown)
    on_account = isinstance(of, OfAccount)
    under = roll.check is not None and roll.check.under
    adjustment = recorded(roll.rest, roll.plus, roll.keep, under=under)
    if roll.names and isinstance(of, OfDice):
        single = str(recorded_dice(of.text).body)
        single = f"({single})>={roll.check.dc}" if roll.check else single
        return RollForNames(single, roll.names, options=options, by=by)
    if roll.names:
        return RollForNames(
            roll.roller, roll.names, terms=roll.check, options=options, by=by, adjustment=adjustment
        )
    if isinstance(of.system, D100Method) and roll.roller == roller_name(of.system):
        return RollMethod(of.system, len(roll.results), options, roll.check)
    if roll.check or on_account:
        account = roll.roller if on_account else ""
        return RollCheck(roll.dice, roll.check, account, options, roll.versus, by=by, adjustment=adjustment)
    if isinstance(of, OfDice):
        return RollDice(of.text, options=options)
    if isinstance(of, OfPart):
        return RollDestination(None, roll.roller, of.part, options)
    by = by if isinstance(of.system, GameRoll) else EVENHAND
    times = 1 if roll.keep else len(roll.results) // of.system.hand
    return RollDice(roll.roller, times, options, by=by, adjustment=adjustment)
