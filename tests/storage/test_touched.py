"""Which calls' messages a bot that was stopped may have left behind."""

from bot.campaign.call_deeds import CloseCall
from bot.campaign.call_rolls import AnswerCall, OpenCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.rolls import RollDice
from bot.storage.boards import Board, make_board, touched
from bot.storage.working import work
from tests.storage.asking import Storage, ask, opened

MINUTE = 60


async def called(storage: Storage, ago: float, message_id: int | None = 5) -> int:
    """A call that was made so many seconds ago and is shown; its number."""
    event = (await storage.writer.write(ask(ago=ago), OpenCall(Terms(Form.CHECK), "1d20"))).event
    await work(storage.database, make_board(Board(event.campaign_id, event.seq, 1, message_id), frozenset()))
    return event.seq


async def test_calls_with_something_new_are_touched(database_url: str) -> None:
    """Those with an event in the last quarter of an hour before the newest one, if they are shown at all."""
    async with opened(database_url) as storage:
        empty = await storage.reader.do(touched())
        rolled, closed, unshown, old, idle = [
            await called(storage, 90 * MINUTE, message_id) for message_id in (5, 6, None, 7, 8)
        ]
        await storage.writer.write(ask(ago=77 * MINUTE), AnswerCall(1, old, "1d20"))
        for number in (rolled, unshown):
            for user in (1, 2):
                await storage.writer.write(ask(ago=70 * MINUTE, user=user), AnswerCall(1, number, "1d20"))
        # What time closes has an id that no interaction has.
        await storage.writer.write(ask(ago=69 * MINUTE).part(1), CloseCall(1, closed))
        lately = await storage.reader.do(touched())
        await storage.writer.write(ask(ago=62 * MINUTE), RollDice("1d6"))
        later = await storage.reader.do(touched())
        await storage.writer.write(ask(), RollDice("1d6"))

        assert empty == []
        assert idle
        assert lately == [(1, rolled), (1, closed), (1, old)]
        assert later == [(1, rolled), (1, closed)]
        assert await storage.reader.do(touched()) == []
