"""A campaign's database against its tree, its checkpoint, and the proof of one event."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import TypeAlias

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.followups import may_see
from bot.campaign.histories import Beginning, touches_memory
from bot.dice.errors import SpecError, Unavailable, Unknown
from bot.record.audit import Audit, Findings
from bot.record.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    NotAProof,
    anchor,
    read_checkpoint,
)
from bot.record.hashing import Keyring, Spot, Tree
from bot.record.known import read_rollers
from bot.record.ledger import Ledger, untold, without_person, write_line
from bot.record.lineage import Broken
from bot.record.tree_proofs import consistency_tiles, inclusion_tiles, prove_consistency, prove_inclusion
from bot.services.access import Here, here, there
from bot.storage import ledgers, reading
from bot.storage.asking import Piece, Reader
from bot.storage.cutting import beginning

_Hashes: TypeAlias = Mapping[int, tuple[bytes, ...]]
"""The hashes of proof mode's keys, by the number of their commit."""
_SLICE = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Checked:
    """A campaign whose database agrees with its tree."""

    first: int
    findings: Findings
    checkpoint: Checkpoint


class Verifying:
    """The use cases of checking; `reader` is for what takes long."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def here(self, caller: Caller) -> Checked:
        """Check the caller's campaign; Unknown where nothing happened, Broken where it does not hold."""
        return await self.check((await self._campaign(caller))[1].campaign_id)

    async def campaigns(self) -> list[int]:
        """Return the numbers of all campaigns in which something happened."""
        return await self._reader.do(ledgers.all_campaigns())

    async def sample(self, count: int = 3) -> None:
        """Check some campaigns, and say in the log which of them do not hold."""
        numbers = await self.campaigns()
        for campaign_id in SystemRandom().sample(numbers, min(count, len(numbers))):
            try:
                await self.check(campaign_id)
            except Broken as error:
                _log.error("Campaign %d does not hold: %s", campaign_id, error)

    async def check(self, campaign_id: int) -> Checked:
        """Work out every event of a campaign anew, and compare leaves, tiles and frontier."""
        ledger, keys, begun, hashes = await self._reader.do(_whole(campaign_id))
        start = begun.upto if begun else 0
        tree = Tree(start, begun.frontier) if begun else Tree()
        rollers = read_rollers(begun.cut.rollers) if begun else None
        audit = Audit(ledger.log, tree, rollers, keys.tag)
        tiles: dict[Spot, bytes] = {}
        async for events in self._events(campaign_id, start, ledger.seq):
            await asyncio.to_thread(_see, audit, events, keys, hashes, tiles)
        if audit.tree != ledger.tree:
            raise Broken(ledger.seq, "is not where the campaign's own frontier ends")
        stored = await self._reader.do(ledgers.tiles_of(campaign_id))
        if any(stored.get(spot) != found for spot, found in tiles.items()):
            raise Broken(ledger.seq, "has a stored hash of its tree below it that is another")
        return Checked(start + 1, audit.findings, ledger.checkpoint)

    async def checkpoint(self, caller: Caller) -> Checkpoint:
        """Return the campaign's checkpoint as it is now."""
        return (await self._campaign(caller))[1].checkpoint

    async def link(self, caller: Caller, old: Checkpoint) -> ConsistencyProof:
        """Return the proof that the campaign goes on from a checkpoint that somebody kept.

        Unknown for one of another campaign, of a number that is not there yet, or from before a cut; Broken
        where the campaign does not go on from it.
        """
        _, ledger = await self._campaign(caller)
        if old.origin != ledger.checkpoint.origin:
            raise Unknown("That checkpoint is of another campaign. Ask where that one is played.")
        if old.size > ledger.seq:
            raise Broken(ledger.seq + 1, f"is missing: a checkpoint was shown for {old.size} events")
        begun = await self._reader.do(beginning(ledger.campaign_id))
        if begun and old.size < begun.upto:
            raise Unknown(
                f"That checkpoint can't be compared: it lies before #{begun.upto + 1:,}, where this begins."
            )
        cut = Tree(begun.upto, begun.frontier) if begun else Tree()
        wanted = consistency_tiles(ledger.tree, old.size)
        stored = await self._reader.do(ledgers.load_tiles(ledger.campaign_id, wanted))
        proof = ConsistencyProof(
            old.size, prove_consistency(ledger.tree, old.size, stored, cut), ledger.checkpoint
        )
        anchor(old.origin, {}, [old, ledger.checkpoint], [proof])
        return proof

    async def prove(self, caller: Caller, campaign_id: int, number: int) -> InclusionProof:
        """Return the proof of an event as the caller may see it; Unknown for a number that nothing has."""
        proof = await self._reader.do(_proof(caller, campaign_id, number))
        if proof is None:
            raise Unknown(f"There is no #{number:,} here.")
        return proof

    async def _campaign(self, caller: Caller) -> tuple[Here, Ledger]:
        at, ledger = await self._reader.do(_standing(caller))
        if ledger is None or not ledger.seq:
            raise Unknown("Nothing has happened here yet. /roll 2d6 makes a start.")
        return at, ledger

    async def _events(self, campaign_id: int, done: int, last: int) -> AsyncGenerator[Sequence[Event]]:
        while done < last:
            rows = await self._reader.do(
                reading.page(campaign_id, after=done, limit=min(_SLICE, last - done))
            )
            if not rows or rows[-1].event.seq != done + 1:
                raise Unavailable("Old events were being removed just now. Please try again in a minute.")
            yield [row.event for row in reversed(rows)]
            done = rows[0].event.seq


def read_kept(text: str) -> Checkpoint:
    """Return the checkpoint that somebody pasted; SpecError where it is none."""
    try:
        return read_checkpoint(text.strip().strip("`").strip())
    except NotAProof:
        raise SpecError(
            "That is no checkpoint: it begins with evenhand/ and has a size and a root."
        ) from None


def _standing(caller: Caller) -> Piece[tuple[Here, Ledger | None]]:
    at = yield from here(caller)
    if at.campaign_id is None:
        return at, None
    return at, (yield from ledgers.find_ledger(at.campaign_id))


def _whole(campaign_id: int) -> Piece[tuple[Ledger, Keyring, Beginning | None, _Hashes]]:
    ledger, keys = yield from ledgers.all_keys(campaign_id)
    begun = yield from beginning(campaign_id)
    return ledger, keys, begun, (yield from ledgers.key_hashes(campaign_id))


def _proof(caller: Caller, campaign_id: int, number: int) -> Piece[InclusionProof | None]:
    at = yield from there(caller, campaign_id)
    ledger = yield from ledgers.find_ledger(campaign_id)
    row = yield from reading.event(campaign_id, number)
    if row is None or ledger is None or number > ledger.seq:
        return None
    event, tree = row.event, ledger.tree
    keys = yield from ledgers.keyring(ledger)
    begun = yield from beginning(ledger.campaign_id)
    cut = Tree(begun.upto, begun.frontier) if begun else Tree()
    stored = yield from ledgers.load_tiles(ledger.campaign_id, inclusion_tiles(tree, number - 1))
    path = prove_inclusion(tree, number - 1, stored, cut)
    visible = row.revealed or may_see(event, caller.user_id, is_gm=at.is_gm)
    # A memory may hold what is hidden, and only the whole history says if this one does.
    theirs = keys.keys(event.user_id)
    if row.leaving:
        event = without_person(event, theirs)
    line = write_line(event, theirs, *untold(visible=visible, betrays=touches_memory(event)))
    return InclusionProof(line.encode(), number - 1, path, ledger.checkpoint)


def _see(
    audit: Audit, events: Sequence[Event], keys: Keyring, hashes: _Hashes, tiles: dict[Spot, bytes]
) -> None:
    for event in events:
        tiles.update(audit.see_stored(event, keys))
        if audit.awaits_keys:
            audit.open_epoch(event.seq, [one.hex() for one in hashes.get(event.seq, ())])
