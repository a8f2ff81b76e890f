"""Rows of the database as values, and events as rows; the columns and statements that such rows come from."""

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
from bot.record.codec import PARTS, Parts, decode, decode_value
from bot.record.hashing import HASH_BYTES, Keyring, Tree, text_of
from bot.record.ledger import Entered, Ledger, read_pub, without_person
from bot.record.proof_mode import SECRET_BYTES, Epoch, Salts
from bot.storage import schema
from bot.storage.queries import Record
from bot.times import DISCORD_EPOCH, INSTANCE_BITS

_e = schema.event.c

LARGEST_ID = 2**63 - 1
"""The largest number that the database holds."""
_other = schema.event.alias("other")

_PLAIN = ("campaign_id", "seq", "interaction_id", "part", "clock", "channel_id", "user_id")
"""The columns that say the same as the parts of an event of these names."""
OWN_WORDS = ("label", "typed", "character")
"""The columns of a person's words."""
WithSpec: TypeAlias = Rolled | RollerMade | RegisterReset
"""Bodies that hold a rule."""
_epoch = schema.epoch.c
OF_PROOF = (
    _epoch.known.label("epoch_known"),
    _epoch.host.label("epoch_host"),
    _epoch.drand.label("epoch_drand"),
)
OF_CAMPAIGN = (*OF_PROOF, _epoch.secrets.label("epoch_secrets"))
"""The columns that `read_epochs` reads, and with the first three `read_proof`."""
ROLLERS = select(*schema.roller.c, schema.spec.c.body).select_from(schema.roller.outerjoin(schema.spec))
"""Whole rollers, for `read_roller`."""
EVENTS = select(*schema.event.c, schema.spec.c.body).select_from(schema.event.outerjoin(schema.spec))
"""Whole events, for `read_event`."""
MOMENT = func.coalesce(_e.interaction_id, (_e.clock - DISCORD_EPOCH) * (1 << INSTANCE_BITS))
"""When an event happened, in the form of one of Discord's ids also where nobody asked."""
GONE = "gone:"
"""What the key of a campaign begins with that is being deleted."""
IN_USE = schema.campaign.c.key.not_like(f"{GONE}%")
"""Whether a campaign is not being deleted."""
_CAMPAIGN = bindparam("campaign", type_=schema.ID)
LEAVING = exists().where(schema.erasure.c.user_id == _e.user_id).correlate(schema.event)
"""Whether an event's person is being erased."""


def of_campaign(table: Table, campaign: int | BindParameter[int] = _CAMPAIGN) -> ColumnElement[bool]:
    """Return what holds for a campaign's rows of a table: by itself of the parameter `campaign`."""
    if table is schema.memory:
        ours = select(schema.roller.c.id).where(schema.roller.c.campaign_id == campaign)
        return table.c.roller_id.in_(ours)
    if table is schema.campaign:
        return (table.c.id == campaign) & IN_USE
    return table.c.campaign_id == campaign


def of_user(table: Table) -> ColumnElement[bool]:
    """Return what holds for the rows of a table that are of the person in the parameter `user`."""
    return table.c.user_id == bindparam("user")


HAS_LEFT = schema.server.c.guild_id.in_(bindparam("guilds")) & schema.server.c.left_at.is_not(None)
"""What holds for the rows of those servers in the parameter `guilds` that the bot has left."""
IS_MASTER = (schema.master.c.id == bindparam("user")) & (schema.master.c.kind == MasterKind.USER.value)
"""What holds for the rows that name the person in the parameter `user` as a game master."""


class PersonAt(NamedTuple):
    """Where a person's key is found."""

    campaign_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Row:
    """An event, and what later events did to it."""

    event: Event
    undone: bool
    revealed: bool
    """Whether everybody may see it, though it was hidden: it was revealed or played, or its call revealed."""
    leaving: bool = False
    """Whether its person is being erased."""
    found_by: tuple[str | None, ...] = field(default=(), compare=False)
    """The columns beside it that it is searched for by: its roller's key, and its source."""

    @property
    def told(self) -> Event:
        """Return the event as it is shown: who is being erased is nobody from the first moment on."""
        return replace(self.event, user_id=None, words=None) if self.leaving else self.event

    def bound(self, keys: Keyring) -> Event:
        """Return the event as it is shown, with what binds its leaf: so it is audited and exported."""
        return without_person(self.event, keys.keys(self.event.user_id)) if self.leaving else self.event

    @property
    def stands(self) -> bool:
        """Return whether it is a roll that was not undone."""
        return isinstance(self.event.body, Rolled) and not self.undone

    @property
    def counts(self) -> bool:
        """Return whether it is a roll that stands and that everybody may see."""
        return self.stands and (self.revealed or self.event.visibility is Visibility.PUBLIC)


_upto = bindparam("as_of", LARGEST_ID, schema.ID)
"""The number of the last event that is known of: the newest one, unless it is given."""


def _later(target: ColumnElement[int | None], kind: Kind) -> ColumnElement[bool]:
    """Return whether there is an event of that kind about a number.

    It reads nothing but what the index of targets holds: for a column more, SQLite would rather read the
    whole campaign than that index.
    """
    about = (_other.c.campaign_id == _e.campaign_id) & (_other.c.target == target) & (_other.c.kind == kind)
    return select(_other.c.seq).where(about, _other.c.seq <= _upto).correlate(schema.event).exists()


_by_its_call = (_e.kind == Kind.ROLL) & _later(_e.target, Kind.REVEAL)
ROWS = EVENTS.add_columns(
    _later(_e.seq, Kind.UNDO).label("undone"),
    (_later(_e.seq, Kind.REVEAL) | _later(_e.seq, Kind.PLAY) | _by_its_call).label("revealed"),
    LEAVING.label("leaving"),
)
"""The same with what later events did to them, for `read_row`."""


def read_event(row: Record) -> Event:
    """Return the event of a row that `EVENTS` or `ROWS` gave."""
    said, what, how = (_fields(row[part]) for part in PARTS)
    log, pub = read_pub(row["seq"], said)
    if row["body"]:
        what["spec"] = row["body"]
    return Event(
        **{name: row[name] for name in _PLAIN},
        words=None if row["label"] is None else Words(*(row[name] for name in OWN_WORDS)),
        visibility=Visibility(row["visibility"]),
        body=decode(Kind(row["kind"]), row["target"], Parts(pub, what, how)),
        log=log,
        seal=Seal(row["leaf"], (row["who"].hex(), row["words"].hex()) if row["who"] else None),
    )


def _fields(text: str) -> dict[str, Json]:
    return json.loads(text)


def read_row(row: Record) -> Row:
    """Return the row that `ROWS` gave."""
    became = (bool(row[name]) for name in ("undone", "revealed", "leaving"))
    return Row(read_event(row), *became, found_by=(row["roller_key"], row["source"]))


def spec_of(event: Event) -> str:
    """Return the rule that an event holds, as canonical JSON text; "" for none."""
    return event.body.spec if isinstance(event.body, WithSpec) else ""


def is_replied_to(event: Event) -> bool:
    """Return whether it is a roll with a reply of its own: a call shows its rolls, and /hand what is held."""
    return isinstance(event.body, Rolled) and event.target is None and not event.body.hand


def found_by(event: Event) -> tuple[str | None, ...]:
    """Return what an event is searched for by: its roller's key, and its source."""
    source = event.body.source if isinstance(event.body, Rolled) else None
    return event.roller.casefold(), source.value if source else None


def write_event(event: Event, entered: Entered, process: str | None = None) -> Mapping[str, object]:
    """Return the values of an event's row; a rule is kept once, in the table of rules.

    `process` owes the reply, if there is one; that a history was put back stands under the next roll too.
    """
    spec = spec_of(event)
    without = {name: value for name, value in entered.parts.what.items() if name != "spec"} if spec else {}
    who, words = map(bytes.fromhex, event.seal.kept) if event.seal.kept else (None, None)
    roller_key, source = found_by(event)
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
        "what": text_of(without) if spec else entered.what,
        "how": entered.how,
        "leaf": event.seal.leaf,
        "who": who,
        "words": words,
        "owed": process if is_replied_to(event) or isinstance(event.body, HistoryRestored) else None,
    }


@lru_cache(maxsize=2_048)
def spec_id(body: str) -> str:
    """Return what a spec is stored under: the SHA-256 of its text, in hexadecimal digits."""
    return sha256(body.encode()).hexdigest()


def print_json(value: Json | Iterable[int]) -> str:
    """Return the value as JSON text, as short as it can be."""
    return json.dumps(value, separators=(",", ":"))


def is_storable(text: str) -> bool:
    """Return whether the database can hold a text: no NUL, and nothing that UTF-8 can't say."""
    return "\0" not in text and text.encode(errors="replace").decode() == text


def split(hashes: bytes) -> tuple[bytes, ...]:
    """Return hashes, or secrets, of 32 bytes each that stand one after the other."""
    return tuple(hashes[place : place + HASH_BYTES] for place in range(0, len(hashes), HASH_BYTES))


def read_ledger(row: Record, epochs: tuple[Epoch, ...] = ()) -> Ledger:
    """Return a campaign's ledger."""
    tree = Tree(row["seq"], split(row["frontier"]))
    return Ledger(row["id"], row["log"], row["secret"], tree, epochs, row["newest"], row["unasked"])


def read_epochs(row: Record) -> tuple[Epoch, ...]:
    """Return where a campaign's keys come from, of a row with `OF_CAMPAIGN`."""
    said, secrets = row["epoch_known"], row["epoch_secrets"]
    return tuple(
        Epoch(secrets[place * SECRET_BYTES :][:SECRET_BYTES], keys, salts)
        for place, (keys, salts) in enumerate(read_keys(said) if said else ())
    )


def read_keys(said: str) -> list[tuple[CommittedKeys, Salts]]:
    """Return keys with their salts, as `print_keys` writes them."""
    return [
        (CommittedKeys(begun, first, message), Salts(tuple((since, salt) for since, salt in links)))
        for begun, first, message, links in json.loads(said)
    ]


def print_keys(epochs: Iterable[Epoch]) -> str:
    """Write keys with their salts as JSON."""
    return json.dumps([[*astuple(one.keys), one.salts.links] for one in epochs])


def read_proof(row: Record) -> ProofMode | None:
    """Return a campaign's proof mode, of a row with `OF_PROOF`; None where it is not on."""
    said = row["epoch_known"]
    if not said:
        return None
    return ProofMode(tuple(keys for keys, _ in read_keys(said)), row["epoch_host"], row["epoch_drand"])


@lru_cache(maxsize=256)
def read_rules(text: str) -> Rules:
    """Return the rules of a row's JSON."""
    return decode_value(Rules, json.loads(text))


def read_campaign(row: Record) -> Campaign:
    """Return what a row of `campaign` says to people."""
    own, archived = row["key"].startswith("channel:"), bool(row["archived"])
    rules, evening = read_rules(row["rules"]), row["evening"]
    return Campaign(row["name"], row["home"], own=own, archived=archived, rules=rules, evening=evening)


def read_roller(row: Record) -> Roller:
    """Return the roller of a row that `ROLLERS` gave."""
    return Roller(row["name"], row["body"] or "", Remembers(row["memory"]), row["epoch"], row["last"])


def read_memory(text: str) -> Memory:
    """Return the memory that a row holds."""
    numbers: list[int] = json.loads(text)
    return tuple(numbers)
