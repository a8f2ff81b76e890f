"""Dice that may mean more in the game that is played are asked about wherever dice are typed."""

import pytest

from tests.support.groups import call, labels, leads
from tests.support.table import Table
from tests.support.wire import reply

LINES = [
    ("savage", "d8 extra", "In Savage Worlds `extra` may change the roll."),
    ("savage", "d8 trait", "In Savage Worlds `trait` may change the roll."),
    ("savage", "2d6 damage", "In Savage Worlds `damage` may change the roll."),
    ("lancer", "d20+2 vs 10 accuracy", "In LANCER `accuracy` may change the roll."),
    ("traveller", "2d6+1 easy vs 8", "In Traveller (Mongoose, second edition) `easy` may change the roll."),
    ("dnd5", "+5+1d4", "With d20 or without? I can't tell."),
    ("cthulhu", "d100 vs 45", "In Call of Cthulhu (seventh edition) low rolls pass."),
    ("cyberpunk", "1d10+14 vs 15", "Cyberpunk RED has its own roll with these dice."),
    ("modiphius", "2d20 vs 12", "2d20 (Modiphius) has its own roll with these dice."),
    ("blades", "3d6 vs 4", "Blades in the Dark (Forged in the Dark) has its own roll with these dice."),
]


async def test_each_command_asks_as_a_roll_does(t: Table) -> None:
    """With the same readings; where a button fits, it takes the first of them."""
    for game, dice, says in LINES:
        await t.says(t.mara, "game use", game=game)
        rolled = await t.slash(t.ann, "roll", dice=dice)
        readings = reply(rolled).content.partition(" Did you mean ")[2]
        others = [
            await t.slash(t.mara, "group npc", dice=dice, count=2),
            await t.slash(t.mara, "group call", check="Climb", dice=dice),
            await t.slash(t.ann, "odds", what=dice),
            await t.slash(t.mara, "group initiative", dice=dice),
            await t.slash(t.ann, "save", name="Zap", dice=dice),
            await t.slash(t.ann, "buttons", rolls=dice),
        ]
        form = await leads(t, await call(t, "1d20"), "Add monsters…")
        others.append(await t.mara.submit_modal(form, {"names": "Goblin", "dice": dice}))

        assert reply(rolled).content.startswith(says), dice
        assert readings, dice
        for answer in others:
            assert f"{says} Did you mean {readings}" in reply(answer).content, dice
        for answer in others[:2]:
            pressed = reply(await t.press(answer, labels(answer)[0], t.mara))
            assert not pressed.ephemeral, dice


async def test_words_unknown_to_a_game_are_offered_alike(t: Table) -> None:
    """As the label of its roll, or as what is to hide it, wherever such a roll is typed."""
    await t.says(t.mara, "game use", game="dnd5")
    for dice, roll, label in (
        ("attack +5 longsword", "attack +5", "longsword"),
        ("attack +5 longsword ac 15", "attack +5 ac 15", "longsword"),
        ("attack +5 hidden", "attack +5", "hidden"),
    ):
        rolled = await t.slash(t.mara, "roll", dice=dice)
        pressable = [
            rolled,
            await t.slash(t.mara, "check", dice=dice),
            await t.slash(t.mara, "group npc", dice=dice, count=2),
            await t.slash(t.mara, "group call", check="Climb", dice=dice),
            await t.slash(t.mara, "odds", what=dice),
        ]
        told = [
            *pressable,
            await t.slash(t.mara, "save", name="Zap", dice=dice),
            await t.slash(t.mara, "buttons", rolls=dice),
            await t.slash(t.mara, "group initiative", dice=dice),
        ]

        assert f"`{roll} # {label}`" in reply(rolled).content
        for answer in told:
            assert reply(rolled).content in reply(answer).content, dice
        for answer in pressable:
            pressed = await t.press(answer, labels(answer)[0], t.mara)
            assert not reply(pressed).ephemeral, dice
            assert roll in labels(answer)[0], dice


async def test_a_check_asks_about_words(t: Table) -> None:
    """Its readings take the DC."""
    await t.says(t.mara, "game use", game="savage")
    words = await t.slash(t.ann, "check", dice="d8 extra", dc=4)

    assert labels(words) == ["Roll trait d8 extra vs 4", "Roll d8 vs 4 # extra"]


async def test_a_check_asks_about_dice_that_the_game_has_its_own_roll_for(t: Table) -> None:
    """With the buttons of a roll, where the DC is typed behind the dice; else these stay as they are."""
    await t.says(t.mara, "game use", game="cyberpunk")
    text = "1d10+14 vs 15"
    rolled = await t.slash(t.ann, "roll", dice=text, label="Shoot")
    asked = await t.slash(t.ann, "check", dice=text, label="Shoot")
    plain = [
        await t.slash(t.ann, "check", dice="1d10+14", dc=15),
        await t.slash(t.ann, "check", dice=text, under=True),
        await t.slash(t.ann, "check", dice=text, degrees="miss, 0 pass"),
    ]

    assert reply(asked).content.startswith("Cyberpunk RED has its own roll with these dice.")
    assert (
        labels(asked) == labels(rolled) == ["Roll check 1d10+14 vs 15 # Shoot", "Roll (1d10+14)>=15 # Shoot"]
    )
    assert not any(reply(answer).ephemeral for answer in plain)


async def test_a_bonus_to_save_is_read_in_the_game(t: Table) -> None:
    """Where nobody rolls a d20, none is offered."""
    await t.says(t.mara, "game use", game="fate")

    assert (await t.whispers(t.ann, "save", name="Zap", dice="+7")).endswith("Did you mean `fate +7`?")
    assert (await t.whispers(t.ann, "buttons", rolls="+7")).endswith("Did you mean `fate +7`?")


async def test_a_word_behind_a_name_is_asked_about(t: Table) -> None:
    """Numbers of one's own, saved rolls, repeats and several rolls are read as the dice that they are."""
    await t.slash(t.ann, "me", new="Mira", set="pilot 2")
    await t.slash(t.ann, "save", name="Hack", dice="2d6+1")
    await t.says(t.mara, "game use", game="traveller")
    for dice, readings in (
        ("pilot easy", ["check +2 easy", "pilot # easy"]),
        ("2d6+pilot vs 8, easy", ["2d6+pilot vs 8 # easy"]),
        ("hack easy", ["check 2d6+1 easy", "hack # easy"]),
        ("3#hack easy", ["3#check 2d6+1 easy", "3#hack # easy"]),
        ("hack easy; 1d6", ["hack; 1d6 # easy"]),
    ):
        asked = await t.slash(t.ann, "roll", dice=dice)
        rolled = [await t.press(asked, label, t.ann) for label in labels(asked)]

        assert labels(asked) == [f"Roll {reading}" for reading in readings], dice
        assert all("←" in reply(answer).content for answer in rolled), dice


async def test_the_target_of_a_saved_roll_is_in_each_reading(t: Table) -> None:
    """Its own label is behind them."""
    await t.slash(t.ann, "save", name="Sword", dice="d20+5 # slash")
    asked = await t.slash(t.ann, "roll", dice="sword ac 15 bless")

    assert labels(asked) == ["Roll (1d20+5+1d4)>=15 # bless, slash", "Roll (1d20+5)>=15 # bless, slash"]


@pytest.mark.parametrize("front", ["roll ", "r ", "/r ", "!roll "])
async def test_a_command_in_front_changes_nothing(t: Table, front: str) -> None:
    """Words that change a roll, a bonus alone and a game's numbers are read as without it."""
    await t.says(t.mara, "game use", game="blades")
    asked = reply(await t.slash(t.ann, "roll", dice="2d6 action")).content
    assert reply(await t.slash(t.ann, "roll", dice=f"{front}2d6 action")).content == asked
    await t.says(t.mara, "game use", game="vampire")
    assert "hunger 2" in await t.says(t.ann, "roll", dice=f"{front}7 hunger 2")
    await t.says(t.mara, "game use", game="dnd5")
    assert "1d20" in await t.says(t.ann, "roll", dice=f"{front}+5")
