"""Find every text to translate: sentences, refusals, labels.

These are the texts of `say`, `say_many` and `phrase`, of errors that people read, of commands, buttons and
forms in Discord, of games and of the methods of a d100. A name is resolved to all texts that its function or
file assigns to it, and a constant to those of any file.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.dice.system import is_list, is_object
from bot.play.page import script_texts
from cogs.d100.cog import WAYS
from tools.words_of_games import game_texts

ROOT = Path(__file__).parent.parent
_SAYS = {"say", "event_line", "phrase", "Remark"}
DESCRIPTION, BUTTON, TITLE, MENU = 100, 80, 45, 32
"""Discord's limits of characters."""
_UNREAD = dict.fromkeys(("button", "values", "rolls"))
_OF_TEXTS = {"asks": TITLE, "offers": DESCRIPTION, **_UNREAD}
_OF_FORMS = {"label": TITLE, "kind": None, "default": None}
"""Key of a file of texts to its limit of characters; None for what is no text."""
_COMMANDS = {"command"}
_SHARED = re.compile(r"[A-Z][A-Z0-9_]+")
"""Constants of a file that others import."""
_OPTION = re.compile(r"^:param \w+: (.+)$", re.MULTILINE)
"""An option's description in a command's docstring, as discord.py reads it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text to translate, in singular and plural if it counts; `limit` is 0 if there is none."""

    one: str
    """The text or its singular, after the context and gettext's separator if it has a context."""
    many: str
    path: str
    limit: int = 0
    note: str = ""
    """An explanation for translators."""


@cache  # reading every file takes seconds
def every_sentence() -> tuple[Sentence, ...]:
    """Return every text of the program with its place."""
    return (*sentences(ROOT),)


def sentences(root: Path) -> Iterator[Sentence]:
    """Yield every text below a folder, file by file."""
    trees = {
        str(path.relative_to(root)): ast.parse(path.read_text("utf-8"))
        for folder in ("bot", "cogs")
        for path in sorted((root / folder).rglob("*.py"))
    }
    errors = _errors(trees)
    constants = {name: nodes for tree in trees.values() for name, nodes in _assigned(tree.body).items()}
    shared = {name: nodes for name, nodes in constants.items() if _SHARED.fullmatch(name)}
    for path, tree in trees.items():
        for singular, many, limit in _Reader(tree, errors, shared).texts():
            if singular:
                yield Sentence(singular, many, path, limit)
    for path in sorted((root / "bot" / "play" / "site").glob("*.js")):
        for singular, many in script_texts(path.read_text("utf-8")):
            yield Sentence(singular, many, str(path.relative_to(root)))
    yield from _refused(root)
    yield from _from_toml(root)
    for text, path, limit, note in game_texts(root):
        yield Sentence(text, "", path, limit, note)
    if (root / "cogs" / "d100").is_dir():
        for choice in WAYS.choices:
            yield Sentence(choice.name, "", "cogs/d100/cog.py", DESCRIPTION)


def _refused(root: Path) -> Iterator[Sentence]:
    """Yield the refusals of other programs' notations, and the corrections of slips."""
    for path in sorted((root / "bot" / "dice" / "dialects").glob("*.json")):
        for text in dict.fromkeys(json.loads(path.read_text("utf-8")).get("refused", {}).values()):
            yield Sentence(text, "", str(path.relative_to(root)))
    for path in (root / "bot" / "dice").glob("slips.toml"):
        slips = tomllib.loads(path.read_text("utf-8"))
        for text, _ in _inside([slips["words"], slips["effects"], slips["meant"]]):
            yield Sentence(text, "", str(path.relative_to(root)))


def _from_toml(root: Path) -> Iterator[Sentence]:
    """Yield the texts in TOML files."""
    paths = [*(root / "cogs").rglob("*.toml"), *(root / "bot" / "words").glob("*.toml")]
    for path in sorted(path for path in paths if path.name != "words.toml"):
        usual = DESCRIPTION if path.name in {"choices.toml", "forms.toml"} else 0
        limits = _OF_FORMS if path.name == "forms.toml" else _OF_TEXTS
        for text, limit in _inside(tomllib.loads(path.read_text("utf-8")), usual, limits):
            yield Sentence(text, "", str(path.relative_to(root)), limit)


def _inside(
    part: object, usual: int = 0, limits: Mapping[str, int | None] = _OF_TEXTS
) -> Iterator[tuple[str, int]]:
    """Yield the texts of a file's part with their limits, without numbers."""
    if isinstance(part, str) and part.strip("0123456789"):
        yield part, usual
    elif is_object(part):
        for key, item in part.items():
            if (limit := limits.get(key, usual)) is not None:
                yield from _inside(item, limit, limits)
    elif is_list(part):
        yield from (text for item in part for text in _inside(item, usual, limits))


def _errors(trees: Mapping[str, ast.Module]) -> set[str]:
    """Return the names of the error classes that people read: `LocalizedError` and all below it."""
    nodes = [node for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef)]
    error_names, before = {"LocalizedError"}, 0
    while len(error_names) > before:
        before = len(error_names)
        error_names |= {
            node.name for node in nodes if any(getattr(base, "id", "") in error_names for base in node.bases)
        }
    return error_names


class _Reader:
    """Finds the texts of one file."""

    def __init__(self, tree: ast.Module, errors: set[str], shared: Mapping[str, list[ast.AST]]) -> None:
        self._tree = tree
        self._errors = errors
        self._names = [shared, _assigned(tree.body)]
        self._classes = [""]

    def texts(self) -> Iterator[tuple[str, str, int]]:
        """Yield each text, its plural, and its limit."""
        yield from self._walk(self._tree)

    def _walk(self, node: ast.AST) -> Iterator[tuple[str, str, int]]:
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if inside:
            self._names.append(_assigned([*ast.walk(node)]))
            if _is_command(node) and (text := ast.get_docstring(node)):
                yield text.split("\n\n")[0], "", DESCRIPTION
                yield from ((about, "", DESCRIPTION) for about in _OPTION.findall(text))
        if isinstance(node, ast.ClassDef):
            self._classes.append(node.name)
            for keyword in node.keywords:
                if keyword.arg in {"title", "description"}:
                    limit = TITLE if keyword.arg == "title" else DESCRIPTION
                    yield from ((text, "", limit) for text in self._read(keyword.value))
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            # An error's own sentence stands where it makes itself.
            yield from self._call(node, self._classes[-1] if name == "__init__" else name)
        for child in ast.iter_child_nodes(node):
            yield from self._walk(child)
        if inside:
            self._names.pop()
        if isinstance(node, ast.ClassDef):
            self._classes.pop()

    def _call(self, node: ast.Call, name: str) -> Iterator[tuple[str, str, int]]:
        args, keywords = node.args, {keyword.arg: keyword.value for keyword in node.keywords}
        if name == "say_many" and len(args) > 1:
            ones, many = self._read(args[0]), self._read(args[1])
            yield from ((singular, other, 0) for singular, other in zip(ones, many, strict=False))
        elif name in _SAYS or name in self._errors:
            # A history that does not hold says first at which number.
            sentence = args[name == "Broken" :][:1]
            yield from ((text, "", 0) for argument in sentence for text in self._read(argument))
        elif name == "DiceReading" and len(args) > 1:
            yield from ((text, "", 0) for text in self._read(args[1]))
        elif name == "ButtonHandler" and len(args) > 1:
            yield from ((text, "", BUTTON) for text in self._read(args[1]))
        elif name == "context_menu":
            yield from ((text, "", MENU) for text in self._read(keywords["name"]))
        elif name == "describe":
            yield from ((text, "", DESCRIPTION) for value in keywords.values() for text in self._read(value))
        elif name in {"Choice", "Group"}:
            text_node = keywords.get("name" if name == "Choice" else "description")
            yield from ((text, "", DESCRIPTION) for text in (self._read(text_node) if text_node else ()))

    def _read(self, node: ast.AST) -> list[str]:
        """Return the texts that an expression may have, if they are in the file."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=one, orelse=other):
                return [*self._read(one), *self._read(other)]
            case ast.Attribute(attr=name):
                return [text for value in self._names[0].get(name, ()) for text in self._read(value)]
            case ast.Name(id=name):
                assigned = next((names[name] for names in reversed(self._names) if name in names), [])
                return [text for value in assigned for text in self._read(value)]
            case _:
                return []


def _assigned(nodes: list[ast.stmt] | list[ast.AST]) -> dict[str, list[ast.AST]]:
    """Return each name that these nodes assign, with the values."""
    values: dict[str, list[ast.AST]] = {}
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and not isinstance(node.value, ast.Name):
                values.setdefault(target.id, []).append(node.value)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for name, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(name, ast.Name) and not isinstance(value, ast.Name):
                        values.setdefault(name.id, []).append(value)
    return values


def _is_command(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return any(
        isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", "") in _COMMANDS
        for decorator in node.decorator_list
    )
