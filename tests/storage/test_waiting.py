"""Who waited for a campaign sees all that was written meanwhile, and not only the campaign's own row."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.campaign.campaign_commands import CreateCampaign, UseCampaign
from bot.campaign.command import Caller, Command
from bot.campaign.proof_commands import ShowKeys
from bot.campaign.rolls import RollDice
from bot.storage.campaigns import change_usual_rules, usual_rules
from bot.storage.engine import read_address
from bot.storage.postgresql import open_pool
from bot.storage.queries import Control, Queries
from bot.storage.servers import reconcile
from bot.storage.transactions import Written
from tests.storage.asking import Storage, audited, caller, gm, nobody, opened
from tests.storage.test_ledgers import commit


@asynccontextmanager
async def two_processes(url: str) -> AsyncGenerator[tuple[Storage, Storage]]:
    """Two processes on one database, in whose first campaign somebody rolled."""
    async with opened(url) as first, opened(url) as second:
        await first.writer.write(gm(), RollDice("1d6"))
        yield first, second


def begun(queries: Queries[object]) -> Queries[None]:
    """The queries in a transaction that goes on."""
    yield Control.BEGIN
    yield from queries


def ended() -> Queries[None]:
    """The end of the transaction."""
    yield Control.COMMIT


async def at_once(first: Storage, second: Storage, *queries: Queries[object]) -> None:
    """The second process begins the second queries while the first process's transaction is still open."""
    async with first.database.writing() as connection:
        await connection.do(begun(queries[0]))
        other = asyncio.ensure_future(second.transact(queries[1]))
        while not await first.numbers("SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1"):  # noqa: ASYNC110
            await asyncio.sleep(0)
        await connection.do(ended())
    await other


async def one_after_the_other(url: str, *asked: tuple[Storage, Caller, Command]) -> list[Written]:
    """All wait for the first campaign before any of them has it; they get it in this order."""
    async with open_pool(read_address(url), 1) as pool, pool.acquire() as other, other.transaction():
        await other.execute("SELECT id FROM campaign WHERE id = 1 FOR UPDATE")
        writing: list[asyncio.Task[Written]] = []
        for storage, who, what in asked:
            writing.append(asyncio.ensure_future(storage.writer.write(who, what)))
            while await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < len(writing):  # noqa: ASYNC110
                await asyncio.sleep(0)
    return await asyncio.gather(*writing)


async def test_keys_that_were_just_shown_are_used(postgresql_url: str) -> None:
    """A roll that waited behind them has the key of its number."""
    async with two_processes(postgresql_url) as (first, second):
        who = gm()
        event = (await first.writer.write(who, commit())).event
        shown = ShowKeys(event.campaign_id, event.seq, who.interaction_id or 0)
        asked = (first, nobody(), shown), (second, caller(user=9), RollDice("2d6"))
        _, rolled = await one_after_the_other(postgresql_url, *asked)
        await audited(first)

    assert getattr(rolled.event.body, "key", "") != ""


async def test_a_roll_goes_where_the_channel_moved(postgresql_url: str) -> None:
    """The channel played another campaign by the time that it was the roll's turn."""
    async with two_processes(postgresql_url) as (first, second):
        await first.writer.write(gm(2), CreateCampaign("Tower", fresh=True))
        tower = (await first.writer.write(gm(2), RollDice("1d6"))).event.campaign_id
        asked = (first, gm(), UseCampaign(tower)), (second, caller(user=9), RollDice("2d6"))
        _, rolled = await one_after_the_other(postgresql_url, *asked)

    assert rolled.event.campaign_id == tower


async def test_two_settings_of_a_server_are_both_kept(postgresql_url: str) -> None:
    """Two processes change another one each at the same time, the first ones that the server ever has."""
    async with two_processes(postgresql_url) as (first, second):
        await at_once(first, second, *(change_usual_rules(7, {name: 3}, [1]) for name in ("pace", "hand")))
        rules = (await first.reader.do(usual_rules([7])))[7]

    assert (rules.pace, rules.hand) == (3, 3)


async def test_a_server_is_noted_by_two_processes_at_once(postgresql_url: str) -> None:
    """Both start at the same time, and find that the bot is on a server of which nothing is stored."""
    async with two_processes(postgresql_url) as (first, second):
        await at_once(first, second, *(reconcile(frozenset({7}), lambda _: True) for _ in range(2)))
        stored = await first.numbers("SELECT guild_id FROM server")

    assert stored == [7]
