"""A caller: where they are at home, and the parts of their interaction."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.command import Caller
from bot.times import time_of


@given(st.integers(1 << 22, (1 << 62) - 1))
def test_parts_of_an_interaction_are_told_apart(number: int) -> None:
    """They have its number and its time, and differ by their place alone."""
    caller = Caller(number, 1, 2, 3)
    parts = [caller.at_part(place) for place in range(1, 102)]

    assert [part.part for part in parts] == [*range(1, 102)]
    assert all(replace(part, part=0) == caller for part in parts)
    assert all(part.time == caller.time == time_of(number) for part in parts)


def test_names_of_campaigns_belong_to_a_server_or_a_channel() -> None:
    """In a server all its channels share them; else each channel has its own, threads and posts with it."""
    server, thread = Caller(1, 9, 2, 3), Caller(1, 9, 4, 3, parent_id=2)

    assert (server.root, server.home) == (thread.root, thread.home) == (2, 9)
    assert replace(server, guild_id=None).home == replace(thread, guild_id=None).home == -2
