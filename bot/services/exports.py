"""Export a campaign's history to files, written off the event loop and split by size."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path

from bot.campaign.campaigns import RightHolder
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.followups import may_see_typed
from bot.campaign.histories import Beginning, Entry, Filter
from bot.dice.errors import DiceError, Unknown
from bot.dice.system import Json
from bot.record.audit import tree_before
from bot.record.checkpoint import Checkpoint
from bot.record.codec import encode_value
from bot.record.discretion import Redaction
from bot.record.exchange import EVERY, Heading, print_about, print_checkpoint, print_heading, print_leaves
from bot.record.findings import Broken
from bot.record.hashing import Keyring, Tree
from bot.record.ledger import Ledger, closed_parts, write_line
from bot.record.spreadsheet import HEADER, lines
from bot.services.access import CampaignAccess, current_campaign
from bot.services.visibility import sees
from bot.storage import belongings, cutting, ledgers, reading
from bot.storage.queries import Queries, Reader

_MARGIN = 600
"""Bytes for the checkpoint at the end of a file, and for its first line without the frontier."""


class ExportFormat(StrEnum):
    """The format of the files."""

    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Export:
    """The written files, in order, with their contents' figures."""

    files: tuple[Path, ...]
    events: int
    hidden: int
    """Number of rolls that the reader may not see."""
    checkpoint: Checkpoint
    """The checkpoint of the exported log."""


@dataclass(frozen=True, slots=True)
class Exports:
    """The use cases of exports."""

    reader: Reader

    async def export(
        self,
        caller: Caller,
        form: ExportFormat,
        folder: Path,
        room: int,
        progress: Callable[[int, int], None],
    ) -> Export:
        """Write the caller's campaign to files of at most `room` bytes each, without what they may not see.

        `progress` is called with the number of events done and in all. Raise Unknown for a campaign without
        events, DiceError if the rollers alone nearly fill a file.
        """
        access, ledger, beginning = await self.reader.do(_find_ledger(caller))
        if ledger is None or not ledger.seq:
            raise Unknown("There is nothing to export yet. Begin with `/roll 2d6`.")
        start, last = beginning.upto if beginning else 0, ledger.seq
        keys, tree = None, tree_before(beginning)
        if form is ExportFormat.CSV:
            writer = _Writer(folder, room, "csv", tree, _head_table, lambda entry: lines([entry]).encode())
        else:
            about, keys, hashes = await self.reader.do(_load_about(access, ledger, caller))
            memories = access.is_gm or access.campaign.rules.odds is RightHolder.EVERYONE
            discretion = Redaction(start, memories=memories, is_gm=access.is_gm)
            typed = partial(may_see_typed, user_id=caller.user_id, is_gm=access.is_gm)
            line = _Lines(keys, discretion, hashes, typed)
            about_line, name = print_about(about), access.campaign.name or ""
            writer = _Writer(
                folder,
                room,
                "jsonl",
                tree,
                lambda before, size: print_heading(Heading(name, ledger.log, before, size)) + about_line,
                line.print,
                partial(print_checkpoint, ledger.log),
            )
        count = hidden = 0
        try:
            async for entries in self._batches(caller, access, start, last, keys):
                count += len(entries)
                hidden += sum(not entry.visible for entry in entries)
                await asyncio.to_thread(writer.write, entries)
                progress(entries[-1].event.seq - start, last - start)
        finally:
            await asyncio.to_thread(writer.close)
        if not count:
            raise Broken(start + 1, "#{number} is missing.")
        return Export(tuple(writer.files), count, hidden, ledger.checkpoint)

    async def _batches(
        self, caller: Caller, at: CampaignAccess, done: int, last: int, keys: Keyring | None
    ) -> AsyncGenerator[Sequence[Entry]]:
        """Yield the events after number `done` up to `last`, oldest first; `keys` are for their seals.

        Somebody may have removed rows from the database: those that are left show that.
        """
        while done < last:
            room, newer = min(reading.SLICE, last - done), Filter(after=done)
            rows = await self.reader.do(reading.page(at.campaign_id, newer, limit=room, as_of=last))
            if not rows or rows[0].event.seq != done + 1:
                cutting.check_kept(await self.reader.do(cutting.beginning(at.campaign_id)), done)
                if not rows:
                    return
            bound = ((row, row.with_keys(keys) if keys else row.visible_event) for row in rows)
            yield [Entry(event, visible=sees(row, at, caller), undone=row.undone) for row, event in bound]
            done = rows[-1].event.seq


def _find_ledger(caller: Caller) -> Queries[tuple[CampaignAccess, Ledger | None, Beginning | None]]:
    """Return the caller's campaign, its ledger, and the beginning of its history."""
    access = yield from current_campaign(caller)
    ledger = yield from ledgers.find_ledger(access.campaign_id)
    return access, ledger, (yield from cutting.beginning(access.campaign_id))


def _load_about(
    at: CampaignAccess, ledger: Ledger, caller: Caller
) -> Queries[tuple[dict[str, Json], Keyring, Mapping[int, tuple[bytes, ...]]]]:
    """Return what an import can restore, the keys of the parts, and the hashes of proof mode's keys.

    The first holds settings, rollers, the caller's own and the shared saved rolls; the hashes are by the
    number of their commit.
    """
    rollers: list[Json] = [
        {"name": roller.name, "memory": roller.memory.value, "spec": roller.spec}
        for roller in (yield from reading.rollers(ledger.campaign_id))
    ]
    mine = yield from _load_saved(ledger, caller.user_id)
    shared = yield from _load_saved(ledger, belongings.SHARED)
    keys = yield from ledgers.keyring(ledger)
    hashes = yield from ledgers.key_hashes(ledger.campaign_id)
    settings = encode_value(at.campaign.rules)
    return {"settings": settings, "rollers": rollers, "saved": mine, "shared": shared}, keys, hashes


def _load_saved(ledger: Ledger, owner: int) -> Queries[list[Json]]:
    """Return an owner's saved rolls."""
    rolls = yield from belongings.saved_rolls((ledger.campaign_id, owner))
    return [{"name": name, "dice": dice} for name, dice in rolls]


@dataclass(slots=True)
class _Writer:
    """Writer of numbered files of at most `room` bytes each; used on threads, one call at a time."""

    folder: Path
    room: int
    ending: str
    tree: Tree
    """The tree after the written events."""
    head: Callable[[Tree, int], bytes]
    """Return a file's head by the tree before its first event, and the number of its last."""
    line: Callable[[Entry], bytes]
    """Return an event's line."""
    checkpoint: Callable[[Tree], bytes] = lambda _: b""
    """Return the line that follows every hundredth event, and the last one of a file."""
    files: list[Path] = field(default_factory=list[Path], init=False)
    _before: Tree = field(init=False)
    _body: bytearray = field(default_factory=bytearray, init=False)
    """The lines of the current file."""
    _free: int = field(default=0, init=False)
    """Bytes for lines in the current file."""

    def write(self, entries: Sequence[Entry]) -> None:
        """Write a line for each entry; raise DiceError if a head alone nearly fills a file."""
        for entry in entries:
            line = self.line(entry)
            if len(self._body) + len(line) > self._free:
                self.close()
                self._begin()
            self._body += line
            self.tree = self.tree.append(entry.event.seal.leaf).tree
            if self.tree.size % EVERY == 0:
                self._body += self.checkpoint(self.tree)

    def close(self) -> None:
        """Write the last file, whose number of events is known only now."""
        if self._body:
            if self.tree.size % EVERY:
                self._body += self.checkpoint(self.tree)
            self.files.append(self.folder / f"history-{len(self.files) + 1}.{self.ending}")
            self.files[-1].write_bytes(self.head(self._before, self.tree.size) + self._body)
            self._body.clear()

    def _begin(self) -> None:
        self._before = self.tree
        self._free = self.room - _MARGIN - len(self.head(self.tree, self.tree.size))
        if self._free < self.room // 4:
            # Else there would be a file for each event.
            raise DiceError("This campaign has too many rollers for one file, so I can't export it whole.")


def _head_table(_before: Tree, _size: int) -> bytes:
    """Return the header of a CSV table, behind the byte order mark by which spreadsheets recognize UTF-8."""
    return "\ufeff".encode() + HEADER.encode()


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of events that can be verified, redacted for their reader."""

    keys: Keyring
    discretion: Redaction
    hashes: Mapping[int, tuple[bytes, ...]]
    sees_typed: Callable[[Event], bool]

    def print(self, entry: Entry) -> bytes:
        """Return an event's line, followed by the hashes of proof mode's keys that it commits to."""
        event = entry.event
        reveals_hidden = self.discretion.reveals_hidden(event, visible=entry.visible)
        typed = self.sees_typed(event)
        closed = closed_parts(visible=entry.visible, typed=typed, reveals_hidden=reveals_hidden)
        line = write_line(event, self.keys.keys(event.user_id), *closed).encode() + b"\n"
        hashes = self.hashes.get(event.seq)
        return line + print_leaves(event.seq, hashes) if hashes else line
