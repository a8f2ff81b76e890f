"""A history holds, or it is said at which number it does not."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bot.campaign.events import Event, Kind
from bot.campaign.visibility import Visibility
from bot.dice.labels import Label
from bot.record.audit import Audit, Findings, Item, Sealed
from bot.record.chain import START, hash_person, seal
from bot.record.exchange import END, DamagedExport, Heading, print_heading, print_items, read_part
from bot.record.lineage import Broken
from tests.support.histories import ERASED, mixed_history

HISTORY = mixed_history(620)
LAST = HISTORY[-1]


def check(items: Sequence[Item], seq: int = LAST.seq, head: bytes = LAST.head) -> Findings:
    """What the audit says of a whole history."""
    audit = Audit()
    for item in items:
        audit.see(item)
    return audit.finish(seq, head)


def resealed(events: Sequence[Event]) -> list[Event]:
    """The events with a chain worked out anew, as a clever forger would do it."""
    head, sealed = START, list[Event]()
    for event in events:
        sealed.append(seal(head, event))
        head = sealed[-1].head
    return sealed


def broken(events: Sequence[Event], *, head: bytes = LAST.head) -> int:
    """The number that the audit names."""
    with pytest.raises(Broken) as caught:
        check(events, head=head)
    return caught.value.number


def first(wanted: Callable[[Event], bool]) -> int:
    """The place of the first such event from the hundredth on."""
    return next(i for i, event in enumerate(HISTORY) if i >= 100 and wanted(event))


def changed(place: int, event: Event) -> list[Event]:
    """The history with another event in that place."""
    return [*HISTORY[:place], event, *HISTORY[place + 1 :]]


def test_the_history_is_mixed() -> None:
    """There is enough of everything in it for the audit to trip over."""
    kinds = [event.kind for event in HISTORY]

    assert kinds.count(Kind.ROLL) >= 500
    assert all(
        kinds.count(kind) >= 3 for kind in (Kind.MAKE, Kind.RESET, Kind.REMOVE, Kind.UNDO, Kind.REVEAL)
    )
    assert sum(event.user_id is None for event in HISTORY) > 50
    assert any(event.user_id == ERASED for event in HISTORY)


@pytest.mark.parametrize("seed", range(6))
def test_a_history_holds(seed: int) -> None:
    """Whatever was asked for, in any order, with a player erased in the middle: nothing to complain of."""
    events = mixed_history(300, seed)
    findings = check(events, 300, events[-1].head)

    assert findings.events == 300
    assert findings.rolls == sum(event.kind is Kind.ROLL for event in events)
    assert findings.erased == sum(event.user_id is None for event in events)


@pytest.mark.parametrize("reseal", [False, True])
def test_a_changed_face_is_named(reseal: bool) -> None:  # noqa: FBT001 (pytest's)
    """One other face: its number is named, even if every head after it was worked out anew."""
    place = first(lambda event: event.kind is Kind.ROLL and event.roller == "evil")
    event = HISTORY[place]
    forged = changed(
        place, replace(event, results=("12" if event.results[0] != "12" else "2", *event.results[1:]))
    )

    assert broken(resealed(forged) if reseal else forged) == event.seq


def test_a_removed_roll_is_named() -> None:
    """Its number is missing; numbered and sealed anew, the chain ends too early."""
    place = first(lambda event: event.kind is Kind.ROLL)
    without = [*HISTORY[:place], *HISTORY[place + 1 :]]

    assert broken(without) == place + 1
    assert broken(HISTORY[:-1]) == LAST.seq


def test_a_roll_that_was_cut_out_is_missed_by_its_roller() -> None:
    """All numbers moved up and sealed anew: the roller's next event goes on from what is not there."""
    place = first(lambda event: event.kind is Kind.ROLL and event.roller == "evil")
    events = [replace(event, seq=event.seq - (event.seq > place)) for event in HISTORY]
    del events[place]

    assert broken(resealed(events)) > place


def test_a_swapped_player_is_named() -> None:
    """Somebody else under a roll does not fit its salted hash."""
    place = first(lambda event: event.user_id == 1)
    event = HISTORY[place]

    assert broken(changed(place, replace(event, user_id=2))) == event.seq


def test_another_memory_is_named() -> None:
    """Somebody else's roll with a roller that each has their own memory of: the memory is not theirs."""
    place = first(
        lambda e: (
            e.kind is Kind.ROLL and e.roller == "own" and e.user_id == 1 and e.detail["before"] != [0] * 6
        )
    )
    event = HISTORY[place]
    salt = event.salt or b""
    forged = replace(event, user_id=99, person=hash_person(salt, 99, event.label or ""))

    assert broken(resealed(changed(place, forged))) == event.seq


def test_another_rule_is_named() -> None:
    """A roll with a rule that its roller did not have, replayed and sealed: it is named all the same."""
    place = first(
        lambda event: event.kind is Kind.ROLL and event.roller == "plain" and len(event.results) == 1
    )
    event = HISTORY[place]
    forged = replace(
        event,
        spec='{"system":"dice","base":{"7":1}}',
        results=("7",),
        detail={**event.detail, "draws": [[1, 0]]},
    )

    assert broken(resealed(changed(place, forged))) == event.seq


def test_what_is_hidden_from_the_reader_leaves_the_rest_checked() -> None:
    """Sealed events are only counted; a changed face elsewhere is still named."""
    items: list[Item] = [
        Sealed(e.seq, e.head) if e.kind is Kind.ROLL and e.visibility is not Visibility.PUBLIC else e
        for e in HISTORY
    ]
    place = next(i for i in range(300, len(items)) if isinstance(items[i], Event) and HISTORY[i].results)
    event = HISTORY[place]

    assert check(items).sealed == sum(isinstance(item, Sealed) for item in items) > 50
    items[place] = replace(event, results=("0", *event.results[1:]))
    with pytest.raises(Broken) as caught:
        check(items)
    assert caught.value.number == event.seq


@pytest.mark.parametrize("start", [1, 200, 619])
def test_a_later_part_is_checked_from_the_head_before_it(start: int) -> None:
    """What lies before the part is taken as it is written."""
    audit = Audit(start, HISTORY[start - 1].head)
    for event in HISTORY[start:]:
        audit.see(event)

    assert audit.finish(LAST.seq, LAST.head).events == 620 - start


def test_an_export_reads_back() -> None:
    """Every event comes back as it was, but for the number that the database gave its campaign."""
    events: list[Item] = [
        Sealed(e.seq, e.head) if e.seq % 7 == 0 else replace(e, campaign_id=0) for e in HISTORY
    ]
    heading = Heading('A "name"', LAST.seq, LAST.head, 1, START, {"settings": {"odds": "gms"}})
    part = read_part(print_heading(heading) + ",\n".join(print_items(events)) + END)

    assert list(part.items) == events
    assert (part.heading.campaign, part.heading.seq, part.heading.head) == ('A "name"', LAST.seq, LAST.head)
    assert part.heading.about["settings"] == {"odds": "gms"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "{}",
        '{"evenhand": 2, "events": []}',
        '{"evenhand": 1, "events": []}',
        '{"evenhand": 1, "campaign": "", "seq": "1", "head": "", "first": 1, "before": "", "events": []}',
        '{"evenhand": 1, "campaign": "", "seq": 1, "head": "", "first": 1, "before": "", "events": [1]}',
        '{"evenhand":1,"campaign":"","seq":1,"head":"","first":1,"before":"","events":[{"seq":1}]}',
    ],
)
def test_what_is_no_export_is_refused(text: str) -> None:
    """With a sentence, and never with a stack of Python's own errors."""
    with pytest.raises(DamagedExport):
        read_part(text)


@pytest.mark.parametrize("start", [0, 90])
@pytest.mark.parametrize("seed", range(6))
def test_cards_maps_real_dice_and_other_ways_hold(seed: int, start: int) -> None:
    """Whatever can be rolled is replayed, from the beginning or from any number, and with gaps."""
    events = mixed_history(220, seed, ways=True)
    whole, gaps = (Audit(start, events[start - 1].head if start else START) for _ in range(2))
    for event in events[start:]:
        whole.see(event)
        gaps.see(event if event.visibility is Visibility.PUBLIC else Sealed(event.seq, event.head))
    found = whole.finish(events[-1].seq, events[-1].head)

    assert gaps.finish(events[-1].seq, events[-1].head).events == found.events == 220 - start
    assert {e.roller for e in events} >= {"d100 table", "d100 pool", "d100 leftovers"}
    assert {e.roller for e in events} >= {"Destination", "d100 register"}
    assert any(e.source is Label.PHYSICAL for e in events)
