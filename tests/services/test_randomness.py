"""The whole app on services that come up, fail and come back: what rolls are called, and what is told."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.app import App, open_app
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.dice.draws import Source
from bot.entropy.service import EntropyStatus, Physics, ServiceState
from bot.services.health import RandomnessReport
from bot.times import DISCORD_EPOCH
from tests.entropy.clocks import FakeClock
from tests.support.services import EMAIL, KEY, PATIENT, Mood, Service, Services
from tests.support.table import settings

CHANNEL = 5
LATER = 7_200.0
"""Longer than any source rests, whatever happened to it."""
THIRSTY = "100d1000000"
"""A roll of 1,993 bits: nine of them empty a lane of 8,192."""

_numbers = count(1)


@dataclass
class Evening:
    """An open app, its services, and a clock that only a test moves."""

    app: App
    loopback: Services
    clock: FakeClock

    async def roll(self, dice: str = "1d20", channel: int = CHANNEL) -> Event:
        """A player rolls."""
        caller = Caller(now() + next(_numbers), 7, channel, 2)
        return (await self.app.rolling.roll(caller, dice)).rolled.event

    async def report(self, channel: int = CHANNEL, *, manages: bool = False) -> RandomnessReport:
        """What somebody is told now."""
        caller = Caller(now() + (1 << 22), 7, channel, 1, manages=manages)
        return await self.app.health.randomness(caller)

    def status(self) -> EntropyStatus:
        """How the sources fare at this moment."""
        return self.app.health.entropy.status()

    async def until(self, happened: Callable[[EntropyStatus], bool]) -> None:
        """Wait for what goes on in the background; the test fails if that takes half a minute."""
        async with asyncio.timeout(PATIENT):
            while not happened(self.status()):  # noqa: ASYNC110 - the room tells nobody, it is looked at
                await asyncio.sleep(0)

    async def until_called(self, label: Source) -> None:
        """Wait until a roll would be called so."""
        await self.until(lambda status: status.source is label)

    async def until_failed(self, *names: Service) -> None:
        """Wait until these sources have failed."""
        await self.until(
            lambda status: {s.name for s in status.sources if s.state is ServiceState.FAILING} >= {*names}
        )

    async def drink(self) -> Counter[Source | None]:
        """Roll until every remote bit is used up; the labels of these rolls."""
        labels = Counter[Source | None]()
        while any(self.status().bits.values()):
            labels[(await self.roll(THIRSTY)).roll.source] += 1
        return labels


def now() -> int:
    """The number that Discord would give to an interaction of this moment."""
    return int(time.time() * 1000) - DISCORD_EPOCH << 22


@asynccontextmanager
async def evening(folder: Path, loopback: Services, *on: Service) -> AsyncGenerator[Evening]:
    """A app that knows these services and no others; their moods are set before."""
    config, clock = loopback.config(), FakeClock()
    urls = {
        "random_org_url": Service.RANDOM_ORG,
        "random_org_rpc_url": Service.RANDOM_ORG_RPC,
        "lfd_url": Service.LFD,
        "anu_url": Service.ANU,
        "aqn_url": Service.AQN,
        "qrandom_url": Service.QRANDOM,
        "outshift_url": Service.OUTSHIFT,
    }
    known = {name: getattr(config, name) if service in on else None for name, service in urls.items()}
    secrets = dict.fromkeys(("random_org_key", "aqn_key", "outshift_key"), SecretStr(KEY))
    async with open_app(
        settings(folder, remote_bits=True, operator_email=EMAIL, **known, **secrets), clock
    ) as app:
        yield Evening(app, loopback, clock)


async def test_labels_rise_and_fall_with_the_sources(loopback: Services, tmp_path: Path) -> None:
    """Local, half, true as the sources come up; local when they fail and all is used; then true again."""
    loopback.moods = dict.fromkeys(Service, Mood.ERROR_503)
    async with evening(tmp_path, loopback, Service.RANDOM_ORG, Service.LFD) as e:
        await e.until_failed(Service.RANDOM_ORG, Service.LFD)
        labels = [(await e.roll()).roll.source]
        for service, label in ((Service.RANDOM_ORG, Source.HALF), (Service.LFD, Source.TRUE)):
            loopback.moods[service] = Mood.GOOD
            await e.clock.advance(LATER)
            await e.until_called(label)
            labels.append((await e.roll()).roll.source)
        loopback.moods = dict.fromkeys(Service, Mood.CONSTANT)
        drunk = await e.drink()
        await e.clock.advance(LATER)
        await e.until_failed(Service.RANDOM_ORG, Service.LFD)
        labels.append((await e.roll()).roll.source)
        loopback.moods = dict.fromkeys(Service, Mood.GOOD)
        await e.clock.advance(LATER)
        await e.until_called(Source.TRUE)
        labels.append((await e.roll()).roll.source)

    assert labels == [Source.LOCAL, Source.HALF, Source.TRUE, Source.LOCAL, Source.TRUE]
    assert drunk[Source.TRUE]
    assert drunk[Source.LOCAL] == 1


async def test_a_roll_waits_for_no_source(loopback: Services, tmp_path: Path) -> None:
    """With every service silent the app opens, rolls and closes; the sources' clock stands still."""
    loopback.moods = dict.fromkeys(Service, Mood.SILENT)
    async with asyncio.timeout(PATIENT / 3), evening(tmp_path, loopback, *Service) as e:
        await loopback.asked.wait()
        events = [await e.roll() for _ in range(20)]
        report = await e.report(manages=True)

    assert {event.roll.source for event in events} == {Source.LOCAL}
    assert report.sources is not None
    assert {s.state for s in report.sources} == {ServiceState.ASKING, ServiceState.NEW}


async def test_the_report_counts_this_campaign(loopback: Services, tmp_path: Path) -> None:
    """What is told is what was written: this channel's rolls by label, and no others."""
    loopback.moods = dict.fromkeys(Service, Mood.ERROR_503)
    async with evening(tmp_path, loopback, Service.RANDOM_ORG, Service.LFD) as e:
        nothing = (await e.report()).rolls
        await e.until_failed(Service.RANDOM_ORG, Service.LFD)
        events = [await e.roll()]
        loopback.moods[Service.RANDOM_ORG] = Mood.GOOD
        await e.clock.advance(LATER)
        await e.until_called(Source.HALF)
        events += [await e.roll() for _ in range(3)]
        loopback.moods[Service.LFD] = Mood.GOOD
        await e.clock.advance(LATER)
        await e.until_called(Source.TRUE)
        events += [await e.roll() for _ in range(4)]
        await e.roll(channel=6)
        report, other = await e.report(), await e.report(channel=6)

    assert nothing == dict.fromkeys(Source, 0)
    assert report.rolls == {label: sum(x.roll.source is label for x in events) for label in Source}
    assert [report.rolls[label] for label in (Source.TRUE, Source.HALF, Source.LOCAL)] == [4, 3, 1]
    assert (other.rolls[Source.TRUE], sum(other.rolls.values())) == (1, 1)


@pytest.mark.parametrize("mood", [Mood.GOOD, Mood.WRONG_KEY])
async def test_only_who_manages_sees_the_sources_and_nobody_a_secret(
    loopback: Services, tmp_path: Path, mood: Mood
) -> None:
    """Players get the lanes' bits and the label; the sources' names come without keys and without bytes."""
    loopback.moods = dict.fromkeys(Service, mood)
    async with evening(tmp_path, loopback, Service.RANDOM_ORG_RPC, Service.AQN) as e:
        if mood is Mood.GOOD:
            await e.until_called(Source.TRUE)
        else:
            await e.until_failed(Service.RANDOM_ORG_RPC, Service.AQN)
        players, admins = await e.report(), await e.report(manages=True)

    assert players.sources is None
    assert admins.sources is not None
    assert {*Service} == {source.name for source in admins.sources}
    assert {*players.status.bits} == {*Physics}
    told = repr((players, admins))
    assert KEY not in told
    assert not any(word.hex() in told or repr(word) in told for word in loopback.sent)
