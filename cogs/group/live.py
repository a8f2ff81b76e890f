"""Keep the boards of group calls up to date, remind players, and close calls at their deadline.

A message is edited at once, then at most once a second. A failed edit is retried. After a restart, recently
changed calls are edited again.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.answers import DISCORD_ERRORS, Barrier, barrier
from bot.campaign.calls import Standing
from bot.campaign.campaigns import Looks
from bot.client import Evenhand
from bot.dice.errors import DiceError, Unavailable
from bot.newest import Newest
from bot.services.calls import Board
from bot.words.cards import Card, text_card
from bot.words.languages import language, speaking
from cogs.group import calling
from cogs.group.picture import Boards, boards
from cogs.group.turn_calls import TurnCalls
from cogs.kit.cards import edit, send
from cogs.kit.throttle import Cooldown, Throttle, call_later, logged

_log = logging.getLogger(__name__)

EDIT_SECONDS = 1.0
"""Seconds between two edits of a message."""
SLOW_SECONDS = 60.0
"""Seconds between two edits that Discord refuses."""
TRIES = 10
"""Attempts at an edit, after 1, 2, 4 ... seconds and at most a minute."""
BARRED_LIMIT = 1_000
"""Most calls whose message waits until Discord takes edits in its place again."""
PLAN_SECONDS = 3_600.0
"""Longest time between two looks at reminders and deadlines."""

_BARRED = {
    Barrier.CLOSED: "The message of call #%d waits until its thread is open again (%s)",
    Barrier.RIGHTS: "The message of call #%d is out of date (%s): give me View Channel, Send Messages "
    "for further pages, and Attach Files for its chart",
}

_At: TypeAlias = tuple[int, int]
"""A call's campaign and number."""


class Live(commands.Cog, name="Live"):
    """Keeps the boards of calls up to date: one edit in `seconds` at most, counted by `edits`."""

    def __init__(self, bot: Evenhand) -> None:
        self.seconds = EDIT_SECONDS
        self.edits = 0
        self._bot = bot
        self._pictures = Boards(bot)
        self.turn_calls = TurnCalls(bot)
        self._calls = bot.app.calls
        self._messages = Throttle[_At](self._edit, call_later)
        self._ticks = Throttle[None](self._tick, call_later)
        self._failures = Counter[_At]()
        self._pressed: dict[_At, int] = {}
        self._channels: dict[_At, int] = {}
        """The channels of boards whose latest edit failed."""
        self.barred = Newest[_At, int](BARRED_LIMIT)
        """Calls whose latest edit Discord refused, and their channels; the latest ones."""
        self._caught_up = False

    @classmethod
    def of(cls, client: Evenhand) -> "Live":
        """Return the client's cog of this class."""
        cog = client.get_cog("Live")
        if not isinstance(cog, Live):
            raise TypeError("the cog of group calls is not loaded")
        return cog

    async def cog_load(self) -> None:
        """Schedule reminders and deadlines of calls that were open before a restart."""
        self.plan()

    async def cog_unload(self) -> None:
        """Stop all timers and edits."""
        await self._messages.close()
        await self._ticks.close()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Edit calls that changed just before a restart, because their edit may be missing."""
        if self._caught_up:
            return
        self._caught_up = True
        with logged(_log, "Messages of calls may be out of date"):
            for at in await self._calls.recently_changed():
                with suppress(DiceError):
                    await self._calls.settle(*at, self.now())
                self._messages.touch(at)

    @commands.Cog.listener()
    async def on_call_changed(self, campaign_id: int, number: int) -> None:
        """Edit a call's message after another feature changed the call."""
        self.changed(campaign_id, number)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        """Edit the messages that Discord refused to change while their thread was archived or locked."""
        if not update.data["thread_metadata"]["archived"]:
            for at in [at for at, channel in self.barred.items() if channel == update.thread_id]:
                self._messages.hasten(at)

    def changed(self, campaign_id: int, number: int, message_id: int | None = None) -> None:
        """Edit a call's message now, or in at most `seconds`.

        `message_id` is the message of the pressed button, used until the board's own is stored.
        """
        at = campaign_id, number
        if message_id is not None:
            self._pressed[at] = message_id
        self._messages.touch(at)

    def put_up(self, standing: Standing) -> None:
        """Post the further pages of a long board whose first message was posted anew."""
        if len(boards(self._bot, standing)) > 1:
            self.changed(*standing.call.event.at)

    async def retire(self, standing: Standing, channel_id: int, message_ids: Iterable[int], url: str) -> None:
        """Replace a call's earlier messages by a link to its new one, because they get no more edits."""
        channel = self._bot.get_partial_messageable(channel_id)
        with speaking(language(standing.language)):
            card = text_card(calling.moved(standing, url))
        for message_id in message_ids:
            with suppress(*DISCORD_ERRORS):  # it may be what was deleted
                await edit(channel.get_partial_message(message_id), card, looks=standing.rules.looks)

    def overtaken(self, campaign_id: int, number: int) -> None:
        """Repeat a running edit, because a press has edited the same message in between."""
        self._messages.mark_due((campaign_id, number))

    def plan(self) -> None:
        """Look at reminders and deadlines now, because they have changed."""
        self._ticks.hasten(None)

    def now(self) -> float:
        """Return the clock of deadlines, in seconds since 1970."""
        return self._bot.tree.now()

    async def _tick(self, _: None) -> Cooldown:
        """Send due reminders and close due calls; return the time until the next. Never raise."""
        now, wait = self.now() * 1000, SLOW_SECONDS
        with logged(_log, "The time of calls is not kept yet"):
            waits = [await self._keep_time(board, now) for board in await self._calls.timed()]
            wait = min([PLAN_SECONDS, *waits])
        return Cooldown(wait, must_repeat=True)

    async def _keep_time(self, board: Board, now: float) -> float:
        """Remind of a call or close it if that is due; return the seconds until it is to be looked at."""
        upcoming = [(time - now) / 1000 for time in (board.remind, board.due) if time and time > now]
        at, wait = (board.campaign_id, board.seq), SLOW_SECONDS
        with logged(_log, "The time of call #%d is not kept yet", board.seq):
            if board.remind and board.remind <= now < (board.due or 0):
                await self._remind(*at)
            is_changed, is_done = False, True
            if board.due and board.due <= now:
                is_changed, is_done = await self._calls.expire(board)
            if is_changed:
                self.changed(*at)
            wait = PLAN_SECONDS if is_done else SLOW_SECONDS
        return min([wait, *upcoming])

    async def _edit(self, at: _At) -> Cooldown:
        """Edit a call's messages once. Never raise."""
        number = at[1]
        try:
            await self._show(*at)
        except DiceError as error:
            _log.info("Call #%d can't be shown: %s", number, error)
        except (*DISCORD_ERRORS, Unavailable) as error:
            match barrier(error):
                case None:
                    _log.warning("The message of call #%d is out of date: %s", number, error)
                    return self._retry_later(at)
                case Barrier.GONE:
                    _log.info("The message of call #%d is not there any more", number)
                case reason:
                    _log.warning(_BARRED[reason], number, error)
                    self.barred[at] = self._channels[at]
                    self._forget(at)
                    return Cooldown(SLOW_SECONDS)
        except Exception:  # noqa: BLE001 (the next edit may succeed)
            _log.exception("The message of call #%d is out of date", number)
            return self._retry_later(at)
        self.barred.pop(at, None)
        self._forget(at)
        return Cooldown(self.seconds)

    def _forget(self, at: _At) -> None:
        """Forget the attempts at an edit that are over."""
        for by_call in (self._failures, self._pressed, self._channels):
            by_call.pop(at, None)

    def _retry_later(self, at: _At) -> Cooldown:
        self._failures[at] += 1
        tries = self._failures[at]
        if tries == TRIES:
            self._forget(at)
        return Cooldown(min(self.seconds * 2 ** (tries - 1), SLOW_SECONDS), must_repeat=tries < TRIES)

    async def _show(self, campaign_id: int, number: int) -> None:
        at = campaign_id, number
        stored = await self._calls.board(*at, self.now())
        message_id = stored[0].message_id or self._pressed.get(at) if stored else None
        if stored is None or message_id is None:
            return
        board, standing = stored
        if board.message_id is None:
            await self._calls.store_board(standing, board.channel_id, message_id, board.language)
        channel = self._bot.get_partial_messageable(board.channel_id)
        self._channels[at] = board.channel_id
        self.edits += 1
        with speaking(language(standing.language)):
            first, *rest = boards(self._bot, standing)
            await self._pictures.edit(channel.get_partial_message(message_id), standing, first)
            await self._update_further(at, board.further, channel, rest, standing.rules.looks)
        await self.turn_calls.delete_old(standing)

    async def _update_further(
        self,
        at: _At,
        further: Sequence[int],
        channel: discord.PartialMessageable,
        cards: Sequence[Card],
        looks: Looks,
    ) -> None:
        """Edit a board's further messages; post missing ones, delete surplus ones."""
        message_ids = [*further]
        for place, card in enumerate(cards):
            if place < len(message_ids):
                with suppress(discord.NotFound):
                    await edit(channel.get_partial_message(message_ids[place]), card, looks=looks)
                    continue
            posted = await send(channel, card, looks=looks)
            message_ids[place : place + 1] = [posted or 0]
            await self._calls.store_continuations(*at, message_ids)
        if surplus := message_ids[len(cards) :]:
            await self._calls.store_continuations(*at, message_ids[: len(cards)])
            for message_id in surplus:
                with suppress(discord.NotFound):
                    await channel.get_partial_message(message_id).delete()

    async def _remind(self, campaign_id: int, number: int) -> None:
        stored = await self._calls.board(campaign_id, number, self.now())
        if stored is None or not await self._calls.claim_reminder(stored[0]):
            return
        board, standing = stored
        if not standing.is_open or standing.complete:
            return
        channel = self._bot.get_partial_messageable(board.channel_id)
        with speaking(language(standing.language)):
            text = calling.reminder(standing)
            rest = calling.also_called(standing, text)
        with logged(_log, "Nobody could be reminded of call #%d", number):
            # A notification stays plain text: a phone shows nothing of a card.
            for part in filter(None, (text, rest)):
                await send(channel, text_card(part), calls=called(standing), looks=Looks.TEXT)


def called(standing: Standing) -> discord.AllowedMentions:
    """Return the mentions that notify: the missing players and the called role."""
    return mentions(standing.missing, standing.call.terms.role)


def mentions(user_ids: Iterable[int], role: int | None = None) -> discord.AllowedMentions:
    """Return the mentions that notify, of these users and a role alone."""
    users, roles = [*map(discord.Object, user_ids)], [discord.Object(role)] if role else False
    return discord.AllowedMentions(everyone=False, users=users, roles=roles)
