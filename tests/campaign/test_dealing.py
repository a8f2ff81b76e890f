"""What a deck keeps that is dealt across a table: block by block, and card by card until it is refilled."""

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaigns import Remembers
from bot.dice.draws import seeded
from bot.dice.system import Json
from bot.systems.registry import read_spec
from tests.support.calls import Table

SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).flatmap(
    lambda sizes: st.tuples(st.just(tuple(sizes)), st.integers(len(sizes), sum(sizes)))
)
"""Sizes of the categories, and a block's cards."""
MEMORIES = st.sampled_from([(Remembers.TABLE, None), (Remembers.PLAYER, Remembers.TABLE)])
"""A roller of the table's, or one of each player's that a call makes the table's."""
Hand = tuple[int, tuple[str, ...]]
"""A player, and the cards that they were dealt by one call."""


def dealt(
    spec: dict[str, Json],
    players: int,
    cards: int,
    total: int,
    seed: int,
    memory: tuple[Remembers, Remembers | None] = (Remembers.TABLE, None),
) -> list[Hand]:
    """Hands of calls that all players answer in turn, until so many cards are out."""
    table = Table(draws=seeded(seed))
    table.make("cards", read_spec(spec), memory[0])
    hands: list[Hand] = []
    while sum(len(hand) for _, hand in hands) < total:
        call = table.call("cards", Terms(Form.DEAL, cards=cards, whose=memory[1]))
        hands += [(player, table.answer(call, player).roll.results) for player in range(1, players + 1)]
    return hands


def blocks(sizes: tuple[int, ...], block: int) -> dict[str, Json]:
    """Blocks of categories of these sizes; a card's name begins with its category's number."""
    categories: dict[str, Json] = {f"c{j}": [f"{j}.{i}" for i in range(n)] for j, n in enumerate(sizes)}
    return {"system": "blocks", "categories": categories, "block": block}


def in_order(hands: list[Hand]) -> list[str]:
    """The cards as they left the deck."""
    return [card for _, hand in hands for card in hand]


def category(card: str) -> int:
    """The number of a card's category."""
    return int(card.partition(".")[0])


def gaps(cards: list[str], wanted: int) -> Iterator[int]:
    """How many other cards lie between two of a category, and before its first."""
    places = [-1, *(n for n, card in enumerate(cards) if category(card) == wanted)]
    return (later - earlier - 1 for earlier, later in pairwise(places))


@settings(max_examples=50)
@given(SHAPES, st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**32), MEMORIES)
def test_the_bound_that_a_block_dealt_to_a_table_keeps(
    shape: tuple[tuple[int, ...], int],
    players: int,
    cards: int,
    seed: int,
    memory: tuple[Remembers, Remembers | None],
) -> None:
    """A block of B has no card twice and every category; between two of one are at most 2B-2 others."""
    sizes, block = shape
    out = in_order(dealt(blocks(sizes, block), players, cards, 4 * block, seed, memory))
    every = set(range(len(sizes)))
    aligned = [out[n : n + block] for n in range(0, len(out) - block + 1, block)]
    windows = [out[n : n + 2 * block - 1] for n in range(len(out) - 2 * block + 2)]

    assert all(len(set(one)) == block for one in aligned)
    assert all({*map(category, one)} == every for one in (*aligned, *windows))
    assert all(gap <= 2 * block - 2 for kind in every for gap in gaps(out, kind))
    assert all(next(gaps(out, kind)) <= block - 1 for kind in every)


@settings(max_examples=50)
@given(SHAPES, st.integers(0, 2**32), st.data())
def test_every_category_lands_on_somebody(
    shape: tuple[tuple[int, ...], int], seed: int, data: st.DataObject
) -> None:
    """Where a call deals exactly one block to a table, some player gets each of the categories."""
    sizes, block = shape
    cards = data.draw(st.sampled_from([n for n in range(1, block + 1) if block % n == 0]))
    players = block // cards
    hands = dealt(blocks(sizes, block), players, cards, 3 * block, seed)

    for call in range(3):
        around = hands[call * players : (call + 1) * players]
        assert [player for player, _ in around] == [*range(1, players + 1)]
        assert {category(card) for _, hand in around for card in hand} == set(range(len(sizes)))
        assert len({card for _, hand in around for card in hand}) == block


def test_the_bound_is_attained() -> None:
    """First in one block and last in the next: four other cards between two, where a block has three.

    A window of one card less than the bound's can lack the category.
    """
    out = in_order(dealt(blocks((1, 3), 3), 2, 3, 6, seed=5))

    assert [category(card) for card in out] == [0, 1, 1, 1, 1, 0]
    assert [*gaps(out, 0)] == [0, 4]
    assert 0 not in map(category, out[1:5])


@settings(max_examples=50)
@given(
    st.integers(2, 12), st.booleans(), st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**32), MEMORIES
)
def test_nobody_gets_the_same_card_until_the_deck_is_refilled(
    size: int,
    no_repeat: bool,  # noqa: FBT001 (Hypothesis's)
    players: int,
    cards: int,
    seed: int,
    memory: tuple[Remembers, Remembers | None],
) -> None:
    """One of each card: every pass through the deck has all its cards, each once, whoever gets them."""
    base: dict[str, Json] = {f"card {n}": 1 for n in range(size)}
    spec: dict[str, Json] = {"system": "deck", "base": base, "no_repeat": no_repeat}
    out = in_order(dealt(spec, players, cards, 3 * size, seed, memory))

    assert all({*out[n : n + size]} == base.keys() for n in range(0, 3 * size, size))
    if no_repeat:
        assert all(card != other for card, other in pairwise(out))


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 2**32))
def test_decks_of_each_player_s_own_share_nothing(players: int, size: int, seed: int) -> None:
    """Where each has a deck, everybody gets every card of it, in an order that others do not change."""
    base: dict[str, Json] = {f"card {n}": 1 for n in range(size)}
    hands = dealt(
        {"system": "deck", "base": base}, players, size, players * size, seed, (Remembers.PLAYER, None)
    )

    assert len(hands) == players
    assert all({*hand} == base.keys() for _, hand in hands)


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32))
def test_an_offer_has_a_card_of_every_deck(players: int, cards: int, seed: int) -> None:
    """Several decks dealt across a table give each player, for each card, one of every deck."""
    decks: dict[str, Json] = {"0": {"0.a": 2, "0.b": 2}, "1": {"1.a": 3, "1.b": 1}}
    hands = dealt({"system": "decks", "decks": decks}, players, cards, 16, seed)
    out = in_order(hands)

    assert all([category(card) for card in hand] == [0, 1] * cards for _, hand in hands)
    for number, copies in (("0", [2, 2]), ("1", [3, 1])):
        own = [card for card in out if card.startswith(number)]
        passes = [own[n : n + 4] for n in range(0, len(own) - 3, 4)]
        assert all([one.count(f"{number}.{card}") for card in "ab"] == copies for one in passes)
