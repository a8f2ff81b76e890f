import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NotationError, SpecError
from bot.dice.names import LABEL_LIMIT
from bot.dice.system import FACES_LIMIT, WEIGHT_LIMIT, Base, read_base
from tests.support.systems import cards

LABELS = st.dictionaries(
    st.text(st.sampled_from("abcdefghÄж🐉 '-<@*`"), min_size=1, max_size=LABEL_LIMIT).filter(str.strip),
    st.integers(1, WEIGHT_LIMIT),
    min_size=1,
    max_size=12,
)


def test_two_dice_have_a_triangle_of_weights() -> None:
    """2d6 has the totals 2 to 12 with 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1 of 36."""
    base = read_base("2D6 ")

    assert base.faces == tuple(str(n) for n in range(2, 13))
    assert base.weights == (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    assert base.total == 36
    assert not base.uniform
    assert base.as_json() == "2d6"


@given(LABELS)
def test_labels_keep_order_weights_and_form(labels: dict[str, int]) -> None:
    """A base of labels has them in order; written as JSON and read back it is equal."""
    base = read_base(labels)

    assert base == Base(tuple(labels), tuple(labels.values()))
    assert base.total == sum(labels.values())
    assert base.uniform == (len({*labels.values()}) == 1)
    assert read_base(json.loads(json.dumps(base.as_json()))) == base
    assert base.show(0, seeded(0)) is None


def test_equal_bases_of_other_spelling_are_equal() -> None:
    """Notation is compared in its canonical form."""
    assert read_base("D20 + 5") == read_base("1d20+5")
    assert read_base("1d20+5") != read_base("1d20+6")


def test_weight_zero_is_left_out() -> None:
    """A label of weight 0 is no face."""
    assert read_base({"a": 0, "b": 2}) == read_base({"b": 2})


@pytest.mark.parametrize("seed", range(5))
def test_dice_are_shown_for_every_face(seed: int) -> None:
    """Each face of a base of dice can be shown by dice that make it."""
    base = read_base("4d6kh3-2")
    throws = [base.show(i, seeded(seed)) for i in range(len(base.faces))]

    assert [str(throw.total) for throw in throws if throw] == [*base.faces]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "A base is dice notation"),
        (6, "A base is dice notation"),
        (["a", "b"], "A base is dice notation"),
        ({}, "nothing to draw"),
        ({"a": 0}, "nothing to draw"),
        ({"a": True}, "True can't be the weight of 'a'"),
        ({"a": 1.0}, r"1\.0 can't be the weight"),
        ({"a": "1"}, "'1' can't be the weight"),
        ({"a": None}, "null can't be the weight"),
        ({"a": -1}, "-1 can't be the weight"),
        ({"a": WEIGHT_LIMIT + 1}, "an integer of 0 to 1,000,000"),
        ({"": 1}, "'' can't be a label"),
        ({" \t": 1}, "can't be a label"),
        ({1: 1}, "1 can't be a label"),
        ({"a\nb": 1}, "printable"),
        ({"\u202eevil": 1}, "printable"),
        ({"\ud800": 1}, "printable"),
        ({"x" * (LABEL_LIMIT + 1): 1}, "1 to 80"),
        (cards([1] * (FACES_LIMIT + 1)), "1,001 faces are too many"),
        ("3#d6", "Leave the # out"),
        ("d1001", "1,001 different totals"),
    ],
)
def test_what_makes_no_base_is_refused(value: object, words: str) -> None:
    """Each has a sentence that says what is wrong."""
    with pytest.raises(SpecError, match=words):
        read_base(value)


@pytest.mark.parametrize("text", ["", "2d", "evil", "d6//0", "9" * 5_000, "999999d999999"])
def test_text_that_is_no_notation_is_refused(text: str) -> None:
    """Text is read as dice, and refused as dice are."""
    with pytest.raises(NotationError):
        read_base(text)


def test_the_limits_themselves_are_allowed() -> None:
    """A thousand faces, a label of 80 characters and a weight of a million make a base."""
    assert len(read_base("d1000").faces) == FACES_LIMIT
    assert len(read_base(cards([1] * FACES_LIMIT)).faces) == FACES_LIMIT
    assert read_base({"x" * LABEL_LIMIT: WEIGHT_LIMIT}).total == WEIGHT_LIMIT


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9), st.lists))
def test_anything_at_all_is_a_base_or_refused(value: object) -> None:
    """No value of any type raises anything but the asker's own errors."""
    for said in (value, {"a": value}, {str(value): 1}):
        try:
            base = read_base(said)
        except DiceError:
            continue

        assert base.total == sum(base.weights) > 0
