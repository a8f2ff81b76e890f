"""The rules that a server's campaigns begin with."""

import asyncio

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Footer
from bot.campaign.rolls import RollDice
from bot.services.campaigns import Campaigns
from tests.storage.asking import audited, caller, gm, opened


async def test_two_who_change_them_at_once_both_get_theirs(database_url: str) -> None:
    """Each reads what it changes in the transaction that changes it."""
    async with opened(database_url) as storage:
        campaigns, asker = Campaigns(storage), gm(1)
        await asyncio.gather(
            campaigns.set_usual(asker, {"footer": Footer.FULL}), campaigns.set_usual(asker, {"pace": 3})
        )
        rules = await campaigns.usual(asker)

    assert (rules.footer, rules.pace) == (Footer.FULL, 3)


async def test_campaigns_that_follow_their_server_stay_whole(database_url: str) -> None:
    """One interaction changes all of them, and each history holds by itself."""
    async with opened(database_url) as storage:
        for channel in (1, 2, 3):
            await storage.writer.write(caller(channel), RollDice("1d6"))
        changed = await Campaigns(storage).set_usual(gm(1), {"pace": 3})
        for campaign in (1, 2, 3):
            await audited(storage, campaign)

    assert changed.followed == 3


async def test_an_interaction_in_several_campaigns_has_an_answer_in_each(database_url: str) -> None:
    """Delivered again, each campaign gives its own event, and none changes."""
    press = gm(1)
    async with opened(database_url) as storage:
        for channel in (1, 2):
            await storage.writer.write(caller(channel), RollDice("1d6"))
        written = [
            await storage.writer.write(press, SetRules(campaign, {"pace": 3})) for campaign in (1, 2, 1, 2)
        ]

    first, second, *again = written
    assert [one.new for one in written] == [True, True, False, False]
    assert [one.event.campaign_id for one in written] == [1, 2, 1, 2]
    assert [one.event for one in again] == [first.event, second.event]
