"""Post public rolls in the log channel, and notices of hidden ones in the game masters' channel.

A roll never waits for it: lines are queued in memory, and posted after the reply at Discord's pace.
A stop loses the queued lines, but no roll.
"""

import logging
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from http.client import BAD_REQUEST
from itertools import takewhile

import discord
from discord.ext import commands

from bot.answers import DISCORD_ERRORS, Barrier, barrier
from bot.campaign.campaigns import Campaign
from bot.campaign.events import CallOpened, Event
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.words.cards import CardButton, text_card
from bot.words.languages import speaking
from cogs.kit.barred import explain_bar
from cogs.kit.cards import language_of_place, send
from cogs.kit.throttle import Cooldown, Throttle, call_later, logged
from cogs.log import words

_log = logging.getLogger(__name__)

REST_SECONDS = 2.0
"""Seconds between two messages to a channel."""
SLOW_SECONDS = 60.0
"""Seconds before the next attempt at a channel that refuses messages."""
WAITING = 500
"""Most queued lines of a channel; further ones are only counted."""
_ROOM = 1_900
"""Characters of lines in a message, leaving room for the line of omissions."""
_HIDDEN = {Visibility.GM, Visibility.BLIND}


@dataclass(frozen=True, eq=False)
class _Roll:
    """A queued roll."""

    event: Event
    campaign: Campaign
    shown_by: Event | None = None
    """The event that reveals it, if it was hidden. `event` may then be a call, for all of its rolls."""


def _is_public(roll: _Roll) -> bool:
    return roll.shown_by is not None or roll.event.visibility is Visibility.PUBLIC


class RollLog(commands.Cog, name="Roll log"):
    """Posts rolls in other channels, one message in `seconds` to each."""

    def __init__(self, bot: Evenhand) -> None:
        self.seconds = REST_SECONDS
        self._bot = bot
        self._waiting = dict[int, deque[_Roll]]()
        self._left_out = Counter[int]()
        self._barred = set[int]()
        """Channels that refuse messages, of which the table was told."""
        self._messages = Throttle[int](self._post, call_later)

    async def cog_load(self) -> None:
        """Subscribe to all rolls."""
        self._bot.app.rolling.watch(self._queue)

    async def cog_unload(self) -> None:
        """Drop the queued lines."""
        await self._messages.close()

    @commands.Cog.listener()
    async def on_forgotten(self, user_id: int) -> None:
        """Drop the queued lines of an erased user."""
        for waiting in self._waiting.values():
            others = [roll for roll in waiting if roll.event.user_id != user_id]
            waiting.clear()
            waiting.extend(others)

    def _queue(self, event: Event, campaign: Campaign, revealed_by: Event | None) -> None:
        """Queue a roll for the campaign's channel. Hidden rolls of a call are on its board only."""
        rules, channel_id = campaign.rules, 0
        if revealed_by or event.visibility is Visibility.PUBLIC:
            channel_id = rules.log_channel
        elif event.visibility in _HIDDEN and event.target is None:
            channel_id = rules.gm_channel
        if channel_id in {0, event.channel_id}:
            return
        waiting = self._waiting.setdefault(channel_id, deque())
        if len(waiting) < WAITING:
            waiting.append(_Roll(revealed_by, campaign, event) if revealed_by else _Roll(event, campaign))
        else:
            self._left_out[channel_id] += 1
        self._messages.touch(channel_id)

    async def _post(self, channel_id: int) -> Cooldown:
        """Post the next message of a channel. Never raise."""
        waiting = self._waiting.get(channel_id)
        if not waiting:
            return Cooldown(0)
        first = waiting[0]
        event, rules = first.event, first.campaign.rules
        interaction = self._bot.recent_interactions.get((first.shown_by or event).interaction_id or 0)
        rolls, count = list[_Roll](), 0
        try:
            with speaking(language_of_place(interaction, rules)):
                rolls, lines = await self._next(waiting)
                if any(roll not in waiting for roll in rolls):
                    return Cooldown(0, must_repeat=True)  # a user was erased in between
                count = self._left_out[channel_id] if len(rolls) == len(waiting) else 0
                look = () if _is_public(rolls[0]) else (CardButton("look", event.at),)
                card = text_card("\n".join([*lines, words.left_out(count)] if count else lines), *look)
                channel = self._bot.get_partial_messageable(channel_id)
                await send(channel, card, looks=rules.looks)
        except Exception as error:  # noqa: BLE001 (the next message may succeed)
            if reason := barrier(error):
                waiting.clear()
                await self._report_barred(channel_id, first, reason, error)
                return Cooldown(SLOW_SECONDS)
            _log.warning("Rolls could not be posted elsewhere: %s", error)
            # A message that Discord refuses for its content would be refused again.
            if not (rolls and isinstance(error, discord.HTTPException) and error.status == BAD_REQUEST):
                return Cooldown(SLOW_SECONDS, must_repeat=True)
            self._left_out[channel_id] += len(rolls)
            count = 0
        # The queue may have grown in between, or lost rolls of an erased user.
        for roll in rolls:
            with suppress(ValueError):
                waiting.remove(roll)
        self._left_out[channel_id] -= count
        self._barred.discard(channel_id)
        return Cooldown(self.seconds, must_repeat=bool(waiting))

    async def _next(self, waiting: deque[_Roll]) -> tuple[list[_Roll], list[str]]:
        """Return the rolls of the next message and their lines; a hidden roll has its own message."""
        rolls = [*takewhile(_is_public, waiting)] or [waiting[0]]
        lines: list[str] = []
        for roll in rolls:
            line = await self._line(roll)
            if sum(map(len, lines)) + len(lines) + len(line) > _ROOM:
                break
            lines.append(line)
        return rolls[: len(lines)], lines

    async def _line(self, roll: _Roll) -> str:
        event, interaction = roll.event, self._bot.recent_interactions.get(roll.event.interaction_id or 0)
        message_id = event.interaction_id or 0
        if (reveal := roll.shown_by) and reveal is not event:
            at = event if isinstance(event.body, CallOpened) else reveal
            link = words.message_link(roll.campaign, at.channel_id, at.interaction_id or 0)
            return words.reveal_line(event, reveal, link)
        if event.target and interaction and interaction.message and not interaction.message.flags.ephemeral:
            message_id = interaction.message.id
        elif event.target is None and interaction:
            try:
                message_id = (await interaction.original_response()).id
            except DISCORD_ERRORS as error:
                _log.info("A line of the log links to the moment of its roll alone: %s", error)
        make = words.line if _is_public(roll) else words.notice
        return make(event, words.message_link(roll.campaign, event.channel_id, message_id))

    async def _report_barred(self, channel_id: int, roll: _Roll, reason: Barrier, error: Exception) -> None:
        """Report once, in the channel of the roll, that a channel takes no messages, and why."""
        if channel_id in self._barred:
            return
        self._barred.add(channel_id)
        _log.warning("Channel %d takes no lines of rolls: %s", channel_id, error)
        setting = "log" if _is_public(roll) else "gm_channel"
        with logged(_log, "The channel of the roll could not be told"):
            place = self._bot.get_partial_messageable(roll.event.channel_id)
            await send(place, lambda: explain_bar(reason, setting, channel_id))


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(RollLog(bot))
