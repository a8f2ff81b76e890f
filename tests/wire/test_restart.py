"""What a restart leaves: rollers, memories, registers, history, and the buttons under old messages."""

from pathlib import Path

import discord

from bot.dice.errors import DiceError
from tests.support.restart import Run, restartable
from tests.support.table import REPLIES, entries, numbered, table, totals
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def test_old_buttons_work_after_a_restart(run: Run) -> None:
    """Database, app and bot are closed and opened anew; each button of the first bot still works."""
    t = run.wire
    await t.slash(t.mara, "roller deck", refill=1, name="Cards")
    rolled = await t.slash(t.ann, "roll", dice="Cards", times=5)
    hidden = await t.slash(t.ann, "roll", dice="1d6", visibility="blind")
    mine = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="self")
    question = await t.slash(t.mara, "roller reset", name="cards")

    await run.restart()
    again = await run.pressed(rolled, "Again", t.ann)
    looked = await run.pressed(hidden, "Look", t.mara)
    shown = await run.pressed(hidden, "Reveal", t.mara)
    own = await run.pressed(mine, "Reveal", t.ann)
    await t.press(question, "Reset it", t.mara)
    for _ in range(10):
        await t.slash(t.ann, "roll", dice="1d6")
    older = await run.pressed(await t.slash(t.ann, "history"), "Older", t.ann)

    assert sorted(totals(reply(rolled).content) + totals(again)[:1]) == DECK
    assert [numbered(text) for text in (shown, own, again)] == [3, 4, 5]
    assert totals(looked) == totals(shown.partition("\n")[2])
    assert "**100000" in own
    assert older.splitlines()[0].startswith("#8 ·")
    assert "reset `Cards`" in older.splitlines()[0]
    assert sorted(totals(await run.says(t.ann, "roll", dice="cards", times=6))) == DECK


async def test_a_lost_reply_is_told_after_a_restart(tmp_path: Path) -> None:
    """What Discord refused before the bot stopped shows at the first roll afterwards, and not again."""
    async with restartable(tmp_path, (DiceError, discord.HTTPException)) as run:
        t = run.wire
        await t.slash(t.ann, "roll", dice="1d6")
        t.env.inject_error("POST", REPLIES, status=404, code=10062)
        await t.slash(t.ann, "roll", dice="1d20")

        await run.restart()
        said = [await run.says(t.bob, "roll", dice="1d6") for _ in range(2)]

        assert ["reply may be lost" in text for text in said] == [True, False]
        assert f"-# #2 of {t.ann.mention}" in said[0]
        assert "#1 of" not in said[0]


async def test_another_evening_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    """A day later the deck holds the cards that were left, the register its value, the history everything."""
    async with table(tmp_path) as t:
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        first = totals(await t.says(t.ann, "roll", dice="cards", times=4))
        logged = int(totals(await t.says(t.ann, "d100 roll"))[0]) % 100
    async with table(tmp_path, later=86_400) as t:
        rest = totals(await t.says(t.bob, "roll", dice="cards", times=2))
        hundred = await t.says(t.ann, "d100 roll")
        history = await t.whispers(t.bob, "history")
        offered = await t.offered(t.bob, "roll", "dice", "")

    assert sorted(first + rest) == DECK
    assert f", start {logged} → " in hundred
    assert len(entries(history)) == 5
    assert offered[0] == "Cards"
