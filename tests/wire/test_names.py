"""Names as terms of dice, through the whole bot: saved rolls and rollers, wherever dice are typed."""

import pytest

from tests.support.groups import adds, call, leads
from tests.support.groups import text as shows
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply


async def _known(t: Table) -> None:
    """Ann's saved rolls, one that is shared, and two rollers."""
    await t.says(t.mara, "campaign create", name="Keep")
    for name, dice in (
        ("Sneak", "1d1+7"),
        ("Great Axe", "1d1+3"),
        ("Two", "1d1; 2d1"),
        ("Pair", "Sneak+Sneak"),
    ):
        await t.whispers(t.ann, "save", name=name, dice=dice)
    await t.whispers(t.mara, "save", name="Door", dice="1d1+40", shared=True)
    await t.says(t.mara, "roller fair", name="Luck", dice="d{5,5}")
    await t.says(t.mara, "roller cards", name="Beasts", cards="elk 1, owl 1")


ROLLED = [
    ("Sneak", "**8** ← 1d1 (1) + 7\n-# Sneak · "),
    ("Sneak+2", "**10** ← 1d1 (1) + 7 + 2\n-# Sneak · "),
    ("pair", "**16** ← 1d1 (1) + 7 + (1d1 (1) + 7)\n-# pair · "),
    ("Sneak # quiet", "**8** ← 1d1 (1) + 7\n-# quiet · "),
    ("great axe + 1d1", "**5** ← 1d1 (1) + 3 + 1d1 (1)"),
    ("Sneak; 1d1", "**8** ← 1d1 (1) + 7\n**1** ← 1d1 (1)\n"),
    ("2#Sneak", "**8** ← 1d1 (1) + 7\n**8** ← 1d1 (1) + 7\n"),
    ("Two", "**Two**\n**1** ← 1d1 (1)\n**2** ← 2d1 (1, 1)\n"),
    ("Door+1", "**42** ← 1d1 (1) + 40 + 1"),
    ("Sneak dc 5", "**8** ← 1d1 (1) + 7 vs 5\n**Passes by 3**"),
    ("Luck+5", "**10** ← 5 (1d{5,5} (5)), +5"),
    ("Luck + 1d1", "**6** ← 5 (1d{5,5} (5)), +1 (`1d1`)"),
    ("Luck - 2d1 + 1", "**4** ← 5 (1d{5,5} (5)), -1 (`-2d1+1`)"),
    ("Luck adv", "**5** ← the higher of 5 (1d{5,5} (5)) and 5 (1d{5,5} (5))"),
    ("Luck adv +1", "**6** ← the higher of 5 (1d{5,5} (5)) and 5 (1d{5,5} (5)), +1"),
    ("Luck >= 15", "**5** ← 1d{5,5} (5) vs DC 15\n**Fails by 10**\n"),
    ("Luck+5 dc 3 fire", "**10** ← 5 (1d{5,5} (5)), +5 vs DC 3\n**Passes by 7**\n-# fire · "),
    ("Luck <= 5", "**5** ← 1d{5,5} (5) at most 5\n**Just passes**\n"),
    ("2#Luck+1", "**6** ← 5 (1d{5,5} (5)), +1\n**6** ← 5 (1d{5,5} (5)), +1"),
]


async def test_a_name_is_rolled(t: Table) -> None:
    """The result shows all dice, again rolls the same, and the history tells the total."""
    await _known(t)
    for text, shown in ROLLED:
        rolled = await t.slash(t.ann, "roll", dice=text)

        assert reply(rolled).content.startswith(shown), text
        assert totals(await t.pressed(rolled, "Again", t.ann)) == totals(reply(rolled).content), text


@pytest.mark.parametrize("shared", [False, True])
async def test_a_roller_goes_before_a_saved_roll_of_its_name(t: Table, shared: bool) -> None:  # noqa: FBT001 (pytest's)
    """Alone and in a sum, in the odds and in calls; without the roller the saved roll is back."""
    await t.whispers(t.mara, "save", name="Sneak", dice="1d1+7", shared=shared)
    await t.says(t.mara, "roller fair", name="Sneak", dice="d{5,5}")
    alone, added = [totals(await t.says(t.mara, "roll", dice=dice)) for dice in ("Sneak", "Sneak+2")]
    odds = await t.says(t.mara, "odds", what="Sneak+2")
    called = shows(await call(t, "Sneak+2"))
    await t.says(t.mara, "roller remove", name="Sneak")

    assert (alone, added) == (["5"], ["7"])
    assert odds.startswith("**7** ")
    assert "`Sneak+2`" in called
    assert totals(await t.says(t.mara, "roll", dice="Sneak+2")) == ["10"]


async def test_what_is_recorded_is_resolved(t: Table) -> None:
    """The text that was typed stands beside it, and a name that changes later changes no old roll."""
    await _known(t)
    first = numbered(await t.says(t.ann, "roll", dice="Sneak+2"))
    await t.whispers(t.ann, "save", name="Sneak", dice="1d1+100")
    shown = await t.whispers(t.ann, "details", number=first)

    assert "← 1d1 (1) + 7 + 2" in shown
    assert "Typed as `Sneak+2`." in shown
    assert totals(await t.says(t.ann, "roll", dice="Sneak+2")) == ["103"]


async def test_what_can_not_be_rolled_says_why(t: Table) -> None:
    """Only the asker sees it."""
    await _known(t)
    for text, says in (
        ("1d1+foo+bar+baz+qux", "I don't know `foo`, `bar`, `baz`, `qux`."),
        ("Sneak 2", "Did you mean `Sneak+2` (added), `2#Sneak` (separate rolls) or `Sneak dc 2` (a check)?"),
        ("Sneak 3 times", "Did you mean `3#Sneak` (separate rolls)?"),
        ("twice Sneak", "Did you mean `2#Sneak` (separate rolls)?"),
        ("Two+1", "'two' is `1d1; 2d1`, which is rolled alone."),
        ("Beasts+1", "Beasts shows no numbers, so you can't add to it."),
        ("Beasts adv", "Beasts shows no numbers, so you can't add to it."),
        ("Beasts vs 5", "Beasts shows no number to compare."),
        ("Luck; 1d6", "To Luck you can add, as in Luck + 1d4, and nothing else."),
        ("2#Luck adv", "Advantage is for one roll of a roller."),
        ("foo", "I don't know `foo`."),
    ):
        assert says in await t.whispers(t.ann, "roll", dice=text), text


async def test_a_slip_in_a_name_is_offered_in_a_check_too(t: Table) -> None:
    """Against its DC, as a roll offers it, and no d20 in its place; so is one in the name of an account."""
    await _known(t)
    await t.says(t.mara, "roller luck", name="Fortune", own="minor")
    for dice, meant in (("Lukc", "Luck"), ("Lukc+2", "Luck+2"), ("d20 on Fortnue", "d20 on Fortune")):
        asked = await t.slash(t.ann, "check", dice=dice, dc=3)
        rolled = await t.pressed(asked, f"Roll {meant} vs 3", t.ann)

        assert "vs DC 3\n" in rolled
        assert "**Luck** · " in rolled or "**Fortune** · " in rolled


async def test_cards_and_charts_are_repeated_as_dice_are(t: Table) -> None:
    """As with `times:2`; the button under `2 Beasts` rolls what it says."""
    await _known(t)
    asked = await t.slash(t.ann, "roll", dice="2 Beasts")
    for drawn in (
        await t.says(t.ann, "roll", dice="2#Beasts"),
        await t.pressed(asked, "Roll 2#Beasts", t.ann),
        await t.says(t.ann, "roll", dice="Beasts", times=2),
    ):
        assert sorted(totals(drawn)) == ["elk", "owl"]


async def test_names_are_their_owners(t: Table) -> None:
    """Bob knows what is shared, and not what Ann saved."""
    await _known(t)

    assert (await t.slash(t.bob, "roll", dice="1d6+Sneak")).modal
    assert totals(await t.says(t.bob, "roll", dice="Door+Door")) == ["82"]


async def test_a_button_under_what_is_asked_rolls_it(t: Table) -> None:
    """The name in it is looked up when it is pressed."""
    await _known(t)
    asked = await t.slash(t.ann, "roll", dice="Sneak 2")

    assert totals(await t.pressed(asked, "Roll Sneak+2", t.ann)) == ["10"]


async def test_saving_says_what_else_has_the_name(t: Table) -> None:
    """A number goes before it, and it goes before what is everybody's."""
    await _known(t)
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.ann, "me", set="str 3")
    said = [await t.whispers(t.ann, "save", name=name, dice="1d1+70") for name in ("Str", "Door", "Sneak")]
    asked = await t.slash(t.ann, "save", name="Attack", dice="1d1+70")
    question, before = reply(asked).content, await t.whispers(t.ann, "save")
    said.insert(2, await t.pressed(asked, "Save it", t.ann))

    assert "In other dice your number of that name goes before it." in said[0]
    assert "It goes before the shared roll of that name." in said[1]
    assert "Your roll comes first. `/roll dnd5 attack` still rolls the game's." in said[2]
    assert said[3].endswith("Roll it with `/roll Sneak`.")
    assert totals(await t.says(t.ann, "roll", dice="attack+str")) == ["74"]
    assert question == (
        "Attack is a word of D&D (fifth edition). Save it anyway? `/roll dnd5 attack` still rolls the game's."
    )
    assert "Attack" not in before
    assert before.count("**Door**") == 2
    assert (await t.whispers(t.ann, "save", name="Attack", dice="1d1+71")).startswith("Saved: ")
    asked = await t.slash(t.mara, "save", name="Check", dice="1d1+5", shared=True)
    assert (await t.pressed(asked, "Save it", t.mara)).startswith("Saved for everybody here: `1d1+5`")


async def test_circles_are_refused_when_they_are_saved(t: Table) -> None:
    """Also through others, and what was saved stays."""
    await t.whispers(t.ann, "save", name="One", dice="1d1")
    await t.whispers(t.ann, "save", name="Other", dice="One+1")
    refused = await t.whispers(t.ann, "save", name="One", dice="Other+1")

    assert "These names need each other: other → one → other." in refused
    assert totals(await t.says(t.ann, "roll", dice="Other")) == ["2"]


async def test_a_shared_roll_holds_what_its_names_meant(t: Table) -> None:
    """Who shares it has it shown with them put in."""
    await _known(t)
    await t.whispers(t.mara, "save", name="Trap", dice="2d1")
    shared = await t.whispers(t.mara, "save", name="Pit", dice="Trap+Door", shared=True)

    assert shared.startswith("Saved for everybody here: `2d1+(1d1+40)` as `Pit`.")
    assert totals(await t.says(t.bob, "roll", dice="Pit")) == ["43"]


async def test_checks_npcs_keys_and_odds_take_names(t: Table) -> None:
    """A check's names are its asker's, and so are those of the other commands."""
    await _known(t)
    check = await t.says(t.ann, "check", dice="Sneak+2", dc=15)
    roller = await t.says(t.ann, "check", dice="Luck+1d1", dc=4)
    against = await t.says(t.ann, "check", dice="Sneak", against="Great Axe+1")
    npc = await t.says(t.mara, "group npc", dice="Door+1", count=2)
    odds = await t.says(t.ann, "odds", what="Sneak+2", at_least=10)
    keys = await t.slash(t.ann, "buttons", rolls="Sneak+1, Luck+1")

    assert "**10** ← 1d1 (1) + 7 + 2 vs DC 15\n**Fails by 5**\n" in check
    assert "**6** ← 5 (1d{5,5} (5)), +1 (`1d1`) vs DC 4\n**Passes by 2**\n" in roller
    assert "wins by 3" in against
    assert npc.count("**42**") == 2
    assert "**100%**" in odds
    assert totals(await t.pressed(keys, "d1+7+1", t.bob)) == ["9"]
    assert totals(await t.pressed(keys, "Luck+1", t.bob)) == ["6"]


async def test_a_check_takes_its_dc_where_people_type_it(t: Table) -> None:
    """It is the check's own, with its margin; one that is there twice is refused."""
    await _known(t)
    for text in ("Sneak+2 dc 15", "1d1+9 15", "1d1+9 vs 15", "Sneak+2 DC15", "Sneak+2 ac: 15"):
        twice = await t.whispers(t.ann, "check", dice=text, dc=9)

        assert " vs DC 15\n**Fails by 5**\n" in await t.says(t.ann, "check", dice=text), text
        assert "The DC is there twice: 15 behind the dice, and 9." in twice, text


async def test_a_sign_before_a_number_is_no_dc(t: Table) -> None:
    """It is added; and a number behind a game's word is that game's."""
    signed = await t.says(t.ann, "check", dice="1d1+9 -2", dc=15)

    assert "**8** ← 1d1 (1) + 9 - 2 vs DC 15\n**Fails by 7**\n" in signed
    assert "**pool 3 diff 6** · #2" in await t.says(t.ann, "check", dice="wod 3")


async def test_a_person_or_a_number_is_taken_where_a_name_is_typed(t: Table) -> None:
    """In /stats, /rigged and /history; what else is typed there is a roller."""
    await _known(t)
    for who in (t.ann, t.bob):
        await t.says(who, "roll", dice="Luck")
    third = await t.whispers(t.ann, "history", roller="3", last=1)

    assert await t.whispers(t.ann, "history", roller=t.bob.mention) == await t.whispers(
        t.ann, "history", player=t.bob
    )
    assert third == await t.whispers(t.ann, "history", number=3, last=1)
    assert "has rolled no dice here yet that count" in await t.whispers(t.ann, "stats", roller=t.mara.mention)
    assert "has rolled no dice here yet that count" in await t.whispers(
        t.ann, "rigged", roller=t.mara.mention
    )


async def test_a_characters_numbers_are_terms(t: Table) -> None:
    """Their own, as they are when they are rolled; others have theirs, or none."""
    await t.whispers(t.ann, "me", set="str 3, dex -1, stealth dex+str")

    assert totals(await t.says(t.ann, "roll", dice="1d1+str+{stealth}-2*dex")) == ["8"]
    assert (await t.slash(t.bob, "roll", dice="1d1+str")).modal
    await t.says(t.mara, "game use", game="dnd5")
    labels = {
        "str save dc 12": "str save",
        "adv stealth": "stealth",
        "dex adv +2": "dex",
        "dex # jump": "jump",
    }
    for dice, name in labels.items():
        assert f"\n-# {name} · #" in await t.says(t.ann, "roll", dice=dice)


async def test_calls_take_names(t: Table) -> None:
    """What a call is for is resolved when it is made, and what a player adds when they press."""
    await _known(t)
    called = await call(t, "Door+1", dc=1)
    ann = (await adds(t, called, t.ann, "Sneak")).content
    on_roller = await call(t, "Luck", dc=1)
    bob = (await adds(t, on_roller, t.bob, "+1d1+Door")).content

    assert "1d1+40+1" in shows(called)
    assert totals(ann) == ["8"]
    assert totals(bob) == ["47"]


async def test_calls_take_a_roller_with_something_added(t: Table) -> None:
    """Each press rolls it so; what somebody adds comes on top, and a roller of their own goes before it."""
    await _known(t)
    called = await call(t, "Luck+1d1 adv dc 8")
    await t.press(called, "Roll", t.ann)
    await adds(t, called, t.bob, "+4")
    own = await call(t, "1d1", dc=1)
    mine = (await adds(t, own, t.bob, "Luck+1d1 adv")).content

    assert shows(called).startswith("**Stealth** · `Luck+1d1 adv` against DC 8\n")
    assert f"{t.ann.mention} **6** ← the higher of 5 and 5, +1 (`1d1`) · fails by 2" in shows(called)
    assert f"{t.bob.mention} **10** ← the higher of 5 and 5, +5 (`1d1+4`) · passes by 2" in shows(called)
    assert "**6** ← the higher of 5 (1d{5,5} (5)) and 5 (1d{5,5} (5)), +1 (`1d1`)" in mine


async def test_what_can_not_be_called_with_a_roller(t: Table) -> None:
    """Nothing is called, and what is typed into a call with a roller has no DC of its own."""
    await _known(t)
    for dice, says in (
        ("Beasts+1", "Beasts shows no number to compare."),
        ("2#Luck+1", "Everybody rolls once. Leave the repeats out."),
        ("Luck+1 dc 4", "A call has one DC. Leave it out of the dice."),
    ):
        assert says in shows(await call(t, dice, dc=4)), dice

    called = await call(t, "1d1", dc=8)
    assert "the call sets the DC" in (await adds(t, called, t.ann, "Luck+3 dc 5")).content
    assert (
        "advantage or disadvantage already"
        in (await adds(t, await call(t, "Luck adv"), t.ann, "dis")).content
    )


async def test_npcs_roll_a_roller_with_something_added(t: Table) -> None:
    """Once each, and how many hit; the same again; the better of two is for one."""
    await _known(t)
    rolled = await t.slash(t.mara, "group npc", dice="Luck+1d1+1 ac 7", count=2, names="Orc")
    lines = ["Orc 1", "Orc 2"]
    said = [f"{name} **7** ← 5 (1d{{5,5}} (5)), +2 (`1d1+1`) · just passes" for name in lines]

    for shown in (shows(rolled), await t.pressed(rolled, "Again", t.mara)):
        assert shown.splitlines()[:3] == [*said, "**2 of 2 pass.**"]
    order = await t.slash(t.mara, "group initiative", dice="Luck+1d1")
    await t.press(order, "Roll", t.ann)
    form = await leads(t, order, "Add monsters…")
    await t.mara.submit_modal(form, {"names": "Orc x2", "dice": "Luck+1d1-3"})
    assert shows(order).count("** ← 5, -2 (`1d1-3`)") == 2
    assert "Roll these without it." in await t.whispers(t.mara, "group npc", dice="Luck adv", count=2)
