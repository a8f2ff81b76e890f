import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.storage.jobs import EventAt
from bot.storage.transactions import PATIENCE_SECONDS, SHOWN, Milestones, Outbox, Written
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url
from tests.support.play import rolled

OWED = "SELECT seq FROM event WHERE owed IS NOT NULL ORDER BY campaign_id, seq"


async def roll(storage: Storage, channel: int = 1, ago: float = 0) -> Written:
    """A plain roll."""
    return await storage.writer.write(caller(channel, ago=ago), RollDice("2d6"))


def shown(written: Written) -> list[int]:
    """The numbers of the lost rolls that come with a reply."""
    return [event.seq for event in written.undelivered]


async def test_every_roll_is_owed_a_reply_until_it_is_confirmed(storage: Storage) -> None:
    """A roll is owed a reply from its own transaction on; a confirmation travels with the next batch."""
    first = await roll(storage)
    owed = await storage.numbers(OWED)
    storage.writer.delivered(first)
    second = await roll(storage)

    assert owed == [1]
    assert await storage.numbers(OWED) == [2]
    assert shown(second) == []


async def test_only_rolls_are_owed(storage: Storage) -> None:
    """What a game master does to a roller shows anyway, and is owed no reply."""
    made = await storage.writer.write(caller(), fair())
    reset = await storage.writer.write(caller(), ResetRoller("evil"))
    storage.writer.lost(made)
    storage.writer.delivered(reset)

    assert await storage.numbers(OWED) == []
    assert shown(await roll(storage)) == []


async def test_lost_reply_shows_once_in_its_campaign(storage: Storage) -> None:
    """A lost roll comes with the campaign's next reply only; if that is lost too, with the one after."""
    storage.writer.lost(await roll(storage))
    elsewhere = await roll(storage, channel=2)
    carrier = await roll(storage)
    meanwhile = await roll(storage)
    storage.writer.lost(carrier)
    next_carrier = await roll(storage)
    storage.writer.delivered(next_carrier)
    after = await roll(storage)

    assert [shown(w) for w in (elsewhere, carrier, meanwhile)] == [[], [1], []]
    assert shown(next_carrier) == [1, 2]
    assert shown(after) == []
    assert 1 not in await storage.numbers("SELECT seq FROM event WHERE campaign_id = 1 AND owed > ''")


async def test_many_lost_replies_show_in_parts(storage: Storage) -> None:
    """So many at once are shown, the oldest first, and the others with the next reply."""
    for written in await asyncio.gather(*(roll(storage) for _ in range(SHOWN + 2))):
        storage.writer.lost(written)
    parts = [shown(await roll(storage)), shown(await roll(storage))]

    assert parts == [list(range(1, SHOWN + 1)), [SHOWN + 1, SHOWN + 2]]


async def test_thousands_of_lost_replies_stop_no_roll(storage: Storage) -> None:
    """No engine takes so many numbers in a query; those that went with the old history are forgotten."""
    storage.writer.lost(await roll(storage))
    lost = storage.writer._outbox._lost[1]
    lost |= {EventAt(1, number) for number in range(9, 40_000)}
    carrier = await roll(storage)

    assert shown(carrier) == [1]
    assert EventAt(1, 9) not in lost


async def test_second_delivery_shows_and_loses_nothing(storage: Storage) -> None:
    """How the answer to a second delivery goes says nothing about the first one's."""
    press = caller()
    await storage.writer.write(press, RollDice("2d6"))
    again = await storage.writer.write(press, RollDice("2d6"))
    storage.writer.lost(again)

    assert shown(again) == []
    assert shown(await roll(storage)) == []


async def test_rolls_of_a_dead_process_show_after_the_restart(database_url: str) -> None:
    """What was rolled and not confirmed when the bot stopped shows at the next roll, then never again."""
    long_ago = PATIENCE_SECONDS + 5
    async with opened(database_url) as storage:
        storage.writer.delivered(await roll(storage, ago=long_ago))
        await roll(storage, ago=long_ago)
        storage.writer.lost(await roll(storage, ago=long_ago))
    async with opened(database_url) as storage:
        carrier = await roll(storage)
        meanwhile = await roll(storage)
        storage.writer.delivered(carrier)
        storage.writer.delivered(meanwhile)
    async with opened(database_url) as storage:
        after = await roll(storage)

        assert [shown(w) for w in (carrier, meanwhile, after)] == [[2, 3], [], []]
        assert await storage.numbers(OWED) == [6]


async def test_dead_process_is_known_at_once_on_sqlite(tmp_path: Path) -> None:
    """The lock proves that the process is dead, however young its roll."""
    url = sqlite_url(tmp_path)
    async with opened(url) as storage:
        await roll(storage)
    async with opened(url) as storage:
        assert shown(await roll(storage)) == [1]


async def test_living_process_is_given_time_on_postgresql(postgresql_url: str) -> None:
    """Another process may still be replying to a young roll, so it shows only when it is older."""
    async with opened(postgresql_url) as one, opened(postgresql_url) as other:
        await roll(one, ago=PATIENCE_SECONDS + 5)
        await roll(one)

        assert shown(await roll(other)) == [1]


async def test_a_wrong_clock_gives_a_living_process_no_less_time(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is young is told by Discord's ids: the clock of the other process's machine may be ahead."""
    async with opened(postgresql_url) as one, opened(postgresql_url) as other:
        await roll(one)
        press, ahead = caller(), time.time() + 3_600
        monkeypatch.setattr(time, "time", lambda: ahead)

        assert shown(await other.writer.write(press, RollDice("2d6"))) == []


@pytest.mark.parametrize("closing", [True, False])
async def test_confirmations_are_saved_without_a_further_roll(database_url: str, *, closing: bool) -> None:
    """When nothing else is written, confirmations are saved after a moment, and at the close."""
    async with opened(database_url, idle_seconds=0) as storage:
        storage.writer.delivered(await roll(storage))
        if closing:
            await storage.writer.aclose()
        async with asyncio.timeout(10):
            while await storage.numbers(OWED):
                pass


_DAY = 86_400_000 << 22


def test_a_day_and_a_hundred_are_passed_once() -> None:
    """A day's first roll, and the first at or after each hundred, in each campaign by itself."""
    milestones, event = Milestones(), rolled("2d6").event
    first = event.interaction_id or 0

    def passes(seq: int, days: int = 0, campaign: int = 1) -> bool:
        return milestones.passes(
            replace(event, seq=seq, interaction_id=first + days * _DAY, campaign_id=campaign)
        )

    assert [passes(seq) for seq in (1, 2, 99, 103, 104, 199, 400, 401)] == [
        True, False, False, True, False, False, True, False,
    ]  # fmt: skip
    assert passes(400), "a second delivery is answered as the first one was"
    assert [passes(402, days=1), passes(403, days=1), passes(404)] == [True, False, False]
    assert [passes(5, campaign=2), passes(6, campaign=2)] == [True, False]


def test_lost_replies_elsewhere_hold_up_no_batch() -> None:
    """After an hour without Discord a batch looks at the lost rolls of its own campaigns only."""
    outbox, event = Outbox(alone=True), rolled("2d6").event
    for number in range(1, 20_001):
        outbox.lost(Written(replace(event, campaign_id=number), new=True))

    began = time.process_time()
    lost = [outbox.lost_rolls({1: None, 20_001: None}) for _ in range(100)]

    assert lost == [[EventAt(1, event.seq)]] * 100
    assert time.process_time() - began < 0.1
