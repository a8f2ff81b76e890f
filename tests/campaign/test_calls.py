"""Calls: until when they take rolls, their life, and who goes before whom."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.call_commands import CancelCall, CloseCall, LeadCommand, ReopenCall
from bot.campaign.call_rolls import Answered
from bot.campaign.calls import LIFE, Status, opened
from bot.campaign.events import Body, CallCancelled, CallClosed, CallReopened, Event
from bot.campaign.replay import entries
from bot.campaign.state import State, evolve
from bot.dice.errors import DiceError
from bot.times import DISCORD_EPOCH
from tests.support.calls import GM, Table


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
    with pytest.raises(TypeError, match="#1 is no Rolled"):
        entries(call)


LEADS: dict[type[Body], type[LeadCommand]] = {
    CallClosed: CloseCall,
    CallReopened: ReopenCall,
    CallCancelled: CancelCall,
}
LATER = DISCORD_EPOCH + 240_010_000


def call_in(status: Status) -> tuple[Table, Event]:
    """A call that was led to a status, after its deadline and with a roll."""
    table = Table()
    call = table.call("1d20", deadline=DISCORD_EPOCH + 240_000_005)
    table.answer(call, 1)
    leads = {Status.OPEN: None, Status.CLOSED: CloseCall, Status.CANCELLED: CancelCall}
    if command := leads[status]:
        table.campaign.ask(command(1, call.seq), table.draws, GM, at=LATER)
    assert table.read(call).status is status
    return table, call


@pytest.mark.parametrize(("status", "body"), [*product(Status, LEADS)])
def test_a_call_s_life_is_its_table(status: Status, body: type[Body]) -> None:
    """What the table names is done and leads there, what it does not is refused; the rolls stay."""
    table, call = call_in(status)
    before, events = table.read(call), [*table.campaign.events]
    command = LEADS[body](1, call.seq)
    if (status, body) not in LIFE:
        with pytest.raises(DiceError, match=f"This call is {status} already"):
            table.campaign.ask(command, table.draws, GM, at=LATER)
        assert table.campaign.events == events
        return
    event = table.campaign.ask(command, table.draws, GM, at=LATER)
    after = table.read(call)

    assert type(event.body) is body
    assert after.status is LIFE[status, body]
    assert after.entries == before.entries != ()
    assert after.deadline == (None if body is CallReopened else DISCORD_EPOCH + 240_000_005)
    assert after == evolve(State(event=call, call=before), event).call


def test_the_table_of_a_call_s_life_is_whole() -> None:
    """It leads from every status and to every status, and by nothing but the three commands."""
    assert {status for status, _ in LIFE} == {*LIFE.values()} == {*Status}
    assert {body for _, body in LIFE} == {*LEADS}
