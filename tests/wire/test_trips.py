"""What is for game masters is asked of the database in one trip: who may is decided in it."""

from typing import TypeVar

import pytest

from bot.storage import schema
from bot.storage.queries import Connection, Queries, Query
from tests.support.groups import call
from tests.support.table import Table

_T = TypeVar("_T")
COMMANDS: dict[str, dict[str, object]] = {
    "roller fair": {"name": "Luck", "dice": "2d6"},
    "roller undo": {"name": "Luck"},
    "roller deck": {"name": "Deck"},
    "roller remove": {"name": "Deck"},
    "game use": {"game": "fate"},
    "game stop": {},
    "campaign rename": {"new": "Hall"},
    "campaign dialect": {"program": "roll20"},
    "campaign gm remove": {},
    "group npc": {"dice": "1d20", "count": 2},
    "check": {"dice": "1d20", "dc": 10},
}
"""Commands, each with its options, that read nothing before they write."""


class Counted:
    """A connection that counts what it is asked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.trips = 0

    async def do(self, queries: Queries[_T]) -> _T:
        """As the connection's."""
        self.trips += 1
        return await self._connection.do(queries)


def listens(t: Table) -> Counted:
    """Count what the bot asks its database from now on."""
    reader = t.app._store.reader
    reader._connection = counted = Counted(reader._connection)
    return counted


async def test_a_game_masters_command_is_one_trip(t: Table) -> None:
    """Bob, who is named, has all of them done with nothing read before; and so is a reset confirmed."""
    await t.says(t.mara, "campaign create", name="Keep")
    for who in (t.bob, t.ann):
        await t.says(t.mara, "campaign gm add", who=who)
    counted = listens(t)
    trips: dict[str, int] = {}
    for name, options in COMMANDS.items():
        # A roll brings the channel's rules with it, which a change of the game has the bot forget.
        await t.says(t.bob, "roll", dice="1d6")
        before = counted.trips
        more = {"who": t.ann} if name == "campaign gm remove" else {}
        await t.says(t.bob, name, **options, **more)
        trips[name] = counted.trips - before
    await t.says(t.bob, "roller fair", name="Luck", dice="2d6")
    asked = await t.slash(t.bob, "roller reset", name="Luck")
    before = counted.trips
    await t.press(asked, "Reset it", t.bob)

    assert trips == dict.fromkeys(COMMANDS, 0)
    assert counted.trips == before


@pytest.mark.parametrize(("dice", "trips"), [("2d6", 0), ("Luck", 0), ("Sneak+2", 1), ("Luck + Sneak", 1)])
async def test_names_are_looked_up_once_and_only_where_there_are_some(
    t: Table, dice: str, trips: int
) -> None:
    """Plain dice, and a roller by its name, take no trip but the one that rolls."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.whispers(t.ann, "save", name="Sneak", dice="1d20+7")
    counted = listens(t)
    await t.says(t.ann, "roll", dice=dice)

    assert counted.trips == trips


async def test_to_lead_a_call_is_one_trip_and_the_board(t: Table) -> None:
    """What is read comes behind the closing: how the call stands, for the panel and the message."""
    called = await call(t)
    panel = await t.press(called, "GM…", t.mara)
    counted = listens(t)
    await t.press(panel, "Close", t.mara)

    assert counted.trips == 3


class Overheard(Counted):
    """A connection that writes down what it is asked."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.asked: list[str] = []

    async def do(self, queries: Queries[_T]) -> _T:
        """As the connection's."""
        return await super().do(self._noting(queries))

    def _noting(self, queries: Queries[_T]) -> Queries[_T]:
        query = next(queries)
        while True:
            self.asked += [str(query.statement)] if isinstance(query, Query) else []
            rows = yield query
            try:
                query = queries.send(rows)
            except StopIteration as end:
                return end.value


async def test_verifying_asks_for_no_rights(t: Table) -> None:
    """Everybody may; so nobody is looked up among the game masters."""
    await t.says(t.mara, "campaign create", name="Keep")
    reader = t.app._store.reports
    reader._connection = overheard = Overheard(reader._connection)
    await t.slash(t.bob, "verify")

    assert overheard.asked != []
    assert [query for query in overheard.asked if f"FROM {schema.master.name}" in query] == []
