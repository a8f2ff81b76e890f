"""Calls: until when they take rolls, their life, and who goes before whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.call_rolls import Answered
from bot.campaign.calls import opened
from bot.campaign.replay import entries
from bot.dice.errors import DiceError
from bot.times import DISCORD_EPOCH
from tests.support.calls import Table


@given(st.integers(DISCORD_EPOCH, DISCORD_EPOCH + (1 << 41)))
def test_a_deadline_is_kept_to_the_millisecond(deadline: int) -> None:
    """A roll that is asked for at the deadline counts, and one a millisecond later does not, in any year."""
    called = Table()
    call = called.call("1d20", deadline=deadline)
    called.answer(call, 1, at=deadline)
    with pytest.raises(DiceError, match=r"This call is closed\. A game master can reopen it"):
        called.answer(call, 2, at=deadline + 1)
    with pytest.raises(Answered):
        called.answer(call, 1, at=deadline + 1)

    assert len(called.read(call).entries) == 1


def test_other_events_are_neither_calls_nor_answers() -> None:
    """It is our own mistake to read a roll as a call, or a call as a roll."""
    called = Table()
    call = called.call("1d20")
    answer = called.answer(call, 1)
    with pytest.raises(TypeError, match="#2 is no CallOpened"):
        opened(answer)
    with pytest.raises(TypeError, match="#1 is no roll"):
        entries(call)
