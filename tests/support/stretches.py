"""Stretches to judge."""

from bot.dice.system import System
from bot.stats.stretches import MemorySpan, Stretch


def fresh(system: System, steps: int) -> Stretch:
    """Return a new roller's first steps."""
    return Stretch((MemorySpan(system, system.start(), (steps,)),))
