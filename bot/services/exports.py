"""A campaign's history as files: written off the event loop, split where a file gets full."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO

from bot.campaign.histories import Entry
from bot.campaign.reveals import may_see
from bot.campaign.rules import Rules, Whose
from bot.dice.bases import Json
from bot.dice.errors import DiceError, Unavailable, Unknown
from bot.record.audit import Item, Partial, Sealed
from bot.record.chain import START
from bot.record.discretion import Discretion
from bot.record.exchange import END, Heading, print_heading, print_items
from bot.record.spreadsheet import header, lines
from bot.services.access import Access, Person
from bot.services.histories import Place
from bot.storage import campaigns, cutting, exports, reading, saved
from bot.storage.exports import Standing
from bot.storage.reading import Reader
from bot.systems.registry import print_spec

SLICE = 200
"""As many events are read at once: the event loop is kept from its other work for a few milliseconds."""

_MARGIN = len(END) + 2


class Form(StrEnum):
    """What kind of file."""

    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Export:
    """The files, in order, and what is in them."""

    files: tuple[Path, ...]
    events: int
    hidden: int
    """How many rolls the reader may not see."""


class Exports:
    """The use cases of taking the history away."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._access = Access(reader)

    async def export(
        self,
        place: Place,
        person: Person,
        form: Form,
        folder: Path,
        room: int,
        progress: Callable[[int, int], Awaitable[None]],
    ) -> Export:
        """The channel's campaign in files of at most `room` bytes each; Unknown where nothing happened.

        DiceError where the rollers alone nearly fill a file. `progress` is told how many events of how
        many are done. What the person may not see is left out.
        """
        campaign_id = await self._reader.do(campaigns.played(place.channel_id, place.parent_id))
        standing = await self._reader.do(exports.standing(campaign_id)) if campaign_id is not None else None
        if campaign_id is None or standing is None or not standing.seq:
            raise Unknown("There is nothing to export yet. /roll 2d6 makes a start.")
        person = await self._access.known(person, campaign_id)
        about = await self._about(campaign_id, standing, person)
        odds = Rules.from_json(standing.rules).odds
        beginning = await self._reader.do(cutting.beginning(campaign_id))
        start, head = (beginning.cut.upto, beginning.cut.head) if beginning else (0, START)
        memories = person.is_gm or odds is Whose.EVERYONE
        discretion = Discretion(start, memories=memories, is_gm=person.is_gm)
        writer = _Writer(folder, form, room, standing, about, discretion, head)
        hidden = 0
        try:
            async for entries in self._slices(campaign_id, person, start, standing.seq):
                hidden += sum(not entry.visible for entry in entries)
                await asyncio.to_thread(writer.write, entries)
                await progress(entries[-1].event.seq - start, standing.seq - start)
        finally:
            await asyncio.to_thread(writer.close)
        return Export(tuple(writer.files), standing.seq - start, hidden)

    async def _slices(
        self, campaign_id: int, person: Person, done: int, last: int
    ) -> AsyncGenerator[Sequence[Entry]]:
        """The events after a number up to another, the oldest first."""
        while done < last:
            rows = await self._reader.do(reading.page(campaign_id, after=done, limit=min(SLICE, last - done)))
            rows.reverse()
            if not rows or rows[0].event.seq != done + 1:
                raise Unavailable("Old events were being removed just now. Please try again in a minute.")
            yield [
                Entry(
                    row.event,
                    visible=row.revealed or may_see(row.event, person.user_id, is_gm=person.is_gm),
                    undone=row.undone,
                )
                for row in rows
            ]
            done = rows[-1].event.seq

    async def _about(self, campaign_id: int, standing: Standing, person: Person) -> dict[str, Json]:
        rollers: list[Json] = [
            {
                "channel": str(channel),
                "name": roller.name,
                "memory": roller.memory.value,
                "spec": print_spec(roller.system) if roller.system else "",
            }
            for channel, roller in await self._reader.do(exports.rollers(campaign_id))
        ]
        # One's own alone, whoever asks: they are no part of the history.
        kept: list[Json] = [
            {"name": name, "dice": dice}
            for name, dice in await self._reader.do(saved.all_of((campaign_id, person.user_id)))
        ]
        return {"settings": standing.rules, "rollers": rollers, "saved": kept}


class _Writer:
    """Writes entries to one file after another; used on threads, one call at a time."""

    def __init__(
        self,
        folder: Path,
        form: Form,
        room: int,
        standing: Standing,
        about: dict[str, Json],
        discretion: Discretion,
        head: bytes,
    ) -> None:
        self.files: list[Path] = []
        self._folder = folder
        self._form = form
        self._room = room
        self._standing = standing
        self._about = about
        self._discretion = discretion
        self._file: IO[bytes] | None = None
        self._left = 0
        self._head = head
        self._empty = True

    def write(self, entries: Sequence[Entry]) -> None:
        """The next entries."""
        for entry in entries:
            line = self._line(entry)
            if self._file is None or len(line) + _MARGIN > self._left:
                self._open(entry.event.seq)
            self._put(line)
            self._empty = False
            self._head = entry.event.head

    def close(self) -> None:
        """Finish the last file."""
        if self._file:
            if self._form is Form.JSON:
                self._file.write(END.encode())
            self._file.close()
            self._file = None

    def _open(self, first: int) -> None:
        self.close()
        path = self._folder / f"history-{len(self.files) + 1}.{self._form.value}"
        self.files.append(path)
        self._file = path.open("wb")
        self._left = self._room
        self._empty = True
        if self._form is Form.CSV:
            # The mark by which spreadsheets know UTF-8.
            self._put("\ufeff".encode() + header().encode())
            return
        standing = self._standing
        heading = Heading(standing.name, standing.seq, standing.head, first, self._head, self._about)
        self._put(print_heading(heading).encode())
        if self._left < self._room // 4:
            # Else there would be a file for each event.
            raise DiceError("The campaign's rollers alone nearly fill a file, so it can't be exported whole.")

    def _put(self, data: bytes) -> None:
        if self._file is None:
            raise AssertionError("nothing is written before a file is open")
        if self._form is Form.JSON and not self._empty:
            data = b",\n" + data
        self._file.write(data)
        self._left -= len(data)

    def _line(self, entry: Entry) -> bytes:
        if self._form is Form.CSV:
            return lines([entry]).encode()
        return next(print_items([self._item(entry)])).encode()

    def _item(self, entry: Entry) -> Item:
        betrays = self._discretion.betrays(entry.event, visible=entry.visible)
        if not entry.visible:
            return Sealed(entry.event.seq, entry.event.head)
        return Partial(entry.event) if betrays else entry.event
