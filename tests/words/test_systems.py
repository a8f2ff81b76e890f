import pytest

from bot.campaign.campaigns import Remembers
from bot.dice.system import Json
from bot.systems.registry import SYSTEMS, read_spec
from bot.words.systems import memory_owner, tag

WAYS_TO_D100 = {"method", "pool", "leftovers"}
"""These have words of their own, where /d100 shows them."""
N: list[Json] = ["n"] * 22
PQ: list[Json] = ["p", "q"] * 11
TAGS: list[tuple[dict[str, Json], str]] = [
    ({"system": "dice", "base": "D20 + 5"}, "plain dice 1d20+5"),
    (
        {
            "system": "game",
            "game": "coins",
            "roll": "flip",
            "given": {},
            "rule": {
                "dice": [{"pool": "coin", "faces": ["h", "t"]}],
                "measures": {"heads": {"sum": "h"}},
                "classes": {"tails": "not heads", "heads": ""},
            },
        },
        "coins flip",
    ),
    ({"system": "dice", "base": {"bandits": 3, "none": 1}}, "chart of 2 results"),
    ({"system": "fair", "base": "2d6", "tightness": "1.50"}, "fair 2d6, tightness 1.5"),
    ({"system": "fair", "base": "2d6", "tightness": "inf"}, "hat of 2d6"),
    ({"system": "dynamic", "base": "1d6", "factor": ".355"}, "dynamic 1d6, factor 0.355"),
    ({"system": "deck", "base": "1d6"}, "deck of 1d6, 6 cards, refilled when empty"),
    (
        {"system": "deck", "base": "2d6", "size": 2, "refill": 9},
        "deck of 2d6, 72 cards, refilled below 9 cards",
    ),
    (
        {"system": "deck", "base": "1d6", "refill": 3, "mode": "reset"},
        "deck of 1d6, 6 cards, refilled below 3 cards, reshuffled whole",
    ),
    (
        {"system": "deck", "base": {"a": 1, "b": 2, "c": 1, "d": 1}},
        "deck, 5 cards, refilled when empty",
    ),
    (
        {"system": "deck", "base": {"a": 2, "b": 2}, "no_repeat": True},
        "deck, 4 cards, never twice the same in a row",
    ),
    ({"system": "decks", "decks": {"x": {"a": 1}, "y": {"b": 1}}}, "decks of x/y, a card of each"),
    (
        {"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c"]}, "block": 2},
        "blocks of 2 cards, at least one each of x/y",
    ),
    ({"system": "destinator", "regions": N, "cities": {"n": PQ}}, "destinator of 2 cities"),
    ({"system": "register", "dice": 3}, "d100 register, 3d6"),
    ({"system": "luck"}, "luck account, tightness 0.5"),
    (
        {"system": "luck", "tightness": "1", "cap": "2", "score": "rank"},
        "luck account of ranks, tightness 1, cap 2",
    ),
    (
        {"system": "renewal", "prd": "0.25"},
        "event 25.0%, likelier the longer it stays away, the 12th try at the latest",
    ),
    (
        {"system": "renewal", "table": ["0.25", "0.5"], "labels": ["storm", "calm"]},
        "storm 40.0%, likelier the longer it stays away",
    ),
    ({"system": "recency", "base": "1d6", "weights": ["0"]}, "1d6 with the last face rarer"),
    (
        {"system": "recency", "base": "1d7", "last": 4, "tries": 4},
        "1d7 with the last 4 faces thrown again, 4 tries",
    ),
]


@pytest.mark.parametrize(("spec", "words"), TAGS)
def test_tags_say_what_a_roller_is(spec: dict[str, Json], words: str) -> None:
    """Every rule has words of its own, with the parameters that matter."""
    assert tag(read_spec(spec)) == words


def test_every_system_has_a_tag() -> None:
    """No system of the registry is missing from this file."""
    assert {str(spec["system"]) for spec, _ in TAGS} == SYSTEMS.keys() - WAYS_TO_D100


def test_long_names_are_cut() -> None:
    """A tag stays short whatever the faces are called."""
    system = read_spec({"system": "deck", "base": {f"{i:04}" + "x" * 76: 1 for i in range(1_000)}})

    assert len(tag(system)) < 150


@pytest.mark.parametrize("memory", Remembers)
def test_a_memory_has_an_owner_in_words(memory: Remembers) -> None:
    """The table shares it, or each player has their own."""
    words = {"table": "shared by the table", "player": "each player's own"}

    assert memory_owner(memory) == words[memory]
