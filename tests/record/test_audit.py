"""A history holds, or it is said at which number it does not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.campaign.d100_rolls import ResetRegister
from bot.campaign.events import Event, RegisterReset
from bot.campaign.kinds import Kind
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.campaign.visibility import Visibility
from bot.dice.labels import Label
from bot.dice.seeded import seeded
from bot.record.audit import Audit, Findings, Item, Sealed
from bot.record.chain import START, hash_person, link
from bot.record.lineage import Broken
from tests.support.histories import ERASED, mixed_history
from tests.support.play import Campaign
from tests.support.systems import make

HISTORY = mixed_history(620)
LAST = HISTORY[-1]


def check(items: Sequence[Item], seq: int = LAST.seq, head: bytes = LAST.seal.head) -> Findings:
    """What the audit says of a whole history."""
    audit = Audit()
    for item in items:
        audit.see(item)
    return audit.finish(seq, head)


def resealed(events: Sequence[Event]) -> list[Event]:
    """The events with a chain worked out anew, as a clever forger would do it."""
    head, sealed = START, list[Event]()
    for event in events:
        sealed.append(link(head, event))
        head = sealed[-1].seal.head
    return sealed


def broken(events: Sequence[Event], *, head: bytes = LAST.seal.head) -> int:
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


def rolled(event: Event, **changes: Any) -> Event:
    """The roll with another body."""
    return replace(event, body=replace(event.roll, **changes))


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
    findings = check(events, 300, events[-1].seal.head)

    assert findings.events == 300
    assert findings.rolls == sum(event.kind is Kind.ROLL for event in events)
    assert findings.erased == sum(event.user_id is None for event in events)


@pytest.mark.parametrize("reseal", [False, True])
def test_a_changed_face_is_named(reseal: bool) -> None:  # noqa: FBT001 (pytest's)
    """One other face: its number is named, even if every head after it was worked out anew."""
    place = first(lambda event: event.kind is Kind.ROLL and event.roller == "evil")
    event = HISTORY[place]
    first_face, *others = event.roll.results
    forged = changed(place, rolled(event, results=("12" if first_face != "12" else "2", *others)))

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
        lambda e: e.kind is Kind.ROLL and e.roller == "own" and e.user_id == 1 and e.roll.before != (0,) * 6
    )
    event = HISTORY[place]
    person = hash_person(event.seal.salt or b"", 99, event.label or "")
    forged = replace(event, user_id=99, seal=replace(event.seal, person=person))

    assert broken(resealed(changed(place, forged))) == event.seq


def test_another_rule_is_named() -> None:
    """A roll with a rule that its roller did not have, replayed and sealed: it is named all the same."""
    place = first(
        lambda event: event.kind is Kind.ROLL and event.roller == "plain" and len(event.roll.results) == 1
    )
    event = HISTORY[place]
    forged = rolled(event, spec='{"system":"dice","base":{"7":1}}', results=("7",), draws=((1, 0),))

    assert broken(resealed(changed(place, forged))) == event.seq


def test_what_is_hidden_from_the_reader_leaves_the_rest_checked() -> None:
    """Sealed events are only counted; a changed face elsewhere is still named."""
    items: list[Item] = [
        Sealed(e.seq, e.seal.head) if e.kind is Kind.ROLL and e.visibility is not Visibility.PUBLIC else e
        for e in HISTORY
    ]
    shown = (place for place in range(300, len(items)) if isinstance(items[place], Event))
    place = next(place for place in shown if HISTORY[place].kind is Kind.ROLL)
    event = HISTORY[place]

    assert check(items).sealed == sum(isinstance(item, Sealed) for item in items) > 50
    items[place] = rolled(event, results=("0", *event.roll.results[1:]))
    with pytest.raises(Broken) as caught:
        check(items)
    assert caught.value.number == event.seq


@pytest.mark.parametrize("start", [1, 200, 619])
def test_a_later_part_is_checked_from_the_head_before_it(start: int) -> None:
    """What lies before the part is taken as it is written."""
    audit = Audit(start, HISTORY[start - 1].seal.head)
    for event in HISTORY[start:]:
        audit.see(event)

    assert audit.finish(LAST.seq, LAST.seal.head).events == 620 - start


@pytest.mark.parametrize("start", [0, 90])
@pytest.mark.parametrize("seed", range(6))
def test_cards_maps_real_dice_and_other_ways_hold(seed: int, start: int) -> None:
    """Whatever can be rolled is replayed, from the beginning or from any number, and with gaps."""
    events = mixed_history(220, seed, ways=True)
    whole, gaps = (Audit(start, events[start - 1].seal.head if start else START) for _ in range(2))
    for event in events[start:]:
        whole.see(event)
        gaps.see(event if event.visibility is Visibility.PUBLIC else Sealed(event.seq, event.seal.head))
    head = events[-1].seal.head
    found = whole.finish(events[-1].seq, head)

    assert gaps.finish(events[-1].seq, head).events == found.events == 220 - start
    assert {e.roller for e in events} >= {"d100 table", "d100 pool", "d100 leftovers"}
    assert {e.roller for e in events} >= {"Destination", "d100 register"}
    assert any(e.kind is Kind.ROLL and e.roll.source is Label.PHYSICAL for e in events)


@pytest.mark.parametrize(
    "changes",
    [
        {"value": 7},
        {"value": 7, "draws": ((100, 8),)},
        {"value": 8, "draws": ((99, 8),)},
        {"value": 8, "draws": ((100, 8), (100, 8))},
        {"value": 100, "draws": ((100, 100),)},
        {"spec": '{"system":"dice","base":"1d6"}'},
        {"spec": "{}"},
    ],
)
def test_a_register_begins_anew_at_0_or_at_what_was_drawn(changes: dict[str, Any]) -> None:
    """Sealed anew, any other value, draw or rule is named."""
    campaign = Campaign()
    reset = campaign.ask(ResetRegister(), seeded(0))
    assert isinstance(reset.body, RegisterReset)
    forged = resealed([replace(reset, body=replace(reset.body, **changes))])

    assert check([reset], 1, reset.seal.head).events == 1
    with pytest.raises(Broken, match="#1 "):
        check(forged, 1, forged[-1].seal.head)


def test_a_roller_s_roll_goes_on_from_something() -> None:
    """One that does not say from what is named, although its draws and its memory fit each other."""
    campaign = Campaign()
    campaign.ask(MakeRoller("evil", make("fair", "2d6", tightness="1")), seeded(0))
    campaign.ask(RollDice("evil"), seeded(0))
    first, second = campaign.events
    forged = resealed([first, rolled(second, prev=None)])

    assert check([first, second], 2, second.seal.head).rolls == 1
    with pytest.raises(Broken, match="#2 does not say what it goes on from"):
        check(forged, 2, forged[-1].seal.head)
