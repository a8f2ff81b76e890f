"""Cards, decks, blocks and charts read from what people type on one line."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.errors import DiceError, SpecError
from bot.dice.names import clean
from bot.systems.charts import read_chart
from bot.systems.typed import read_cards, read_deck, read_decks, read_rows

NAMES = st.lists(
    st.from_regex(r"[A-Za-z][A-Za-z ']{0,9}[a-z]", fullmatch=True).map(clean),
    min_size=1,
    max_size=6,
    unique=True,
)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("attack 3, defense 3, other 3", {"attack": 3, "defense": 3, "other": 3}),
        ("attack x3, defense ×2,other*4", {"attack": 3, "defense": 2, "other": 4}),
        ("a, b", {"a": 1, "b": 1}),
        ("Route 66 1, hex 2, 7 of hearts", {"Route 66": 1, "hex": 2, "7 of hearts": 1}),
        ("1, 2 2, x", {"1": 1, "2": 2, "x": 1}),
        ("a2, b", {"a2": 1, "b": 1}),
        ("a 1\nb 2,", {"a": 1, "b": 2}),
        ("knight 14; monopoly: 2", {"knight": 14, "monopoly": 2}),
        ("14x knight, 5 × point", {"knight": 14, "point": 5}),
        ("knight (14), point (x5)", {"knight": 14, "point": 5}),
        ("2 of cups, 3 of cups", {"2 of cups": 1, "3 of cups": 1}),
        ("7 Wonders, other", {"7 Wonders": 1, "other": 1}),
    ],
)
def test_cards(text: str, cards: dict[str, int]) -> None:
    """A number apart at the end is copies; without one there is one copy, in the order typed."""
    assert [*read_cards(text).items()] == [*cards.items()]


@pytest.mark.parametrize(("text", "jokers"), [("52", 0), ("54 cards", 2), (" 32 ", 0), ("54 Karten", 2)])
def test_a_known_deck_has_its_cards_once(text: str, jokers: int) -> None:
    """In four suits, with two jokers in the one of 54; anything else is cards as they are typed."""
    deck = read_deck(text)
    cards = [card for card, copies in deck.items() if copies == 1]

    assert deck.get("Joker", 0) == jokers
    assert len(cards) + jokers == int(text.split(maxsplit=1)[0])
    assert [sum(suit in card for card in cards) for suit in "♠♥♦♣"] == [len(cards) // 4] * 4
    assert read_deck("53") == {"53": 1}
    assert read_deck("52 cards, joker") == read_cards("52 cards, joker")


@pytest.mark.parametrize("text", ["standard", "playing cards"])
def test_one_card_is_no_deck(text: str) -> None:
    """Whoever types the name of a deck hears how one is written."""
    with pytest.raises(SpecError, match="52 for playing cards"):
        read_deck(text)


def test_the_last_faces_in_short() -> None:
    """As charts in books have them."""
    assert read_rows("Way", "1d4", "1 a; 2+ b").labels == ("a", "b", "b", "b")
    assert read_rows("Way", "1d4", "1 +1 a; 2-4: b").labels == ("+1 a", "b", "b", "b")
    assert read_rows("Way", "d100", "01-50 a; 51-00 b").as_labels() == {"a": 50, "b": 50}
    assert read_rows("Way", "d66", "11-36 a; 41-66 b").as_labels() == {"a": 18, "b": 18}
    assert read_chart("Way", "d100,way\n01-99,a\n00,b").as_labels() == {"a": 99, "b": 1}


@given(NAMES, st.data())
def test_cards_come_back(names: list[str], data: st.DataObject) -> None:
    """Cards printed with their copies are read as they were."""
    cards = {name: data.draw(st.integers(1, 1_000)) for name in names}

    assert read_cards(", ".join(f"{name} {copies}" for name, copies in cards.items())) == cards


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Cards are written like this"),
        ("a, a 2", "The card a is there twice."),
        ("a 0", "1 to 1,000 copies, and a 0."),
        ("14 knight, 5 point", "14 knight: is 14 its copies? Write knight 14, or 14 knight 1"),
        ("a 1001", "1 to 1,000 copies, and a 1,001."),
        ("\u202e", "Each name has 1 to 80 characters."),
        ("x" * 81, "Each name has 1 to 80 characters."),
    ],
)
def test_cards_refused(text: str, reason: str) -> None:
    """What can't be cards is refused with the reason and the offending card."""
    with pytest.raises(SpecError, match=re.escape(reason)):
        read_cards(text)


def test_decks_and_categories() -> None:
    """Categories end with a semicolon."""
    text = "attack: sword 3, bow; other : spy 3;"

    assert read_decks(text) == {"attack": {"sword": 3, "bow": 1}, "other": {"spy": 3}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sword 3", "sword 3 has no category."),
        ("a: x; a: y", "The category a is there twice."),
        (": x", "Each name has 1 to 80"),
        ("a:", "Cards are written like this"),
    ],
)
def test_decks_refused(text: str, reason: str) -> None:
    """A category without a name, without cards or said twice is refused."""
    with pytest.raises(SpecError, match=re.escape(reason)):
        read_decks(text)


@pytest.mark.parametrize(
    "text",
    [
        "1-3. bandits; 4) treasure",
        "1-3 - bandits; 4 – treasure",
        "1-3 bandits; 4 treasure",
        "1 - 3: bandits; 4: treasure",
        "4 treasure;1 to 3 bandits",
    ],
)
def test_rows(text: str) -> None:
    """Faces, a blank or a colon, and a label; in any order."""
    chart = read_rows("Way", "1d4", text)

    assert chart.labels == ("bandits", "bandits", "bandits", "treasure")
    assert chart.as_labels() == {"bandits": 3, "treasure": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1-2 a; 4 b", "The chart Way has nothing for 3."),
        ("1-4 a; 4 b", "The chart Way has 4 in line 1 and again in line 2."),
        ("1-5 a", "Line 1 of the chart Way has 5, which can't come out."),
        ("bandits", "bandits can't be read."),
        ("3-1 a", "Line 1 of the chart Way starts with '3-1'"),
    ],
)
def test_rows_refused(text: str, reason: str) -> None:
    """Gaps, overlaps and what is no row are refused with their place."""
    with pytest.raises(SpecError, match=re.escape(reason)):
        read_rows("Way", "1d4", text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text fails in any other way than with a sentence."""
    for read in (read_cards, read_decks):
        with suppress(DiceError):
            assert isinstance(read(text), dict)
    with suppress(DiceError):
        assert len(read_rows("Way", "1d4", text).labels) == 4
