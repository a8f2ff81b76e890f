"""The pictures of dice: as the page draws them, small enough for Discord, and each with a name of its own."""

import re
from importlib.resources import files

import pytest

from bot.charts.faces import OUTLINES, PIPS, all_faces, draw_face
from bot.words.pictures import DieState, face_name

PAGE = (files("bot.play") / "site" / "dice.js").read_text(encoding="utf-8")


def test_the_page_draws_the_same_dice() -> None:
    """Corners and pips are those of the table's page."""
    assert all(f'{sides}: "{corners}"' in PAGE for sides, corners in OUTLINES.items())
    assert {
        n: [int(place) for place in places.split(", ")]
        for n, places in re.findall(r"(\d): \[([\d, ]+)\]", PAGE)
    } == PIPS


def test_names_are_read_well_aloud() -> None:
    """One name a face, of letters that Discord takes."""
    names = [face_name(*face) for face in all_faces()]

    assert len(set(names)) == 3 * (4 + 6 + 8 + 10 + 12 + 20)
    assert {"d20_17", "d20_17_dropped", "d6_6_success"} < set(names)
    assert all(re.fullmatch(r"\w{2,32}", name) for name in names)


@pytest.mark.parametrize("sides", [4, 6, 20])
def test_a_picture_is_small_and_tells_faces_apart(sides: int) -> None:
    """A PNG of 128 by 128, far below Discord's 256 kB; another face or state is another picture."""
    drawn = [draw_face(sides, value, shown) for value in (1, 2) for shown in DieState]

    assert len(set(drawn)) == len(drawn)
    for data in drawn:
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (128, 128)
        assert len(data) < 256 * 1024
