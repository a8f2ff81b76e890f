"""The charts' one style: colours that everybody can tell apart, and text that always fits."""

from colorsys import rgb_to_hsv
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.charts import style

SERIES = [*style.SERIES]
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
"""Linear sRGB to CIE XYZ."""
VISIONS = {
    "usual": np.eye(3),
    "no red cones": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green cones": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue cones": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""What linear sRGB looks like to each: Machado, Oliveira and Fernandes (2009), severity 1."""


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def linear(colour: str) -> NDArray[np.float64]:
    """The same as linear light."""
    return np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)])


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted(float(XYZ[1] @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear light as CIELAB under D65, where equal steps look alike."""
    x, y, z = np.cbrt(XYZ @ light.clip(0, 1) / XYZ.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


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
def test_neither_good_nor_bad(colour: str) -> None:
    """No series has the red or the green of a traffic light: luck is neither good nor bad here."""
    hue, saturation, _ = rgb_to_hsv(*channels(colour))

    assert saturation < 0.1 or 30 / 360 < hue < 70 / 360 or 150 / 360 < hue < 340 / 360


@pytest.mark.parametrize("vision", VISIONS)
def test_series_are_told_apart(vision: str) -> None:
    """Any two series differ by 15 steps of CIELAB, also for eyes without one kind of cones."""
    seen = [lab(VISIONS[vision] @ linear(colour)) for colour in SERIES]

    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 15


def test_a_phone_shows_letters_that_can_be_read() -> None:
    """Three hundred pixels wide, the smallest type has ten of them."""
    assert round(style.TEXT * 300 / (72 * style.WIDTH)) >= 10


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
