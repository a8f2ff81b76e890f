"""Charts: that they say the truth, stay readable and never fail on a label."""

import io
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread
from numpy.typing import NDArray

from bot.charts import style
from bot.charts.odds import odds_chart
from bot.words.pictures import Bar, OddsKey

KEY = OddsKey("next roll", "without memory")
NASTY = (
    "🗡️ Sword",
    "龍",
    "$x_{$",
    "سيف",
    "e\u0301\u0323",
    "a\tb\n\x00c",
    "\ud800",
    "\u202eevil",
    "",
    "W" * 5_000,
    "□",
)


def chart(now: Sequence[int], base: Sequence[int] | None = None, faces: Sequence[str] | None = None) -> bytes:
    """A chart of faces 1, 2, 3 ... with these weights, equal ones without a memory."""
    usual = base or [1] * len(now)
    names = faces or [str(i + 1) for i in range(len(now))]
    bars = [
        Bar(face, Fraction(b, sum(usual)), Fraction(n, sum(now)), f"{n / sum(now):.2%}")
        for face, b, n in zip(names, usual, now, strict=True)
    ]
    return odds_chart("Luck", "tightness 1", bars, KEY)


def even(faces: Sequence[str]) -> list[Bar]:
    """Bars of faces that are all alike."""
    return [Bar(face, Fraction(1, len(faces)), Fraction(1, len(faces)), "1") for face in faces]


def pixels(picture: bytes) -> NDArray[np.uint8]:
    """The picture as rows of red, green, blue and opacity, each of 0 to 255."""
    return (imread(io.BytesIO(picture), format="png") * 255).round().astype(np.uint8)


def colour(text: str) -> list[int]:
    """The opaque pixel of a colour such as "#23262d"."""
    return [*bytes.fromhex(text[1:]), 255]


def columns(picture: bytes) -> tuple[int, int]:
    """How high, in pixels, the next roll's colour stands in the left and in the right one of two columns."""
    below_key = pixels(picture)[200:]
    blue = (below_key == colour(style.SERIES[0])).all(axis=2).sum(axis=0)
    return int(blue[120:560].max()), int(blue[600:1055].max())


def test_columns_are_as_high_as_chances() -> None:
    """A face three times as likely has a column three times as high, its mark of the base counted in."""
    left, right = columns(chart([3, 1], base=[1, 1]))
    mark = style.RIM * 200 / 72

    assert abs(left + mark - 3 * right) <= 4


@pytest.mark.parametrize("count", [2, 30, 100])
def test_what_was_asked_for_is_shaded(count: int) -> None:
    """Of equal bars those asked for stand in the full colour, the others in the dim one, in equal areas."""
    even = Fraction(1, count)
    half = [Bar(str(i), even, even, "", 2 * i < count) for i in range(count)]
    below_key = pixels(odds_chart("", "", half, OddsKey("low", "", "the rest")))[200:]
    full, dim = (int((below_key == colour(c)).all(axis=2).sum()) for c in (style.SERIES[0], style.DIM))

    assert full > 50_000
    assert abs(full - dim) < full / 50
    assert not (below_key == colour(style.EDGE)).all(axis=2).any()


def test_size_and_ground() -> None:
    """A chart is 1,100 pixels wide, twice what Discord shows, and brings its own opaque ground."""
    picture = pixels(chart([1, 2, 3]))

    assert picture.shape[1:] == (1100, 4)
    assert 600 < picture.shape[0] < 900
    assert (picture[[0, 0, -1, -1], [0, -1, 0, -1]] == colour(style.GROUND)).all()
    assert (picture[:, :, 3] == 255).all()


def test_bars_keep_their_order() -> None:
    """They are drawn as they were given."""
    left, right = columns(chart([3, 1], faces=["b", "a"]))

    assert left > right


@pytest.mark.parametrize(
    ("count", "label"),
    [
        *((count, "{}") for count in (1, 12, 40, 1000)),
        *((count, "card number {} of the deck") for count in (3, 24, 40)),
    ],
)
def test_any_number_of_faces(count: int, label: str) -> None:
    """One face or a thousand, numbers or words: there is a chart, and the likely face stands out in it."""
    faces = [label.format(i + 1) for i in range(count)]
    flat = chart([2] * count, faces=faces)
    dip = chart([1] + [2] * (count - 1), faces=faces)

    assert (flat != dip) == (count > 1)


@pytest.mark.parametrize("count", [3, 9, 45])
def test_nasty_labels(count: int) -> None:
    """Labels that no font has, that look like formulas or that are endless draw without a warning."""
    faces = [f"{NASTY[i % len(NASTY)]} {i}" if i >= len(NASTY) else NASTY[i] for i in range(count)]

    assert odds_chart("".join(NASTY), NASTY[2], even(faces), KEY)


@settings(max_examples=12)
@given(st.lists(st.text(max_size=80), min_size=1, max_size=6), st.text(max_size=200))
def test_any_labels(faces: list[str], title: str) -> None:
    """Whatever the text is, there is a chart."""
    assert odds_chart(title, title, even(faces), KEY)


def test_threads_do_not_mix() -> None:
    """Charts drawn at the same time are those that are drawn one by one."""
    weights = [[1, 2], [3, 1, 1], [1] * 50, [2, 1, 1, 5]]
    with ThreadPoolExecutor(4) as pool:
        together = [*pool.map(chart, weights)]

    assert together == [chart(w) for w in weights]


def test_matplotlib_comes_late() -> None:
    """Who imports the charts does not wait for matplotlib, and pyplot never comes at all."""
    code = """if True:
        import sys
        from fractions import Fraction
        from bot.words.pictures import Bar, OddsKey
        from bot.charts.odds import odds_chart
        print("matplotlib" in sys.modules)
        odds_chart("", "", [Bar("1", Fraction(1), Fraction(1), "100")], OddsKey("next roll", ""))
        print("matplotlib" in sys.modules, "matplotlib.pyplot" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "True", "False"]
