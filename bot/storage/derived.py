"""Derive a campaign's state from its events, and compare it with the stored tables.

`STATE` lists the tables with state that follows from events, and `Derived` computes their correct rows. State
that depends on events removed by a cut is taken as it is stored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count as counting
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Table, delete, func, select

from bot.campaign.events import CallOpened, CardLeft, Rolled
from bot.campaign.proof import CommittedKeys, ProofMode
from bot.campaign.replay import count
from bot.campaign.state import State, evolve, evolve_proof
from bot.dice.errors import Unavailable, Unknown
from bot.record.audit import Audit
from bot.record.findings import Broken
from bot.record.hashing import HashPosition, Keyring
from bot.record.ledger import Ledger
from bot.record.proof_mode import Epoch, Salts
from bot.storage import schema
from bot.storage.campaign_lookup import settings_row
from bot.storage.ledgers import lock_ledger
from bot.storage.queries import Queries, Query, replacing
from bot.storage.rows import (
    Row,
    of_campaign,
    print_json,
    read_campaign,
    read_keys,
    read_ledger,
    search_keys,
    split,
)
from bot.storage.saving import NOBODY, epoch_row, roller_row

STATE: Final = (
    schema.campaign,
    schema.roller,
    schema.memory,
    schema.tally,
    schema.board,
    schema.seat,
    schema.hand,
    schema.epoch,
    schema.tile,
)
"""The tables that follow from events, in the order of their foreign keys."""
PrimaryKey: TypeAlias = tuple[object, ...]
Columns: TypeAlias = Mapping[str, Any]  # a column is of any type
Keyed: TypeAlias = dict[PrimaryKey, Columns]
"""Rows by their primary key."""
_TRIES = 5

_STORED: Final = {table: select(table).where(of_campaign(table)) for table in STATE}
_LEAVING = select(schema.erasure.c.user_id)
_NEXT_ROLLER = select(func.coalesce(func.max(schema.roller.c.id), 0) + 1)
_AT_FIRST: Final = {"name": None, "archived": 0, "rules": "{}", "evening": 0}


class Change(NamedTuple):
    """A correction of a stored row; None deletes it."""

    table: Table
    key: PrimaryKey
    row: Columns | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored state of a campaign."""

    tables: Mapping[Table, Keyed]
    leaving: frozenset[int]
    """People who are being erased: their counts are nobody's, and their memories may be deleted already."""
    next_roller: int

    @property
    def campaign(self) -> Columns:
        """Return the campaign's own row."""
        return next(iter(self.tables[schema.campaign].values()))

    @property
    def ledger(self) -> Ledger:
        """Return the campaign's ledger."""
        return read_ledger(self.campaign)


def load_stored(campaign_id: int) -> Queries[Stored]:
    """Return a campaign's state, all of it after the same event; raise Unknown if there is none."""
    tables: dict[Table, Keyed] = {}
    leaving = frozenset[int]()
    for _ in range(_TRIES):
        leaving = frozenset[int](row["user_id"] for row in (yield Query(_LEAVING)))
        before: Keyed | None = None
        # Each event changes the campaign's row: if it is the same before and after, so is all else.
        for table in (schema.campaign, *reversed(STATE)):
            before = before or tables.get(schema.campaign)
            rows = yield Query(_STORED[table], {"campaign": campaign_id})
            tables[table] = _by_key(table, (dict(zip(table.c.keys(), row, strict=True)) for row in rows))
        if before == tables[schema.campaign]:
            break
    if not tables[schema.campaign]:
        raise Unknown("That campaign is gone.")
    counts = ((*key, row["n"]) for key, row in tables[schema.tally].items())
    tables[schema.tally] = _merge_counts(counts, leaving)
    return Stored(tables, leaving, (yield Query(_NEXT_ROLLER))[0][0])


def save_changes(campaign_id: int, seq: int, changes: Sequence[Change]) -> Queries[None]:
    """Apply corrections that hold after an event; raise Unavailable if there is a newer event."""
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None or ledger.seq != seq:
        raise Unavailable("Somebody rolls meanwhile, so nothing was mended. Stop the bot first.")
    for table, key, row in reversed(changes):
        if row is None:
            is_row = [column == value for column, value in zip(table.primary_key, key, strict=True)]
            yield Query(delete(table).where(*is_row))
    for table, _, row in changes:
        if row is not None:
            yield Query(replacing(table, *table.c.keys()), row)


class Derived:
    """The state that follows from a campaign's events, which `see` audits and folds one after another."""

    def __init__(
        self, stored: Stored, keys: Keyring, audit: Audit, hashes: Mapping[int, tuple[bytes, ...]]
    ) -> None:
        self._stored = stored
        self._keys = keys
        self._audit = audit
        self._hashes = hashes
        self._id: int = stored.campaign["id"]
        first = read_campaign({**stored.campaign, **({} if audit.start else _AT_FIRST)})
        epoch = next(iter(stored.tables[schema.epoch].values()), None)
        secrets = split(epoch["secrets"]) if epoch else ()
        self._stored_keys: list[tuple[CommittedKeys, Salts]] = []
        with suppress(TypeError, ValueError):  # an unreadable value is computed anew
            self._stored_keys = read_keys(epoch["known"]) if epoch else []
        starts = (keys.begun for keys, _ in self._stored_keys)
        self._secrets = dict(zip(starts, secrets, strict=False))
        for secret in secrets:
            leaves = Epoch(secret).leaves()
            self._secrets |= {number: secret for number, committed in hashes.items() if committed == leaves}
        cut_keys = tuple(keys for keys, _ in self._stored_keys if keys.begun <= audit.start)
        proof = ProofMode(cut_keys, epoch["host"], epoch["drand"]) if epoch and audit.start else None
        self._state = State(first, proof=proof)
        self._counts: Counter[PrimaryKey] = Counter()
        self._calls: dict[int, int | None] = {}
        """Call number to its deadline."""
        self._hands: Keyed = {}
        self._tiles: dict[HashPosition, bytes] = {}
        newest = stored.campaign["newest"] if audit.start else 0
        self._end = {"newest": newest, "unasked": 0}
        self._knows_unasked = not audit.start
        """Whether the number of events at the end without an interaction is known."""

    def recall(self, row: Row) -> None:
        """Take an older event again, which a later one undoes."""
        self._audit.lineage.recall(row.with_keys(self._keys))

    def see(self, row: Row) -> None:
        """Audit the next event, and fold it with the effects of later ones on it."""
        event = row.event
        completed = self._audit.see_stored(row.with_keys(self._keys), self._keys)
        if row.search_keys != search_keys(event):
            raise Broken(event.seq, "#{number} is searched for by another roller or source than it has.")
        if self._audit.key_audit.awaits_keys:
            leaves = [key_hash.hex() for key_hash in self._hashes.get(event.seq, ())]
            self._audit.key_audit.open_epoch(event.seq, leaves)
        self._tiles.update(completed)
        interaction = event.interaction_id
        newest = max(self._end["newest"], interaction or 0)
        self._knows_unasked |= interaction is not None
        self._end = {"newest": newest, "unasked": 0 if interaction else self._end["unasked"] + 1}
        if row.counts:
            for face, n in count(event).items():
                self._counts[self._id, event.player_id or NOBODY, *face] += n
        key = {"campaign_id": self._id, "seq": event.seq}
        if row.stands and event.roll.hand and event.user_id:
            self._hands[*key.values(),] = {**key, "user_id": event.user_id}
        elif isinstance(event.body, CardLeft) and not row.undone:
            self._hands.pop((self._id, event.target), None)
        if isinstance(event.body, CallOpened):
            self._calls[event.seq] = event.body.deadline
        elif isinstance(event.body, Rolled):
            self._state = evolve_proof(self._state, event)
        else:
            self._state = evolve(State(self._state.campaign, proof=self._state.proof), event)

    def changes(self) -> list[Change]:
        """Return the corrections of the stored rows; raise Broken if they can't be determined."""
        if not self._knows_unasked:
            self._end["unasked"] = self._stored.campaign["unasked"]
        campaign = {**self._stored.campaign, **settings_row(self._state.campaign), **self._end}
        derived = {
            schema.campaign: _by_key(schema.campaign, [campaign]),
            **self._roller_rows(),
            schema.tally: self._tally_rows(),
            **self._board_rows(),
            schema.hand: self._hand_rows(),
            schema.epoch: self._proof_rows(),
            schema.tile: self._tile_rows(),
        }
        changes: list[Change] = []
        for table in STATE:
            stored, rows = self._stored.tables[table], derived[table]
            keys = stored.keys() | rows.keys()
            changes += (Change(table, key, rows.get(key)) for key in keys if stored.get(key) != rows.get(key))
        return changes

    def _roller_rows(self) -> dict[Table, Keyed]:
        """Return the rows of rollers and memories; a roller with an unknown part keeps its rows."""
        tables, new_ids = self._stored.tables, counting(self._stored.next_roller)
        old = {row["key"]: row for row in tables[schema.roller].values()}
        people = {self._keys.tag(user_id): user_id for user_id in self._keys.people}
        rollers: list[Columns] = []
        memories: Keyed = {}
        unsure: set[object] = set()
        for key, audited in self._audit.lineage.rollers.items():
            at = {"id": old[key]["id"] if key in old else next(new_ids), "campaign_id": self._id, "key": key}
            if key in old and (audited.loose or audited.adrift):
                unsure.add(at["id"])
                rollers.append(old[key])
                continue
            rollers.append({**at, **roller_row(audited.roller)})
            # A player's memory from a cut comes first, under a tag: later rolls of theirs replace it.
            for (epoch, owner), memory in audited.memories.items():
                owner_id = people.get(owner) if isinstance(owner, str) else owner
                if owner_id is not None and owner_id not in self._stored.leaving:
                    row = {"roller_id": at["id"], "epoch": epoch, "owner_id": owner_id}
                    memories[*row.values(),] = {**row, "value": print_json(memory)}
        for key, row in tables[schema.memory].items():
            if row["roller_id"] in unsure or row["owner_id"] in self._stored.leaving:
                memories[key] = row
            elif 0 < row["epoch"] <= self._audit.start:  # from before a reset that a cut has removed
                memories.setdefault(key, row)
        return {schema.roller: _by_key(schema.roller, rollers), schema.memory: memories}

    def _tally_rows(self) -> Keyed:
        """Return the rows of counts, which include the events removed by a cut."""
        rows = _merge_counts(((*at, n) for at, n in self._counts.items()), self._stored.leaving)
        if self._audit.start:
            for key, row in self._stored.tables[schema.tally].items():
                if key not in rows or row["n"] > rows[key]["n"]:
                    rows[key] = row
        return rows

    def _board_rows(self) -> dict[Table, Keyed]:
        """Return the rows of boards and seats; their columns but the deadline follow from no event.

        Not even the channel does: a board may be shown again in another one.
        """
        boards: list[Columns] = []
        for row in self._stored.tables[schema.board].values():
            if row["seq"] in self._calls:
                due = None if row["due"] is None else self._calls[row["seq"]]
                boards.append({**row, "due": due})
            elif 0 < row["seq"] <= self._audit.start:
                boards.append(row)
        numbers = {row["seq"] for row in boards}
        seats = (row for row in self._stored.tables[schema.seat].values() if row["seq"] in numbers)
        return {schema.board: _by_key(schema.board, boards), schema.seat: _by_key(schema.seat, seats)}

    def _hand_rows(self) -> Keyed:
        """Return the rows of cards in hands; those of people who are being erased may be deleted already."""
        leaving, stored = self._stored.leaving, self._stored.tables[schema.hand]
        theirs = {key: row for key, row in stored.items() if row["user_id"] in leaving}
        return {key: row for key, row in self._hands.items() if row["user_id"] not in leaving} | theirs

    def _proof_rows(self) -> Keyed:
        """Return the row of proof mode; raise Broken if a stored secret does not give the committed keys."""
        proof = self._state.proof
        if proof is None:
            return {}
        row = next(iter(self._stored.tables[schema.epoch].values()), None)
        salts = {**{keys.begun: stored for keys, stored in self._stored_keys}, **self._audit.key_audit.salts}
        epochs: list[Epoch] = []
        for keys in proof.keys:
            secret, committed = self._secrets.get(keys.begun), self._hashes.get(keys.begun)
            if row is None or secret is None or (committed and Epoch(secret).leaves() != committed):
                raise Broken(
                    keys.begun, "#{number} committed to keys whose secret is lost: restore a backup."
                )
            epochs.append(Epoch(secret, keys, salts[keys.begun]))
        # The host of the bot is in no event.
        host = {"host": row["host"]} if row else {}
        return _by_key(schema.epoch, [{**epoch_row(self._id, proof, epochs), **host}])

    def _tile_rows(self) -> Keyed:
        """Return the rows of tile hashes; those from before a cut stay until they are removed."""
        campaign = {"campaign_id": self._id}
        rows = [{**campaign, **spot._asdict(), "hash": digest} for spot, digest in self._tiles.items()]
        stored = self._stored.tables[schema.tile]
        old = {
            key: row for key, row in stored.items() if row["place"] < self._audit.start >> 8 * row["level"]
        }
        return {**old, **_by_key(schema.tile, rows)}


def _by_key(table: Table, rows: Iterable[Columns]) -> Keyed:
    return {tuple(row[column.name] for column in table.primary_key): row for row in rows}


def _merge_counts(counts: Iterable[tuple[Any, ...]], leaving: frozenset[int]) -> Keyed:
    """Return rows of counts other than 0; the counts of people who are being erased become nobody's."""
    merged: Counter[PrimaryKey] = Counter()
    for campaign_id, user_id, die, face, n in counts:
        merged[campaign_id, NOBODY if user_id in leaving else user_id, die, face] += n
    names = schema.tally.c.keys()
    return {key: dict(zip(names, (*key, n), strict=True)) for key, n in merged.items() if n}
