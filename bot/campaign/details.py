"""One roll with all that is known of it: the dice, the odds at the time, the memory before and after."""

from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.replay import RollResult, replay
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
