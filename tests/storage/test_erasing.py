"""Erasing people and deleting servers' data, on both engines."""

from itertools import pairwise

from bot.campaign.command import RollOptions
from bot.campaign.events import Kind
from bot.campaign.rollers import Remembers
from bot.campaign.rolls import RollDice
from bot.record.chain import START, link
from bot.storage import reading
from bot.storage.erasing import come_back, delete_some, depart, departed, erase_person, hide_home
from tests.storage.asking import caller, fair, opened


async def test_an_erased_person_leaves_a_chain_that_holds(database_url: str) -> None:
    """Their rolls stay as nobody's, their memory goes, others' stays; each history notes it once."""
    async with opened(database_url) as storage:
        await storage.writer.write(caller(user=9), fair("own", Remembers.PLAYER))
        for user in (1, 2, 1):
            await storage.writer.write(caller(user=user), RollDice("own", options=RollOptions("Owl")))
        await storage.writer.write(caller(channel=2, user=1), RollDice("2d6"))
        await storage.writer.write(caller(channel=3, user=2), RollDice("2d6"))
        for expected in ((3, 2), (0, 0)):
            erased = await storage.work(erase_person(caller(user=1)))
            assert (erased.events, erased.campaigns) == expected
        await storage.writer.write(caller(user=2), RollDice("own"))
        rows = [row.event for row in await storage.reader.do(reading.page(1, limit=9))][::-1]

        assert [event.user_id for event in rows] == [9, None, 2, None, None, 2]
        assert [event.label for event in rows] == ["", None, "Owl", None, None, ""]
        assert rows[4].kind is Kind.ERASE
        assert rows[0].seal.head == link(START, rows[0]).seal.head
        assert all(b.seal.head == link(a.seal.head, b).seal.head for a, b in pairwise(rows))
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


async def test_departures_are_noted_once_and_taken_back(database_url: str) -> None:
    """The first leaving counts; who came back is not due."""
    async with opened(database_url) as storage:
        for guild, at in ((7, 100), (8, 100), (7, 900)):
            await storage.work(depart(guild, at))
        due = [await storage.work(departed(before)) for before in (99, 100)]
        await storage.work(come_back(7))

        assert [sorted(guilds) for guilds in due] == [[], [7, 8]]
        assert await storage.work(departed(100)) == [8]
