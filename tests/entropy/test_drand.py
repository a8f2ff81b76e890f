"""drand's client: just the round that was asked for, when it is due, or a refusal."""

from datetime import UTC, datetime

import pytest

from bot.campaign.proof import round_after, time_of_round
from bot.entropy.config import EntropyConfig
from bot.entropy.drand import Drand
from bot.entropy.opening import open_web
from bot.entropy.web import Refused
from bot.record.proof_mode import is_round
from tests.support.drand import DrandMood, Prompt, drand_server, signed

REAL = (
    1000,
    "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
)
"""Round 1000 of the chain quicknet, as drand published it."""


class Still(Prompt):
    """A clock that stands still."""

    milliseconds = 1_795_000_000_000

    def utc(self) -> datetime:
        """One time for ever."""
        return datetime.fromtimestamp(self.milliseconds / 1000, UTC)


async def ask(
    mood: DrandMood, number: int = 7, due: int = 0, clock: Prompt | None = None
) -> tuple[int, str, str]:
    """What the client makes of a round from a server in a mood."""
    config = EntropyConfig.offline()
    async with drand_server() as server, open_web(config, clock or Prompt()) as web:
        server.mood = mood
        found = await Drand(web, server.base + "/", config.timeout).round(number, due)
        assert server.asked == [number]
        return found


async def test_a_round_is_its_number_value_and_signature() -> None:
    """The server is asked for just this round."""
    assert await ask(DrandMood.GOOD) == (7, *signed(7))


@pytest.mark.parametrize(
    ("mood", "reason"),
    [
        (DrandMood.ANOTHER, "another question"),
        (DrandMood.FORGED, "not the hash of its signature"),
        (DrandMood.DEAD, "status 500"),
    ],
)
async def test_a_bad_answer_is_refused(mood: DrandMood, reason: str) -> None:
    """Another round, another value or none at all is never taken."""
    with pytest.raises(Refused, match=reason):
        await ask(mood)


async def test_a_round_is_waited_for() -> None:
    """One that is out is asked for at once, one to come a second after it, at most six seconds later."""
    clock = Still()
    for later in (-1_000, 2_000, 60_000):
        await ask(DrandMood.GOOD, 7, clock.milliseconds + later, clock)

    assert clock.slept == [3, 6]


async def test_no_server_is_a_refusal() -> None:
    """Where the settings have none, nothing is asked."""
    async with open_web(EntropyConfig.offline(), Prompt()) as web:
        drand = Drand(web, None, 1.0)

        assert drand.url is None
        with pytest.raises(Refused, match="switched off"):
            await drand.round(7, 0)


def test_a_round_of_the_real_chain_holds() -> None:
    """What drand published is its round after the time of the one before, in small digits and no others."""
    number, value, signature = REAL
    time = time_of_round(number) - 1

    assert is_round([*REAL], time)
    assert not is_round([*REAL], time + 1)
    assert not is_round([number, value, signature[:-1] + "8"], time)
    assert not is_round([number, value, signature.upper()], time)
    assert not is_round([number, value.upper(), signature], time)


def test_the_first_round_after_a_time_is_yet_to_come() -> None:
    """At the time of a round the next one is the first after it, and one comes every three seconds."""
    due = time_of_round(1000)

    assert due == 1_692_803_367_000 + 999 * 3_000
    assert [round_after(due + late) for late in (-1, 0, 2_999, 3_000)] == [1000, 1001, 1001, 1002]
