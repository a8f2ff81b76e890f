"""Sessions: started and ended by game masters, summarized for everybody."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.campaign.campaign_commands import MarkSession, SessionOn
from bot.campaign.command import Caller
from bot.campaign.events import CallOpened, Event
from bot.campaign.histories import Filter, Session
from bot.campaign.kinds import Mark
from bot.dice.errors import Unknown
from bot.services.access import DataStore
from bot.services.visibility import without_hidden_memories
from bot.stats.evenings import EveningSummary, look_back
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.checks import CheckTerms

_log = logging.getLogger(__name__)
EVENING_LIMIT = 5_000
"""Most events examined of a session."""
FORGOTTEN_SECONDS = 12 * 3_600
"""From this age on a session that is on counts as one that nobody ended."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The use cases of sessions."""

    store: DataStore

    async def latest(self, caller: Caller) -> list[Session]:
        """Return the latest sessions, newest first."""
        return (await self.store.reader.do(_load_latest(caller)))[1]

    async def start(self, caller: Caller) -> tuple[Event, Session | None]:
        """Start a session; return its first event, and the session before it if nobody ended that.

        Raise DiceError if one is open that began less than `FORGOTTEN_SECONDS` ago.
        """
        try:
            return (await self.store.writer.write(caller, MarkSession(Mark.START))).event, None
        except SessionOn:
            _, open_session = await self.past(caller)
            if caller.time - open_session.began < FORGOTTEN_SECONDS:
                raise SessionOn(
                    "A session has been on since {when}. `/session end` ends it.",
                    when=f"<t:{int(open_session.began)}:f>",
                ) from None
        written = await self.store.writer.write(caller, MarkSession(Mark.START, instead=open_session.start))
        return written.event, open_session

    async def end(self, caller: Caller) -> tuple[int, Session]:
        """End the session; return its campaign's id and it. Raise DiceError if none is open."""
        event = (await self.store.writer.write(caller, MarkSession(Mark.END))).event
        # At a second delivery this is the session that the first one ended.
        latest = await self.store.reader.do(campaigns.latest(event.campaign_id))
        return event.campaign_id, _find_session(latest, lambda session: session.end == event.seq)

    async def past(self, caller: Caller, start: int | None = None) -> tuple[int, Session]:
        """Return the campaign's id and the session started by that event, by default the latest.

        Raise Unknown if there is none.
        """
        campaign_id, latest = await self.store.reader.do(_load_latest(caller))
        if start is None and not latest:
            raise Unknown("There was no session here yet. `/session start` begins one.")
        return campaign_id, _find_session(latest, lambda session: start in {None, session.start})

    async def look_back(self, campaign_id: int, session: Session) -> EveningSummary:
        """Return the summary of a session."""
        rows = await self.rolls(campaign_id, session)
        evening = await asyncio.to_thread(look_back, [(row.event, row.counts) for row in rows])
        for error in evening.unjudged.values():
            _log.error("A roller of campaign %d can't be judged", campaign_id, exc_info=error)
        return evening

    async def rolls(self, campaign_id: int, session: Session) -> list[Row]:
        """Return a session's valid visible rolls, oldest first.

        Memories that contain a hidden roll are removed from them. Answers to a call have its check.
        """
        rolls: list[Row] = []
        checks: dict[int, CheckTerms | None] = {}
        done = first = max(session.start, session.cut or 0)
        last = min(session.end or done + EVENING_LIMIT, done + EVENING_LIMIT)
        while rows := await self.store.reader.do(reading.page(campaign_id, Filter(after=done))):
            for row in rows:
                target = row.event.target or 0
                if isinstance(row.event.body, CallOpened):
                    checks[row.event.seq] = row.event.body.terms.check
                elif row.event.seq <= last and row.stands:
                    if 0 < target <= first and target not in checks:
                        checks[target] = await self._find_check(campaign_id, target)
                    rolls.append(_with_check(row, checks.get(target)))
            done = rows[-1].event.seq
            if done >= last:
                break
        return await self.store.reader.do(without_hidden_memories(rolls))

    async def _find_check(self, campaign_id: int, number: int) -> CheckTerms | None:
        """Return the check of a call that was open when the session began; None for other events."""
        row = await self.store.reader.do(reading.event(campaign_id, number))
        return row.event.body.terms.check if row and isinstance(row.event.body, CallOpened) else None


def _find_session(sessions: Iterable[Session], matches: Callable[[Session], bool]) -> Session:
    for session in sessions:
        if matches(session):
            return session
    raise Unknown("There is no such session. Choose one from the list.")


def _with_check(row: Row, check: CheckTerms | None) -> Row:
    return replace(row, event=replace(row.event, body=replace(row.event.roll, check=check))) if check else row


def _load_latest(caller: Caller) -> Queries[tuple[int, list[Session]]]:
    """Return the id of the caller's campaign, 0 for none, and its latest sessions."""
    campaign_id = yield from campaigns.played(caller)
    return campaign_id, (yield from campaigns.latest(campaign_id))
