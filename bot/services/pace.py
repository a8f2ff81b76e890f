"""Pace: whatever people ask for is counted in buckets of tokens in memory, and rolls besides.

Each person has such buckets, and each server.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf

from bot.campaign.command import Caller
from bot.dice.errors import DiceError

USER_SECONDS = 5
"""A player's bucket fills in this time, a server's in one second."""
_ASKED, _PEOPLE = 2, 10
"""A person may ask at twice their pace of rolls, and a server at ten times a person's."""
FIGURES, FIGURES_SECONDS = 5, 20
"""Charts, judgements and exports that a person may ask for, and in how many seconds."""
_BUCKETS = 10_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Pace:
    """Counts what people ask for; a limit of 0 is none. What is refused costs no transaction."""

    def __init__(
        self, user_rolls: int = 0, guild_rolls: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._user_rolls = user_rolls
        self._guild_rolls = guild_rolls
        self._clock = clock
        self._own: dict[int, int] = {}
        self._buckets: dict[tuple[str, int], _Bucket] = {}
        self._swept_at = -inf

    def learn(self, channel_id: int, user_rolls: int) -> None:
        """Note how many rolls the campaign of a channel allows a player; 0 is what everybody has."""
        if user_rolls:
            self._own[channel_id] = user_rolls
        else:
            self._own.pop(channel_id, None)

    def admit(self, user_id: int, guild_id: int | None, channel_id: int | None) -> None:
        """Count a command, a press or a form; DiceError says how long to wait where there were too many."""
        own = self._own.get(channel_id or user_id, 0)
        limit = _ASKED * max(self._user_rolls, own) if self._user_rolls else 0
        if wait := self._wait(("asks", user_id), limit, USER_SECONDS):
            raise DiceError(
                "That is too fast: {limit} commands and presses in {user_seconds} seconds. Try again in "
                "{wait} s.",
                limit=limit,
                user_seconds=USER_SECONDS,
                wait=wait,
            )
        if guild_id is not None and self._wait(("all", guild_id), limit * _PEOPLE, USER_SECONDS):
            raise DiceError("This server asks more than I can follow. Try again in a second.")

    def figures(self, user_id: int) -> None:
        """Count a chart, or other work of seconds; DiceError says how long to wait where there was much."""
        if wait := self._wait(("figures", user_id), FIGURES if self._user_rolls else 0, FIGURES_SECONDS):
            raise DiceError("That is a lot of charts at once. Try again in {wait} s.", wait=wait)

    def take(self, caller: Caller) -> None:
        """Count a roll; DiceError says how long to wait where there were too many."""
        user_rolls = self._own.get(caller.channel_id, self._user_rolls)
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
        """Return how many seconds are missing to the next token; 0 takes one."""
        if not limit:
            return 0
        now = self._clock()
        bucket = self._buckets.get(name)
        if bucket is None:
            self._make_room(now)
            bucket = self._buckets[name] = _Bucket(limit, now)
        rate = limit / seconds
        bucket.tokens = min(limit, bucket.tokens + (now - bucket.at) * rate)
        bucket.at = now
        if bucket.tokens < 1:
            return ceil((1 - bucket.tokens) / rate)
        bucket.tokens -= 1
        return 0

    def _make_room(self, now: float) -> None:
        if len(self._buckets) >= _BUCKETS and now >= self._swept_at + 1:
            self._swept_at = now
            # By then every bucket is full again, and a missing bucket counts as full.
            self._buckets = {n: b for n, b in self._buckets.items() if now - b.at < FIGURES_SECONDS}
