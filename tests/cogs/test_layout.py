"""Cards as components, however long."""

from collections.abc import Iterator
from itertools import product

import pytest

from bot.words.cards import Beside, Block, Card, CardButton, CardRow, CardRows, Head, Small, Text
from cogs.kit import hands
from cogs.kit.layout import Component, lay_out

HEADS = [
    Head("T" * 10, dice, aside) for dice, aside in product(("", "(1, 2)", "<:d6_1:1> " * 9), ("", "xxx"))
]
LONG = [
    Text("y" * 6_000),
    Small("y\n" * 3_000),
    CardRows(tuple(CardRow("Ann", "7", "(7)") for _ in range(400))),
    Head("22", "1, " * 2_000),
    Head("y" * 6_000, aside="xxx"),
]


def contents(parts: list[Component]) -> Iterator[str]:
    """Every text of components, also of those in a section."""
    for part in parts:
        yield from [part["content"]] if "content" in part else contents(part.get("components", []))


@pytest.mark.parametrize("long", LONG, ids=lambda block: type(block).__name__)
def test_no_card_has_more_characters_than_discord_takes(long: Text | Small | CardRows | Head) -> None:
    """Whatever stands above a text that is too long, and beside a button too."""
    beside = Beside((*HEADS[:2], long), CardButton(hands.PLAY.custom_id.word, (1, 2)))
    cards: list[tuple[Block, ...]] = [(head, long) for head in HEADS]
    cards += [(*HEADS, long), (*HEADS, long, long, long), (*HEADS, beside)]
    lengths = [sum(map(len, contents(lay_out(Card(blocks)).parts))) for blocks in cards]

    assert max(lengths) <= 4_000
