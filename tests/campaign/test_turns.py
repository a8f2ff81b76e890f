"""Who goes before whom, and whose turn comes after whose."""

from itertools import permutations, product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.turns import Turn, following, order, tied
from tests.support.calls import entries

TOTALS = st.lists(st.none() | st.integers(-5, 5), max_size=8)


def at(seq: int, passed: int, number: int) -> Turn:
    """A turn of the first roll of an event."""
    return Turn(seq, 0, passed, number)


def test_the_highest_goes_first_and_lots_break_ties() -> None:
    """Three with totals and lots of 0 to 2, in all ways: nobody stands before one who should go first."""
    for totals, lots in product(product(range(3), repeat=3), repeat=2):
        ordered = order(entries(totals, lots))
        ranks = [(-(entry.total or 0), -entry.lot, entry.event.seq) for entry in ordered]

        assert ranks == sorted(ranks)
        assert {entry.event.seq for entry in ordered} == {1, 2, 3}


@given(TOTALS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_it_is_read(totals: list[int | None], random: Random) -> None:
    """However the entries are handed in, the order is one; who has no number is not in it."""
    made = entries(totals)
    shuffled = [*made]
    random.shuffle(shuffled)

    assert order(shuffled) == order(made)
    assert sum(total is not None for total in totals) == len(order(made))


@given(TOTALS)
def test_ties_are_totals_that_more_than_one_has(totals: list[int | None]) -> None:
    """They are those that are counted twice or more; no number is no tie."""
    numbers = [total for total in totals if total is not None]

    assert tied(entries(totals)) == {total for total in numbers if numbers.count(total) > 1}


def test_nobody_has_no_turn() -> None:
    """Without anybody in the order nobody is next, also after a turn."""
    assert following([], None) is None
    assert following([], at(1, 4, 2)) is None


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_rounds_go_round(totals: list[int]) -> None:
    """From the start on, each has one turn in each round, in the order; each `next` counts one."""
    ordered = order(entries(totals))
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
    assert following(order(entries([7])), at(1, 1, 1)) == at(1, 2, 2)


def test_who_joins_late_takes_their_place() -> None:
    """After the turn that is: this round; before it: the next round."""
    early = entries([20, 10])
    later = entries([20, 10, 15])
    first = following(order(early), None)

    assert first == at(1, 1, 1)
    assert following(order(later), first) == at(3, 2, 1)
    second = following(order(early), first)
    assert second == at(2, 2, 1)
    assert following(order(later), second) == at(1, 3, 2)


def test_where_the_turn_s_owner_is_gone_a_round_begins() -> None:
    """For each of three whose roll is undone in their turn, the first of the others begins a new round."""
    for totals in permutations([3, 2, 1]):
        made = entries(totals)
        for gone in made:
            left = order(entry for entry in made if entry is not gone)

            assert following(left, at(gone.event.seq, 2, 1)) == at(left[0].event.seq, 3, 2)


def test_somebody_else_who_is_gone_is_passed_over() -> None:
    """The turn goes on from where it is."""
    made = entries([30, 20, 10])

    assert following(order([made[0], made[2]]), at(1, 1, 1)) == at(3, 2, 1)
