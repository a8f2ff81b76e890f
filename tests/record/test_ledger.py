from bot.campaign.events import DISCORD_EPOCH, Asked, Event, Kind, Visibility
from bot.campaign.request import THIS, Change
from bot.campaign.rollers import Remembers, Roller
from bot.dice.labels import Label
from bot.record.chain import START, hash_person, link
from bot.record.ledger import Ledger, numbered

ASKED = Asked(5 << 22, 9, 8, 42, "for Ann", Visibility.BLIND)
CHANGE = Change(
    Kind.ROLL, roller="evil", text="2d6", results=("7",), spec="{}", target=3, detail={"draws": [[6, 1]]}
)
SALT = b"0123456789abcdef"


def test_a_change_becomes_the_newest_event() -> None:
    """An event says who asked, what changed and where the bits came from; the ledger stands at its head."""
    ledger, event = Ledger(3).append(ASKED, CHANGE, Label.TRUE, SALT)

    assert event == Event(
        campaign_id=3,
        seq=1,
        interaction_id=5 << 22,
        channel_id=8,
        user_id=42,
        kind=Kind.ROLL,
        roller="evil",
        text="2d6",
        visibility=Visibility.BLIND,
        label="for Ann",
        source=Label.TRUE,
        results=("7",),
        spec="{}",
        target=3,
        detail={"draws": [[6, 1]]},
        salt=SALT,
        person=hash_person(SALT, 42, "for Ann"),
        head=link(START, event),
    )
    assert ledger == Ledger(3, 1, event.head)
    assert event.time == (DISCORD_EPOCH + 5) / 1000


def test_numbers_and_heads_go_on() -> None:
    """The second event has the next number, and its head stands on the first one's."""
    first, one = Ledger(3).append(ASKED, CHANGE, None, SALT)
    second, two = first.append(ASKED, CHANGE, None, SALT)

    assert (one.seq, two.seq, second.seq) == (1, 2, 2)
    assert two.head == link(one.head, two) != one.head


def test_this_becomes_the_events_number() -> None:
    """A roller's epoch and newest event are numbered where they stand for the event itself, else kept."""
    roller = Roller("evil", None, Remembers.TABLE, epoch=THIS, last=4)

    assert numbered(roller, 9) == Roller("evil", None, Remembers.TABLE, epoch=9, last=4)
    assert numbered(Roller("evil", None, Remembers.TABLE, 4, THIS), 9).last == 9
    assert numbered(Roller("evil", None, Remembers.TABLE, 4, THIS), 9).epoch == 4
