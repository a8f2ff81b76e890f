"""Read ledgers with their keys, the tile hashes that proofs need, and the keys of proof mode."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select

from bot.campaign.proof import FEWEST, KEYS, ProofMode
from bot.dice.errors import Unknown
from bot.record.hashing import TILE_BITS, HashPosition, Keyring
from bot.record.ledger import Ledger
from bot.record.tree_proofs import Tile
from bot.storage import schema
from bot.storage.queries import Queries, Query, changing, find_one
from bot.storage.rows import (
    IN_USE,
    PROOF_COLUMNS,
    of_campaign,
    read_keys,
    read_ledger,
    read_proof,
    split,
)

_campaign, _person, _tile = schema.campaign.c, schema.person.c, schema.tile.c
_event, _epoch = schema.event.c, schema.epoch.c
_LEDGER = select(schema.campaign).where(_campaign.id == bindparam("campaign"), IN_USE)
_WITH_HISTORY = select(_campaign.id).where(_campaign.seq > 0, IN_USE).order_by(_campaign.id)
_LOCK = _LEDGER.with_for_update()
_ALL_PEOPLE = select(_person.user_id, _person.secret).where(of_campaign(schema.person))
_LEAVES = select(_event.seq, _event.leaf).where(
    of_campaign(schema.event), _event.seq.between(bindparam("first"), bindparam("last"))
)
_is_on_level = of_campaign(schema.tile) & (_tile.level == bindparam("level"))
_TILES = select(_tile.place, _tile.hash).where(
    _is_on_level, _tile.place.between(bindparam("first"), bindparam("last"))
)
_OLD_TILES = delete(schema.tile).where(_is_on_level, _tile.place < bindparam("bound"))
RENEWED = 512
"""New keys are made when this many or fewer are unused."""
_PROOF = select(*PROOF_COLUMNS).where(of_campaign(schema.epoch))
_HASHES = select(schema.keyhash).where(of_campaign(schema.keyhash)).order_by(schema.keyhash.c.seq)
_KEYS_IN_USE = (
    select(_epoch.campaign_id, _epoch.seq, _event.channel_id, _epoch.drand)
    .join_from(schema.epoch, schema.campaign)
    .join(schema.event, (_event.campaign_id == _epoch.campaign_id) & (_event.seq == _campaign.seq))
    .order_by(_epoch.campaign_id)
)
_remaining = _epoch.first + (KEYS - 2) - _campaign.seq
"""Unused keys after a commit made now."""
# A commit without an interaction waits for an event with one, whose channel is also where to post it.
_FEW_LEFT = _KEYS_IN_USE.where(
    _campaign.unasked == 0, _remaining.between(FEWEST, RENEWED) | (_remaining < 0) | _epoch.message.is_(None)
)
_NO_KEYS = {"seq": 0, "first": 0, "message": None, "secrets": b"", "known": "[]"}
_AWAITED = _KEYS_IN_USE.where(_epoch.drand > bindparam("after"))


def find_ledger(campaign_id: int) -> Queries[Ledger | None]:
    """Return a campaign's ledger; None if there is no such campaign, or it is being deleted."""
    return find_one(_LEDGER, {"campaign": campaign_id}, read_ledger)


def lock_ledger(campaign_id: int) -> Queries[Ledger | None]:
    """Return a campaign's ledger, locked until the transaction ends; None as for `find_ledger`.

    While it is locked, nobody changes the campaign's game masters either.
    """
    return find_one(_LOCK, {"campaign": campaign_id}, read_ledger)


def keyring(ledger: Ledger) -> Queries[Keyring]:
    """Return all keys of a campaign."""
    rows = yield Query(_ALL_PEOPLE, {"campaign": ledger.campaign_id})
    return Keyring(ledger.secret, {row["user_id"]: row["secret"] for row in rows})


def all_keys(campaign_id: int) -> Queries[tuple[Ledger, Keyring]]:
    """Return a campaign's ledger and its keys; each person with an event has a key or is erased."""
    ledger = yield from find_ledger(campaign_id)
    if ledger is None:
        raise Unknown("That campaign is gone.")
    return ledger, (yield from keyring(ledger))


def load_tiles(campaign_id: int, tiles: Iterable[Tile]) -> Queries[dict[HashPosition, bytes]]:
    """Return the stored hashes of some tiles, without those removed by a cut."""
    hashes: dict[HashPosition, bytes] = {}
    for level, number in tiles:
        first = number << TILE_BITS
        last = first + (1 << TILE_BITS) - 1
        if level:
            parameters = {"campaign": campaign_id, "level": level, "first": first, "last": last}
            rows = yield Query(_TILES, parameters)
            hashes.update({HashPosition(level, row["place"]): row["hash"] for row in rows})
        else:
            # Leaf number i, from 0, is event i + 1.
            rows = yield Query(_LEAVES, {"campaign": campaign_id, "first": first + 1, "last": last + 1})
            hashes.update({HashPosition(0, row["seq"] - 1): row["leaf"] for row in rows})
    return hashes


def all_campaigns() -> Queries[list[int]]:
    """Return the ids of all campaigns with events, without those that are being deleted."""
    return [row["id"] for row in (yield Query(_WITH_HISTORY))]


def forget_tiles(campaign_id: int, upto: int) -> Queries[None]:
    """Delete the hashes of tiles that cover only events up to number `upto`."""
    level = 1
    while bound := upto >> level * TILE_BITS:
        yield Query(_OLD_TILES, {"campaign": campaign_id, "level": level, "bound": bound})
        level += 1


@dataclass(frozen=True, slots=True)
class KeysInUse:
    """A campaign's keys in use."""

    campaign_id: int
    begun: int
    channel_id: int
    """The channel of the campaign's newest event."""
    drand: int | None
    """The awaited round of drand; 0 once it was received, None if none was requested."""


def proof_status(campaign_id: int) -> Queries[tuple[ProofMode, str] | None]:
    """Return a campaign's proof mode and its salt; None if it is off."""
    rows = yield Query(_PROOF, {"campaign": campaign_id})
    proof = read_proof(rows[0]) if rows else None
    salts = [salts for _, salts in read_keys(rows[0]["known"])] if rows else []
    return (proof, salts[0].links[-1][1] if salts else "") if proof else None


def end_keys(campaign_id: int) -> Queries[None]:
    """End the use of a campaign's keys; new ones follow."""
    yield Query(changing(schema.epoch, *_NO_KEYS), {"at_campaign_id": campaign_id, **_NO_KEYS})


def key_hashes(campaign_id: int) -> Queries[dict[int, tuple[bytes, ...]]]:
    """Return the hashes of all committed keys by the number of their commit event."""
    rows = yield Query(_HASHES, {"campaign": campaign_id})
    return {row["seq"]: split(row["hashes"]) for row in rows}


def keys_to_renew() -> Queries[list[KeysInUse]]:
    """Return the keys that are half used, used up or were never shown."""
    return [KeysInUse(*row) for row in (yield Query(_FEW_LEFT))]


def keys_awaiting_drand(after: int) -> Queries[list[KeysInUse]]:
    """Return the keys that await a round of drand with a number above `after`."""
    return [KeysInUse(*row) for row in (yield Query(_AWAITED, {"after": after}))]
