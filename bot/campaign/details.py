"""One roll with all that is known of it: the dice, the odds at the time, the memory before and after."""

from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.replay import Rolled, is_practice, memory_before, replay
from bot.dice.system import Memory, System
from bot.systems.odds import odds
from bot.systems.registry import load_spec


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

    rolled: Rolled
    moment: Moment | None


def moment(rolled: Rolled) -> Moment | None:
    """What a roller was like; None for plain dice. ReplayError where the record does not fit."""
    event = rolled.event
    if not event.spec:
        return None
    system = load_spec(event.spec)
    before = system.start() if is_practice(event) else memory_before(event)
    first = event.results[0]
    now, usual = odds(system, before), odds(system, system.start())
    chances = tuple((face, now[i], usual[i]) for i, face in enumerate(system.faces) if face == first)
    return Moment(system, chances, before, replay(event)[1])
