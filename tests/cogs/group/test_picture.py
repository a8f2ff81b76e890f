"""The chart of a check: who gets one, and that what it shows is what was rolled."""

import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread
from numpy.typing import NDArray

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Call, Standing, Status
from bot.campaign.command import OPEN
from bot.campaign.kinds import Visibility
from bot.charts import style
from bot.charts.calls import SHADE, call_chart
from bot.dice.draws import seeded
from cogs.group.picture import ROWS, alt, chart
from cogs.group.words import chartable
from tests.support.calls import entries_of
from tests.support.play import Campaign

CHECK = Terms(Form.CHECK)
DC12 = Terms(Form.CHECK, 12)
NAMES = {1: "Ann", 2: "Bob", 3: "Cy", 4: "Dee"}


def check(totals: Sequence[int | None], terms: Terms = CHECK, label: str = "Stealth") -> Standing:
    """A closed check with these totals, of players 1, 2, 3 ..."""
    opening = OpenCall("1d20+2", terms, options=replace(OPEN, label=label))
    event = Campaign().ask(opening, seeded(0))
    rolled = [
        replace(entry, event=replace(entry.event, user_id=user))
        for user, entry in enumerate(entries_of(totals), start=1)
    ]
    return Standing(Call(event, tuple(rolled), Status.CLOSED), 0)


def drawn(standing: Standing) -> NDArray[np.uint8]:
    """The picture below its key, as rows of red, green and blue."""
    picture = imread(io.BytesIO(call_chart(chart(standing, NAMES))), format="png")
    return (picture[200:, :, :3] * 255).round().astype(np.uint8)


def places(picture: NDArray[np.uint8], colour: str) -> NDArray[np.intp]:
    """Where a colour is: (down, right) of each of its pixels."""
    return np.argwhere((picture == [*bytes.fromhex(colour[1:])]).all(axis=2))


def dots(picture: NDArray[np.uint8], colour: str = style.SERIES[0]) -> list[float]:
    """How far right the dots are, from the top one down."""
    found = places(picture, colour)
    if not found.size:
        return []
    starts = np.flatnonzero(np.diff(found[:, 0]) > 1) + 1
    return [float(dot[:, 1].mean()) for dot in np.split(found, starts)]


@pytest.mark.parametrize(
    ("standing", "worth"),
    [
        (check([1, 2, 3]), True),
        (check([1, 2]), False),
        (check([1, 2, None]), False),
        (check([1, 2, 3], Terms(Form.INITIATIVE)), False),
        (check([1, 2, 3], Terms(Form.CHECK, visibility=Visibility.BLIND)), False),
    ],
)
def test_a_chart_is_for_enough_open_totals(standing: Standing, *, worth: bool) -> None:
    """Of a check, and of nothing that is hidden."""
    assert chartable(standing, 3) == worth


def test_a_chart_is_for_what_is_over() -> None:
    """Closed, or all are in; not for what goes on, or was called off; hidden rolls once revealed."""
    closed = check([1, 2, 3])
    running = replace(closed, call=replace(closed.call, status=Status.OPEN))
    hidden = check([1, 2, 3], Terms(Form.CHECK, visibility=Visibility.GM))

    assert not chartable(running)
    assert not chartable(replace(running, seats=frozenset({1, 2, 3, 4})))
    assert chartable(replace(running, seats=frozenset({1, 2, 3})))
    assert not chartable(replace(closed, call=replace(closed.call, status=Status.CANCELLED)))
    assert chartable(replace(hidden, call=replace(hidden.call, revealed=True)))


@pytest.mark.parametrize("totals", [(10, 30, 20), (-30, -10, -20)])
def test_dots_stand_where_their_totals_are(totals: tuple[int, ...]) -> None:
    """The best on top, and one in the middle of two is drawn in the middle."""
    high, middle, low = dots(drawn(check(totals)))

    assert high > middle > low
    assert abs(high + low - 2 * middle) <= 2  # each may be half a pixel off


def test_where_low_is_good_the_lowest_is_on_top() -> None:
    """For a check that asks for at most so much."""
    first, second, third = dots(drawn(check([3, 9, 6], replace(DC12, under=True))))

    assert first < second < third


@pytest.mark.parametrize("under", [False, True])
def test_the_side_that_passes_is_shaded(*, under: bool) -> None:
    """The dot on the shaded side passes, the other one does not, and the DC itself is on the line."""
    picture = drawn(check([5, 12, 19], replace(DC12, under=under)))
    shade = places(picture, SHADE)[:, 1]
    best, on, worst = dots(picture)

    assert shade.min() < best < shade.max()
    assert not shade.min() < worst < shade.max()
    assert abs(on - (shade.max() if under else shade.min())) < 6


def test_a_sum_alone_is_held_against_its_dc() -> None:
    """Its row at the bottom is shaded, and no player's is."""
    picture = drawn(check([4, 9, 17], Terms(Form.CHECK, 25, rule=Rule.SUM)))

    assert places(picture, SHADE)[:, 0].min() > places(picture, style.SERIES[0])[:, 0].max()


@pytest.mark.parametrize(
    ("rule", "like"), [(Rule.HIGHEST, 0), (Rule.AVERAGE, 1), (Rule.LOWEST, 2), (Rule.EACH, None)]
)
def test_the_groups_value_is_marked(rule: Rule, like: int | None) -> None:
    """Right below the roll that is as high; where each stands for themselves there is none."""
    picture = drawn(check([10, 20, 15], Terms(Form.CHECK, rule=rule)))
    rolled = dots(picture)

    assert dots(picture, style.SERIES[1]) == ([] if like is None else [rolled[like]])


def test_what_lies_far_off_does_not_squeeze_the_rolls() -> None:
    """A DC or a sum out of reach is told in words alone."""
    rolls = [14, 15, 15, 14, 17, 16]
    far = drawn(check(rolls, Terms(Form.CHECK, 1_000, rule=Rule.SUM)))

    assert not places(far, style.SERIES[1]).size
    assert not places(drawn(check(rolls, Terms(Form.CHECK, 1_000))), SHADE).size
    assert dots(far)[0] - dots(far)[-1] > 100


def test_the_description_says_all_that_is_drawn() -> None:
    """The best first, and equal ones in the order in which they rolled."""
    half = replace(DC12, rule=Rule.HALF)

    assert alt(check([7, 19, None, 19], half), {1: "Ann", 2: "Bob"}) == (
        "Stealth: the group succeeds. 1d20+2 against DC 12, at least half must pass: 2 of 3 pass. "
        "Bob: 19, passes by 7; player 2: 19, passes by 7; Ann: 7, fails by 5."
    )
    assert alt(check([4, 9, 17], Terms(Form.CHECK, 31, rule=Rule.SUM), ""), NAMES) == (
        "Everybody rolls: the group fails. 1d20+2 against DC 31: the sum is 30, 1 short. "
        "Cy: 17; Bob: 9; Ann: 4."
    )


def test_of_many_the_best_are_shown_and_said_so() -> None:
    """Nobody is left out in silence."""
    told = alt(check(range(1, ROWS + 11)), {n: f"P{n}" for n in range(60)})

    assert f"The {ROWS} best of {ROWS + 10}: P50: 50; P49: 49;" in told
    assert "P11: 11." in told
    assert "P10:" not in told


def test_the_verdict_stands_behind_the_name_and_a_colon() -> None:
    """As if it were a part of the name."""
    shown = chart(check([5, 12, 19], replace(DC12, rule=Rule.HALF)), NAMES)
    named = replace(shown, name="Stealth: the group succeeds", verdict="")

    assert (shown.name, shown.verdict) == ("Stealth", "the group succeeds")
    assert call_chart(shown) == call_chart(named)


def test_names_that_nobody_gave() -> None:
    """Monsters have the game master's name for them, and who was erased has none."""
    standing = check([3, 2, 1])
    first, second, third = standing.call.entries
    gone = replace(second, event=replace(second.event, user_id=None))
    call = replace(standing.call, entries=(replace(first, name="Goblin 1"), gone, third))

    assert "Goblin 1: 3; an erased player: 2; Cy: 1." in alt(replace(standing, call=call), NAMES)


_ANY = given(
    st.lists(st.integers(-(10**12), 10**12), min_size=3, max_size=6),
    st.text(max_size=80),
    st.sampled_from(Rule),
    st.integers(-(10**6), 10**6),
)
"""Whatever was rolled by whoever."""


@settings(max_examples=3)
@_ANY
def test_any_check_has_a_picture(totals: list[int], text: str, rule: Rule, dc: int) -> None:
    """There is a chart of it."""
    standing, names = check(totals, Terms(Form.CHECK, dc, rule=rule), text), dict.fromkeys(range(9), text)

    assert call_chart(chart(standing, names))


@settings(max_examples=50)
@_ANY
def test_any_check_has_a_description(totals: list[int], text: str, rule: Rule, dc: int) -> None:
    """Discord takes it, and the chart's values are numbers."""
    standing, names = check(totals, Terms(Form.CHECK, dc, rule=rule), text), dict.fromkeys(range(9), text)

    assert chart(standing, names)
    assert len(alt(standing, names)) <= 1_000
