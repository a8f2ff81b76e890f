"""A campaign's history as files: written off the event loop, split where a file gets full."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO

from bot.campaign.caller import Caller
from bot.campaign.cuts import Beginning
from bot.campaign.histories import Entry
from bot.campaign.reveals import may_see
from bot.campaign.rules import Whose
from bot.dice.bases import Json
from bot.dice.errors import DiceError, Unavailable, Unknown
from bot.record.audit import Item, Partial, Sealed
from bot.record.chain import START
from bot.record.discretion import Discretion
from bot.record.exchange import END, Heading, print_heading, print_items
from bot.record.spreadsheet import header, lines
from bot.services.access import Here, here
from bot.storage import cutting, exports, reading, saved
from bot.storage.asking import Piece
from bot.storage.exports import ExportStanding
from bot.storage.reading import Reader

SLICE = 200
"""As many events are read at once: the event loop is kept from its other work for a few milliseconds."""

_MARGIN = len(END) + 2


class ExportFormat(StrEnum):
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

    async def export(
        self,
        caller: Caller,
        form: ExportFormat,
        folder: Path,
        room: int,
        progress: Callable[[int, int], Awaitable[None]],
    ) -> Export:
        """Write the caller's campaign to files of at most `room` bytes each; Unknown where nothing happened.

        DiceError where the rollers alone nearly fill a file. `progress` is told how many events of how
        many are done. What the person may not see is left out.
        """
        at, standing, beginning = await self._reader.do(_standing(caller))
        if at.campaign_id is None or standing is None or not standing.seq:
            raise Unknown("There is nothing to export yet. /roll 2d6 makes a start.")
        about = await self._reader.do(_about(at.campaign_id, standing, caller))
        start, head = (beginning.upto, bytes.fromhex(beginning.cut.head)) if beginning else (0, START)
        memories = at.is_gm or at.campaign.rules.odds is Whose.EVERYONE
        discretion = Discretion(start, memories=memories, is_gm=at.is_gm)
        writer = _Writer(folder, form, room, standing, about, discretion, head)
        hidden = 0
        try:
            async for entries in self._slices(at.campaign_id, caller, at, start, standing.seq):
                hidden += sum(not entry.visible for entry in entries)
                await asyncio.to_thread(writer.write, entries)
                await progress(entries[-1].event.seq - start, standing.seq - start)
        finally:
            await asyncio.to_thread(writer.close)
        return Export(tuple(writer.files), standing.seq - start, hidden)

    async def _slices(
        self, campaign_id: int, caller: Caller, at: Here, done: int, last: int
    ) -> AsyncGenerator[Sequence[Entry]]:
        """Return the events after a number up to another, the oldest first."""
        while done < last:
            rows = await self._reader.do(reading.page(campaign_id, after=done, limit=min(SLICE, last - done)))
            rows.reverse()
            if not rows or rows[0].event.seq != done + 1:
                raise Unavailable("Old events were being removed just now. Please try again in a minute.")
            yield [
                Entry(
                    row.event,
                    visible=row.revealed or may_see(row.event, caller.user_id, is_gm=at.is_gm),
                    undone=row.undone,
                )
                for row in rows
            ]
            done = rows[-1].event.seq


def _standing(caller: Caller) -> Piece[tuple[Here, ExportStanding | None, Beginning | None]]:
    """Return the caller's campaign, where its ledger stands, and where its history begins."""
    at = yield from here(caller)
    if at.campaign_id is None:
        return at, None, None
    standing = yield from exports.standing(at.campaign_id)
    return at, standing, (yield from cutting.beginning(at.campaign_id))


def _about(campaign_id: int, standing: ExportStanding, caller: Caller) -> Piece[dict[str, Json]]:
    """Return settings, rollers, and saved rolls: the caller's alone, for they are no part of the history."""
    rollers: list[Json] = [
        {"name": roller.name, "memory": roller.memory.value, "spec": roller.spec}
        for roller in (yield from reading.rollers(campaign_id))
    ]
    mine: list[Json] = [
        {"name": name, "dice": dice}
        for name, dice in (yield from saved.all_of((campaign_id, caller.user_id)))
    ]
    return {"settings": standing.rules, "rollers": rollers, "saved": mine}


class _Writer:
    """Writes entries to one file after another; used on threads, one call at a time."""

    def __init__(
        self,
        folder: Path,
        form: ExportFormat,
        room: int,
        standing: ExportStanding,
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
        """Write the next entries."""
        for entry in entries:
            line = self._line(entry)
            if self._file is None or len(line) + _MARGIN > self._left:
                self._open(entry.event.seq)
            self._put(line)
            self._empty = False
            self._head = entry.event.seal.head

    def close(self) -> None:
        """Finish the last file."""
        if self._file:
            if self._form is ExportFormat.JSON:
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
        if self._form is ExportFormat.CSV:
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
        if self._form is ExportFormat.JSON and not self._empty:
            data = b",\n" + data
        self._file.write(data)
        self._left -= len(data)

    def _line(self, entry: Entry) -> bytes:
        if self._form is ExportFormat.CSV:
            return lines([entry]).encode()
        return next(print_items([self._item(entry)])).encode()

    def _item(self, entry: Entry) -> Item:
        betrays = self._discretion.betrays(entry.event, visible=entry.visible)
        if not entry.visible:
            return Sealed(entry.event.seq, entry.event.seal.head)
        return Partial(entry.event) if betrays else entry.event
