"""Erasing people and deleting servers' data, on both engines."""

import asyncio
from pathlib import Path

from sqlalchemy import select

from bot.campaign.campaigns import Remembers
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Kind
from bot.campaign.rolls import RollDice
from bot.services.privacy import Privacy
from bot.storage import reading, schema
from bot.storage.asking import one
from bot.storage.erasing import (
    CHUNK,
    begin_erasure,
    delete_some,
    erase_some,
    hide_home,
)
from tests.storage.asking import Storage, audited, caller, fair, forget, opened
from tests.support.databases import sqlite_url


async def test_an_erased_person_leaves_a_history_that_holds(database_url: str) -> None:
    """Their rolls stay as nobody's, their memory goes, others' stays; each history notes it once."""
    async with opened(database_url) as storage:
        await storage.writer.write(caller(user=9), fair("own", Remembers.PLAYER))
        for user in (1, 2, 1):
            await storage.writer.write(caller(user=user), RollDice("own", options=RollOptions("Owl")))
        await storage.writer.write(caller(channel=2, user=1), RollDice("2d6"))
        await storage.writer.write(caller(channel=3, user=2), RollDice("2d6"))
        for expected in ((3, 2), (0, 0)):
            erased = await forget(storage, caller(user=1))
            assert (erased.events, erased.campaigns) == expected
        await storage.writer.write(caller(user=2), RollDice("own"))
        rows = [row.event for row in await storage.reader.do(reading.page(1, limit=9))][::-1]

        assert [event.user_id for event in rows] == [9, None, 2, None, None, 2]
        assert [event.label for event in rows] == ["", None, "Owl", None, None, ""]
        assert rows[4].kind is Kind.ERASE
        assert (await audited(storage)).nobody == 2
        assert (await audited(storage, 2)).nobody == 1
        assert (await storage.reader.do(reading.roller(1, "own", 1)))[1] is None
        assert (await storage.reader.do(reading.roller(1, "own", 2)))[1] is not None
        assert await storage.numbers("SELECT seq FROM campaign ORDER BY id") == [6, 2, 1]


async def test_a_deleted_home_is_gone_and_begins_anew(database_url: str) -> None:
    """All rows of its campaigns go; a roll that comes before they are gone begins a history at 1."""
    async with opened(database_url) as storage:
        await storage.writer.write(caller(), fair("evil"))
        for channel in (1, 2):
            await storage.writer.write(caller(channel=channel), RollDice("2d6"))
        hidden = await storage.work(hide_home(7))
        fresh = (await storage.writer.write(caller(), RollDice("2d6"))).event
        steps = 0
        while await storage.work(delete_some()):
            steps += 1

        assert (hidden, fresh.seq, steps) == (2, 1, 2)
        assert await storage.numbers("SELECT count(*) FROM event") == [1]
        assert await storage.numbers("SELECT count(*) FROM roller") == [0]
        assert await storage.numbers("SELECT id FROM campaign") == [fresh.campaign_id]


PERSON, OTHER, LABEL = 987_654_321_098_765_432, 123_456_789_012_345_678, "Zwielichtfeder"


async def test_nothing_of_an_erased_person_is_left_in_the_files(tmp_path: Path) -> None:
    """Neither their id nor their words nor their key, searched for as bytes; and the campaign holds."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await storage.writer.write(caller(user=OTHER), fair("own", Remembers.PLAYER))
        for _ in range(60):
            options = RollOptions(LABEL)
            for user in (PERSON, OTHER):
                await storage.writer.write(caller(user=user), RollDice("own", options=options))
                options = RollOptions("plain words")
        secret = await _secret(storage, PERSON)
        before = _found(tmp_path, secret)
        await forget(storage, caller(user=PERSON))
        after = _found(tmp_path, secret)
        found = await audited(storage)

    assert before == [True, True, True]
    assert after == [False, False, False]
    assert found.nobody == 60


async def _secret(storage: Storage, user: int) -> bytes:
    wanted = select(schema.person.c.secret).where(schema.person.c.user_id == user)
    rows = await storage.reader.do(one(wanted))
    return bytes(rows[0][0])


def _found(folder: Path, secret: bytes) -> list[bool]:
    data = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    return [one in data for one in (PERSON.to_bytes(8), LABEL.encode(), secret)]


async def test_an_erasure_goes_in_chunks_and_goes_on_after_a_stop(database_url: str) -> None:
    """Rolls get their turn in between; delivered twice it is answered alike; a stop is made good later."""
    press = caller(user=1)
    async with opened(database_url) as storage:
        options = RollOptions("Owl")
        rolls = (
            storage.writer.write(caller(user=1), RollDice("2d6", options=options)) for _ in range(CHUNK + 20)
        )
        await asyncio.gather(*rolls)
        await storage.work(begin_erasure(press))
        await storage.work(erase_some(1))
        left = await storage.numbers("SELECT count(*) FROM event WHERE user_id = 1")
        await audited(storage)
    async with opened(database_url) as storage:
        privacy = Privacy(storage.database, storage.reader)
        await privacy.finish()
        first, again = await asyncio.gather(privacy.forget(press), privacy.forget(press))
        found = await audited(storage)
        rest = await storage.numbers("SELECT count(*) FROM erasure")

    assert left == [20]
    assert (first.events, first.campaigns) == (CHUNK + 20, 1)
    assert again == first
    assert (found.nobody, rest) == (CHUNK + 20, [0])
