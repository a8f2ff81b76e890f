"""Choosing dice of a roll of a game: to throw them again, or to keep them and drop the others."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import count

from bot.campaign.campaigns import Roller, Rules
from bot.campaign.command import AboutEvent, Caller, Drawing, RollOptions
from bot.campaign.events import Event, Rolled
from bot.campaign.followups import first_roll, follows, must_be_first
from bot.campaign.rolled import OfRoller
from bot.campaign.rolls import fallen, roller_of
from bot.campaign.state import State
from bot.dice.draws import Recorder, Replayer, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed
from bot.dice.system import Outcome
from bot.rulebooks.laws import Tosses
from bot.rulebooks.words import GamesByKey
from bot.systems.game import GameRoll, game_roll


@dataclass(frozen=True, slots=True)
class Choosable:
    """The dice that a player may choose from, and the follow-up roll."""

    roller: Roller
    """The follow-up roll by the game's rules."""
    tosses: Tosses
    """The faces of all dice of the first roll, by pool."""
    labels: tuple[str, ...]
    """The text of each die's face, in the same order."""
    free: tuple[int, ...]
    """The indices of the dice that may be chosen."""
    keep: int = 0
    """The most dice to keep, all others being dropped; 0 if the chosen dice are thrown again."""
    often: bool = False
    """Whether the player may choose more than once."""
    more: tuple[int, ...] = ()
    """The number of extra dice for each pool."""
    limit: int = 0
    """The most dice to throw again; 0 for all."""

    @property
    def most(self) -> int:
        """Return the most dice that may be chosen."""
        return min(self.keep or self.limit or len(self.free), len(self.free))

    def standing(self, chosen: frozenset[int]) -> tuple[Tosses, tuple[int, ...]]:
        """Return the starting dice of the follow-up, and the indices of the removed or rethrown ones.

        Raise DiceError if these dice can't be chosen.
        """
        if not chosen <= {*self.free} or not 1 <= len(chosen) <= self.most:
            raise DiceError("Choose 1 to {most} of these dice.", most=self.most)
        removed = frozenset(range(sum(map(len, self.tosses)))) - chosen if self.keep else chosen
        pools = _without(self.tosses, removed, rethrown=not self.keep)
        standing = tuple((*pool, *((),) * more) for pool, more in zip(pools, self.more, strict=True))
        return standing, tuple(sorted(removed))


@dataclass(frozen=True, slots=True)
class ChooseDice(AboutEvent, Drawing):
    """Roll a game's follow-up with dice that the player chose."""

    chosen: frozenset[int]
    """The indices of the chosen dice in the roll."""
    dice: Choosable | None
    """The choice; None if there is none."""
    options: RollOptions = RollOptions()
    push = True

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; NotAllowed for another player's roll, DiceError for dice that can't be chosen."""
        if state.event is None or state.event.user_id != caller.user_id:
            raise NotAllowed("Only the player who rolled can choose dice of that roll.")
        dice = self.dice
        system = dice.roller.system if dice else None
        if dice is None or not isinstance(system, GameRoll):
            raise DiceError("No dice of #{number} can be chosen.", number=self.number)
        if not dice.often:
            must_be_first(self.number, state)
        standing, removed = dice.standing(self.chosen)
        record, start = Recorder(draws), system.start()
        throw = system.fall(record, standing).throw
        rolled = fallen(OfRoller(dice.roller.spec), (Outcome(system.face(throw), throw),), record, draws)
        return replace(
            rolled,
            roller=dice.roller.name,
            pushes=self.number,
            again=removed,
            stood=standing,
            before=start,
            after=start,
        )


def choosable(event: Event, rules: Rules, games: GamesByKey) -> Choosable | None:
    """Return the choice that a roll of a game allows; None if its game or its dice allow none."""
    first = first_roll(event, rules, games)
    if first is None or (choice := first.roll.choice) is None:
        return None
    fall = first.system.fall(Replayer(event.roll.draws))
    follow_up = first.game.roll(choice.roll)
    if follow_up is None:
        return None
    values = dict(first.system.given) | {name: formula.value(fall.values) for name, formula in choice.options}
    request = follows(first.game, follow_up, values)
    labels: list[str] = []
    free: list[int] = []
    for pool, dice in zip(first.system.rule.pools, fall.tosses, strict=True):
        faces = pool.faces_for(fall.values) if dice else ()
        for die in dice:
            die_faces = pool.counted(tuple(faces[toss] for toss in die))
            if pool.name in choice.pools and choice.free.value({**fall.values, **die_faces[0].values()}):
                free.append(len(labels))
            labels.append("+".join(face.text for face in die_faces))
    keep = max(choice.keep.value(fall.values), 0) if choice.keep else 0
    if not free or (choice.keep and not keep):
        return None
    options = dict(game_roll(request).given)
    extra = [
        max(pool.dice(options) - len(dice), 0) if pool.count.names <= options.keys() and not keep else 0
        for pool, dice in zip(follow_up.rule.pools, fall.tosses, strict=True)
    ]
    return Choosable(
        roller_of(request),
        fall.tosses,
        tuple(labels),
        tuple(free),
        keep,
        choice.often,
        tuple(extra),
        choice.most,
    )


def matches_first_roll(body: Rolled, first: Rolled) -> bool:
    """Return whether a roll's kept dice match the first roll's dice that were not chosen.

    Return True if the first roll's draws are not known.
    """
    system, removed, standing = first.of.system, {*body.again}, body.stood
    if not isinstance(system, GameRoll) or first.stood:
        return False
    if not first.draws:
        return True
    tosses = system.fall(Replayer(first.draws)).tosses
    if len(standing) != len(tosses) or max(removed, default=0) >= sum(map(len, tosses)):
        return False
    rethrown = any(not die for pool in standing for die in pool)
    expected = _without(tosses, removed, rethrown=rethrown)
    return all(
        pool[: len(dice)] == dice and not any(pool[len(dice) :])
        for pool, dice in zip(standing, expected, strict=True)
    )


def _without(tosses: Tosses, removed: Collection[int], *, rethrown: bool) -> Tosses:
    """Return the dice of each pool without the removed ones; with () for each if they are `rethrown`."""
    index = count()
    pools = [[() if next(index) in removed else die for die in pool] for pool in tosses]
    return tuple(tuple(pool if rethrown else filter(None, pool)) for pool in pools)
