"""A campaign's history as files: written off the event loop, split where a file gets full."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, ClassVar

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
from bot.record.exchange import EVERY, Heading, print_about, print_checkpoint, print_heading, print_leaves
from bot.record.hashing import Keyring, Tree
from bot.record.ledger import Ledger, untold, write_line
from bot.record.spreadsheet import header, lines
from bot.services.access import CampaignAccess, current_campaign
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
        progress: Callable[[int, int], None],
    ) -> Export:
        """Write the caller's campaign to files of at most `room` bytes each; Unknown where nothing happened.

        DiceError where the rollers alone nearly fill a file. `progress` is told how many events of how
        many are done. What the person may not see is left out.
        """
        at, ledger, beginning = await self.reader.do(_ledger_here(caller))
        if at.campaign_id is None or ledger is None or not ledger.seq:
            raise Unknown("There is nothing to export yet. Begin with `/roll 2d6`.")
        start, last = beginning.upto if beginning else 0, ledger.seq
        keys = None
        if form is ExportFormat.CSV:
            writer: _Writer = _CsvWriter(folder, room)
        else:
            about, keys, hashes = await self.reader.do(_about(at, ledger, caller))
            memories = at.is_gm or at.campaign.rules.odds is Whose.EVERYONE
            discretion = Discretion(start, memories=memories, is_gm=at.is_gm)
            heading = Heading(at.campaign.name or "", ledger.log, tree_before(beginning), 0)
            typed = partial(may_see_typed, user_id=caller.user_id, is_gm=at.is_gm)
            told = print_about(about), keys, discretion, hashes, typed, heading.before
            writer = _JsonWriter(folder, room, heading, *told)
        hidden = 0
        try:
            async for entries in self._slices(at.campaign_id, caller, at, start, last, keys):
                hidden += sum(not entry.visible for entry in entries)
                await asyncio.to_thread(writer.write, entries)
                progress(entries[-1].event.seq - start, last - start)
        finally:
            await asyncio.to_thread(writer.close)
        return Export(tuple(writer.files), last - start, hidden, ledger.checkpoint)

    async def _slices(
        self, campaign_id: int, caller: Caller, at: CampaignAccess, done: int, last: int, keys: Keyring | None
    ) -> AsyncGenerator[Sequence[Entry]]:
        """Return the events after a number up to another, the oldest first; `keys` are for their seals."""
        while done < last:
            rows = await self.reader.do(reading.page(campaign_id, after=done, limit=min(SLICE, last - done)))
            rows.reverse()
            if not rows or rows[0].event.seq != done + 1:
                raise Unavailable("I am just removing old events. Try again in a minute.")
            bound = ((row, row.bound(keys) if keys else row.told) for row in rows)
            yield [Entry(event, visible=sees(row, at, caller), undone=row.undone) for row, event in bound]
            done = rows[-1].event.seq


def _ledger_here(caller: Caller) -> Queries[tuple[CampaignAccess, Ledger | None, Beginning | None]]:
    """Return the caller's campaign, where its ledger stands, and where its history begins."""
    at = yield from current_campaign(caller)
    if at.campaign_id is None:
        return at, None, None
    ledger = yield from ledgers.find_ledger(at.campaign_id)
    return at, ledger, (yield from cutting.beginning(at.campaign_id))


def _about(
    at: CampaignAccess, ledger: Ledger, caller: Caller
) -> Queries[tuple[dict[str, Json], Keyring, Mapping[int, tuple[bytes, ...]]]]:
    """Return settings, rollers, the caller's own and the shared saved rolls, to bring back; and the keys.

    The last are the hashes of proof mode's keys, by the number of their commit.
    """
    rollers: list[Json] = [
        {"name": roller.name, "memory": roller.memory.value, "spec": roller.spec}
        for roller in (yield from reading.rollers(ledger.campaign_id))
    ]
    mine = yield from _saved(ledger, caller.user_id)
    shared = yield from _saved(ledger, saved.SHARED)
    keys = yield from ledgers.keyring(ledger)
    hashes = yield from ledgers.key_hashes(ledger.campaign_id)
    settings = encode_value(at.campaign.rules)
    return {"settings": settings, "rollers": rollers, "saved": mine, "shared": shared}, keys, hashes


def _saved(ledger: Ledger, owner: int) -> Queries[list[Json]]:
    """Return somebody's saved rolls."""
    found = yield from saved.all_of((ledger.campaign_id, owner))
    return [{"name": name, "dice": dice} for name, dice in found]


@dataclass(slots=True)
class _Writer:
    """Writes files, one after another; used on threads, one call at a time."""

    folder: Path
    room: int
    files: list[Path] = field(default_factory=list[Path], init=False)
    file: IO[bytes] | None = field(default=None, init=False)
    """What is written to now."""
    left: int = field(default=0, init=False)

    margin: ClassVar[int] = 0
    """Bytes that are kept for the end of a file."""

    def write(self, entries: Sequence[Entry]) -> None:
        """Write a line for each."""
        for entry in entries:
            line = self.line(entry)
            if self.file is None or len(line) + self.margin > self.left:
                self.close()
                self.file = self.opened(len(self.files) + 1)
            self.left -= self.file.write(line)
            self.wrote(entry, self.file)

    def close(self) -> None:
        """Finish the last file."""
        if self.file:
            self.file.close()

    def line(self, entry: Entry) -> bytes:
        """Return an event's line."""
        raise NotImplementedError

    def opened(self, number: int) -> IO[bytes]:
        """Begin the file of that number, and note what is left in it."""
        raise NotImplementedError

    def wrote(self, entry: Entry, file: IO[bytes]) -> None:
        """Go on behind an event's line."""


class _CsvWriter(_Writer):
    """Writes tables."""

    __slots__ = ()

    def line(self, entry: Entry) -> bytes:
        """Return an event's line."""
        return lines([entry]).encode()

    def opened(self, number: int) -> IO[bytes]:
        """Begin a table, with its header."""
        self.files.append(self.folder / f"history-{number}.csv")
        file = self.files[-1].open("wb")
        # The mark by which spreadsheets know UTF-8.
        self.left = self.room - file.write("\ufeff".encode() + header().encode())
        return file


@dataclass(slots=True)
class _JsonWriter(_Writer):
    """Writes exports that can be verified, as their reader may see them."""

    heading: Heading
    about: bytes
    keys: Keyring
    discretion: Discretion
    hashes: Mapping[int, tuple[bytes, ...]]
    sees_typed: Callable[[Event], bool]
    tree: Tree

    margin = _MARGIN

    def wrote(self, entry: Entry, file: IO[bytes]) -> None:
        """Write a checkpoint after each hundred."""
        self.tree = self.tree.append(entry.event.seal.leaf).tree
        if self.tree.size % EVERY == 0:
            self.left -= file.write(print_checkpoint(self.heading.log, self.tree))

    def close(self) -> None:
        """Finish the last file: how many events are in it is known only now."""
        if self.file is None:
            return
        heading = replace(self.heading, size=self.tree.size)
        with self.files[-1].open("wb") as file, self.file as body:
            file.write(print_heading(heading) + self.about)
            body.seek(0)
            copyfileobj(body, file)
            if self.tree.size % EVERY:
                file.write(print_checkpoint(self.heading.log, self.tree))
        self.file = None

    def opened(self, number: int) -> IO[bytes]:
        """Begin a body, to be copied behind its heading."""
        self.heading = replace(self.heading, before=self.tree, size=self.tree.size)
        self.left = self.room - len(print_heading(self.heading) + self.about)
        if self.left < self.room // 4:
            # Else there would be a file for each event.
            raise DiceError("This campaign has too many rollers for one file, so I can't export it whole.")
        self.files.append(self.folder / f"history-{number}.jsonl")
        return TemporaryFile(dir=self.folder)

    def line(self, entry: Entry) -> bytes:
        """Return an event's line, with the hashes of proof mode's keys behind it that it binds."""
        event = entry.event
        reveals_hidden = self.discretion.reveals_hidden(event, visible=entry.visible)
        typed = self.sees_typed(event)
        closed = untold(visible=entry.visible, typed=typed, reveals_hidden=reveals_hidden)
        told = write_line(event, self.keys.keys(event.user_id), *closed).encode() + b"\n"
        hashes = self.hashes.get(event.seq)
        return told + print_leaves(event.seq, hashes) if hashes else told
