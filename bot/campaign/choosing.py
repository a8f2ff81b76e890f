"""Dice that a player chooses after a roll of a game: thrown again, or kept while all others go."""

from dataclasses import dataclass, replace

from bot.campaign.campaigns import Roller, Rules
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Event, Rolled
from bot.campaign.followups import first_roll, follows
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
    """The dice of a roll from which its player may choose, and the roll that follows."""

    roller: Roller
    """The roll that follows, as its game says."""
    tosses: Tosses
    """All dice of the first roll, as they fell."""
    shown: tuple[str, ...]
    """What each die shows, in their order."""
    free: tuple[int, ...]
    """The places of those that may be chosen."""
    keep: int = 0
    """How many may be kept at most, so that all others go; 0 where the chosen ones are thrown again."""
    more: tuple[int, ...] = ()
    """How many dice each pool gets besides."""

    def standing(self, chosen: frozenset[int]) -> tuple[Tosses, tuple[int, ...]]:
        """Return the dice that lie when the next roll begins, and the places of those that don't stay.

        DiceError where these can't be chosen.
        """
        most = self.keep or len(self.free)
        if not chosen <= {*self.free} or not 1 <= len(chosen) <= most:
            raise DiceError("Choose 1 to {most} of these dice.", most=most)
        stood: list[tuple[tuple[int, ...], ...]] = []
        place = 0
        for pool, more in zip(self.tosses, self.more, strict=True):
            dice = [(n in chosen, die) for n, die in enumerate(pool, start=place)]
            place += len(pool)
            if self.keep:
                stood.append(tuple(die for kept, die in dice if kept))
            else:
                stood.append((*(() if again else die for again, die in dice), *((),) * more))
        go = frozenset(range(place)) - chosen if self.keep else chosen
        return tuple(stood), tuple(sorted(go))


@dataclass(frozen=True, slots=True)
class ChooseDice(Drawing):
    """Follow a roll of a game with some of its dice, chosen by who rolled it."""

    number: int
    campaign_id: int
    chosen: frozenset[int]
    """Their places in the roll, from 0."""
    dice: Choosable | None
    """What may be chosen; None where nothing may."""
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the first roll."""
        return Needs(event=self.number, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; NotAllowed for another player's roll, DiceError for dice that can't be chosen."""
        if state.event is None or state.event.user_id != caller.user_id:
            raise NotAllowed("Only the player who rolled can choose dice of that roll.")
        roller = self.dice and self.dice.roller
        system = roller.system if roller else None
        if self.dice is None or roller is None or not isinstance(system, GameRoll):
            raise DiceError("No dice of #{number} can be chosen.", number=self.number)
        stood, again = self.dice.standing(self.chosen)
        record, start = Recorder(draws), system.start()
        throw = system.fall(record, stood).throw
        rolled = fallen(OfRoller(roller.spec), (Outcome(system.face(throw), throw),), record, draws)
        return replace(
            rolled,
            roller=roller.name,
            pushes=self.number,
            again=again,
            stood=stood,
            before=start,
            after=start,
        )


def choosable(event: Event, rules: Rules, games: GamesByKey) -> Choosable | None:
    """Return what may be chosen of a roll of a game; None where its game or its dice allow nothing."""
    found = first_roll(event, rules, games)
    if found is None or (choice := found.roll.choice) is None:
        return None
    fell = found.system.fall(Replayer(event.roll.draws))
    second = found.game.roll(choice.roll)
    if second is None:
        return None
    given = dict(found.system.given) | {name: each.value(fell.values) for name, each in choice.options}
    asked = follows(found.game, second, given)
    shown: list[str] = []
    free: list[int] = []
    for pool, dice in zip(found.system.rule.pools, fell.tosses, strict=True):
        faces = pool.shown(fell.values) if dice else ()
        for die in dice:
            lies = pool.counted(tuple(faces[toss] for toss in die))
            if choice.free.value({**fell.values, **lies[0].values()}):
                free.append(len(shown))
            shown.append("+".join(face.text for face in lies))
    keep = max(choice.keep.value(fell.values), 0) if choice.keep else 0
    if not free or (choice.keep and not keep):
        return None
    after = game_roll(asked).given
    more = [
        max(pool.dice(dict(after)) - len(dice), 0) if pool.count.names <= {*dict(after)} and not keep else 0
        for pool, dice in zip(second.rule.pools, fell.tosses, strict=True)
    ]
    return Choosable(roller_of(asked), fell.tosses, tuple(shown), tuple(free), keep, tuple(more))


def lay_so(body: Rolled, first: Rolled) -> bool:
    """Return whether the dice that stay in a roll fell so in the first one, at the places not chosen.

    True where the first one does not tell how it fell.
    """
    system, again, stood = first.of.system, {*body.again}, body.stood
    if not isinstance(system, GameRoll) or first.stood:
        return False
    if not first.draws:
        return True
    fell = system.fall(Replayer(first.draws)).tosses
    if len(stood) != len(fell) or max(again, default=0) >= sum(map(len, fell)):
        return False
    thrown, place = any(not die for pool in stood for die in pool), 0
    for lie, pool in zip(stood, fell, strict=True):
        stays = [die if n not in again else () for n, die in enumerate(pool, start=place)]
        place += len(pool)
        wanted = tuple(stays if thrown else filter(None, stays))
        if lie[: len(wanted)] != wanted or any(lie[len(wanted) :]):
            return False
    return True
