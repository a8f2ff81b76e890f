"""What people type every evening: each line is read, or asked about with buttons that keep all of it."""

from collections import Counter
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dice.distribution import distribution
from bot.dice.errors import NotationError
from bot.dice.everyday import RESERVED
from bot.dice.expressions import Expression, Truth
from bot.dice.notation import comment, parse
from bot.dice.slips import AS_LABEL
from tests.support.dialects import fingerprints
from tests.support.everyday import ASKED, READ, number_words


def test_each_line_is_read() -> None:
    """As the table says, comment and all, and in the form that is recorded it is read again."""
    for text, ours in READ.items():
        said = comment(text)

        assert f"{parse(text)}{f' # {said}' if said else ''}" == ours, text
        assert fingerprints(parse(str(parse(text)))) == fingerprints(parse(text)), text


def test_each_line_that_is_asked_about_has_its_buttons() -> None:
    """Nothing is rolled; the buttons are those of the table, each in its canonical form.

    No number is lost, and no word that may change a roll is in a comment, unless the button says so.
    """
    for text, ours in ASKED.items():
        with pytest.raises(NotationError) as refused:
            parse(text)

        readings = refused.value.readings
        dice = [each.partition(" # ")[0] for each in ours]
        assert [reading.text for reading in readings] == ours, text
        assert [str(parse(each)) for each in dice] == dice, text
        for reading in readings:
            behind = comment(reading.text)
            is_said = behind in text.partition("#")[2] or reading.meaning == AS_LABEL
            assert not Counter(number_words(text)) - Counter(number_words(reading.text)), (text, reading)
            assert not RESERVED.search(behind) or is_said, (text, reading)


def test_the_table_is_as_long_as_an_evening() -> None:
    """It has at least 120 lines."""
    assert len(READ) + len(ASKED) >= 120


def _law(text: str) -> dict[int, Fraction]:
    weights = distribution(Expression(parse(text).body))
    return {total: Fraction(weight, sum(weights.values())) for total, weight in weights.items()}


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("d66", Counter(10 * a + b for a in range(1, 7) for b in range(1, 7))),
        ("d88", Counter(10 * a + b for a in range(1, 9) for b in range(1, 9))),
        ("d6 vs 5", Counter({0: 4, 1: 2})),
        ("d6+1 dc 5", Counter({0: 3, 1: 3})),
        ("coin", Counter({1: 1, 2: 1})),
        ("choose a, b, c", Counter({1: 1, 2: 1, 3: 1})),
        ("shuffle a, b, c", Counter({6: 1})),
        ("d6 fire - d6 cold", Counter(a - b for a in range(1, 7) for b in range(1, 7))),
        ("d6+1 fire - d6+1 cold", Counter(a - b + 2 for a in range(1, 7) for b in range(1, 7))),
    ],
)
def test_a_reading_has_the_law_that_its_words_say(text: str, law: Counter[int]) -> None:
    """Written out by hand."""
    assert _law(text) == {total: Fraction(times, law.total()) for total, times in sorted(law.items())}


@pytest.mark.parametrize(
    "text", ["2d6 reroll ones", "2d6 fire *2", "2d6 exploding twice", "2d6 + fire", "2d6 vs fire"]
)
def test_words_that_may_change_a_roll_are_no_tags(text: str) -> None:
    """Nor are those behind a sign, or before another one than + and -."""
    with pytest.raises(NotationError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "2d6 vs (15)",
        "2#d20 vs (15)",
        "2d6\n+3 vs 15",
        "4d6>=5 vs (2)",
        "(2d6)>=7 vs (1)",
        "d20 adv vs (3)",
        "d20 vs (0) # x",
    ],
)
def test_a_number_on_the_other_side_is_a_target(text: str) -> None:
    """However it is written: what is recorded must be the same roll when it is read again."""
    roll = parse(text)

    assert isinstance(roll.body, Truth)
    assert parse(str(roll)) == roll


def test_a_line_break_at_any_blank_changes_no_recorded_roll() -> None:
    """Each everyday line, broken anywhere: refused, or a roll that is read again as it is written."""
    for text in [*READ, *ASKED]:
        for place in [place for place, sign in enumerate(text) if sign == " "]:
            with suppress(NotationError):
                roll = parse(f"{text[:place]}\n{text[place + 1 :]}")
                assert parse(str(roll)) == roll, (text, place)


SCRAPS = st.sampled_from(
    [
        *(
            "vs (15)",
            "vs d20+2",
            "vs 12",
            "dc 12",
            "against 12",
            "ac 14",
            "adv",
            "with disadvantage",
            "x2",
            "3#",
            "2#",
        ),
        *(
            "half",
            "+5",
            "-1",
            "*2",
            "+3",
            "(d20)",
            "; d6",
            "d20",
            "2d6",
            "[fire]",
            "# note",
            "bless",
            "easy",
            "goblin",
        ),
        *("\n", "\n2d6", "\n+3", "k1", "!", ">=4", "f1", "{a,b}", "d{a,b}", "1.", ",", "%", "choose a|b"),
    ]
)


@settings(max_examples=600)
@given(st.sampled_from([*READ, *ASKED]), st.lists(st.tuples(SCRAPS, st.booleans()), min_size=1, max_size=3))
def test_what_is_read_is_recorded_so_that_it_is_read_again(line: str, scraps: list[tuple[str, bool]]) -> None:
    """A campaign is checked by reading its texts: each must be the roll that was made, whatever was typed."""
    for scrap, in_front in scraps:
        line = f"{scrap} {line}" if in_front else f"{line} {scrap}"
    with suppress(NotationError):
        roll = parse(line)
        assert parse(str(roll)) == roll
