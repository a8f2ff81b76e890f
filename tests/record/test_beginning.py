"""A history that begins after a cut is checked from there, and no other may begin late."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.campaign.cuts import read_cut
from bot.campaign.events import Event, HistoryCut
from bot.campaign.kinds import Kind
from bot.campaign.roller_commands import MakeRoller, UndoRoller
from bot.campaign.rollers import Remembers
from bot.campaign.rolls import RollDice
from bot.dice.seeded import seeded
from bot.dice.system import Memory
from bot.record.audit import Findings, Item
from bot.record.beginning import begin
from bot.record.chain import START, link
from bot.record.cutting import Cutting
from bot.record.exchange import read_part
from bot.record.lineage import Broken
from tests.support.cutting import SALT, cut
from tests.support.exporting import export_text
from tests.support.histories import mixed_history
from tests.support.play import Campaign
from tests.support.systems import make

HISTORY = mixed_history(420)


def head_of(item: Item) -> bytes:
    """The chain's head after it."""
    return item.seal.head if isinstance(item, Event) else item.head


def changed(event: Event, **changes: Any) -> Event:
    """The event with another body."""
    return replace(event, body=replace(event.body, **changes))


def check(items: Sequence[Item], before: bytes) -> Findings:
    """What the audit says of what is left."""
    audit = begin(items[0].seq, before, items)
    for item in items:
        audit.see(item)
    return audit.finish(items[-1].seq, head_of(items[-1]))


def broken(items: Sequence[Item], before: bytes) -> Broken:
    """Where the audit says that it does not hold."""
    with pytest.raises(Broken) as caught:
        check(items, before)
    return caught.value


def salted(event: Event, salt: bytes | None) -> Event:
    """The event with another salt, or none."""
    return replace(event, seal=replace(event.seal, salt=salt))


def forged(events: Sequence[Event], before: bytes, place: int, event: Event) -> list[Event]:
    """The events with another one in that place, and all heads worked out anew."""
    sealed: list[Event] = []
    for one in (*events[:place], event, *events[place + 1 :]):
        sealed.append(link(before, one))
        before = sealed[-1].seal.head
    return sealed


@pytest.mark.parametrize("upto", [1, 57, 210, 419, 420])
@pytest.mark.parametrize(("seed", "ways"), [(0, False), (1, False), (2, True), (3, True)])
def test_what_is_left_holds(seed: int, ways: bool, upto: int) -> None:  # noqa: FBT001 (pytest's)
    """Wherever a history is cut, and though a player was erased: nothing to complain of."""
    events = mixed_history(420, seed, ways=ways)
    left = cut(events, upto)
    found = check(left, events[upto - 1].seal.head)

    assert (found.first, found.last) == (upto + 1, 421)
    assert found.erased == sum(event.user_id is None for event in events[upto:])


@pytest.mark.parametrize("seed", range(4))
def test_a_history_can_be_cut_again_and_again(seed: int) -> None:
    """Each cut goes on from the one before, through what only hashes tell of the players."""
    events = mixed_history(400, seed, ways=True)
    left, heads = events, {event.seq: event.seal.head for event in events}
    for upto in (50, 51, 200, 380):
        left = cut(left, upto)
        heads[left[-1].seq] = left[-1].seal.head

        assert check(left, heads[upto]).events == len(left) == 400 - upto + left[-1].seq - 400


def test_all_can_be_cut() -> None:
    """Then the cut itself is the history, and a later cut goes on from it."""
    left = cut(HISTORY, 420)
    again = cut(left, 421)

    assert [event.kind for event in left] == [Kind.CUT]
    assert check(left, HISTORY[-1].seal.head).events == 1
    assert check(again, left[-1].seal.head).events == 1
    assert read_cut(again[0]).cut.rollers == read_cut(left[0]).cut.rollers


def test_every_memory_after_a_cut_is_checked() -> None:
    """Of the table and of each player, from their first roll after it on, and of a player who is new."""
    for name, memory in (("table", Remembers.TABLE), ("own", Remembers.PLAYER)):
        campaign = _played(name, memory)
        left, before = cut(campaign.events, 6), campaign.events[5].seal.head
        for place in range(3):
            event = left[place]
            other = changed(event, before=_other(event))

            assert check(left, before).rolls == 3
            assert broken(forged(left, before, place, other), before).number == event.seq


def test_a_roll_that_goes_on_from_nothing_is_named() -> None:
    """The cut knows every roller's newest event, so another one before the cut is none of it."""
    campaign = _played("table", Remembers.TABLE)
    left, before = cut(campaign.events, 6), campaign.events[5].seal.head
    for prev in (0, 5):
        other = changed(left[0], prev=prev)

        assert broken(forged(left, before, 0, other), before).number == 7


def test_a_long_history_is_folded_without_all_of_it_in_mind() -> None:
    """An undo that goes further back leaves its roller unsure, and nothing else."""
    campaign = _played("table", Remembers.TABLE)
    for _ in range(5):
        campaign.ask(UndoRoller("table"), seeded(0))
    doubts: list[bool] = []
    for window in (3, 99):
        cutting = Cutting(SALT, window=window)
        for event in campaign.events:
            cutting.see(event)
        doubts.append(any(one.unsure for one in cutting.cut(30).rollers))

    assert doubts == [True, False]


def test_without_its_salt_only_the_first_memory_of_each_player_is_taken_as_written() -> None:
    """So it is once somebody was erased; the second one is checked again."""
    campaign = _played("own", Remembers.PLAYER)
    campaign.ask(RollDice("own"), seeded(9), user=1)
    left, before = cut(campaign.events, 6), campaign.events[5].seal.head
    unsalted = [*left[:-1], salted(left[-1], None)]
    second = changed(left[3], before=_other(left[3]))

    assert check(unsalted, before).rolls == 4
    assert left[3].user_id == left[0].user_id
    assert broken(forged(unsalted, before, 3, second), before).number == left[3].seq
    assert broken([*left[:-1], salted(left[-1], b"x" * 16)], before).number == left[-1].seq


@pytest.mark.parametrize("place", [0, 100, 209, 210])
def test_a_change_after_the_cut_is_named(place: int) -> None:
    """Whatever a file's forger changes, its number is named; the cut itself is no exception."""
    left, before = cut(HISTORY, 210), HISTORY[209].seal.head
    event = left[place]

    assert broken([*left[:place], *left[place + 1 :]], before).number in {event.seq, 1}
    other = replace(event, channel_id=8)
    assert broken([*left[:place], other, *left[place + 1 :]], before).number == event.seq


def test_a_changed_face_is_named_although_all_was_sealed_anew() -> None:
    """The replay finds it, as it does in a whole history."""
    left, before = cut(HISTORY, 210), HISTORY[209].seal.head
    place = next(i for i, event in enumerate(left) if event.kind is Kind.ROLL and event.roller == "evil")
    event = left[place]
    first, *others = event.roll.results
    other = changed(event, results=("12" if first != "12" else "2", *others))

    assert broken(forged(left, before, place, other), before).number == event.seq


@pytest.mark.parametrize("start", [1, 209, 419])
def test_a_history_without_its_head_is_refused(start: int) -> None:
    """Removed by hand, the first number that is missing is named; nothing in the history says it was cut."""
    error = broken(HISTORY[start:], HISTORY[start - 1].seal.head)

    assert error.number == 1
    assert f"the history begins with #{start + 1}, and no cut says" in str(error)


def test_what_lies_after_a_cut_can_not_be_removed_by_hand() -> None:
    """The number after the cut is named, not the beginning that is rightly gone."""
    left = cut(HISTORY, 210)

    assert broken(left[5:], left[4].seal.head).number == 211
    assert broken(left, START).number == 211


def test_a_damaged_cut_is_named() -> None:
    """Whatever its record says that makes no sense."""
    left, before = cut(HISTORY, 210), HISTORY[209].seal.head
    last = left[-1]
    assert isinstance(last.body, HistoryCut)
    [kept, *_] = [one for one in last.body.rollers if one.memories]
    unhashed = replace(kept, memories=(("me", (0,)),))
    empty = {"head": "", "days": 0, "rollers": ()}
    for said in (
        empty,
        {"head": "x"},
        {"rollers": (unhashed,)},
        {"session": (1,)},
        {"target": 0},
        {"target": 421},
    ):
        damaged = changed(last, **said)

        assert broken(forged(left, before, len(left) - 1, damaged), before).number == last.seq
        whole = [*HISTORY, link(HISTORY[-1].seal.head, damaged)]
        assert broken(whole, START).number == last.seq


def test_a_cut_reads_back_from_an_export() -> None:
    """Salt and all, so that a file can be checked as the history was."""
    left = [replace(event, campaign_id=0) for event in cut(HISTORY, 210)]
    said = json.loads(export_text(HISTORY, left, 210))
    said |= {"seq": left[-1].seq, "head": left[-1].seal.head.hex()}
    part = read_part(json.dumps(said))

    assert list(part.items) == left
    assert check(part.items, part.heading.before).events == 211


def _played(name: str, memory: Remembers) -> Campaign:
    """A roller and five rolls; after them one each of players 1 and 2 and of 4, who is new."""
    campaign, draws = Campaign(), seeded(1)
    campaign.ask(MakeRoller(name, make("fair", "1d6"), memory), draws)
    for user in (1, 2, 2, 1, 3, 1, 2, 4):
        campaign.ask(RollDice(name), draws, user=user)
    return campaign


def _other(event: Event) -> Memory:
    """Another memory than the event began with."""
    before = event.roll.before
    assert before
    return (before[0] + 1, *before[1:])
