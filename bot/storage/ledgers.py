"""Campaigns' ledgers as rows: keys, frontier, the hashes of tiles that proofs need, proof mode's keys."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, exists, insert, select, tuple_, update

from bot.campaign.events import Event
from bot.campaign.proof import KEYS, ProofMode
from bot.dice.errors import Unknown
from bot.record.canonical import KEY_BYTES, Keyring
from bot.record.ledger import Appended, Entered, Ledger
from bot.record.proof_mode import Epoch
from bot.record.tree import HASH_BYTES, TILE_BITS, Spot, Tile, Tree
from bot.storage import schema
from bot.storage.asking import Piece, Record, ask
from bot.storage.rows import write_event

_LOG_BYTES = 16
_campaign, _person, _tile, _event = schema.campaign.c, schema.person.c, schema.tile.c, schema.event.c
_MOVE = (
    update(schema.campaign)
    .where(_campaign.id == bindparam("ledger"))
    .values(seq=bindparam("seq"), frontier=bindparam("frontier"))
)
_LEDGER = select(schema.campaign).where(_campaign.id == bindparam("campaign"))
_WITH_HISTORY = select(_campaign.id).where(_campaign.seq > 0).order_by(_campaign.id)
_LOCK = _LEDGER.with_for_update()
_KEEP_EVENTS = insert(schema.event)
_KEEP_TILES = insert(schema.tile)
_KEEP_PEOPLE = insert(schema.person)
_PEOPLE = select(schema.person).where(
    tuple_(_person.campaign_id, _person.user_id).in_(bindparam("people", expanding=True))
)
_ALL_PEOPLE = select(_person.user_id, _person.secret).where(_person.campaign_id == bindparam("campaign"))
_FORGET_PERSON = delete(schema.person).where(
    _person.campaign_id == bindparam("campaign"), _person.user_id == bindparam("user")
)
_LEAVES = (
    select(_event.seq, _event.leaf)
    .where(_event.campaign_id == bindparam("campaign"))
    .where(_event.seq.between(bindparam("first"), bindparam("last")))
)
_TILES = (
    select(_tile.place, _tile.hash)
    .where(_tile.campaign_id == bindparam("campaign"), _tile.level == bindparam("level"))
    .where(_tile.place.between(bindparam("first"), bindparam("last")))
)
_ALL_TILES = select(_tile.level, _tile.place, _tile.hash).where(_tile.campaign_id == bindparam("campaign"))
_OLD_TILES = delete(schema.tile).where(
    _tile.campaign_id == bindparam("campaign"),
    _tile.level == bindparam("level"),
    _tile.place < bindparam("bound"),
)


def new_key() -> bytes:
    """Return a key for a campaign, or for a person in it."""
    return os.urandom(KEY_BYTES)


def new_log() -> str:
    """Return a name for a new log."""
    return os.urandom(_LOG_BYTES).hex()


@dataclass(frozen=True, slots=True, order=True)
class PersonAt:
    """Where a person's key is found."""

    campaign_id: int
    user_id: int


def read_ledger(row: Record, epoch: Epoch | None = None) -> Ledger:
    """Return the ledger of a campaign's row; only the writer gives it keys."""
    hashes: bytes = row["frontier"]
    frontier = tuple(hashes[i : i + HASH_BYTES] for i in range(0, len(hashes), HASH_BYTES))
    return Ledger(row["id"], row["log"], row["secret"], Tree(row["seq"], frontier), epoch)


def find_ledger(campaign_id: int) -> Piece[Ledger | None]:
    """Return a campaign's ledger; None if there is no such campaign."""
    rows = yield ask(_LEDGER, {"campaign": campaign_id})
    return read_ledger(rows[0]) if rows else None


def lock_ledger(campaign_id: int) -> Piece[Ledger | None]:
    """Return a campaign's ledger, which nobody else appends to until the transaction ends."""
    rows = yield ask(_LOCK, {"campaign": campaign_id})
    return read_ledger(rows[0]) if rows else None


def save_ledgers(
    ledgers: Iterable[Ledger],
    events: Sequence[tuple[Event, Entered]],
    completed: Mapping[int, Mapping[Spot, bytes]],
    process: str | None = None,
) -> Piece[None]:
    """Save new events, whose replies the process owes, their ledgers, and hashes of tiles by campaign."""
    yield ask(_KEEP_EVENTS, [write_event(event, entered, process) for event, entered in events])
    yield ask(_MOVE, [_row(ledger) for ledger in ledgers])
    tiles = [
        {"campaign_id": campaign_id, "level": spot.level, "place": spot.place, "hash": found}
        for campaign_id, hashes in sorted(completed.items())
        for spot, found in hashes.items()
    ]
    if tiles:
        yield ask(_KEEP_TILES, tiles)


def save_appended(appended: Appended, event: Event | None = None, process: str | None = None) -> Piece[None]:
    """Save one event, in another form if that is given, and the ledger that it joined."""
    ledger = appended.ledger
    completed = {ledger.campaign_id: appended.completed}
    events = [(event or appended.event, appended.entered)]
    yield from save_ledgers([ledger], events, completed, process)


def load_people(people: Iterable[PersonAt]) -> Piece[dict[PersonAt, bytes]]:
    """Return the keys of people who have one."""
    wanted = [(at.campaign_id, at.user_id) for at in sorted(people)]
    rows = yield ask(_PEOPLE, {"people": wanted})
    return {PersonAt(row["campaign_id"], row["user_id"]): row["secret"] for row in rows}


def save_people(people: Mapping[PersonAt, bytes]) -> Piece[None]:
    """Save the keys of people who are new to a campaign."""
    rows = [
        {"campaign_id": at.campaign_id, "user_id": at.user_id, "secret": secret}
        for at, secret in sorted(people.items())
    ]
    if rows:
        yield ask(_KEEP_PEOPLE, rows)


def forget_person(campaign_id: int, user_id: int) -> Piece[None]:
    """Delete a person's key: what was committed to under it can't be opened any more."""
    yield ask(_FORGET_PERSON, {"campaign": campaign_id, "user": user_id})


def keyring(ledger: Ledger) -> Piece[Keyring]:
    """Return all keys of a campaign."""
    rows = yield ask(_ALL_PEOPLE, {"campaign": ledger.campaign_id})
    return Keyring(ledger.secret, {row["user_id"]: row["secret"] for row in rows})


def all_keys(campaign_id: int) -> Piece[tuple[Ledger, Keyring]]:
    """Return a campaign's ledger, and then its keys: whoever has an event in it has one, or is erased."""
    ledger = yield from find_ledger(campaign_id)
    if ledger is None:
        raise Unknown("That campaign is not there any more.")
    return ledger, (yield from keyring(ledger))


def load_tiles(campaign_id: int, wanted: Iterable[Tile]) -> Piece[dict[Spot, bytes]]:
    """Return the stored hashes of some tiles; those that a cut removed are not among them."""
    found: dict[Spot, bytes] = {}
    for level, number in wanted:
        first = number << TILE_BITS
        here = {"campaign": campaign_id, "first": first, "last": first + (1 << TILE_BITS) - 1}
        if level:
            rows = yield ask(_TILES, {**here, "level": level})
            found.update({Spot(level, row["place"]): row["hash"] for row in rows})
        else:
            # Leaf number i, from 0, is event i + 1.
            rows = yield ask(_LEAVES, {**here, "first": first + 1, "last": here["last"] + 1})
            found.update({Spot(0, row["seq"] - 1): row["leaf"] for row in rows})
    return found


def all_campaigns() -> Piece[list[int]]:
    """Return the numbers of all campaigns that have a history."""
    return [row["id"] for row in (yield ask(_WITH_HISTORY))]


def tiles_of(campaign_id: int) -> Piece[dict[Spot, bytes]]:
    """Return all hashes of a campaign's tree that are stored above its leaves."""
    rows = yield ask(_ALL_TILES, {"campaign": campaign_id})
    return {Spot(row["level"], row["place"]): row["hash"] for row in rows}


def forget_tiles(campaign_id: int, upto: int) -> Piece[None]:
    """Delete the hashes of tiles that stand for nothing above the event `upto`."""
    level = 1
    while bound := upto >> level * TILE_BITS:
        yield ask(_OLD_TILES, {"campaign": campaign_id, "level": level, "bound": bound})
        level += 1


def _row(ledger: Ledger) -> dict[str, object]:
    frontier = b"".join(ledger.tree.frontier)
    return {"ledger": ledger.campaign_id, "seq": ledger.seq, "frontier": frontier}


RENEWED = 256
"""With so few keys left there are to be new ones."""

_epoch = schema.epoch.c
_OF_PROOF = (
    _epoch.seq.label("epoch_seq"),
    _epoch.host.label("epoch_host"),
    _epoch.drand.label("epoch_drand"),
)
OF_CAMPAIGN = (*_OF_PROOF, _epoch.secret.label("epoch_secret"), _epoch.salt.label("epoch_salt"))
"""The columns that `read_epoch` and `read_proof` read."""
_FORGET = delete(schema.epoch).where(_epoch.campaign_id == bindparam("campaign"))
_KEEP = insert(schema.epoch)
_KEEP_HASHES = insert(schema.keyhash)
_STANDING = select(_epoch.salt, *_OF_PROOF).where(_epoch.campaign_id == bindparam("campaign"))
_HASHES = (
    select(schema.keyhash.c.seq, schema.keyhash.c.hashes)
    .where(schema.keyhash.c.campaign_id == bindparam("campaign"))
    .order_by(schema.keyhash.c.seq)
)
_PLAYED = (
    select(_epoch.campaign_id, _epoch.seq, _event.channel_id, _epoch.drand)
    .join_from(schema.epoch, schema.campaign)
    .join(schema.event, (_event.campaign_id == _epoch.campaign_id) & (_event.seq == schema.campaign.c.seq))
    .order_by(_epoch.campaign_id)
)
_FEW_LEFT = _PLAYED.where(
    (schema.campaign.c.seq - _epoch.seq > KEYS - RENEWED)
    | ~exists().where(schema.keyhash.c.campaign_id == _epoch.campaign_id, schema.keyhash.c.seq == _epoch.seq)
)
_AWAITED = _PLAYED.where(_epoch.drand > bindparam("after"))


@dataclass(frozen=True, slots=True)
class KeysInUse:
    """A campaign's keys that are in use."""

    campaign_id: int
    begun: int
    channel_id: int
    """Where the campaign's newest event happened."""
    drand: int | None
    """The round of drand that is awaited; 0 once it has come, None where none was asked for."""


def read_epoch(row: Record) -> Epoch | None:
    """Return where a campaign's keys come from, of a row with `OF_CAMPAIGN`; None without proof mode."""
    seq = row["epoch_seq"]
    return None if seq is None else Epoch(row["epoch_secret"], seq, row["epoch_salt"])


def read_proof(row: Record) -> ProofMode | None:
    """Return a campaign's proof mode, of a row with `OF_CAMPAIGN`; None where it is not on."""
    return None if row["epoch_seq"] is None else _proof(row)


def save_epoch(campaign_id: int, proof: ProofMode | None, epoch: Epoch | None) -> Piece[None]:
    """Save a campaign's proof mode as it is now."""
    yield ask(_FORGET, {"campaign": campaign_id})
    if proof and epoch:
        row = {"campaign_id": campaign_id, "seq": epoch.begun, "secret": epoch.secret, "salt": epoch.salt}
        yield ask(_KEEP, {**row, "host": proof.host, "drand": proof.drand})


def save_hashes(epochs: Iterable[tuple[int, Epoch]]) -> Piece[None]:
    """Save the hashes of new keys, for exports and checks."""
    for campaign_id, epoch in epochs:
        hashes = b"".join(epoch.leaves())
        yield ask(_KEEP_HASHES, {"campaign_id": campaign_id, "seq": epoch.begun, "hashes": hashes})


def standing(campaign_id: int) -> Piece[tuple[ProofMode, str] | None]:
    """Return a campaign's proof mode and its salt; None where it is not on."""
    rows = yield ask(_STANDING, {"campaign": campaign_id})
    return (_proof(rows[0]), rows[0]["salt"]) if rows else None


def key_hashes(campaign_id: int) -> Piece[dict[int, tuple[bytes, ...]]]:
    """Return the hashes of all committed keys, by the number of their commit."""
    rows = yield ask(_HASHES, {"campaign": campaign_id})
    return {row["seq"]: tuple(_split(row["hashes"])) for row in rows}


def few_left() -> Piece[list[KeysInUse]]:
    """Return keys that are nearly used up, or can't be checked since their commit was removed."""
    return [KeysInUse(*row) for row in (yield ask(_FEW_LEFT))]


def awaited(after: int) -> Piece[list[KeysInUse]]:
    """Return keys that await a round of drand whose number is larger than `after`."""
    return [KeysInUse(*row) for row in (yield ask(_AWAITED, {"after": after}))]


def _proof(row: Record) -> ProofMode:
    return ProofMode(row["epoch_seq"], row["epoch_host"], row["epoch_drand"])


def _split(hashes: bytes) -> Iterable[bytes]:
    return (hashes[place : place + HASH_BYTES] for place in range(0, len(hashes), HASH_BYTES))
