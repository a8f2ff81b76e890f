"""The order of an initiative, whose turn it is, and who waits, is out or comes late."""

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.turns import (
    EntryAt,
    Turn,
    delay_turn,
    entry_at,
    next_turn,
    order,
    set_turn,
    tied,
    toggle_out,
)
from bot.dice.errors import DiceError
from tests.support.calls import entries_of

TOTALS = st.lists(st.none() | st.integers(-5, 5), max_size=8)


def at(seq: int, passed: int, number: int) -> Turn:
    """A turn of the first roll of an event."""
    return Turn(EntryAt(seq, 0), passed, number)


def test_the_highest_goes_first_and_lots_break_ties() -> None:
    """Three with totals and lots of 0 to 2, in all ways: nobody stands before one who should go first."""
    for totals, lots in product(product(range(3), repeat=3), repeat=2):
        ordered = order(entries_of(totals, lots))
        places = [(-(entry.total or 0), -entry.lot, entry.event.seq) for entry in ordered]

        assert places == sorted(places)
        assert {entry.event.seq for entry in ordered} == {1, 2, 3}


@given(TOTALS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_it_is_read(totals: list[int | None], random: Random) -> None:
    """However the entries are handed in, the order is one; who has no number is not in it."""
    entries = entries_of(totals)
    shuffled = [*entries]
    random.shuffle(shuffled)

    assert order(shuffled) == order(entries)
    assert sum(total is not None for total in totals) == len(order(entries))


@given(TOTALS)
def test_ties_are_totals_that_more_than_one_has(totals: list[int | None]) -> None:
    """They are those that are counted twice or more; no number is no tie."""
    numbers = [total for total in totals if total is not None]

    assert tied(entries_of(totals)) == {total for total in numbers if numbers.count(total) > 1}


def test_nobody_has_no_turn() -> None:
    """Without anybody in the order nobody is next, also after a turn."""
    for turn in (None, at(1, 4, 2)):
        with pytest.raises(DiceError, match="Nobody has rolled yet"):
            next_turn([], turn)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_rounds_go_round(totals: list[int]) -> None:
    """From the start on, each has one turn in each round, in the order; each `next` counts one."""
    ordered = order(entries_of(totals))
    turn: Turn | None = None
    turns: list[Turn] = []
    for _ in range(3 * len(ordered)):
        turn = next_turn(ordered, turn)
        turns.append(turn)

    assert [turn.at.seq for turn in turns] == [entry.event.seq for entry in ordered] * 3
    assert [turn.round for turn in turns] == [n // len(ordered) + 1 for n in range(3 * len(ordered))]
    assert [turn.passed for turn in turns] == [*range(1, 3 * len(ordered) + 1)]


def test_who_joins_late_takes_their_place() -> None:
    """After the turn that is: this round; before it: the next round."""
    early = entries_of([20, 10])
    later = entries_of([20, 10, 15])
    first = next_turn(order(early), None)

    assert first == at(1, 1, 1)
    assert next_turn(order(later), first) == at(3, 2, 1)
    second = next_turn(order(early), first)
    assert second == at(2, 2, 1)
    assert next_turn(order(later), second) == at(1, 3, 2)


def test_where_the_turn_s_owner_is_gone_a_round_begins() -> None:
    """For each of three whose roll is undone in their turn, the first of the others begins a new round."""
    for totals in permutations([3, 2, 1]):
        entries = entries_of(totals)
        for removed in entries:
            remaining = order(entry for entry in entries if entry is not removed)

            assert next_turn(remaining, at(removed.event.seq, 2, 1)) == at(remaining[0].event.seq, 3, 2)


def test_somebody_else_who_is_gone_is_passed_over() -> None:
    """The turn goes on from where it is."""
    entries = entries_of([30, 20, 10])

    assert next_turn(order([entries[0], entries[2]]), at(1, 1, 1)) == at(3, 2, 1)


def seqs(totals: list[int], turn: Turn | None) -> list[int]:
    """The events of the order."""
    return [entry.event.seq for entry in order(entries_of([*totals]), turn)]


def test_who_waits_comes_behind_the_next_one() -> None:
    """From then on, in every round; whoever comes late stands before the first one with less."""
    totals = [30, 20, 10]
    turn = delay_turn(order(entries_of([*totals])), at(1, 1, 1))
    delayed_twice = delay_turn(order(entries_of([*totals]), turn), at(1, 2, 1))

    assert turn.at == EntryAt(2, 0)
    assert (turn.passed, turn.round) == (2, 1)
    assert seqs(totals, turn) == [2, 1, 3]
    assert seqs([*totals, 15, 40], turn) == [5, 2, 1, 4, 3]
    assert seqs(totals, delayed_twice) == [2, 3, 1]


def test_the_last_one_waits_for_the_first_of_the_next_round() -> None:
    """The order goes on from there."""
    turn = delay_turn(order(entries_of([30, 20, 10])), at(3, 3, 1))

    assert (turn.at, turn.round) == (EntryAt(1, 0), 2)
    assert seqs([30, 20, 10], turn) == [1, 3, 2]


def test_nobody_waits_for_themselves() -> None:
    """Alone, with all others out, and before the first turn."""
    out = Turn(EntryAt(1, 0), 1, 1, out=(EntryAt(2, 0),))
    for totals, turn in (([1], at(1, 1, 1)), ([2, 1], out), ([2, 1], None)):
        with pytest.raises(DiceError, match="Nobody else is in the order"):
            delay_turn(order(entries_of([*totals])), turn)


def test_who_is_out_is_passed_over_until_they_are_back() -> None:
    """Their own turn goes to the next one; out before the first turn counts too."""
    ordered = order(entries_of([30, 20, 10]))
    first = toggle_out(ordered, None, EntryAt(1, 0))
    begun = next_turn(ordered, first)
    own = toggle_out(ordered, begun, EntryAt(2, 0))
    back = toggle_out(ordered, own, EntryAt(1, 0))

    assert (first.at, first.passed) == (EntryAt(0, 0), 0)
    assert (begun.at, begun.round) == (EntryAt(2, 0), 1)
    assert (own.at, own.passed, own.round) == (EntryAt(3, 0), 2, 1)
    assert (next_turn(ordered, back).at, next_turn(ordered, back).round) == (EntryAt(1, 0), 2)
    with pytest.raises(DiceError):
        next_turn(ordered[:1], Turn(out=(entry_at(ordered[0]),)))


def test_a_turn_is_given() -> None:
    """In the round that is, or the first one; who was out is in."""
    assert set_turn(None, EntryAt(2, 0)) == Turn(EntryAt(2, 0), 1, 1)
    assert set_turn(Turn(EntryAt(1, 0), 4, 2, out=(EntryAt(2, 0),)), EntryAt(2, 0)) == Turn(
        EntryAt(2, 0), 5, 2
    )
