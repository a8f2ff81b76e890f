"""The room as the bot opens it: at once, filled in the background, and forgotten at the end."""

import asyncio
from dataclasses import replace

import pytest

from bot.dice.draws import Source
from bot.entropy.config import EntropyConfig
from bot.entropy.opening import Entropy, check_once, open_supply
from bot.entropy.service import Physics, ServiceState
from tests.support.services import IMPATIENT, PATIENT, Mood, Service, Services, services


async def until(entropy: Entropy, label: Source) -> None:
    """Wait until a roll would be called so; the test fails if that takes half a minute."""
    async with asyncio.timeout(PATIENT):
        while entropy.status().source is not label:  # noqa: ASYNC110 - the room tells nobody, it is only looked at
            await asyncio.sleep(0)


def labels(entropy: Entropy) -> Source:
    """What a roll is called now."""
    roll = entropy.supply.open()
    roll.below(20)
    return roll.source


async def test_the_room_becomes_true_by_itself() -> None:
    """Rolls are local until the first answers are there, and true afterwards."""
    async with services() as loopback, open_supply(loopback.config()) as entropy:
        first = labels(entropy)
        await until(entropy, Source.TRUE)

        assert first is Source.LOCAL
        assert labels(entropy) is Source.TRUE
        assert entropy.status().bits == {Physics.ATMOSPHERIC: 8192 - 64, Physics.QUANTUM: 8192 - 64}


async def test_closing_ends_every_task_and_forgets_every_bit(loopback: Services) -> None:
    """After the end nothing runs in the background, and a late roll is local."""
    before = asyncio.all_tasks()
    async with open_supply(loopback.config()) as entropy:
        await until(entropy, Source.TRUE)
        names = {task.get_name() for task in asyncio.all_tasks() - before}
    after = {task.get_name() for task in asyncio.all_tasks() - before}

    assert {"refill atmospheric noise", "refill quantum"} <= names
    assert not any(name.startswith("refill") for name in after)
    assert entropy.status().bits == {Physics.ATMOSPHERIC: 0, Physics.QUANTUM: 0}
    assert labels(entropy) is Source.LOCAL


async def test_a_fault_at_the_table_closes_the_room_too() -> None:
    """Whatever ends the block, the bits are forgotten and the fault goes on."""
    rooms: list[Entropy] = []

    async def play(config: EntropyConfig) -> None:
        async with open_supply(config) as entropy:
            rooms.append(entropy)
            await until(entropy, Source.TRUE)
            raise ZeroDivisionError

    async with services() as loopback:
        with pytest.raises(ZeroDivisionError):
            await play(loopback.config())

        assert rooms[0].status().source is Source.LOCAL


async def test_no_service_has_two_requests_at_once(loopback: Services) -> None:
    """Each is asked one thing at a time, random.org's quota included."""
    loopback.moods[Service.LFD] = Mood.HTML
    async with open_supply(loopback.config()) as entropy:
        await until(entropy, Source.TRUE)

    assert set(loopback.busiest.values()) == {1}


async def test_offline_asks_nobody_and_runs_nothing() -> None:
    """Without sources there is no background task, and every source says why it is off."""
    before = asyncio.all_tasks()
    async with open_supply(EntropyConfig.offline()) as entropy:
        assert asyncio.all_tasks() == before
        assert labels(entropy) is Source.LOCAL
        assert {source.state for source in entropy.status().sources} == {ServiceState.OFF}
        assert {str(source.error) for source in entropy.status().sources} == {"switched off in the settings"}


async def test_by_default_only_open_quantum_sources_are_on(loopback: Services) -> None:
    """random.org waits for an operator's address, and the others for their keys."""
    config = replace(
        loopback.config(), operator_email=None, random_org_key=None, aqn_key=None, outshift_key=None
    )
    async with open_supply(config) as entropy:
        states = {source.name: source.error for source in entropy.status().sources}

    assert {name: str(reason) for name, reason in states.items() if reason} == {
        Service.RANDOM_ORG_RPC: "needs a key",
        Service.RANDOM_ORG: "needs the operator's e-mail address",
        Service.AQN: "needs a key",
        Service.OUTSHIFT: "needs a key",
    }


async def test_the_status_tells_an_admin_what_is_wrong(loopback: Services) -> None:
    """State, last error in our words, quota and the next try are there for each source."""
    loopback.moods[Service.AQN] = Mood.WRONG_KEY
    async with open_supply(loopback.config()) as entropy:
        await until(entropy, Source.TRUE)
        by_name = {source.name: source for source in entropy.status().sources}
    noise, aqn, unused = by_name[Service.RANDOM_ORG_RPC], by_name[Service.AQN], by_name[Service.ANU]

    assert (noise.state, noise.error, noise.health, noise.blocks) == (ServiceState.FINE, None, "sound", 1)
    assert noise.quota == 1_000_000 - 8192
    failing = ServiceState.FAILING
    assert (aqn.state, str(aqn.error), aqn.health) == (failing, "it does not accept our key", None)
    assert aqn.next_try is not None
    assert 3500.0 < aqn.next_try <= 3600.0
    assert (unused.state, unused.next_try, unused.blocks) == (ServiceState.NEW, 0.0, 0)


async def checked(loopback: Services, within: float = PATIENT) -> dict[str, tuple[ServiceState, str, int]]:
    """State, error and size of each check, by name."""
    checks = await check_once(loopback.config(within))
    return {one.status.name: (one.status.state, str(one.status.error or ""), one.size) for one in checks}


async def test_a_check_asks_each_source_once(loopback: Services) -> None:
    """Every configured source gives one sound block, and its latency is told."""
    checks = await check_once(loopback.config())

    assert [check.status.name for check in checks] == [
        Service.RANDOM_ORG_RPC,
        Service.RANDOM_ORG,
        Service.AQN,
        Service.OUTSHIFT,
        Service.LFD,
        Service.ANU,
        Service.QRANDOM,
    ]
    assert {(c.status.state, c.status.error, c.size, c.status.health) for c in checks} == {
        (ServiceState.FINE, None, 1024, "sound")
    }
    assert all(check.latency is not None and 0 < check.latency < PATIENT for check in checks)
    assert len(loopback.sent) == len(Service)


async def test_a_check_tells_what_is_wrong_with_each(loopback: Services) -> None:
    """Each failing source has its own reason; none holds up the others."""
    loopback.moods |= {
        Service.RANDOM_ORG: Mood.NO_QUOTA,
        Service.LFD: Mood.CONSTANT,
        Service.ANU: Mood.HTML,
        Service.QRANDOM: Mood.SHORT,
    }
    found = await checked(loopback)

    assert found[Service.RANDOM_ORG] == (ServiceState.FAILING, "its quota for our address is used up", 0)
    assert found[Service.LFD] == (
        ServiceState.FAILING,
        "failed its health test: one byte repeated in a row",
        0,
    )
    assert found[Service.ANU] == (ServiceState.FAILING, "its answer is of the wrong type", 0)
    assert found[Service.QRANDOM] == (ServiceState.FAILING, "it sent 511 numbers, not 512", 0)
    assert found[Service.AQN] == (ServiceState.FINE, "", 1024)


async def test_a_check_of_silent_services_ends(loopback: Services) -> None:
    """It takes no longer than the patience that the settings give."""
    loopback.moods = dict.fromkeys(Service, Mood.SILENT)
    found = await checked(loopback, IMPATIENT)

    assert set(found.values()) == {(ServiceState.FAILING, "no whole answer within 0.1 seconds", 0)}
