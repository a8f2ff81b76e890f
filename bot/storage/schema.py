"""The tables, for SQLite and PostgreSQL alike; `migrations/` makes them, and a test holds the two equal.

Numbers that Discord gives fit in 63 bits. The history (`event`) only ever grows; everything else is the
state that it leads to, except `owed`, which is about replies.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Constraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

ID = BigInteger().with_variant(Integer(), "sqlite")
"""63 bits on both engines; SQLite's strict tables know it as INTEGER."""
TEXT, BYTES = Text(), LargeBinary()


def _key(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return columns that are a table's primary key, or its last part."""
    return [Column(name, kind, primary_key=True, autoincrement=False) for name, kind in columns.items()]


def _of_campaign(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return the same behind the number of a campaign."""
    return [Column("campaign_id", ID, ForeignKey("campaign.id"), primary_key=True), *_key(**columns)]


def _filled(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return columns that are never NULL."""
    return [Column(name, kind, nullable=False) for name, kind in columns.items()]


def _optional(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return columns that may be NULL."""
    return [Column(name, kind) for name, kind in columns.items()]


def _partial(name: str, *columns: str, where: str) -> Index:
    """Return an index of those rows alone for which a condition holds."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


def _of_spec() -> Constraint:
    """Return that a row's rule is one of its campaign's."""
    return ForeignKeyConstraint(["campaign_id", "spec_id"], ["spec.campaign_id", "spec.id"])


def _table(name: str, *parts: Column[Any] | Constraint | Index, clustered: bool = False) -> Table:
    """Return a table, strict on SQLite; there its rows are in the order of its key if it is `clustered`."""
    return Table(name, metadata, *parts, sqlite_strict=True, sqlite_with_rowid=not clustered)


campaign = _table(
    "campaign",
    Column("id", ID, primary_key=True),
    Column("key", TEXT, nullable=False, unique=True),
    Column("guild_id", ID, index=True),
    Column("name", TEXT),
    *_filled(seq=ID, log=TEXT, secret=BYTES, frontier=BYTES),
    Column("home", ID, nullable=False, server_default="0"),
    Column("name_key", TEXT),
    Column("archived", ID, nullable=False, server_default="0"),
    Column("rules", TEXT, nullable=False, server_default="{}"),
    Column("evening", ID, nullable=False, server_default="0"),
    Column("newest", ID, nullable=False, server_default="0"),
    Column("unasked", ID, nullable=False, server_default="0"),
    Index("ix_campaign_home", "home", "name_key", unique=True),
)
"""A campaign and its ledger: this row is the lock, the number of events and the tree's frontier.

`log` names it for ever, and what is closed in its history hangs on `secret`.

`key` is "channel:<id>" for a channel's own campaign, which has no name unless it was given one, and
"made:<interaction>" for one that was made. `name_key` is the name casefolded, unique in a `home`. `newest` is
the youngest interaction, and `unasked` the number of events at the end that nobody asked for.
"""

channel = _table(
    "channel",
    *_key(channel_id=ID),
    Column("campaign_id", ID, ForeignKey("campaign.id"), nullable=False, index=True),
    Column("follows", ID),
    _partial("ix_channel_follows", "follows", where="follows IS NOT NULL"),
)
"""Which campaign a channel plays; a thread that chose none for itself `follows` its parent."""

master = _table(
    "master",
    *_of_campaign(kind=TEXT, id=ID),
    CheckConstraint("kind IN ('user', 'role')", name="kind"),
    Index("ix_master_id", "id"),
    clustered=True,
)
"""A campaign's game masters: people, and roles whose members are."""

saved = _table(
    "saved",
    *_of_campaign(user_id=ID, key=TEXT),
    *_filled(name=TEXT, text=TEXT),
    Index("ix_saved_user_id", "user_id"),
    clustered=True,
)
"""Rolls that players keep under a name, which is `key` casefolded."""

character = _table(
    "character",
    *_of_campaign(user_id=ID, key=TEXT),
    *_filled(name=TEXT, numbers=TEXT, used=ID),
    Index("ix_character_user_id", "user_id"),
    clustered=True,
)
"""People's characters; `key` is the name casefolded, `numbers` a JSON list of
names and what was typed for each.

The one in use is that with the greatest `used`: the interaction that chose it.
"""

server = _table("server", *_key(guild_id=ID), Column("left_at", ID))
"""Servers that the bot is on, and those that it has left, with the time in milliseconds since 1970.

`left_at` is 0 where the time is not known yet: the data goes a while after it.
"""

home = _table(
    "home", *_key(id=ID), Column("campaigns", ID), Column("rules", TEXT, nullable=False, server_default="{}")
)
"""How many campaigns a server may have, where that was set, and the rules that its campaigns begin with.

`id` is the server's number, as `home` in a campaign."""

spec = _table("spec", *_of_campaign(id=TEXT), Column("body", TEXT, nullable=False), clustered=True)
"""The rules that rolls are made with, each once: `id` is the SHA-256 of `body`, in hexadecimal digits.

They are their campaign's own, and go with it, since somebody gave their cards names.
"""

roller = _table(
    "roller",
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaign.id"), nullable=False),
    *_filled(key=TEXT, name=TEXT),
    *_optional(spec_id=TEXT),
    *_filled(memory=TEXT, epoch=ID, last=ID),
    UniqueConstraint("campaign_id", "key"),
    _of_spec(),
    CheckConstraint("memory IN ('table', 'player')", name="memory"),
)
"""A campaign's rollers; `key` is the name casefolded, and one without a spec is removed."""

memory = _table(
    "memory",
    Column("roller_id", ID, ForeignKey("roller.id"), primary_key=True),
    *_key(epoch=ID, owner_id=ID),
    Column("value", TEXT, nullable=False),
    Index("ix_memory_owner_id", "owner_id"),
    clustered=True,
)
"""What a roller remembers since an epoch, of the table (owner 0) or of a player: a JSON list of integers."""

event = _table(
    "event",
    *_of_campaign(seq=ID),
    Column("interaction_id", ID),
    Column("part", ID, nullable=False),
    Column("clock", ID),
    Column("channel_id", ID, nullable=False),
    Column("user_id", ID),
    *_filled(kind=TEXT, visibility=TEXT),
    *_optional(label=TEXT, typed=TEXT, character=TEXT, target=ID),
    Column("roller_key", TEXT, nullable=False),
    Column("source", TEXT),
    *_optional(spec_id=TEXT),
    *_filled(pub=TEXT, what=TEXT, how=TEXT, leaf=BYTES),
    *_optional(who=BYTES, words=BYTES, owed=TEXT),
    UniqueConstraint("interaction_id", "part", "campaign_id"),
    _of_spec(),
    Index("ix_event_user", "campaign_id", "user_id", "seq"),
    Index("ix_event_roller", "campaign_id", "roller_key", "seq"),
    _partial("ix_event_target", "campaign_id", "target", "kind", where="target IS NOT NULL"),
    Index("ix_event_person", "user_id", "interaction_id"),
    _partial("ix_event_clock", "clock", where="clock IS NOT NULL"),
    _partial("ix_event_session", "campaign_id", "seq", where="kind = 'session'"),
    _partial("ix_event_owed", "campaign_id", "seq", "owed", where="owed IS NOT NULL"),
    clustered=True,
)
"""The history, as `bot.campaign.events.Event` means it; `pub`, `what` and `how` are its body's parts as JSON.

`label`, `typed` and `character` are a person's words, NULL once they were erased.
`roller_key` and `source` stand in `what` too, and here to be searched for; the rule that `spec_id` names
stands here alone. `who` and `words` are the commitments to a person who was erased and to their words.
`owed` is the process that owes a reply to a roll, until that is confirmed; "" is none that runs.
"""

person = _table(
    "person",
    *_of_campaign(user_id=ID),
    Column("secret", BYTES, nullable=False),
    Column("character", TEXT, nullable=False, server_default=""),
    Index("ix_person_user_id", "user_id"),
    clustered=True,
)
"""A person's key in a campaign: whoever was erased has none any more.

`character` is the name of the one in use, here so that a roll finds it without a question more.
"""

epoch = _table(
    "epoch",
    *_of_campaign(),
    *_filled(seq=ID, first=ID),
    Column("message", ID),
    *_filled(secrets=BYTES, known=TEXT),
    Column("host", ID, index=True),
    Column("drand", ID),
)
"""A campaign's proof mode: the number of its newest commit, of the event with the first of its keys, and the
message that showed them; the secrets, 32 bytes each, for the writer alone; `known`, all keys with their
salts as JSON; who hosts the bot, if others throw for them; drand's round that is awaited, 0 once it came."""

keyhash = _table("keyhash", *_of_campaign(seq=ID), Column("hashes", BYTES, nullable=False))
"""The hashes of all keys that a commit binds, 32 bytes each; anybody may have them."""

tile = _table(
    "tile", *_of_campaign(level=ID, place=ID), Column("hash", BYTES, nullable=False), clustered=True
)
"""Hashes of a campaign's tree above the leaves: each stands for 256 of the level below it."""

erasure = _table(
    "erasure", *_key(user_id=ID), *_filled(interaction_id=ID), *_optional(campaign_id=ID), *_filled(events=ID)
)
"""People who are being erased, the campaign at hand, and how many of its events they were taken out of."""

board = _table(
    "board",
    *_of_campaign(seq=ID),
    Column("channel_id", ID, nullable=False),
    Column("message_id", ID),
    Column("further", TEXT, nullable=False, server_default="[]"),
    *_optional(remind=ID, due=ID),
    Column("turn", TEXT, nullable=False, server_default="[]"),
    Column("notes", TEXT, nullable=False, server_default="[]"),
    Column("language", TEXT, nullable=False, server_default=""),
    _partial("ix_board_due", "due", where="due IS NOT NULL"),
    clustered=True,
)
"""Where the message of a call is, which is the event of that number.

`further` are the messages that go on with a board that is too long for one, as a JSON list of their ids.
`remind` and `due`, in milliseconds since 1970, are when those who are missing are reminded and when the call
closes, until it is done. `turn` is whose turn an initiative has come to, as JSON: none yet, or the
fields of `bot.campaign.turns.Turn`. `notes` is what game masters noted beside its entries, as a JSON list of
event, place and text. `language` is the code of the language that the message was made in; "" is English.
"""

seat = _table(
    "seat",
    *_key(campaign_id=ID, seq=ID, user_id=ID),
    Index("ix_seat_user_id", "user_id"),
    ForeignKeyConstraint(["campaign_id", "seq"], ["board.campaign_id", "board.seq"]),
    clustered=True,
)
"""Players who were named in a call: apart from the history, so that they can be erased."""

hand = _table(
    "hand", *_of_campaign(seq=ID), Column("user_id", ID, nullable=False, index=True), clustered=True
)
"""Cards in hands, by the numbers of the events that drew them."""

turn = _table("turn", *_key(name=TEXT), *_filled(next_at=ID, failures=ID), clustered=True)
"""Things that one process at a time may do, and when each may be done next, in ms since 1970."""

tally = _table(
    "tally",
    *_key(campaign_id=ID, user_id=ID, die=TEXT, face=TEXT),
    Column("n", ID, nullable=False),
    Index("ix_tally_user_id", "user_id"),
    clustered=True,
)
"""How often each face of each die came out for a player (0 is everybody who was erased)."""

evidence = _table(
    "evidence",
    *_of_campaign(user_id=ID, die=TEXT),
    *_filled(upto=ID, state=TEXT),
    Index("ix_evidence_user_id", "user_id"),
    clustered=True,
)
"""How the bets of /rigged against a player's dice, or everybody's (0), stand after the event `upto`.

`state` is a `bot.stats.processes.BetState` as JSON. The row of no die ("") says how far all others are.
"""

OF_CAMPAIGNS = tuple(
    table
    for table in metadata.sorted_tables
    if table is memory or ("campaign_id" in table.c and table is not erasure)
)
"""All tables of what a campaign has, each behind those that its rows hang on."""
