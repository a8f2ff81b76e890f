"""Rate limits for each person and each server.

Commands, rolls and expensive figures have buckets of their own.
"""

import time
from collections.abc import Callable
from math import ceil

from bot.buckets import Buckets
from bot.campaign.command import Caller
from bot.dice.errors import DiceError
from bot.newest import Newest

USER_SECONDS = 5
"""Seconds in which a player's bucket fills; a server's fills in one."""
_COMMANDS_FACTOR, _GUILD_FACTOR = 2, 10
"""Commands per roll allowed to a person, and persons' worth of commands allowed to a server."""
FIGURES, FIGURES_SECONDS = 5, 20
"""Charts, judgements and exports allowed to a person, and the seconds they are counted over."""
_CHANNELS = 10_000
"""Most channels whose campaign's limit is remembered; a roll there tells it again."""


class Pace:
    """Rate limiter of commands and rolls; a limit of 0 is no limit."""

    def __init__(
        self, user_rolls: int = 0, guild_rolls: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._user_rolls = user_rolls
        self._guild_rolls = guild_rolls
        self._channel_rolls = Newest[int, int](_CHANNELS)
        self._buckets = Buckets(clock)

    def learn(self, channel_id: int, user_rolls: int) -> None:
        """Set how many rolls a channel's campaign allows a player; 0 is the default."""
        if user_rolls:
            self._channel_rolls[channel_id] = user_rolls
        else:
            self._channel_rolls.pop(channel_id, None)

    def admit(self, user_id: int, guild_id: int | None, channel_id: int | None) -> None:
        """Count a command, press or form; raise DiceError with the time to wait if there were too many."""
        channel_rolls = self._channel_rolls.get(channel_id or user_id, 0)
        limit = _COMMANDS_FACTOR * max(self._user_rolls, channel_rolls) if self._user_rolls else 0
        if wait := self._wait(("asks", user_id), limit, USER_SECONDS):
            raise DiceError(
                "That is too fast: {limit} commands and presses in {user_seconds} seconds. Try again in "
                "{wait} s.",
                limit=limit,
                user_seconds=USER_SECONDS,
                wait=wait,
            )
        if guild_id is not None and self._wait(("all", guild_id), limit * _GUILD_FACTOR, USER_SECONDS):
            raise DiceError("This server asks more than I can follow. Try again in a second.")

    def figures(self, user_id: int) -> None:
        """Count a chart or other work of seconds; raise DiceError with the time to wait if over the limit."""
        if wait := self._wait(("figures", user_id), FIGURES if self._user_rolls else 0, FIGURES_SECONDS):
            raise DiceError("That is a lot of charts at once. Try again in {wait} s.", wait=wait)

    def take(self, caller: Caller) -> None:
        """Count a roll; raise DiceError with the time to wait if there were too many."""
        user_rolls = self._channel_rolls.get(caller.channel_id, self._user_rolls)
        if wait := self._wait(("user", caller.user_id), user_rolls, USER_SECONDS):
            if user_rolls == 1:
                raise DiceError(
                    "That is too fast: 1 roll in {user_seconds} seconds. Try again in {wait} s.",
                    user_seconds=USER_SECONDS,
                    wait=wait,
                )
            raise DiceError(
                "That is too fast: {rolls} rolls in {user_seconds} seconds. Try again in {wait} s.",
                rolls=user_rolls,
                user_seconds=USER_SECONDS,
                wait=wait,
            )
        if caller.guild_id is not None and self._wait(("guild", caller.guild_id), self._guild_rolls, 1):
            raise DiceError("This server rolls faster than I can follow. Try again in a second.")

    def _wait(self, name: tuple[str, int], limit: int, seconds: float) -> int:
        """Take a token and return 0, or return the seconds until the next one."""
        return ceil(self._buckets.take(name, limit, limit / seconds)) if limit else 0
