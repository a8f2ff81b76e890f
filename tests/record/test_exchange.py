"""An export: what is no line of one is refused, and what it closes can't be found by trying."""

import json
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest

from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.record.exchange import DamagedExport, Reading
from bot.record.hashing import PARTS, canon
from bot.record.ledger import closed_parts
from tests.support.exporting import export_of, lines_of
from tests.support.histories import mixed_history
from tests.support.parts import close_parts, part_of
from tests.support.play import Campaign
from tests.support.systems import make

HEAD = '{"evenhand":2,"first":1,"frontier":[],"log":"%s","name":"","origin":"evenhand/%s","size":1}'


@cache
def history() -> list[Event]:
    """A mixed history, which only the tests of this file need."""
    return mixed_history(320)


def read(text: bytes) -> Reading:
    """Read a file."""
    reading, file = Reading(), BytesIO(text)
    reading.read(file.readline(), file)
    return reading


def test_an_export_reads_back() -> None:
    """Every event of a long history is there and made again, and the end is the tree of all of them."""
    audit = read(export_of(history())).audit

    assert audit
    assert audit.seq == 320
    assert audit.findings.closed.count == 0
    assert audit.findings.remade == sum(event.kind.value == "roll" for event in history())


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[1]",
        "{}",
        '{"evenhand":1,"events":[]}',
        HEAD % ("ab" * 16, "ba" * 16),
        HEAD % ("ab" * 15, "ab" * 15),
        (HEAD % ("ab" * 16, "ab" * 16)).replace('"first":1', '"first":3'),
        (HEAD % ("ab" * 16, "ab" * 16)).replace('"name":""', '"name":7'),
    ],
)
def test_what_is_no_export_is_refused(line: str) -> None:
    """With a sentence, and never with a stack of Python's own errors."""
    with pytest.raises(DamagedExport):
        read(line.encode() + b"\n")


def test_no_guess_of_a_hidden_roll_can_be_tested() -> None:
    """None of the faces of a d20, in a roll's own words, has a hash that a player's export holds.

    Who had the salts would find it at once: that is what keeps them back.
    """
    campaign = Campaign()
    campaign.ask(MakeRoller("evil", make("fair", "1d20", tightness="1")), seeded(0))
    options = RollOptions("stealth", Visibility.GM)
    rolled = campaign.ask(RollDice("1d20", options=options), seeded(1))
    [made, true] = lines_of(campaign.events)
    closed = close_parts(true, *closed_parts(visible=False, typed=True, reveals_hidden=False))
    file = export_of(campaign.events, [made, closed])
    salt, told = json.loads(json.dumps(true["what"]))
    guesses: list[Any] = [{**told, "results": [str(face)]} for face in range(1, 21)]
    hashes = {
        sha256(text).hexdigest()
        for guess in guesses
        for text in (
            canon(guess),
            canon(["evenhand/2", "what", guess]),
            canon(["evenhand/2", "what", "", guess]),
        )
    }

    assert told["results"] == [*rolled.roll.results]
    assert not any(one.encode() in file for one in hashes)
    assert salt.encode() not in file
    assert b"stealth" not in file
    assert part_of(closed, "who") == {"user": str(rolled.user_id)}
    with_salt = [sha256(canon(["evenhand/2", "what", salt, guess])).hexdigest() for guess in guesses]
    assert [one for one in with_salt if one.encode() in file] == [closed["what"]]


def test_what_betrays_is_told_without_how() -> None:
    """The result stays, and what it was worked out from is closed under a salt of its own."""
    [line] = lines_of(history()[:1])
    told = close_parts(line, *closed_parts(visible=True, typed=True, reveals_hidden=True))

    assert [name for name in PARTS if isinstance(told[name], str)] == ["how"]
