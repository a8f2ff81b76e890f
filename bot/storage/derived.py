"""The state that rolls are made from, worked out from a campaign's events and held against its tables.

Whatever is kept of a campaign so that it need not be folded anew for each roll stands in `STATE`, and
`Derived` says what it has to be. What hangs on events that a cut removed is taken as it is stored.
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
from bot.campaign.state import State, evolve, proved
from bot.dice.errors import Unavailable, Unknown
from bot.record.audit import Audit
from bot.record.findings import Broken
from bot.record.hashing import Keyring, Spot
from bot.record.ledger import Ledger
from bot.record.proof_mode import Epoch, Salts
from bot.storage import schema
from bot.storage.ledgers import lock_ledger
from bot.storage.places import settings_row
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
"""The tables that follow from events, in the order in which their rows hang on each other."""
PrimaryKey: TypeAlias = tuple[object, ...]
Columns: TypeAlias = Mapping[str, Any]  # a column is of any type
Keyed: TypeAlias = dict[PrimaryKey, Columns]
"""By their primary key."""
_TRIES = 5


_STORED: Final = {table: select(table).where(of_campaign(table)) for table in STATE}
_LEAVING = select(schema.erasure.c.user_id)
_NEXT_ROLLER = select(func.coalesce(func.max(schema.roller.c.id), 0) + 1)
_AT_FIRST: Final = {"name": None, "archived": 0, "rules": "{}", "evening": 0}


class Change(NamedTuple):
    """A row that is not what it has to be; None where there has to be none."""

    table: Table
    key: PrimaryKey
    row: Columns | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The state of a campaign as it is stored."""

    tables: Mapping[Table, Keyed]
    leaving: frozenset[int]
    """People who are being erased: their counts are nobody's, and their memories may be gone."""
    next_roller: int

    @property
    def campaign(self) -> Columns:
        """Return the campaign's own row."""
        return next(iter(self.tables[schema.campaign].values()))

    @property
    def ledger(self) -> Ledger:
        """Return where the history stands."""
        return read_ledger(self.campaign)


def load_stored(campaign_id: int) -> Queries[Stored]:
    """Return a campaign's state, all of it after the same event; Unknown if there is no such campaign."""
    tables: dict[Table, Keyed] = {}
    leaving = frozenset[int]()
    for _ in range(_TRIES):
        leaving = frozenset[int](row["user_id"] for row in (yield Query(_LEAVING)))
        before: Keyed | None = None
        # Each event changes the campaign's row: where it is the same at both ends, so was all between.
        for table in (schema.campaign, *reversed(STATE)):
            before = before or tables.get(schema.campaign)
            rows = yield Query(_STORED[table], {"campaign": campaign_id})
            tables[table] = _by_key(table, (dict(zip(table.c.keys(), row, strict=True)) for row in rows))
        if before == tables[schema.campaign]:
            break
    if not tables[schema.campaign]:
        raise Unknown("That campaign is gone.")
    counts = ((*key, row["n"]) for key, row in tables[schema.tally].items())
    tables[schema.tally] = _merged(counts, leaving)
    return Stored(tables, leaving, (yield Query(_NEXT_ROLLER))[0][0])


def save_changes(campaign_id: int, seq: int, changes: Sequence[Change]) -> Queries[None]:
    """Store rows as they have to be after an event; Unavailable where there is a newer one."""
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None or ledger.seq != seq:
        raise Unavailable("Somebody rolls meanwhile, so nothing was mended. Stop the bot first.")
    for table, key, row in reversed(changes):
        if row is None:
            at = [column == value for column, value in zip(table.primary_key, key, strict=True)]
            yield Query(delete(table).where(*at))
    for table, _, row in changes:
        if row is not None:
            yield Query(replacing(table, *table.c.keys()), row)


class Derived:
    """What a campaign's events lead to; it is shown each of them after `audit` has seen it."""

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
        self._of_keys: list[tuple[CommittedKeys, Salts]] = []
        with suppress(TypeError, ValueError):  # what can't be read is made anew
            self._of_keys = read_keys(epoch["known"]) if epoch else []
        begun = (keys.begun for keys, _ in self._of_keys)
        self._secrets = dict(zip(begun, secrets, strict=False))
        for secret in secrets:
            leaves = Epoch(secret).leaves()
            self._secrets |= {number: secret for number, shown in hashes.items() if shown == leaves}
        before = tuple(keys for keys, _ in self._of_keys if keys.begun <= audit.start)
        proof = ProofMode(before, epoch["host"], epoch["drand"]) if epoch and audit.start else None
        self._state = State(first, proof=proof)
        self._counts: Counter[PrimaryKey] = Counter()
        self._calls: dict[int, int | None] = {}
        """The deadline of each call."""
        self._hands: Keyed = {}
        self._tiles: dict[Spot, bytes] = {}
        newest = stored.campaign["newest"] if audit.start else 0
        self._end = {"newest": newest, "unasked": 0}
        self._asked = not audit.start
        """Whether it is known how many events at the end nobody asked for."""

    def see(self, row: Row, completed: Mapping[Spot, bytes]) -> None:
        """Fold the next event, with what later ones did to it, and the hashes of tiles that it completes."""
        event = row.event
        if row.search_keys != search_keys(event):
            raise Broken(event.seq, "#{number} is searched for by another roller or source than it has.")
        self._tiles.update(completed)
        asked = event.interaction_id
        newest = max(self._end["newest"], asked or 0)
        self._asked |= asked is not None
        self._end = {"newest": newest, "unasked": 0 if asked else self._end["unasked"] + 1}
        if row.counts:
            for at, n in count(event).items():
                self._counts[self._id, event.player_id or NOBODY, *at] += n
        at = {"campaign_id": self._id, "seq": event.seq}
        if row.stands and event.roll.hand and event.user_id:
            self._hands[*at.values(),] = {**at, "user_id": event.user_id}
        elif isinstance(event.body, CardLeft) and not row.undone:
            self._hands.pop((self._id, event.target), None)
        if isinstance(event.body, CallOpened):
            self._calls[event.seq] = event.body.deadline
        elif isinstance(event.body, Rolled):
            self._state = proved(self._state, event)
        else:
            self._state = evolve(State(self._state.campaign, proof=self._state.proof), event)

    def changes(self) -> list[Change]:
        """Return the rows that have to be otherwise; Broken where that can't be known."""
        if not self._asked:
            self._end["unasked"] = self._stored.campaign["unasked"]
        campaign = {**self._stored.campaign, **settings_row(self._state.campaign), **self._end}
        derived = {
            schema.campaign: _by_key(schema.campaign, [campaign]),
            **self._rollers(),
            schema.tally: self._tallies(),
            **self._boards(),
            schema.hand: self._held(),
            schema.epoch: self._proof(),
            schema.tile: self._tree(),
        }
        found: list[Change] = []
        for table in STATE:
            stored, rows = self._stored.tables[table], derived[table]
            keys = stored.keys() | rows.keys()
            found += (Change(table, key, rows.get(key)) for key in keys if stored.get(key) != rows.get(key))
        return found

    def _rollers(self) -> dict[Table, Keyed]:
        """Return rollers and memories; a roller of which a part can't be known stays as it is."""
        tables, new_ids = self._stored.tables, counting(self._stored.next_roller)
        old = {row["key"]: row for row in tables[schema.roller].values()}
        people = {self._keys.tag(user_id): user_id for user_id in self._keys.people}
        rollers: list[Columns] = []
        memories: Keyed = {}
        unsure: set[object] = set()
        for key, known in self._audit.lineage.rollers.items():
            at = {"id": old[key]["id"] if key in old else next(new_ids), "campaign_id": self._id, "key": key}
            if key in old and (known.loose or known.adrift):
                unsure.add(at["id"])
                rollers.append(old[key])
                continue
            rollers.append({**at, **roller_row(known.roller)})
            # What a cut kept of a player comes first, under a tag: what they rolled since replaces it.
            for (epoch, owner), memory in known.memories.items():
                owner_id = people.get(owner) if isinstance(owner, str) else owner
                if owner_id is not None and owner_id not in self._stored.leaving:
                    row = {"roller_id": at["id"], "epoch": epoch, "owner_id": owner_id}
                    memories[*row.values(),] = {**row, "value": print_json(memory)}
        for key, row in tables[schema.memory].items():
            if row["roller_id"] in unsure or row["owner_id"] in self._stored.leaving:
                memories[key] = row
            elif 0 < row["epoch"] <= self._audit.start:  # of before a reset that a cut has removed
                memories.setdefault(key, row)
        return {schema.roller: _by_key(schema.roller, rollers), schema.memory: memories}

    def _tallies(self) -> Keyed:
        """Return the counts; those of events that a cut removed are in them still."""
        rows = _merged(((*at, n) for at, n in self._counts.items()), self._stored.leaving)
        if self._audit.start:
            for key, row in self._stored.tables[schema.tally].items():
                if key not in rows or row["n"] > rows[key]["n"]:
                    rows[key] = row
        return rows

    def _boards(self) -> dict[Table, Keyed]:
        """Return the boards of calls, and who was named in these; no event tells of their other parts.

        Nor where they are shown: a board may be shown again in another channel.
        """
        boards: list[Columns] = []
        for row in self._stored.tables[schema.board].values():
            if row["seq"] in self._calls:
                due = None if row["due"] is None else self._calls[row["seq"]]
                boards.append({**row, "due": due})
            elif 0 < row["seq"] <= self._audit.start:
                boards.append(row)
        there = {row["seq"] for row in boards}
        seats = (row for row in self._stored.tables[schema.seat].values() if row["seq"] in there)
        return {schema.board: _by_key(schema.board, boards), schema.seat: _by_key(schema.seat, seats)}

    def _held(self) -> Keyed:
        """Return the cards in hands; those of people who are being erased may be gone."""
        leaving, stored = self._stored.leaving, self._stored.tables[schema.hand]
        theirs = {key: row for key, row in stored.items() if row["user_id"] in leaving}
        return {key: row for key, row in self._hands.items() if row["user_id"] not in leaving} | theirs

    def _proof(self) -> Keyed:
        """Return proof mode; its keys' secret is in no event, but has to give the keys that were shown."""
        proof = self._state.proof
        if proof is None:
            return {}
        row = next(iter(self._stored.tables[schema.epoch].values()), None)
        known = {**{keys.begun: salts for keys, salts in self._of_keys}, **self._audit.key_audit.salts}
        epochs: list[Epoch] = []
        for keys in proof.keys:
            secret, shown = self._secrets.get(keys.begun), self._hashes.get(keys.begun)
            if row is None or secret is None or (shown and Epoch(secret).leaves() != shown):
                raise Broken(
                    keys.begun, "#{number} committed to keys whose secret is lost: restore a backup."
                )
            epochs.append(Epoch(secret, keys, known[keys.begun]))
        # Who hosts the bot is kept out of the history.
        host = {"host": row["host"]} if row else {}
        return _by_key(schema.epoch, [{**epoch_row(self._id, proof, epochs), **host}])

    def _tree(self) -> Keyed:
        """Return the hashes above the leaves; those of before a cut stay until they are removed."""
        at = {"campaign_id": self._id}
        rows = [{**at, **spot._asdict(), "hash": found} for spot, found in self._tiles.items()]
        kept = self._stored.tables[schema.tile]
        old = {key: row for key, row in kept.items() if row["place"] < self._audit.start >> 8 * row["level"]}
        return {**old, **_by_key(schema.tile, rows)}


def _by_key(table: Table, rows: Iterable[Columns]) -> Keyed:
    return {tuple(row[column.name] for column in table.primary_key): row for row in rows}


def _merged(counts: Iterable[tuple[Any, ...]], leaving: frozenset[int]) -> Keyed:
    """Return rows of counts: those of people who are being erased are nobody's, and none is 0."""
    merged: Counter[PrimaryKey] = Counter()
    for campaign_id, user_id, die, face, n in counts:
        merged[campaign_id, NOBODY if user_id in leaving else user_id, die, face] += n
    names = schema.tally.c.keys()
    return {key: dict(zip(names, (*key, n), strict=True)) for key, n in merged.items() if n}
