"""Luck reports: rolled against expected faces, over a campaign or a session.

Hidden rolls count once they are revealed, undone ones never.
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
from bot.services.checks import find_account
from bot.services.dice_questions import (
    NO_DICE,
    ROLLER_EVENTS,
    CountedDie,
    DiceQuestion,
    DiceQuestions,
    most_rolled_die,
)
from bot.stats.best import longest_streak
from bot.stats.check_evenings import AccountReport, record
from bot.stats.luck import Luck, Report, judge
from bot.stats.stretches import Stretch, trace
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.luck import LuckAccount
from bot.words.games import is_named

_STREAK_EVENTS = 300
"""Newest events searched for streaks of plain dice."""


@dataclass(frozen=True, slots=True)
class Reports:
    """The use cases of statistics."""

    questions: DiceQuestions

    async def report(self, question: DiceQuestion) -> Report | AccountReport:
        """Return the report on the question's first die, or on the one most rolled in its session."""
        if question.session or question.character:
            rows = await self.questions.rolls(question)
            die = await asyncio.to_thread(most_rolled_die, question, rows)
            counts, sources = Counter[str](), _count_sources(question, rows)
        else:
            die = question.dice[0]
            counts, sources = await self.questions.reader.do(_load_counts(question, die.key))
            limit = ROLLER_EVENTS if die.system.has_state else _STREAK_EVENTS
            rows = await self.questions.newest(question, die, limit)
            if not die.system.has_state:
                return await asyncio.to_thread(_report_counts, question, die, rows, sources, counts)
        if isinstance(die.system, LuckAccount):
            return await self._report_account(question, die, rows, sources)
        return await asyncio.to_thread(_report_rolls, question, die, rows, sum(counts.values()))

    async def _report_account(
        self, question: DiceQuestion, die: CountedDie, rows: Sequence[Row], sources: Counter[str]
    ) -> AccountReport:
        """Return the report on a luck account: the checks it counted, and its balance."""
        events = [row.event for row in rows if question.includes(row) and die.faces(row.event)]
        if not events:
            raise _none_left(die)
        finding = find_account(question.campaign_id, die.name, question.user_id or 0)
        account = await self.questions.reader.do(finding)
        is_single = account and (question.user_id is not None or account[0].memory is Remembers.TABLE)
        return AccountReport(
            die.name,
            die.system,
            await asyncio.to_thread(record, events),
            account[1] if account and is_single else None,
            len(events),
            _count_true(events),
            question.session,
            sources[Source.PHYSICAL.value],
        )

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of dice rolled here that contain the typed text, most rolled first."""
        return [name for name in await self.questions.names(caller) if is_named(name, typed)]


def _none_left(die: CountedDie) -> Unknown:
    return Unknown(
        "No roll of {name} that still counts is here: they are too old, or gone with the old history.",
        name=die.name,
    )


def _load_counts(question: DiceQuestion, die: str) -> Queries[tuple[Counter[str], Counter[str]]]:
    """Return the counts of a die's faces, and those of the sources of all rolls."""
    faces = yield from reading.faces(question.campaign_id, die, question.user_id)
    return faces, (yield from reading.faces(question.campaign_id, SOURCES, question.user_id))


def _count_sources(question: DiceQuestion, rows: Sequence[Row]) -> Counter[str]:
    events = [row.event for row in rows if question.includes(row)]
    return Counter(event.roll.source.value for event in events if event.roll.source)


def _count_true(events: Sequence[Event]) -> int:
    return sum(event.roll.source is Source.TRUE for event in events)


def _report_rolls(question: DiceQuestion, die: CountedDie, rows: Sequence[Row], total: int) -> Report:
    """Return the report on just these rolls, from the memory before the first."""
    rolls = [(row.event, question.includes(row)) for row in rows if not die.is_roller or die.faces(row.event)]
    events = [event for event, is_included in rolls if is_included and die.faces(event)]
    faces = [face for event in events for face in die.faces(event)]
    if total and not faces:
        raise _none_left(die)
    stretch = trace(rolls) if die.system.has_state else None
    has_memory = stretch is not None and stretch.looked_at == len(faces)
    counts = Counter(faces)
    luck = _judge_counts(question, die, counts, stretch if has_memory else None)
    streak = longest_streak(die.system, faces)
    missing, is_blind = max(0, total - len(faces)), die.system.has_state and not has_memory
    by_hand = sum(question.includes(row) and die.by_hand(row.event) for row in rows)
    facts = die.name, die.system, luck, streak, len(events), _count_true(events), question.session
    return Report(*facts, missing, is_blind, by_hand)


def _report_counts(
    question: DiceQuestion, die: CountedDie, rows: Sequence[Row], sources: Counter[str], counts: Counter[str]
) -> Report:
    """Return the report on plain dice from their stored counts."""
    faces = [face for row in rows if question.includes(row) for face in die.faces(row.event)]
    luck = _judge_counts(question, die, counts)
    streak = longest_streak(die.system, faces)
    by_hand = sources[Source.PHYSICAL.value]
    return Report(die.name, die.system, luck, streak, 0, 0, question.session, by_hand=by_hand)


def _judge_counts(
    question: DiceQuestion, die: CountedDie, counts: Counter[str], stretch: Stretch | None = None
) -> Luck:
    numbers = [max(0, counts[face]) for face in die.system.faces]
    if not any(numbers):
        raise Unknown(NO_DICE)
    return judge(die.system, numbers, stretch, question.owners)
