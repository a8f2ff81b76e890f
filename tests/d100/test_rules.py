"""Rules of one's own: their law and the dice they take against every throw there is."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from bot.d100.method import Method
from bot.d100.rules import score_rule
from bot.dice.errors import DiceError, SpecError

Played = Callable[[Sequence[int]], tuple[int | None, int]]
"""The number that faces make, None where all are thrown again, and how many of the dice are thrown."""

RULES: list[tuple[str, int, Played]] = [
    ("a+b", 2, lambda f: (f[0] + f[1], 2)),
    ("a+a", 1, lambda f: (2 * f[0], 1)),
    ("2d6-d6", 3, lambda f: (f[0] + f[1] - f[2], 3)),
    ("if a<=3 then b else b+50", 2, lambda f: (f[1] + 50 * (f[0] > 3), 2)),
    ("if a=1 then 7 else 10*b+c", 3, lambda f: (7, 1) if f[0] == 1 else (10 * f[1] + f[2], 3)),
    ("36*(a-1)+6*(b-1)+c mod 100", 3, lambda f: (36 * f[0] + 6 * f[1] + f[2] - 42, 3)),
    ("4d6kh3 // 2 * -a", 5, lambda f: (-f[4] * ((sum(f[:4]) - min(f[:4])) // 2), 5)),
    ("17*(a-1)+3d6", 4, lambda f: (17 * (f[0] - 1) + sum(f[1:]), 4)),
    ("20*(a-1)+4*(b-1)+c; reroll if a=6 or b=6 or c>4", 3, lambda f: (
        None if f[0] == 6 or f[1] == 6 or f[2] > 4 else 20 * f[0] + 4 * f[1] + f[2] - 24, 3)),
    ("if a>b then a*c else if a=b then 11 else c%4", 3, lambda f: (
        (f[0] * f[2], 3) if f[0] > f[1] else (11, 2) if f[0] == f[1] else (f[2] % 4, 3))),
    ("(a+b) mod 7; reroll if total=0 or c=6", 3, lambda f: (
        None if (f[0] + f[1]) % 7 == 0 or f[2] == 6 else (f[0] + f[1]) % 7, 3)),
    ("a; reroll if b>=4", 2, lambda f: (None if f[1] >= 4 else f[0], 2)),
]  # fmt: skip


def once(dice: int, play: Played) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """The chance of each value of one throw of all dice, of throwing again, and the mean number of dice."""
    chances, rerolls, thrown = Counter[int](), 0, 0
    for faces in product(range(1, 7), repeat=dice):
        number, used = play(faces)
        thrown += used
        rerolls += number is None
        chances[0 if number is None else number % 100] += number is not None
    whole = 6**dice
    return (
        {v: Fraction(n, whole) for v, n in chances.items()},
        Fraction(rerolls, whole),
        Fraction(thrown, whole),
    )


def law(text: str) -> list[Fraction]:
    """The chance of each value that the module finds."""
    weights = score_rule(text).weights
    return [Fraction(weight, sum(weights)) for weight in weights]


@pytest.mark.parametrize(("text", "dice", "play"), RULES)
def test_every_throw(text: str, dice: int, play: Played) -> None:
    """All faces of all dice give the same chances, the same score and the same mean number of dice."""
    chances, rerolls, thrown = once(dice, play)
    expected = [chances.get(value, Fraction(0)) / (1 - rerolls) for value in range(100)]
    figures = score_rule(text)

    assert law(text) == expected
    assert figures.score == sum((p - Fraction(1, 100)) ** 2 for p in expected)
    assert figures.expected == thrown / (1 - rerolls)
    assert figures.missing == expected.count(Fraction(0))


@pytest.mark.parametrize("times", [0, 1, 3, 10])
def test_a_limit_of_rerolls(times: int) -> None:
    """One throw after the other, by hand: what is left open after the last one counts as 51."""
    chances, rerolls, _ = once(3, RULES[8][2])
    remaining, expected, dice = Fraction(1), [Fraction(0)] * 100, Fraction(0)
    for _ in range(times + 1):
        dice += 3 * remaining
        expected = [p + remaining * chances.get(value, Fraction(0)) for value, p in enumerate(expected)]
        remaining *= rerolls
    expected[51] += remaining
    rule = f"{RULES[8][0]} at most {times} times, then 51"

    assert RULES[8][0].startswith("20*(a-1)")
    assert law(rule) == expected
    assert (score_rule(rule).expected, score_rule(rule).most) == (dice, 3 * (times + 1))


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("20d6-20 mod 100", "20d6-20"),
        ("20d6", "20d6"),
        ("1 + (d6rr6-1) + 5*(d6rr6-1) + 25*(d6rr>4-1)", "5x5x4"),
        ("216*(a-1)+36*(b-1)+6*(c-1)+d-1 mod 100", "table4"),
        ("36*(a-1)+6*(b-1)+c; reroll if total>200", "again"),
        ("36*(a-1)+6*(b-1)+c; reroll if total>100", "first"),
        ("if 36*(a-1)+6*(b-1)+c>108 then 36*(a-4)+6*(b-1)+c else 36*(a-1)+6*(b-1)+c", "wrapped"),
    ],
)
def test_the_texts_own_rules(text: str, way: str) -> None:
    """Said as a rule, a known way has its known score."""
    assert score_rule(text).score == Method(way).figures.score
    if way != "table4":
        assert (score_rule(text).expected, score_rule(text).most) == (
            Method(way).figures.expected,
            Method(way).figures.most,
        )


@pytest.mark.parametrize("dice", range(1, 10))
def test_so_many_dice_as_digits(dice: int) -> None:
    """The register's number has the best score that so many dice allow."""
    text = "d6-1"
    for _ in range(dice - 1):
        text = f"({text})*6+d6-1 mod 100"
    more = 6**dice % 100

    assert score_rule(text).score == Fraction(more * (100 - more), 100 * 36**dice)


def test_other_dice_and_values() -> None:
    """Letters are dice of as many sides as is said."""
    assert score_rule("4*(a-1)+b", 4, 16).exact
    assert score_rule("a", 100, 100).exact


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "breaks off"),
        ("a+", "breaks off"),
        ("7", "no dice"),
        ("a/b", "can't read '/' in that rule"),
        ("(a", "That rule breaks off"),
        ("if a then b", "That rule breaks off"),
        ("a b", "can't read 'b' in"),
        ("spin", "can't read 'spin'"),
        ("a mod (b-1)", "divide by zero"),
        ("total+a", "only after 'reroll if'"),
        ("a; reroll if a<7", "for ever"),
        ("a; reroll if a<6 at most 3", "at most 3 times, then 51"),
        ("a; reroll if a<6 at most 99999 times, then 51", "fewer"),
        ("(" * 30 + "a", "at most 20 brackets"),
        ("a" + "+1" * 100, "at most 200 characters"),
        ("\N{ARABIC-INDIC DIGIT THREE}*a", "plain ones"),
        ("a\N{MINUS SIGN}1", "plain ones"),
        ("if 99d6>300 then 2*99d6 else 99d6 - 7*99d6", "too long"),
        ("+".join(f"{letter}*{letter}" for letter in "abcdefghi"), "too long"),
        ("d6!", "can't read '!' in"),
        ("999d6", "dice"),
    ],
)
def test_what_is_no_rule(text: str, words: str) -> None:
    """The sentence says what is wrong."""
    with pytest.raises(DiceError, match=words):
        score_rule(text)


def test_values_are_limited() -> None:
    """As everywhere in this room."""
    with pytest.raises(SpecError, match="2 to 1,000 sides, not 1"):
        score_rule("a", 6, 1)
