"""Events as rows of the table and back, and the statement that reads them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import cast

from sqlalchemy import ColumnElement, select

from bot.campaign.events import Event, Kind, Visibility
from bot.dice.bases import Json
from bot.dice.labels import Label
from bot.storage import schema
from bot.storage.asking import Record

_other = schema.event.alias("other")


@dataclass(frozen=True, slots=True)
class Row:
    """An event, and what later events did to it."""

    event: Event
    undone: bool
    revealed: bool
    """Whether everybody may see it, though it was hidden: it was revealed, or the call that it answers."""

    @property
    def counts(self) -> bool:
        """Whether it is a roll that stands and that everybody may see."""
        shown = self.revealed or self.event.visibility is Visibility.PUBLIC
        return self.event.kind is Kind.ROLL and shown and not self.undone


EVENTS = select(*schema.event.c, schema.spec.c.body).select_from(schema.event.outerjoin(schema.spec))
"""Whole events, for `read_event`."""


def _later(target: ColumnElement[int | None], kind: Kind) -> ColumnElement[bool]:
    """Whether there is an event of that kind about a number.

    It reads nothing but what the index of targets holds: for a column more, SQLite would rather read the
    whole campaign than that index.
    """
    return (
        select(_other.c.seq)
        .where(
            _other.c.campaign_id == schema.event.c.campaign_id,
            _other.c.target == target,
            _other.c.kind == kind,
        )
        .correlate(schema.event)
        .exists()
    )


_by_its_call = (schema.event.c.kind == Kind.ROLL) & _later(schema.event.c.target, Kind.REVEAL)
ROWS = EVENTS.add_columns(
    _later(schema.event.c.seq, Kind.UNDO).label("undone"),
    (_later(schema.event.c.seq, Kind.REVEAL) | _by_its_call).label("revealed"),
)
"""The same with what later events did to them, for `read_row`."""


def read_event(row: Record) -> Event:
    """The event of a row that `EVENTS` or `ROWS` gave."""
    return Event(
        campaign_id=row["campaign_id"],
        seq=row["seq"],
        interaction_id=row["interaction_id"],
        channel_id=row["channel_id"],
        user_id=row["user_id"],
        kind=Kind(row["kind"]),
        roller=row["roller"],
        text=row["text"],
        visibility=Visibility(row["visibility"]),
        label=row["label"],
        source=Label(row["source"]) if row["source"] else None,
        results=tuple(cast("list[str]", json.loads(row["results"]))),
        spec=row["body"] or "",
        target=row["target"],
        detail=cast("dict[str, Json]", json.loads(row["detail"])),
        salt=row["salt"],
        person=row["person"],
        head=row["head"],
    )


def read_row(row: Record) -> Row:
    """The row that `ROWS` gave."""
    return Row(read_event(row), undone=bool(row["undone"]), revealed=bool(row["revealed"]))


def write_event(event: Event) -> Mapping[str, object]:
    """The values of an event's row."""
    return {
        "campaign_id": event.campaign_id,
        "seq": event.seq,
        "interaction_id": event.interaction_id,
        "channel_id": event.channel_id,
        "user_id": event.user_id,
        "kind": event.kind.value,
        "roller": event.roller,
        "roller_key": event.roller.casefold(),
        "text": event.text,
        "visibility": event.visibility.value,
        "label": event.label,
        "source": event.source.value if event.source else None,
        "results": print_json(event.results),
        "spec_id": spec_id(event.spec) if event.spec else None,
        "target": event.target,
        "detail": print_json(event.detail),
        "salt": event.salt,
        "person": event.person,
        "head": event.head,
    }


@lru_cache(maxsize=2_048)
def spec_id(body: str) -> str:
    """What a spec is stored under: the SHA-256 of its text, in hexadecimal digits."""
    return sha256(body.encode()).hexdigest()


def print_json(value: Mapping[str, Json] | Iterable[str | int]) -> str:
    """The value as JSON text, as short as it can be."""
    return json.dumps(value, separators=(",", ":"))


def is_storable(text: str) -> bool:
    """Whether the database can hold a text: no NUL, and nothing that UTF-8 can't say."""
    return "\0" not in text and text.encode(errors="replace").decode() == text
