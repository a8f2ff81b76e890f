"""Real dice where the campaign hides rolls: what the thrower, a player and a game master see."""

import pytest
from simcord import InteractionResult

from tests.support.shown import labels
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

DONE = "Your dice are entered."


async def entered(t: Table, message: InteractionResult, keys: str) -> InteractionResult:
    """What became of the message after Ann pressed these keys."""
    for key in keys:
        message = await t.press(message, key, t.ann)
    return message


@pytest.mark.parametrize("visibility", ["self", "gm", "blind"])
async def test_pressed_dice_are_as_hidden_as_other_rolls(t: Table, visibility: str) -> None:
    """Nobody sees the keys or the dice; the result is for those who see the campaign's rolls."""
    await t.says(t.mara, "admin settings", visibility=visibility)
    message = await t.slash(t.ann, "d100 physical", dice="3 5", method="table")
    before = t.seen_by(t.bob)
    done = await entered(t, message, "1")
    mine = [m.content for m in done.followups if m.ephemeral]
    public = t.seen_by(t.bob)[len(before) :]
    history = {who: await t.whispers(who, "history") for who in (t.ann, t.bob, t.mara)}

    assert reply(message).ephemeral
    assert not any("3 5" in text for text in before)
    assert reply(done).content == DONE
    assert [totals(text) for text in mine] == ([] if visibility == "blind" else [["23"]])
    assert len(public) == (0 if visibility == "self" else 1)
    assert not any("**23**" in text for text in t.seen_by(t.bob))
    assert [who for who in (t.ann, t.bob, t.mara) if "**23**" in history[who]] == [
        *([] if visibility == "blind" else [t.ann]),
        *([] if visibility == "self" else [t.mara]),
    ]


async def test_pressed_dice_can_be_looked_at_and_revealed(t: Table) -> None:
    """The game master looks behind what everybody sees, and the thrower shows the result to all."""
    await t.says(t.mara, "admin settings", visibility="gm")
    done = await entered(t, await t.slash(t.ann, "d100 physical", method="table"), "351")
    mine = next(m for m in done.followups if m.ephemeral)
    public = next(m for m in done.followups if not m.ephemeral)
    looked = reply(await t.press(public, "Look", t.mara))
    shown = reply(await t.press(mine, "Reveal", t.ann))

    assert totals(looked.content) == ["23"]
    assert numbered(shown.content) == numbered(mine.content) == 2
    assert labels(mine.components) == ["Reveal"]
    assert "**23**" in t.seen_by(t.bob)[-1]


async def test_the_rule_of_the_last_press_counts(t: Table) -> None:
    """Hidden since the keys were shown to all, it stays hidden; open since they were private, all see it."""
    shown = await t.slash(t.ann, "d100 physical", dice="3 5", method="table")
    await t.says(t.mara, "admin settings", visibility="self")
    private = await t.slash(t.ann, "d100 physical", dice="3 5", method="table")
    hidden = await entered(t, shown, "1")
    seen = t.seen_by(t.bob)
    await t.says(t.mara, "admin settings", visibility="public")
    await entered(t, private, "1")

    assert [totals(m.content) for m in hidden.followups] == [["23"]]
    assert seen[0] == DONE
    assert ["**23**" in text for text in t.seen_by(t.bob)] == [False] * (len(seen) + 1) + [True]


async def test_a_press_that_discord_brings_twice_is_one_roll(t: Table) -> None:
    """The second delivery gets the same hidden roll."""
    await t.says(t.mara, "admin settings", visibility="self")
    await entered(t, await t.slash(t.ann, "d100 physical", method="table"), "351")
    rolled = await t.whispers(t.ann, "history")

    assert rolled.count("d100 table") == 1


async def test_a_revealed_roll_keeps_a_hidden_one_before_it(t: Table) -> None:
    """Its dice would tell where the register stood, which is what the roll before it showed."""
    hidden, later = [await t.slash(t.ann, "d100 roll", visibility="self") for _ in range(2)]
    held_back = reply(await t.press(later, "Reveal", t.ann)).content
    await t.press(hidden, "Reveal", t.ann)
    looked = await t.whispers(t.bob, "details", number=numbered(held_back))

    assert "start" in reply(later).content
    assert totals(held_back) == totals(reply(later).content)
    assert "start" not in held_back
    assert "start" in looked
