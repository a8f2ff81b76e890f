"""An upgrade of the tables and a process of the version before never work on a database at once."""

import asyncio
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.play.gateway import Away
from bot.storage import migrating
from bot.storage.engine import open_database, transact
from bot.storage.servers import join
from tests.storage.asking import caller, opened
from tests.support.databases import lay_tables
from tests.support.discord import discord, served

REVISION = '''
"""A table more."""
from alembic import op
revision, down_revision = "9999", "{before}"
def upgrade():
    op.execute("CREATE TABLE more (id INTEGER)")
'''


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Upgrades a database as a later version with one revision more would."""
    scripts = tmp_path / "newer"
    shutil.copytree(migrating._SCRIPTS, scripts)
    before = max((scripts / "versions").glob("revision_*.py")).stem.removeprefix("revision_")
    (scripts / "versions" / "revision_9999.py").write_text(REVISION.format(before=before))

    async def opening(url: str) -> None:
        async with open_database(url):
            pass

    def upgrade(url: str) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(migrating, "_SCRIPTS", scripts)
            asyncio.run(opening(url))

    return upgrade


async def cut_off(url: str) -> None:
    """Have the server end all connections to a database, and wait until they have ended."""
    connection = await asyncpg.connect(url)
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    await connection.execute(f"SELECT pg_terminate_backend(pid, 60000) {others}")
    await connection.close()


async def test_an_upgrade_waits_until_nobody_has_the_database(
    database_url: str, newer: Callable[[str], None]
) -> None:
    """It is refused with what to do while another process is there, and done after that one has gone."""
    lay_tables(database_url)
    async with open_database(database_url) as old:
        with pytest.raises(Unavailable, match=r"Stop (it|all of them)"):
            await asyncio.to_thread(newer, database_url)
        await transact(old, join(1))

    await asyncio.to_thread(newer, database_url)
    with pytest.raises(Unavailable, match="A newer Evenhand made this database"):
        async with open_database(database_url):
            pass


async def test_who_was_cut_off_meanwhile_writes_no_more(
    postgresql_url: str, newer: Callable[[str], None]
) -> None:
    """A process that lost its connection, and so its part of the lock, looks at the tables first."""
    async with opened(postgresql_url) as old:
        await cut_off(postgresql_url)
        await asyncio.to_thread(newer, postgresql_url)
        with pytest.raises(Unavailable, match="a newer Evenhand has updated it"):
            await old.writer.write(caller(), RollDice("2d6"))

        assert old.database.outdated.is_set()


async def test_an_old_process_stops_with_a_sentence(tmp_path: Path, postgresql_url: str) -> None:
    """Whoever rolls is told, and the process ends with code 1 and what to do."""
    async with discord(tmp_path / "table") as d, served(d, tmp_path, EVENHAND_DATABASE=postgresql_url) as bot:
        await d.says(d.ann, "/roll 1d6")
        connection = await asyncpg.connect(postgresql_url)
        await connection.execute("UPDATE alembic_version SET version_num = '9999'")
        await connection.close()
        await cut_off(postgresql_url)
        with suppress(Away):  # it may have noticed while it wrote that the first reply arrived
            await d.line(d.ann, "/roll 1d6")
        said = await bot.said()

    assert bot.returncode == 1
    assert "so this one stops. Update it too" in said
    assert "Traceback" not in said
