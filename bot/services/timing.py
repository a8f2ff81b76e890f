"""What time brings to calls: a reminder, the end, and a message that is up to date after a restart."""

from contextlib import suppress

from bot.campaign.call_deeds import CloseCall
from bot.campaign.events import DISCORD_EPOCH, Asked, Event
from bot.dice.errors import DiceError, Unknown
from bot.services.calls import Calls
from bot.storage import boards
from bot.storage.boards import Board
from bot.storage.working import work


class Timing(Calls):
    """The use cases of the clock."""

    async def timed(self) -> list[Board]:
        """Calls that time brings something to, the next one first."""
        return await self._reader.do(boards.timed())

    async def touched(self) -> list[tuple[int, int]]:
        """The calls, by campaign and number, whose message a bot that was stopped may have left behind."""
        return await self._reader.do(boards.touched())

    async def settle(self, campaign_id: int, number: int, at: float) -> None:
        """Reveal a held call that was left complete: whoever's press completed it was cut short."""
        event = await self._find(campaign_id, number)
        await self._settled(_at(event, round(at * 1000)), campaign_id, number)

    async def takes_reminder(self, board: Board) -> bool:
        """Whether it falls to this process to remind those who are missing: once for each call."""
        return await work(self._database, boards.take_reminder(board.campaign_id, board.seq))

    async def expire(self, board: Board) -> None:
        """Close a call whose time is up; nothing happens where it is gone, closed, or was reopened."""
        at = board.campaign_id, board.seq
        with suppress(Unknown):
            call = (await self.standing(*at, 0)).call
            if board.due is not None and board.due == call.deadline:
                asked = _at(call.event, board.due)
                with suppress(DiceError):
                    await self._writer.write(asked, CloseCall(*at))
                await self._settled(asked, *at)
        await work(self._database, boards.set_times(*at, None, None))


def _at(event: Event, due: int) -> Asked:
    """What closes a call at its time: nobody's press, so its id is made of the time and the call."""
    low = (1 << 22) - 1
    return Asked(
        -(((due - DISCORD_EPOCH) << 22) | (event.interaction_id & low)),
        None,
        event.channel_id,
        event.user_id or 0,
    )
