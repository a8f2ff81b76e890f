"""A history holds, or it is said at which number it does not."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Kind, Words
from bot.campaign.rolled import OfDice
from bot.record.audit import Audit
from bot.record.exchange import Reading
from bot.record.findings import Broken
from bot.record.hashing import canon
from bot.words.languages import PSEUDO, language, speaking
from bot.words.saying import refusal
from tests.support.cutting import cut
from tests.support.exporting import export_of, lines_of
from tests.support.histories import ERASED, mixed_history
from tests.support.parts import withhold
from tests.support.play import LOG, audited

SHORT = 130
"""Events of a shorter one."""
KINDS = (Kind.MAKE, Kind.RESET, Kind.REMOVE, Kind.UNDO, Kind.REVEAL)


@cache
def history() -> list[Event]:
    """A mixed history, which only the tests of this file need."""
    return mixed_history(620)


@cache
def short() -> list[list[str]]:
    """The lines of another, each as it is told and withheld."""
    lines = lines_of(mixed_history(SHORT, 3))
    return [[canon(told).decode() for told in (line, withhold(line))] for line in lines]


def broken(events: Sequence[Event]) -> int:
    """The number that the audit of stored events names."""
    with pytest.raises(Broken) as caught:
        audited(events)
    return caught.value.number


def changed(place: int, event: Event) -> list[Event]:
    """The history with another event in that place."""
    return [*history()[:place], event, *history()[place + 1 :]]


def place_of(wanted: Callable[[Event], bool]) -> int:
    """The place of the first such event from the hundredth on."""
    return next(i for i, event in enumerate(history()) if i >= 100 and wanted(event))


def rolled(event: Event, **changes: Any) -> Event:
    """The roll with another body."""
    return replace(event, body=replace(event.roll, **changes))


def test_the_history_is_mixed() -> None:
    """There is enough of everything in it for the audit to trip over."""
    kinds = [event.kind for event in history()]

    assert kinds.count(Kind.ROLL) >= 500
    assert all(kinds.count(kind) >= 3 for kind in KINDS)
    assert sum(event.user_id is None for event in history()) > 50
    assert any(event.user_id == ERASED for event in history())


@pytest.mark.parametrize("ways", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_history_holds(seed: int, ways: bool) -> None:  # noqa: FBT001 (pytest's)
    """Whatever was asked for, in any order, with a player erased in the middle: nothing to complain of."""
    events = mixed_history(300, seed, ways=ways)
    found = audited(events)

    assert found.remade == sum(isinstance(event.body, Rolled) for event in events)
    assert found.nobody == sum(isinstance(e.body, Rolled) and e.user_id is None for e in events)
    assert (found.closed.count, found.withheld.spans) == (0, [])


CHANGES: tuple[Callable[[Event], Event], ...] = (
    lambda event: replace(event, user_id=4),
    lambda event: replace(event, words=Words("ice")),
    lambda event: replace(event, channel_id=8),
    lambda event: replace(event, interaction_id=(event.interaction_id or 0) + 1),
    lambda event: replace(event, seal=replace(event.seal, leaf=bytes(32))),
    lambda event: rolled(event, of=OfDice("3d6")),
    lambda event: rolled(event, results=("1",), draws=((1, 0),)),
)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_in_a_database_is_named(change: Callable[[Event], Event]) -> None:
    """Its leaf is another than the one that was written down, or it can't have been rolled so."""
    place = place_of(lambda event: isinstance(event.body, Rolled) and event.roll.dice == "2d6+3")

    assert broken(changed(place, change(history()[place]))) == place + 1


def test_a_missing_event_is_named() -> None:
    """The first number that is not there."""
    assert broken([*history()[:200], *history()[201:]]) == 201


def test_a_face_and_a_memory_are_made_again() -> None:
    """A face that does not follow from the draws, and a memory that the roller did not have, are named."""
    place = place_of(lambda event: isinstance(event.body, Rolled) and event.roll.roller == "evil")
    event = history()[place]
    other = "2" if event.roll.results[0] != "2" else "12"

    assert broken(changed(place, rolled(event, results=(other, *event.roll.results[1:])))) == place + 1
    assert broken(changed(place, rolled(event, prev=place - 50))) == place + 1


def test_what_is_broken_is_said_in_a_language() -> None:
    """The whole sentence, and the reason in it."""
    place = place_of(lambda event: isinstance(event.body, Rolled) and event.roll.dice == "2d6+3")
    event = rolled(history()[place], draws=())
    with pytest.raises(Broken) as caught:
        audited(changed(place, event))

    assert str(caught.value) == (
        f"#{place + 1} can't have been rolled so: The record has fewer draws than the roll needs."
    )
    with speaking(language(PSEUDO)):
        assert not re.search("[a-z]{3}", refusal(caught.value))


def test_what_is_withheld_leaves_a_gap() -> None:
    """Spans of it are named, and what hangs on it is taken as it is written."""
    lines = lines_of(history())
    told = [withhold(line) if 100 <= place < 140 else line for place, line in enumerate(lines)]
    file, reading = BytesIO(export_of(history(), told)), Reading()
    reading.read(file.readline(), file)

    assert reading.audit
    assert reading.audit.findings.withheld.spans == [[101, 140]]


@settings(max_examples=15)
@given(st.sets(st.integers(1, SHORT)))
@example({*range(2, SHORT, 2)})
def test_whatever_is_withheld_nothing_is_called_broken(numbers: set[int]) -> None:
    """A gap may hold an undo, or anything; of many gaps the first ones are named, the others counted."""
    audit = Audit(LOG)
    for seq, (line, gone) in enumerate(short(), 1):
        audit.see(gone if seq in numbers else line)
    found = audit.findings
    named = {number for first, last in found.withheld.spans for number in range(first, last + 1)}

    assert named <= numbers
    assert len(found.withheld.spans) <= 50
    assert len(named) + found.withheld.later == len(numbers)


@pytest.mark.parametrize("upto", [1, 255, 310])
def test_after_a_cut_the_rest_holds(upto: int) -> None:
    """What is left follows the frontier that the cut names, and a second cut can be made of it."""
    left = cut(history(), upto)
    again = cut(left, upto + 200)
    for events in (left, again):
        file, reading = BytesIO(export_of(events)), Reading()
        reading.read(file.readline(), file)
        assert reading.audit
        assert reading.audit.begun
        assert reading.audit.seq == events[-1].seq


def test_a_beginning_without_a_cut_is_told() -> None:
    """An audit knows that nothing says why its first events are not there."""
    audit = Audit(LOG)
    audited(history()[:100], audit)
    late = Audit(LOG, audit.tree)
    audited(history()[100:], late)

    assert (audit.begun, late.begun) == (True, False)
    assert late.seq == len(history())
