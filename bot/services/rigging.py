"""Is it rigged? What a campaign's dice say against themselves."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice.errors import Unknown
from bot.dice.system import System
from bot.services.dice_questions import NO_DICE, CountedDie, DiceQuestion, DiceQuestions, Wanted
from bot.stats.rigged import Examined, examine_plain, examine_roller
from bot.storage.rows import Row

EVENTS = 10_000
"""So many of the newest events are looked at, from a number on that moves by half as many at a time."""


@dataclass(frozen=True, slots=True)
class Rigged:
    """An answer, and what it is about."""

    name: str
    system: System
    examined: Examined
    since: int
    """The number from which on rolls were looked at; 0 where all were."""


class Rigging:
    """The use case of doubt."""

    def __init__(self, questions: DiceQuestions) -> None:
        self._questions = questions

    async def ask(self, caller: Caller, wanted: Wanted) -> DiceQuestion:
        """Return the question that `examine` answers; Unknown where it has no answer."""
        return await self._questions.ask(caller, wanted)

    async def examine(self, asked: DiceQuestion) -> Rigged:
        """Return the evidence against the die that was asked for, else the one rolled most."""
        die = asked.dice[0]
        rows, since = await self._questions.newest(asked, die, EVENTS, EVENTS // 2)
        shown = [row for row in rows if asked.includes(row)]
        examined = await asyncio.to_thread(_examined, die, shown)
        if examined is None or not examined.dice:
            raise Unknown(NO_DICE)
        return Rigged(die.name, die.system, examined, since)


def _examined(die: CountedDie, rows: Sequence[Row]) -> Examined | None:
    shown = [row.event for row in rows if die.faces(row.event)]
    if die.system.has_state:
        return examine_roller(shown)
    faces = [face for event in shown for face in die.faces(event)]
    return examine_plain(die.system, faces) if faces else None
