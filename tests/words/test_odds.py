"""Odds in words: the table, and the chart's description."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.accounts import SeenAccount, outlook
from bot.campaign.campaigns import Remembers
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount
from bot.systems.odds import Chances, Span, after, odds, totals
from bot.words import account_odds
from bot.words.cards import CardButton, Picture, plain
from bot.words.languages import language, speaking
from bot.words.odds import Side, bars, card, details, note, side
from bot.words.odds_charts import alt
from tests.support.systems import make

FAIR = make("fair", {"left": 1, "right": 1}, tightness="1")
TWO_DICE = [Fraction(n, 36) for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)]
FACES = [str(n) for n in range(2, 13)]


NOTHING = Span()


def roll(
    title: str,
    faces: Sequence[str],
    base: Sequence[Fraction],
    now: Sequence[Fraction],
    *,
    remembers: bool = True,
) -> Side:
    """A roll with these chances."""
    found = totals(faces, now)
    return Side(title, "", "It remembers.", tuple(faces), tuple(base), tuple(now), remembers, found)


def answer(one: Side, span: Span, other: Side | None = None) -> str:
    """The details as text."""
    return plain(details(one, span, other))


def first(one: Side, span: Span, other: Side | None = None) -> str:
    """The card as text, without its button."""
    return plain(card(one, span, other, Picture("odds.png", ""), CardButton("odds")))


def dice(text: str) -> Side:
    """Plain dice."""
    system = make("dice", text)
    start = odds(system, ())
    return side("", system, Remembers.TABLE, Chances(system.faces, start, start))


def test_a_contest_tells_who_wins_and_a_target_whether_it_is_met() -> None:
    """Of two d4 either wins 6 of 16 times; one of them is 3 or more every other time."""
    contest = answer(dice("1d4 vs 1d4"), NOTHING).splitlines()
    target = answer(dice("(1d4)>=3"), NOTHING).splitlines()

    assert contest[1] == "Wins 37.5%, ties 25.0%, loses 37.5%; mean 0, standard deviation 1.58."
    assert target[1:5] == ["```", "face     chance", "failure   50.0%", "success   50.0%"]


def told(title: str, faces: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]) -> str:
    """The description of a chart with these chances."""
    return alt(roll(title, faces, base, now), NOTHING)


def test_every_face_has_both_chances() -> None:
    """After "left", a fair coin of tightness 1 has it with 1/3 in place of 1/2."""
    base, now = odds(FAIR, FAIR.start()), odds(FAIR, after(FAIR, ["left"]))
    text = answer(side("Coin", FAIR, Remembers.TABLE, Chances(FAIR.faces, base, now)), NOTHING)

    assert text.splitlines() == [
        "`Coin: fair left/right, tightness 1`",
        "```",
        "face   without memory  next roll",
        "left            50.0%      33.3%",
        "right           50.0%      66.7%",
        "```",
        "The table shares its memory.",
    ]


def test_a_card_has_the_one_figure_that_was_asked_for() -> None:
    """Large and first, and then of what it is; for words the likeliest, for no question the mean."""
    start = odds(FAIR, FAIR.start())
    coin = side("Coin", FAIR, Remembers.TABLE, Chances(FAIR.faces, start, start))
    turned = side(
        "Coin",
        FAIR,
        Remembers.PLAYER,
        Chances(FAIR.faces, odds(FAIR, FAIR.start()), odds(FAIR, after(FAIR, ["left"]))),
    )

    assert first(dice("2d2"), Span(3)) == "**75.0%** · 3 or more on `2d2`\n-# mean 3"
    assert first(dice("2d2"), NOTHING) == "**3** · `2d2`, on average"
    assert first(dice("1d2"), NOTHING, dice("1d3")) == (
        "**16.7%** · `1d2` is higher than `1d3`\n-# equal 33.3%, lower 50.0%"
    )
    assert first(dice("1d2"), Span(2), dice("1d3")) == "**50.0%** · 2 or more on `1d2`\n`1d3`: **66.7%**"
    assert first(dice("1d4 vs 1d4"), NOTHING) == (
        "**37.5%** · the first side of `1d4 vs 1d4` wins\n-# ties 25.0%, loses 37.5%"
    )
    assert first(dice("1d4 vs 4"), NOTHING) == "**25.0%** · `(1d4)>=4` passes"
    assert first(dice("1d4 vs 5"), NOTHING).startswith("**0%** · ")
    assert first(coin, NOTHING) == (
        "**50.0%** · each result of **Coin**\n-# fair left/right, tightness 1 · The table shares its memory."
    )
    assert first(turned, NOTHING).startswith("**66.7%** · right, likeliest on **Coin**\n")


def test_a_chance_to_pass_is_found_in_any_language() -> None:
    """Whichever one the faces were named in."""
    with speaking(language("de")):
        german = dice("1d4 vs 4")

    assert first(german, NOTHING) == "**25.0%** · `(1d4)>=4` passes"


def test_without_a_button_a_card_has_the_details_too() -> None:
    """As where the dice are too long for one."""
    one = dice("2d2")

    assert plain(card(one, Span(3), None, Picture("odds.png", ""), None)).endswith(answer(one, Span(3)))


def test_what_was_asked_stands_first() -> None:
    """The mean, the deviation and the chance asked for, and each total with the chance of it or more."""
    lines = answer(dice("2d2"), Span(3)).splitlines()

    assert lines == [
        "`2d2`",
        "Mean 3, standard deviation 0.71.",
        "**3 or more: 75.0% (3/4)**",
        "```",
        "face  chance  or more",
        "2      25.0%     100%",
        "3      50.0%    75.0%",
        "4      25.0%    25.0%",
        "```",
        "Plain dice remember nothing.",
    ]


def test_two_rolls_stand_side_by_side() -> None:
    """Both have their figures; then which is the higher one, and every total of either."""
    text = answer(dice("1d2"), Span(None, 1), dice("1d3"))

    assert "**1 or less: 50.0% (1/2)**" in text
    assert "**1 or less: 33.3% (1/3)**" in text
    assert "`1d2` is higher with 16.7%, equal with 33.3%, lower with 50.0%." in text
    assert "3        0%  33.3%" in text
    assert "Every face has 50.0%." in alt(dice("1d2"), NOTHING, dice("1d3"))


def test_words_are_not_counted() -> None:
    """What comes out as words has no mean, and can't be asked to be at least anything."""
    start = odds(FAIR, FAIR.start())
    coin = side("Coin", FAIR, Remembers.TABLE, Chances(FAIR.faces, start, start))

    assert "Mean" not in answer(coin, NOTHING)
    for asked, other in ((Span(3), None), (NOTHING, dice("1d6"))):
        with pytest.raises(SpecError, match="Coin doesn't come out as a number"):
            answer(coin, asked, other)


def test_the_bars_asked_for_are_marked() -> None:
    """Only totals within what was asked for are shaded, ends included."""
    assert [bar.face for bar in bars(dice("1d6"), Span(2, 3)) if bar.highlighted] == ["2", "3"]
    assert all(bar.highlighted for bar in bars(dice("1d6"), NOTHING))


def test_the_note_says_whose_memory_it_is() -> None:
    """The table's, the asker's own, or none."""
    assert note(FAIR, Remembers.PLAYER) == "These odds go by your own memory."
    assert note(make("dice"), Remembers.PLAYER) == "Plain dice remember nothing."


def test_of_many_faces_those_that_changed_most_are_shown() -> None:
    """Of 100 faces the 24 with the largest change, in their order, and how many are missing."""
    system = make("deck", "d100")
    drawn = [str(n) for n in range(7, 31)]
    base, now = odds(system, system.start()), odds(system, after(system, drawn))
    lines = answer(side("x", system, Remembers.TABLE, Chances(system.faces, base, now)), NOTHING).splitlines()

    assert [line.split()[0] for line in lines[4:28]] == drawn
    assert lines[-1] == "… and 76 faces that changed less; the chart has them all."
    assert answer(dice("1d100"), NOTHING).endswith(
        "and 76 more, none of them likelier; the chart has them all."
    )


@given(
    st.lists(st.text(st.sampled_from("ab`\n*<@1>"), max_size=80), min_size=1, max_size=60),
    st.text(st.sampled_from("ab`*"), max_size=32),
)
def test_any_faces_fit_a_message(faces: list[str], name: str) -> None:
    """Faces of any names stay within the block of code, and the text within a message."""
    chance = (Fraction(1, len(faces)),) * len(faces)
    text = answer(roll(f"{name}: {'fair 1d6' + '*1' * 97}", faces, chance, chance), NOTHING)

    assert len(text) <= 2_000
    assert text.count("```") == 2
    assert text.count("`") == 8


def test_two_large_rolls_fit_a_message() -> None:
    """The longest texts, the widest numbers and figures for both."""
    one, other = (dice(f"60d12*{10**6}+{n}" + "+0" * 5) for n in (1, 2))

    assert len(answer(one, Span(-(10**15), 10**15), other)) <= 2_000


def test_bars_of_numbers_come_in_order() -> None:
    """Faces that are numbers stand by size, however a system orders them; words stay as they were given."""
    thirds = [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]

    assert [bar.face for bar in bars(roll("", ["100", "-1", "2"], thirds, thirds), NOTHING)] == [
        "-1",
        "2",
        "100",
    ]
    assert [bar.face for bar in bars(roll("", ["b", "2", "a"], thirds, thirds), NOTHING)] == ["b", "2", "a"]


def test_alt() -> None:
    """The alt text names the highest and the lowest faces, and what they have without a memory."""
    now = [Fraction(1, 12)] * 9 + [Fraction(1, 4), Fraction(0)]

    assert told("Luck", FACES, TWO_DICE, now) == (
        "Luck: chances of the next roll, 11 faces. "
        "Highest: 11 with 25.0% (5.6% without memory); lowest: 12 with 0% (2.8% without memory)."
    )


def test_alt_without_memory() -> None:
    """Where nothing is remembered, one figure says it; faces with the same chance stand together."""
    assert told("Luck", FACES, TWO_DICE, TWO_DICE).endswith("Highest: 7 with 16.7%; lowest: 2, 12 with 2.8%.")


def test_alt_of_even_faces() -> None:
    """Faces that are all alike need one figure."""
    even = [Fraction(1, 1000)] * 1000

    assert told("d1000", [str(n) for n in range(1000)], even, even) == (
        "d1000: chances of the next roll, 1,000 faces. Every face has 0.10%."
    )


@given(st.text(), st.lists(st.tuples(st.text(), st.integers(1, 5)), min_size=1, max_size=50))
def test_alt_is_short(title: str, faces: list[tuple[str, int]]) -> None:
    """The alt text has one line of at most 1,000 characters, and ends."""
    total = sum(w for _, w in faces)
    now = [Fraction(w, total) for _, w in faces]
    text = told(title * 50, [f"x{label}" * 50 for label, _ in faces], now[::-1], now)

    assert len(text) <= 1_000
    assert "\n" not in text
    assert text.endswith(("%.", ")."))


def test_a_chart_names_a_degree_as_it_is_called() -> None:
    """Charts know no markup, so no sign has a backslash before it there."""
    account = LuckAccount()
    look = outlook("Luck", account, "1d20", CheckTerms(11), SeenAccount(account.start(), 0))
    look = replace(look, futures=(replace(look.futures[0], degree="near_miss"),))

    assert account_odds.bars(look)[1].face.startswith("then, after near_miss:")
