"""How fast one may roll, on a clock of the test's own."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.errors import DiceError
from bot.services.pace import Pace
from tests.storage.asking import caller


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_player_has_so_many_rolls_and_then_waits() -> None:
    """Five at once, then a refusal that says how long; after that time there is one more."""
    clock = Clock()
    pace = Pace(5, 20, clock)
    for _ in range(5):
        pace.take(caller())
    with pytest.raises(DiceError, match=r"5 rolls in 5 seconds. Try again in 1 s"):
        pace.take(caller())
    pace.take(caller(user=2))
    clock.now += 1
    pace.take(caller())

    with pytest.raises(DiceError, match="too fast"):
        pace.take(caller())


def test_a_server_has_a_limit_of_its_own() -> None:
    """Twenty players fill it; another server, and somebody alone with the bot, are not concerned."""
    clock = Clock()
    pace = Pace(5, 20, clock)
    for user in range(20):
        pace.take(caller(user=user))
    with pytest.raises(DiceError, match="This server rolls faster"):
        pace.take(caller(user=99))
    pace.take(replace(caller(user=98), guild_id=8))
    pace.take(replace(caller(user=97), guild_id=None))
    clock.now += 1

    pace.take(caller(user=99))


def test_a_campaign_may_set_its_own() -> None:
    """What a channel's campaign allows goes before what everybody has, until it is taken back."""
    pace = Pace(5, 0, Clock())
    pace.learn(1, 2)
    pace.take(caller())
    pace.take(caller())
    with pytest.raises(DiceError, match="2 rolls in 5 seconds"):
        pace.take(caller())
    pace.learn(1, 0)

    for user in (2, 2, 2):
        pace.take(caller(user=user))


def test_threads_without_end_fill_no_memory() -> None:
    """Limits of the channels that rolled longest ago are forgotten."""
    pace = Pace(5, 0, Clock())
    for channel in range(1, 10_002):
        pace.learn(channel, 1)
    for _ in range(2):
        pace.take(caller())
    pace.take(caller(channel=10_001, user=2))

    with pytest.raises(DiceError, match="1 roll in 5 seconds"):
        pace.take(caller(channel=10_001, user=2))


@given(st.lists(st.floats(0, 3), max_size=60), st.integers(1, 9))
def test_no_five_seconds_hold_more_than_twice_the_limit(pauses: list[float], limit: int) -> None:
    """However the rolls are spaced, a window takes a full bucket and what flows in meanwhile, no more."""
    clock = Clock()
    pace = Pace(limit, 0, clock)
    taken: list[float] = []
    for pause in pauses:
        clock.now += pause
        try:
            pace.take(caller())
        except DiceError:
            continue
        taken.append(clock.now)

    assert all(sum(start <= at <= start + 5 for at in taken) <= 2 * limit + 1 for start in taken)
