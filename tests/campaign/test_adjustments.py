"""What can be added to a called roll, and what it makes of the dice."""

import re
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.adjustments import PLAIN, Adjustment, read_adjustment
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.errors import DiceError, NotationError, SpecError
from bot.dice.expressions import MAX_TEXT, Expression
from bot.dice.modifiers import KeepKind
from tests.support.expressions import rolls, small_rolls

ADVANTAGE = Adjustment(KeepKind.KEEP_HIGHEST)
DISADVANTAGE = Adjustment(KeepKind.KEEP_LOWEST)
TEXTS = st.text(max_size=MAX_TEXT + 5) | st.text("advis +-−5٥d(#k[]\n", max_size=12)


@pytest.mark.parametrize(
    ("text", "adjustment"),
    [
        ("", PLAIN),
        (" \n", PLAIN),
        ("5", Adjustment(rest="+5")),
        (" 0 ", Adjustment(rest="+0")),
        ("+5", Adjustment(rest="+5")),
        ("- 2", Adjustment(rest="- 2")),
        ("+1d4", Adjustment(rest="+1d4")),
        ("+1d4 - 1", Adjustment(rest="+1d4 - 1")),
        ("adv", ADVANTAGE),
        ("ADV", ADVANTAGE),
        (" Advantage ", ADVANTAGE),
        ("dis", DISADVANTAGE),
        ("disadvantage", DISADVANTAGE),
        ("adv+5", Adjustment(KeepKind.KEEP_HIGHEST, "+5")),
        ("adv\xa0+5", Adjustment(KeepKind.KEEP_HIGHEST, "+5")),
        ("+5 adv", Adjustment(KeepKind.KEEP_HIGHEST, "+5")),
        ("- 2 + 1d4  Disadvantage", Adjustment(KeepKind.KEEP_LOWEST, "- 2 + 1d4")),
        ("+5 with advantage", Adjustment(KeepKind.KEEP_HIGHEST, "+5")),
        ("with disadvantage", DISADVANTAGE),
        ("dis  -1d4", Adjustment(KeepKind.KEEP_LOWEST, "-1d4")),
    ],
)
def test_what_is_understood(text: str, adjustment: Adjustment) -> None:
    """A modifier with its sign or a bare number, a word for two dice, or both."""
    assert read_adjustment(text) == adjustment


@pytest.mark.parametrize(
    "text",
    [
        "five",
        "bless",
        "adv 5",
        "5 adv",
        "advdis",
        "adv dis",
        "*2",
        "1d4",
        "5+5",
        "٥",
        "５",
        "²",
        "−5",
        "–5",
        "diſ",
        "@everyone",
        "`x`",
    ],
)
def test_what_is_not_understood(text: str) -> None:
    """The same sentence for all: nothing is guessed at, neither other scripts' digits nor other dashes."""
    with pytest.raises(NotationError, match=r"I can't add that\. Type something like \+5"):
        read_adjustment(text)


def test_a_text_is_as_long_as_notation() -> None:
    """200 characters are read, 201 are not."""
    longest = "+" + "1" * (MAX_TEXT - 1)

    assert read_adjustment(longest).rest == longest
    with pytest.raises(NotationError, match="At most 200 characters, not 201") as refused:
        read_adjustment(longest + "1")
    assert refused.value.column == MAX_TEXT + 1


@given(TEXTS)
def test_any_text_is_read_or_refused(text: str) -> None:
    """It is an adjustment that makes notation of notation and a whole number for a roller, or a DiceError."""
    try:
        adjustment = read_adjustment(text)
    except DiceError:
        return
    try:
        dice = adjustment.on_dice(notation.parse("1d20"))
    except DiceError:
        pass
    else:
        assert notation.parse(str(dice)) == dice
    try:
        dice, plus = adjustment.on_roller()
    except DiceError:
        pass
    else:
        assert bool(adjustment.rest) or (dice, plus) == (None, 0)


@given(rolls(), st.sampled_from(["", "adv", "dis"]), st.sampled_from(["", "+5", "-1d4", "+2*3[fire]", "+("]))
def test_the_outcome_is_canonical_notation(roll: Expression, word: str, rest: str) -> None:
    """What comes of any notation reads back as itself and is rolled as often, or it is refused."""
    try:
        dice = read_adjustment(f"{word} {rest}").on_dice(roll)
    except DiceError:
        return

    assert notation.parse(str(dice)) == dice
    assert dice.repeat == roll.repeat


@given(rolls(), st.integers(0, 9))
def test_a_modifier_is_added_to_the_whole(roll: Expression, plus: int) -> None:
    """It binds to all that stands before it, and not to the last part alone."""
    try:
        dice = Adjustment(rest=f"-{plus}").on_dice(roll)
    except DiceError:
        return

    assert str(dice) == f"{roll}-{plus}"
    assert dice == notation.parse(f"{'' if roll.repeat == 1 else f'{roll.repeat}#'}({roll.body})-{plus}")


@pytest.mark.parametrize(
    ("dice", "doubled"),
    [
        ("1d20", "2d20kh1"),
        ("d20", "2d20kh1"),
        ("d20 + 3", "2d20kh1+3"),
        ("3+d20", "3+2d20kh1"),
        ("1d20[to hit]", "2d20kh1[to hit]"),
        ("(1d20+3)[to hit]", "(2d20kh1+3)[to hit]"),
        ("2d6+1d8", "2d6+2d8kh1"),
        ("1d4+1d20", "2d4kh1+1d20"),
        ("1d20-1d4", "2d20kh1-1d4"),
        ("2*(1+d6)", "2*(1+2d6kh1)"),
        ("d6//2", "2d6kh1//2"),
        ("d20ro1", "2d20ro1kh1"),
        ("d6!", "2d6!kh1"),
        ("d%", "2d100kh1"),
        ("3#d20+1", "3#2d20kh1+1"),
        ("dF", "2dFkh1"),
    ],
)
def test_advantage_doubles_the_first_single_die(dice: str, doubled: str) -> None:
    """Wherever it stands; disadvantage keeps the lower one."""
    roll = notation.parse(dice)

    assert str(ADVANTAGE.on_dice(roll)) == doubled
    assert str(DISADVANTAGE.on_dice(roll)) == doubled.replace("kh1", "kl1")


@pytest.mark.parametrize(
    "dice", ["2d6", "d20 adv", "d20kh1", "4d6kh3", "d10>=7", "5-d6", "-d6", "(0-2)*d6", "d6*(0-2)", "d6%4"]
)
def test_there_may_be_no_die_to_double(dice: str) -> None:
    """Pools, kept and counted dice stay, and dice of which the higher may be the worse."""
    with pytest.raises(
        SpecError, match=r"^Advantage doubles a single die that adds to the total, and .* has none\.$"
    ):
        ADVANTAGE.on_dice(notation.parse(dice))


@given(small_rolls())
def test_advantage_is_never_worse(roll: Expression) -> None:
    """For each number, advantage reaches it at least as often as the plain roll, and disadvantage at most."""
    try:
        better, worse = (Expression(a.on_dice(roll).body) for a in (ADVANTAGE, DISADVANTAGE))
    except SpecError:
        return
    laws = [distribution(expression) for expression in (worse, roll, better)]
    totals = sorted({total for law in laws for total in law}, reverse=True)
    reached = [[*accumulate(Fraction(law.get(t, 0), sum(law.values())) for t in totals)] for law in laws]

    assert all(low <= middle <= high for low, middle, high in zip(*reached, strict=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+", "is missing"),
        ("+5)", "can't read"),
        ("+5)*(2", "can't read"),
        ("+5#2", "no such notation"),
        ("+5 adv +1", "can't read"),
        ("+−5", "can't read"),
        ("+1000001", "at most 1,000,000"),
        ("+101d6", "At most 100 dice"),
        ("+" + "(" * 21, "At most 20 brackets"),
        ("+" + "1+" * 98 + "1", "At most 200 characters"),
    ],
)
def test_what_is_added_keeps_the_limits_of_notation(text: str, words: str) -> None:
    """The whole is one notation, and nothing in the addition reaches into what stands before it."""
    with pytest.raises(NotationError, match=re.escape(words)):
        read_adjustment(text).on_dice(notation.parse("1d20"))


@pytest.mark.parametrize(
    ("text", "plus"),
    [
        ("", 0),
        ("adv", 0),
        ("5", 5),
        ("+5", 5),
        ("- 5", -5),
        ("dis -1", -1),
        ("+0", 0),
        ("+10000", 10_000),
        ("-10000", -10_000),
        ("+5-2", 3),
        ("--5", 5),
    ],
)
def test_a_roller_takes_a_whole_number(text: str, plus: int) -> None:
    """It is added to the face; without one nothing is."""
    assert read_adjustment(text).on_roller() == (None, plus)


@pytest.mark.parametrize(("text", "dice"), [("+1d4", "1d4"), ("-1d4+2", "-1d4+2"), ("adv +2*1d4", "2*1d4")])
def test_a_roller_takes_dice(text: str, dice: str) -> None:
    """With what else is added in them."""
    assert read_adjustment(text).on_roller() == (notation.parse(dice), 0)


@pytest.mark.parametrize("text", ["+1_0", "+٥", "+", "+5.0", "+" + "9" * 10, "+`x`"])
def test_a_roller_takes_nothing_else(text: str) -> None:
    """What can't be read is not added."""
    with pytest.raises(DiceError):
        read_adjustment(text).on_roller()


@pytest.mark.parametrize("text", ["+10001", "-10001", "+999999"])
def test_a_roller_s_modifier_has_a_limit(text: str) -> None:
    """Ten thousand, up or down."""
    with pytest.raises(SpecError, match="A modifier is at most 10,000"):
        read_adjustment(text).on_roller()


def test_where_low_is_good_advantage_keeps_the_lower() -> None:
    """There advantage is what disadvantage is elsewhere, and a modifier stays."""
    roll = notation.parse("1d20")

    assert ADVANTAGE.on_dice(roll, under=True) == DISADVANTAGE.on_dice(roll)
    assert DISADVANTAGE.on_dice(roll, under=True) == ADVANTAGE.on_dice(roll)
    assert Adjustment(rest="+5").on_dice(roll, under=True) == notation.parse("1d20+5")
