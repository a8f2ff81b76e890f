"""/roller cards, decks, blocks, chart, import and export: rollers of labels, typed or from files."""

import json
import re
import threading
from typing import Any, cast

import pytest
from discord import app_commands

from bot.campaign.imports import BYTES_LIMIT
from bot.dice.system import System
from bot.systems.registry import read_spec
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

CHART = b"2d6,encounter\n2-4,bandits\n5-9,nothing\n10-12,treasure\n"
MAKINGS: list[tuple[str, dict[str, object]]] = [
    ("roller fair", {"dice": "2d6"}),
    ("roller dynamic", {}),
    ("roller deck", {}),
    ("roller dice", {"dice": "1d20+5"}),
    ("roller cards", {"cards": "a 3, b 3"}),
    ("roller decks", {"decks": "x: a 3; y: b 3"}),
    ("roller blocks", {"categories": "x: a, c; y: b", "block": 3}),
    ("roller chart", {"dice": "1d4", "chart": "1-3 bandits; 4 treasure"}),
    ("roller chart", {"file": ("chart.csv", CHART)}),
    ("roller import", {"json": '{"system":"fair","base":"2d6","tightness":"1"}'}),
    ("roller import", {"file": ("roller.json", b'{"system":"dynamic","base":"1d6","factor":"0.355"}')}),
]


async def made(t: Table, command: str, **options: object) -> str:
    """What everybody reads when Mara makes a roller, typed or from a file."""
    result = await t.slash(t.mara, command, **options)
    messages = [*([result.response] if result.response else []), *result.followups]
    (public,) = (message.content for message in messages if not message.ephemeral)
    return public


async def test_everybody_reads_what_was_made(t: Table) -> None:
    """The making is public and numbered, the roller is listed, and it can be rolled."""
    for number, (command, options) in enumerate(MAKINGS):
        told = await made(t, command, name=f"Mine {number}", **options)
        rolled = await t.says(t.ann, "roll", dice=f"mine {number}")

        assert told.startswith(f"**Mine {number}** is ready: ")
        assert numbered(rolled) == numbered(told) + 1
        assert f"\n**Mine {number}** · " in await t.whispers(t.bob, "roller list")


async def test_what_could_never_be_written_is_not_made(t: Table) -> None:
    """Dice whose weights have more than 4,300 digits: no roller of them, and no check on an account."""
    dice = "+".join(["20d500r10{1}!o{1}#{>=2}"] * 4)
    await t.slash(t.mara, "roller luck", name="Acc")

    for kind in ("fair", "dice", "deck"):
        assert "odds are too long: use fewer dice" in await t.whispers(
            t.mara, f"roller {kind}", name="Mine", dice=dice
        )
    assert "odds are too long" in await t.whispers(t.ann, "check", dice=dice, dc=9, roller="Acc")
    assert totals(await t.says(t.ann, "roll", dice=dice))


async def test_nobody_waits_for_a_long_rule(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule may take half a second to work out: it is read beside the bot's loop."""
    threads: list[threading.Thread] = []

    def noted(spec: object) -> System:
        threads.append(threading.current_thread())
        return read_spec(spec)

    monkeypatch.setattr("bot.systems.registry.read_spec", noted)
    await made(t, "roller import", name="Mine", json='{"system":"renewal","latest":299,"chance":"0.0067"}')

    assert threads
    assert threading.main_thread() not in threads


TAGS: list[tuple[str, dict[str, object], str]] = [
    ("fair", {"dice": "wood 4, brick 3, grain 3"}, "fair wood/brick/grain, tightness 1"),
    ("dynamic", {"dice": "wood, brick, grain"}, "dynamic wood/brick/grain, factor 0.355"),
    ("deck", {"dice": "wood 4, brick 3"}, "7 cards, refilled below 4 cards"),
    ("dice", {"dice": "wood 4, brick 3"}, "chart of 2 results"),
    ("cards", {"cards": "wood 4, brick", "tightness": "2"}, "fair wood/brick, tightness 2"),
    ("chart", {"chart": "wood 3, brick 2"}, "chart of 2 results"),
    ("chart", {"dice": "2d6", "chart": "2-5 wood, 6-12 brick"}, "chart of 2 results"),
    ("fair", {"dice": "2d6 1,5"}, "fair 2d6, tightness 1.5, shared"),
    ("fair", {"dice": "2d6 inf"}, "hat of 2d6"),
    ("fair", {"dice": "2d6", "after": "2 4 7 7"}, "fair 2d6, tightness 1, begun after 2, 4, 7, 7"),
    ("cards", {"cards": "attack 3, defense x3, other", "no_repeat": True}, "7 cards, never twice the same"),
    (
        "cards",
        {"cards": "a 2, b 2", "no_repeat": True, "size": 2, "refill": 4, "mode": "reset"},
        "8 cards, refilled below 4 cards, reshuffled whole, never twice the same in a row",
    ),
    (
        "decks",
        {"decks": "x: a 2, b 2; y: c, d", "size": 2, "refill": 3},
        "a card of each, 2 sets each, refilled below 3 cards",
    ),
    ("deck", {"dice": "1d20"}, "deck of 1d20, 20 cards, refilled below 11 cards"),
    ("blocks", {"categories": "x: a 3, b; y: c", "block": 2}, "blocks of 2 cards"),
    ("cards", {"cards": "a, b", "memory": "player"}, "each player's own"),
    ("decks", {"decks": "attack: a 3, b 3; other: c 2, d 2", "no_repeat": True}, "decks of attack/other"),
    ("blocks", {"categories": "x: a, b; y: c", "block": 2}, "blocks of 2 cards, at least one each of x/y"),
    ("chart", {"dice": "1d2", "chart": "1 a; 2 b"}, "is ready: chart of 2 results."),
    ("chart", {"dice": "1d2", "chart": "1 a; 2 b", "tightness": "1"}, "is ready: fair a/b, tightness 1,"),
    ("fair", {"dice": "2d6"}, "fair 2d6, tightness 1, shared by the table"),
    ("fair", {"dice": "1d20", "tightness": "2.5"}, "fair 1d20, tightness 2.5,"),
    ("fair", {"dice": "2d6", "tightness": "inf"}, "hat of 2d6,"),
    ("fair", {"dice": "2d6", "memory": "player"}, "each player's own"),
    ("dynamic", {}, "dynamic 1d6, factor 0.355, shared by the table"),
    ("dynamic", {"dice": "1d20", "factor": "0.5", "memory": "player"}, "dynamic 1d20, factor 0.5,"),
    ("deck", {}, "deck of 1d6, 6 cards, refilled below 4 cards,"),
    ("deck", {"size": 2, "refill": 3, "mode": "reset"}, "12 cards, refilled below 3 cards, reshuffled"),
    ("deck", {"dice": "1d4", "memory": "player"}, "each player's own"),
    ("dice", {"dice": "1d20+5"}, "plain dice 1d20+5."),
]


async def test_each_kind_says_openly_what_it_is(t: Table) -> None:
    """The making tells the system, its size and whose memory it has."""
    for number, (command, options, tag) in enumerate(TAGS):
        assert tag in await made(t, f"roller {command}", name=f"Mine {number}", **options)


async def test_a_chart_answers_with_its_labels(t: Table) -> None:
    """A chart on a d2 with one label for both faces can only give that one."""
    await made(t, "roller chart", name="Way", dice="1d2", chart="1-2: a long road")

    assert totals(await t.says(t.ann, "roll", dice="way", times=3)) == ["a long road"] * 3


REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("cards", {"cards": "a 3, a 2"}, "The card a is there twice."),
    ("cards", {"cards": "a 3", "tightness": "1", "size": 2}, "With a tightness no card leaves the deck."),
    ("dynamic", {"dice": "wood 4, brick 3"}, "a fair roller suits this base"),
    ("cards", {"cards": " , "}, "Cards are written like this"),
    ("cards", {"cards": "a 3, b", "no_repeat": True}, "a has 3 of the 4 cards."),
    ("decks", {"decks": "a 3"}, "a 3 has no category."),
    ("decks", {"decks": "x: a; y: a"}, "The card a is in x and again in y."),
    ("deck", {"dice": "1d6", "refill": 7}, "With 6 cards the refill is at most 6, not 7."),
    (
        "deck",
        {"dice": "1d6", "size": 2, "refill": 13, "mode": "reset"},
        "With 12 cards the refill is at most 12, not 13.",
    ),
    (
        "cards",
        {"cards": "a 3, b 2", "refill": 1_000_000},
        "With 5 cards the refill is at most 5, not 1,000,000.",
    ),
    (
        "cards",
        {"cards": "a 3, b 3", "refill": 7, "no_repeat": True},
        "With 6 cards the refill is at most 6, not 7.",
    ),
    ("decks", {"decks": "x: a 3; y: b 2", "refill": 3}, "With 2 cards the refill is at most 2, not 3."),
    (
        "import",
        {"json": '{"system":"deck","base":"1d6","refill":7}'},
        "With 6 cards the refill is at most 6, not 7.",
    ),
    ("blocks", {"categories": "x: a; y: b", "block": 1}, "A block of 1 can't hold"),
    ("blocks", {"categories": "x: a; y: b", "block": 3}, "A block of 3 is more than the 2 cards"),
    ("chart", {"dice": "2d6", "chart": "2-4 a; 6-12 b"}, "The chart Mine has nothing for 5."),
    ("chart", {"chart": "1 a"}, "Say which dice the chart is for"),
    ("chart", {"dice": "2d6"}, "Give either a chart with its dice, or a file."),
    ("chart", {"dice": "2d6", "file": ("a.csv", CHART)}, "A file's first line names its dice."),
    ("chart", {"file": ("a.csv", b"\xff")}, "The file is no text in UTF-8."),
    ("renewal", {}, "Give a `chance`, with `latest` or without, or a `table`."),
    ("renewal", {"latest": 10}, "Give a `chance`, with `latest` or without, or a `table`."),
    ("renewal", {"chance": "0.5", "table": "1"}, "Give a `chance`, with `latest` or without, or a `table`."),
    ("renewal", {"chance": "0.01", "latest": 10}, "It can't surely come by try 10"),
    (
        "renewal",
        {"chance": "often"},
        "'often' doesn't work. Give 0 or more, such as 0.5, with six decimals at most.",
    ),
    ("fair", {"dice": "1d1001"}, "1,001 different totals: at most 1,000"),
    ("fair", {"dice": "100d6kh50"}, "would take too long"),
    ("fair", {"dice": "6#1d6"}, "many results, not one"),
    ("fair", {"dice": "1d6//0"}, "divide by zero"),
    ("fair", {"dice": "7"}, "no dice"),
    ("fair", {"dice": "2d6", "tightness": "-1"}, "Give 0 or more, such as 0.5"),
    ("fair", {"dice": "2d6", "tightness": "nan"}, "Give 0 or more, such as 0.5"),
    ("fair", {"dice": "2d6", "tightness": "1e300"}, "Give 0 or more, such as 0.5"),
    ("fair", {"dice": "2d6", "tightness": "1001"}, "0 to 1,000, or inf"),
    ("dynamic", {"factor": "0"}, "factor"),
    ("dynamic", {"factor": "1.5"}, "factor"),
    ("dynamic", {"dice": "2d6"}, "equal weight"),
    ("import", {}, "Give either the JSON or a file."),
    ("import", {"json": "{"}, "The roller is not written as JSON. `/roller export` shows how one is."),
    ("import", {"json": "{}"}, 'A roller is an object such as {"system": "fair"'),
    ("import", {"json": '{"system":"hat"}'}, "There is no system 'hat'."),
    ("import", {"file": ("a.csv", b"a,b\n")}, "A map's first line is region,coin,2d6,place."),
    ("import", {"file": ("a.csv", b" ")}, "The file is empty."),
    ("import", {"file": ("a.csv", b"x" * (BYTES_LIMIT + 1))}, "The file has 200,001 bytes: at most 200,000."),
]


async def test_what_makes_no_sense_is_refused(t: Table) -> None:
    """One private sentence says what is wrong, and there is no roller."""
    for command, options, reason in REFUSED:
        refused = await t.whispers(t.mara, f"roller {command}", name="Mine", **options)

        assert reason in refused, reason

    assert "There are no rollers" in await t.whispers(t.mara, "roller list")
    assert t.seen_by(t.bob) == []


async def test_export_and_import_give_the_same_roller(t: Table) -> None:
    """What a player exports as a file is the spec, and a game master's import of it makes an equal roller."""
    await made(t, "roller decks", name="Offer", decks="x: a 3, b 3; y: c 3, d 3", no_repeat=True)
    answer = reply(await t.slash(t.ann, "roller export", name="offer"))
    (file,) = answer.attachments
    data = t.env.backend.cdn.get(file.url) or b""
    told = await made(t, "roller import", name="Copy", file=("roller.json", data))
    again = reply(await t.slash(t.bob, "roller export", name="copy"))

    assert answer.ephemeral
    assert read_spec(json.loads(data)).as_spec()["no_repeat"] is True
    assert "**Copy** is ready: decks of x/y, a card of each, never twice the same in a row," in told
    assert t.env.backend.cdn.get(again.attachments[0].url) == data


async def test_the_command_keeps_discords_limits(t: Table) -> None:
    """/roller has at most 25 subcommands, and names and descriptions of at most 8,000 characters in all."""
    command = t.bot.tree.get_command("roller")
    assert isinstance(command, app_commands.Group)
    payload = command.to_dict(t.bot.tree)
    names = [option["name"] for option in payload["options"]]

    assert {"cards", "decks", "blocks", "chart", "import", "export"} <= {*names}
    assert len(names) <= 25
    assert sum(map(len, _texts(payload))) <= 8_000


def _texts(part: Any) -> list[str]:
    """All names, descriptions and values of a command."""
    if isinstance(part, list):
        return [text for one in cast("list[Any]", part) for text in _texts(one)]
    if not isinstance(part, dict):
        return []
    found = cast("dict[str, Any]", part)
    own = [str(found[key]) for key in ("name", "description", "value") if found.get(key)]
    return own + [text for one in found.values() for text in _texts(one)]


async def test_another_base_is_asked_about_and_undone(t: Table) -> None:
    """The same command changes the dice after a question: nothing is lost that two undos don't bring back."""
    await made(t, "roller fair", name="Luck", dice="2d6")
    rolled = totals(await t.says(t.ann, "roll", dice="Luck"))
    asked = await t.slash(t.mara, "roller fair", name="luck", dice="3d6 2")
    question = reply(asked).content
    before = await t.says(t.ann, "odds", what="Luck")
    changed = await t.press(asked, "Change it", t.mara)
    lists = await t.whispers(t.bob, "roller list")
    for _ in range(2):
        await t.says(t.mara, "roller undo", name="Luck")
    counts = await t.pressed(await t.slash(t.ann, "odds", what="Luck"), "Counts", t.ann)

    assert "Make it fair 3d6, tightness 2, shared by the table, instead? It forgets every roll" in question
    assert "fair 2d6, tightness 1" in before
    assert changed.followups[-1].content.startswith("**luck** is ready: fair 3d6, tightness 2")
    assert "fair 3d6, tightness 2" in lists
    assert re.search(rf"^{rolled[0]} +1 ", counts, re.MULTILINE), counts


async def test_cards_are_asked_about_too(t: Table) -> None:
    """Their button holds the whole deck."""
    await made(t, "roller fair", name="Goods", dice="2d6")
    asked = await t.slash(t.mara, "roller cards", name="Goods", cards="elk 3, owl 3")
    await t.press(asked, "Change it", t.mara)

    assert "deck, 6 cards" in await t.whispers(t.bob, "roller list")


async def test_evened_cards_are_dealt(t: Table) -> None:
    """Cards with a tightness are drawn by /deal too."""
    await made(t, "roller cards", name="Goods", cards="wood 4, brick 3", tightness="1")

    assert "wood" in await t.says(t.ann, "deal", deck="Goods", cards=7)


async def test_a_chart_shows_the_dice_that_made_its_label(t: Table) -> None:
    """They fall as such dice do, on the lines of their label."""
    await made(t, "roller chart", name="Road", dice="2d6", chart="2-4 bandits; 5-9 nothing; 10-12 treasure")
    said = await t.says(t.ann, "roll", dice="Road", times=12)
    rows = re.findall(r"\*\*(\w+)\*\* ← 2d6 \((\d), (\d)\)", said)

    assert len(rows) == 12, said
    for label, *dice in rows:
        total = sum(map(int, dice))
        assert label == ("bandits" if total < 5 else "nothing" if total < 10 else "treasure")


async def test_dice_with_too_many_results_are_no_deck(t: Table) -> None:
    """Nobody gave a refill, so the refusal is about the dice."""
    refused = await t.whispers(t.mara, "roller deck", name="Cards", dice="1d6!")

    assert "these dice give 362,797,056" in refused
    assert "refill" not in refused
