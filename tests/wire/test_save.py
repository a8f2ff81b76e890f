"""/save: rolls under a name, each player's own."""

import re
from pathlib import Path

import pytest
from discord import InteractionType
from simcord import InteractionResult, MemberActor
from simcord.components import walk_components

from cogs.roll import words
from tests.support.groups import labels
from tests.support.pressing import arrives
from tests.support.table import Table, numbered, table, totals
from tests.support.wire import reply


async def removes(t: Table, who: MemberActor, value: str) -> str:
    """What is left, or why not, when somebody chooses from the lists under their saved rolls."""
    return reply(await who.select(reply(await t.slash(who, "save")), [value])).content


def menus(shown: InteractionResult) -> list[tuple[str, str]]:
    """What the lists of a message offer to remove: values and descriptions."""
    lists = [part for part in walk_components(reply(shown).components) if part["type"] == 3]
    return [(one["value"], one["description"]) for part in lists for one in part["options"]]


async def test_a_saved_roll_is_rolled_by_its_name(t: Table) -> None:
    """In any case, with what was typed as the label; it is offered to its owner, and unknown to others."""
    await t.says(t.ann, "roll", dice="1d6")
    kept = await t.whispers(t.ann, "save", name="Fire Ball", dice="8d6+1000")
    rolled = await t.says(t.ann, "roll", dice="fire ball")
    own = await t.says(t.ann, "roll", dice="Fire Ball", label="Owl")
    refused = await t.whispers(t.bob, "roll", dice="fire ball")

    assert kept == "Saved: `8d6+1000` as `Fire Ball`. Roll it with `/roll Fire Ball`."
    assert re.match(r"\*\*10.*\n-# fire ball · ", rolled)
    assert re.match(r"\*\*10.*\n-# Owl · ", own)
    assert "don't know `" in refused
    assert "Fire Ball" in await t.offered(t.ann, "roll", "dice", "fire")
    assert await t.offered(t.bob, "roll", "dice", "fire") == []


async def test_saved_rolls_are_listed_changed_and_removed(t: Table) -> None:
    """The list has what was saved last under each name; what is removed is gone."""
    await t.says(t.ann, "roll", dice="1d6")
    empty = await t.whispers(t.ann, "save")
    for name, dice in (("sword", "1d8+3"), ("axe", "1d12"), ("SWORD", "2d8")):
        await t.whispers(t.ann, "save", name=name, dice=dice)
    listed = await t.whispers(t.ann, "save")
    left = await removes(t, t.ann, "oSWORD")

    assert empty == words.NONE_YET
    assert listed == "**Saved rolls**\n**axe** · `1d12`\n**SWORD** · `2d8`"
    assert left == await t.whispers(t.ann, "save") == "**Saved rolls**\n**axe** · `1d12`"


async def test_dice_too_long_for_a_button_are_not_saved_under_a_games_word(t: Table) -> None:
    """There is no button that could save them, so the refusal is all."""
    await t.says(t.mara, "game use", game="dnd5")
    long = await t.slash(t.ann, "save", name="attack", dice="+".join(["1d20"] * 20))
    short = await t.slash(t.ann, "save", name="attack", dice="1d20+5")

    assert "is a word of" in reply(long).content
    assert labels(long) == []
    assert len(labels(short)) == 1


@pytest.mark.parametrize(
    ("game", "dice", "says"),
    [
        ("dnd5", "stealth adv", "Saved: `d20+stealth adv` as `Sneak`."),
        ("dnd5", "adv stealth dc 15", "Saved: `d20+stealth adv dc 15` as `Sneak`."),
        ("dnd5", "-stealth", "Saved: `d20-stealth` as `Sneak`."),
        (
            "dnd5",
            "stealth+1d4",
            "With d20 or without? I can't tell. Did you mean `d20+stealth+1d4` or `4+1d4`?",
        ),
        ("cthulhu", "stealth hard", "That has no dice. Did you mean `skill +4 hard # stealth`?"),
        ("savage", "stealth", "That has no dice."),
        ("", "adv stealth", "That has no dice. Did you mean `1d20+stealth adv` (on a d20)?"),
    ],
)
async def test_a_number_of_ones_own_is_saved_on_the_usual_dice(
    t: Table, game: str, dice: str, says: str
) -> None:
    """Of the game that is played, and with its name; elsewhere it is asked about. So it is on a key."""
    if game:
        await t.says(t.mara, "game use", game=game)
    await t.whispers(t.ann, "me", set="stealth 4")
    saved = await t.whispers(t.ann, "save", name="Sneak", dice=dice)
    board = reply(await t.slash(t.ann, "buttons", rolls=dice)).content

    assert saved.startswith(says)
    assert board.startswith(
        "**Rolls of your own choice**" if saved.startswith("Saved") else f"{dice}: {says}"
    )


async def test_what_is_gone_or_half_is_refused(t: Table) -> None:
    """A list that was shown before says so when it is too late; a name alone saves nothing."""
    await t.whispers(t.ann, "save", name="sword", dice="1d8")
    shown = reply(await t.slash(t.ann, "save"))
    await removes(t, t.ann, "osword")

    assert "no saved roll `sword` here" in reply(await t.ann.select(shown, ["osword"])).content
    assert await t.whispers(t.ann, "save", name="sword") == words.HALF
    assert await t.whispers(t.ann, "save", dice="1d8") == words.HALF


async def test_what_would_confuse_is_not_saved(t: Table) -> None:
    """Names that are dice or rollers, and dice that can't be read, are refused with the reason."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    for name, dice, reason in (
        ("2d6", "1d6", "looks like dice"),
        ("Cards", "1d6", "There is a roller Cards here already."),
        ("sword", "2x6", "can't read"),
        ("@", "1d6", "needs a name"),
    ):
        assert reason in await t.whispers(t.ann, "save", name=name, dice=dice), name

    assert await t.whispers(t.ann, "save") == words.NONE_YET


async def test_a_roll_can_be_saved_before_anything_was_played(t: Table) -> None:
    """It is there for the first roll, and the history begins with that."""
    await t.whispers(t.ann, "save", name="pick", dice="1d6+1000")
    history = await t.whispers(t.ann, "history")
    nothing = await t.whispers(t.ann, "export")
    rolled = await t.says(t.ann, "roll", dice="pick")

    assert history.startswith("Nothing here yet.")
    assert "nothing to export" in nothing
    assert totals(rolled)[0].startswith("100")
    assert numbered(rolled) == 1


async def test_a_campaign_has_its_own(t: Table) -> None:
    """After the channel moved to another campaign, the name is not known there; a roller may be saved."""
    first = await t.whispers(t.ann, "save", name="pick", dice="1d6")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.whispers(t.ann, "save", name="pick", dice="cards")
    drawn = totals(await t.says(t.ann, "roll", dice="pick"))
    await t.says(t.mara, "campaign create", name="Dragons", fresh=True)

    assert first.startswith("Saved: `1d6` as `pick`.")
    assert len(drawn) == 1
    assert "don't know `pick`" in await t.whispers(t.ann, "roll", dice="pick")
    assert await t.whispers(t.ann, "save") == words.NONE_YET


async def test_fifty_are_enough(t: Table) -> None:
    """The fifty-first is refused, but one of the fifty can change."""
    await t.says(t.ann, "roll", dice="1d6")
    for n in range(50):
        await t.whispers(t.ann, "save", name=f"blow {n}", dice="1d6")

    assert "You have 50 saved rolls" in await t.whispers(t.ann, "save", name="more", dice="1d6")
    assert "Saved: `2d6`" in await t.whispers(t.ann, "save", name="blow 7", dice="2d6")


async def test_a_saved_roll_counts_as_one_roll(tmp_path: Path) -> None:
    """Who may roll twice in five seconds may roll two saved rolls, and no third."""
    async with table(tmp_path, user_rolls=2) as t:
        await t.whispers(t.ann, "save", name="pick", dice="1d6")
        await t.says(t.ann, "roll", dice="pick")
        await t.says(t.ann, "roll", dice="pick")

        assert "too fast: 2 rolls in 5 seconds" in await t.whispers(t.ann, "roll", dice="pick")


async def test_a_game_master_shares_a_roll_with_everybody(t: Table) -> None:
    """Everybody rolls it by its name; one's own of the same name goes first, and players share nothing."""
    await t.says(t.mara, "campaign create", name="Evening")
    refused = await t.whispers(t.ann, "save", name="door", dice="1d1", shared=True)
    told = await t.whispers(t.mara, "save", name="door", dice="1d1+5", shared=True)
    anew = await t.whispers(t.mara, "save", name="door", dice="1d1+6", shared=True)
    shared = await t.says(t.bob, "roll", dice="door")
    await t.whispers(t.ann, "save", name="door", dice="1d1+1")
    own = await t.says(t.ann, "roll", dice="door")
    listed = await t.whispers(t.bob, "save")
    old = reply(await t.slash(t.mara, "save"))
    kept = await arrives(t, t.bob, InteractionType.component, "unsave:1:0", old, ["sdoor"])
    await removes(t, t.mara, "sdoor")
    gone = await t.whispers(t.bob, "roll", dice="door")

    assert "Only game masters can do that" in refused
    assert told == "Saved for everybody here: `1d1+5` as `door`. Roll it with `/roll door`."
    assert anew == told.replace("5", "6")
    assert "**7**" in shared
    assert "**2**" in own
    assert listed == "**Saved rolls**\n**door** · `1d1+6` for everybody"
    assert "Only game masters can do that" in reply(kept).content
    assert "door" in gone


async def test_only_what_one_may_remove_is_offered(t: Table) -> None:
    """A game master can remove shared rolls, and finds them marked; a player can't, and is not asked."""
    await t.says(t.mara, "campaign create", name="Evening")
    await t.whispers(t.mara, "save", name="door", dice="1d6", shared=True)
    nothing = menus(await t.slash(t.bob, "save"))
    await t.whispers(t.bob, "save", name="door", dice="1d8")
    own, all_of_them = [menus(await t.slash(who, "save")) for who in (t.bob, t.mara)]

    assert nothing == []
    assert own == [("odoor", "1d8")]
    assert all_of_them == [("sdoor", "1d6 for everybody")]


async def test_a_games_words_can_be_saved(t: Table) -> None:
    """A saved roll may be one of a game, and its name is the label."""
    await t.whispers(t.ann, "save", name="hunt", dice="vampire 5 hunger 1")
    assert (await t.says(t.ann, "roll", dice="hunt")).splitlines()[-1].startswith("-# hunt · ")


async def test_a_saved_roll_is_offered_where_its_name_was_read_as_a_tag(t: Table) -> None:
    """Words behind dice are tags; who has saved a roll of that name, and did not roll it, gets a button."""
    await t.whispers(t.ann, "save", name="Fire", dice="1d1+8")
    tagged = await t.slash(t.ann, "roll", dice="2d1 fire")
    other = await t.slash(t.bob, "roll", dice="2d1 fire")
    await t.whispers(t.bob, "save", name="cold", dice="2d1 cold")
    own = await t.slash(t.bob, "roll", dice="cold")
    [offer] = tagged.followups
    instead = reply(await t.press(offer, "Roll Fire", t.ann))

    assert "**2**" in reply(tagged).content
    assert offer.content == "You have `Fire` saved too. Roll that instead?"
    assert offer.ephemeral
    assert "**9**" in instead.content
    assert not other.followups
    assert not own.followups


async def test_a_saved_roll_of_a_game_says_when_another_is_played(t: Table) -> None:
    """And when none is; it is there again with its game."""
    await t.says(t.mara, "game use", game="cthulhu")
    await t.whispers(t.ann, "save", name="Spot", dice="skill 45")
    await t.says(t.mara, "game use", game="savage")
    other = await t.whispers(t.ann, "roll", dice="Spot")
    await t.says(t.mara, "game stop")
    none = await t.whispers(t.ann, "odds", what="spot")
    await t.says(t.mara, "game use", game="cthulhu")

    assert other == "`Spot` is `skill 45`, and no game with such a roll is played here."
    assert none == "`spot` is `skill 45`, and no game with such a roll is played here."
    assert "**skill 45**" in await t.says(t.ann, "roll", dice="Spot")


async def test_a_saved_roll_may_begin_with_a_name_that_a_game_has_too(t: Table) -> None:
    """A roller or a number of that name is what was meant when it was saved, and no game is needed."""
    await t.says(t.mara, "roller fair", name="Stress", dice="1d1")
    await t.whispers(t.ann, "me", set="attack 5")
    for name, dice in (("Worry", "Stress + 1"), ("Hew", "attack + 1d1")):
        await t.whispers(t.ann, "save", name=name, dice=dice)

    assert "**2** ← 1 (1d1 (1)), +1" in await t.says(t.ann, "roll", dice="Worry")
    assert "**6** ← 5 + 1d1 (1)" in await t.says(t.ann, "roll", dice="Hew")


@pytest.mark.parametrize(
    ("typed", "head", "label"),
    [
        ("Longbow adv", "attack +5 adv 1d8+3", "Longbow"),
        ("longbow ac 15", "attack +5 ac 15 1d8+3", "longbow"),
        ("Longbow +2 # night", "attack +7 1d8+3", "night"),
        ("Longbow", "attack +5 1d8+3", "Longbow"),
    ],
)
async def test_words_behind_a_games_saved_roll_are_no_part_of_its_comment(
    t: Table, typed: str, head: str, label: str
) -> None:
    """They change the roll; a comment that is typed too is its label."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.ann, "save", name="Longbow", dice="attack +5 1d8+3 # piercing")

    assert f"-# {label} · **{head}** · " in await t.says(t.ann, "roll", dice=typed)


async def test_what_a_refused_roll_may_mean_is_saved_by_a_button(t: Table) -> None:
    """Under the name that was typed, so that nobody types it all again."""
    await t.says(t.mara, "game use", game="dnd5")
    refused = await t.slash(t.ann, "save", name="Longbow", dice="attack +5 1d8+3 piercing")
    said = reply(refused).content
    saved = await t.pressed(refused, "Save attack +5 1d8+3 # piercing", t.ann)
    nothing = await t.whispers(t.ann, "save", name="Axe", dice="2d6 3d")

    assert said.startswith("D&D attack has no 'piercing'. Did you mean ")
    assert saved == "Saved: `attack +5 1d8+3 # piercing` as `Longbow`. Roll it with `/roll Longbow`."
    assert "Saved" not in nothing
    assert "**Longbow**" in await t.whispers(t.ann, "save")
