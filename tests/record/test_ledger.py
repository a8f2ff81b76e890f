"""The ledger: how a body becomes a campaign's newest event."""

import json
from dataclasses import replace

from bot.campaign.command import NOBODY, OPEN, Caller, RollOptions
from bot.campaign.events import Event, HistoryCut, Rolled
from bot.campaign.kinds import Seal, Visibility, Words
from bot.campaign.rolled import OfDice
from bot.record.hashing import Keys, Tree
from bot.record.ledger import Ledger, write_line
from bot.times import DISCORD_EPOCH
from tests.support.parts import leaf_of

CALLER = Caller(5 << 22, 9, 8, 42, part=2)
OPTIONS = RollOptions("for Ann", Visibility.BLIND)
BODY = Rolled(roller="evil", of=OfDice("2d6"), results=("7",), target=3, draws=((6, 1),))
SECRET, PERSON = bytes(32), b"p" * 32
EMPTY = Ledger(3, "ab" * 16, SECRET)


def test_a_body_becomes_the_newest_event() -> None:
    """An event says who asked, where and what happened; the first one names the log; the tree grows by it."""
    ledger, event, *_ = EMPTY.append(CALLER, OPTIONS, BODY, PERSON)
    expected = Event(
        campaign_id=3,
        seq=1,
        interaction_id=5 << 22,
        part=2,
        clock=None,
        channel_id=8,
        user_id=42,
        words=Words("for Ann"),
        visibility=Visibility.BLIND,
        body=BODY,
        log="ab" * 16,
    )
    leaf = leaf_of(json.loads(write_line(expected, Keys(SECRET, PERSON))))

    assert event == replace(expected, seal=Seal(leaf))
    assert ledger == replace(EMPTY, tree=Tree().append(leaf).tree, newest=5 << 22)
    assert event.time == CALLER.time == (DISCORD_EPOCH + 5) / 1000


def test_numbers_and_trees_go_on() -> None:
    """The second event has the next number and names no log; a checkpoint says how far it goes."""
    first, one, *_ = EMPTY.append(CALLER, OPTIONS, BODY, PERSON)
    second, two, *_ = first.append(CALLER, OPTIONS, BODY, PERSON)

    assert (one.seq, two.seq, second.seq, two.log) == (1, 2, 2, "")
    assert one.seal.leaf != two.seal.leaf
    assert second.checkpoint.size == 2
    assert second.checkpoint.root == second.tree.root


def test_what_is_left_open_is_as_usual() -> None:
    """Options that say nothing of who may see it take what the campaign's rules have."""
    for options, seen in ((RollOptions(), Visibility.GM), (OPTIONS, Visibility.BLIND)):
        assert EMPTY.append(CALLER, options, BODY, PERSON, Visibility.GM).event.visibility is seen


def test_what_nobody_asked_for_has_a_clock() -> None:
    """It has no interaction, no person and no place, but a time; nobody's key is used."""
    nobody = Caller.nobody(DISCORD_EPOCH + 5)
    event = EMPTY.append(nobody, OPEN, HistoryCut(target=4), PERSON).event

    assert (event.interaction_id, event.user_id, event.label, event.part) == (None, None, None, 0)
    assert (event.clock, nobody.user_id) == (DISCORD_EPOCH + 5, NOBODY)
    assert event == EMPTY.append(nobody, OPEN, HistoryCut(target=4), b"other").event


def test_no_key_is_shown() -> None:
    """What is printed of a ledger has none of its secrets."""
    assert repr(SECRET) not in repr(EMPTY)
