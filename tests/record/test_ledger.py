"""The ledger: how a body becomes a campaign's newest event."""

from bot.campaign.caller import NOBODY, Caller
from bot.campaign.command import OPEN, RollOptions
from bot.campaign.events import DISCORD_EPOCH, Event, HistoryCut, Rolled, Seal
from bot.campaign.visibility import Visibility
from bot.record.chain import START, hash_person, link
from bot.record.ledger import Ledger

CALLER = Caller(5 << 22, 9, 8, 42, part=2)
OPTIONS = RollOptions("for Ann", Visibility.BLIND)
BODY = Rolled(roller="evil", text="2d6", results=("7",), target=3, draws=((6, 1),))
SALT = b"0123456789abcdef"


def test_a_body_becomes_the_newest_event() -> None:
    """An event says who asked, where and what happened; the ledger stands at its head."""
    ledger, event = Ledger(3).append(CALLER, OPTIONS, BODY, SALT)

    assert event == Event(
        campaign_id=3,
        seq=1,
        interaction_id=5 << 22,
        part=2,
        clock=None,
        channel_id=8,
        user_id=42,
        label="for Ann",
        visibility=Visibility.BLIND,
        body=BODY,
        seal=Seal(SALT, hash_person(SALT, 42, "for Ann"), link(START, event).seal.head),
    )
    assert ledger == Ledger(3, 1, event.seal.head)
    assert event.time == CALLER.time == (DISCORD_EPOCH + 5) / 1000
    assert (event.target, event.roller) == (3, "evil")


def test_numbers_and_heads_go_on() -> None:
    """The second event has the next number, and its head stands on the first one's."""
    first, one = Ledger(3).append(CALLER, OPTIONS, BODY, SALT)
    second, two = first.append(CALLER, OPTIONS, BODY, SALT)

    assert (one.seq, two.seq, second.seq) == (1, 2, 2)
    assert two.seal.head == link(one.seal.head, two).seal.head != one.seal.head


def test_what_is_left_open_is_as_usual() -> None:
    """Options that say nothing of who may see it take what the campaign's rules have."""
    for options, seen in ((RollOptions(), Visibility.GM), (OPTIONS, Visibility.BLIND)):
        _, event = Ledger(3).append(CALLER, options, BODY, SALT, Visibility.GM)

        assert event.visibility is seen


def test_what_nobody_asked_for_has_a_clock() -> None:
    """It has no interaction, no person and no place, but a salt and a time."""
    nobody = Caller.nobody(DISCORD_EPOCH + 5)
    ledger, event = Ledger(3, 7, bytes(32)).append(nobody, OPEN, HistoryCut(target=4), SALT)

    assert (event.seq, event.interaction_id, event.user_id, event.label, event.part) == (
        8,
        None,
        None,
        None,
        0,
    )
    assert event.time == nobody.time
    assert (event.clock, event.time) == (DISCORD_EPOCH + 5, (DISCORD_EPOCH + 5) / 1000)
    assert event.seal.person == hash_person(SALT, NOBODY, "")
    assert (ledger.seq, ledger.head) == (8, link(bytes(32), event).seal.head)
