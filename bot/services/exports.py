"""A campaign's history as files: written off the event loop, split where a file gets full."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from bot.campaign.campaigns import Whose
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.followups import may_see_typed
from bot.campaign.histories import Beginning, Entry
from bot.dice.errors import DiceError, Unavailable, Unknown
from bot.dice.system import Json
from bot.record.audit import tree_before
from bot.record.checkpoint import Checkpoint
from bot.record.codec import encode_value
from bot.record.discretion import Discretion
from bot.record.exchange import (
    EVERY,
    Heading,
    print_about,
    print_checkpoint,
    print_heading,
    print_leaves,
)
from bot.record.hashing import Keyring
from bot.record.ledger import Ledger, untold, write_line
from bot.record.spreadsheet import header, lines
from bot.services.access import Here, here
from bot.services.sight import sees
from bot.storage import cutting, ledgers, reading, saved
from bot.storage.queries import Queries, Reader

SLICE = 200
"""Events read at once: the event loop is kept from its other work for a few milliseconds."""

_MARGIN = 600
"""Bytes of the checkpoint at a file's end, and of its first line beyond a frontier."""


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
    checkpoint: Checkpoint
    """The log as it is in the files."""


@dataclass(frozen=True, slots=True)
class Exports:
    """The use cases of taking the history away."""

    reader: Reader

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
        at, ledger, beginning = await self.reader.do(_standing(caller))
        if at.campaign_id is None or ledger is None or not ledger.seq:
            raise Unknown("There is nothing to export yet. Begin with /roll 2d6.")
        start, last = beginning.upto if beginning else 0, ledger.seq
        keys = None
        if form is ExportFormat.CSV:
            writer: _CsvWriter | _JsonWriter = _CsvWriter(folder, room)
        else:
            about, keys, hashes = await self.reader.do(_about(at, ledger, caller))
            memories = at.is_gm or at.campaign.rules.odds is Whose.EVERYONE
            discretion = Discretion(start, memories=memories, is_gm=at.is_gm)
            heading = Heading(at.campaign.name or "", ledger.log, tree_before(beginning), 0)
            typed = partial(may_see_typed, user_id=caller.user_id, is_gm=at.is_gm)
            writer = _JsonWriter(folder, room, heading, about, keys, discretion, hashes, typed)
        hidden = 0
        try:
            async for entries in self._slices(at.campaign_id, caller, at, start, last, keys):
                hidden += sum(not entry.visible for entry in entries)
                await asyncio.to_thread(writer.write, entries)
                await progress(entries[-1].event.seq - start, last - start)
        finally:
            await asyncio.to_thread(writer.close)
        return Export(tuple(writer.files), last - start, hidden, ledger.checkpoint)

    async def _slices(
        self, campaign_id: int, caller: Caller, at: Here, done: int, last: int, keys: Keyring | None
    ) -> AsyncGenerator[Sequence[Entry]]:
        """Return the events after a number up to another, the oldest first; `keys` are for their seals."""
        while done < last:
            rows = await self.reader.do(reading.page(campaign_id, after=done, limit=min(SLICE, last - done)))
            rows.reverse()
            if not rows or rows[0].event.seq != done + 1:
                raise Unavailable("I am just removing old events. Try again in a minute.")
            yield [
                Entry(
                    row.bound(keys) if keys else row.told,
                    visible=sees(row, at, caller),
                    undone=row.undone,
                )
                for row in rows
            ]
            done = rows[-1].event.seq


def _standing(caller: Caller) -> Queries[tuple[Here, Ledger | None, Beginning | None]]:
    """Return the caller's campaign, where its ledger stands, and where its history begins."""
    at = yield from here(caller)
    if at.campaign_id is None:
        return at, None, None
    ledger = yield from ledgers.find_ledger(at.campaign_id)
    return at, ledger, (yield from cutting.beginning(at.campaign_id))


def _about(
    at: Here, ledger: Ledger, caller: Caller
) -> Queries[tuple[dict[str, Json], Keyring, Mapping[int, tuple[bytes, ...]]]]:
    """Return settings, rollers, and the caller's own saved rolls, for people and for import; and the keys.

    The last are the hashes of proof mode's keys, by the number of their commit.
    """
    rollers: list[Json] = [
        {"name": roller.name, "memory": roller.memory.value, "spec": roller.spec}
        for roller in (yield from reading.rollers(ledger.campaign_id))
    ]
    mine: list[Json] = [
        {"name": name, "dice": dice}
        for name, dice in (yield from saved.all_of((ledger.campaign_id, caller.user_id)))
    ]
    keys = yield from ledgers.keyring(ledger)
    hashes = yield from ledgers.key_hashes(ledger.campaign_id)
    settings = encode_value(at.campaign.rules)
    return {"settings": settings, "rollers": rollers, "saved": mine}, keys, hashes


class _CsvWriter:
    """Writes tables, one after another; used on threads, one call at a time, as is the other one."""

    def __init__(self, folder: Path, room: int) -> None:
        self.files: list[Path] = []
        self._folder = folder
        self._room = room
        self._left = -1
        self._file: IO[bytes] | None = None

    def write(self, entries: Sequence[Entry]) -> None:
        """Write a line for each."""
        for entry in entries:
            line = lines([entry]).encode()
            if self._file is None or len(line) > self._left:
                self._file = self._open()
            self._left -= self._file.write(line)

    def close(self) -> None:
        """Finish the last file."""
        if self._file:
            self._file.close()

    def _open(self) -> IO[bytes]:
        self.close()
        self.files.append(self._folder / f"history-{len(self.files) + 1}.csv")
        file = self.files[-1].open("wb")
        # The mark by which spreadsheets know UTF-8.
        self._left = self._room - file.write("\ufeff".encode() + header().encode())
        return file


class _JsonWriter:
    """Writes exports that can be verified, as their reader may see them."""

    def __init__(
        self,
        folder: Path,
        room: int,
        heading: Heading,
        about: dict[str, Json],
        keys: Keyring,
        discretion: Discretion,
        hashes: Mapping[int, tuple[bytes, ...]],
        sees_typed: Callable[[Event], bool],
    ) -> None:
        self.files: list[Path] = []
        self._folder = folder
        self._room = room
        self._heading = heading
        self._about = print_about(about)
        self._keys = keys
        self._discretion = discretion
        self._tree = heading.before
        self._hashes = hashes
        self._sees_typed = sees_typed
        self._body: IO[bytes] | None = None
        self._left = -1

    def write(self, entries: Sequence[Entry]) -> None:
        """Write a line for each, and a checkpoint after each hundred."""
        for entry in entries:
            line = self._line(entry)
            if self._body is None or len(line) + _MARGIN > self._left:
                self._body = self._open()
            self._left -= self._body.write(line)
            self._tree = self._tree.append(entry.event.seal.leaf).tree
            if self._tree.size % EVERY == 0:
                self._left -= self._body.write(print_checkpoint(self._heading.log, self._tree))

    def close(self) -> None:
        """Finish the last file: how many events are in it is known only now."""
        if self._body is None:
            return
        heading = replace(self._heading, size=self._tree.size)
        with self.files[-1].open("wb") as file, self._body as body:
            file.write(print_heading(heading) + self._about)
            body.seek(0)
            copyfileobj(body, file)
            if self._tree.size % EVERY:
                file.write(print_checkpoint(self._heading.log, self._tree))
        self._body = None

    def _open(self) -> IO[bytes]:
        self.close()
        self._heading = replace(self._heading, before=self._tree, size=self._tree.size)
        opening = print_heading(self._heading) + self._about
        self._left = self._room - len(opening)
        if self._left < self._room // 4:
            # Else there would be a file for each event.
            raise DiceError("This campaign has too many rollers for one file, so I can't export it whole.")
        self.files.append(self._folder / f"history-{len(self.files) + 1}.jsonl")
        return TemporaryFile(dir=self._folder)

    def _line(self, entry: Entry) -> bytes:
        event = entry.event
        reveals_hidden = self._discretion.reveals_hidden(event, visible=entry.visible)
        typed = self._sees_typed(event)
        closed = untold(visible=entry.visible, typed=typed, reveals_hidden=reveals_hidden)
        told = write_line(event, self._keys.keys(event.user_id), *closed).encode() + b"\n"
        hashes = self._hashes.get(event.seq)
        return told + print_leaves(event.seq, hashes) if hashes else told
