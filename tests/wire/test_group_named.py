"""Calls for a name: the game's first roll takes each player's own number, as a d20 takes their bonus."""

import pytest
from simcord import InteractionResult, MemberActor

from tests.support.groups import call, labels, leads, named, rolls, text
from tests.support.table import Table, entries
from tests.support.wire import reply


def fields(form: InteractionResult) -> list[str]:
    """The ids of a form's fields, from top to bottom."""
    assert form.modal
    parts = form.modal["components"]
    return [(part.get("component") or part["components"][0])["custom_id"] for part in parts]


async def fills(t: Table, called: InteractionResult, label: str, who: MemberActor, **typed: str) -> str:
    """The answer to a form with these texts; numbers are kept."""
    form = await t.press(called, label, who)
    numbers = [field for field in fields(form) if field.startswith("number:")]
    kept = {"keep": True} if numbers else {}
    values = {f"number:{name}" if f"number:{name}" in numbers else name: v for name, v in typed.items()}
    return reply(await who.submit_modal(form, {**values, **kept})).content


@pytest.mark.parametrize(
    ("game", "dice", "shown", "numbers", "rolled"),
    [
        ("cthulhu", "listen", "skill listen", {"listen": "45"}, "**skill 45**"),
        ("cthulhu", "Spot Hidden", "skill Spot Hidden", {"Spot Hidden": "30"}, "**skill 30**"),
        ("cthulhu", "listen hard", "skill listen hard", {"listen": "45"}, "**skill 45 hard**"),
        ("fate", "notice", "fate notice", {"notice": "-2"}, "**fate -2**"),
        ("savage", "notice", "trait notice", {"notice": "8"}, "**trait 8"),
        ("wod", "dex+stealth", "pool dex+stealth", {"dex": "3", "stealth": "2"}, "**pool 5 diff 6**"),
        ("shadowrun", "agility+guns-2", "test agility+guns-2", {"agility": "4", "guns": "3"}, "5"),
        ("pbta", "+dex", "move +dex", {"dex": "2"}, "**move +2**"),
        ("dnd5", "+stealth", "d20+stealth", {"stealth": "4"}, ") + 4"),
        ("dnd5", "attack str adv", "attack str adv", {"str": "-1"}, "**attack -1 adv**"),
        ("fabula", "might+dex", "check might+dex", {"might": "8", "dex": "10"}, "check 8 10"),
        ("genesys", "brawl", "check brawl", {"brawl": "2"}, "check"),
    ],
)
async def test_a_name_is_the_games_roll(
    t: Table, game: str, dice: str, shown: str, numbers: dict[str, str], rolled: str
) -> None:
    """Who has the number presses, who hasn't is asked once; the game master's number is not everybody's."""
    await t.says(t.mara, "game use", game=game)
    await t.whispers(t.mara, "me", set=", ".join(f"{name} 10" for name in numbers))
    called = await call(t, dice, check="Danger")
    first = await fills(t, called, "Roll", t.ann, **numbers)
    again = (await rolls(t, await call(t, dice, check="Danger"), t.ann)).content

    assert f"**Danger** · `{shown}`" in text(called)
    assert rolled in first
    assert rolled in again
    assert f"called for `{shown}`" in await t.whispers(t.bob, "history", label="Danger")


async def test_a_roller_may_begin_with_the_key_of_a_game(t: Table) -> None:
    """Its name is shown whole, on the board and in the history."""
    await t.says(t.mara, "roller fair", name="wod luck", dice="2d6")

    assert "`wod luck`" in text(await call(t, "wod luck"))
    assert "called for `wod luck`" in await t.whispers(t.mara, "history")


async def test_a_name_and_a_dc(t: Table) -> None:
    """The game's roll takes the DC where it has one, as `/check` gives it."""
    await t.says(t.mara, "game use", game="cyberpunk")
    called = await t.slash(t.mara, "group call", check="Handgun", dc=15)

    assert "`check Handgun vs 15`" in text(called)
    assert "**check 14 dv 15**" in await fills(t, called, "Roll", t.ann, Handgun="14")


async def test_who_is_missing_rolls_as_little_as_the_roll_takes(t: Table) -> None:
    """Where their number is not known; a game that changed meanwhile is not rolled by another's rules."""
    await t.says(t.mara, "game use", game="wod")
    await t.whispers(t.ann, "me", set="brawl 4")
    await t.whispers(t.mara, "me", set="brawl -9")
    called = await call(t, "brawl", players=named(t.ann, t.bob, t.mara))
    await leads(t, called, "Roll for the missing")
    history = entries(await t.whispers(t.mara, "history"))
    late = await call(t, "brawl")
    await t.says(t.mara, "game use", game="dnd5")

    assert ["pool 4 diff 6" in line for line in history[:3]].count(True) == 1
    assert ["pool 1 diff 6" in line for line in history[:3]].count(True) == 2
    assert "**pool 4 diff 6**" in (await rolls(t, late, t.ann)).content


async def test_other_names_say_what_to_type(t: Table) -> None:
    """Where no number alone is a roll; also with dice that another check is named for."""
    for game, dice in (
        ("cortex", "wits"),
        ("fabula", "might"),
        ("cthulhu", "crit sword"),
    ):
        await t.says(t.mara, "game use", game=game)
        for check in (dice, "Danger"):
            refused = text(await call(t, dice, check=check))
            assert refused.startswith(f"Which dice are for `{dice}`? Give them, such as `dice:{game} "), dice

    assert labels(await call(t, "hard ear")) == ["Call for skill ear hard"]
    await t.says(t.mara, "game stop")

    assert labels(await call(t, "+owls")) == ["Call for 1d20", "Call for 1d20+owls"]


async def test_each_form_asks_for_what_is_missing(t: Table) -> None:
    """Advantage goes with a number that nobody knew, from whichever button."""
    called = await call(t, "1d20+stealth")
    first = await t.press(called, "Roll", t.ann)
    with_bonus = await t.press(called, "+ bonus…", t.ann)
    own_dice = await t.press(called, "My dice…", t.ann)
    by_roll = await fills(t, called, "Roll", t.mara, stealth="3", added="adv")
    by_bonus = await fills(t, called, "+ bonus…", t.ann, stealth="2", added="adv +1")
    by_hand = await fills(t, called, "My dice…", t.bob, stealth="4", thrown="17")
    known = await t.press(await call(t, "1d20+stealth"), "+ bonus…", t.bob)

    assert fields(first) == ["number:stealth", "added", "keep"]
    assert fields(with_bonus) == ["added", "number:stealth", "keep"]
    assert fields(own_dice) == ["thrown", "added", "number:stealth", "keep"]
    assert "← 2d20kh1 (" in by_roll
    assert ") + 3" in by_roll
    assert ") + 2 + 1" in by_bonus
    assert by_hand.startswith("**21** ← 1d20 (17) + 4")
    assert fields(known) == ["added"]


async def test_more_numbers_than_a_form_has_room_for(t: Table) -> None:
    """The sentence says how to set them."""
    called = await call(t, "1d20+ab+cd+ef+gh")
    said = [reply(await t.press(called, label, t.ann)).content for label in ("Roll", "+ bonus…", "My dice…")]

    assert said == ["I don't know your ab, cd, ef, gh yet. Set them first, such as `/me set:ab 3`."] * 3
