"""A recorded roll again, from the rule, the memory before it and the results of its draws."""

from dataclasses import dataclass

from bot.core import notation
from bot.core.draws import Drawn, Replayer, ReplayError
from bot.core.events import Event
from bot.core.rolling import roll
from bot.core.systems.registry import load_spec
from bot.core.systems.system import Memory, Outcome, step


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
    draws = Replayer(_drawn(event))
    outcomes: list[Outcome] = []
    memory: Memory = ()
    if event.spec:
        system = load_spec(event.spec)
        memory = memory_before(event)
        for _ in event.results:
            outcome, memory = step(system, memory, draws)
            outcomes.append(outcome)
    else:
        expression = notation.parse(event.text)
        for _ in event.results:
            throw = roll(expression, draws)
            outcomes.append(Outcome(str(throw.total), throw))
    draws.finish()
    if tuple(o.face for o in outcomes) != event.results:
        raise ReplayError(f"#{event.seq} does not come out as recorded")
    return tuple(outcomes), memory


def memory_before(event: Event) -> Memory:
    """The memory that a roll with a roller began with; ReplayError if it is not on record."""
    match event.detail.get("before"):
        case list(numbers):
            return tuple(n for n in numbers if isinstance(n, int))
        case _:
            raise ReplayError(f"#{event.seq} has no memory on record")


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
