"""Every service in every mood: what it does to a roll is nothing, and no bad block is ever used."""

import asyncio

import pytest

from bot.dice.draws import Source
from bot.entropy.config import EntropyConfig
from bot.entropy.feed import Feed, Refill
from bot.entropy.health import RecentBlocks
from bot.entropy.opening import open_web, sources
from bot.entropy.service import Physics, ServiceState, ServiceStatus
from bot.entropy.supply import Kernel, Lane, Supply, WordPool
from bot.entropy.web import Web
from tests.entropy.clocks import FakeClock
from tests.support.services import IMPATIENT, KEY, PATIENT, Mood, Service, services

DAY = 86_400.0
KEYED = {Service.RANDOM_ORG_RPC, Service.AQN, Service.OUTSHIFT}
CASES = [
    (service, mood)
    for service in Service
    for mood in Mood
    if mood is not Mood.GOOD and (mood is not Mood.WRONG_KEY or service in KEYED)
]
NEVER_WHOLE = {Mood.SLOW, Mood.SILENT}
FAILING_TESTS = {Mood.REPEATED, Mood.CONSTANT, Mood.ASCII}


class Table:
    """One service, its lane, and a supply that rolls from it."""

    def __init__(self, config: EntropyConfig, web: Web, clock: FakeClock) -> None:
        (source,) = (source for source in sources(config) if not isinstance(source, ServiceStatus))
        self.feed = Feed(source, web, RecentBlocks())
        self.lane = Lane(Kernel())
        atmospheric = source.kind is Physics.ATMOSPHERIC
        pool = WordPool(self.lane, None) if atmospheric else WordPool(None, self.lane)
        self.supply = Supply(pool)
        self.alarms = 0
        self.refill = Refill(self.lane, [self.feed], clock, self._alarm)

    def _alarm(self) -> None:
        self.alarms += 1
        self.supply.clear()


@pytest.mark.parametrize(("service", "mood"), CASES)
async def test_a_bad_mood_costs_no_roll_and_ends_with_the_mood(service: Service, mood: Mood) -> None:
    """Rolls go on at once with local bits, no block of the bad mood is used, and good blocks are again."""
    clock = FakeClock()
    within = IMPATIENT if mood in NEVER_WHOLE else PATIENT
    async with (
        services() as loopback,
        open_web(config := loopback.only(service, within=within), clock) as web,
    ):
        table = Table(config, web, clock)
        loopback.moods[service] = mood
        if mood is Mood.REPEATED:
            # The first of them is a good one.
            await table.refill.step()
            await clock.advance(DAY)
        bits_before = table.lane.bits
        loopback.asked.clear()
        asking = asyncio.create_task(table.refill.step())
        if mood not in NEVER_WHOLE:
            # On a busy machine an impatient request may be given up before it arrives.
            await loopback.asked.wait()

        table.supply.open().below(20)
        assert not asking.done()
        assert await asking
        assert table.lane.bits <= bits_before
        assert table.feed.status().state is ServiceState.FAILING
        error = str(table.feed.status().error or "")
        assert error
        assert KEY not in error
        assert table.alarms == (mood in FAILING_TESTS)
        assert not loopback.followed

        loopback.moods[service] = Mood.GOOD
        while table.lane.fed:
            table.lane.take()
        for _ in range(5):
            # On a busy machine even a good answer may be late once.
            await clock.advance(DAY)
            assert await table.refill.step()
            if table.feed.is_fine:
                break
        roll = table.supply.open()
        roll.below(6)

        assert table.lane.bits == 8192 - 64
        assert table.feed.status().error is None
        assert roll.source is Source.HALF


@pytest.mark.parametrize("service", Service)
async def test_a_good_block_arrives_as_it_was_sent(service: Service) -> None:
    """What the lane holds is exactly the service's bytes, each word once and in order."""
    clock = FakeClock()
    async with services() as loopback, open_web(config := loopback.only(service), clock) as web:
        table = Table(config, web, clock)
        await table.refill.step()
        taken = b"".join(table.lane.take().to_bytes(8) for _ in range(128))

        assert taken == loopback.sent[0]
        assert not table.lane.fed
