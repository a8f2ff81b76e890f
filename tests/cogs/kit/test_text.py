"""Text for Discord: safe, cut to fit, and numbers as people say them."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.kit.text import (
    CUT,
    capital,
    code,
    cut,
    escape,
    lines_within,
    listed,
    mention,
    percent,
    plural,
    share,
)

TRICKY = st.text(st.sampled_from("ab*_~`|<>@\\[]() 1é\u202e"), max_size=80) | st.text(max_size=80)


def unescape(text: str) -> str:
    """What Discord shows of an escaped text."""
    return re.sub(r"\\([\\*_~`|<>@\]])", r"\1", text)


@given(TRICKY)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    """Without the signs that were added it is the same text, and no sign of markup stands alone."""
    escaped = escape(text)

    assert unescape(escaped) == text
    assert not re.search(r"[*_~`|<>@]|\]\(", re.sub(r"\\.", "x", escaped))


@given(TRICKY, st.integers(1, 90))
def test_cut_text_fits(text: str, room: int) -> None:
    """It has at most so many characters, and begins as the text does; a text that fits is whole."""
    shown = cut(text, room)

    assert len(shown) <= room
    if shown != escape(text):
        assert shown.endswith(CUT)
        assert text.startswith(unescape(shown.removesuffix(CUT)))
        assert len(escape(text)) > room


@given(st.lists(TRICKY, min_size=1, max_size=40), st.integers(10, 400))
def test_lists_fit(texts: list[str], room: int) -> None:
    """A list has at most so many characters; where it fits it is whole, else its end says so."""
    shown = listed(texts, room)

    assert len(shown) <= room
    assert shown == " · ".join(map(escape, texts)) or shown.endswith(CUT)


@given(TRICKY, st.integers(1, 90))
def test_code_can_not_be_ended(text: str, room: int) -> None:
    """Code has its two signs at the ends and none within."""
    shown = code(text, room)

    assert (shown[0], shown[-1], shown.count("`")) == ("`", "`", 2)
    assert len(shown) <= room + 2


def test_cutting_is_at_the_last_sign_that_fits() -> None:
    """A sign and the one before it that escapes it are never parted."""
    assert cut("a*b*c", 7) == "a\\*b\\*c"
    assert cut("a*b*c", 6) == "a\\*b…"
    assert listed(["12", "7", "3"], 100) == "12 · 7 · 3"
    assert listed(["12", "7", "3"], 9) == "12 · …"
    assert listed(["1234567890123"], 13) == "1234567890123"


@pytest.mark.parametrize(("user_id", "shown"), [(42, "<@42>"), (None, "somebody erased")])
def test_people_are_mentioned_unless_erased(user_id: int | None, shown: str) -> None:
    """A person is shown by Discord's mention, one that was erased by words."""
    assert mention(user_id) == shown


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (1, "nearly all"),
        (0.62, "about 6 in 10"),
        (0.5, "about 1 in 2"),
        (0.125, "about 1 in 8"),
        (1e-6, "fewer than 1 in 2,000"),
    ],
)
def test_chances_as_people_say_them(chance: float, words: str) -> None:
    """Round, and never nought."""
    assert share(chance) == words
    assert capital(words)[0].isupper()


def test_one_is_one() -> None:
    """1 roll, 2,000 rolls."""
    assert (plural(1, "roll"), plural(2_000, "roll")) == ("1 roll", "2,000 rolls")


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


def test_lines_that_do_not_fit_are_counted() -> None:
    """Lines that fit are whole; of more than that, the first are shown and the others counted."""
    assert lines_within(["a", "b"], 4) == "a\nb"
    assert lines_within(["aaa", "bbb", "ccc"], 5) == "aaa\n… and 2 more"
    assert lines_within([]) == ""
