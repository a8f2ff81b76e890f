"""What a reader is told follows from what they may see, and from nothing that is hidden from them."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import pytest

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Command, RollOptions
from bot.campaign.d100_rolls import ResetRegister, roll_register
from bot.campaign.events import Event
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.roller_commands import MakeRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.record.audit import Findings
from bot.record.discretion import Redaction
from bot.record.exchange import Reading
from bot.record.lines import EventRecord
from tests.support.cutting import cut
from tests.support.exporting import export_of, lines_of
from tests.support.histories import mixed_history
from tests.support.parts import close_parts
from tests.support.play import Campaign
from tests.support.sight import hidden, partial, surprises, told, whole
from tests.support.systems import make

STRANGER = 99
EVIL = MakeRoller("evil", make("fair", "2d6", tightness="1"))
OWN = MakeRoller("own", make("deck", "1d6"), Remembers.PLAYER)


def check(events: Sequence[Event], items: Sequence[EventRecord]) -> Findings:
    """What the audit says of events as they are told."""
    lines = [
        close_parts(line, *(part for part in item.closed if line[part]))
        for line, item in zip(lines_of(events), items, strict=True)
    ]
    file = BytesIO(export_of(events, lines))
    reading = Reading()
    reading.read(file.readline(), file)
    assert reading.audit
    assert reading.audit.begun
    return reading.audit.findings


def played(*asked: tuple[Command, int]) -> list[Event]:
    """The events of a campaign."""
    campaign, draws = Campaign(), seeded(0)
    for command, user in asked:
        campaign.ask(command, draws, user)
    return campaign.events


def seen_by(visibility: Visibility) -> RollOptions:
    """The options of a roll that these may see."""
    return RollOptions(visibility=visibility)


@pytest.mark.parametrize("ways", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_no_memory_holds_what_is_hidden(seed: int, ways: bool) -> None:  # noqa: FBT001 (pytest's)
    """Whoever reads: each memory that they are told follows from the rolls that they are told whole."""
    events = mixed_history(250, seed, ways=ways)
    readers: list[tuple[int, bool]] = [(STRANGER, False), (1, False), (STRANGER, True)]
    for user, is_gm in readers:
        items = told(events, user, is_gm=is_gm)
        closed = hidden(items), partial(items)

        assert surprises(events, *closed) == []
        assert check(events, items).closed.count == sum(
            events[seq - 1].kind is Kind.ROLL for numbers in closed for seq in numbers
        )
        if not is_gm:
            # The account itself notices what would betray.
            assert {*surprises(events, closed[0], ())} <= {*closed[1]}
            assert surprises(events, closed[0], ())


def test_where_nothing_is_hidden_all_is_told() -> None:
    """So it is for a game master where no roll is somebody's own, and for a player of an open table."""
    events = mixed_history(200)
    open_table = [replace(event, visibility=Visibility.PUBLIC) for event in events]

    assert len(whole(told(events, STRANGER, is_gm=True))) == 200
    assert len(whole(told(open_table, STRANGER))) == 200


def test_a_long_history_is_not_kept_in_mind() -> None:
    """Of rolls that hide nothing, nothing has to be brought back by an undo."""
    events = played((EVIL, 1), *[(RollDice("evil"), 2)] * 400)
    discretion = Redaction()
    tracemalloc.start()
    try:
        for event in events:
            discretion.reveals_hidden(event, visible=True)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 100 * len(events)


def test_a_hidden_roll_is_felt_until_a_reset() -> None:
    """The rolls after it are told in part; a reset of the roller ends that, and its undo brings it back."""
    evil, blind = RollDice("evil"), RollDice("evil", options=seen_by(Visibility.BLIND))
    reset, undo = ResetRoller("evil"), UndoRoller("evil")
    events = played(
        (EVIL, 1), (evil, 1), (blind, 2), (evil, 1), (RollDice("2d6"), 1), (reset, 1), (evil, 1),
        (undo, 1), (undo, 1), (evil, 1), (undo, 1), (undo, 1), (undo, 1), (evil, 1),
    )  # fmt: skip
    items = told(events, STRANGER)

    assert (hidden(items), partial(items)) == ([3], [4, 10])
    assert len(whole(told(events, STRANGER, revealed=frozenset({3})))) == len(events)
    assert check(events, items).closed.count == 3


def test_a_players_own_memory_is_their_own() -> None:
    """Ann's hidden roll is felt in her rolls and not in Bob's; she herself is told all of them."""
    own, quiet = RollDice("own"), RollDice("own", options=seen_by(Visibility.SELF))
    events = played((OWN, 1), (quiet, 1), (own, 2), (own, 1))

    for items in (told(events, 2), told(events, 3, is_gm=True)):
        assert (hidden(items), partial(items)) == ([2], [4])
    assert len(whole(told(events, 1))) == 4


def test_ones_own_register_begins_anew() -> None:
    """Its reset holds the old value, and so is told in part; what comes after it is told whole."""
    roll, quiet = roll_register(4), roll_register(4, options=seen_by(Visibility.GM))
    undo = UndoRoller("d100 register")
    events = played((roll, 1), (quiet, 1), (ResetRegister(), 1), (roll, 1), (undo, 1), (undo, 1), (roll, 1))

    items = told(events, STRANGER)

    assert (hidden(items), partial(items)) == ([2], [3, 7])


def test_no_memories_where_odds_are_for_game_masters() -> None:
    """All of a player's rolls with a memory are told in part, plain dice whole."""
    events = played((EVIL, 1), (RollDice("evil"), 1), (RollDice("2d6"), 1))

    assert whole(told(events, STRANGER, memories=False)) == [1, 3]


@pytest.mark.parametrize("is_gm", [False, True])
def test_a_cut_keeps_memories_to_itself(is_gm: bool) -> None:  # noqa: FBT001 (pytest's)
    """What was hidden before it is felt after it, and so a player is told no memory until a reset."""
    evil, blind = RollDice("evil"), RollDice("evil", options=seen_by(Visibility.BLIND))
    events = played((EVIL, 1), (blind, 2), (evil, 1), (ResetRoller("evil"), 1), (evil, 1))
    left = cut(events, 2)
    items = told(left, STRANGER, is_gm=is_gm)
    found = check(left, items)

    assert left[-1].kind is Kind.CUT
    assert whole(items) == ([3, 4, 5, 6] if is_gm else [4, 5])
    assert found.remade == (2 if is_gm else 1)


def test_a_change_after_a_cut_tells_whose_memory_it_is() -> None:
    """A roller of each player's own stays so: Ann's hidden roll is felt in her rolls and not in Bob's."""
    own, quiet = RollDice("own"), RollDice("own", options=seen_by(Visibility.SELF))
    events = played((OWN, 1), (own, 1), (ResetRoller("own"), 1), (quiet, 1), (own, 2), (own, 1))

    items = told(cut(events, 2), 99)

    assert (hidden(items), partial(items)) == ([4], [6, 7])
