"""/lab sources: what feeds the dice, in private; each source, for those who manage the server."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import SecretStr

from bot.dice.draws import Source
from bot.entropy.service import EntropyStatus, ServiceState
from bot.words.text import bits, capital
from tests.support.services import EMAIL, KEY, PATIENT, Mood, Service, Services, services
from tests.support.table import Table, table
from tests.support.wire import reply


@asynccontextmanager
async def served(folder: Path, loopback: Services) -> AsyncGenerator[Table, None]:
    """A table whose bot knows random.org with a key and lfdr.de, and no other source."""
    config = loopback.config()
    off = dict.fromkeys(("random_org_url", "anu_url", "qrandom_url", "aqn_url", "outshift_url"))
    async with table(
        folder,
        remote_bits=True,
        operator_email=EMAIL,
        random_org_rpc_url=config.random_org_rpc_url,
        random_org_key=SecretStr(KEY),
        lfd_url=config.lfd_url,
        **off,
    ) as t:
        yield t


async def until(t: Table, happened: Callable[[EntropyStatus], bool]) -> None:
    """Wait for what goes on in the background; the test fails if that takes half a minute."""
    room = t.app.health.entropy
    async with asyncio.timeout(PATIENT):
        while not happened(room.status()):  # noqa: ASYNC110 - the room tells nobody, it is only looked at
            await asyncio.sleep(0)


async def test_offline_it_says_so_in_a_players_words(t: Table) -> None:
    """Without sources: what rolls get, that no source is on, and that nothing was rolled yet."""
    lines = (await t.whispers(t.ann, "lab sources")).splitlines()

    assert lines[0] == "**Computer-random bits** · for the next roll"
    assert lines[2:5] == [
        "Atmospheric noise: no source is switched on.",
        "Quantum noise: no source is switched on.",
        "Nobody rolled openly here yet.",
    ]
    assert t.seen_by(t.bob) == []


async def test_it_uses_the_words_of_the_rolls_and_counts_them(tmp_path: Path) -> None:
    """A roll is called what /lab sources foretold, and counted so; a hidden one is not yet."""
    async with services() as loopback, served(tmp_path, loopback) as t:
        await until(t, lambda status: status.source is Source.TRUE)
        before = await t.whispers(t.ann, "lab sources")
        rolls = [await t.says(t.ann, "roll", dice="1d20"), await t.says(t.bob, "roll", dice="2d6")]
        await t.slash(t.ann, "roll", dice="1d6", visibility="blind")
        after = await t.whispers(t.bob, "lab sources")

        words = bits(Source.TRUE)
        assert before.startswith(f"**{capital(words)}** · for the next roll")
        assert all(said.endswith(" · true-random") for said in rolls)
        assert f"here so far: 2, 100% true-random (2 with {words})." in after
        assert "Atmospheric noise: 8,1" in after
        assert "Quantum noise: 8,1" in after


async def test_only_who_manages_the_server_sees_the_sources(loopback: Services, tmp_path: Path) -> None:
    """Mara gets a line for each source; Ann the same without them; nobody the key."""
    loopback.moods[Service.LFD] = Mood.CONSTANT
    async with served(tmp_path, loopback) as t:
        await until(t, lambda status: status.source is Source.HALF)
        await until(t, lambda status: ServiceState.FAILING in {source.state for source in status.sources})
        maras, anns = await t.whispers(t.mara, "lab sources"), await t.whispers(t.ann, "lab sources")

        sources = [line for line in maras.splitlines() if line.startswith("- ")]
        assert len(sources) == len(Service)
        assert "- random.org: off, switched off in the settings" in sources
        assert any(
            line.startswith("- random.org (key): fine · 1 block used · quota 991,808 bits · may be asked in")
            for line in sources
        )
        assert any(
            line.startswith("- lfdr.de: failing, failed its health test: one byte repeated in a row")
            for line in sources
        )
        assert "Half true-random bits" in anns
        assert not any(service in anns for service in Service)
        assert maras.startswith(anns)
        assert KEY not in maras


async def test_alone_with_the_bot_it_answers_too(t: Table) -> None:
    """In direct messages it says what feeds the dice, and counts what was rolled there."""
    await t.says(t.ann, "roll", dice="1d6")
    await t.ann.user.slash("roll", dice="1d6")
    await t.ann.user.slash("roll", dice="1d6")
    said = reply(await t.ann.user.slash("lab sources")).content

    assert "here so far: 2, 0% true-random (2 with computer-random bits)." in said
