"""Messages of calls that fill in: edited at once, then at most once a second; and what time brings."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import discord
from discord.ext import commands
from discord.ui import View

from bot.client import Evenhand
from bot.core.calls.standing import Standing
from bot.core.errors import DiceError, Unavailable
from bot.render import calls as render
from cogs.shared import call_pictures

_log = logging.getLogger(__name__)

EDIT_SECONDS = 1.0
"""A message is edited at most this often."""
PLAN_SECONDS = 3_600
"""Time is looked at again after this, also where nothing is planned."""


@dataclass(slots=True)
class _Message:
    """A message that was edited a moment ago, or is being edited."""

    stale: bool = False
    """Whether something has happened since."""


class Live(commands.Cog, name="Live"):
    """Keeps the messages of calls up to date; `seconds` lie between two edits of one, `edits` counts them."""

    def __init__(self, bot: Evenhand, buttons: Callable[[Standing], View]) -> None:
        self.seconds = EDIT_SECONDS
        self.edits = 0
        self._bot = bot
        self._buttons = buttons
        self._groups = bot.house.groups
        self._messages: dict[tuple[int, int], _Message] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    def of(cls, client: Evenhand) -> "Live":
        """The client's own."""
        cog = client.get_cog("Live")
        if not isinstance(cog, Live):
            raise TypeError("the cog of group calls is not loaded")
        return cog

    async def cog_load(self) -> None:
        """Go on with what time brings to calls that were open before a restart."""
        await self.plan()

    async def cog_unload(self) -> None:
        """Let go of everything."""
        if self._timer:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()

    def changed(self, campaign_id: int, number: int) -> None:
        """Something happened to a call: its message is edited now, or in at most `seconds`."""
        message = self._messages.get((campaign_id, number))
        if message:
            message.stale = True
        else:
            self._messages[campaign_id, number] = _Message()
            self._start(self._edit(campaign_id, number))

    async def plan(self) -> None:
        """Look when time brings something next."""
        try:
            boards = await self._groups.timed()
        except Unavailable:
            boards = []
        moments = [board.remind or board.due or 0 for board in boards]
        wait = min([PLAN_SECONDS, *(moment / 1000 - _now() for moment in moments)])
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(max(wait, 0), lambda: self._start(self.tick()))

    async def tick(self) -> None:
        """Do what the time has come for: remind those who are missing, and close."""
        now = _now() * 1000
        try:
            for board in await self._groups.timed():
                if board.remind and board.remind <= now < (board.due or 0):
                    await self._remind(board.campaign_id, board.seq)
                if board.due and board.due <= now:
                    await self._groups.expire(board)
                    self.changed(board.campaign_id, board.seq)
        except (DiceError, Unavailable) as error:
            _log.warning("A call's time could not be kept: %s", error)
            await asyncio.sleep(self.seconds)
        await self.plan()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _edit(self, campaign_id: int, number: int) -> None:
        """Edit the message; once some time has passed, again if something happened meanwhile."""
        at = campaign_id, number
        self._messages[at].stale = False
        try:
            await self._show(campaign_id, number)
        except discord.HTTPException as error:
            _log.warning("The message of call #%d can't be edited: %s", number, error)
        except (DiceError, Unavailable) as error:
            _log.warning("The message of call #%d is out of date: %s", number, error)
        if self.seconds:
            asyncio.get_running_loop().call_later(self.seconds, self._rested, at)
        else:
            self._rested(at)

    def _rested(self, at: tuple[int, int]) -> None:
        if self._messages[at].stale:
            self._start(self._edit(*at))
        else:
            del self._messages[at]

    async def _show(self, campaign_id: int, number: int) -> None:
        board = await self._groups.board(campaign_id, number)
        if board is None or board.message_id is None:
            return
        standing = await self._groups.standing(campaign_id, number, _now())
        message = self._bot.get_partial_messageable(board.channel_id).get_partial_message(board.message_id)
        self.edits += 1
        await call_pictures.edit(self._bot, message, standing, self._buttons(standing))

    async def _remind(self, campaign_id: int, number: int) -> None:
        board = await self._groups.board(campaign_id, number)
        if board is None or not await self._groups.takes_reminder(board):
            return
        standing = await self._groups.standing(campaign_id, number, _now())
        if not standing.is_open or standing.complete:
            return
        channel = self._bot.get_partial_messageable(board.channel_id)
        try:
            await channel.send(render.reminder(standing), allowed_mentions=called(standing))
        except discord.HTTPException as error:
            _log.warning("Nobody could be reminded of call #%d: %s", number, error)


def called(standing: Standing) -> discord.AllowedMentions:
    """Those who are called hear of it: who was named and has not rolled, and the role."""
    role = standing.call.terms.role
    users = [discord.Object(user_id) for user_id in standing.missing]
    return discord.AllowedMentions(
        everyone=False, users=users, roles=[discord.Object(role)] if role else False
    )


def _now() -> float:
    return discord.utils.utcnow().timestamp()
