"""The rules that a server's campaigns begin with."""

import asyncio

from bot.campaign.campaigns import Footer
from bot.services.campaigns import Campaigns
from tests.storage.asking import gm, opened


async def test_two_who_change_them_at_once_both_get_theirs(database_url: str) -> None:
    """Each reads what it changes in the transaction that changes it."""
    async with opened(database_url) as storage:
        campaigns, asker = Campaigns(storage), gm(1)
        await asyncio.gather(
            campaigns.set_usual(asker, {"footer": Footer.FULL}), campaigns.set_usual(asker, {"pace": 3})
        )
        rules = await campaigns.usual(asker)

    assert (rules.footer, rules.pace) == (Footer.FULL, 3)
