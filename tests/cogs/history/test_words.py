import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import ResetRegister, Start, roll_register
from bot.campaign.events import Event, HistoryCut
from bot.campaign.followups import Reveal
from bot.campaign.histories import Beginning, Entry, Page
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.system import Json
from bot.words.cards import plain
from bot.words.languages import language, speaking
from cogs.history.words import EMPTY
from cogs.history.words import page as card
from tests.support.markup import bare
from tests.support.play import PLAYER, Campaign, rolled, rolled_with
from tests.support.systems import make

TRICKY = st.text(st.sampled_from("ab*_`<@1>~"), min_size=1, max_size=6).map(lambda text: (text * 80)[:80])


BEGINNING = Beginning(9_999_999, HistoryCut(target=9_999_999, days=3_650), 4_000_000_000.0)
CHECKPOINT = f"evenhand/{'f' * 32} 9999999 {'A' * 43}="


def page(shown: Page) -> str:
    """A page as text."""
    return plain(card(shown))


def lines(*events: Event, visible: bool = True, undone: bool = False) -> list[str]:
    """The lines of a page."""
    return page(shown(*[Entry(event, visible, undone) for event in events])).splitlines()


def shown(*entries: Entry, beginning: Beginning | None = None, checkpoint: str = "") -> Page:
    """A page of these entries, the only one."""
    return Page(entries, None, None, beginning, checkpoint)


def test_every_kind_of_event_has_words() -> None:
    """Number, time, who and what, a line each."""
    campaign = Campaign()
    for command in (
        MakeRoller("evil", make("fair")),
        RollDice("evil"),
        UndoRoller("evil"),
        ResetRoller("evil"),
        RemoveRoller("evil"),
    ):
        campaign.ask(command, seeded(0))
    campaign.ask(RollDice("2d6+1", options=RollOptions("for Ann", Visibility.BLIND)), seeded(0))
    campaign.ask(Reveal(None, 6), seeded(0))
    _, evil, _, _, _, plain, _ = campaign.events
    head = rf" · <t:1420310400:t> · <@{PLAYER}> · "

    assert lines(*campaign.events) == [
        f"#1{head}made or tuned `evil`",
        f"#2{head}**{evil.roll.results[0]}** (`evil`)",
        f"#3{head}undid #2",
        f"#4{head}reset `evil`",
        f"#5{head}removed `evil`",
        f"#6{head}for Ann · **{plain.roll.results[0]}** (`2d6+1`)",
        f"#7{head}revealed #6",
    ]


def test_the_register_is_named_in_the_readers_language() -> None:
    """It is ours, and nobody gave it its name."""
    campaign = Campaign()
    campaign.ask(roll_register(1), seeded(0))
    campaign.ask(ResetRegister(Start.RANDOM), seeded(0))
    with speaking(language("de")):
        assert "(`d100-Register`)" in lines(*campaign.events)[0]
        assert "`d100-Register`" in lines(*campaign.events)[1]


def test_what_is_hidden_stays_so() -> None:
    """A roll that the reader may not see has no result."""
    event = rolled("d1000000", visibility=Visibility.BLIND).event

    assert lines(event, visible=False) == [f"#1 · <t:1420310400:t> · <@{PLAYER}> · *hidden*"]


def test_undone_events_are_struck() -> None:
    """A line that was taken back is struck, not missing."""
    (line,) = lines(rolled("2d6").event, undone=True)

    assert re.fullmatch(r"~~#1 .*~~ \(undone\)", line)


def test_erased_people_are_nobody() -> None:
    """Of an erased person the roll is left."""
    event = replace(rolled("2d6").event, user_id=None, words=None)

    assert "· an erased player · **" in lines(event)[0]


def test_a_history_that_was_cut_says_where_it_begins() -> None:
    """On its last page, also if that is empty; the cut is nobody's doing."""
    event = replace(
        rolled("2d6").event,
        interaction_id=None,
        clock=1_420_070_400_000,
        user_id=None,
        words=None,
        body=HistoryCut(target=9),
    )
    removed = "-# Entries up to #9,999,999 were removed on <t:4000000000:D>"
    said = f"{removed} by the campaign's retention of 3,650 days."

    assert page(shown(beginning=BEGINNING)) == said
    assert page(shown(Entry(event, visible=True, undone=False), beginning=BEGINNING)).splitlines() == [
        "#1 · <t:1420070400:t> · Evenhand · removed the entries up to #9",
        said,
    ]


def test_an_empty_page_says_so() -> None:
    """Nothing is no empty message."""
    assert page(shown()) == EMPTY


def test_the_foot_is_a_checkpoint() -> None:
    """Every page has the log's checkpoint in one small line, to be kept."""
    event = rolled("2d6").event

    assert page(shown(Entry(event, visible=True, undone=False), checkpoint=CHECKPOINT)).splitlines()[-1] == (
        f"-# Checkpoint: `{CHECKPOINT}`"
    )


@settings(max_examples=50)
@given(st.dictionaries(TRICKY, st.just(1), min_size=1, max_size=9), TRICKY, st.booleans())
def test_ten_of_the_longest_lines_fit_a_message(cards: dict[str, Json], label: str, undone: bool) -> None:  # noqa: FBT001
    """Ten rolls of twenty cards each with the longest of everything are one message, markup escaped."""
    event = rolled_with(make("deck", {**cards}), 20, name="n" * 32, label=label).event
    event = replace(event, seq=9_999_999, interaction_id=(1 << 63) - 1)
    ten = [Entry(event, visible=True, undone=undone)] * 10
    text = page(shown(*ten))
    cut = page(shown(*ten, beginning=BEGINNING, checkpoint=CHECKPOINT))

    assert len(text) <= 2_000
    assert len(cut) <= 2_000
    assert cut.count("\n") == 11
    left = bare(text)
    assert {*re.findall(r"<@[^>]*", left)} == {f"<@{PLAYER}"}
    assert not re.search(r"[*_`~]", left.replace("**", "").replace("~~", ""))
