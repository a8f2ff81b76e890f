"""Discord's Markdown as a short tree of known nodes; what people need, and everything else is text.

One pass with a stack, so the time is linear in the text. A node is a plain string or {"n": kind, ...}.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias
from urllib.parse import urlsplit

from bot.play.store import Object

MarkNode: TypeAlias = "str | Object"

_KINDS = {"**": "b", "__": "u", "*": "i", "_": "i", "~~": "s", "||": "spoiler"}
_TOKEN = re.compile(
    r"(?=[\\`<\[h@*_~|\n])(?:"  # only these begin a token: it makes the search several times quicker
    r"\\(?P<escaped>[^\w\s])"
    r"|(?P<code>(?P<ticks>`++)(?P<inside>(?s:.+?))(?<!`)(?P=ticks)(?!`))|(?P<lone>`+)"
    r"|<@!?(?P<user>\d{1,19})>|<@&(?P<role>\d{1,19})>|<\#(?P<channel>\d{1,19})>"
    r"|(?P<time><t:(?P<at>-?\d{1,13})(?::(?P<style>[tTdDfFR]))?>)"
    r"|\[(?P<label>[^\[\]\n]{1,400})\]\((?P<masked>https?://[^\s()<>]{1,1000})\)"
    r"|<(?P<quiet>https?://[^\s<>]{1,1000})>"
    r"|(?P<bare>https?://[^\s<>]{1,1000})"
    r"|(?P<all>@(?:everyone|here)\b)"
    r"|(?P<emoji><a?:(?P<name>\w{2,32}):(?P<picture>\d{1,19})>)"
    r"|(?P<run>\*+|_+|~~|\|\|)"
    r"|(?P<br>\n))"
)
_LEAVES: dict[str, Callable[[re.Match[str]], MarkNode]] = {
    "escaped": lambda found: found["escaped"],
    "code": lambda found: {"n": "code", "text": found["inside"].strip() or found["inside"]},
    "lone": lambda found: found[0],
    "user": lambda found: {"n": "user", "id": found["user"]},
    "role": lambda found: {"n": "role", "id": found["role"]},
    "channel": lambda found: {"n": "channel", "id": found["channel"]},
    "time": lambda found: {"n": "time", "at": int(found["at"]) * 1000, "style": found["style"] or "f"},
    "emoji": lambda found: {"n": "emoji", "id": found["picture"], "text": found["name"]},
    "all": lambda found: {"n": "everyone", "text": found[0]},
    "br": lambda _: {"n": "br"},
}
"""The nodes of tokens that hold nothing."""
_FENCE = re.compile(r"```(?:[\w+#-]{1,20}\n)?")
_HEADING = re.compile(r"(#{1,3}) +(?=\S)")
_ITEM = re.compile(r"(?:[-*]|(?P<number>\d{1,9})\.) +(?=\S)")
_LONGEST_RUN = 3
_TRAILING = ".,:;!?'\")"


def blocks(text: str) -> list[Object]:
    """Return the blocks of a message."""
    found: list[Object] = []
    at = 0
    while opened := _FENCE.search(text, at):
        end = text.find("```", opened.end())
        if end < 0:
            break
        found += _lines(text[at : opened.start()].strip("\n"))
        found.append({"n": "pre", "text": text[opened.end() : end].strip("\n")})
        at = end + 3
    return found + _lines(text[at:].strip("\n") if at else text)


def _lines(text: str, *, quoted: bool = False) -> list[Object]:
    """Return the blocks of text without code blocks; a quote holds no other quote."""
    found: list[Object] = []
    lines = text.split("\n") if text else []
    while lines:
        kind, line = _kind(lines[0], quoted=quoted), lines[0]
        taken = 1 if kind in {"small", "h"} else len(lines)
        if kind not in {"small", "h", ">>>"}:
            taken = next((at for at, each in enumerate(lines) if _kind(each, quoted=quoted) != kind), taken)
        part, lines = lines[:taken], lines[taken:]
        match kind:
            case "small":
                found.append({"n": "small", "c": inline(line[3:])})
            case "h":
                marks, _, title = line.partition(" ")
                found.append({"n": "h", "level": len(marks), "c": inline(title.lstrip(" "))})
            case ">" | ">>>":
                inside = "\n".join(each.removeprefix(">>> ").removeprefix("> ") for each in part)
                found.append({"n": "quote", "c": _lines(inside, quoted=True)})
            case "-" | "1":
                items = [inline(_ITEM.sub("", each, count=1)) for each in part]
                start = int(line.partition(".")[0]) if kind == "1" else 1
                found.append({"n": "list", "ordered": kind == "1", "start": start, "items": items})
            case _:
                whole = "\n".join(part).strip("\n")
                found += [{"n": "p", "c": inline(whole)}] if whole.strip() else []
    return found


def _kind(line: str, *, quoted: bool) -> str:
    """Return what a line is: small, h, >>> (a quote to the end), >, - or 1 (an item), or p."""
    if line.startswith("-# ") and line[3:].strip():
        return "small"
    if line.startswith((">>> ", "> ")) and not quoted:
        return line.partition(" ")[0]
    if item := _ITEM.match(line):
        return "1" if item["number"] else "-"
    return "h" if _HEADING.match(line) else "p"


def inline(text: str, *, links: bool = True) -> list[MarkNode]:
    """Return the nodes of text within a block."""
    return _Reader(text, links=links).read()


class _Reader:
    """Reads inline text with a stack of what is open."""

    def __init__(self, text: str, *, links: bool) -> None:
        self._text = text
        self._links = links
        self._open: list[tuple[str, list[MarkNode]]] = [("", [])]

    def read(self) -> list[MarkNode]:
        at = 0
        while found := _TOKEN.search(self._text, at):
            self._add(self._text[at : found.start()])
            at = self._take(found)
        self._add(self._text[at:])
        while len(self._open) > 1:
            self._drop()
        return self._open[0][1]

    def _take(self, found: re.Match[str]) -> int:
        """Take one token; return where to go on."""
        match kind := str(found.lastgroup):
            case "run":
                self._run(found)
            case "bare" | "quiet" | "masked":
                address = found[kind].rstrip(_TRAILING) if kind == "bare" else found[kind]
                end = found.start() + len(address) if kind == "bare" else found.end()
                label = inline(found["label"], links=False) if kind == "masked" else [address]
                link = _link(address, label, masked=kind == "masked")
                self._add(link if self._links else self._text[found.start() : end])
                return end
            case _:
                self._add(_LEAVES[kind](found))
        return found.end()

    def _run(self, found: re.Match[str]) -> None:
        run, text = found[0], self._text
        if len(run) > _LONGEST_RUN:
            self._add(run)
            return
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        closes = bool(before) and not (run[0] in "*_" and before.isspace())
        opens = bool(after) and not (run[0] in "*_" and after.isspace())
        if run[0] == "_":
            closes, opens = closes and not after.isalnum(), opens and not before.isalnum()
        while run and closes and (size := self._closing(run)):
            self._close(run[:size])
            run = run[size:]
        while run and opens:
            part = run[:2] if run[:2] in _KINDS else run[:1]
            if any(mark == part for mark, _ in self._open):
                break
            self._open.append((part, []))
            run = run[len(part) :]
        self._add(run)

    def _closing(self, run: str) -> int:
        """Return the length of the open mark that this run closes: as long as the run, else the innermost."""
        lengths = [len(mark) for mark, _ in self._open if mark[:1] == run[0] and len(mark) <= len(run)]
        return len(run) if len(run) in lengths else lengths[-1] if lengths else 0

    def _close(self, mark: str) -> None:
        while self._open[-1][0] != mark:
            self._drop()
        _, children = self._open.pop()
        self._add({"n": _KINDS[mark], "c": children} if children else mark * 2)

    def _drop(self) -> None:
        """Take an open mark for text."""
        mark, children = self._open.pop()
        for child in (mark, *children):
            self._add(child)

    def _add(self, node: MarkNode) -> None:
        nodes = self._open[-1][1]
        if isinstance(node, str) and nodes and isinstance(nodes[-1], str):
            nodes[-1] += node
        elif node != "":
            nodes.append(node)


def _link(address: str, label: list[MarkNode], *, masked: bool = False) -> MarkNode:
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    if not host:
        return address
    return {"n": "link", "href": address, "host": host if masked else None, "c": label}


def words(nodes: Sequence[MarkNode]) -> str:
    """Return the text of inline nodes without markup."""

    def text(node: MarkNode) -> str:
        if isinstance(node, str):
            return node
        return "\n" if node["n"] == "br" else words(node["c"]) if "c" in node else node.get("text", "")

    return "".join(map(text, nodes))
