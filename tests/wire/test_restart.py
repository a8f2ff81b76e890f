"""What a restart leaves: rollers, memories, registers, history, and the buttons under old messages."""

from contextlib import AsyncExitStack
from pathlib import Path

import discord

from bot.app import open_app
from bot.dice.errors import DiceError
from tests.support.table import REPLIES, entries, made_by, numbered, settings, table, totals
from tests.support.wire import Wire, reply, wire

DECK = ["1", "2", "3", "4", "5", "6"]


async def test_old_buttons_work_after_a_restart(tmp_path: Path) -> None:
    """Database, app and bot are closed and opened anew; each button of the first bot still works."""
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        app = await first.enter_async_context(open_app(settings(tmp_path)))
        run = await second.enter_async_context(wire(lambda: made_by(app)))
        await run.slash(run.mara, "roller deck", refill=1, name="Cards")
        rolled = await run.slash(run.ann, "roll", dice="Cards", times=5)
        hidden = await run.slash(run.ann, "roll", dice="1d6", visibility="blind")
        page = await run.slash(run.ann, "history", player=run.ann)
        question = await run.slash(run.mara, "roller reset", name="cards")

        await _restart(run, first, second, tmp_path)
        again = reply(await run.press(rolled, "Again", run.ann)).content
        looked = reply(await run.press(hidden, "Look", run.mara)).content
        shown = reply(await run.press(hidden, "Reveal", run.mara)).content
        await run.press(question, "Reset it", run.mara)
        for _ in range(10):
            await run.slash(run.ann, "roll", dice="1d6")
        page = await run.slash(run.ann, "history")
        older = reply(await run.press(page, "Older", run.ann)).content

        assert sorted(totals(reply(rolled).content) + totals(again)[:1]) == DECK
        assert numbered(again) == 4
        assert totals(looked) == totals(shown.partition("\n")[2])
        assert older.splitlines()[0].startswith("#6 ·")
        assert "reset `Cards`" in older.splitlines()[0]


async def test_a_lost_reply_is_told_after_a_restart(tmp_path: Path) -> None:
    """What Discord refused before the bot stopped shows at the first roll afterwards, and not again."""
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        app = await first.enter_async_context(open_app(settings(tmp_path)))
        expected = (DiceError, discord.HTTPException)
        run = await second.enter_async_context(wire(lambda: made_by(app), expected=expected))
        await run.slash(run.ann, "roll", dice="1d6")
        run.env.inject_error("POST", REPLIES, status=404, code=10062)
        await run.slash(run.ann, "roll", dice="1d20")

        await _restart(run, first, second, tmp_path)
        said = [reply(await run.slash(run.bob, "roll", dice="1d6")).content for _ in range(2)]

        assert ["did not take the reply" in text for text in said] == [True, False]
        assert f"-# #2 of {run.ann.mention}" in said[0]
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


async def _restart(run: Wire, first: AsyncExitStack, second: AsyncExitStack, folder: Path) -> None:
    """Close the first app, open another on its database, and put a new bot in the old one's place."""
    await run.env.settle(idle=0.002)
    await first.aclose()
    app = await second.enter_async_context(open_app(settings(folder)))
    bot = made_by(app)
    second.push_async_callback(bot.close)
    await run.env.restart_bot(bot)
