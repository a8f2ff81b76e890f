"""/buttons: keys that roll for whoever presses, private copies with a modifier, and who removes it."""

import pytest

from tests.support.shown import labels
from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply


async def test_everybody_rolls_by_a_key(t: Table) -> None:
    """A key rolls in public for whoever pressed it, and a saved roll's key carries its name."""
    await t.whispers(t.ann, "save", name="Sneak", dice="1d1+6")
    board = await t.slash(t.ann, "buttons", set="saved")
    pressed = reply(await t.press(board, "Sneak", t.bob))
    own = await t.slash(t.ann, "buttons", rolls="1d20, Sneak")
    pressed_own = await t.pressed(own, "Sneak", t.bob)

    assert pressed_own.startswith(f"**7** ← 1d1 (1) + 6\n-# {t.bob.mention} · Sneak · ")
    assert "press a key" in reply(board).content
    assert pressed.content.startswith(f"**7** ← 1d1 (1) + 6\n-# {t.bob.mention} · Sneak · ")
    assert f"<@{t.bob.id}>" in pressed.content
    assert not pressed.ephemeral


async def test_a_saved_roll_of_any_name_is_a_key(t: Table) -> None:
    """Its name may have a colon: that divides values in a button's id, and ends a name in other texts."""
    await t.whispers(t.ann, "save", name="To hit: axe", dice="1d1+6")
    boards = [
        await t.slash(t.ann, "buttons", **options)
        for options in ({"set": "saved"}, {"rolls": "d20, To hit: axe"})
    ]
    form = await t.press(boards[0], "± …", t.bob)
    boards.append(await t.bob.submit_modal(form, {"number": "+1"}))
    keys = ["To hit: axe", "To hit: axe", "To hit: axe +1"]
    said = [await t.pressed(board, key, t.bob) for board, key in zip(boards, keys, strict=True)]

    assert [text.partition(" ←")[0] for text in said] == ["**7**", "**7**", "**8**"]
    assert all(f" · {key} · " in text for key, text in zip(keys, said, strict=True))


async def test_a_modifier_makes_a_copy_of_ones_own(t: Table) -> None:
    """The form's number is added to every key that takes one, and only the presser sees the copy.

    What is named twice is one key: Discord refuses two of one id.
    """
    board = await t.slash(t.ann, "buttons", rolls="1d1, wod 3, 1d1")
    form = await t.press(board, "± …", t.bob)
    copy = reply(await t.bob.submit_modal(form, {"number": "+5"}))
    pressed = reply(await t.press(copy, "d1+5", t.bob))

    assert copy.ephemeral
    assert pressed.content.startswith("**6**")
    assert not pressed.ephemeral
    refused = reply(await t.bob.submit_modal(await t.press(board, "± …", t.bob), {"number": "lots"}))
    assert "A modifier is a number such as +5" in refused.content


@pytest.mark.parametrize(
    ("rolls", "keys"),
    [
        ("choose tea, coffee", ["choose tea, coffee"]),
        ("d20, shuffle Ann, Bob or Cid, 2d6", ["d20", "shuffle Ann, Bob or Cid", "2d6"]),
        ("choose d6, d8, choose a b", ["choose d6, d8", "choose a b"]),
        ("d{elk,owl}, 2d{elk 2, owl}, {2d6, 1d8}kh1", ["d{elk,owl}", "2d{elk 2, owl}", "{2d6, 1d8}kh1"]),
    ],
)
async def test_commas_inside_a_roll_make_no_keys(t: Table, rolls: str, keys: list[str]) -> None:
    """Those in brackets, and those between the options of a choice."""
    board = reply(await t.slash(t.ann, "buttons", rolls=rolls))

    assert labels(board.components)[: len(keys)] == keys


async def test_named_results_take_no_modifier(t: Table) -> None:
    """Else it would be in the name of the last one."""
    alone = reply(await t.slash(t.ann, "buttons", rolls="choose tea, coffee, coin"))
    board = await t.slash(t.ann, "buttons", rolls="d20, choose tea, coffee")
    copy = reply(await t.ann.submit_modal(await t.press(board, "± …", t.ann), {"number": "+5"}))

    assert "± …" not in labels(alone.components)
    assert labels(copy.components) == ["d20+5"]


async def test_a_choice_is_a_key_in_each_language(t: Table) -> None:
    """Its words are those of who typed it."""
    speak(t, person="de")
    board = await t.slash(t.ann, "buttons", rolls="W20, wähle Tee, Kaffee")

    assert "Tee / Kaffee" in await t.pressed(board, labels(reply(board).components)[1], t.bob)


async def test_a_modifier_is_added_to_the_total(t: Table) -> None:
    """It changes no target, no other side and no label; of several rolls none is chosen for it."""
    await t.whispers(t.ann, "me", set="str 3")
    rolls = "1d1+5 vs 9, 1d1 vs 1d1, 1d1 # Bite, 3#1d1 # Claws, 8d6;2d4, d20>=15, d20+str"
    board = await t.slash(t.ann, "buttons", rolls=rolls)
    copy = reply(await t.bob.submit_modal(await t.press(board, "± …", t.bob), {"number": "−2"}))
    *keys, own = labels(copy.components)
    aimed, versus, label, thrice = [reply(await t.press(copy, key, t.bob)).content for key in keys]

    assert "d20+str" in labels(reply(board).components)
    assert own == "d20+str-2"
    assert aimed.startswith("**4** ← 1d1 (1) + 5 - 2 vs 9\n**Fails by 5**")
    assert versus.startswith("**loses by 2** ← 1d1 (1) - 2 = -1 vs 1d1 (1) = 1")
    assert label.startswith("**-1** ← 1d1 (1) - 2\n")
    assert " · Bite · " in label
    assert thrice.count("**-1** ← 1d1 (1) - 2\n") == 3
    assert "Left out: `8d6;2d4`, `d20>=15`." in copy.content


async def test_a_modifier_is_added_to_rollers_and_numbers_of_ones_own(t: Table) -> None:
    """Behind the roller's name, in front of a target; cards and results without numbers take none."""
    await t.says(t.mara, "roller fair", name="Luck", dice="d{5,5}")
    await t.says(t.mara, "roller fair", name="Great Luck", dice="d{5,5}")
    await t.says(t.mara, "roller fair", name="Mood", dice="good 2, bad 1")
    for player, strength in ((t.ann, 3), (t.bob, 1)):
        await t.whispers(player, "me", set=f"str {strength}")
    rolls = "Luck, Great Luck, Luck+str, Luck dc 6, Mood, 1d1+str, 1d1-2*str dc 9"
    board = await t.slash(t.ann, "buttons", rolls=rolls)
    copy = reply(await t.bob.submit_modal(await t.press(board, "± …", t.bob), {"number": "+2"}))
    said = [reply(await t.press(copy, key, t.bob)).content for key in labels(copy.components)]

    assert "Left out: `Mood`." in copy.content
    assert [text.split("**")[1] for text in said] == ["7", "7", "8", "7", "4", "1"]
    assert "Just passes" not in said[3]
    assert "**Passes by 1**" in said[3]


async def test_what_finds_no_room_is_named(t: Table) -> None:
    """A keyboard and a copy of it say which rolls are not on them, and why."""
    long = "+".join(["1d6"] * 17)
    rolls = ", ".join([long, *(f"1d6+{n}" for n in range(1, 26))])
    said = await t.says(t.ann, "buttons", rolls=rolls)
    board = await t.slash(t.ann, "buttons", rolls="1d1, wod 3, blades 2")
    copy = reply(await t.bob.submit_modal(await t.press(board, "± …", t.bob), {"number": "+5"}))

    assert f"Left out: `{long[:39]}…`, `1d6+24`, `1d6+25`. 23 keys fit, of at most 64 characters." in said
    assert "Left out" not in reply(board).content
    assert "Left out: `wod 3`, `blades 2`. They take no modifier" in copy.content


async def test_the_campaigns_game_is_offered_first(t: Table) -> None:
    """Without a choice the keys are the game's, where one is played, else a d20 table."""
    assert "A d20 table" in await t.says(t.ann, "buttons")
    assert "No game is played" in await t.whispers(t.ann, "buttons", set="game")
    await t.says(t.mara, "game use", game="blades")
    board = await t.slash(t.ann, "buttons")
    pressed = reply(await t.press(board, "action 2", t.ann))

    assert "Blades in the Dark" in reply(board).content
    assert "**action 2**" in pressed.content
    assert pressed.content.count("action 2") == 1


async def test_only_its_owner_and_game_masters_remove_it(t: Table) -> None:
    """Another player's press is refused in private; whoever put it, and a game master, take it away."""
    for owner in (t.ann, t.mara):
        board = await t.slash(t.ann, "buttons", set="fate")
        refused = reply(await t.press(board, "Remove", t.bob))
        gone = reply(await t.press(board, "Remove", owner))

        assert refused.ephemeral
        assert "Only game masters can do that" in refused.content
        assert gone.content == "-# The keyboard was removed."


async def test_what_is_no_dice_is_told_with_its_place(t: Table) -> None:
    """One wrong roll among several is named."""
    assert (await t.whispers(t.ann, "buttons", rolls="1d20, 2x")).startswith("2x:")
    assert "with commas between" in await t.whispers(t.ann, "buttons", set="own")


async def test_a_luck_account_is_no_key_and_no_saved_roll(t: Table) -> None:
    """It has no dice, so a press could only be refused; the sentence says where it goes."""
    await t.says(t.mara, "roller luck", name="Luck")
    for refused in (
        await t.whispers(t.ann, "buttons", rolls="1d20, luck"),
        await t.whispers(t.ann, "save", name="Lucky", dice="Luck"),
    ):
        assert refused == (
            "Luck is a luck account and has no dice: give it as roller to `/check` or `/group call`."
        )


async def test_keys_and_saved_rolls_are_read_in_the_campaigns_dialect(t: Table) -> None:
    """They keep Evenhand's own notation, which another dialect later does not change."""
    await t.says(t.mara, "campaign dialect", program="avrae")
    board = await t.slash(t.ann, "buttons", rolls="4d1>1")
    kept = await t.whispers(t.ann, "save", name="Pool", dice="4d1>1")
    await t.says(t.mara, "campaign dialect", program="evenhand")
    pressed = reply(await t.press(board, "(4d1)>1", t.bob))
    rolled = await t.says(t.ann, "roll", dice="Pool")

    assert "`(4d1)>1`" in kept
    assert pressed.content.startswith("**4** ← 4d1 (1, 1, 1, 1) vs 2\n**Passes by 2**")
    assert "**Passes by 2**" in rolled
