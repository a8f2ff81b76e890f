"""List every text that a person can read, with its place: Discord, page, command line, log, docs.

`python -m tools.sentences` is for whoever reads them side by side, and for translators. `--bad` lists what
the tests refuse: sentences of more than 25 words, and the phrases in tools/phrases.json.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

import typer

from bot.__main__ import COMMANDS

ROOT = Path(__file__).parent.parent
PHRASES = ROOT / "tools" / "phrases.json"
"""The banned phrases, each with the files that may use it."""
MOST_WORDS = 25
PROGRAM = ("bot", "cogs")
DOCS = ("*.md", "docs/*.md")
PAGE = ("bot/play/site/*.js", "bot/play/site/*.html")
VALUE = "{…}"
"""Replacement of a value in a text."""
_UNREAD = {"compile", "Field", "CustomId", "getLogger", "cast", "TypeVar", "encode"}
"""Functions whose arguments nobody reads as text."""
_COMMANDS = {"command", "context_menu"}
"""Decorators of functions whose docstring people read."""
_TWO_WORDS = re.compile(r"[A-Za-z]{2,}\W* [\W\d]*[A-Za-z]{2,}|^[A-Z][a-z]+( …)?$")
_SENTENCE = re.compile(r"(?<=[.!?])[)\"*_`]*\s+|\n+|\s+·\s+")
_WORD = re.compile(r"[A-Za-z0-9{][\w{}…'’.,:/@#<>=-]*")
_PIECE = re.compile(r"`[^`]*`|\[([^\]]*)\]\([^)]*\)|<[^>]*>")
_CODE = re.compile(r"^```.*?^```$|^ {4}[^\n]*$|<!--.*?-->", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.) ?)|(?<!\\)\|")
_SCRIPT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|>([^<>`]*?[a-z][^<>`]*)<')
_INSERTED = re.compile(r"\$\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Text:
    """A text that people can read."""

    path: str
    line: int
    words: str

    @property
    def sentences(self) -> list[str]:
        """Its sentences; a link, a command and a value count as one word each."""
        plain = _PIECE.sub(lambda match: match[1] or "X", self.words)
        return [sentence for sentence in _SENTENCE.split(plain) if sentence.strip()]


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Yield every text, file by file."""
    for folder in PROGRAM:
        for path in sorted((root / folder).rglob("*.py")):
            yield from _of_python(str(path.relative_to(root)), path.read_text("utf-8"))
    for pattern in PAGE:
        for path in sorted(root.glob(pattern)):
            yield from _of_script(str(path.relative_to(root)), path.read_text("utf-8"))
    for pattern in DOCS:
        for path in sorted(root.glob(pattern)):
            yield from _of_markdown(str(path.relative_to(root)), path.read_text("utf-8"))


def faults(readable: Iterable[Text], phrases: dict[str, list[str]]) -> Iterator[tuple[Text, str]]:
    """Yield each text with too long a sentence or a banned phrase, and the fault."""
    banned = {
        phrase: (re.compile(rf"\b{phrase}\b", re.IGNORECASE), places) for phrase, places in phrases.items()
    }
    for text in readable:
        for sentence in text.sentences:
            if (many := len(_WORD.findall(sentence))) > MOST_WORDS:
                yield text, f"{many} words: {' '.join(sentence.split())[:90]} …"
        for phrase, (pattern, places) in banned.items():
            if not any(fnmatch(text.path, place) for place in places) and pattern.search(text.words):
                yield text, f"“{phrase}”"


def _of_python(path: str, source: str) -> Iterator[Text]:
    nodes = [*ast.walk(ast.parse(source))]
    skipped = {id(part) for node in nodes for part in _unread(node)}
    docstrings = {id(_docstring(node)) for node in nodes if _is_command(node, path)}
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and (
            id(node) not in skipped or id(node) in docstrings
        ):
            words = _written(node)
            if _TWO_WORDS.search(words):
                yield Text(path, node.lineno, words)


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes that people do not read by themselves: docstrings, pieces of other texts, code."""
    match node:
        case ast.Expr(value=ast.Constant() as value):
            yield value
        case ast.JoinedStr(values=values):
            yield from (part for part in values if isinstance(part, ast.Constant))
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _UNREAD:
            yield from ast.walk(node)
        case ast.Assert():
            yield from ast.walk(node)
        case _:
            pass


def _is_command(node: ast.AST, path: str) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    calls = (decorator for decorator in node.decorator_list if isinstance(decorator, ast.Call))
    decorators = {getattr(call.func, "attr", "") for call in calls}
    return bool(decorators & _COMMANDS) or (path.startswith("bot/cli/") and node.name in COMMANDS)


def _docstring(node: ast.AST) -> ast.AST | None:
    match node:
        case (
            ast.FunctionDef(body=[ast.Expr(value=value), *_])
            | ast.AsyncFunctionDef(body=[ast.Expr(value=value), *_])
        ):
            return value
        case _:
            return None


def _written(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_written(part) if isinstance(part, ast.Constant) else VALUE for part in node.values)


def _of_script(path: str, source: str) -> Iterator[Text]:
    for match in _SCRIPT.finditer(source):
        words = _INSERTED.sub(VALUE, " ".join((match[1] or match[2] or "").split()))
        if _TWO_WORDS.search(words):
            yield Text(path, source.count("\n", 0, match.start()) + 1, words)


def _of_markdown(path: str, source: str) -> Iterator[Text]:
    source = _CODE.sub(lambda block: "\n" * block[0].count("\n"), source)
    at = 0
    for match in [*_BLOCK.finditer(source), None]:
        words = " ".join(source[at : match.start() if match else None].split())
        if _TWO_WORDS.search(words):
            yield Text(path, source.count("\n", 0, at) + 1, words)
        at = match.end() if match else at


def sentences(
    *,
    bad: Annotated[bool, typer.Option("--bad", help="List only what the tests refuse.")] = False,
) -> None:
    """Print every text with its place."""
    if bad:
        for text, why in faults(texts(), json.loads(PHRASES.read_text("utf-8"))["phrases"]):
            typer.echo(f"{text.path}:{text.line}: {why}")
        return
    for text in texts():
        typer.echo(f"{text.path}:{text.line}: {' '.join(text.words.split())}")


if __name__ == "__main__":
    typer.run(sentences)
