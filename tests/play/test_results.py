"""Dice in what the bot says become nodes; what is not recognised stays Markdown."""

from typing import Any

import pytest

from bot.play.marks import words
from bot.play.results import body


def die(
    sides: int | str, show: str, *, kept: bool = True, success: bool = False, plain: bool = True
) -> dict[str, Any]:
    """A die as the page gets it."""
    return {"sides": sides, "show": show, "kept": kept, "success": success, "plain": plain}


def only(text: str) -> dict[str, Any]:
    """The one node of a text."""
    (node,), _ = body(text)
    return node


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("2d6 (4, 1) + 3", [{"text": "2d6"}, {"dice": [die(6, "4"), die(6, "1")]}, {"text": "+ 3"}]),
        ("2d20kh1 (20, ~~12~~)", [{"text": "2d20kh1"}, {"dice": [die(20, "20"), die(20, "12", kept=False)]}]),
        ("4d10>7 (**8**, 3)", [{"text": "4d10>7"}, {"dice": [die(10, "8", success=True), die(10, "3")]}]),
        (
            "2d6! (6+4, 5→1)",
            [{"text": "2d6!"}, {"dice": [die(6, "6+4", plain=False), die(6, "5→1", plain=False)]}],
        ),
        ("2dF (1, -1) + 2", [{"text": "2dF"}, {"dice": [die("F", "1"), die("F", "-1")]}, {"text": "+ 2"}]),
        ("1d% (77)", [{"text": "1d%"}, {"dice": [die(100, "77")]}]),
        (
            "1d8 [fire] (3) + 1d4 (2)",
            [{"text": "1d8 [fire]"}, {"dice": [die(8, "3")]}, {"text": "+ 1d4"}, {"dice": [die(4, "2")]}],
        ),
        (
            "3d20kh1 (<:d20_17:1234567890123456789> <:d20_3_dropped:12> <:d20_20_success:7>, 5→1)",
            [
                {"text": "3d20kh1"},
                {
                    "dice": [
                        die(20, "17"),
                        die(20, "3", kept=False),
                        die(20, "20", success=True),
                        die(20, "5→1", plain=False),
                    ]
                },
            ],
        ),
        (r"2d6\*2 (3, 4)", [{"text": "2d6*2"}, {"dice": [die(6, "3"), die(6, "4")]}]),
        ("the higher of 14 and 3, +2", [{"text": "the higher of 14 and 3, +2"}]),
        (f"13d6 ({', '.join('1' * 13)})", [{"text": f"13d6 ({', '.join('1' * 13)})"}]),
    ],
)
def test_an_expression(expression: str, parts: list[Any]) -> None:
    """Each pool's dice with their sides and marks; over twelve dice it is text."""
    assert only(f"**25** ← {expression}")["parts"] == parts


def test_a_roll_alone() -> None:
    """Its label, its total drawn large, and the margin from its last small line."""
    nodes, margin = body("`Stealth` **25** ← 1d20 (20) + 5\n-# <@7> · #32 · computer-random bits")

    assert (nodes[0]["label"], nodes[0]["total"], nodes[0]["big"]) == ("Stealth", "25", True)
    assert margin == [[{"n": "user", "id": "7"}], ["#32"], ["computer-random bits"]]


def test_a_checkpoint_stays_below_the_margin() -> None:
    """The margin is the roll's own line; a checkpoint under it is a small line of the message."""
    checkpoint = "-# Checkpoint: `evenhand/0f 100 AAAA=`"
    rolled, margin = body(f"**25** ← 1d20 (20) + 5\n-# <@7> · #100\n{checkpoint}")
    closed, _ = body(f"**Stealth**: `1d20`.\nClosed.\n-# #1 · called by <@7>\n{checkpoint}")

    assert margin == [[{"n": "user", "id": "7"}], ["#100"]]
    assert [node["n"] for node in rolled] == ["result", "small"]
    assert [node["n"] for node in closed] == ["card", "small"]


def test_a_small_line_without_a_number_stays() -> None:
    """What only explains is read where it was said, not in the margin."""
    nodes, margin = body("Take the dynamic dice.\n-# By hand: `/roller dynamic`")

    assert margin == []
    assert [node["n"] for node in nodes] == ["p", "small"]


def test_a_margin_alone() -> None:
    """A message of nothing but small lines has a margin, and no blocks."""
    assert body("-# #12 · public") == ([], [["#12"], ["public"]])


def test_several_rolls() -> None:
    """The line that sums them up is their label; each is numbered and smaller."""
    nodes, _ = body("`Sneaking` **4 · 9**\n1. **4** ← 2d6 (3, 1)\n2. **9** ← 2d6 (4, 5)")

    assert nodes[0] == {"n": "label", "text": "Sneaking"}
    assert [(n["total"], n["big"]) for n in nodes[1:]] == [("4", False), ("9", False)]


def test_a_cut_pool() -> None:
    """What is left out is said."""
    _, dice, more = only("**90** ← 30d6 (1, 2, … 28 more)")["parts"]

    assert len(dice["dice"]) == 2
    assert more == {"text": "… 28 more"}


CALL = """\
**Perception**: `1d20+5` against DC 15, at least half must pass.
Closes <t:5:R>.
<@1> **20** ← 2d20kh1 (13, ~~12~~) + 5 + 2 · passes by 5
➤ `Orc` **12** · fails by 3
Missing: <@3>
So far: 1 of 2 pass.
Closed.
-# #33 · called by <@9> · computer-random bits"""


def test_a_call_is_a_card() -> None:
    """Its name, what is asked, a row for each, who is missing, and the verdict."""
    card = only(CALL)

    assert card["title"] == ["Perception"]
    assert card["lines"] == [["Closes ", {"n": "time", "at": 5000, "style": "R"}, "."]]
    assert [(row["who"], row["total"], row["turn"], row["tone"]) for row in card["rows"]] == [
        ([{"n": "user", "id": "1"}], "20", False, "pass"),
        ([{"n": "code", "text": "Orc"}], "12", True, "fail"),
    ]
    assert card["missing"] == [{"n": "user", "id": "3"}]
    assert card["verdict"] == ["So far: 1 of 2 pass."]
    assert card["foot"] == [["Closed."]]


def test_a_natural_does_not_hide_what_came_of_it() -> None:
    """What a roll comes to is found wherever it stands behind the dice."""
    told = (
        "**6** ← 1d20 (1) + 5 · **natural 1** · fails by 9",
        "**25** ← 1d20 (20) + 5 · **natural 20** · passes",
        "**loses by 2** ← 1d20 (1) + 5 = 6 vs 8",
        "**5** ← 1d20 (5)",
    )
    assert [body(f"{line}\n-# #1")[0][0]["tone"] for line in told] == ["fail", "pass", "fail", None]


def test_a_reader_hears_whom_a_roll_is_held_against() -> None:
    """What is read aloud has the other person, and not once more who rolled: that stands before it."""
    nodes, _ = body("<@1> **17** ← 1d20 (17) · loses to <@2>'s 20\n-# #3")
    said = nodes[0]["text"]

    assert [node["id"] for node in said if not isinstance(node, str) and node["n"] == "user"] == ["2"]
    assert words(said) == "17 ← 1d20 (17) · loses to 's 20"


@pytest.mark.parametrize(
    "text",
    [
        "**bold** ← no dice here, but an arrow **too**\nand more",
        "**Perception**: something that nobody called.",
        "```\n**3** ← 1d6 (3)\n```",
        "hello",
        "",
    ],
)
def test_anything_else_is_markdown(text: str) -> None:
    """No card, and no dice in a code block."""
    nodes, margin = body(text)

    assert not margin
    assert not {"card", "label"} & {node["n"] for node in nodes}
    assert all(node["n"] != "result" or "arrow" in words(node["text"]) for node in nodes)
