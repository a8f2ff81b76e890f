"""Odds in words."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.chances import alt, percent

TWO_DICE = [Fraction(n, 36) for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)]
FACES = [str(n) for n in range(2, 13)]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        ("0", "0"),
        ("1", "100"),
        ("1/6", "16.7"),
        ("1/2", "50.0"),
        ("1/100", "1.0"),
        ("1/360", "0.28"),
        ("1/10000", "0.01"),
        ("1/10001", "<0.01"),
        ("9995/10000", "100.0"),
        ("99951/100000", ">99.9"),
    ],
)
def test_percent(chance: str, text: str) -> None:
    """Per cent have one decimal, below one two; only what is certain reads 0 or 100."""
    assert percent(Fraction(chance)) == text


def test_alt() -> None:
    """The alt text names the highest and the lowest faces, and what they have without a memory."""
    now = [Fraction(1, 12)] * 9 + [Fraction(1, 4), Fraction(0)]

    assert alt("Luck", FACES, TWO_DICE, now) == (
        "Luck: chances of the next roll, 11 faces. "
        "Highest: 11 with 25.0 % (5.6 % without memory); lowest: 12 with 0 % (2.8 % without memory)."
    )


def test_alt_without_memory() -> None:
    """Where nothing is remembered, one figure says it; faces with the same chance stand together."""
    assert alt("Luck", FACES, TWO_DICE, TWO_DICE).endswith(
        "Highest: 7 with 16.7 %; lowest: 2, 12 with 2.8 %."
    )


def test_alt_of_even_faces() -> None:
    """Faces that are all alike need one figure."""
    even = [Fraction(1, 1000)] * 1000

    assert alt("d1000", [str(n) for n in range(1000)], even, even) == (
        "d1000: chances of the next roll, 1,000 faces. Every face has 0.10 %."
    )


@given(st.text(), st.lists(st.tuples(st.text(), st.integers(1, 5)), min_size=1, max_size=50))
def test_alt_is_short(title: str, faces: list[tuple[str, int]]) -> None:
    """The alt text has one line of at most 1,000 characters, and ends."""
    total = sum(w for _, w in faces)
    now = [Fraction(w, total) for _, w in faces]
    text = alt(title * 50, [label * 50 for label, _ in faces], now[::-1], now)

    assert len(text) <= 1_000
    assert "\n" not in text
    assert text.endswith(("%.", ")."))
