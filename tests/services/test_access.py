"""Rules of channels that are kept in memory: each way to change them makes the bot read them again."""

from collections.abc import Awaitable, Callable

import pytest

from bot.campaign.campaigns import USUAL
from bot.campaign.rolls import RollDice
from bot.services.campaigns import Campaigns
from bot.services.games import Games
from tests.storage.asking import Storage, caller, gm

CHANGES: dict[str, Callable[[Storage], Awaitable[object]]] = {
    "create": lambda storage: Campaigns(storage).create(gm(), "Longmarch"),
    "use": lambda storage: Campaigns(storage).use(gm(), None),
    "set_rules": lambda storage: Campaigns(storage).set_rules(gm(), {"pace": 3}),
    "set_usual": lambda storage: Campaigns(storage).set_usual(gm(), {"pace": 3}),
    "game": lambda storage: Games(storage).use(gm(), "blades"),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_makes_all_channels_read_their_rules_again(storage: Storage, change: str) -> None:
    """It may concern any of them."""
    await storage.writer.write(caller(), RollDice("1d6"))
    if change == "use":
        await Campaigns(storage).create(gm(), "Longmarch")
    before = await storage.rules.find(caller())
    storage.rules.learn(caller(2), before)
    await CHANGES[change](storage)
    here = await storage.rules.find(caller())

    assert before is not USUAL
    assert storage.rules.last_known(caller(2)) is USUAL
    assert here == await Campaigns(storage).rules(caller())
