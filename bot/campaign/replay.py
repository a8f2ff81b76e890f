"""A recorded roll again, from the rule, the memory before it and the results of its draws."""

from dataclasses import dataclass

from bot.campaign.events import Event, Kind
from bot.dice import notation
from bot.dice.draws import Drawn, Draws, Replayer, ReplayError
from bot.dice.errors import DiceError
from bot.dice.system import Memory, Outcome, step
from bot.dice.throws import roll
from bot.systems.registry import load_spec


@dataclass(frozen=True, slots=True)
class Rolled:
    """A recorded roll, with the faces and dice that came out."""

    event: Event
    outcomes: tuple[Outcome, ...]


def read_roll(event: Event) -> Rolled:
    """A recorded roll with its dice; ReplayError where record and rule don't fit."""
    outcomes, _ = replay(event)
    return Rolled(event, outcomes)


def replay(event: Event) -> tuple[tuple[Outcome, ...], Memory]:
    """What came out, and the memory after it; ReplayError where record and rule don't fit."""
    if event.kind is not Kind.ROLL or not event.results:
        raise ReplayError(f"#{event.seq} is no roll")
    draws = Replayer(_drawn(event))
    try:
        outcomes, memory = _steps(event, draws) if event.spec else (_throws(event, draws), ())
    except ReplayError:
        raise
    except (DiceError, ValueError, ArithmeticError, LookupError) as error:
        # A rule or a memory that nobody can have rolled with: it is not the reader's fault.
        raise ReplayError(f"#{event.seq} can't have been rolled so: {error}") from error
    draws.finish()
    if tuple(o.face for o in outcomes) != event.results:
        raise ReplayError(f"#{event.seq} does not come out as recorded")
    return outcomes, memory


def is_practice(event: Event) -> bool:
    """Whether a roll began without a memory and left none."""
    return event.detail.get("practice") is True


def memory_before(event: Event) -> Memory:
    """The memory that a roll with a roller began with; ReplayError if it is not on record."""
    match event.detail.get("before"):
        case list(numbers):
            memory = tuple(n for n in numbers if type(n) is int)
            if len(memory) == len(numbers):
                return memory
        case _:
            pass
    raise ReplayError(f"#{event.seq} has no memory on record")


def _steps(event: Event, draws: Draws) -> tuple[tuple[Outcome, ...], Memory]:
    system = load_spec(event.spec)
    practice = is_practice(event)
    # Cards that are dealt for practice come from one fresh deck; rolls begin afresh each.
    afresh = practice and event.detail.get("together") is not True
    memory = system.start() if practice else memory_before(event)
    outcomes: list[Outcome] = []
    for place in range(len(event.results)):
        if afresh and place % system.hand == 0:
            memory = system.start()
        outcome, memory = step(system, memory, draws)
        outcomes.append(outcome)
    return tuple(outcomes), memory


def _throws(event: Event, draws: Draws) -> tuple[Outcome, ...]:
    expression = notation.parse(event.text)
    throws = [roll(expression, draws) for _ in range(expression.repeat)]
    return tuple(Outcome(str(throw.total), throw) for throw in throws)


def _drawn(event: Event) -> list[Drawn]:
    drawn: list[Drawn] = []
    match event.detail.get("draws"):
        case list(pairs):
            for pair in pairs:
                match pair:
                    case [int(total), int(value)]:
                        drawn.append((total, value))
                    case _:
                        raise ReplayError(f"#{event.seq} has a damaged draw on record")
        case _:
            raise ReplayError(f"#{event.seq} has no draws on record")
    return drawn
