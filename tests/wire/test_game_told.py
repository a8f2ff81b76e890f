"""What is offered and told where a game is played: never other dice than those typed, nor a bare number."""

import re

from tests.support import groups
from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply

KINDS = "`1d8+1d6+1d4` has more kinds of dice (3) than D&D attack takes (2). Did you mean"
TWICE = ["Roll 2d6+2d6+3 # damage", "Roll (2d6+3)*2 # damage"]
CONTEST = ["Roll 1d20+5 vs 1d20+3"]


async def test_damage_alone_is_no_attack(t: Table) -> None:
    """It is its own dice, in a critical twice. Neither are a recharge and a contest an attack."""
    for game in ("dnd5", "pathfinder", "daggerheart"):
        await t.says(t.mara, "game use", game=game)
        offered = {
            text: labels(reply(await t.slash(t.ann, "roll", dice=text)).components)
            for text in (
                "damage 2d6+3",
                "damage 2d6+3 crit",
                "recharge 5-6",
                "+5 vs +3",
                "athletics +5 vs +3",
            )
        }

        assert offered["damage 2d6+3"] == ["Roll 2d6+3 # damage"], game
        assert offered["damage 2d6+3 crit"] == TWICE, game
        assert offered["recharge 5-6"] == ["Roll 1d6>=5 # recharge"], game
        if game != "daggerheart":  # where no d20 is usual
            assert offered["+5 vs +3"] == CONTEST, game
            assert offered["athletics +5 vs +3"] == [f"{CONTEST[0]} # athletics"], game


async def test_damage_of_two_sizes_is_rolled_with_its_attack(t: Table) -> None:
    """A critical throws all its dice twice. Of three sizes it is refused with a true sentence."""
    await t.says(t.mara, "game use", game="dnd5")
    said = await t.says(t.ann, "roll", dice="attack +30 1d1+4+3d2 ac 5")
    twice = await t.says(t.ann, "roll", dice="attack +7 2d6+4 1d6")
    refused = await t.whispers(t.ann, "roll", dice="attack +7 1d8+1d6+1d4")

    assert "**attack +30 ac 5 1d1+3d2+4**" in said
    assert "**attack +7 3d6+4**" in twice
    assert refused.startswith(KINDS)


async def test_a_number_is_shown_with_what_it_is(t: Table) -> None:
    """Stress is no total, and half a skill is what a hard roll needs."""
    stress = await t.says(t.ann, "roll", dice="blades resist 3")
    hard = await t.says(t.ann, "roll", dice="coc 45 hard")
    ladder = await t.says(t.ann, "roll", dice="fate +3")
    damage = await t.slash(t.ann, "roll", dice="savage damage 2d8+d6 vs 7")

    assert re.match(r"\*\*-?\d stress\*\* ← 3d6 \(", stress), stress
    assert re.match(r"\*\*\d+ vs 22 \(skill 45\): ", hard), hard
    assert "**damage toughness 7 1d6 2d8** · #" in reply(damage).content
    assert "**damage toughness 7 1d6 2d8** · #" in await t.pressed(damage, "Again", t.ann)
    assert re.match(r"\*\*-?\d\*\* ← dice \(.*\) · [A-Z]", ladder), ladder


async def test_a_roll_by_its_name_says_that_name(t: Table) -> None:
    """The dice show a number's value only. Words behind a target or an advantage are the label too."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.ann, "me", set="stealth 5, wis 2")
    for text, label in (
        ("stealth adv", "stealth"),
        ("stealth+2", "stealth"),
        ("wis save dc 12", "wis save"),
        ("+5 dc 15 dex save", "dex save"),
        ("+5 adv dex save", "dex save"),
    ):
        said = await t.says(t.ann, "roll", dice=text)
        assert f"\n-# {label} · #" in said, said
    await t.says(t.mara, "game use", game="cthulhu")

    assert "**skill 45 bonus 1** · #" in await t.says(t.ann, "roll", dice="45 with a bonus die")


async def test_the_board_of_a_call_tells_what_a_game_compared(t: Table) -> None:
    """Each row has the roll and its target; above them stand the words that people type, without a key."""
    await t.says(t.mara, "game use", game="cthulhu")
    called = await groups.call(t, "skill 50", "Listen")
    await groups.rolls(t, called, t.ann)
    board = groups.text(called)

    assert board.startswith("**Listen** · `skill 50`\n")
    assert re.search(rf"{t.ann.mention} \*\*\d+ vs skill 50: \w+\*\* ← units ", board), board
