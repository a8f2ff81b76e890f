"""Sessions: begun and ended by a game master, looked back on by everybody."""

import asyncio
import logging
from dataclasses import dataclass, replace

from bot.campaign.campaign_commands import MarkSession
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Session
from bot.campaign.kinds import Mark
from bot.dice.errors import DiceError, Unknown
from bot.services.access import DataStore, here
from bot.services.sight import unknown_before
from bot.stats.evenings import EveningSummary, look_back
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.rows import Row

_log = logging.getLogger(__name__)
EVENING_LIMIT = 5_000
"""How many events of an evening are looked at."""
_SLICE = 200


@dataclass(frozen=True, slots=True)
class Sessions:
    """The use cases of sessions."""

    store: DataStore

    async def latest(self, caller: Caller) -> list[Session]:
        """Return the latest sessions, newest first."""
        return (await self.store.reader.do(_marks(caller))).latest

    async def start(self, caller: Caller) -> Event:
        """Begin a session; DiceError if one goes on already."""
        marks = await self.store.reader.do(_marks(caller, for_masters=True))
        if any(session.end is None for session in marks.latest[:1]) and marks.marked is None:
            raise DiceError("A session is already on. `/session end` ends it.")
        return (await self.store.writer.write(caller, MarkSession(Mark.START))).event

    async def end(self, caller: Caller) -> tuple[int, Session]:
        """End the session; return its campaign and it. DiceError if none goes on."""
        marks = await self.store.reader.do(_marks(caller, for_masters=True))
        # Delivered again, it is the session that the first delivery ended.
        candidates = marks.latest if marks.marked else marks.latest[:1]
        running = [session for session in candidates if session.end == marks.marked]
        if not running:
            raise DiceError("No session is on. `/session start` begins one.")
        event = (await self.store.writer.write(caller, MarkSession(Mark.END))).event
        return event.campaign_id, replace(running[0], end=event.seq, ended=event.time)

    async def past(self, caller: Caller, start: int) -> tuple[int, Session]:
        """Return the campaign and the session that began with that event; Unknown where there is none."""
        marks = await self.store.reader.do(_marks(caller))
        session = next((one for one in marks.latest if one.start == start), None)
        if session is None:
            raise Unknown("There is no such session. Choose one from the list.")
        return marks.campaign_id, session

    async def look_back(self, campaign_id: int, session: Session) -> EveningSummary:
        """Return what a session came to."""
        rows = await self.rolls(campaign_id, session)
        evening = await asyncio.to_thread(look_back, [(row.event, row.counts) for row in rows])
        for error in evening.unjudged.values():
            _log.error("A roller of campaign %d can't be judged", campaign_id, exc_info=error)
        return evening

    async def rolls(self, campaign_id: int, session: Session) -> list[Row]:
        """Return a session's rolls that stand, the oldest first; those still hidden do not count.

        What a hidden roll left in a memory is not known.
        """
        rolls: list[Row] = []
        done = max(session.start, session.cut or 0)
        last = min(session.end or done + EVENING_LIMIT, done + EVENING_LIMIT)
        while rows := await self.store.reader.do(reading.page(campaign_id, after=done, limit=_SLICE)):
            rows.reverse()
            rolls += [row for row in rows if row.event.seq <= last and row.stands]
            done = rows[-1].event.seq
            if done >= last:
                break
        return await self.store.reader.do(unknown_before(rolls))


@dataclass(frozen=True, slots=True)
class _Marks:
    """The sessions of the caller's campaign."""

    campaign_id: int
    """0 where there is none yet."""
    latest: list[Session]
    marked: int | None
    """The number of what this interaction marked before; None if it is new."""


def _marks(caller: Caller, *, for_masters: bool = False) -> Queries[_Marks]:
    at = yield from here(caller, for_masters=for_masters)
    if at.campaign_id is None:
        return _Marks(0, [], None)
    latest = yield from campaigns.latest(at.campaign_id)
    mine = yield from campaigns.events_of(at.campaign_id, caller.interaction_id or 0)
    return _Marks(at.campaign_id, latest, mine[0].seq if mine else None)
