import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.campaign.command import RollOptions
from bot.campaign.histories import Filter
from bot.campaign.kinds import Visibility
from bot.campaign.replay import plain_tosses
from bot.campaign.rolls import ReadAs, RollDice
from bot.dice.errors import DiceError, Unavailable
from bot.storage import reading, schema
from bot.storage.engine import open_database, transact
from bot.storage.evidence import StoredBets, load_bets, store_bets
from bot.storage.queries import execute, inserting
from bot.storage.saving import ADD_COUNTS
from bot.storage.schema import metadata
from bot.words.games import shipped
from tests.storage.asking import Storage, audited, caller, opened
from tests.support.databases import sqlite_url
from tests.support.kept import BACKUP, unpack


def differences(connection: Connection) -> list[object]:
    """What would have to be done to bring the tables to what `schema` says."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_revisions_lead_to_the_schema(empty_url: str) -> None:
    """The tables that the revisions make are those that the statements are built on."""
    async with open_database(empty_url):
        pass
    if empty_url.startswith("sqlite"):
        with create_engine(empty_url, poolclass=NullPool).connect() as connection:
            assert differences(connection) == []
        return
    engine = create_async_engine(empty_url.replace("postgresql:", "postgresql+asyncpg:"), poolclass=NullPool)
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_an_upgraded_file_is_like_a_new_one(tmp_path: Path) -> None:
    """Its tables are made by the same statements, with what the comparison above does not see."""
    made = text("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
    found = list[list[tuple[object, ...]]]()
    for url in (f"sqlite:///{unpack(BACKUP, tmp_path)}", sqlite_url(tmp_path)):
        async with open_database(url) as database:
            found.append([tuple(row) for row in await database.reader.do(execute(made))])

    assert found[0] == found[1]


async def test_opening_again_changes_nothing(empty_url: str) -> None:
    """A database that is up to date opens as it is."""
    async with open_database(empty_url):
        pass
    async with open_database(empty_url) as database:
        versions = await database.reader.do(execute(text("SELECT version_num FROM alembic_version")))

        assert [row[0] for row in versions] == ["0026"]


async def test_dice_of_earlier_rolls_of_games_are_counted(empty_url: str) -> None:
    """Public ones alone, as they are counted now; the campaign holds."""
    of_dice = "FROM tally WHERE die IN ('d10', 'd20')"

    async def counts(storage: Storage) -> list[dict[str, object]]:
        rows = await storage.reader.do(execute(text(f"SELECT * {of_dice} ORDER BY user_id, die, face")))
        return [dict(zip(schema.tally.c.keys(), row, strict=True)) for row in rows]

    async with opened(empty_url) as storage:
        await storage.writer.write(caller(), RollDice("9d20"))
        before = await counts(storage)
        for visibility in (Visibility.PUBLIC, Visibility.SELF):
            for words in ("dnd5 attack +5 ac 12 adv", "wod 7 diff 8"):
                command = RollDice(words, 3, RollOptions(visibility=visibility), by=ReadAs(None, shipped()))
                await storage.writer.write(caller(), command)
        counted = await counts(storage)
        await transact(storage.database, execute(text(f"DELETE {of_dice}")))
        await transact(storage.database, execute(inserting(schema.tally), before))
        await transact(storage.database, execute(text("UPDATE alembic_version SET version_num = '0022'")))
    async with opened(empty_url) as storage:
        found = await counts(storage)
        audit = await audited(storage)

    assert sum(int(str(row["n"])) for row in before) == 9
    assert sum(int(str(row["n"])) for row in counted) == 9 + 6 + 21
    assert found == counted
    assert audit.remade == 5


async def test_dice_that_are_not_even_leave_the_counts(empty_url: str) -> None:
    """Those of earlier public rolls do, and what /rigged made of them; the campaign holds."""
    uneven = ("d{2,4,6}", "2#1d20rr<=18", "4d6u")

    async def counts(storage: Storage) -> Counter[tuple[str, str]]:
        rows = await storage.reader.do(execute(text("SELECT die, face, n FROM tally WHERE n <> 0")))
        return Counter({(row["die"], row["face"]): row["n"] for row in rows})

    async with opened(empty_url) as storage:
        for dice in (*uneven, "3d6+1d20"):
            for visibility in (Visibility.PUBLIC, Visibility.SELF):
                await storage.writer.write(caller(), RollDice(dice, 1, RollOptions(visibility=visibility)))
        right = await counts(storage)
        # As they were counted before.
        for row in await storage.reader.do(reading.page(1, Filter())):
            wrong = plain_tosses(row.event, even=False) if row.counts else []
            at = (row.event.campaign_id, row.event.player_id)
            rows = [(*at, *toss, n) for toss, n in Counter(wrong).items()]
            add = execute(ADD_COUNTS, {"rows": json.dumps(dict(enumerate(rows)))})
            await transact(storage.database, add)
        before = await counts(storage)
        await transact(storage.database, store_bets(1, StoredBets(8, 0, {}), 8, {}))
        await transact(storage.database, execute(text("UPDATE alembic_version SET version_num = '0023'")))
    async with opened(empty_url) as storage:
        found = await counts(storage)
        bets = await storage.reader.do(load_bets(1))
        audit = await audited(storage)

    assert sum(n for (die, _), n in right.items() if die != "bits") == 4
    assert sum(n for (die, _), n in before.items() if die != "bits") == 4 + 1 + 2 + 4
    assert found == right
    assert bets.upto == 0
    assert audit.remade == 8


@pytest.mark.parametrize("damage", ['{"text":"d{2"}', '{"text":"d{', "[]"])
async def test_a_damaged_roll_stops_no_upgrade(empty_url: str, damage: str) -> None:
    """The other rolls are counted as they should be; which one is damaged says the check of its campaign."""
    async with opened(empty_url) as storage:
        for dice in ("d{2,4,6}", "2d6"):
            await storage.writer.write(caller(), RollDice(dice, 1))
        break_it = text("UPDATE event SET what = :damage WHERE what LIKE '%d{%'")
        await transact(storage.database, execute(break_it, {"damage": damage}))
        await transact(storage.database, execute(text("UPDATE alembic_version SET version_num = '0022'")))
    async with opened(empty_url) as storage:
        versions = await storage.reader.do(execute(text("SELECT version_num FROM alembic_version")))

    assert [row[0] for row in versions] == ["0026"]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("0007", "An older Evenhand made this database .*0007.* from before version 1.0.0 and can't be read"),
        ("9999", "A newer Evenhand made this database .*9999.* Update Evenhand"),
    ],
)
async def test_another_versions_tables_are_refused(empty_url: str, number: str, sentence: str) -> None:
    """A database that an older or a newer version made is left alone, and it is said what to do."""
    set_number = text("UPDATE alembic_version SET version_num = :number")
    async with open_database(empty_url) as database:
        await transact(database, execute(set_number, {"number": number}))
        await transact(database, execute(text("CREATE TABLE theirs (id INTEGER)")))
        await transact(database, execute(text("DROP TABLE tally")))

    for _ in range(2):
        with pytest.raises(Unavailable, match=sentence):
            async with open_database(empty_url):
                pass


async def test_another_programs_tables_are_left_alone(empty_url: str) -> None:
    """Ours are never put beside them."""
    async with open_database(empty_url) as database:
        await transact(database, execute(text("DROP TABLE alembic_version")))
        await transact(database, execute(text("DROP TABLE tally")))

    for _ in range(2):
        with pytest.raises(DiceError, match="tables of another program"):
            async with open_database(empty_url):
                pass


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
async def test_processes_that_start_together_both_open(empty_url: str) -> None:
    """Of two that find an empty PostgreSQL database, one makes the tables and the other waits for it."""

    async def start() -> str:
        async with open_database(empty_url) as database:
            return database.process

    processes = await asyncio.gather(*(start() for _ in range(3)))

    assert len(set(processes)) == 3


async def test_sqlite_tables_are_strict(tmp_path: Path) -> None:
    """Every table of ours refuses values of another type, and the history is stored in its own order."""
    async with open_database(sqlite_url(tmp_path)) as database:
        rows = await database.reader.do(execute(text("SELECT name, strict, wr FROM pragma_table_list")))
        tables = {row["name"]: (row["strict"], row["wr"]) for row in rows if row["name"] in metadata.tables}

    assert tables.keys() == metadata.tables.keys()
    assert all(strict for strict, _ in tables.values())
    assert tables["event"] == (1, 1)
