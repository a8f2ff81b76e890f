"""Parser of Discord's Markdown to a small tree of nodes; unsupported marks stay text.

It is one pass with a stack, so the time is linear in the text. A node is a string or {"n": kind, ...}.
"""

import re
from itertools import groupby
from typing import TypeAlias

from bot.play.store import Object

MarkNode: TypeAlias = "str | Object"

_KINDS = {"**": "b", "__": "u", "*": "i", "_": "i", "~~": "s", "||": "spoiler"}
_LONGEST_RUN = 3
_DIE = r"<:d(?P<sides>\d{1,3})_(?P<show>\d{1,3})(?:_(?P<fate>dropped|success))?:\d{1,19}>"
_TOKEN = re.compile(
    r"(?=[\\`<\[h*_~|\n])(?:"  # only these begin a token: it makes the search several times quicker
    r"\\(?P<escaped>[^\w\s])"
    r"|(?P<code>(?P<ticks>`++)(?P<inside>(?s:.+?))(?<!`)(?P=ticks)(?!`))|(?P<lone>`+)"
    rf"|(?P<face>{_DIE})"
    r"|<@!?(?P<user>\d{1,19})>|<@&(?P<role>\d{1,19})>|<\#(?P<channel>\d{1,19})>"
    r"|(?P<time><t:(?P<at>-?\d{1,13})(?::(?P<style>[tTdDfFR]))?>)"
    r"|\[(?P<label>[^\[\]\n]{1,400})\]\((?P<masked>https?://(?P<host>[\w.-]+)(?:[:/?\#][^\s()<>@]{0,1000})?)\)"
    r"|(?P<bare>https?://[^\s<>/][^\s<>]{0,1000}(?<![.,:;!?'\")]))"
    r"|(?P<run>\*+|_+|~~|\|\|)"
    r"|(?P<br>\n))"
)
_FACE = re.compile(rf"{_DIE}(?P<next> (?=<:d\d))?")
_FATES = {None: "", "dropped": "~~", "success": "**"}
_FENCE = re.compile(r"```(?:[\w+#-]{1,20}\n)?(.*?)```", re.DOTALL)
_HEADING = re.compile(r"#{1,3} +(?=\S)")
_ITEM = re.compile(r"(?:[-*]|(?P<number>\d{1,9})\.) +(?=\S)")


def blocks(text: str) -> list[Object]:
    """Return the blocks of a message."""
    nodes: list[Object] = []
    for index, part in enumerate(_FENCE.split(text)):
        nodes += [{"n": "pre", "text": part.strip("\n")}] if index % 2 else _lines(part.strip("\n"))
    return nodes


def _lines(text: str, *, quoted: bool = False) -> list[Object]:
    """Return the blocks of text without code blocks; quotes do not nest."""
    nodes: list[Object] = []
    for kind, group in groupby(text.split("\n"), lambda line: _kind(line, quoted=quoted)):
        lines = list(group)
        match kind:
            case "small":
                nodes += [{"n": "small", "c": inline(line[3:])} for line in lines]
            case "h":
                titles = [(line.index(" "), inline(_HEADING.sub("", line, count=1))) for line in lines]
                nodes += [{"n": "h", "level": level, "c": title} for level, title in titles]
            case "quote":
                inside = "\n".join(line[2:] for line in lines)
                nodes.append({"n": "quote", "c": _lines(inside, quoted=True)})
            case "-" | "1":
                items = [inline(_ITEM.sub("", line, count=1)) for line in lines]
                start = int(lines[0].partition(".")[0]) if kind == "1" else 1
                nodes.append({"n": "list", "ordered": kind == "1", "start": start, "items": items})
            case _:
                whole = "\n".join(lines).strip("\n")
                nodes += [{"n": "p", "c": inline(whole)}] if whole.strip() else []
    return nodes


def _kind(line: str, *, quoted: bool) -> str:
    """Return a line's kind: small, h, quote, - or 1 (an item of a list), or p."""
    if line.startswith("-# ") and line[3:].strip():
        return "small"
    if line.startswith("> ") and not quoted:
        return "quote"
    if item := _ITEM.match(line):
        return "1" if item["number"] else "-"
    return "h" if _HEADING.match(line) else "p"


def inline(text: str) -> list[MarkNode]:
    """Return the nodes of text within a block."""
    return _Reader(text).nodes


class _Reader:
    """Parses inline text to `nodes`, with a stack of open marks."""

    def __init__(self, text: str) -> None:
        self.nodes: list[MarkNode] = []
        self._open: list[tuple[str, list[MarkNode]]] = [("", self.nodes)]
        at = 0
        for token in _TOKEN.finditer(text):
            self._add(text[at : token.start()])
            at = token.end()
            if token["run"]:
                self._run(token["run"], text[: token.start()][-1:], text[at : at + 1])
            else:
                self._add(_leaf(token))
        self._add(text[at:])
        self._close("")

    def _run(self, run: str, before: str, after: str) -> None:
        """Close and open the marks of a run, by the characters around it; its rest is text."""
        tight, word, short = run[0] in "*_", run[0] == "_", len(run) <= _LONGEST_RUN
        closes = short and before and not (tight and before.isspace()) and not (word and after.isalnum())
        opens = short and after and not (tight and after.isspace()) and not (word and before.isalnum())
        while closes and (fit := [mark for mark, _ in self._open if mark and run.startswith(mark)]):
            mark = run if run in fit else fit[-1]
            self._close(mark)
            run = run[len(mark) :]
        while run and opens:
            mark = run[:2] if run[:2] in _KINDS else run[:1]
            if any(mark == other for other, _ in self._open):
                break
            self._open.append((mark, []))
            run = run[len(mark) :]
        self._add(run)

    def _close(self, mark: str) -> None:
        """Close a mark; marks still open inside it become text."""
        while (inner := self._open[-1])[0] != mark:
            self._open.pop()
            for child in (inner[0], *inner[1]):
                self._add(child)
        if mark:
            _, children = self._open.pop()
            self._add({"n": _KINDS[mark], "c": children} if children else mark * 2)

    def _add(self, node: MarkNode) -> None:
        nodes = self._open[-1][1]
        if isinstance(node, str) and nodes and isinstance(nodes[-1], str):
            nodes[-1] += node
        elif node != "":
            nodes.append(node)


def _leaf(token: re.Match[str]) -> MarkNode:
    """Return the node of a token without children."""
    match kind := str(token.lastgroup):
        case "user" | "role" | "channel":
            return {"n": kind, "id": token[kind]}
        case "face":
            return {"n": "die", "sides": int(token["sides"]), "text": token["show"], "fate": token["fate"]}
        case "code":
            return {"n": "code", "text": token["inside"].strip() or token["inside"]}
        case "time":
            return {"n": "time", "at": int(token["at"]) * 1000, "style": token["style"] or "f"}
        case "bare" | "masked":
            text = token["label"] or token[0]
            return {"n": "link", "href": token[kind], "host": token["host"], "c": [text]}
        case "br":
            return {"n": "br"}
        case _:
            return token[kind]


def without_faces(text: str) -> str:
    """Return a text with figures in place of dice pictures, and commas between adjacent ones."""

    def figure(face: re.Match[str]) -> str:
        mark = _FATES[face["fate"]]
        return f"{mark}{face['show']}{mark}{', ' if face['next'] else ''}"

    return _FACE.sub(figure, text)
