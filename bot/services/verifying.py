"""Check a campaign's stored data against its log, and prove its events and checkpoints."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import SystemRandom
from typing import TypeAlias

from bot.campaign.command import Caller
from bot.campaign.events import Event, Undone
from bot.campaign.followups import may_see_typed
from bot.campaign.histories import Beginning, Filter, touches_memory
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.record.audit import Findings, audit_from, tree_before
from bot.record.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    NotAProof,
    anchor,
    find_checkpoints,
)
from bot.record.findings import Broken
from bot.record.hashing import Keyring
from bot.record.key_audit import KeyFindings
from bot.record.ledger import Ledger, closed_parts, write_line
from bot.record.lineage import WINDOW
from bot.record.tree_proofs import consistency_tiles, inclusion_tiles, prove_consistency, prove_inclusion
from bot.services.access import campaign_by_id
from bot.services.visibility import sees
from bot.storage import ledgers, reading
from bot.storage.campaigns import in_played
from bot.storage.cutting import beginning, check_kept
from bot.storage.derived import Change, Derived, Stored, load_stored
from bot.storage.queries import Queries, Reader
from bot.storage.rows import Row

_Hashes: TypeAlias = Mapping[int, tuple[bytes, ...]]
"""The hashes of proof mode's keys, by the number of their commit."""
_TRIES = 3
"""Attempts of a comparison: a person may be erased during it."""
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, DiceError)
"""Errors that reading a damaged row may raise."""
_ILLEGIBLE = "#{number} can't be read."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckedHistory:
    """The result of a successful check."""

    first: int
    findings: Findings
    checkpoint: Checkpoint
    keys: KeyFindings


class Verifying:
    """The use cases of checking; `reader` is the one for long queries."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._broken: set[int] = set()

    @property
    def problems(self) -> list[str]:
        """Return the current problems, a sentence each."""
        return [f"{len(self._broken):,} campaigns do not hold: see the log."] * bool(self._broken)

    async def check_current(self, caller: Caller) -> CheckedHistory:
        """Check the caller's campaign; raise Unknown if it has no events, Broken if it does not hold."""
        return await self.check((await self._require_ledger(caller)).campaign_id)

    async def campaigns(self) -> list[int]:
        """Return the ids of all campaigns with events."""
        return await self._reader.do(ledgers.all_campaigns())

    async def sample(self, count: int = 3) -> None:
        """Check `count` random campaigns, and log those that do not hold."""
        numbers = await self.campaigns()
        self._broken.intersection_update(numbers)  # one that was deleted is no problem any more
        for campaign_id in SystemRandom().sample(numbers, min(count, len(numbers))):
            self._broken.discard(campaign_id)
            try:
                await self.check(campaign_id)
            except Unknown:
                continue  # it was deleted meanwhile
            except Broken as error:
                self._broken.add(campaign_id)
                _log.error("Campaign %d does not hold: %s", campaign_id, error)

    async def check(self, campaign_id: int) -> CheckedHistory:
        """Replay every event and compare the tree and all state; raise Broken if something differs."""
        checked, changes = await self.fold(campaign_id)
        for _ in range(_TRIES - 1):
            if changes:
                checked, changes = await self.fold(campaign_id)
        if changes:
            raise Broken(
                checked.checkpoint.size,
                "#{number} leads to another {tables} than is stored; `check --mend` makes that anew.",
                tables=", ".join(dict.fromkeys(change.table.name for change in changes)),
            )
        return checked

    async def fold(self, campaign_id: int) -> tuple[CheckedHistory, list[Change]]:
        """Replay every event; return the result, and the changes that would repair the stored state.

        There may be changes if a person is erased meanwhile. Raise Broken if the events do not hold.
        """
        with _readable():
            stored, keys, beginning_cut, hashes = await self._reader.do(_load_whole(campaign_id))
            ledger, start = stored.ledger, beginning_cut.upto if beginning_cut else 0
            audit = audit_from(ledger.log, beginning_cut, keys.tag)
            derived = Derived(stored, keys, audit, hashes)
        async for rows, recalled in self._batches(campaign_id, start, ledger.seq):
            await asyncio.to_thread(_audit_rows, derived, rows, recalled)
        if audit.tree != ledger.tree:
            raise Broken(ledger.seq, "#{number} is not where the campaign's own frontier ends.")
        with _readable(Broken(ledger.seq, "#{number} leads to state that can't be read.")):
            findings, keys_found = audit.findings, audit.key_audit.findings
            return CheckedHistory(start + 1, findings, ledger.checkpoint, keys_found), derived.changes()

    async def checkpoint(self, caller: Caller) -> Checkpoint:
        """Return the campaign's current checkpoint."""
        return (await self._require_ledger(caller)).checkpoint

    async def link(self, caller: Caller, old: Checkpoint) -> ConsistencyProof:
        """Return the proof that the campaign's log extends an older checkpoint.

        Raise Unknown for a checkpoint of another campaign or from before a cut; Broken if the log has fewer
        events than the checkpoint, or does not extend it.
        """
        ledger = await self._require_ledger(caller)
        if old.origin != ledger.checkpoint.origin:
            raise Unknown("That checkpoint is of another campaign. Ask where that one is played.")
        if old.size > ledger.seq:
            raise Broken(
                ledger.seq + 1,
                "#{number} is missing: a checkpoint was shown for {size} events.",
                size=old.size,
            )
        start = await self._reader.do(beginning(ledger.campaign_id))
        if start and old.size < start.upto:
            raise Unknown(
                "That checkpoint is too old: all entries before #{first:,} were removed.",
                first=start.upto + 1,
            )
        tiles = consistency_tiles(ledger.tree, old.size)
        stored = await self._reader.do(ledgers.load_tiles(ledger.campaign_id, tiles))
        path = prove_consistency(ledger.tree, old.size, stored, tree_before(start))
        proof = ConsistencyProof(old.size, path, ledger.checkpoint)
        anchor(old.origin, {}, [old, ledger.checkpoint], [proof])
        return proof

    async def restores(self, caller: Caller) -> list[Event]:
        """Return the newest events that record a restored backup; none if they can't be read."""
        with suppress(Broken), _readable():
            ledger = await self._require_ledger(caller)
            return await self._reader.do(reading.restores(ledger.campaign_id, 3))
        return []

    async def prove(self, caller: Caller, campaign_id: int, number: int) -> InclusionProof:
        """Return the inclusion proof of an event as the caller may see it; Unknown if there is none."""
        return await self._reader.do(_load_proof(caller, campaign_id, number))

    async def _require_ledger(self, caller: Caller) -> Ledger:
        with _readable():
            ledger = await self._reader.do(in_played(caller, ledgers.find_ledger))
        if ledger is None or not ledger.seq:
            raise Unknown("Nothing has happened here yet. `/roll 2d6` makes a start.")
        return ledger

    async def _batches(
        self, campaign_id: int, done: int, last: int
    ) -> AsyncGenerator[tuple[Sequence[Row], Sequence[Row]]]:
        size = reading.SLICE
        while done < last:
            try:
                with _readable(Broken(done + 1, _ILLEGIBLE)):
                    batch = await self._reader.do(_load_batch(campaign_id, done, last, size))
            except Broken:
                if size == 1:
                    raise
                size = 1  # to find the damaged one
                continue
            if not batch[0] or batch[0][0].event.seq != done + 1:
                # Raises Unknown if the campaign is being deleted.
                await self._reader.do(ledgers.all_keys(campaign_id))
                with _readable(Broken(done + 1, _ILLEGIBLE)):
                    cut = await self._reader.do(beginning(campaign_id))
                check_kept(cut, done)
                raise Broken(done + 1, "#{number} is missing.")
            yield batch
            done = batch[0][-1].event.seq


@contextmanager
def _readable(flaw: Broken | None = None) -> Generator[None]:
    """Turn the errors of damaged rows into `flaw`, by default that the campaign can't be read."""
    try:
        yield
    except (Broken, Unknown):
        raise
    except _UNREADABLE as error:
        raise flaw or Broken(1, "#{number} begins a campaign that can't be read.") from error


def read_kept(text: str) -> list[Checkpoint]:
    """Parse pasted checkpoints, each once, the oldest first; raise SpecError if there is none."""
    try:
        return sorted(dict.fromkeys(find_checkpoints(text)), key=lambda checkpoint: checkpoint.size)
    except NotAProof:
        raise SpecError(
            "That is no checkpoint: it begins with evenhand/ and has a size and a root. Copy it whole."
        ) from None


def _load_whole(campaign_id: int) -> Queries[tuple[Stored, Keyring, Beginning | None, _Hashes]]:
    stored = yield from load_stored(campaign_id)
    keys = yield from ledgers.keyring(stored.ledger)
    start = yield from beginning(campaign_id)
    return stored, keys, start, (yield from ledgers.key_hashes(campaign_id))


def _load_batch(campaign_id: int, done: int, last: int, size: int) -> Queries[tuple[list[Row], list[Row]]]:
    """Return the next events, and undone ones among older events that the audit has dropped."""
    rows = yield from reading.page(campaign_id, Filter(after=done), limit=min(size, last - done), as_of=last)
    recalled: list[Row] = []
    for undo in (row.event for row in rows if isinstance(row.event.body, Undone)):
        far = (undo.target or 0) <= undo.seq - WINDOW
        if far and (row := (yield from reading.event(campaign_id, undo.target or 0))):
            recalled.append(row)
    return rows, recalled


def _load_proof(caller: Caller, campaign_id: int, number: int) -> Queries[InclusionProof]:
    access = yield from campaign_by_id(caller, campaign_id)
    ledger = yield from ledgers.find_ledger(campaign_id)
    row = yield from reading.event(campaign_id, number)
    if row is None or ledger is None or number > ledger.seq:
        raise Unknown("There is no #{number:,} here.", number=number)
    tree = ledger.tree
    keys = yield from ledgers.keyring(ledger)
    event = row.with_keys(keys)
    start = yield from beginning(ledger.campaign_id)
    stored = yield from ledgers.load_tiles(ledger.campaign_id, inclusion_tiles(tree, number - 1))
    path = prove_inclusion(tree, number - 1, stored, tree_before(start))
    visible = sees(row, access, caller)
    # A memory may hold a hidden roll; only the whole history shows whether this one does.
    typed = may_see_typed(event, caller.user_id, is_gm=access.is_gm)
    closed = closed_parts(visible=visible, typed=typed, reveals_hidden=touches_memory(event))
    line = write_line(event, keys.keys(event.user_id), *closed)
    return InclusionProof(line.encode(), number - 1, path, ledger.checkpoint)


def _audit_rows(derived: Derived, rows: Sequence[Row], recalled: Sequence[Row]) -> None:
    for row in recalled:
        derived.recall(row)
    for row in rows:
        with _readable(Broken(row.event.seq, _ILLEGIBLE)):
            derived.see(row)
