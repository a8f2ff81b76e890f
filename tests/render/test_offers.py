"""Offers in words: a line each, as far as they fit."""

import pytest

from bot.render.offers import offers
from bot.systems.decks import Decks
from bot.systems.registry import read_spec


def decks(spec: dict[str, dict[str, int]]) -> Decks:
    """Several decks."""
    system = read_spec({"system": "decks", "decks": spec})
    assert isinstance(system, Decks)
    return system


SMALL = decks({"attack": {"sword": 3, "bow": 3}, "other": {"spy": 3}})


def test_one_offer_is_one_line() -> None:
    """Each card stands behind its category."""
    assert offers(SMALL, ["bow", "spy"], 500) == "attack: **bow** · other: **spy**"


def test_several_offers_are_numbered() -> None:
    """Each offer has its own line."""
    lines = offers(SMALL, ["bow", "spy", "sword", "spy"], 500).splitlines()

    assert lines == ["1. attack: **bow** · other: **spy**", "2. attack: **sword** · other: **spy**"]


def test_markup_stays_text() -> None:
    """Signs that mean something to Discord are shown."""
    assert offers(decks({"*a*": {"_b_": 1}}), ["_b_"], 500) == r"\*a\*: **\_b\_**"


@pytest.mark.parametrize("room", [60, 400, 1_900])
def test_never_longer_than_the_room(room: int) -> None:
    """Twenty offers of ten decks with long names still fit; then only cards are shown."""
    many = decks({f"{n} {'c' * 70}": {f"{n} {'*' * 70}": 1} for n in range(10)})
    text = offers(many, many.faces * 20, room)

    assert len(text) <= room
    assert text.startswith("**0 ")
