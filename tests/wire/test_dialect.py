"""/campaign dialect: whose notation is read, and what is offered without one."""

import re

from tests.support.table import Table
from tests.support.wire import reply


async def test_a_text_with_several_laws_is_offered_as_buttons(t: Table) -> None:
    """Each reading has its program and its button; nothing is rolled before one is pressed."""
    refused = await t.slash(t.ann, "roll", dice="4d6r2")
    said = await t.pressed(refused, "Roll 4d6ro2", t.ann)

    assert reply(refused).ephemeral
    assert "`4d6ro<=2` (in Dice Maiden)" in reply(refused).content
    assert "`4d6ro2` (in Foundry)" in reply(refused).content
    assert "`4d6rr2` (in Roll20)" in reply(refused).content
    assert re.match(r"\*\*\d+\*\* ← 4d6ro2 \(", said)


async def test_a_chosen_dialect_is_read_and_shown_as_ours(t: Table) -> None:
    """The roll shows the canonical form; its details what was typed; *Roll again* rolls the same."""
    told = await t.says(t.mara, "campaign dialect", program="roll20")
    rolled = await t.slash(t.ann, "roll", dice="4d6r2 # fire")
    again = await t.pressed(rolled, "Again", t.ann)
    inclusive = await t.says(t.ann, "roll", dice="3d6>5")
    details = reply(await t.ann.context_menu(t.channel, "Roll details", reply(rolled))).content
    shown = await t.whispers(t.ann, "data show")

    assert "are read in the notation of Roll20" in told
    assert "← 4d6rr2 (" in reply(rolled).content
    assert "← 4d6rr2 (" in again
    assert "← 3d6\\>=5 (" in inclusive
    assert "Typed as `4d6r2`." in details
    assert "2 with words of yours" in shown


async def test_odds_are_of_what_would_be_rolled(t: Table) -> None:
    """Of three dice 5 counts too in Roll20; *Details* and what it is compared with are read once."""
    own = await t.says(t.ann, "odds", what="3d6>=5", versus="4d6rr<=2")
    await t.says(t.mara, "campaign dialect", program="roll20")
    asked = await t.slash(t.ann, "odds", what="3d6>5", versus="4d6r<2")
    details = await t.pressed(asked, "Details", t.ann)

    assert reply(asked).content == own
    assert "`3d6>=5`" in details


async def test_a_dialect_has_no_other_behind_it(t: Table) -> None:
    """What the chosen program does not define is refused, though others and Evenhand do."""
    await t.says(t.mara, "campaign dialect", program="avrae")
    refused = await t.whispers(t.ann, "roll", dice="3d6!{>=5}")

    assert "Avrae's notation has no such roll" in refused


async def test_only_game_masters_choose_the_dialect(t: Table) -> None:
    """A player is told who may; the settings say what holds."""
    refused = await t.whispers(t.ann, "campaign dialect", program="avrae")

    assert "Only game masters can do that" in refused
    assert "dice are read as in Evenhand" in await t.whispers(t.ann, "admin settings")


async def test_a_group_call_is_for_dice_of_the_dialect(t: Table) -> None:
    """A call shows the canonical form of what was typed."""
    await t.says(t.mara, "campaign dialect", program="foundry")
    called = await t.says(t.mara, "group call", check="Blow", dice="2d6x6")

    assert "`2d6!`" in called


async def test_checks_and_monsters_are_read_in_the_dialect(t: Table) -> None:
    """Their dice mean what they mean in /roll, on a luck account and when pressed again, too."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.says(t.mara, "campaign dialect", program="roll20")
    check = await t.slash(t.ann, "check", dice="4d6>2", dc=3)
    again = await t.pressed(check, "Again", t.ann)
    lucky = await t.says(t.mara, "check", dice="4d6>4", dc=2, roller="Luck")
    monsters = await t.says(t.mara, "group npc", dice="4d6>2", count=2)

    for said, dice in ((reply(check).content, 2), (again, 2), (lucky, 4), (monsters, 2)):
        assert f"4d6#{{\\>={dice}}} (" in said or f"4d6\\>={dice} (" in said, said


async def test_dice_maidens_comments_are_labels_and_its_private_rolls_are_private(t: Table) -> None:
    """Elsewhere no word hides a roll, and the bot says what does."""
    refused = [await t.whispers(t.ann, "roll", dice=dice) for dice in ("p 2d6", "d20+3 hidden", "gmroll d20")]
    await t.says(t.mara, "campaign dialect", program="dicemaiden")
    labelled = await t.says(t.ann, "roll", dice="1d20 + 5 ! to hit")
    private = await t.whispers(t.ann, "roll", dice="p 2d6")
    await t.says(t.ann, "roll", dice="2d6 ! meet at 5 p")
    await t.says(t.mara, "campaign dialect", program="avrae")
    for dice in ("2d6 p", "d20+5 [adv]"):
        await t.says(t.ann, "roll", dice=dice)

    assert all(
        said.startswith("No word hides a roll. For a hidden one, choose its `visibility`.")
        for said in refused
    )
    assert "\n-# to hit · #" in labelled
    assert "only you see this" in private
