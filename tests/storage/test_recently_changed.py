"""Which calls' messages a bot that was stopped may have left behind."""

from pathlib import Path

from bot.campaign.call_commands import CloseCall, OpenCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.rolls import RollDice
from bot.storage.boards import place_board, recently_changed
from bot.storage.engine import transact
from tests.storage.asking import Storage, caller, nobody, opened
from tests.support.databases import sqlite_url
from tests.support.plans import Plans

MINUTE = 60


async def called(
    storage: Storage, ago: float, message_id: int | None = 5, deadline: int | None = None
) -> int:
    """A call that was made so many seconds ago and is shown; its number."""
    opening = OpenCall("1d20", Terms(Form.CHECK), deadline)
    event = (await storage.writer.write(caller(ago=ago), opening)).event
    if message_id:
        await transact(storage.database, place_board(*event.at, 1, message_id, ""))
    return event.seq


async def test_calls_with_something_new_are_touched(storage: Storage) -> None:
    """Those with an event in the last quarter of an hour before the newest one, if they are shown at all."""
    empty = await storage.reader.do(recently_changed())
    time = nobody(ago=69 * MINUTE)
    rolled, closed, unshown, old, idle = [
        await called(storage, 90 * MINUTE, message_id, time.clock) for message_id in (5, 6, None, 7, 8)
    ]
    await storage.writer.write(caller(ago=77 * MINUTE), AnswerCall(1, old))
    for number in (rolled, unshown):
        for user in (1, 2):
            await storage.writer.write(caller(ago=70 * MINUTE, user=user), AnswerCall(1, number))
    # Time closes a call, which nobody asked for.
    await storage.writer.write(time, CloseCall(1, closed))
    lately = await storage.reader.do(recently_changed())
    await storage.writer.write(caller(ago=62 * MINUTE), RollDice("1d6"))
    later = await storage.reader.do(recently_changed())
    await storage.writer.write(caller(), RollDice("1d6"))

    assert empty == []
    assert idle
    assert lately == [(1, rolled), (1, closed), (1, old)]
    assert later == [(1, rolled), (1, closed)]
    assert await storage.reader.do(recently_changed()) == []


async def test_only_what_happened_lately_is_looked_at(tmp_path: Path) -> None:
    """SQLite finds the newest events by their time, whoever made them, and their calls by number."""
    watched = Plans()
    async with opened(sqlite_url(tmp_path), watched=watched) as storage:
        time = nobody()
        closed = await called(storage, 10, deadline=time.clock)
        await storage.writer.write(time, CloseCall(1, closed))
        watched.asked.clear()
        assert await storage.reader.do(recently_changed()) == [(1, closed)]
    steps = [step for step, _ in watched.steps(tmp_path / "evenhand.db")]

    assert [step for step in steps if step.startswith("SCAN")] == []
    assert [step.rpartition("(")[2] for step in steps if ">?" in step] == ["interaction_id>?)", "clock>?)"]
