"""Numbers that calm: what somebody rolled against what is to be expected, over a campaign or an evening.

Hidden rolls count once they are revealed, undone ones not at all.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaign.caller import Caller
from bot.campaign.events import Event
from bot.campaign.rollers import Remembers
from bot.campaign.sessions import Session
from bot.dice.errors import Unknown
from bot.dice.labels import Label
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.services.sessions import Sessions
from bot.stats.luck import Luck, Streak, judge, longest_streak, plain_die
from bot.stats.tallies import SOURCES, FaceCounts, count, is_roller, roller_die, tosses
from bot.storage import campaigns, reading, tallies
from bot.storage.reading import Reader

_STREAK_EVENTS = 300
"""Streaks are looked for among so many of the newest events."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose numbers, of which roller or die, of which evening; None is all."""

    user_id: int | None = None
    roller: str | None = None
    session: int | None = None
    """The number of the event that began the evening."""


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of one die."""

    name: str
    """The roller's name, or d20."""
    system: System
    luck: Luck
    own: bool
    """Whether a roller with a memory was measured by its own measure."""
    streak: Streak | None
    rolls: int
    """All rolls of these people, of whatever dice, by the source of their bits."""
    true: int
    session: Session | None


@dataclass(frozen=True, slots=True)
class _Die:
    """A die to report on."""

    key: str
    name: str
    system: System
    memory: Remembers | None = None


class Reports:
    """The use cases of statistics."""

    def __init__(self, reader: Reader, sessions: Sessions) -> None:
        self._reader = reader
        self._sessions = sessions

    async def report(self, caller: Caller, wanted: Wanted) -> Report:
        """Return the numbers of the roller or die that is asked for, else of the one rolled most.

        Unknown where there is no such roller, evening, or roll.
        """
        campaign_id = await self._campaign(caller)
        session = await self._session(caller, wanted.session)
        rolls = await self._sessions.rolls(campaign_id, session) if session else None
        mine = [event for event in rolls or () if wanted.user_id in {None, event.user_id}]
        tally = await asyncio.to_thread(_tally, mine) if rolls is not None else None
        counts = (
            _sums(tally)
            if tally is not None
            else await self._reader.do(tallies.dice(campaign_id, wanted.user_id))
        )
        die = _choose(await self._dice(campaign_id, counts), counts, wanted.roller)
        if tally is None:
            faces = await self._reader.do(tallies.faces(campaign_id, die.key, wanted.user_id))
            sources = await self._reader.do(tallies.faces(campaign_id, SOURCES, wanted.user_id))
            mine = await self._latest(campaign_id, die, wanted.user_id)
        else:
            faces, sources = _of(tally, die.key), _of(tally, SOURCES)
        own = die.memory is not None and (die.memory is Remembers.PLAYER) is (wanted.user_id is not None)
        numbers = [max(0, faces.get(face, 0)) for face in die.system.faces]
        if not any(numbers):
            raise Unknown("There are no rolls of that here yet. Roll it first.")
        luck = await asyncio.to_thread(judge, die.system, numbers, own_memory=own)
        streak = await asyncio.to_thread(_streak, die, mine)
        own = own and die.system.has_state
        total = sum(sources.values())
        return Report(
            die.name, die.system, luck, own, streak, total, sources.get(Label.TRUE.value, 0), session
        )

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of what was rolled here that contain what was typed, the most rolled first."""
        campaign_id = await self._reader.do(campaigns.played(caller.channel_id, caller.parent_id))
        if campaign_id is None:
            return []
        counts = await self._reader.do(tallies.dice(campaign_id))
        dice = {die.key: die.name for die in await self._dice(campaign_id, counts)}
        names = [dice[key] for key in counts if key in dice]
        wanted = typed.strip().casefold()
        return [name for name in names if wanted in name.casefold()]

    async def _campaign(self, caller: Caller) -> int:
        campaign_id = await self._reader.do(campaigns.played(caller.channel_id, caller.parent_id))
        if campaign_id is None:
            raise Unknown("Nothing was rolled here yet. /roll 2d6 makes a start.")
        return campaign_id

    async def _session(self, caller: Caller, number: int | None) -> Session | None:
        if number is None:
            return None
        for session in await self._sessions.latest(caller):
            if session.start == number:
                return session
        raise Unknown("There is no such session. Choose one of those that are offered.")

    async def _latest(self, campaign_id: int, die: _Die, user_id: int | None) -> list[Event]:
        """Return the newest rolls that may show the die, the oldest first."""
        roller = die.name if die.memory else None
        rows = await self._reader.do(
            reading.page(campaign_id, limit=_STREAK_EVENTS, user_id=user_id, roller=roller)
        )
        return [row.event for row in reversed(rows) if row.counts]

    async def _dice(self, campaign_id: int, counts: dict[str, int]) -> list[_Die]:
        """Return the campaign's rollers, and the plain dice that were rolled."""
        rollers = [
            _Die(
                roller_die(roller.name, roller.spec),
                roller.name,
                roller.system,
                roller.memory,
            )
            for roller in await self._reader.do(reading.rollers(campaign_id))
            if roller.system
        ]
        plain = [key for key in counts if not is_roller(key) and key != SOURCES]
        return [*rollers, *(_Die(key, key, plain_die(key)) for key in plain)]


def _choose(dice: Sequence[_Die], counts: dict[str, int], name: str | None) -> _Die:
    if name is not None:
        wanted = clean(name, NAME_LIMIT).casefold()
        for die in dice:
            if die.name.casefold() == wanted:
                return die
        raise Unknown(f"There is no roller {clean(name, NAME_LIMIT)} here, and nobody rolled such a die.")
    rolled = [die for die in dice if counts.get(die.key, 0) > 0]
    if not rolled:
        raise Unknown("There are no rolls of that here yet. Roll it first.")
    return max(rolled, key=lambda die: counts[die.key])


def _tally(rolls: Sequence[Event]) -> FaceCounts:
    tally: FaceCounts = FaceCounts()
    for event in rolls:
        tally.update(count(event))
    return tally


def _sums(tally: FaceCounts) -> dict[str, int]:
    sums: dict[str, int] = {}
    for (die, _), n in tally.items():
        sums[die] = sums.get(die, 0) + n
    return sums


def _of(tally: FaceCounts, die: str) -> dict[str, int]:
    return {face: n for (one, face), n in tally.items() if one == die}


def _streak(die: _Die, rolls: Sequence[Event]) -> Streak | None:
    faces: list[str] = []
    for event in rolls:
        if die.memory is None:
            faces += [face for key, face in tosses(event) if key == die.key] if not event.roll.spec else []
        elif event.roll.spec and die.key == roller_die(event.roller, event.roll.spec):
            faces += event.roll.results
    return longest_streak(die.system, faces)
