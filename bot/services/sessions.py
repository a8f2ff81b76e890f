"""Evenings: begun and ended by a game master, looked back on by everybody."""

import asyncio
from dataclasses import replace

from bot.campaign.events import Asked, Event
from bot.campaign.session_requests import MarkSession
from bot.campaign.sessions import Mark, Session
from bot.dice.errors import DiceError
from bot.services.access import Access, Person
from bot.services.histories import Place
from bot.stats.evenings import EveningSummary, look_back
from bot.storage import campaigns, reading, sessions
from bot.storage.asking import Piece
from bot.storage.reading import Reader
from bot.storage.writer import Writer

EVENING_LIMIT = 5_000
"""As many events of an evening are looked at."""
_SLICE = 200


class Sessions:
    """The use cases of evenings."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    async def latest(self, place: Place) -> list[Session]:
        """The latest evenings, newest first."""
        return await self._reader.do(_latest(place))

    async def start(self, asked: Asked, person: Person) -> Event:
        """An evening begins; DiceError if one goes on already."""
        place = Place(asked.channel_id, asked.parent_id)
        await self._access.must_be_gm_here(asked, person, "Beginning a session")
        newest = (await self.latest(place))[:1]
        if any(session.end is None for session in newest) and await self._marked(asked) is None:
            raise DiceError("A session goes on already. /session end ends it.")
        return (await self._writer.write(asked, MarkSession(Mark.START))).event

    async def end(self, asked: Asked, person: Person) -> tuple[int, Session]:
        """The evening ends: its campaign, and the evening; DiceError if none goes on."""
        place = Place(asked.channel_id, asked.parent_id)
        await self._access.must_be_gm_here(asked, person, "Ending a session")
        marked, latest = await self._marked(asked), await self.latest(place)
        # Delivered again, it is the evening that the first delivery ended.
        running = [session for session in (latest if marked else latest[:1]) if session.end == marked]
        if not running:
            raise DiceError("No session goes on. /session start begins one.")
        event = (await self._writer.write(asked, MarkSession(Mark.END))).event
        return event.campaign_id, replace(running[0], end=event.seq, ended=event.time)

    async def look_back(self, campaign_id: int, session: Session) -> EveningSummary:
        """What an evening came to."""
        return await asyncio.to_thread(look_back, await self.rolls(campaign_id, session))

    async def rolls(self, campaign_id: int, session: Session) -> list[Event]:
        """An evening's rolls that count, the oldest first."""
        rolls: list[Event] = []
        done = max(session.start, session.cut or 0)
        last = min(session.end or done + EVENING_LIMIT, done + EVENING_LIMIT)
        while rows := await self._reader.do(reading.page(campaign_id, after=done, limit=_SLICE)):
            rows.reverse()
            rolls += [row.event for row in rows if row.event.seq <= last and row.counts]
            done = rows[-1].event.seq
            if done >= last:
                break
        return rolls

    async def _marked(self, asked: Asked) -> int | None:
        """The number of what this interaction marked before; None if it is new."""
        return await self._reader.do(_marked(asked))


def _latest(place: Place) -> Piece[list[Session]]:
    campaign_id = yield from campaigns.played(place.channel_id, place.parent_id)
    return [] if campaign_id is None else (yield from sessions.latest(campaign_id))


def _marked(asked: Asked) -> Piece[int | None]:
    campaign_id = yield from campaigns.played(asked.channel_id, asked.parent_id)
    if campaign_id is None:
        return None
    marks = yield from campaigns.events_of(campaign_id, asked.interaction_id, asked.interaction_id)
    return marks[0].seq if marks else None
