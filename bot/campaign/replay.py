"""A recorded roll made again, from its rule, the memory before it and the results of its draws."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from bot.campaign.accounts import SeenAccount, on_check
from bot.campaign.events import Event, Rolled
from bot.dice import notation
from bot.dice.draws import Drawn, Draws, Replayer, ReplayError
from bot.dice.errors import DiceError
from bot.dice.system import Memory, Outcome, System, step
from bot.dice.throws import roll
from bot.systems.luck import LuckAccount
from bot.systems.odds import odds
from bot.systems.registry import load_spec

_FEW = 8
"""So many draws of plain dice, made again once, are kept in mind."""


@dataclass(frozen=True, slots=True)
class RollResult:
    """A roll with its dice, ready to be shown."""

    event: Event
    outcomes: tuple[Outcome, ...]
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""
    rival: Event | None = None
    """The roll that it is held against."""

    @property
    def roll(self) -> Rolled:
        """Return the roll's body."""
        return self.event.roll


def read_roll(event: Event) -> RollResult:
    """Return a roll with its dice; ReplayError where record and rule don't fit."""
    if not isinstance(event.body, Rolled):
        raise ReplayError(f"#{event.seq} is no roll")
    outcomes = event.body.outcomes or replay(event).outcomes
    return RollResult(event, outcomes)


def replay(event: Event) -> Rolled:
    """Return a roll's body with its dice and the memory after it; ReplayError where they don't fit."""
    outcomes, after = replayed(event)
    return replace(event.roll, outcomes=outcomes, after=after)


def replayed(event: Event) -> tuple[tuple[Outcome, ...], Memory]:
    """Return a recorded roll's dice and the memory after it; ReplayError where they don't fit."""
    body = event.body
    if not isinstance(body, Rolled) or not body.results:
        raise ReplayError(f"#{event.seq} is no roll")
    try:
        few = not body.spec and len(body.draws) <= _FEW
        outcomes, after = (_few_dice(body.text, body.draws), ()) if few else _made_again(body)
    except ReplayError:
        raise
    except (DiceError, ValueError, ArithmeticError, LookupError) as error:
        # A rule or a memory that nobody can have rolled with: it is not the reader's fault.
        raise ReplayError(f"#{event.seq} can't have been rolled so: {error}") from error
    if tuple([outcome.face for outcome in outcomes]) != body.results:
        raise ReplayError(f"#{event.seq} does not come out as recorded")
    return outcomes, after


def _made_again(body: Rolled) -> tuple[tuple[Outcome, ...], Memory]:
    draws = Replayer(body.draws)
    made = remake(body, draws)
    draws.finish()
    return made


@lru_cache(maxsize=2_048)
def _few_dice(text: str, drawn: tuple[Drawn, ...]) -> tuple[Outcome, ...]:
    """Return what plain dice came to; few dice fall in few ways."""
    return _made_again(Rolled(text=text, draws=drawn))[0]


def throw_dice(text: str, draws: Draws) -> tuple[Outcome, ...]:
    """Roll notation: one outcome for each of its rolls, and of their repeats."""
    throws = [roll(each, draws) for each in notation.parse(text).rolls for _ in range(each.repeat)]
    return tuple([Outcome(str(throw.total), throw) for throw in throws])


def throw_system(
    system: System, memory: Memory, steps: int, draws: Draws
) -> tuple[tuple[Outcome, ...], Memory]:
    """Take so many steps with a system; the outcomes, and the memory after them."""
    outcomes: list[Outcome] = []
    for _ in range(steps):
        outcome, memory = step(system, memory, draws)
        outcomes.append(outcome)
    return tuple(outcomes), memory


def throw_practice(system: System, steps: int, draws: Draws, *, together: bool) -> tuple[Outcome, ...]:
    """Take steps that leave no memory: each roll begins afresh, or all together come from one fresh deck."""
    if together:
        return throw_system(system, system.start(), steps, draws)[0]
    rolls = (throw_system(system, system.start(), system.hand, draws)[0] for _ in range(steps // system.hand))
    return tuple([outcome for outcomes in rolls for outcome in outcomes])


def remake(body: Rolled, draws: Draws) -> tuple[tuple[Outcome, ...], Memory]:
    """Roll a recorded roll with other draws; return what comes out, and the memory after it."""
    if not body.spec:
        return throw_dice(body.text, draws), ()
    system = load_spec(body.spec)
    if isinstance(system, LuckAccount):
        system = on_check(system, body)
    if body.practice:
        made = throw_practice(system, len(body.results), draws, together=body.together)
        return made, system.start()
    if body.before is None:
        raise ReplayError("it has no memory on record")
    return throw_system(system, body.before, len(body.results), draws)


@dataclass(frozen=True, slots=True)
class Moment:
    """A roller as it was when it was rolled."""

    system: System
    chances: tuple[tuple[str, Fraction, Fraction], ...]
    """Each face that came out first in this roll: its chance then, and without a memory."""
    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True)
class Details:
    """A recorded roll; `moment` is None for plain dice, and where the odds are not for the reader."""

    rolled: RollResult
    moment: Moment | None


def moment(rolled: RollResult) -> Moment | None:
    """Return what a roller was like; None for plain dice. ReplayError where the record does not fit."""
    body = rolled.roll
    if not body.spec:
        return None
    system = load_spec(body.spec)
    before = system.start() if body.before is None else body.before
    after = replay(rolled.event).after if body.after is None else body.after
    first = body.results[0]
    now, usual = odds(system, before), odds(system, system.start())
    chances = tuple((face, now[i], usual[i]) for i, face in enumerate(system.faces) if face == first)
    return Moment(system, chances, before, after or system.start())
