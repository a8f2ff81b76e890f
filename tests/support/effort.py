"""The work that commands give SQLite, counted in steps of its virtual machine: the same on every machine."""

import asyncio
import sqlite3
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from bot.campaign.command import Caller
from bot.campaign.kinds import Kind, Visibility
from bot.storage import schema
from bot.storage.queries import execute
from tests.support.table import Table

_e = schema.event.c
_ROLLS = select(_e.seq).where(
    _e.campaign_id == 1,
    _e.kind == Kind.ROLL.value,
    _e.target.is_(None),
    _e.visibility == Visibility.PUBLIC.value,
)


@dataclass(slots=True)
class Effort:
    """A count of steps on all connections that are opened from now on."""

    ticks: int = 0
    """One for every ten steps."""

    def tick(self) -> int:
        """Count ten steps, and let SQLite go on."""
        self.ticks += 1
        return 0


def counted(monkeypatch: pytest.MonkeyPatch) -> Effort:
    """Return the count of all connections that are opened until the test ends."""
    effort, connect = Effort(), sqlite3.connect

    def connected(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = connect(*args, **kwargs)
        connection.set_progress_handler(effort.tick, 10)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connected)
    return effort


async def lengthen(t: Table, rolls: int) -> None:
    """Have Mara repeat the public rolls of the first campaign, until so many more are there."""
    rows = await t.database.reader.do(execute(_ROLLS))
    seqs = [int(row[0]) for row in rows]
    for _ in range(rolls // len(seqs)):
        callers = [Caller(t.env.backend.snowflake(), t.guild.id, t.channel.id, t.mara.id) for _ in seqs]
        repeated = [t.app.rolling.repeat(caller, 1, seq) for caller, seq in zip(callers, seqs, strict=True)]
        for answer in await asyncio.gather(*repeated):
            answer.delivered()
