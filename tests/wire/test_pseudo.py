"""Whole commands in the language for looking: what is still read in English is seen at once."""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from bot.campaign.d100_rolls import METHODS
from bot.client import Translations
from bot.dice.system import is_list, is_object
from bot.words.languages import PSEUDO, accented
from tests.support.table import Table
from tests.support.tongues import KEYS, NAMES, english, given, speak, told

Given: TypeAlias = tuple[str, Mapping[str, object]]
"""A command with its options."""
_ATTACK, _AC, _DAMAGE = (accented(word) for word in ("attack", "ac", "damage"))
_METHODS = {word for name in METHODS for word in re.findall(r"[A-Za-z]+", f"d100 {name}")} - {"d"}
"""What is typed of methods: it is the same in all languages."""
ROLLS: Sequence[Given] = [
    ("roll", {"dice": "2d6+3"}),
    *[("roll", {"dice": dice}) for dice in ("8d6>4", "2d", "x 3", "2d6+", "1d0", "Storm Tarot")],
    ("roll", {"dice": "4d6kh3", "times": 3, "label": "Stealth"}),
    ("roll", {"dice": "1d20", "practice": True}),
    ("roll", {"dice": "2d6", "thrown": "5 2"}),
    ("check", {"dice": "1d20+4", "dc": 15}),
    ("check", {"dice": "1d20", "against": "#3"}),
    ("check", {"dice": "1d20"}),
    ("admin settings", {"server": True, "odds": "gms"}),
    ("deal", {"deck": "Tarot", "hand": 2}),
    ("me", {}),
    *[("roll", {"dice": "1d6", "times": 20})] * 2,
    ("odds", {"what": "2d6", "at_least": 8}),
    ("odds", {"what": "2d6", "versus": "3d6"}),
    ("odds", {"what": "Luck", "after": "1, 2", "tightness": "1, 2"}),
    *[(command, {"roller": roller}) for command in ("stats", "rigged") for roller in ("d6", "Luck")],
    ("lab convert", {"from": "d6", "to": 20}),
    ("lab tune", {"roller": "Luck", "samples": 4}),
]
"""What is said of numbers and of what cannot be read."""
PLACES: Sequence[Given] = [
    *[("d100 roll", {"method": method}) for method in METHODS],
    ("d100 roll", {"dice": 4, "dc": 30}),
    ("details", {"number": len(METHODS) + 3}),
    ("d100 roll", {"times": 3, "visibility": "gm"}),
    ("d100 physical", {"dice": "3 5 1 6"}),
    ("d100 physical", {"dice": "9"}),
    ("d100 reset", {"start": "random"}),
    ("destination", {"region": "Northmark"}),
    ("destination", {"region": "*"}),
    ("details", {"number": len(METHODS) + 8}),
    ("lab convert", {"from": "d6 + d4", "to": 20, "thrown": "5, 1"}),
    ("roller renewal", {"name": "Storm", "chance": "0.25"}),
    *[("roll", {"dice": "Storm", "times": 20})] * 2,
    ("details", {"number": len(METHODS) + 11}),
    ("odds", {"what": "Storm"}),
    ("stats", {"roller": "Storm"}),
    *[("roll", {"dice": dice}) for dice in ("coin", "3#coin", "d20 vs 15")],
    ("history", {}),
]
"""Each way to a d100 with what is done with its dice, maps, tries and coins."""
GAME: Sequence[Given] = [
    ("game use", {"game": "dnd5"}),
    ("roll", {"dice": f"{_ATTACK} +5 {_AC} 15 {_DAMAGE} 2d6+3"}),
    ("details", {"number": 4}),
    ("roll", {"dice": "attack +5", "times": 3}),
    *[("roll", {"dice": f"{_ATTACK} {wrong}"}) for wrong in ("+99", "1 2 3 4 5 6", "x 3")],
    ("roll", {"dice": "cthulhu"}),
    ("odds", {"what": f"{_ATTACK} +5 {_AC} 15"}),
    ("buttons", {}),
    ("save", {"name": "Storm", "dice": f"{_ATTACK} +5"}),
    ("save", {}),
    ("group call", {"check": "Stealth", "dice": f"{_ATTACK} +5 {_AC} 15"}),
    ("group npc", {"dice": f"{_ATTACK} +5 {_AC} 15 {_DAMAGE} 1d8", "names": "Stealth", "count": 2}),
    ("roll", {"dice": "yearzero roll 20"}),
    ("roll", {"dice": "genesys ability 2 difficulty 2"}),
    ("roll", {"dice": "daggerheart +2 diff 14"}),
    ("history", {}),
    ("stats", {}),
]
"""An evening of a game: its rolls by its words, odds, a keyboard, saved rolls, calls and refusals."""


@pytest.mark.parametrize(
    ("evening", "names"),
    [(ROLLS, set[str]()), (PLACES, _METHODS | NAMES), (GAME, set[str]())],
    ids=["rolls", "places", "game"],
)
async def test_an_evening_has_no_english_left(t: Table, evening: Sequence[Given], names: set[str]) -> None:
    """Whoever asks for it; what comes of presses, and of other commands, is in `test_pseudo_walk`."""
    speak(t, PSEUDO, PSEUDO)
    await t.slash(t.mara, "roller fair", name="Luck", dice="1d4")
    await t.slash(t.mara, "roller deck", name="Tarot", dice="1d6")
    before = len(told(t))
    for command, options in evening:
        await t.slash(t.mara, command, **options)
    await t.env.settle()
    texts = told(t)[before:]
    left = {text: [word for word in english(KEYS.sub(" ", text)) if word not in names] for text in texts}

    assert len(texts) > 40
    assert {text: words for text, words in left.items() if words} == {}


async def test_discord_is_told_descriptions_and_no_names(t: Table) -> None:
    """Every description, choice and menu of the command tree is a text for translators; typed names stay."""
    tree: Any = t.bot.tree

    class Looking(Translations):
        async def translate(self, string: Any, locale: Any, context: Any) -> str | None:
            _ = locale
            return await super().translate(string, SimpleNamespace(value=PSEUDO), context)  # pyright: ignore[reportArgumentType]

    told = [await command.get_translated_payload(tree, Looking()) for command in tree.get_commands()]
    parts = [*_parts(told)]
    names = [part for part in parts if "name_localizations" in part and "description" in part]
    described = {part["description"] for part in parts if part.get("description_localizations")}

    assert [part["name"] for part in names if part["name_localizations"]] == []
    assert len(described) > 200
    assert described - given() == set()
    menus = [one for one in told if one["type"] in {2, 3}]
    assert {menu["name"] for menu in menus} <= given()
    assert all(menu["name_localizations"] for menu in menus)


def _parts(part: Any) -> list[dict[str, Any]]:
    """A payload's objects."""
    if is_list(part):
        return [each for one in part for each in _parts(one)]
    return [part, *(each for one in part.values() for each in _parts(one))] if is_object(part) else []


_MARKED = re.compile(r"`[^`]*`|https?://\S+|\{\{|\}\}")


def test_rooms_of_words_are_said() -> None:
    """No text with values is put together by itself there."""
    files = [*Path("bot/words").glob("*.py"), *Path("cogs").glob("*/words.py")]
    found = set[str]()
    for path in files:
        tree = ast.parse(path.read_text("utf-8"))
        raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
        raised = {id(part) for node in raises for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and id(node) not in raised:
                parts = [one.value for one in node.values if isinstance(one, ast.Constant)]
                if re.search(r"[A-Za-z]{2,} |[a-z]{4,}", _MARKED.sub("", "".join(map(str, parts)))):
                    found.add(str(path))

    assert found == set()
