"""Proof mode as rows: the secret that the writer draws keys from, and the hashes of keys that all may see.

Nothing but the writer reads the secret, and it goes when proof mode ends or gets new keys.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, exists, insert, select

from bot.campaign.proof import KEYS, ProofMode
from bot.record.proof_mode import Epoch
from bot.record.tree import HASH_BYTES
from bot.storage import schema
from bot.storage.asking import Piece, Record, ask

RENEWED = 256
"""With so few keys left there are to be new ones."""

_epoch, _event = schema.epoch.c, schema.event.c
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
