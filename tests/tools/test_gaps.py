"""Histories of which something can't be seen: nothing honest is called broken, and a gap hides no forgery."""

import random
from collections.abc import Callable

import pytest

from tests.support.exporting import export_of, lines_of
from tests.support.histories import mixed_history
from tests.support.logs import Log, edited, export
from tests.support.parts import Line, close_parts, withhold
from tests.support.sight import told
from tests.support.verdicts import Verifier
from tests.tools.test_rollers import roll_loaded, two_rollers


@pytest.mark.parametrize("seed", [*range(6), 101, 109])
def test_whatever_is_withheld_nothing_honest_is_called_broken(seed: int, ask: Verifier) -> None:
    """A gap may hold an undo, a reset, a session, or anything; players' exports have closed parts besides."""
    chance = random.Random(seed)  # noqa: S311 (what is left out, not what is rolled)
    events = mixed_history(120, seed, ways=seed % 2 > 0)
    for _ in range(6):
        gone = {place for place in range(len(events)) if chance.random() < chance.choice((0.02, 0.1, 0.4))}
        items = zip(lines_of(events), told(events, 99, is_gm=False), strict=True)
        lines = [close_parts(line, *(part for part in item.closed if line[part])) for line, item in items]
        file = export_of(events, [withhold(e) if n in gone else e for n, e in enumerate(lines)])
        verdict = ask(file)

        assert verdict.code == 3, (gone, verdict)


def forgotten(log: Log) -> None:
    """A roller begins anew, behind its newest roll."""
    log._rollers["Luck"].memories.clear()
    log.roll_with("Luck")


def older(log: Log) -> None:
    """A roll goes on from an older one, though a newer one was seen behind the gap."""
    log.roll_with("Luck")
    log._rollers["Luck"].last = 4
    log._rollers["Luck"].memories.clear()
    log.roll_with("Luck")


def honest(log: Log) -> None:
    """Both rollers go on, and one is reset."""
    for name in ("Luck", "Fate"):
        log.roll_with(name)
    log.reset("Luck")
    log.roll_with("Luck")


def after_a_reset(log: Log) -> None:
    """Another memory than at first, behind a reset that was seen."""
    memory = log.memory("Luck", "table")
    log.reset("Luck")
    log._rollers["Luck"].memories["table"] = memory
    log.roll_with("Luck")


def behind(forge: Callable[[Log], None], number: int = 5) -> list[Line]:
    """A forgery behind an event of another roller that is withheld."""
    log = two_rollers()
    forge(log)
    return [withhold(event) if event["seq"] == number else event for event in log.events]


@pytest.mark.parametrize("forge", [forgotten, older, roll_loaded, after_a_reset])
def test_a_gap_hides_no_forgery(forge: Callable[[Log], None], ask: Verifier) -> None:
    """Where a roller goes on from what was seen, its rule and its memory are what they were."""
    events = behind(forge)
    verdict = ask(b"".join(export(events)))

    assert verdict.code == 1, verdict
    assert f"#{len(events)} " in verdict.words


def test_behind_a_gap_a_roller_goes_on(ask: Verifier) -> None:
    """Honest rolls behind the same gap hold, so the test above can fail."""
    assert ask(b"".join(export(behind(honest)))).code == 3


def test_a_closed_roll_makes_no_roller(ask: Verifier) -> None:
    """A roll whose memory is closed is of a roller that somebody made, whatever else is closed."""
    log = two_rollers()
    log.roll_with("Luck")
    closed = [close_parts(event, "how") if event["seq"] in {6, 8} else event for event in log.events]
    closed[-1] = edited(closed[-1], "what", roller="Fortune")
    verdict = ask(b"".join(export(closed)))

    assert verdict.code == 1, verdict
    assert "#8 " in verdict.words
