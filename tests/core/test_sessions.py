from dataclasses import replace

from bot.core.requests.sessions import MarkSession
from bot.core.seeded import seeded
from bot.core.sessions import Mark, Session, sessions
from tests.support.play import Campaign


def marked(*marks: Mark) -> list[tuple[int, int | None]]:
    """The first and the last number of each evening, newest first."""
    campaign = Campaign()
    for mark in marks:
        campaign.ask(MarkSession(mark), seeded(0))
    return [(session.start, session.end) for session in sessions(reversed(campaign.events))]


def test_evenings_are_what_the_marks_say() -> None:
    """A start closes what is open, an end of nothing says nothing, and the last evening may go on."""
    start, end = Mark.START, Mark.END

    assert marked() == []
    assert marked(end) == []
    assert marked(start) == [(1, None)]
    assert marked(start, end, end, start, start, end, start) == [(7, None), (5, 6), (4, 5), (1, 2)]


def test_an_evening_knows_its_times() -> None:
    """They are read from Discord's ids."""
    campaign = Campaign()
    first = campaign.ask(MarkSession(Mark.START), seeded(0))
    last = replace(campaign.ask(MarkSession(Mark.END), seeded(0)), interaction_id=5_000 << 22)

    assert sessions([last, first]) == [Session(1, first.time, 2, last.time)]
