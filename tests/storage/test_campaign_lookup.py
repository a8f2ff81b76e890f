"""Campaigns and the channels that play them: rollers for all of them, and what a new one takes along."""

import asyncio

import pytest

from bot.campaign.campaign_commands import ArchiveCampaign, CreateCampaign, RenameCampaign, UseCampaign
from bot.campaign.campaigns import Master, MasterKind
from bot.campaign.command import Caller, Command
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Event
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError, NotationError
from bot.storage import campaigns, reading
from bot.storage.belongings import save_roll, saved_rolls
from tests.storage.asking import Storage, caller, fair

THREAD = 11


async def write(storage: Storage, who: Caller, command: Command) -> Event:
    """The event of a command."""
    return (await storage.writer.write(who, command)).event


async def played(storage: Storage, channel: int, parent: int | None = None) -> int:
    """The number of the campaign that is played there, 0 for none."""
    return await storage.reader.do(campaigns.played(caller(channel, parent=parent)))


async def keys(storage: Storage) -> list[int]:
    """The numbers of the campaigns that are a channel's own."""
    return await storage.numbers("SELECT id FROM campaign WHERE key LIKE 'channel:%' ORDER BY id")


async def test_a_campaigns_roller_is_one_wherever_it_is_played(storage: Storage) -> None:
    """Two channels and a thread that play a campaign roll on one memory, from one history."""
    await write(storage, caller(1), CreateCampaign("Dragons", fresh=False))
    await write(storage, caller(1), fair("evil"))
    await write(storage, caller(2), RollDice("2d6"))
    await write(storage, caller(2), UseCampaign(1))
    places = [(1, None), (2, None), (THREAD, 2)]
    rolls = [await write(storage, caller(c, parent=p), RollDice("EVIL")) for c, p in places * 2]
    roller, memory = await storage.reader.do(reading.find_roller(1, "evil", 1))
    names = [one.name for one in await storage.reader.do(reading.rollers(1))]

    assert {event.campaign_id for event in rolls} == {1}
    assert [event.channel_id for event in rolls] == [1, 2, THREAD] * 2
    assert [event.roll.before for event in rolls[1:]] == [event.roll.after for event in rolls[:-1]]
    assert memory == rolls[-1].roll.after
    assert roller
    assert (roller.last, names) == (rolls[-1].seq, ["evil"])
    with pytest.raises(NotationError):
        await write(storage, caller(3), RollDice("evil"))


async def test_together_in_several_channels_is_one_after_the_other(storage: Storage) -> None:
    """Of many who roll at once in all its channels, each finds the memory that the one before left."""
    await write(storage, caller(1), CreateCampaign("Dragons", fresh=False))
    await write(storage, caller(1), fair("evil"))
    await write(storage, caller(2), UseCampaign(1))
    who = [caller(n % 2 + 1, user=n) if n % 3 else caller(THREAD, user=n, parent=2) for n in range(30)]
    rolls = await asyncio.gather(*(write(storage, one, RollDice("evil")) for one in who))

    assert [event.roll.before for event in rolls[1:]] == [event.roll.after for event in rolls[:-1]]


async def test_a_new_campaign_takes_the_channels_history_along(storage: Storage) -> None:
    """Events, rollers, memories and saved rolls are its own; who asked is its first game master."""
    await write(storage, caller(1), fair("evil"))
    before = [await write(storage, caller(1), one) for one in (RollDice("evil"), roll_register(4))]
    await storage.transact(save_roll((before[0].campaign_id, 1), "fire", "8d6", 50))
    own = await keys(storage)
    created = await write(storage, caller(1, user=5), CreateCampaign("Dragons", fresh=False))
    rolled = await write(storage, caller(1), RollDice("evil"))
    found = await storage.reader.do(campaigns.campaign(created.campaign_id))

    assert (created.campaign_id, created.seq) == (before[0].campaign_id, 4)
    assert rolled.roll.before == before[0].roll.after
    assert found
    assert (found.campaign.name, found.campaign.own, found.seq) == ("Dragons", False, 5)
    assert (own, await keys(storage)) == ([1], [])
    assert await storage.reader.do(saved_rolls((1, 1))) == [("fire", "8d6")]
    assert await storage.reader.do(campaigns.masters(1)) == {Master(MasterKind.USER, 5)}


async def test_after_the_archive_the_channel_has_a_new_campaign_of_its_own(storage: Storage) -> None:
    """It begins with #1 and has no rollers, in the thread too; the archived one comes back with all."""
    await write(storage, caller(1), fair("evil"))
    await write(storage, caller(THREAD, parent=1), RollDice("evil"))
    await write(storage, caller(1), CreateCampaign("Dragons", fresh=False))
    await write(storage, caller(1), ArchiveCampaign(None))
    with pytest.raises(NotationError):
        await write(storage, caller(1), RollDice("evil"))
    nowhere = await played(storage, 1), await played(storage, THREAD, 1)
    anew = await write(storage, caller(1), RollDice("2d6"))
    in_thread = await write(storage, caller(THREAD, parent=1), RollDice("2d6"))
    await write(storage, caller(1), UseCampaign(1))
    back = await write(storage, caller(THREAD, parent=1), RollDice("evil"))

    assert nowhere == (0, 0)
    assert anew.campaign_id != 1
    assert [(e.campaign_id, e.seq) for e in (anew, in_thread)] == [(anew.campaign_id, n) for n in (1, 2)]
    assert (back.campaign_id, back.seq) == (1, 6)
    assert await keys(storage) == [anew.campaign_id]


async def test_a_fresh_start_leaves_the_channels_own_as_it_is(storage: Storage) -> None:
    """The new one begins empty; what was there stays the channel's own, to come back to."""
    await write(storage, caller(1), fair("evil"))
    created = await write(storage, caller(1), CreateCampaign("Dragons", fresh=True))
    with pytest.raises(NotationError):
        await write(storage, caller(1), RollDice("evil"))
    here = await played(storage, 1)
    await write(storage, caller(1), UseCampaign(None))
    back = await write(storage, caller(1), RollDice("evil"))

    assert (created.seq, here) == (1, created.campaign_id)
    assert created.campaign_id != back.campaign_id
    assert (back.campaign_id, back.seq) == (1, 3)
    assert await keys(storage) == [1]


async def test_a_campaign_is_made_where_nothing_was_played(storage: Storage) -> None:
    """With its making as #1; a thread takes its channel along and follows it as before."""
    created = await write(storage, caller(THREAD, parent=1), CreateCampaign("Dragons", fresh=False))
    await write(storage, caller(1), CreateCampaign("Elves", fresh=True))
    follows = await storage.numbers("SELECT follows FROM channel ORDER BY channel_id")

    assert (created.campaign_id, created.seq) == (1, 1)
    assert follows == [None, 1]
    assert await played(storage, THREAD, 1) == await played(storage, 1) == 2


@pytest.mark.parametrize("fresh", [False, True])
async def test_a_creation_delivered_twice_makes_one(storage: Storage, *, fresh: bool) -> None:
    """At once or later, the second delivery is answered the same."""
    press = caller(1)
    command = CreateCampaign("Dragons", fresh=fresh)
    await write(storage, caller(1), RollDice("2d6"))
    both = await asyncio.gather(*(storage.writer.write(press, command) for _ in range(2)))
    later = await storage.writer.write(press, command)

    assert [one.new for one in (*both, later)] == [True, False, False]
    assert both[0].event == both[1].event == later.event
    assert await storage.numbers("SELECT count(*) FROM campaign WHERE name = 'Dragons'") == [1]


async def test_of_two_creations_at_once_one_takes_the_history(storage: Storage) -> None:
    """The other is refused, and renames nothing: a campaign that was made is not made once more."""
    await write(storage, caller(1), RollDice("2d6"))
    results = await asyncio.gather(
        *(
            storage.writer.write(caller(1), CreateCampaign(name, fresh=False))
            for name in ("Dragons", "Elves")
        ),
        return_exceptions=True,
    )
    found = await storage.reader.do(campaigns.campaign(1))

    assert isinstance(results[1], DiceError)
    assert "Dragons" in str(results[1])
    assert found
    assert (found.campaign.name, found.seq) == ("Dragons", 2)


async def test_a_named_campaign_is_not_taken_along(storage: Storage) -> None:
    """Also a channel's own one stays as it is, for it may be played elsewhere by its name."""
    await write(storage, caller(1), RenameCampaign(None, "Tavern"))
    await write(storage, caller(2), UseCampaign(1))
    for channel in (1, 2):
        with pytest.raises(DiceError, match="Tavern is played here and stays as it is"):
            await write(storage, caller(channel), CreateCampaign("Dragons", fresh=False))

    assert (await keys(storage))[0] == 1
    assert await played(storage, 1) == await played(storage, 2) == 1
