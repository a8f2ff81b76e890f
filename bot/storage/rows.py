"""Conversion between database rows and values, with the columns and statements for such rows."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from sqlalchemy import BindParameter, ColumnElement, Table, bindparam, exists, func, select

from bot.campaign.campaigns import Campaign, MasterKind, Remembers, Roller, Rules
from bot.campaign.events import Event, HistoryRestored, RegisterReset, Rolled, RollerMade
from bot.campaign.kinds import Kind, Seal, Visibility, Words
from bot.campaign.proof import CommittedKeys, ProofMode
from bot.dice.system import Json, Memory
from bot.record.codec import Parts, Unreadable, decode, decode_value
from bot.record.hashing import HASH_BYTES, Keyring, Tree, text_of
from bot.record.ledger import Entered, Ledger, read_pub, without_person
from bot.record.proof_mode import SECRET_BYTES, Epoch, Salts
from bot.storage import schema
from bot.storage.queries import Record
from bot.times import DISCORD_EPOCH, INSTANCE_BITS

_e = schema.event.c

LARGEST_ID = 2**63 - 1
"""The largest integer of the database."""
_other = schema.event.alias("other")

_PLAIN = ("campaign_id", "seq", "interaction_id", "part", "clock", "channel_id", "user_id")
"""Columns with the same name and value as an event's field."""
OWN_WORDS = ("label", "typed", "character")
"""Columns with a person's words."""
WithSpec: TypeAlias = Rolled | RollerMade | RegisterReset
"""Bodies with a rule."""
_epoch = schema.epoch.c
PROOF_COLUMNS = (_epoch.known, _epoch.host, _epoch.drand)
EPOCH_COLUMNS = (*PROOF_COLUMNS, _epoch.secrets)
"""Columns for `read_epochs`; `PROOF_COLUMNS` are enough for `read_proof`."""
ROLLERS = select(*schema.roller.c, schema.spec.c.body).select_from(schema.roller.outerjoin(schema.spec))
"""Whole rollers, for `read_roller`."""
EVENTS = select(*schema.event.c, schema.spec.c.body).select_from(schema.event.outerjoin(schema.spec))
"""Whole events, for `read_event`."""
MOMENT = func.coalesce(_e.interaction_id, (_e.clock - DISCORD_EPOCH) * (1 << INSTANCE_BITS))
"""Time of an event as a Discord id, also for events without an interaction."""
GONE = "gone:"
"""Prefix of the key of a campaign that is being deleted."""
IN_USE = schema.campaign.c.key.not_like(f"{GONE}%")
"""Condition: the campaign is not being deleted."""
_CAMPAIGN = bindparam("campaign", type_=schema.ID)
LEAVING = exists().where(schema.erasure.c.user_id == _e.user_id).correlate(schema.event)
"""Condition: the event's person is being erased."""


def of_campaign(table: Table, campaign: int | BindParameter[int] = _CAMPAIGN) -> ColumnElement[bool]:
    """Return the condition for a campaign's rows of a table; by default of the parameter `campaign`."""
    if table is schema.memory:
        rollers = select(schema.roller.c.id).where(schema.roller.c.campaign_id == campaign)
        return table.c.roller_id.in_(rollers)
    if table is schema.campaign:
        return (table.c.id == campaign) & IN_USE
    return table.c.campaign_id == campaign


def of_user(table: Table) -> ColumnElement[bool]:
    """Return the condition for a table's rows of the person in the parameter `user`."""
    return table.c.user_id == bindparam("user")


HAS_LEFT = schema.server.c.guild_id.in_(bindparam("guilds")) & schema.server.c.left_at.is_not(None)
"""Condition: the server is in the parameter `guilds` and the bot has left it."""
IS_MASTER = (schema.master.c.id == bindparam("user")) & (schema.master.c.kind == MasterKind.USER.value)
"""Condition: the row makes the person in the parameter `user` a game master."""


class PersonAt(NamedTuple):
    """Key of a person's row."""

    campaign_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Row:
    """An event, and the effects of later events on it."""

    event: Event
    undone: bool
    revealed: bool
    """Whether it was hidden and is public now: it was revealed or played, or its call was revealed."""
    leaving: bool = False
    """Whether its person is being erased."""
    search_keys: tuple[str | None, ...] = field(default=(), compare=False)
    """Its stored search columns: roller key and source."""

    @property
    def visible_event(self) -> Event:
        """Return the event as it is shown: without its person once their erasure has begun."""
        return replace(self.event, user_id=None, words=None) if self.leaving else self.event

    def with_keys(self, keys: Keyring) -> Event:
        """Return the event as it is audited and exported: the same, with the commitments of its leaf."""
        return without_person(self.event, keys.keys(self.event.user_id)) if self.leaving else self.event

    @property
    def stands(self) -> bool:
        """Return whether it is a roll that was not undone."""
        return isinstance(self.event.body, Rolled) and not self.undone

    @property
    def counts(self) -> bool:
        """Return whether it is a public roll that was not undone."""
        return self.stands and (self.revealed or self.event.visibility is Visibility.PUBLIC)


_AS_OF = bindparam("as_of", LARGEST_ID, schema.ID)
"""Number of the last event to take into account; by default the newest one."""


def _has_later(target: ColumnElement[int | None], kind: Kind) -> ColumnElement[bool]:
    """Return the condition that an event of a kind has this target.

    It reads only columns of the index of targets: with any other column, SQLite would read the whole campaign
    instead of that index.
    """
    is_follower = (
        (_other.c.campaign_id == _e.campaign_id) & (_other.c.target == target) & (_other.c.kind == kind)
    )
    return select(_other.c.seq).where(is_follower, _other.c.seq <= _AS_OF).correlate(schema.event).exists()


_revealed_by_call = (_e.kind == Kind.ROLL) & _has_later(_e.target, Kind.REVEAL)
ROWS = EVENTS.add_columns(
    _has_later(_e.seq, Kind.UNDO).label("undone"),
    (_has_later(_e.seq, Kind.REVEAL) | _has_later(_e.seq, Kind.PLAY) | _revealed_by_call).label("revealed"),
    LEAVING.label("leaving"),
)
"""Whole events with the effects of later ones, for `read_row`."""


def read_event(row: Record) -> Event:
    """Return the event of a row of `EVENTS` or `ROWS`; raise Unreadable if it is damaged."""
    try:
        pub, facts, method = (json.loads(row[part]) for part in Parts._fields)
        log, pub = read_pub(row["seq"], pub)
        if row["body"]:
            facts["spec"] = row["body"]
        return Event(
            **{name: row[name] for name in _PLAIN},
            words=None if row["label"] is None else Words(*(row[name] for name in OWN_WORDS)),
            visibility=Visibility(row["visibility"]),
            body=decode(Kind(row["kind"]), row["target"], Parts(pub, facts, method)),
            log=log,
            seal=Seal(row["leaf"], (row["who"].hex(), row["words"].hex()) if row["who"] else None),
        )
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(f"#{row['seq']} can't be read: {error}") from error


def read_row(row: Record) -> Row:
    """Return the `Row` of a row of `ROWS`."""
    flags = (bool(row[name]) for name in ("undone", "revealed", "leaving"))
    return Row(read_event(row), *flags, search_keys=(row["roller_key"], row["source"]))


def spec_of(event: Event) -> str:
    """Return an event's rule as canonical JSON text; "" for none."""
    return event.body.spec if isinstance(event.body, WithSpec) else ""


def is_replied_to(event: Event) -> bool:
    """Return whether it is a roll with its own reply; a call's board shows its rolls, /hand a held card."""
    return isinstance(event.body, Rolled) and event.target is None and not event.body.hand


def search_keys(event: Event) -> tuple[str | None, ...]:
    """Return the search columns of an event: roller key and source."""
    source = event.body.source if isinstance(event.body, Rolled) else None
    return event.roller.casefold(), source.value if source else None


def write_event(event: Event, entered: Entered, process: str | None = None) -> Mapping[str, object]:
    """Return the values of an event's row; its rule is stored once, in the table of rules.

    `process` owes the reply, if there is one; the note that a history was restored is shown with a roll too.
    """
    spec = spec_of(event)
    facts = {name: value for name, value in entered.parts.what.items() if name != "spec"} if spec else {}
    person, words = map(bytes.fromhex, event.seal.kept) if event.seal.kept else (None, None)
    roller_key, source = search_keys(event)
    return {
        **{name: getattr(event, name) for name in _PLAIN},
        "kind": event.kind.value,
        "visibility": event.visibility.value,
        **{name: getattr(event.words, name, None) for name in OWN_WORDS},
        "target": event.target,
        "roller_key": roller_key,
        "source": source,
        "spec_id": spec_id(spec) if spec else None,
        "pub": entered.pub,
        "what": text_of(facts) if spec else entered.what,
        "how": entered.how,
        "leaf": event.seal.leaf,
        "who": person,
        "words": words,
        "owed": process if is_replied_to(event) or isinstance(event.body, HistoryRestored) else None,
    }


@lru_cache(maxsize=2_048)
def spec_id(body: str) -> str:
    """Return the key of a stored spec: the SHA-256 of its text, in hexadecimal digits."""
    return sha256(body.encode()).hexdigest()


def print_json(value: Json | Iterable[int]) -> str:
    """Return the value as compact JSON text."""
    return json.dumps(value, separators=(",", ":"))


def is_storable(text: str) -> bool:
    """Return whether the database can store a text: no NUL, and valid in UTF-8."""
    return "\0" not in text and text.encode(errors="replace").decode() == text


def split(hashes: bytes) -> tuple[bytes, ...]:
    """Split concatenated hashes, or secrets, of 32 bytes each."""
    return tuple(hashes[start : start + HASH_BYTES] for start in range(0, len(hashes), HASH_BYTES))


def read_ledger(row: Record, epochs: tuple[Epoch, ...] = ()) -> Ledger:
    """Return a campaign's ledger."""
    tree = Tree(row["seq"], split(row["frontier"]))
    return Ledger(row["id"], row["log"], row["secret"], tree, epochs, row["newest"], row["unasked"])


def read_epochs(row: Record) -> tuple[Epoch, ...]:
    """Return the epochs of a campaign's keys, of a row with `EPOCH_COLUMNS`."""
    text, secrets = row["known"], row["secrets"]
    return tuple(
        Epoch(secrets[index * SECRET_BYTES :][:SECRET_BYTES], keys, salts)
        for index, (keys, salts) in enumerate(read_keys(text) if text else ())
    )


def read_keys(text: str) -> list[tuple[CommittedKeys, Salts]]:
    """Return keys with their salts, as `print_keys` prints them."""
    return [
        (CommittedKeys(begun, first, message), Salts(tuple((since, salt) for since, salt in links)))
        for begun, first, message, links in json.loads(text)
    ]


def print_keys(epochs: Iterable[Epoch]) -> str:
    """Return keys with their salts as JSON text."""
    return json.dumps([[*astuple(epoch.keys), epoch.salts.links] for epoch in epochs])


def read_proof(row: Record) -> ProofMode | None:
    """Return a campaign's proof mode, of a row with `PROOF_COLUMNS`; None if it is off."""
    text = row["known"]
    if not text:
        return None
    return ProofMode(tuple(keys for keys, _ in read_keys(text)), row["host"], row["drand"])


@lru_cache(maxsize=256)
def read_rules(text: str) -> Rules:
    """Return the rules in a row's JSON text."""
    return decode_value(Rules, json.loads(text))


def read_campaign(row: Record) -> Campaign:
    """Return the settings in a row of `campaign`."""
    own, archived = row["key"].startswith("channel:"), bool(row["archived"])
    rules, evening = read_rules(row["rules"]), row["evening"]
    return Campaign(row["name"], row["home"], own=own, archived=archived, rules=rules, evening=evening)


def read_roller(row: Record) -> Roller:
    """Return the roller of a row of `ROLLERS`."""
    return Roller(row["name"], row["body"] or "", Remembers(row["memory"]), row["epoch"], row["last"])


def read_memory(text: str) -> Memory:
    """Return the memory in a row's JSON text."""
    numbers: list[int] = json.loads(text)
    return tuple(numbers)
