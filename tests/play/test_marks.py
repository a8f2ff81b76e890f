"""Markdown is a short tree of known nodes: what Discord shows of the bot's messages; all else is text."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.marks import blocks, inline
from bot.play.store import listed, mapped

KNOWN = {"b", "i", "u", "s", "spoiler", "code", "user", "role", "channel", "time", "link", "br"}
BLOCKS = {"p", "small", "quote", "h", "list", "pre"}


def node(kind: str, *children: Any) -> dict[str, Any]:
    """An inline node."""
    return {"n": kind, "c": list(children)}


INLINE: list[tuple[str, list[Any]]] = [
    ("plain", ["plain"]),
    ("**a** b", [node("b", "a"), " b"]),
    ("*a* _b_", [node("i", "a"), " ", node("i", "b")]),
    ("__a__ ~~b~~", [node("u", "a"), " ", node("s", "b")]),
    ("||a *b*||", [node("spoiler", "a ", node("i", "b"))]),
    ("***a***", [node("b", node("i", "a"))]),
    ("**a *b***", [node("b", "a ", node("i", "b"))]),
    ("**a", ["**a"]),
    ("a * b * c", ["a * b * c"]),
    ("snake_case_name", ["snake_case_name"]),
    ("**a *b** c*", [node("b", "a *b"), " c*"]),
    (r"\*a\* \`b\` \\", ["*a* `b` \\"]),
    ("`*a*`", [{"n": "code", "text": "*a*"}]),
    ("``a`b``", [{"n": "code", "text": "a`b"}]),
    ("`a", ["`a"]),
    ("<@12> <@!12> <@&3> <#4>", [{"n": "user", "id": "12"}, " ", {"n": "user", "id": "12"}, " ",
        {"n": "role", "id": "3"}, " ", {"n": "channel", "id": "4"}]),
    ("<@x> <b> </b>", ["<@x> <b> </b>"]),
    ("<t:5>", [{"n": "time", "at": 5000, "style": "f"}]),
    ("<t:-5:R>", [{"n": "time", "at": -5000, "style": "R"}]),
    ("<t:5:Q>", ["<t:5:Q>"]),
    ("@everyone", ["@everyone"]),
    ("https://a.b/c/", [{"n": "link", "href": "https://a.b/c/", "host": None, "c": ["https://a.b/c/"]}]),
    ("[x](https://a.b@c.d/)", ["[x](", {"n": "link", "href": "https://a.b@c.d/", "host": None,
        "c": ["https://a.b@c.d/"]}, ")"]),
    ("https://a.b/c.", [{"n": "link", "href": "https://a.b/c", "host": None, "c": ["https://a.b/c"]}, "."]),
    ("[x](https://a.b/c)", [{"n": "link", "href": "https://a.b/c", "host": "a.b", "c": ["x"]}]),
    ("[x](javascript:alert)", ["[x](javascript:alert)"]),
    ("javascript:alert(1) data:text/html,x", ["javascript:alert(1) data:text/html,x"]),
    ("<script>alert(1)</script>", ["<script>alert(1)</script>"]),
    ("https://", ["https://"]),
    ("a\nb", ["a", {"n": "br"}, "b"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "nodes"), INLINE)
def test_inline_marks(text: str, nodes: list[Any]) -> None:
    """Each mark is a node, and every broken one is text."""
    assert inline(text) == nodes


def test_blocks() -> None:
    """Headings, small lines, quotes, lists and code blocks; a quote holds no other quote."""
    text = "# A\n### B\n#no\n-# small\n> q\n> > r\n- x\n- y\n3. z\n```py\n*a*\n```\nend"

    assert blocks(text) == [
        {"n": "h", "level": 1, "c": ["A"]},
        {"n": "h", "level": 3, "c": ["B"]},
        {"n": "p", "c": ["#no"]},
        {"n": "small", "c": ["small"]},
        {"n": "quote", "c": [{"n": "p", "c": ["q", {"n": "br"}, "> r"]}]},
        {"n": "list", "ordered": False, "start": 1, "items": [["x"], ["y"]]},
        {"n": "list", "ordered": True, "start": 3, "items": [["z"]]},
        {"n": "pre", "text": "*a*"},
        {"n": "p", "c": ["end"]},
    ]


def _kinds(nodes: list[Any]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        each = mapped(node)
        found |= {str(each["n"])} if each else set()
        for below in (listed(each.get("c")), *map(listed, listed(each.get("items")))):
            found |= _kinds(below)
    return found


@given(st.text(st.sampled_from("*_~|`\\<>@#&!:t1R[]()-.> \nahttps:/"), max_size=120))
def test_every_text_makes_known_nodes(text: str) -> None:
    """No text breaks the reading, and none makes a node that the page does not know."""
    assert _kinds(blocks(text)) <= KNOWN | BLOCKS


@given(st.text(st.characters(codec="utf-8", exclude_characters="\\*_~|`<[@h\n"), max_size=100))
def test_text_without_marks_stays(text: str) -> None:
    """Nothing is added or lost."""
    assert "".join(map(str, inline(text))) == text


def _calls(text: str) -> int:
    """The number of calls, of Python's functions and of C's, that reading a text takes."""
    count = 0

    def see(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        blocks(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece", ["*", "_*", "[a](", "` `` ", "**a", "||~~", "<@", "> ", "```", "\\", "[[", "*a _b "]
)
def test_the_work_is_linear(piece: str) -> None:
    """Eight times the text takes about eight times the work."""
    assert _calls(piece * 2_000) < 9 * _calls(piece * 250) + 100
