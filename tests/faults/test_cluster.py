"""Several processes share a bot on PostgreSQL: each has its shards, and everything is answered once."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
from pydantic import SecretStr

from bot.cli.serving import shards_of
from bot.settings import Settings, SettingsError, load
from tests.support.discord import discord, served
from tests.support.table import numbered

ROLLS = 12


async def test_two_processes_serve_one_bot(tmp_path: Path, postgresql_url: str) -> None:
    """One of them has the server, the other has the conversations; one alone tells the commands."""
    async with discord(tmp_path / "table", shards=2) as d, AsyncExitStack() as stack:
        for number in (1, 2):
            (tmp_path / str(number)).mkdir()
            cluster = {"EVENHAND_CLUSTER": f"{number}/2", "EVENHAND_DATABASE": postgresql_url}
            await stack.enter_async_context(served(d, tmp_path / str(number), **cluster))
        await d.until(lambda: d.table.gateway.live(0) and d.table.gateway.live(1))
        said = [(await d.says(d.ann, "/roll 1d6")).text for _ in range(3)]
        shards = sorted(session.shard for session in d.table.gateway.sessions.values())

    assert [numbered(text) for text in said] == [1, 2, 3]
    assert shards == [(0, 2), (1, 2)]
    assert len(d.sent(r"PUT /applications/\d+/commands")) == 1


async def test_a_rolling_restart_answers_everybody_once(tmp_path: Path, postgresql_url: str) -> None:
    """The new process is there before the old one is stopped; both hear all, and each roll is told once."""
    async with discord(tmp_path / "table") as d, AsyncExitStack() as stack:
        both = {"EVENHAND_CLUSTER": "1/1", "EVENHAND_DATABASE": postgresql_url}
        old = await stack.enter_async_context(served(d, tmp_path, **both))
        await d.says(d.ann, "/roll 1d6")
        await stack.enter_async_context(served(d, tmp_path, **both))
        await d.until(lambda: sum(bool(s.connection) for s in d.table.gateway.sessions.values()) == 2)
        rolls = [asyncio.create_task(d.line(d.ann, "/roll 1d6")) for _ in range(ROLLS)]
        await asyncio.gather(*rolls[: ROLLS // 2])
        old.send_signal(signal.SIGTERM)
        opened = await asyncio.gather(*rolls)
        await old.wait()
        told = [(await d.answer(one)).text for one in opened if (await one.outcome).ok]
        after = (await d.says(d.bob, "/roll 1d6")).text

    numbers = sorted(numbered(text) for text in told if "restarting" not in text)
    assert len(told) == ROLLS
    assert numbers == [*range(2, len(numbers) + 2)]
    assert numbered(after) == len(numbers) + 2
    assert "reply may be lost" not in after


async def test_each_bucket_of_shards_has_a_queue_of_its_own(tmp_path: Path, postgresql_url: str) -> None:
    """Discord lets sixteen of the table's shards identify themselves at once: none waits for another."""
    settings = {"EVENHAND_SHARDS": "4", "EVENHAND_DATABASE": postgresql_url}
    async with discord(tmp_path / "table", shards=4) as d:
        async with served(d, tmp_path, **settings):
            await d.until(lambda: all(d.table.gateway.live(shard) for shard in range(4)))
        connection = await asyncpg.connect(postgresql_url)
        rows = await connection.fetch("SELECT name FROM turn ORDER BY name")
        await connection.close()

    assert [row["name"] for row in rows if "identify" in row["name"]] == [f"identify:{n}" for n in range(4)]


@pytest.mark.parametrize(
    ("cluster", "shards", "count", "ids"),
    [(None, 0, None, None), ("1/1", 0, 1, [0]), ("2/4", 8, 8, [1, 5]), ("4/4", 0, 4, [3])],
)
def test_each_process_has_its_shards(
    cluster: str | None, shards: int, count: int | None, ids: list[int] | None
) -> None:
    """Those whose number leaves the process's own, counted from 1, when divided by how many they are."""
    settings = Settings(_env_file=None).model_copy(  # pyright: ignore[reportCallIssue] -- pydantic's own
        update={"cluster": cluster, "shards": shards, "database": None}
    )
    if cluster:
        with pytest.raises(SettingsError, match="needs a PostgreSQL"):
            shards_of(settings)
        settings = _on_postgresql(settings)
    found = shards_of(settings)

    assert (found[0], found[1] and list(found[1])) == (count, ids)


def _on_postgresql(settings: Settings) -> Settings:
    return settings.model_copy(update={"database": SecretStr("postgresql://localhost/dice")})


def test_each_process_needs_a_shard() -> None:
    """Fewer shards than processes are refused at the start, in a sentence."""
    settings = Settings(_env_file=None).model_copy(  # pyright: ignore[reportCallIssue] -- pydantic's own
        update={"cluster": "4/4", "shards": 3}
    )
    with pytest.raises(SettingsError, match="EVENHAND_SHARDS is 3, too few for 4 processes"):
        shards_of(_on_postgresql(settings))


@pytest.mark.parametrize("cluster", ["5/4", "0/4", "2", "a/b"])
def test_a_process_that_can_not_be_is_refused(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence that names the setting."""
    monkeypatch.setenv("EVENHAND_CLUSTER", cluster)
    with pytest.raises(SettingsError, match="EVENHAND_CLUSTER can't be used"):
        shards_of(load(None))
