"""Calling for rolls, and what a game master does with a call."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest

from bot.campaign.call_commands import CancelCall, CloseCall, LeadCommand, ReopenCall, RevealCall
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Status, opened
from bot.campaign.campaigns import Remembers
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import CallClosed, CallOpened
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import RemoveRoller
from bot.dice.errors import DiceError, NotationError, SpecError, Unknown
from bot.dice.system import System
from bot.systems.registry import read_spec
from bot.times import DISCORD_EPOCH
from tests.support.calls import GM, Table
from tests.support.systems import make

CHECK = Terms(Form.CHECK)
DEAL = Terms(Form.DEAL, cards=2)
INITIATIVE = Terms(Form.INITIATIVE)
ROLLERS: Mapping[str, System] = {
    "luck": make("fair", "2d6", tightness="1"),
    "Cards": make("deck", {"ace": 1, "king": 1}),
    "numbers": make("deck", {"1": 1, "2": 1}),
    "offers": read_spec({"system": "decks", "decks": {"x": {"1": 1}, "y": {"2": 1}}}),
}


def table() -> Table:
    """A table with all the rollers, and one that was removed."""
    new_table = Table()
    for name, system in ROLLERS.items():
        new_table.make(name, system)
    new_table.make("gone", ROLLERS["luck"])
    new_table.campaign.ask(RemoveRoller("gone"), new_table.draws, GM)
    return new_table


@pytest.mark.parametrize(
    ("dice", "terms", "roller", "text"),
    [
        ("D20 + 3", Terms(Form.CHECK, 15), "", "1d20+3"),
        (" LUCK ", Terms(Form.CHECK, 7, under=True), "luck", ""),
        ("luck", INITIATIVE, "luck", ""),
        ("numbers", Terms(Form.CHECK, 2), "numbers", ""),
        ("numbers", Terms(Form.CHECK, rule=Rule.SUM), "numbers", ""),
        ("cards", CHECK, "Cards", ""),
        ("offers", CHECK, "offers", ""),
        ("cards", DEAL, "Cards", ""),
        ("offers", DEAL, "offers", ""),
    ],
)
def test_a_call_says_what_is_rolled(dice: str, terms: Terms, roller: str, text: str) -> None:
    """Its event has the roller's name or canonical notation and the terms; nothing is drawn or changed."""
    called = table()
    before = dict(called.campaign.rollers), dict(called.campaign.memories)
    event = called.call(dice, terms, deadline=DISCORD_EPOCH + 9)

    assert event.body == CallOpened(roller=roller, text=text, terms=terms, deadline=DISCORD_EPOCH + 9)
    assert (called.campaign.rollers, called.campaign.memories) == before
    assert opened(called.call(dice, terms)).deadline is None


@pytest.mark.parametrize(
    ("dice", "terms", "kind", "words"),
    [
        ("evil", CHECK, NotationError, "I don't know"),
        ("gone", CHECK, NotationError, "I don't know"),
        ("2#d20", CHECK, SpecError, r"Everybody rolls once for a call\. Take 1d20 instead of 2#1d20"),
        ("cards", Terms(Form.CHECK, 11), SpecError, "Cards shows no number to compare"),
        ("cards", Terms(Form.CHECK, rule=Rule.HIGHEST), SpecError, "Cards shows no number"),
        ("cards", INITIATIVE, SpecError, "Cards shows no number"),
        ("offers", Terms(Form.CHECK, 2), SpecError, "offers shows no number"),
        ("luck", DEAL, SpecError, r"luck has no cards to deal\. Call for it with `/group call`"),
        ("1d20", DEAL, Unknown, "There is no deck `1d20` here"),
        ("gone", DEAL, Unknown, "There is no deck `gone` here"),
        ("`<@1>`\n" * 99, DEAL, Unknown, r"There is no deck `1( 1)*` here"),
    ],
)
def test_what_can_not_be_called_for(dice: str, terms: Terms, kind: type[DiceError], words: str) -> None:
    """Each has a sentence of its own, and nothing is recorded."""
    called = table()
    events = [*called.campaign.events]
    with pytest.raises(kind, match=words):
        called.call(dice, terms)

    assert called.campaign.events == events


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.GM])
def test_every_order_of_commands(visibility: Visibility) -> None:
    """Of all sequences of three commands, each is done or refused as the call's state says."""
    commands = (CloseCall, ReopenCall, CancelCall, RevealCall)
    leads_to: dict[type[LeadCommand], dict[Status, Status]] = {
        CloseCall: {Status.OPEN: Status.CLOSED},
        ReopenCall: {Status.CLOSED: Status.OPEN, Status.CANCELLED: Status.OPEN},
        CancelCall: {Status.OPEN: Status.CANCELLED, Status.CLOSED: Status.CANCELLED},
    }
    for sequence in product(commands, repeat=3):
        called = Table()
        call = called.call("1d20", Terms(Form.CHECK, visibility=visibility))
        status, is_visible = Status.OPEN, visibility is Visibility.PUBLIC
        for player, kind in enumerate(sequence, start=1):
            after = (None if is_visible else status) if kind is RevealCall else leads_to[kind].get(status)
            is_visible = is_visible or kind is RevealCall
            command: LeadCommand = kind(1, call.seq)
            if after is None:
                with pytest.raises(DiceError, match="already"):
                    called.campaign.ask(command, called.draws, GM)
            else:
                status = after
                assert called.campaign.ask(command, called.draws, GM).target == call.seq
            read = called.read(call)

            assert (read.status, read.is_visible) == (status, is_visible)
            assert read.is_open(1e9) == (status is Status.OPEN)
            if status is Status.OPEN:
                assert called.answer(call, player).target == call.seq
            else:
                with pytest.raises(DiceError, match=r"was cancelled|is closed"):
                    called.answer(call, player)


@pytest.mark.parametrize("kind", [CloseCall, ReopenCall, CancelCall, RevealCall])
def test_only_calls_are_called_off(kind: type[LeadCommand]) -> None:
    """An event that is none, or is not there, is named as no call."""
    called = table()
    for number in (1, len(called.campaign.events) + 1):
        with pytest.raises(Unknown, match=f"There is no call #{number} here"):
            called.campaign.ask(kind(1, number), called.draws, GM)


def test_a_reopened_call_has_no_deadline() -> None:
    """Before its deadline a call is open already; after it, it can be reopened, until it is closed."""
    deadline = DISCORD_EPOCH + 1_000
    called = Table()
    call = called.call("1d20", deadline=deadline)
    with pytest.raises(DiceError, match="open already"):
        called.campaign.ask(ReopenCall(1, call.seq), called.draws, GM, at=deadline)
    with pytest.raises(DiceError, match="is closed"):
        called.answer(call, 1, at=deadline + 1)
    called.campaign.ask(ReopenCall(1, call.seq), called.draws, GM, at=deadline + 1)
    called.answer(call, 1, at=deadline + 10**9)

    assert called.read(call).deadline is None
    assert [entry.user_id for entry in called.read(call).entries] == [1]
    called.campaign.ask(CancelCall(1, call.seq), called.draws, GM, at=deadline + 10**9)
    assert [entry.user_id for entry in called.read(call).entries] == [1]


def test_what_is_past_its_deadline_can_be_closed() -> None:
    """The close is on record then, and only once."""
    called = Table()
    call = called.call("1d20", deadline=DISCORD_EPOCH)
    closed = called.campaign.ask(CloseCall(1, call.seq), called.draws, GM, at=DISCORD_EPOCH + 1)

    assert closed.body == CallClosed(target=call.seq)
    with pytest.raises(DiceError, match="closed already"):
        called.campaign.ask(CloseCall(1, call.seq), called.draws, GM, at=DISCORD_EPOCH + 2)


def test_the_d100_s_own_register_is_never_the_table_s() -> None:
    """A call may be for it, but not with a memory that all share."""
    called = Table()
    called.make("other", ROLLERS["luck"])
    called.campaign.ask(roll_register(4), called.draws, 1)
    for memory in (None, Remembers.PLAYER):
        call = called.call("d100 register", replace(CHECK, whose=memory))
        assert called.answer(call, 1).roller == "d100 register"
    with pytest.raises(SpecError, match="is each player's own"):
        called.call("d100 register", replace(CHECK, whose=Remembers.TABLE))
    shared = called.call("other", replace(CHECK, whose=Remembers.TABLE))
    with pytest.raises(SpecError, match="is each player's own"):
        called.answer(shared, 1, dice="d100 register")
