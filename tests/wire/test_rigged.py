"""/rigged, and the button under /stats: for plain dice, a fair roller, everybody or one player."""

from pathlib import Path

import pytest

from bot.stats.rigged import needed
from tests.support.table import Table, table
from tests.support.wire import reply


@pytest.fixture(autouse=True)
def known() -> None:
    """What it takes to notice a face is simulated once a die; here beforehand, for no answer waits for it."""
    for faces in (4, 6):
        needed((1,) * faces)


async def test_the_question_is_answered_for_any_dice(t: Table) -> None:
    """Publicly where it was asked, with whose dice, the evidence, what it takes, and the test."""
    await t.says(t.mara, "roller fair", name="evil", dice="1d6")
    for who in (t.ann, t.bob):
        await t.says(who, "roll", dice="evil", times=20)
        await t.says(who, "roll", dice="evil", times=10)
        await t.says(who, "roll", dice="40d6")
    asked = await t.slash(t.ann, "rigged")
    first, most = reply(asked).content, await t.pressed(asked, "Details", t.bob)
    asked = await t.slash(t.ann, "rigged", roller="evil", player=t.bob)
    evil = await t.pressed(asked, "Details", t.ann)
    few = await t.whispers(t.ann, "rigged", roller="d6", player=t.mara)
    offered = await t.offered(t.ann, "rigged", "roller", "e")

    assert first.startswith("**Nothing odd so far** · Everybody · `d6` · 80 dice\nSuspicion: ")
    assert most.startswith("Everybody · `d6` · 80 dice\n")
    assert "fair sets of dice look at least this uneven" in most
    assert "\n-# Only rolls that everybody saw count, undone ones too" in most
    assert evil.startswith(f"<@{t.bob.id}> · `evil` · 30 dice\n")
    assert "memory included" in evil
    assert few == f"{t.mara.mention} has rolled nothing that counts with d6 here yet."
    assert offered == ["evil"]


async def test_dice_fall_the_same_in_each_run(tmp_path: Path) -> None:
    """So that no judgement here is a matter of luck."""
    rolls: list[str] = []
    for folder in ("one", "other"):
        async with table(tmp_path / folder) as t:
            rolls.append((await t.says(t.ann, "roll", dice="20d20")).partition("\n")[0])

    assert rolls[0] == rolls[1]


async def test_the_button_under_stats_answers_the_presser(t: Table) -> None:
    """About the same dice, privately."""
    await t.says(t.ann, "roll", dice="50d4")
    stats = await t.slash(t.bob, "stats", player=t.ann)
    pressed = await t.pressed(stats, "Is it rigged?", t.bob)

    assert pressed.startswith(f"**Nothing odd so far** · <@{t.ann.id}> · `d4` · 50 dice\n")


async def test_dice_that_a_hidden_roll_bars_are_passed_over(t: Table) -> None:
    """Without a name those that can be judged are, and by name it says why there is nothing to judge."""
    await t.says(t.mara, "roller fair", name="evil", dice="1d6")
    await t.slash(t.ann, "roll", dice="evil", visibility="gm")
    await t.says(t.ann, "roll", dice="evil", times=20)
    await t.says(t.ann, "roll", dice="6d4")
    asked = await t.says(t.bob, "rigged")
    (named,) = (await t.slash(t.bob, "rigged", roller="evil")).followups

    assert asked.startswith("**Are they rigged?** · Everybody · `d4` · 6 dice\n")
    assert named.ephemeral
    assert named.content == (
        "Nothing can be judged yet. Hidden rolls don't count, nor what a roller rolled after one."
    )
