"""Roll details: all that is known of a message's roll, for those who may see it."""

from simcord import InteractionResult, MemberActor

from cogs.roll.words import NO_ROLL
from tests.support.table import Table, totals
from tests.support.turns import turns
from tests.support.wire import reply

LONG = 0.2
"""Seconds of processor time for which the loop is never held; the odds below take three times that."""


async def details(t: Table, rolled: InteractionResult, actor: MemberActor | None = None) -> str:
    """What the menu of a roll's message tells."""
    who = actor or t.bob
    answer = reply(await who.context_menu(t.channel, "Roll details", reply(rolled)))
    assert answer.ephemeral
    return answer.content


async def test_the_odds_and_the_memory_of_the_moment_are_told(t: Table) -> None:
    """The sixth card was certain when it was drawn; what happened since does not change what is told."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.ann, "roll", dice="cards", times=5)
    sixth = await t.slash(t.ann, "roll", dice="cards")
    face = totals(reply(sixth).content)[0]
    at_once = await details(t, sixth)
    await t.says(t.ann, "roll", dice="cards", times=3)

    assert f"The chance of `{face}` was 100%; without a memory it is 16.7%." in at_once
    assert "The roller then: deck of 1d6, 6 cards, refilled when empty." in at_once
    assert f"Its memory before: 1 card left: `{face}` 1.\nAfter: 6 cards left: " in at_once
    assert "computer-random bits" in at_once
    assert "I worked it out again from its record: it comes out the same." in at_once
    assert len(at_once.split("Leaf `")[1].partition("`")[0]) == 64
    assert await details(t, sixth) == at_once


async def test_details_by_number(t: Table) -> None:
    """The command tells what the menu of the message tells; a number without a roll is refused."""
    refused = await t.whispers(t.bob, "details", number=1)
    rolled = await t.slash(t.ann, "roll", dice="2d6")
    told = await t.whispers(t.bob, "details", number=1)

    assert refused == "Nobody rolled here yet."
    assert told == await details(t, rolled)
    assert await t.whispers(t.bob, "details", number=2) == "There is no roll #2 here."


async def test_an_undone_roll_says_so(t: Table) -> None:
    """In its details, and where it was hidden and is looked at or revealed; its message can't be changed."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    rolled = await t.slash(t.ann, "roll", dice="Luck", visibility="gm")
    notice = rolled.followups[-1]
    before = reply(await t.press(notice, "Look", t.mara)).content
    await t.says(t.mara, "roller undo", name="Luck")
    looked = reply(await t.press(notice, "Look", t.mara)).content
    shown = reply(await t.press(notice, "Reveal", t.mara)).content
    told = await t.whispers(t.bob, "details", number=2)

    assert "undone" not in before
    for text in (looked, shown, told):
        assert " · #2 · undone, so it doesn't count" in text


async def test_dice_are_drawn(t: Table) -> None:
    """Details show the pictures that the roll shows; a campaign without pictures has figures."""
    t.bot.pictures = {name: f"<:{name}:1>" for name in (f"d6_{face}" for face in range(1, 7))}
    rolled = await t.slash(t.ann, "roll", dice="2d6")
    drawn = [await details(t, rolled), await t.whispers(t.bob, "details", number=1)]
    await t.says(t.mara, "admin settings", faces=False)

    assert [told.partition("\n")[0] for told in drawn] == [reply(rolled).content.partition("\n")[0]] * 2
    assert [told.count("<:d6_") for told in (*drawn, await details(t, rolled))] == [2, 2, 0]


async def test_plain_dice_and_practice_have_no_memory(t: Table) -> None:
    """Their details are dice, time and seal; practice has the odds of a first roll."""
    plain = await t.slash(t.ann, "roll", dice="4d6kh3")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.ann, "roll", dice="cards", times=5)
    practice = await t.slash(t.ann, "roll", dice="cards", practice=True)

    assert "memory" not in await details(t, plain)
    assert "was 16.7%; without a memory it is 16.7%" in await details(t, practice)


async def test_details_keep_what_is_hidden_and_what_is_the_gms(t: Table) -> None:
    """A hidden roll tells nothing to others; where odds are the GM's, a player reads none."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "admin settings", odds="gms")
    rolled = await t.slash(t.ann, "roll", dice="cards")
    blind = await t.slash(t.ann, "roll", dice="cards", visibility="blind")

    assert "The chance of" not in await details(t, rolled)
    assert "The chance of" in await details(t, rolled, t.mara)
    assert await details(t, blind) == "#4 is hidden from you. Who may see it can reveal it."
    assert "The chance of" in await details(t, blind, t.mara)


async def test_a_memory_tells_no_hidden_roll(t: Table) -> None:
    """With a hidden roll in it neither details nor odds show figures; its own player reads them alone."""
    await t.says(t.mara, "roller fair", name="Luck", dice="1d6")
    await t.slash(t.ann, "roll", dice="Luck", visibility="gm")
    after = await t.slash(t.bob, "roll", dice="Luck")
    told = {who: await details(t, after, who) for who in (t.ann, t.mara, t.bob)}
    refused = await t.whispers(t.bob, "odds", what="Luck")
    alone = reply(await t.slash(t.ann, "odds", what="Luck"))
    await t.press(await t.slash(t.mara, "roller reset", name="Luck"), "Reset it", t.mara)
    reset = reply(await t.slash(t.bob, "odds", what="Luck"))

    assert ["Its memory before" in told[who] for who in (t.ann, t.mara, t.bob)] == [True, True, False]
    assert "a hidden roll is in them" in told[t.bob]
    assert "A hidden roll is in the memory of Luck" in refused
    assert [alone.ephemeral, reset.ephemeral] == [True, False]


async def test_other_messages_have_no_details(t: Table) -> None:
    """What is no roll is said to be none."""
    made = await t.slash(t.mara, "roller deck", refill=1, name="Cards")

    assert await details(t, made) == NO_ROLL


async def test_a_roll_whose_odds_take_too_long_has_details(t: Table) -> None:
    """Its dice and its proof are told, without the odds."""
    await t.says(t.ann, "roll", dice="cortex 6 6 6 6 6 diff 9")
    told = await t.whispers(t.ann, "details", number=1)

    assert "The roller then: " in told
    assert "Leaf `" in told
    assert "The chance of" not in told


async def test_the_odds_of_a_games_roll_hold_nobody_up(t: Table) -> None:
    """They are worked out beside the loop, which goes on meanwhile."""
    await t.says(t.ann, "roll", dice="rolemaster open")
    async with turns() as counter:
        told = await t.whispers(t.ann, "details", number=1)

    assert "The chance of" in told
    assert counter.longest < LONG
