"""Calls: until when they take rolls, their life, and who goes before whom."""

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.call_commands import CancelCall, CloseCall, LeadCommand, ReopenCall
from bot.campaign.call_rolls import Answered
from bot.campaign.calls import LIFE, Status, Turn, following, opened, order, tied
from bot.campaign.events import Body, CallCancelled, CallClosed, CallReopened, Event
from bot.campaign.replay import entries
from bot.campaign.state import State, evolve
from bot.dice.errors import DiceError
from bot.times import DISCORD_EPOCH
from tests.support.calls import GM, Table, entries_of


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
    with pytest.raises(TypeError, match="#2 is no call"):
        opened(answer)
    with pytest.raises(TypeError, match="#1 is no roll"):
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


TOTALS = st.lists(st.none() | st.integers(-5, 5), max_size=8)


def at(seq: int, passed: int, number: int) -> Turn:
    """A turn of the first roll of an event."""
    return Turn(seq, 0, passed, number)


def test_the_highest_goes_first_and_lots_break_ties() -> None:
    """Three with totals and lots of 0 to 2, in all ways: nobody stands before one who should go first."""
    for totals, lots in product(product(range(3), repeat=3), repeat=2):
        ordered = order(entries_of(totals, lots))
        ranks = [(-(entry.total or 0), -entry.lot, entry.event.seq) for entry in ordered]

        assert ranks == sorted(ranks)
        assert {entry.event.seq for entry in ordered} == {1, 2, 3}


@given(TOTALS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_it_is_read(totals: list[int | None], random: Random) -> None:
    """However the entries are handed in, the order is one; who has no number is not in it."""
    made = entries_of(totals)
    shuffled = [*made]
    random.shuffle(shuffled)

    assert order(shuffled) == order(made)
    assert sum(total is not None for total in totals) == len(order(made))


@given(TOTALS)
def test_ties_are_totals_that_more_than_one_has(totals: list[int | None]) -> None:
    """They are those that are counted twice or more; no number is no tie."""
    numbers = [total for total in totals if total is not None]

    assert tied(entries_of(totals)) == {total for total in numbers if numbers.count(total) > 1}


def test_nobody_has_no_turn() -> None:
    """Without anybody in the order nobody is next, also after a turn."""
    assert following([], None) is None
    assert following([], at(1, 4, 2)) is None


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_rounds_go_round(totals: list[int]) -> None:
    """From the start on, each has one turn in each round, in the order; each `next` counts one."""
    ordered = order(entries_of(totals))
    turn: Turn | None = None
    seen: list[Turn] = []
    for _ in range(3 * len(ordered)):
        turn = following(ordered, turn)
        assert turn
        seen.append(turn)

    assert [turn.seq for turn in seen] == [entry.event.seq for entry in ordered] * 3
    assert [turn.round for turn in seen] == [n // len(ordered) + 1 for n in range(3 * len(ordered))]
    assert [turn.passed for turn in seen] == [*range(1, 3 * len(ordered) + 1)]


def test_one_alone_is_always_next() -> None:
    """Every turn is a round then."""
    assert following(order(entries_of([7])), at(1, 1, 1)) == at(1, 2, 2)


def test_who_joins_late_takes_their_place() -> None:
    """After the turn that is: this round; before it: the next round."""
    early = entries_of([20, 10])
    later = entries_of([20, 10, 15])
    first = following(order(early), None)

    assert first == at(1, 1, 1)
    assert following(order(later), first) == at(3, 2, 1)
    second = following(order(early), first)
    assert second == at(2, 2, 1)
    assert following(order(later), second) == at(1, 3, 2)


def test_where_the_turn_s_owner_is_gone_a_round_begins() -> None:
    """For each of three whose roll is undone in their turn, the first of the others begins a new round."""
    for totals in permutations([3, 2, 1]):
        made = entries_of(totals)
        for gone in made:
            left = order(entry for entry in made if entry is not gone)

            assert following(left, at(gone.event.seq, 2, 1)) == at(left[0].event.seq, 3, 2)


def test_somebody_else_who_is_gone_is_passed_over() -> None:
    """The turn goes on from where it is."""
    made = entries_of([30, 20, 10])

    assert following(order([made[0], made[2]]), at(1, 1, 1)) == at(3, 2, 1)
