"""What holds for every message of these tests can be broken, and is then told."""

from typing import Any

from bot.words.cards import Card, CardRow, CardRows, Head, Small, Text, plain
from cogs.kit.layout import lay_out
from tests.support.held import faults_of_card
from tests.support.openapi import fault_of

CARD = Card((Head("22", "1d20 (17)", "+ 5"), CardRows((CardRow("Ann", "7", "1d6 (7)"),)), Small("#1 · Luck")))
CALLBACK = "/interactions/1/token/callback"


def test_a_card_that_says_the_same_in_both_looks() -> None:
    """Marks and signs between a total and its dice are no words; all else is, in its order."""
    parts = lay_out(CARD).parts

    assert faults_of_card(CARD, parts, plain(CARD)) == []
    assert faults_of_card(CARD, parts[::-1], plain(CARD))
    assert faults_of_card(CARD, parts, plain(CARD).replace("Luck", "luck"))


def test_a_card_beyond_its_limits() -> None:
    """Too many components, and too many characters."""
    text = {"type": 10, "content": "x" * 100}
    found = faults_of_card(Card((Text("x" * 4_100),)), [text] * 41, "x" * 2_001)

    assert found == ["41 components", "4100 characters of components", "2001 characters of text"]


def test_a_table_beyond_a_phone() -> None:
    """A line of several words; one that is one word may be copied, and stays whole."""
    fits, wide = f"```\n{'x' * 41}\n{'x ' * 20}\n```", f"```\n{'x ' * 20}x\n```"

    for text, faults in (fits, []), (wide, [f"wider than a phone: {'x ' * 20}x"]):
        assert faults_of_card(Card((Text(text),)), [{"type": 10, "content": text}], text) == faults


def test_a_message_that_discord_does_not_describe() -> None:
    """An empty container."""
    empty: dict[str, Any] = {
        "type": 4,
        "data": {"flags": 1 << 15, "components": [{"type": 17, "components": []}]},
    }

    assert fault_of("POST", CALLBACK, {"type": 4, "data": {"content": "x"}}) is None
    assert fault_of("POST", CALLBACK, empty)
