"""Tell of rolls elsewhere: a line in the log channel, a notice of hidden ones in the game masters' channel.

A roll never waits for it: lines are kept in memory, and posted after the reply as fast as Discord likes it.
A stop loses the lines that wait, and no roll.
"""

import logging
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from http.client import BAD_REQUEST
from itertools import takewhile

import discord
from discord.ext import commands

from bot.answers import UNANSWERED
from bot.campaign.campaigns import Campaign
from bot.campaign.events import CallOpened, Event
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.words.cards import CardButton, text_card
from bot.words.languages import speaking
from cogs.kit.cards import send, spoken_in
from cogs.kit.throttle import Cooldown, Later, Throttle, call_later
from cogs.log import words

_log = logging.getLogger(__name__)

REST_SECONDS = 2.0
"""A channel gets a message at most this often."""
SLOW_SECONDS = 60.0
"""A channel that takes none is tried again after this."""
WAITING = 500
"""Lines of one channel that may wait; further ones are counted."""
_ROOM = 1_900
"""Characters of lines in a message, so that one more fits."""
_HIDDEN = {Visibility.GM, Visibility.BLIND}


@dataclass(frozen=True, eq=False)
class _Roll:
    """A roll that waits to be posted."""

    event: Event
    campaign: Campaign
    shown_by: Event | None = None
    """What shows it to everybody, if it was hidden; then it may be a call with all its rolls, or itself."""


def _is_public(roll: _Roll) -> bool:
    return roll.shown_by is not None or roll.event.visibility is Visibility.PUBLIC


class RollLog(commands.Cog, name="Roll log"):
    """Posts rolls in other channels; `seconds` lie between two messages to one of them."""

    def __init__(self, bot: Evenhand, later: Later = call_later) -> None:
        self.seconds = REST_SECONDS
        self._bot = bot
        self._waiting = dict[int, deque[_Roll]]()
        self._left_out = Counter[int]()
        self._barred = set[int]()
        """Channels of which it was said that they take nothing."""
        self._messages = Throttle[int](self._post, later)

    async def cog_load(self) -> None:
        """Hear of every roll."""
        self._bot.app.rolling.watch(self._rolled)

    async def cog_unload(self) -> None:
        """Drop what waits."""
        await self._messages.close()

    @commands.Cog.listener()
    async def on_forgotten(self, user_id: int) -> None:
        """Drop the lines that wait of somebody who was erased."""
        for waiting in self._waiting.values():
            kept = [one for one in waiting if one.event.user_id != user_id]
            waiting.clear()
            waiting.extend(kept)

    def _rolled(self, event: Event, campaign: Campaign, shown: Event | None) -> None:
        """Have a roll posted where the campaign wants it; a call's board shows its hidden ones itself."""
        rules, channel_id = campaign.rules, 0
        if shown or event.visibility is Visibility.PUBLIC:
            channel_id = rules.log_channel
        elif event.visibility in _HIDDEN and event.target is None:
            channel_id = rules.gm_channel
        if channel_id in {0, event.channel_id}:
            return
        waiting = self._waiting.setdefault(channel_id, deque())
        if len(waiting) < WAITING:
            waiting.append(_Roll(shown, campaign, event) if shown else _Roll(event, campaign))
        else:
            self._left_out[channel_id] += 1
        self._messages.touch(channel_id)

    async def _post(self, channel_id: int) -> Cooldown:
        """Post what fits in a message; never raise."""
        waiting = self._waiting.get(channel_id)
        if not waiting:
            return Cooldown(0)
        event, rules = waiting[0].event, waiting[0].campaign.rules
        asked = self._bot.recent_interactions.get((waiting[0].shown_by or event).interaction_id or 0)
        taken, count = list[_Roll](), 0
        try:
            with speaking(spoken_in(asked, rules)):
                taken, lines = await self._next(waiting)
                if any(one not in waiting for one in taken):
                    return Cooldown(0, must_repeat=True)  # somebody was erased meanwhile
                count = self._left_out[channel_id] if len(taken) == len(waiting) else 0
                look = () if _is_public(taken[0]) else (CardButton("look", event.at),)
                card = text_card("\n".join([*lines, words.left_out(count)] if count else lines), *look)
                channel = self._bot.get_partial_messageable(channel_id)
                await send(channel, card, looks=rules.looks)
        except (discord.Forbidden, discord.NotFound) as error:
            waiting.clear()
            await self._say_barred(channel_id, event, error)
            return Cooldown(SLOW_SECONDS)
        except Exception as error:  # noqa: BLE001 (the next message may succeed, whatever it is)
            _log.warning("Rolls could not be posted elsewhere: %s", error)
            # What Discord refuses for what it says is refused again.
            if not (taken and isinstance(error, discord.HTTPException) and error.status == BAD_REQUEST):
                return Cooldown(SLOW_SECONDS, must_repeat=True)
            self._left_out[channel_id] += len(taken)
            count = 0
        # Meanwhile more may have come, and some may have gone with their person.
        for one in taken:
            with suppress(ValueError):
                waiting.remove(one)
        self._left_out[channel_id] -= count
        self._barred.discard(channel_id)
        return Cooldown(self.seconds, must_repeat=bool(waiting))

    async def _next(self, waiting: deque[_Roll]) -> tuple[list[_Roll], list[str]]:
        """Return the rolls of the next message and their lines; a hidden roll has one of its own."""
        rolls = [*takewhile(_is_public, waiting)] or [waiting[0]]
        lines: list[str] = []
        for roll in rolls:
            line = await self._line(roll)
            if sum(map(len, lines)) + len(lines) + len(line) > _ROOM:
                break
            lines.append(line)
        return rolls[: len(lines)], lines

    async def _line(self, roll: _Roll) -> str:
        event, asked = roll.event, self._bot.recent_interactions.get(roll.event.interaction_id or 0)
        message_id = event.interaction_id or 0
        if (by := roll.shown_by) and by is not event:
            at = event if isinstance(event.body, CallOpened) else by
            return words.reveal_line(
                event, by, words.message_link(roll.campaign, at.channel_id, at.interaction_id or 0)
            )
        if event.target and asked and asked.message and not asked.message.flags.ephemeral:
            message_id = asked.message.id
        elif event.target is None and asked:
            try:
                message_id = (await asked.original_response()).id
            except UNANSWERED as error:
                _log.info("A line of the log links to the moment of its roll alone: %s", error)
        make = words.line if _is_public(roll) else words.notice
        return make(event, words.message_link(roll.campaign, event.channel_id, message_id))

    async def _say_barred(self, channel_id: int, event: Event, error: discord.HTTPException) -> None:
        """Say once that a channel takes no messages, where the roll was made."""
        if channel_id in self._barred:
            return
        self._barred.add(channel_id)
        _log.warning("Channel %d takes no lines of rolls: %s", channel_id, error.text)
        try:
            await send(self._bot.get_partial_messageable(event.channel_id), lambda: words.barred(channel_id))
        except UNANSWERED as refused:
            _log.warning("Nobody could be told: %s", refused)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(RollLog(bot))
