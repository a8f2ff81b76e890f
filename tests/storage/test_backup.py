import asyncio
import os
from pathlib import Path

import pytest

from bot.campaign.rolls import RollDice
from bot.dice.errors import SpecError, Unavailable
from bot.storage import reading
from bot.storage.backup import back_up
from tests.storage.asking import caller, fair, opened
from tests.support.databases import lay_tables, sqlite_url


async def test_backup_beside_the_writer_is_whole(tmp_path: Path) -> None:
    """A copy made while rolls are written opens as a database with the history up to some roll."""
    url = sqlite_url(tmp_path)
    async with opened(url) as storage:
        await storage.writer.write(caller(), fair())
        rolling = [asyncio.create_task(storage.writer.write(caller(), RollDice("evil"))) for _ in range(400)]
        await storage.writer.write(caller(), RollDice("evil"))
        await asyncio.to_thread(back_up, url, tmp_path / "copies" / "evenhand.db")
        await asyncio.gather(*rolling)
        everything = await storage.reader.do(reading.page(1, limit=1_000))
    async with opened(sqlite_url(tmp_path / "copies")) as copy:
        copied = await copy.reader.do(reading.page(1, limit=1_000))
        more = await copy.writer.write(caller(), RollDice("evil"))

    assert len(copied) > 1
    assert [row.event for row in copied] == [row.event for row in everything[-len(copied) :]]
    assert more.event.seq == len(copied) + 1
    assert [path.name for path in (tmp_path / "copies").glob("*.part")] == []


@pytest.mark.skipif(os.name != "posix", reason="file names are text there")
def test_a_backup_has_any_name(tmp_path: Path) -> None:
    """One that is no UTF-8, as an old disk or another locale gives it."""
    lay_tables(sqlite_url(tmp_path))
    target = tmp_path / os.fsdecode(b"caf\xe9.db")
    back_up(sqlite_url(tmp_path), target)

    assert target.stat().st_size
    assert sorted(tmp_path.glob("caf*")) == [target]


def test_backup_says_why_it_can_not_be_made(tmp_path: Path) -> None:
    """No database, a file in the way or of another kind, a server: each is named, nothing is left."""
    url = sqlite_url(tmp_path)
    target = tmp_path / "copy.db"
    with pytest.raises(Unavailable, match="There is no database"):
        back_up(url, target)
    with pytest.raises(SpecError, match="pg_dump"):
        back_up("postgresql://here/dice", target)
    lay_tables(url)
    with pytest.raises(Unavailable, match=r"The backup .* could not be made: File exists"):
        back_up(url, tmp_path / "evenhand.db" / "copy.db")
    (tmp_path / "evenhand.db").write_bytes(b"")
    with pytest.raises(Unavailable, match="is not Evenhand's, or it has been emptied"):
        back_up(url, target)
    (tmp_path / "evenhand.db").write_text("no database at all" * 1_000)
    reason = r"copy\.db could not be made: the database .*/evenhand\.db can't be copied, because its file is"
    with pytest.raises(Unavailable, match=rf"{reason} no SQLite database\."):
        back_up(url, target)
    (tmp_path / "evenhand.db").unlink()
    lay_tables(url)
    damaged = (tmp_path / "evenhand.db").read_bytes()[:8_192] + b"\x55" * 100_000
    (tmp_path / "evenhand.db").write_bytes(damaged)
    with pytest.raises(Unavailable, match=rf"{reason} damaged\."):
        back_up(url, target)
    with pytest.raises(SpecError, match="is a folder"):
        back_up(url, tmp_path)
    with pytest.raises(SpecError, match="already"):
        back_up(url, tmp_path / "evenhand.db")

    assert [path.name for path in tmp_path.iterdir()] == ["evenhand.db"]
