"""The random services good, silent, down or lying: rolls are answered at once and labelled truly."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.dice.draws import Source
from tests.support.services import EMAIL, PATIENT, Mood, Service, Services, services
from tests.support.table import Table, table, totals


@asynccontextmanager
async def served(folder: Path, loopback: Services, *on: Service) -> AsyncGenerator[Table, None]:
    """A table whose bot knows these services, and no others."""
    addresses = {"random_org_url": Service.RANDOM_ORG, "lfd_url": Service.LFD}
    config = loopback.config()
    urls = {name: getattr(config, name) if service in on else None for name, service in addresses.items()}
    off = dict.fromkeys(
        ("random_org_rpc_url", "anu_url", "qrandom_url", "aqn_url", "outshift_url", "drand_url")
    )
    async with table(folder, remote_bits=True, operator_email=EMAIL, **urls, **off) as t:
        yield t


@pytest.mark.parametrize(
    ("on", "label", "words"),
    [
        ((Service.RANDOM_ORG,), Source.HALF, "half true-random bits"),
        ((Service.RANDOM_ORG, Service.LFD), Source.TRUE, " · true-random bits"),
    ],
)
async def test_remote_bits_are_named(
    tmp_path: Path, on: tuple[Service, ...], label: Source, words: str
) -> None:
    """Once the services have answered, rolls say that their bits are half or wholly true-random."""
    async with services() as loopback, served(tmp_path, loopback, *on) as t:
        async with asyncio.timeout(PATIENT):
            while t.supply._pool.source is not label:  # noqa: ASYNC110 - the pool tells nobody, it is only looked at
                await asyncio.sleep(0)
        await t.says(t.mara, "admin settings", footer="full")
        said = await t.says(t.ann, "roll", dice="2d6")

        assert words in said


@pytest.mark.parametrize(
    "mood",
    [Mood.SILENT, Mood.SLOW, Mood.HANGING_UP, Mood.ERROR_503, Mood.CONSTANT, Mood.HTML, Mood.TRUNCATED],
)
async def test_a_source_in_a_bad_mood_holds_no_roll_up(
    loopback: Services, tmp_path: Path, mood: Mood
) -> None:
    """Whether it is slow, down or lying: rolls go on with computer-random bits, and say so."""
    loopback.moods = dict.fromkeys(Service, mood)
    async with served(tmp_path, loopback, Service.RANDOM_ORG, Service.LFD) as t:
        async with asyncio.timeout(PATIENT):
            await loopback.asked.wait()
        rolls = [await t.says(t.ann, "roll", dice="20d20") for _ in range(5)]

        assert not any("random" in said for said in rolls)
        assert all(20 <= int(totals(said)[0]) <= 400 for said in rolls)
