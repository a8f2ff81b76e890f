"""/me: one's characters, their numbers and saved rolls, each person's own."""

import json

import pytest

from bot.campaign.characters import CHARACTERS_LIMIT, NUMBERS_LIMIT, VALUE_LIMIT
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply


async def test_numbers_are_set_and_shown(t: Table) -> None:
    """One at a time or several, with what a formula comes to; nobody else has them."""
    empty = await t.whispers(t.ann, "me")
    first = await t.whispers(t.ann, "me", set="str 3, dex +2, stealth dex+3")
    changed = await t.whispers(t.ann, "me", set="DEX 4")

    assert empty.startswith("**Your numbers**\nYou have no numbers here yet.")
    assert first == "**Your numbers**\n**str** +3 · **dex** +2 · **stealth** dex+3 = +5"
    assert changed == "**Your numbers**\n**str** +3 · **dex** +4 · **stealth** dex+3 = +7"
    assert await t.whispers(t.bob, "me") == empty


async def test_several_characters_and_one_in_use(t: Table) -> None:
    """The newest is in use until another is chosen; a name is taken once, and what is removed is gone."""
    await t.whispers(t.ann, "me", set="str 3")
    mira = await t.whispers(t.ann, "me", new="Mira", set="dex 4")
    again = await t.whispers(t.ann, "me", new="mira")
    await t.whispers(t.ann, "me", new="Bors")
    back = await t.slash(t.ann, "me", use="mira")
    unknown = await t.whispers(t.ann, "me", use="Kay")
    asked = await t.press(back, "Remove", t.ann)
    gone = await t.pressed(asked, "Remove", t.ann)

    assert mira == "**Mira** · your character here\n**dex** +4"
    assert again == "You have a character mira already."
    assert reply(back).content == mira
    assert unknown.startswith("You have no character Kay here.")
    assert await t.offered(t.ann, "me", "use", "") == ["Bors"]
    assert gone == "Removed `Mira`."
    assert (await t.whispers(t.ann, "me")).startswith("**Bors**")


@pytest.mark.parametrize("options", [{"new": "Kim"}, {"use": "Mira"}])
@pytest.mark.parametrize(
    "wrong", [{"set": "dex"}, {"file": ("s.txt", b"\xff")}, {"new": "!"}, {"use": "Kay"}]
)
async def test_a_refused_command_changes_nothing(
    t: Table, options: dict[str, object], wrong: dict[str, object]
) -> None:
    """Neither is a character made or used, nor are numbers set, where any option is wrong."""
    await t.whispers(t.ann, "me", new="Mira", set="dex 4")
    before = await t.whispers(t.ann, "me", new="Bors")
    refused = await t.whispers(t.ann, "me", **{"set": "str 3"} | options | wrong)
    after = await t.slash(t.ann, "me")

    assert not refused.startswith("**")
    assert reply(after).content == before
    assert await t.offered(t.ann, "me", "use", "") == ["Bors", "Mira"]


async def test_numbers_go_with_the_character_that_is_used(t: Table) -> None:
    """One command switches and sets; two characters at once are refused."""
    await t.whispers(t.ann, "me", new="Mira")
    await t.whispers(t.ann, "me", new="Bors")

    assert (
        await t.whispers(t.ann, "me", use="mira", set="str 3") == "**Mira** · your character here\n**str** +3"
    )


async def test_the_form_changes_name_and_numbers(t: Table) -> None:
    """It comes filled in; what is wrong in it changes nothing."""
    await t.whispers(t.ann, "me", new="Mira", set="dex 4")
    shown = await t.slash(t.ann, "me")
    form = await t.press(shown, "Edit…", t.ann)
    circle = await t.ann.submit_modal(form, {"name": "Mira", "numbers": "a b+1\nb a+1"})
    form = await t.press(shown, "Edit…", t.ann)
    changed = await t.ann.submit_modal(form, {"name": "Mirabel", "numbers": "dex 4\ninit: dex"})

    assert reply(circle).content.startswith("These numbers need each other")
    assert reply(changed).content == "**Mirabel** · your character here\n**dex** +4 · **init** dex = +4"


async def test_an_old_message_of_a_removed_character_changes_no_other(t: Table) -> None:
    """Its buttons say that it is gone; an empty form in their place emptied the numbers without a name."""
    empty = await t.slash(t.ann, "me")
    await t.whispers(t.ann, "me", set="str 3")
    shown = await t.slash(t.ann, "me", new="Bors", set="str 5")
    form = await t.press(shown, "Edit…", t.ann)
    await t.press(await t.press(shown, "Remove", t.ann), "Remove", t.ann)
    late = reply(await t.ann.submit_modal(form, {"name": "Bors", "numbers": "str 6"})).content
    said = [await t.pressed(shown, label, t.ann) for label in ("Edit…", "Export", "Remove")]
    kept = await t.whispers(t.ann, "me")
    shown = await t.slash(t.ann, "me")
    await t.whispers(t.ann, "me", new="Mira")
    await t.press(await t.press(shown, "Remove", t.ann), "Remove", t.ann)
    nameless = await t.pressed(await t.press(shown, "Remove", t.ann), "Remove", t.ann)
    form = await t.press(empty, "Edit…", t.ann)
    made = await t.ann.submit_modal(form, {"name": "Kay", "numbers": "dex 1"})

    assert {late, *said} == {"You have no character Bors here. `/me` shows yours."}
    assert kept == "**Your numbers**\n**str** +3"
    assert nameless == "You have no character without a name here. `/me` shows yours."
    assert reply(made).content == "**Kay** · your character here\n**dex** +1"


async def test_a_file_is_shown_before_it_is_kept(t: Table) -> None:
    """Scores of the game in play are offered as bonuses."""
    await t.says(t.mara, "game use", game="dnd5")
    sheet = json.dumps({"abilities": {"str": 16, "dex": 9}, "prof": 2}).encode()
    read = await t.slash(t.ann, "me", file=("mira.json", sheet))
    asked, before = reply(read).content, await t.whispers(t.ann, "me")
    kept = await t.pressed(read, "Turn scores into bonuses", t.ann)

    assert asked == "I read 3 numbers. Keep them?\n```\nstr 16\ndex 9\nprof 2\n```"
    assert "You have no numbers" in before
    assert kept == (
        "**Your numbers**\n**str** +3 · **str\\_score** +16 · **dex** -1 · **dex\\_score** +9 · **prof** +2"
    )


async def test_a_file_with_more_than_fits_is_read_in_part(t: Table) -> None:
    """What is left out is counted: numbers beyond the most, and one that is too large."""
    sheet = json.dumps({f"skill{n}": 1 for n in range(NUMBERS_LIMIT + 2)} | {"gold": VALUE_LIMIT + 1})
    asked = await t.whispers(t.ann, "me", file=("mira.json", sheet.encode()))

    assert asked.startswith(
        f"I read {NUMBERS_LIMIT} numbers. Keep them? I left 3 out: too many, or too large."
    )


async def test_typed_scores_are_offered_as_bonuses(t: Table) -> None:
    """In a game that has scores; a bonus of 16 would be added to each roll."""
    await t.says(t.mara, "game use", game="dnd5")
    shown = await t.slash(t.ann, "me", set="str 16, prof 3")

    assert await t.pressed(shown, "Turn scores into bonuses", t.ann) == (
        "**Your numbers**\n**str** +3 · **prof** +3 · **str\\_score** +16"
    )
    assert "Turn scores into bonuses" not in labels(reply(await t.slash(t.ann, "me")).components)
    more = await t.slash(t.ann, "me", set="dex 14")
    changed = await t.pressed(more, "Turn scores into bonuses", t.ann)
    assert changed.endswith(
        "**str** +3 · **prof** +3 · **str\\_score** +16 · **dex** +2 · **dex\\_score** +14"
    )


async def test_what_is_exported_can_be_read(t: Table) -> None:
    """The file has what was typed."""
    shown = await t.slash(t.ann, "me", new="Mira", set="str 3, stealth dex+2, dex 1")
    file = reply(await t.press(shown, "Export", t.ann)).attachments[0]
    read = await t.slash(t.bob, "me", file=(file.filename, await file.read()))

    assert await t.pressed(read, "Keep", t.bob) == (await t.whispers(t.ann, "me")).replace(
        "Mira** · your character here", "Your numbers**"
    )


async def test_saved_rolls_are_buttons(t: Table) -> None:
    """A press rolls one in public."""
    await t.whispers(t.ann, "save", name="Bite", dice="1d4+100")
    shown = await t.slash(t.ann, "me")

    assert (await t.pressed(shown, "Bite", t.ann)).startswith("**10")


async def test_a_character_is_named_before_its_rolls(t: Table) -> None:
    """From its first roll on, on boards and in the history; the next one's rolls are the next one's."""
    await t.whispers(t.ann, "me", new="Mi*ra")
    rolled = await t.says(t.ann, "roll", dice="1d1+1", label="Climb")
    called = await t.slash(t.mara, "group call", check="Stealth", dice="1d1+2")
    await t.press(called, "Roll", t.ann)
    await t.whispers(t.ann, "me", new="Bors")
    await t.says(t.ann, "roll", dice="1d1+3")
    await t.whispers(t.ann, "me", use="Mi*ra")
    await t.pressed(await t.slash(t.ann, "me"), "Remove", t.ann)
    bob = await t.says(t.bob, "roll", dice="1d1+4")
    history = await t.whispers(t.bob, "history")

    assert rolled.startswith("**2** ← 1d1 (1) + 1\n-# Mi\\*ra · Climb")
    assert f"**Mi\\*ra** <@{t.ann.id}> **3**" in reply(called).content
    assert bob.startswith("**5**")
    assert history.count("**Mi\\*ra** ·") == 2
    assert history.count("**Bors** ·") == 1


async def test_who_is_forgotten_leaves_no_character(t: Table) -> None:
    """Neither themselves nor their name before a roll."""
    await t.whispers(t.ann, "me", new="Mira", set="stealth 7")
    await t.says(t.ann, "roll", dice="1d1")
    shown = await t.whispers(t.ann, "data show")
    await t.pressed(await t.slash(t.ann, "data forget"), "Erase me", t.ann)

    assert "1 character." in shown
    assert "Mira" not in await t.whispers(t.bob, "history")
    assert "You have no numbers" in await t.whispers(t.ann, "me")
    assert "Mira" not in await t.says(t.ann, "roll", dice="1d1")


async def test_rolls_of_a_character_are_found_and_counted(t: Table) -> None:
    """By the name as it was, and of nobody else's; a hidden one is not found by who may not see it."""
    for name, die in (("Mira", "1d1"), ("Bors", "1d1+1")):
        await t.whispers(t.ann, "me", new=name)
        for _ in range(3):
            await t.says(t.ann, "roll", dice=die)
    await t.slash(t.ann, "roll", dice="1d1+2", visibility="self")
    await t.says(t.bob, "roll", dice="1d1+3")
    found = await t.whispers(t.bob, "history", character="Bors", last=2)
    page = await t.slash(t.bob, "history", character="Bors")
    stats = await t.says(t.bob, "stats", character="mira")

    assert found.count("**Bors** ·") == 2
    assert reply(page).content.count("**Bors** ·") == 3
    assert "Mira" not in reply(page).content
    assert "**mira** · `d1` · 3 dice" in stats


async def test_no_form_opens_for_a_character_too_many(t: Table) -> None:
    """Who has as many as they may have hears it before they type a name."""
    for number in range(CHARACTERS_LIMIT):
        await t.whispers(t.ann, "me", new=f"Hero {number}")
    pressed = await t.press(await t.slash(t.ann, "me"), "New character…", t.ann)

    assert pressed.modal is None
    assert reply(pressed).content == "You have 20 characters. Remove one first."


@pytest.mark.parametrize(("game", "shown"), [("dnd5", "+55"), ("cthulhu", "55"), ("blades", "55")])
async def test_a_plus_is_before_bonuses_alone(t: Table, game: str, shown: str) -> None:
    """A skill of Call of Cthulhu is what the dice are compared with; in Blades it is how many there are."""
    await t.says(t.mara, "game use", game=game)

    assert f"**listen** {shown}" in (await t.whispers(t.ann, "me", set="listen 55")).splitlines()
