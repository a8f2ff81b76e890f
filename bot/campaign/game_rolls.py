"""Rolls in a game's own words, such as `wod 7 diff 6`, and the pushes that follow them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.campaign.campaigns import Remembers, Roller, Rules
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Event, Rolled
from bot.campaign.rolls import check_times, roll_roller, roll_system
from bot.campaign.state import State
from bot.dice.dialects.dialect import Dialect
from bot.dice.draws import Replayer, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.rulebooks.book import Game, read_game
from bot.rulebooks.words import Asked, understand, usage
from bot.systems.game import GameRoll, game_roll
from bot.systems.registry import load_spec, print_spec


@dataclass(frozen=True, slots=True)
class RollGame(Drawing):
    """Roll the roller of that name, else what the words ask for, in the campaign's game or one they name."""

    text: str
    games: Mapping[str, Game]
    """The games that every campaign knows, by their keys."""
    times: int = 1
    options: RollOptions = RollOptions()
    typed: bool = False
    """Whether it is as somebody typed it, so that a dialect that is chosen goes first."""

    def needs(self) -> Needs:
        """Return the roller of that name: a game's words never hide one."""
        return Needs(roller=self.text.strip().casefold())

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown where the words are no game's, SpecError where they miss something."""
        check_times(self.times)
        if roller := state.present():
            return roll_roller(roller, self.times, caller, state, draws, self.options)
        rules = state.campaign.rules
        theirs = self.typed and rules.dialect is not Dialect.EVENHAND
        asked = None if theirs else understand(self.text, self.games, game_of(rules, self.games))
        if asked is None:
            raise Unknown(f"No game here has {self.text[:40]!r}. /game list shows what there is.")
        rolled = _rolled(asked, self.times, caller, state, draws)
        if not rolled.draws:
            raise SpecError(f"There are no dice in it. {usage(asked.game, asked.roll)}")
        return rolled


@dataclass(frozen=True, slots=True)
class PushRoll(Drawing):
    """Follow a roll of a game by the roll that its push names, once the first one's dice allow it."""

    number: int
    campaign_id: int
    games: Mapping[str, Game]
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the first roll."""
        return Needs(event=self.number, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; NotAllowed for another player's roll, DiceError for one that can't be pushed."""
        if state.event is None or state.event.user_id != caller.user_id:
            raise NotAllowed("Only who rolled can push that roll.")
        asked = pushed(state.event, state.campaign.rules, self.games)
        if asked is None:
            raise DiceError(f"#{self.number} can't be pushed.")
        return replace(_rolled(asked, 1, caller, state, draws), pushes=self.number)


def pushed(event: Event, rules: Rules, games: Mapping[str, Game]) -> Asked | None:
    """Return the roll that may follow a roll of a game; None where its game or its dice allow none."""
    body = event.body
    system = load_spec(body.spec) if isinstance(body, Rolled) and body.spec else None
    if not isinstance(body, Rolled) or not isinstance(system, GameRoll) or len(body.results) != 1:
        return None
    played = game_of(rules, games)
    game = played if played and played.key == system.game else games.get(system.game)
    first = game.roll(system.roll) if game else None
    if game is None or first is None or first.push is None:
        return None
    values = system.values(Replayer(body.draws))
    second = game.roll(first.push.roll)
    if second is None or not first.push.condition.value(values):
        return None
    given = {name: formula.value(values) for name, formula in first.push.options}
    return Asked(game, second, tuple((o.name, given.get(o.name, o.usual or 0)) for o in second.options))


def _rolled(asked: Asked, times: int, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
    system = game_roll(asked)
    roller = Roller(asked.words, print_spec(system), Remembers.PLAYER, epoch=0)
    return replace(roll_system(roller, system, times, caller, state, draws), prev=None)


def game_of(rules: Rules, games: Mapping[str, Game]) -> Game | None:
    """Return the game that is played by these rules: one of the games, or one from a file; None for none."""
    if not rules.game:
        return None
    return games.get(rules.game) or _from_file(rules.game)


@lru_cache(maxsize=64)
def _from_file(text: str) -> Game | None:
    return read_game(text) if text.startswith("{") else None
