"""A choice reads each option of a list once, and asks where the options can't be told apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.choices import named_faces, read_call
from bot.dice.errors import NotationError
from bot.dice.notation import parse

NAMES = st.lists(
    st.sampled_from(["tea", "ice cream", "Élodie", "🍕", "room 3", "north-east", "茶", "+1"]),
    min_size=2,
    max_size=6,
)
SEPARATORS = [", ", ",", "; ", ";", " | ", "|", "\n", " or ", " vs ", " / ", "/", " · ", " → ", " - "]


def options(text: str) -> list[str] | None:
    """Return the names that a text chooses among; None if it is no choice."""
    call = read_call(text)
    return named_faces(call[1]) if call else None


@given(NAMES, st.sampled_from(SEPARATORS), st.sampled_from(["choose ", "choose: ", "shuffle "]))
def test_every_separator_gives_the_same_options(names: list[str], separator: str, front: str) -> None:
    """A sign between two options is never an option itself."""
    assert options(f"{front}{separator.join(names)}") == names


@given(NAMES, st.sampled_from(["()", "[]", "{}"]))
def test_brackets_around_a_list_are_no_part_of_its_names(names: list[str], pair: str) -> None:
    """Round, square or curly."""
    assert options(f"choose {pair[0]}{', '.join(names)}{pair[1]}") == names


@given(st.lists(st.sampled_from(["a b", "tea", "the red, hot one", "x3"]), min_size=2, max_size=5))
def test_quotes_keep_an_option_together(names: list[str]) -> None:
    """With blanks between the options; a comma inside would end a face's name, so it is asked about."""
    text = "choose " + " ".join(f'"{name}"' for name in names)
    assert options(text) == (None if any("," in name for name in names) else names)


@given(st.text("abcxyz123 ,;|/&-+=:*%()•\n", max_size=40))
def test_no_letter_is_lost(text: str) -> None:
    """Whatever is read: each letter and digit of a list is in its options, once and in order."""
    read = options(f"shuffle {text}")
    if read is not None:
        letters = re.sub(r"(?m)^ *\d{1,2}[.)] |[^a-z0-9]", "", text)
        assert re.sub(r"[^a-z0-9]", "", "".join(read)) == letters
        assert all(re.search(r"[a-z0-9]", name) for name in read)


@pytest.mark.parametrize(
    ("text", "names"),
    {
        "choose 1, 2, 3": ["1", "2", "3"],
        "choose 1 2 3": ["1", "2", "3"],
        "choose 3 or 4": ["3", "4"],
        "choose 2 rings, 3 swords": ["2 rings", "3 swords"],
        "choose 1/2, 3/4": ["1/2", "3/4"],
        "choose mac & cheese or pizza": ["mac & cheese", "pizza"],
        "choose AC/DC, Queen": ["AC/DC", "Queen"],
        "choose tea, coffee, or milk?": ["tea", "coffee", "milk"],
        "choose - tea\n- coffee": ["tea", "coffee"],
        "choose 1. tea\n2. coffee": ["tea", "coffee"],
        "choose 10:30, 11:00": ["10:30", "11:00"],
        "choose room 1, room 2": ["room 1", "room 2"],
        "choose 10%, 20%": ["10%", "20%"],
        "choose “ice cream” cake": ["ice cream", "cake"],
        "choose 'ice cream' cake": ["ice cream", "cake"],
        "choose dogs' bones, cats' toys": ["dogs' bones", "cats' toys"],
    }.items(),
)
def test_numbers_and_signs_in_names(text: str, names: list[str]) -> None:
    """A number is an option's own unless it says how many are chosen."""
    assert options(text) == names


@pytest.mark.parametrize("words", ["2 of", "2 from", "2 out of", "two of", "2:", "2"])
def test_how_many(words: str) -> None:
    """Two different ones of three."""
    assert read_call(f"choose {words} tea, coffee, milk") == ("2d3u", "1 tea, 2 coffee, 3 milk")


@pytest.mark.parametrize(
    "text",
    [
        "choose goblin x3, orc",
        "choose goblin*3 orc",
        "choose goblin=3, orc=1",
        "choose goblin: 3, orc: 1",
        "choose goblin 75%, orc 25%",
        "choose goblin 75% orc 25%",
        "choose 1. tea 2. coffee",
        "choose tea, coffee; milk",
        "choose Ann, Bob | Cleo",
        "choose fight or flee, hide",
        "choose salt and pepper, oil and vinegar",
        "choose tea, coffee & milk",
        "choose tea + coffee",
        "choose who begins",
        "choose the red door",
        "choose tea",
        "choose 3 tea, coffee",
        "choose + or -",
        "shuffle 2 of tea, coffee",
    ],
)
def test_options_that_cannot_be_told_apart_are_asked_about(text: str) -> None:
    """Nothing is chosen where a number may be a weight, or a list has two kinds of separator."""
    with pytest.raises(NotationError, match="can't tell the options"):
        parse(text)
