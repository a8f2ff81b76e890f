"""The rules that a server's campaigns begin with."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace

import pytest

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Footer
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.services.campaigns import Campaigns
from bot.storage.engine import Database
from bot.storage.faults import Fault
from bot.storage.queries import Connection
from bot.storage.writer import Writer
from tests.storage.asking import Storage, audited, caller, gm, seeded_draws


async def test_two_who_change_them_at_once_both_get_theirs(storage: Storage) -> None:
    """Each reads what it changes in the transaction that changes it."""
    campaigns, asker = Campaigns(storage), gm(1)
    await asyncio.gather(
        campaigns.set_usual(asker, {"footer": Footer.FULL}), campaigns.set_usual(asker, {"pace": 3})
    )
    rules = await campaigns.usual(asker)

    assert (rules.footer, rules.pace) == (Footer.FULL, 3)


async def test_campaigns_that_follow_their_server_stay_whole(storage: Storage) -> None:
    """One interaction changes all of them, and each history holds by itself."""
    for channel in (1, 2, 3):
        await storage.writer.write(caller(channel), RollDice("1d6"))
    *_, followed = await Campaigns(storage).set_usual(gm(1), {"pace": 3})
    for campaign in (1, 2, 3):
        await audited(storage, campaign)

    assert followed == 3


@pytest.mark.parametrize("transactions", [0, 1, 2])
async def test_a_server_whose_bot_stopped_is_set_by_asking_again(storage: Storage, transactions: int) -> None:
    """After any of its transactions; until then all campaigns have the same settings."""
    for channel in (1, 2, 3):
        await storage.writer.write(caller(channel), RollDice("1d6"))
    database = _stopping(storage.database, transactions)
    async with aclosing(Writer(database, seeded_draws())) as writer:
        stopping = replace(storage, database=database, writer=writer)
        with suppress(Unavailable):
            await Campaigns(stopping).set_usual(gm(1), {"pace": 3})
    campaigns = Campaigns(storage)
    amid = [(await campaigns.rules(caller(channel))).pace for channel in (1, 2, 3)]
    await campaigns.set_usual(gm(1), {"pace": 3})
    after = [(await campaigns.rules(caller(channel))).pace for channel in (1, 2, 3)]
    usual = await campaigns.usual(gm(1))

    assert len({*amid}) == 1
    assert (after, usual.pace) == ([3, 3, 3], 3)


@pytest.mark.parametrize(
    ("begun", "transactions"), [(begun, last) for last in range(1, 6) for begun in range(1, last + 1)]
)
async def test_a_campaign_that_begins_meanwhile_follows_too(
    storage: Storage, begun: int, transactions: int
) -> None:
    """It begins before any transaction; wherever the bot stops then, asking again finds it."""
    await storage.writer.write(caller(1), RollDice("1d6"))

    async def begin(number: int) -> None:
        if number == begun:
            await storage.writer.write(caller(2), RollDice("1d6"))

    database = _stopping(storage.database, transactions, begin)
    async with aclosing(Writer(database, seeded_draws())) as writer:
        stopping = replace(storage, database=database, writer=writer)
        with suppress(Unavailable):
            await Campaigns(stopping).set_usual(gm(1), {"pace": 3})
    campaigns = Campaigns(storage)
    await campaigns.set_usual(gm(1), {"pace": 3})
    await storage.writer.write(caller(2), RollDice("1d6"))
    after = [(await campaigns.rules(caller(channel))).pace for channel in (1, 2)]

    assert after == [3, 3]


async def _nothing(number: int) -> None:
    """Do nothing before a transaction."""


def _stopping(
    database: Database, transactions: int, before: Callable[[int], Awaitable[None]] = _nothing
) -> Database:
    """A database that writes in so many transactions and then no more; each is told which one it is."""
    left = [None] * transactions

    @asynccontextmanager
    async def writing() -> AsyncGenerator[Connection]:
        if not left:
            raise Fault("stopped")
        left.pop()
        await before(transactions - len(left))
        async with database.writing() as connection:
            yield connection

    return replace(database, writing=writing)


async def test_an_interaction_in_several_campaigns_has_an_answer_in_each(storage: Storage) -> None:
    """Delivered again, each campaign gives its own event, and none changes."""
    press = gm(1)
    for channel in (1, 2):
        await storage.writer.write(caller(channel), RollDice("1d6"))
    written = [
        await storage.writer.write(press, SetRules(campaign, {"pace": 3})) for campaign in (1, 2, 1, 2)
    ]

    first, second, *again = written
    assert [one.new for one in written] == [True, True, False, False]
    assert [one.event.campaign_id for one in written] == [1, 2, 1, 2]
    assert [one.event for one in again] == [first.event, second.event]
