"""Erasing people and deleting servers' data, on both engines."""

import asyncio
import operator
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast

from sqlalchemy import BinaryExpression, ClauseElement, Text
from sqlalchemy.sql import operators, visitors

from bot import storage as room
from bot.campaign.campaigns import Remembers
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Kind
from bot.campaign.rolls import RollDice
from bot.services.privacy import Privacy
from bot.storage import reading
from bot.storage.erasing import CHUNK, begin_erasure, delete_some, erase_some, hide_home
from bot.storage.files import read_address
from bot.storage.postgresql import open_pool
from tests.storage.asking import Storage, audited, caller, fair, forget, opened


async def test_an_erased_person_leaves_a_history_that_holds(storage: Storage) -> None:
    """Their rolls stay as nobody's, their memory goes, others' stays; each history notes it once."""
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
    assert (await storage.reader.do(reading.find_roller(1, "own", 1)))[1] is None
    assert (await storage.reader.do(reading.find_roller(1, "own", 2)))[1] is not None
    assert await storage.numbers("SELECT seq FROM campaign ORDER BY id") == [6, 2, 1]


async def test_a_deleted_home_is_gone_and_begins_anew(storage: Storage) -> None:
    """All rows of its campaigns go; a roll that comes before they are gone begins a history at 1."""
    await storage.writer.write(caller(), fair("evil"))
    for channel in (1, 2):
        await storage.writer.write(caller(channel=channel), RollDice("2d6"))
    await storage.transact(hide_home(7))
    fresh = (await storage.writer.write(caller(), RollDice("2d6"))).event
    steps = 0
    while await storage.transact(delete_some()):
        steps += 1

    assert (fresh.seq, steps) == (1, 2)
    assert await storage.numbers("SELECT count(*) FROM event") == [1]
    assert await storage.numbers("SELECT count(*) FROM roller") == [0]
    assert await storage.numbers("SELECT id FROM campaign") == [fresh.campaign_id]


async def test_an_erasure_goes_in_chunks_and_goes_on_after_a_stop(database_url: str) -> None:
    """Rolls get their turn in between; delivered twice it is answered alike; a stop is made good later."""
    press = caller(user=1)
    async with opened(database_url) as storage:
        options = RollOptions("Owl")
        rolls = (
            storage.writer.write(caller(user=1), RollDice("2d6", options=options)) for _ in range(CHUNK + 20)
        )
        await asyncio.gather(*rolls)
        await storage.transact(begin_erasure(press))
        await storage.transact(erase_some(1))
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


async def test_an_erasure_that_a_stop_put_off_for_long_leaves_what_holds(storage: Storage) -> None:
    """What others did meanwhile stands before its end: its note, a press of hours ago, has no room there."""
    await storage.writer.write(caller(user=1, ago=7_300), RollDice("2d6"))
    await storage.writer.write(caller(channel=2, user=1, ago=7_300), RollDice("2d6"))
    await storage.transact(begin_erasure(caller(user=1, ago=7_200)))
    await storage.writer.write(caller(user=2), RollDice("2d6"))
    await Privacy(storage.database, storage.reader).finish()

    assert [(await audited(storage, channel)).nobody for channel in (1, 2)] == [1, 1]
    assert await storage.numbers("SELECT seq FROM campaign ORDER BY id") == [2, 2]


async def test_one_press_in_two_processes_is_one_erasure(postgresql_url: str) -> None:
    """Both wait for the same campaign: each history notes it once, and both are told the same."""
    press = caller(user=1)
    async with opened(postgresql_url) as first, opened(postgresql_url) as second:
        for channel in (1, 2):
            for _ in range(3):
                await first.writer.write(caller(channel, 1), RollDice("2d6"))
        async with (
            open_pool(read_address(postgresql_url), 1) as pool,
            pool.acquire() as other,
            other.transaction(),
        ):
            await other.execute("SELECT id FROM campaign WHERE id = 1 FOR UPDATE")
            both = [asyncio.ensure_future(forget(storage, press)) for storage in (first, second)]
            while await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < len(both):  # noqa: ASYNC110
                await asyncio.sleep(0)
        told = await asyncio.gather(*both)
        noted = await first.numbers("SELECT count(*) FROM event WHERE kind = 'erase' GROUP BY campaign_id")

    assert {(one.events, one.campaigns) for one in told} == {(6, 2)}
    assert noted == [1, 1]


def conditions(module: ModuleType) -> Iterator[BinaryExpression[Any]]:
    """The conditions of a module's statements, also of those in its tables."""
    values = [*vars(module).values()]
    tables = [cast("dict[object, object]", value).values() for value in values if isinstance(value, dict)]
    for value in chain(values, *tables):
        for part in visitors.iterate(value) if isinstance(value, ClauseElement) else ():
            if isinstance(part, BinaryExpression):
                yield cast("BinaryExpression[Any]", part)


def test_no_condition_asks_which_text_comes_first() -> None:
    """PostgreSQL says so by its locale: in that of its image `gone;` comes before `gone:5`."""
    ordering = {operator.lt, operator.le, operator.gt, operator.ge, operators.between_op}
    modules = [import_module(f"{room.__name__}.{found.name}") for found in iter_modules(room.__path__)]
    found = [part for module in modules for part in conditions(module) if part.operator in ordering]

    assert len(found) > 9
    assert [str(part) for part in found if isinstance(part.left.type, Text)] == []
