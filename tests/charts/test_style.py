"""The charts' one style: colours that everybody can tell apart, and text that always fits."""

from colorsys import rgb_to_hsv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.charts import style

SERIES = [*style.SERIES]


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    linear = [
        [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(x)]
        for x in (one, other)
    ]
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("colour", "ratio"),
    [
        (style.INK, 7),
        (style.MUTED, 4.5),
        (style.EDGE, 4.5),
        (style.DIM, 3),
        *((colour, 3) for colour in SERIES),
    ],
)
def test_contrast(colour: str, ratio: float) -> None:
    """Text and lines stand out from the ground as WCAG asks: 7 and 4.5 for words, 3 for shapes."""
    assert contrast(colour, style.GROUND) >= ratio


@pytest.mark.parametrize("colour", SERIES)
def test_neither_red_nor_green(colour: str) -> None:
    """No series is red or green: luck is neither good nor bad here."""
    hue, saturation, _ = rgb_to_hsv(*channels(colour))

    assert saturation < 0.1 or 30 / 360 < hue < 70 / 360 or 180 / 360 < hue < 340 / 360


@given(st.text(max_size=400), st.floats(0.3, 6))
def test_fit(text: str, inches: float) -> None:
    """A fitted text is never wider than asked, and one that fits is not cut."""
    font = style.font(style.TEXT)
    fitted = style.fit(text, inches, font)

    assert style.width(fitted, font) <= inches
    assert fitted == style.drawable(text) or fitted.endswith("…")


@given(st.text(max_size=400), st.integers(1, 3))
def test_wrap(text: str, lines: int) -> None:
    """A wrapped text has at most that many lines of that width, and says the beginning of the text."""
    font = style.font(style.TEXT)
    wrapped = style.wrap(text, 1.8, font, lines).split("\n")

    assert len(wrapped) <= lines
    assert all(style.width(line, font) <= 1.8 for line in wrapped)
    assert (
        style.drawable(text).replace(" ", "").startswith("".join(wrapped).replace(" ", "").partition("…")[0])
    )


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Sword of 剣", "Sword of □"),
        ("🗡️ Sword", "Sword"),
        ("a\tb\n\x00c", "a b c"),
        ("e\u0301", "é"),
        ("\u202eevil\ud800", "evil"),
        ("½ × ∞ ≤ Жизнь", "½ × ∞ ≤ Жизнь"),
    ],
)
def test_drawable(text: str, drawn: str) -> None:
    """What the font lacks is left out, or a □ if it is a letter; what can't be seen goes."""
    assert style.drawable(text) == drawn


@pytest.mark.parametrize(
    ("steps", "every"), [(0.3, 1), (1, 1), (1.01, 2), (2.5, 5), (7, 10), (11, 20), (400, 500)]
)
def test_round_up(steps: float, every: int) -> None:
    """Steps on an axis are 1, 2 or 5 times a power of ten."""
    assert style.round_up(steps) == every
