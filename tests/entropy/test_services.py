"""What each service is asked, and what its own kind of refusal means for the next try."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.entropy.health import BLOCK
from bot.entropy.opening import open_web, sources
from bot.entropy.service import Fetched, RemoteService, ServiceStatus
from bot.entropy.web import Refused, Web, retry_after
from tests.entropy.clocks import FakeClock
from tests.support.services import EMAIL, KEY, Mood, Service, Services, services

HOUR = 3600.0


async def ask(loopback: Services, service: Service, clock: FakeClock | None = None) -> Fetched:
    """What the service's client makes of its answer."""
    config = loopback.only(service)
    (source,) = (source for source in sources(config) if not isinstance(source, ServiceStatus))
    async with open_web(config, clock or FakeClock()) as web:
        return await source.fetch(web, BLOCK)


async def refusal(loopback: Services, service: Service, clock: FakeClock | None = None) -> Refused:
    """The refusal that asking ends with."""
    with pytest.raises(Refused) as caught:
        await ask(loopback, service, clock)
    return caught.value


QUESTIONS = {
    Service.RANDOM_ORG: {
        "num": "1024", "min": "0", "max": "255", "col": "1", "base": "16", "format": "plain", "rnd": "new",
    },
    Service.AQN: {"length": "1024", "type": "uint8"},
    Service.OUTSHIFT: {"encoding": "raw", "format": "all", "bits_per_block": 16, "number_of_blocks": 512},
    Service.LFD: {"length": "1024", "format": "HEX"},
    Service.ANU: {"length": "1024", "type": "uint8"},
    Service.QRANDOM: {"min": "0", "max": "65535", "n": "512"},
}  # fmt: skip


@pytest.mark.parametrize("service", QUESTIONS)
async def test_the_question_is_the_documented_one(loopback: Services, service: Service) -> None:
    """A block is asked for in the service's own words."""
    answer = await ask(loopback, service)

    assert loopback.requests[-1][:2] == (service, QUESTIONS[service])
    assert answer.data == loopback.sent[-1]


async def test_json_rpc_asks_for_one_blob(loopback: Services) -> None:
    """random.org's JSON-RPC is asked for one blob of 8,192 bits in base64, as application/json."""
    await ask(loopback, Service.RANDOM_ORG_RPC)
    _, question, headers = loopback.requests[-1]

    assert headers["Content-Type"] == "application/json"
    assert question["method"] == "generateBlobs"
    assert question["params"] == {"apiKey": KEY, "n": 1, "size": 8192, "format": "base64"}


@pytest.mark.parametrize("service", Service)
async def test_every_request_says_who_asks(loopback: Services, service: Service) -> None:
    """The User-Agent has our name and the operator's addresses; a key goes only to its own service."""
    await ask(loopback, service)
    headers = [headers for _, _, headers in loopback.requests]

    assert {h["User-Agent"] for h in headers} == {f"Evenhand (+https://example.org/evenhand; {EMAIL})"}
    assert {name for h in headers for name, value in h.items() if value == KEY} == {
        Service.AQN: {"x-api-key"},
        Service.OUTSHIFT: {"x-id-api-key"},
    }.get(service, set[str]())


async def test_random_org_looks_at_its_quota_before_it_asks(loopback: Services) -> None:
    """The quota comes first, and what is left of it is told."""
    answer = await ask(loopback, Service.RANDOM_ORG)

    assert [set(query) for _, query, _ in loopback.requests] == [
        {"format"},
        set(QUESTIONS[Service.RANDOM_ORG]),
    ]
    assert answer.quota == 1_000_000 - 8192 == loopback.quota
    assert answer.wait is None


async def test_random_org_becomes_sparing_when_only_the_daily_bits_are_left(loopback: Services) -> None:
    """Below 200,000 bits it is asked once an hour: 24 blocks of 8,192 bits are less than a day's bits."""
    loopback.quota = 200_000 + 8192
    answer = await ask(loopback, Service.RANDOM_ORG)

    assert answer.wait == HOUR
    assert 24 * 8 * BLOCK < 200_000


@pytest.mark.parametrize("quota", [-3512, 0, 8191])
async def test_random_org_is_left_alone_when_the_quota_is_used_up(loopback: Services, quota: int) -> None:
    """Without enough bits nothing is asked for, and not even the quota for ten minutes."""
    loopback.quota = quota
    refused = await refusal(loopback, Service.RANDOM_ORG)

    assert (refused.quota, refused.wait) == (quota, 600.0)
    assert len(loopback.requests) == 1
    assert not loopback.sent


async def test_random_org_is_off_without_an_operators_address(loopback: Services) -> None:
    """Its rules want somebody to write to, so it is not asked until there is somebody."""
    config = replace(loopback.only(Service.RANDOM_ORG), operator_email=None)

    assert all(isinstance(source, ServiceStatus) for source in sources(config))


async def test_json_rpc_waits_as_advised(loopback: Services) -> None:
    """`advisoryDelay` is milliseconds."""
    loopback.advisory_delay = 2_500_000
    answer = await ask(loopback, Service.RANDOM_ORG_RPC)

    assert answer.wait == 2500.0


@pytest.mark.parametrize("mood", [Mood.NO_QUOTA, Mood.WRONG_KEY])
async def test_json_rpc_stops_until_midnight_utc(loopback: Services, mood: Mood) -> None:
    """With the day's allowance used up, or a key it does not know, it is asked again at 00:00 UTC."""
    loopback.moods[Service.RANDOM_ORG_RPC] = mood
    refused = await refusal(
        loopback, Service.RANDOM_ORG_RPC, FakeClock(datetime(2026, 1, 31, 22, tzinfo=UTC))
    )

    assert refused.wait == 2 * HOUR


async def test_json_rpc_that_has_too_few_bits_left_is_not_asked_for_them(loopback: Services) -> None:
    """The last block of the day is used, and the next one waits for midnight."""
    loopback.quota = 8192 + 8191
    answer = await ask(loopback, Service.RANDOM_ORG_RPC)

    assert (answer.quota, answer.wait) == (8191, 4 * HOUR)


@pytest.mark.parametrize("service", [Service.AQN, Service.OUTSHIFT])
async def test_a_key_that_is_refused_is_not_tried_all_the_time(loopback: Services, service: Service) -> None:
    """A wrong key is said to be one, and tried again an hour later."""
    loopback.moods[service] = Mood.WRONG_KEY
    refused = await refusal(loopback, service)

    assert (str(refused), refused.wait) == ("it does not accept our key", HOUR)


@pytest.mark.parametrize("service", [s for s in Service if s is not Service.RANDOM_ORG_RPC])
@pytest.mark.parametrize("mood", [Mood.STATUS_500, Mood.ERROR_503])
async def test_retry_after_is_heard(loopback: Services, service: Service, mood: Mood) -> None:
    """A service that says when to come back is believed."""
    loopback.moods[service] = mood
    loopback.retry_after = "1234"
    refused = await refusal(loopback, service)

    assert refused.wait == 1234.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("90", 90.0),
        ("-5", 0.0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        (f"Sat, 21 Nov {10**20} 20:01:30 GMT", None),
        ("Sat, 21 Nov 2026 20:01:30 GMT", 90.0),
        ("Sat, 21 Nov 2026 20:01:30", 90.0),
        ("Sat, 21 Nov 2026 19:00:00 GMT", 0.0),
    ],
)
def test_retry_after_has_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    """Both forms of the header are read, and nonsense is no wait."""
    assert retry_after(header, datetime(2026, 11, 21, 20, 0, tzinfo=UTC)) == seconds


async def test_no_connection_is_a_refusal() -> None:
    """A service that isn't there is refused in our words."""
    async with services() as loopback:
        config = loopback.only(Service.LFD)
    (source,) = (source for source in sources(config) if not isinstance(source, ServiceStatus))
    async with open_web(config, FakeClock()) as web:
        reason = await _reason(source, web)

    assert reason == "no connection"


async def _reason(source: RemoteService, web: Web) -> str:
    with pytest.raises(Refused) as caught:
        await source.fetch(web, BLOCK)
    return str(caught.value)
