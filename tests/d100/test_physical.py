"""Real dice: how they are read, and where the table stands after them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.d100.conversion import convert
from bot.d100.physical import TableProgress, read_faces, table_progress
from bot.d100.ways import read
from bot.dice.errors import SpecError


@pytest.mark.parametrize("text", ["3 5 1 6", "3,5,1,6", " 3, 5;1 6 ", "3516", "35 16"])
def test_dice_as_people_type_them(text: str) -> None:
    """Blanks, commas and nothing at all stand between dice."""
    assert read_faces(text) == (3, 5, 1, 6)


@pytest.mark.parametrize("text", ["7", "0", "3 5 7", "307", "-1", "three", "3.5", "٣", "1 2 x", "²", "1d6"])
def test_what_no_die_shows(text: str) -> None:
    """A seven, a zero, a word, a sign or a foreign digit is refused, and the whole with it."""
    with pytest.raises(SpecError, match="shows 1 to 6, not"):
        read_faces(text)


def test_too_many_dice() -> None:
    """45 dice can be typed, and 46 can't."""
    assert len(read_faces("1" * 45)) == 45
    with pytest.raises(SpecError, match="Type 45 dice at most"):
        read_faces("1" * 46)


@pytest.mark.parametrize(
    ("faces", "progress"),
    [
        ((), TableProgress(0, 3)),
        ((6, 1), TableProgress(0, 1)),
        ((6, 1, 5), TableProgress(3, 2)),
        ((6, 1, 5, 4), TableProgress(3, 1)),
        ((6, 1, 5, 4, 6), TableProgress(5, 0)),
        ((3, 5, 1, 6), TableProgress(3, 0)),
        ((6, 1, 5, 6, 6), TableProgress(5, 0)),
        ((6, 6, 1, 6, 6), TableProgress(5, 1)),
    ],
)
def test_where_the_table_stands(faces: tuple[int, ...], progress: TableProgress) -> None:
    """How many dice were read, and how many are to be thrown next."""
    assert table_progress(faces) == progress


@given(st.lists(st.integers(1, 6), max_size=12))
@example([6, 6, 1, 3, 2])
def test_the_table_asks_until_there_is_a_value(faces: list[int]) -> None:
    """Dice are missing as long as the number that was read is under its row's threshold."""
    progress = table_progress(faces)
    rows = iter(convert((6,), 100).walk())
    row, number, used, over = next(rows), 0, 0, False
    while not over and used + len(row.dice) <= len(faces):
        number = read(faces[used : used + len(row.dice)], row.dice, number)
        used += len(row.dice)
        over = number >= row.threshold
        row = row if over else next(rows)

    assert (progress.missing == 0) == over
    assert progress.used == used
    assert over or progress.missing == used + len(row.dice) - len(faces)
