"""The tables for SQLite and PostgreSQL; `migrations/` creates them, and a test keeps the two equal.

Discord's ids fit in 63 bits. The history (`event`) is append-only; most other tables hold state that follows
from it, and `owed` is about replies.
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
"""63 bits on both engines; SQLite's strict tables call it INTEGER."""
TEXT, BYTES = Text(), LargeBinary()


def _key_columns(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return the columns of a primary key, or of its last part."""
    return [Column(name, kind, primary_key=True, autoincrement=False) for name, kind in columns.items()]


def _campaign_key(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return the columns of a primary key that begins with a campaign's id."""
    return [Column("campaign_id", ID, ForeignKey("campaign.id"), primary_key=True), *_key_columns(**columns)]


def _required(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return columns that can't be NULL."""
    return [Column(name, kind, nullable=False) for name, kind in columns.items()]


def _optional(**columns: TypeEngine[Any]) -> list[Column[Any]]:
    """Return columns that may be NULL."""
    return [Column(name, kind) for name, kind in columns.items()]


def _partial_index(name: str, *columns: str, where: str) -> Index:
    """Return an index of only the rows that meet a condition."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


def _spec_constraint() -> Constraint:
    """Return the constraint that a row's rule belongs to its campaign."""
    return ForeignKeyConstraint(["campaign_id", "spec_id"], ["spec.campaign_id", "spec.id"])


def _table(
    name: str, *parts: Column[Any] | Constraint | Index, clustered: bool = False, new_ids: bool = False
) -> Table:
    """Return a table; on SQLite it is strict, and stored in the order of its key if `clustered`.

    If `new_ids`, no row ever gets the id of a deleted one, as on PostgreSQL.
    """
    return Table(
        name,
        metadata,
        *parts,
        sqlite_strict=True,
        sqlite_with_rowid=not clustered,
        sqlite_autoincrement=new_ids,
    )


campaign = _table(
    "campaign",
    Column("id", ID, primary_key=True),
    Column("key", TEXT, nullable=False, unique=True),
    Column("guild_id", ID, index=True),
    Column("name", TEXT),
    *_required(seq=ID, log=TEXT, secret=BYTES, frontier=BYTES),
    Column("home", ID, nullable=False, server_default="0"),
    Column("name_key", TEXT),
    Column("archived", ID, nullable=False, server_default="0"),
    Column("rules", TEXT, nullable=False, server_default="{}"),
    Column("evening", ID, nullable=False, server_default="0"),
    Column("newest", ID, nullable=False, server_default="0"),
    Column("unasked", ID, nullable=False, server_default="0"),
    Index("ix_campaign_home", "home", "name_key", unique=True),
    new_ids=True,
)
"""A campaign and its ledger: this row is the lock, the number of events and the tree's frontier.

No later one gets the `id` of a deleted one, which buttons of old messages still name.

`log` identifies it for ever, and the commitments in its history are keyed by `secret`.

`key` is "channel:<id>" for a channel's own campaign, which is unnamed at first, and "made:<interaction>" for
any other. `name_key` is the casefolded name, unique in a `home`. `newest` is the youngest interaction, and
`unasked` the number of events at the end without an interaction.
"""

channel = _table(
    "channel",
    *_key_columns(channel_id=ID),
    Column("campaign_id", ID, ForeignKey("campaign.id"), nullable=False, index=True),
    Column("follows", ID),
    _partial_index("ix_channel_follows", "follows", where="follows IS NOT NULL"),
)
"""The campaign that each channel plays; a thread without a chosen one `follows` its parent."""

master = _table(
    "master",
    *_campaign_key(kind=TEXT, id=ID),
    CheckConstraint("kind IN ('user', 'role')", name="kind"),
    Index("ix_master_id", "id"),
    clustered=True,
)
"""A campaign's game masters: users, and roles whose members are game masters."""

saved = _table(
    "saved",
    *_campaign_key(user_id=ID, key=TEXT),
    *_required(name=TEXT, text=TEXT),
    Index("ix_saved_user_id", "user_id"),
    clustered=True,
)
"""Players' saved rolls; `key` is the casefolded name."""

character = _table(
    "character",
    *_campaign_key(user_id=ID, key=TEXT),
    *_required(name=TEXT, numbers=TEXT, used=ID),
    Index("ix_character_user_id", "user_id"),
    clustered=True,
)
"""People's characters; `key` is the casefolded name, `numbers` a JSON list of names and typed values.

The one in use has the greatest `used`, the interaction that chose it.
"""

server = _table("server", *_key_columns(guild_id=ID), Column("left_at", ID))
"""Servers that the bot is on or has left.

`left_at` is NULL if it is on the server, else the time of leaving in ms since 1970, after which the data is
deleted a while later; 0 if that time is not known yet.
"""

home = _table(
    "home",
    *_key_columns(id=ID),
    Column("campaigns", ID),
    Column("rules", TEXT, nullable=False, server_default="{}"),
)
"""A server's limit of campaigns, if one was set, and the default rules of its new campaigns.

`id` is the same as `home` of a campaign.
"""

spec = _table("spec", *_campaign_key(id=TEXT), Column("body", TEXT, nullable=False), clustered=True)
"""The rules of rolls, each once per campaign; `id` is the SHA-256 of `body` in hexadecimal digits.

Not shared between campaigns, so that they are deleted with one: they contain cards' names by people.
"""

roller = _table(
    "roller",
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaign.id"), nullable=False),
    *_required(key=TEXT, name=TEXT),
    *_optional(spec_id=TEXT),
    *_required(memory=TEXT, epoch=ID, last=ID),
    UniqueConstraint("campaign_id", "key"),
    _spec_constraint(),
    CheckConstraint("memory IN ('table', 'player')", name="memory"),
)
"""A campaign's rollers; `key` is the casefolded name. A removed one has no spec."""

memory = _table(
    "memory",
    Column("roller_id", ID, ForeignKey("roller.id"), primary_key=True),
    *_key_columns(epoch=ID, owner_id=ID),
    Column("value", TEXT, nullable=False),
    Index("ix_memory_owner_id", "owner_id"),
    clustered=True,
)
"""A roller's memory since an epoch, of the table (owner 0) or a player; `value` is a JSON list of ints."""

event = _table(
    "event",
    *_campaign_key(seq=ID),
    Column("interaction_id", ID),
    Column("part", ID, nullable=False),
    Column("clock", ID),
    Column("channel_id", ID, nullable=False),
    Column("user_id", ID),
    *_required(kind=TEXT, visibility=TEXT),
    *_optional(label=TEXT, typed=TEXT, character=TEXT, target=ID),
    Column("roller_key", TEXT, nullable=False),
    Column("source", TEXT),
    *_optional(spec_id=TEXT),
    *_required(pub=TEXT, what=TEXT, how=TEXT, leaf=BYTES),
    *_optional(who=BYTES, words=BYTES, owed=TEXT),
    UniqueConstraint("interaction_id", "part", "campaign_id"),
    _spec_constraint(),
    Index("ix_event_user", "campaign_id", "user_id", "seq"),
    Index("ix_event_roller", "campaign_id", "roller_key", "seq"),
    _partial_index("ix_event_target", "campaign_id", "target", "kind", where="target IS NOT NULL"),
    Index("ix_event_person", "user_id", "interaction_id"),
    _partial_index("ix_event_clock", "clock", where="clock IS NOT NULL"),
    _partial_index("ix_event_session", "campaign_id", "seq", where="kind = 'session'"),
    _partial_index("ix_event_owed", "campaign_id", "seq", "owed", where="owed IS NOT NULL"),
    _partial_index("ix_event_hidden", "campaign_id", "roller_key", "seq", where="visibility <> 'public'"),
    _partial_index(
        "ix_event_forgets", "campaign_id", "roller_key", "seq", where="kind IN ('reset', 'remove', 'restart')"
    ),
    clustered=True,
)
"""The history: rows of `bot.campaign.events.Event`; `pub`, `what` and `how` are its body's parts as JSON.

`label`, `typed` and `character` are a person's words, NULL once they were erased. `roller_key` and `source`
repeat values of `what` for searching; the rule is not repeated in `what`, only referenced by `spec_id`. `who`
and `words` are the commitments to an erased person and their words. `owed` is the process that owes a reply
to a roll, NULL once that is confirmed; "" is no running process.
"""

person = _table(
    "person",
    *_campaign_key(user_id=ID),
    Column("secret", BYTES, nullable=False),
    Column("character", TEXT, nullable=False, server_default=""),
    Index("ix_person_user_id", "user_id"),
    clustered=True,
)
"""A person's key in a campaign, deleted with the person.

`character` is the name of the character in use, repeated here so that a roll needs no further query.
"""

epoch = _table(
    "epoch",
    *_campaign_key(),
    *_required(seq=ID, first=ID),
    Column("message", ID),
    *_required(secrets=BYTES, known=TEXT),
    Column("host", ID, index=True),
    Column("drand", ID),
)
"""A campaign's proof mode.

`seq` is the number of its newest commit, `first` that of the event with the first of its keys, and `message`
the message that showed them. `secrets` are 32 bytes each, for the writer only; `known` is all keys with their
salts as JSON. `host` is the host of the bot, if others throw for them; `drand` is the awaited round, 0 once
it was received.
"""

keyhash = _table("keyhash", *_campaign_key(seq=ID), Column("hashes", BYTES, nullable=False))
"""The hashes of all keys of a commit, 32 bytes each; they are public."""

tile = _table(
    "tile", *_campaign_key(level=ID, place=ID), Column("hash", BYTES, nullable=False), clustered=True
)
"""Hashes of a campaign's tree above the leaves, each over 256 hashes of the level below."""

erasure = _table(
    "erasure",
    *_key_columns(user_id=ID),
    *_required(interaction_id=ID),
    *_optional(campaign_id=ID),
    *_required(events=ID),
)
"""People who are being erased, the current campaign, and the number of its events done so far."""

board = _table(
    "board",
    *_campaign_key(seq=ID),
    Column("channel_id", ID, nullable=False),
    Column("message_id", ID),
    Column("further", TEXT, nullable=False, server_default="[]"),
    *_optional(remind=ID, due=ID),
    Column("turn", TEXT, nullable=False, server_default="[]"),
    Column("notes", TEXT, nullable=False, server_default="[]"),
    Column("language", TEXT, nullable=False, server_default=""),
    _partial_index("ix_board_due", "due", where="due IS NOT NULL"),
    clustered=True,
)
"""The message that shows a call, the event number `seq`.

`further` is a JSON list of the ids of further messages, for a board too long for one. `remind` and `due` are
the times, in ms since 1970, at which missing players are reminded and the call closes; NULL once done. `turn`
is the current turn of an initiative: the fields of `bot.campaign.turns.Turn` as JSON, [] before the first.
`notes` are game masters' notes beside its entries, as a JSON list of event, place and text. `language` is the
code of the message's language; "" is English.
"""

seat = _table(
    "seat",
    *_key_columns(campaign_id=ID, seq=ID, user_id=ID),
    Index("ix_seat_user_id", "user_id"),
    ForeignKeyConstraint(["campaign_id", "seq"], ["board.campaign_id", "board.seq"]),
    clustered=True,
)
"""Players named in a call; kept apart from the history, so that they can be erased."""

hand = _table(
    "hand", *_campaign_key(seq=ID), Column("user_id", ID, nullable=False, index=True), clustered=True
)
"""Cards in hands; `seq` is the event that drew the card."""

turn = _table("turn", *_key_columns(name=TEXT), *_required(next_at=ID, failures=ID), clustered=True)
"""Rate limits shared by all processes; `next_at` is the next allowed time in ms since 1970."""

tally = _table(
    "tally",
    *_key_columns(campaign_id=ID, user_id=ID, die=TEXT, face=TEXT),
    Column("n", ID, nullable=False),
    Index("ix_tally_user_id", "user_id"),
    clustered=True,
)
"""Number of times each face of a die came up for a player (0: all erased people)."""

evidence = _table(
    "evidence",
    *_campaign_key(user_id=ID, die=TEXT),
    *_required(upto=ID, state=TEXT),
    Index("ix_evidence_user_id", "user_id"),
    clustered=True,
)
"""State of the bets of /rigged against a player's dice, or everybody's (0), after the event `upto`.

`state` is a `bot.stats.processes.BetState` as JSON. The row with the die "" holds `upto` for all others.
"""

OF_CAMPAIGNS = tuple(
    table
    for table in metadata.sorted_tables
    if table is memory or ("campaign_id" in table.c and table is not erasure)
)
"""All tables with a campaign's rows, in the order of their foreign keys."""
