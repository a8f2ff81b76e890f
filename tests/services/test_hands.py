"""Hands of cards: no more than a hand has room for, however quick the presses are."""

import asyncio

import pytest

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import HAND_LIMIT
from bot.campaign.command import RollOptions
from bot.campaign.deals import DealCards
from bot.campaign.hand_commands import DiscardCard, PlayCard
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.dice.errors import SpecError
from bot.services.hands import Dealing
from bot.services.pace import Pace
from bot.systems.registry import read_spec
from tests.storage.asking import Storage, caller, gm

_DRAW = DealCards("Cards", options=RollOptions(visibility=Visibility.SELF), hand=True)
_FULL = f"You hold {HAND_LIMIT} cards. A hand has room for {HAND_LIMIT}."


async def deck(storage: Storage) -> None:
    """Fifty cards."""
    await storage.writer.write(
        gm(), MakeRoller("Cards", read_spec({"system": "deck", "base": {"elk": 25, "owl": 25}}))
    )


async def test_two_draws_that_read_the_same_hand_are_not_one_too_many(storage: Storage) -> None:
    """In one batch and in two; another player's hand has room, and so has this one after a discard."""
    await deck(storage)
    many = await storage.writer.write_all([(caller(user=1), _DRAW)] * (HAND_LIMIT - 1))
    quick = await asyncio.gather(
        *(storage.writer.write(caller(user=1), _DRAW) for _ in range(2)), return_exceptions=True
    )
    with pytest.raises(SpecError) as later:
        await storage.writer.write(caller(user=1), _DRAW)
    await storage.writer.write(caller(user=2), _DRAW)
    gone = DiscardCard(*many.written[0].event.at)
    after = await storage.writer.write_all([(caller(user=1), gone)], lambda _: [(caller(user=1), _DRAW)])

    assert [str(one) for one in quick if isinstance(one, SpecError)] == [_FULL]
    assert str(later.value) == _FULL
    assert len(after.written) == 2


async def test_a_play_that_is_delivered_twice_is_one(storage: Storage) -> None:
    """Its hand is filled up once, and both deliveries hear of the same card."""
    await deck(storage)
    await storage.writer.write(gm(), SetRules(None, {"hand": 3}))
    service = Dealing(storage, Pace())
    held = await service.draw(caller(), "cards", 3)
    who, played = caller(), PlayCard(held.campaign_id, held.cards[0].seq)
    first, then = [await service.move(who, held.campaign_id, played) for _ in range(2)]

    assert first == then
    assert len(first[1].cards) == 3
