"""Whole commands in the language for looking: what is still read in English is seen at once."""

import ast
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.campaign.d100_rolls import METHODS
from bot.client import Translations
from bot.dice.system import is_list, is_object
from bot.words.languages import PSEUDO, accented
from tests.support.groups import call
from tests.support.table import Table, numbered
from tests.support.tongues import KEYS, NAMES, english, speak, told
from tests.support.wire import reply
from tools.messages import every_sentence


async def test_rolls_checks_and_calls_have_no_english_left(t: Table) -> None:
    """Rolls, hidden ones, refusals, checks, contests, and a group call from its opening to its end."""
    speak(t, PSEUDO, PSEUDO)
    before = len(told(t))
    rolled = await t.slash(t.ann, "roll", dice="2d6+3")
    await t.press(rolled, accented("Again"), t.ann)
    await t.slash(t.ann, "roll", dice="4d6kh3", times=3, label="Stealth")
    await t.slash(t.ann, "roll", dice="8d6>4")
    await t.slash(t.ann, "roll", dice="1d20", visibility="gm")
    await t.slash(t.ann, "roll", dice="1d20", practice=True)
    await t.slash(t.ann, "roll", dice="2d6", thrown="5 2")
    for wrong in ("2d", "x 3", "2d6+", "1d0", "Storm Tarot"):
        await t.slash(t.ann, "roll", dice=wrong)
    await t.slash(t.ann, "check", dice="1d20+4", dc=15)
    await t.slash(t.bob, "check", dice="1d20", against=t.ann.mention)
    await t.slash(t.ann, "check", dice="1d20")
    called = await call(t, "1d20", dc=12, rule="half", players=f"{t.ann.mention} {t.bob.mention}")
    for who in (t.ann, t.bob):
        await t.press(called, accented("Roll"), who)
    await t.press(called, accented("GM…"), t.mara)
    await t.slash(t.mara, "group initiative")
    await t.slash(t.mara, "group npc", dice="1d20", count=2, names="Stealth")
    await t.env.settle()
    texts = told(t)[before:]

    assert len(texts) > 60
    assert {text: left for text in texts if (left := english(text))} == {}


async def test_help_and_settings_have_no_english_left(t: Table) -> None:
    """Each topic, the settings, and the form of one of them."""
    speak(t, PSEUDO, PSEUDO)
    before = len(told(t))
    shown = await t.slash(t.ann, "help")
    for title in ("Fair dice", "The table", "Campaigns", "Luck so far", "Trust"):
        await t.press(shown, accented(title), t.ann)
    settings = reply(await t.slash(t.mara, "admin settings"))
    form = await t.mara.select(settings, ["pace"])
    await t.mara.submit_modal(form, {"value": "4"})
    await t.slash(t.mara, "admin settings", server=True, odds="gms")

    assert {text: left for text in told(t)[before:] if (left := english(text))} == {}


async def test_discord_is_told_descriptions_and_no_names(t: Table) -> None:
    """Every description, choice and menu of the command tree is a text for translators; typed names stay."""
    known = {one.one for one in every_sentence()}
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
    assert described - known == set()
    menus = [one for one in told if one["type"] in {2, 3}]
    assert {menu["name"] for menu in menus} <= known
    assert all(menu["name_localizations"] for menu in menus)


def _parts(part: Any) -> list[dict[str, Any]]:
    """A payload's objects."""
    if is_list(part):
        return [each for one in part for each in _parts(one)]
    return [part, *(each for one in part.values() for each in _parts(one))] if is_object(part) else []


async def test_rooms_that_were_said_have_no_english_left(t: Table) -> None:
    """History, campaigns, rollers, keyboards, characters, one's data, and decks in hands."""
    speak(t, PSEUDO, PSEUDO)
    await t.slash(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.slash(t.mara, "roller deck", name="Tarot", dice="1d6")
    before = len(told(t))
    await t.slash(t.ann, "history")
    await t.slash(t.ann, "roll", dice="2d6")
    await t.slash(t.ann, "history")
    await t.slash(t.mara, "campaign create", name="Storm")
    for list_ in ("campaign list", "campaign show", "roller list", "me", "data show", "save", "hand"):
        await t.slash(t.ann, list_)
    await t.slash(t.ann, "buttons")
    await t.slash(t.ann, "deal", deck="Tarot", hand=2)
    await t.slash(t.mara, "roller reset", name="Luck")
    await t.slash(t.mara, "roller undo", name="Luck")
    await t.slash(t.ann, "lab sources")

    assert {text: left for text in told(t)[before:] if (left := english(text))} == {}


async def test_figures_and_proofs_have_no_english_left(t: Table) -> None:
    """Odds, luck, suspicions, d100 methods, proof mode, checks of the history, and evenings."""
    speak(t, PSEUDO, PSEUDO)
    await t.slash(t.mara, "roller fair", name="Luck", dice="1d4")
    for _ in range(31):
        await t.slash(t.ann, "roll", dice="1d6")
    before = len(told(t))
    odds = await t.slash(t.ann, "odds", what="2d6", at_least=8)
    await t.press(odds, accented("Details"), t.ann)
    await t.slash(t.ann, "odds", what="2d6", versus="3d6")
    await t.slash(t.ann, "odds", what="Luck", after="1, 2", tightness="1, 2")
    stats = await t.slash(t.ann, "stats", roller="d6")
    await t.press(stats, accented("Details"), t.ann)
    await t.slash(t.ann, "stats", roller="Luck")
    rigged = await t.slash(t.ann, "rigged", roller="d6")
    await t.press(rigged, accented("Details"), t.ann)
    await t.slash(t.ann, "lab methods")
    await t.slash(t.ann, "d100 show")
    await t.press(await t.slash(t.mara, "proof"), accented("What it proves"), t.mara)
    await t.slash(t.ann, "verify")
    await t.slash(t.ann, "lab convert", **{"from": "d6", "to": 20})
    await t.slash(t.ann, "lab tune", roller="Luck", samples=4)
    await t.env.settle()
    texts = told(t)[before:]

    assert len(texts) > 40
    assert {text: left for text in texts if (left := english(text))} == {}


_METHODS = {word for name in METHODS for word in re.findall(r"[A-Za-z]+", f"d100 {name}")} - {"d"}
"""What is typed of methods: it is the same in all languages."""


async def test_d100s_maps_pity_and_coins_have_no_english_left(t: Table) -> None:
    """Each way to a d100 with what is done with its dice, maps, tries, coins, and cards in hands."""
    speak(t, PSEUDO, PSEUDO)
    before = len(told(t))
    for method in METHODS:
        await t.slash(t.ann, "d100 roll", method=method)
    rolled = await t.slash(t.ann, "d100 roll", dice=4, dc=30)
    await t.press(rolled, accented("Again"), t.ann)
    await t.slash(t.ann, "details", number=numbered(reply(rolled).content))
    await t.slash(t.ann, "d100 roll", times=3, visibility="gm")
    await t.slash(t.ann, "d100 physical", dice="3 5 1 6")
    await t.slash(t.ann, "d100 physical", dice="9")
    await t.slash(t.ann, "d100 reset", start="random")
    for region in ("", "Northmark", "*"):
        went = await t.slash(t.ann, "destination", **({"region": region} if region else {}))
    await t.slash(t.ann, "details", number=numbered(reply(went).content))
    await t.slash(t.ann, "lab convert", **{"from": "d6 + d4", "to": 20}, thrown="5, 1")
    await t.slash(t.ann, "lab methods")
    await t.slash(t.ann, "lab sources")
    await t.slash(t.mara, "roller renewal", name="Storm", chance="0.25")
    await t.slash(t.ann, "roll", dice="Storm", times=20)
    tried = await t.slash(t.ann, "roll", dice="Storm", times=20)
    await t.slash(t.ann, "details", number=numbered(reply(tried).content))
    odds = await t.slash(t.ann, "odds", what="Storm")
    await t.press(odds, accented("Details"), t.ann)
    stats = await t.slash(t.ann, "stats", roller="Storm")
    await t.press(stats, accented("Details"), t.ann)
    for dice in ("coin", "3#coin", "d20 vs 15"):
        await t.slash(t.ann, "roll", dice=dice)
    await t.slash(t.mara, "roller deck", name="Tarot", dice="1d6")
    dealt = await t.slash(t.ann, "deal", deck="Tarot", hand=1)
    await t.press(dealt, accented("Play"), t.ann)
    await t.slash(t.ann, "history")
    await t.env.settle()
    texts = told(t)[before:]

    assert len(texts) > 60
    left = {text: [word for word in english(text) if word not in _METHODS | NAMES] for text in texts}
    assert {text: words for text, words in left.items() if words} == {}


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


async def test_a_games_evening_has_no_english_left(t: Table) -> None:
    """Choosing a game, rolls by its words, odds, details, a keyboard, saved rolls, calls and refusals."""
    speak(t, PSEUDO, PSEUDO)
    before = len(told(t))
    await t.slash(t.mara, "game list")
    await t.slash(t.mara, "game show", game="dnd5")
    await t.slash(t.mara, "game use", game="dnd5")
    await t.slash(t.ann, "game show")
    attack, ac, damage = (accented(word) for word in ("attack", "ac", "damage"))
    rolled = await t.slash(t.ann, "roll", dice=f"{attack} +5 {ac} 15 {damage} 2d6+3")
    await t.press(rolled, accented("Again"), t.ann)
    await t.slash(t.ann, "roll", dice="attack +5", times=3)
    for wrong in (f"{attack} +99", f"{attack} 1 2 3 4 5 6", f"{attack} x 3", "cthulhu"):
        await t.slash(t.ann, "roll", dice=wrong)
    await t.slash(t.ann, "details", number=numbered(reply(rolled).content))
    odds = await t.slash(t.ann, "odds", what=f"{attack} +5 {ac} 15")
    await t.press(odds, accented("Details"), t.ann)
    await t.slash(t.ann, "buttons")
    await t.slash(t.ann, "save", name="Storm", dice=f"{attack} +5")
    await t.slash(t.ann, "save")
    called = await t.slash(t.mara, "group call", check="Stealth", dice=f"{attack} +5 {ac} 15")
    await t.press(called, accented("Roll"), t.ann)
    await t.slash(t.mara, "group npc", dice=f"{attack} +5 {ac} 15 {damage} 1d8", names="Stealth", count=2)
    for other in ("yearzero roll 20", "genesys ability 2 difficulty 2", "daggerheart +2 diff 14"):
        await t.slash(t.ann, "roll", dice=other)
    await t.slash(t.ann, "history")
    await t.slash(t.ann, "stats")
    await t.env.settle()
    texts = told(t)[before:]

    assert len(texts) > 40
    assert {text: left for text in texts if (left := english(KEYS.sub(" ", text)))} == {}
