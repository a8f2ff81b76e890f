"""SQLite reads what follows a call by an index, not the whole history."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from bot.storage import boards, loading
from bot.storage.engine import open_database
from bot.storage.queries import Query, Values, compile_query
from tests.support.databases import sqlite_url

_DIALECT = sqlite.dialect(paramstyle="qmark")
_TWO = {"targets": [(1, 2), (1, 3)]}


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        (loading.FOLLOWING, {"targets": [(1, 2)]}),
        (loading.FOLLOWING, _TWO),
        (loading.OWN, {**_TWO, "users": [5, 6, 7]}),
        (boards.WITH_FOLLOWING, {"campaign": 1, "number": 2}),
    ],
)
async def test_what_follows_a_call_is_found_by_an_index(
    tmp_path: Path, statement: Executable, parameters: Values
) -> None:
    """The plan of an empty file, and so of every other, looks targets up."""
    async with open_database(url := sqlite_url(tmp_path)):
        pass
    file = url.removeprefix("sqlite:///")
    sql, (values,) = compile_query(_DIALECT, Query(statement, parameters))
    plan = [row[3] for row in sqlite3.connect(file).execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    found = [step for step in plan if step.startswith(("SEARCH event", "SCAN event"))]

    assert found[0] == "SEARCH event USING PRIMARY KEY (campaign_id=? AND seq=?)"
    assert found[1] == "SEARCH event USING INDEX ix_event_target (campaign_id=? AND target=?)"
