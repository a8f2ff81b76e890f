"""Bursts of rolls with a memory, and sessions, as the marks of a history tell them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.campaign_commands import MarkSession
from bot.campaign.events import HistoryCut, SessionMarked
from bot.campaign.histories import BURST_ROLLS, BURST_SECONDS, Beginning, Session, bursts, sessions
from bot.campaign.kinds import Mark
from bot.dice.draws import seeded
from bot.dice.errors import DiceError
from tests.support.play import Campaign, rolled, rolled_with
from tests.support.systems import make


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40))
def test_a_burst_is_many_rolls_in_a_short_time(pauses: list[int]) -> None:
    """A roll is marked exactly if some window of that time around it holds that many."""
    event = rolled_with(make("deck", "1d6")).event
    times: list[int] = []
    for pause in pauses:
        times.append((times[-1] if times else 0) + pause)
    events = [replace(event, seq=n, interaction_id=at * 1000 << 22) for n, at in enumerate(times, 1)]
    windows = [
        {n for n, at in enumerate(times, 1) if end - BURST_SECONDS <= at <= end and n <= last}
        for last, end in enumerate(times, 1)
    ]

    assert bursts(events) == set().union(*(w for w in windows if len(w) >= BURST_ROLLS))


def test_only_rolls_that_a_memory_counts_are_a_burst() -> None:
    """Plain dice, however many, are none; nor are those of somebody erased; several at once count each."""
    dice = rolled("1d6").event
    cards = rolled_with(make("deck", "1d6"), BURST_ROLLS).event

    assert bursts([replace(dice, seq=n) for n in range(1, 99)]) == set()
    assert bursts([replace(cards, user_id=None)]) == set()
    assert bursts([cards]) == {cards.seq}


def marked(*marks: Mark) -> list[tuple[int, int | None]]:
    """The first and the last number of each session, newest first."""
    first = Campaign().ask(MarkSession(Mark.START), seeded(0))
    events = [replace(first, seq=n, body=SessionMarked(mark=mark)) for n, mark in enumerate(marks, start=1)]
    return [(session.start, session.end) for session in sessions(reversed(events))]


def test_one_session_goes_on_at_a_time() -> None:
    """A second start is refused, and a second end."""
    campaign = Campaign()
    campaign.ask(MarkSession(Mark.START), seeded(0))
    with pytest.raises(DiceError, match="already on"):
        campaign.ask(MarkSession(Mark.START), seeded(0))
    campaign.ask(MarkSession(Mark.END), seeded(0))
    with pytest.raises(DiceError, match="No session is on"):
        campaign.ask(MarkSession(Mark.END), seeded(0))

    assert len(campaign.events) == 2


def test_a_start_ends_only_the_session_that_was_seen() -> None:
    """One that somebody else began meanwhile goes on."""
    campaign = Campaign()
    seen = campaign.ask(MarkSession(Mark.START), seeded(0)).seq
    begun = campaign.ask(MarkSession(Mark.START, instead=seen), seeded(0)).seq
    with pytest.raises(DiceError, match="already on"):
        campaign.ask(MarkSession(Mark.START, instead=seen), seeded(0))

    assert [event.seq for event in campaign.events] == [seen, begun]


def test_sessions_are_what_the_marks_say() -> None:
    """A start closes what is open, an end of nothing says nothing, and the last session may go on."""
    start, end = Mark.START, Mark.END

    assert marked() == []
    assert marked(end) == []
    assert marked(start) == [(1, None)]
    assert marked(start, end, end, start, start, end, start) == [(7, None), (5, 6), (4, 5), (1, 2)]


def test_a_session_knows_its_times() -> None:
    """They are read from Discord's ids."""
    campaign = Campaign()
    first = campaign.ask(MarkSession(Mark.START), seeded(0))
    last = replace(campaign.ask(MarkSession(Mark.END), seeded(0)), interaction_id=5_000 << 22)

    assert sessions([last, first]) == [Session(1, first.time, 2, last.time)]


def test_a_session_that_a_cut_went_through_is_the_oldest_one() -> None:
    """It keeps the beginning that the cut remembers; whatever is marked next closes it."""
    first, last = MarkSession(Mark.START), MarkSession(Mark.END)
    cut = HistoryCut(days=30, session=(2, 5_000 << 22))
    beginning = Beginning(5, cut, 0.0)
    campaign = Campaign()
    marks = [campaign.ask(mark, seeded(0)) for mark in (first, last)]

    assert sessions([], beginning) == [Session(2, 1_420_070_405.0, cut=5)]
    assert sessions([marks[1]], beginning) == [Session(2, 1_420_070_405.0, 2, marks[1].time, cut=5)]
    assert [(s.start, s.end) for s in sessions(reversed(marks), beginning)] == [(1, 2), (2, 1)]
    assert sessions([], replace(beginning, cut=replace(cut, session=()))) == []
