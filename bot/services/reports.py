"""Reports of luck: what somebody rolled against what is expected, over a campaign or an evening.

Hidden rolls count once they are revealed, undone ones not at all.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.replay import SOURCES
from bot.dice.draws import Source
from bot.dice.errors import Unknown
from bot.services.accounts import find
from bot.services.dice_questions import (
    NO_DICE,
    ROLLER_EVENTS,
    CountedDie,
    DiceQuestion,
    DiceQuestions,
    commonest,
)
from bot.stats.best import longest_streak
from bot.stats.check_evenings import AccountReport, record
from bot.stats.luck import Luck, Report, judge
from bot.stats.stretches import Stretch, trace
from bot.storage import reading
from bot.storage.rows import Row
from bot.systems.luck import LuckAccount
from bot.words.games import is_named

_STREAK_EVENTS = 300
"""How many of the newest events are searched for streaks of plain dice."""


@dataclass(frozen=True, slots=True)
class Reports:
    """The use cases of statistics."""

    questions: DiceQuestions

    async def report(self, asked: DiceQuestion) -> Report | AccountReport:
        """Return the numbers of the die that was asked for, else of the one rolled most."""
        if asked.session or asked.character:
            rows = await self.questions.rolls(asked)
            die = await asyncio.to_thread(commonest, asked, rows)
            counts, sources = Counter[str](), _sources(asked, rows)
        else:
            die = asked.dice[0]
            counts = await self.questions.reader.do(reading.faces(asked.campaign_id, die.key, asked.user_id))
            sources = await self.questions.reader.do(reading.faces(asked.campaign_id, SOURCES, asked.user_id))
            most = ROLLER_EVENTS if die.system.has_state else _STREAK_EVENTS
            rows = await self.questions.newest(asked, die, most)
            if not die.system.has_state:
                return await asyncio.to_thread(_counted, asked, die, rows, sources, counts)
        if isinstance(die.system, LuckAccount):
            return await self._checked(asked, die, rows, sources)
        return await asyncio.to_thread(_looked_at, asked, die, rows, sum(counts.values()))

    async def _checked(
        self, asked: DiceQuestion, die: CountedDie, rows: Sequence[Row], sources: Counter[str]
    ) -> AccountReport:
        """Return what a luck account has counted, and how it stands."""
        events = [row.event for row in rows if asked.includes(row) and die.faces(row.event)]
        found = await self.questions.reader.do(find(asked.campaign_id, die.name, asked.user_id or 0))
        one = found and (asked.user_id is not None or found[0].memory is Remembers.TABLE)
        return AccountReport(
            die.name,
            die.system,
            await asyncio.to_thread(record, events),
            found[1] if found and one else None,
            len(events),
            _true(events),
            asked.session,
            sources[Source.PHYSICAL.value],
        )

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of what was rolled here that contain what was typed, the most rolled first."""
        return [name for name in await self.questions.names(caller) if is_named(name, typed)]


def _sources(asked: DiceQuestion, rows: Sequence[Row]) -> Counter[str]:
    mine = [row.event for row in rows if asked.includes(row)]
    return Counter(event.roll.source.value for event in mine if event.roll.source)


def _true(events: Sequence[Event]) -> int:
    return sum(event.roll.source is Source.TRUE for event in events)


def _looked_at(asked: DiceQuestion, die: CountedDie, rows: Sequence[Row], in_all: int) -> Report:
    """Return the numbers of just these rolls, from the memory that they began with."""
    looked = [(row.event, asked.includes(row)) for row in rows if not die.named or die.faces(row.event)]
    shown = [event for event, wanted in looked if wanted and die.faces(event)]
    faces = [face for event in shown for face in die.faces(event)]
    stretch = trace(looked) if die.system.has_state else None
    known = stretch is not None and stretch.looked_at == len(faces)
    counts = Counter(faces)
    luck = _judged(asked, die, counts, stretch if known else None)
    streak = longest_streak(die.system, faces)
    missing, blind = max(0, in_all - len(faces)), die.system.has_state and not known
    by_hand = sum(asked.includes(row) and die.by_hand(row.event) for row in rows)
    of = die.name, die.system, luck, streak, len(shown), _true(shown), asked.session
    return Report(*of, missing, blind, by_hand)


def _counted(
    asked: DiceQuestion, die: CountedDie, rows: Sequence[Row], sources: Counter[str], counts: Counter[str]
) -> Report:
    """Return the numbers of plain dice, however many there are."""
    faces = [face for row in rows if asked.includes(row) for face in die.faces(row.event)]
    luck = _judged(asked, die, counts)
    streak = longest_streak(die.system, faces)
    by_hand = sources[Source.PHYSICAL.value]
    return Report(die.name, die.system, luck, streak, 0, 0, asked.session, by_hand=by_hand)


def _judged(
    asked: DiceQuestion, die: CountedDie, counts: Counter[str], stretch: Stretch | None = None
) -> Luck:
    numbers = [max(0, counts[face]) for face in die.system.faces]
    if not any(numbers):
        raise Unknown(NO_DICE)
    return judge(die.system, numbers, stretch, asked.owners)
