import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.names import LABEL_LIMIT, NAME_LIMIT, clean


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("Goblin's  sword ", "Goblin's sword"),
        ("\u202eevil\u202c", "evil"),
        ("\u2066left\u2069 \u200fright", "left right"),
        ("e\u200bv\u200ci\u200dl\u2060\ufeff", "evil"),
        ("\u3164", ""),
        ("a\u034fb\ufe0f\U000e0101", "ab"),
        ("\u2800\u115f\uffa0", ""),
        ("<@123456789012345678>", "123456789012345678"),
        ("<@&5> <#6> @everyone @here", "&5 #6 everyone here"),
        ("\uff20everyone \uff1c\uff201\uff1e", "everyone 1"),
        ("`code` ```block```", "code block"),
        ("one\ntwo\r\n\tthree\u2028four\u2029five\x0bsix\x85seven", "one two three four five six seven"),
        ("a\0b\x1b[31m\ud800\ue000", "ab[31m"),
        ("\uff45\uff56\uff49\uff4c", "evil"),
        ("e\u200d\u0301", "é"),
        ("Straße 🐉", "Straße 🐉"),
        ("🏴\U000e0068\U000e0069\U000e007f x", "🏴 x"),
        ("🎲\u200d", "🎲"),
        ("a\u200d🎲\u200db", "a🎲b"),
        ("👩\u202e\u200d🚀", "👩🚀"),
        ("z" + 5_000 * "\u0351" + "algo", "z\u0351\u0351\u0351\u0351"),
        ("   ", ""),
        ("", ""),
    ],
)
def test_names_are_cleaned(typed: str, cleaned: str) -> None:
    """Marks of direction, what has no width, mentions, code signs and line ends go; letters stay."""
    assert clean(typed) == cleaned


@pytest.mark.parametrize(
    "emoji",
    [
        "👨\u200d👩\u200d👧\u200d👦",
        "👩🏽\u200d🚀",
        "🏳\ufe0f\u200d🌈",
        "🏴\u200d☠\ufe0f",
        "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏿",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "🇩🇪",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\U0001faf9",  # of a later Unicode than Python's
        "ê\u0307",
    ],
)
def test_an_emoji_stays_whole_or_goes(emoji: str) -> None:
    """Joined pictures, flags, keys and letters with marks keep all their parts, and are never cut in two."""
    assert clean(f" {emoji}\u202e x") == f"{emoji} x"
    for room in range(len(emoji), 3 * len(emoji)):
        assert clean(f"a{emoji}{emoji}", room) in {"a", f"a{emoji}", f"a{emoji}{emoji}"}


@given(st.text(), st.sampled_from([NAME_LIMIT, LABEL_LIMIT]))
def test_clean_names_are_safe_and_stay(text: str, limit: int) -> None:
    """A clean name fits its limit, has no sign to trick with, and cleaning it again changes nothing."""
    name = clean(text, limit)

    assert len(name) <= limit
    assert not set(name) & set("`<>@\n\r\t")
    assert not {unicodedata.category(c) for c in name} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert not set(name) & set("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert clean(name, limit) == name


@given(
    st.text(
        st.sampled_from("abe1\u0301\u0338\u200d`<@ \ufdfa\u3164\u1160=\ufe0f\n🎲❤🏽🇩\u20e3\u200b"),
        max_size=60,
    )
)
def test_what_grows_together_is_clean_as_well(text: str) -> None:
    """Marks that meet their letter only once something between them is gone make no difference."""
    name = clean(text, NAME_LIMIT)

    assert clean(name, NAME_LIMIT) == name


@pytest.mark.parametrize("sign", ["x", "\ufdfa", "\u200b", "a\u0301", "@", "\n"])
def test_of_a_long_text_only_the_beginning_is_read(sign: str) -> None:
    """At most 80 characters stay, and what is behind ten times as many changes nothing and costs nothing."""
    read = (sign * 1_000)[: 10 * LABEL_LIMIT]

    assert clean(read + "y" * 5_000) == clean(read)
    assert len(clean(read)) <= LABEL_LIMIT
