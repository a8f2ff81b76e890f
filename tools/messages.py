"""Find every text that is said in the language of who reads, for translators: sentences, refusals, labels.

What counts: `say`, `say_many` and `phrase`, errors that people read, what Discord shows of commands, buttons
and forms, the words of games and of a d100's methods. A text that is chosen is found in all its forms,
through names of its function or file.
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
from bot.play.texts import script_texts
from cogs.d100.cog import WAYS
from tools.words_of_games import game_texts

ROOT = Path(__file__).parent.parent
_SAYS = {"say", "noted", "phrase", "Remark"}
_FIELDS = {"TextInput", "Label", "FormField", "Select", "UserSelect", "SelectOption"}
"""What forms and lists are made of, whose texts are said when they are shown."""
DESCRIPTION, BUTTON, TITLE, MENU = 100, 80, 45, 32
"""Discord's limits of characters."""
_OF_TEXTS = {"asks": TITLE, "offers": DESCRIPTION}
"""What parts of files of texts are for, where there is little room."""
_COMMANDS = {"command"}
_OPTION = re.compile(r"^:param \w+: (.+)$", re.MULTILINE)
"""What a command's docstring says of an option, where discord.py reads it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text to translate: one for one, and where it counts one for more; `limit` is 0 for none."""

    one: str
    """Itself; behind the context and gettext's sign for it, where it has one."""
    many: str
    path: str
    limit: int = 0
    note: str = ""
    """What it is, for translators."""


@cache  # reading every file takes seconds
def every_sentence() -> tuple[Sentence, ...]:
    """Return every text of the program with its place."""
    return (*sentences(ROOT),)


def sentences(root: Path) -> Iterator[Sentence]:
    """Yield every text below a folder with its place, file by file."""
    trees = {
        str(path.relative_to(root)): ast.parse(path.read_text("utf-8"))
        for folder in ("bot", "cogs")
        for path in sorted((root / folder).rglob("*.py"))
    }
    errors = _errors(trees)
    for path, tree in trees.items():
        for one, many, limit in _Reader(tree, errors).texts():
            if one:
                yield Sentence(one, many, path, limit)
    for path in sorted((root / "bot" / "play" / "site").glob("*.js")):
        for one, many in script_texts(path.read_text("utf-8")):
            yield Sentence(one, many, str(path.relative_to(root)))
    yield from _refused(root)
    yield from _kept(root)
    for text, path, limit, note in game_texts(root):
        yield Sentence(text, "", path, limit, note)
    if (root / "cogs" / "d100").is_dir():
        for choice in WAYS.choices:
            yield Sentence(choice.name, "", "cogs/d100/cog.py", DESCRIPTION)


def _refused(root: Path) -> Iterator[Sentence]:
    """Yield why notations of other programs are not read, and how else a text may be meant."""
    for path in sorted((root / "bot" / "dice" / "dialects").glob("*.json")):
        for text in dict.fromkeys(json.loads(path.read_text("utf-8")).get("refused", {}).values()):
            yield Sentence(text, "", str(path.relative_to(root)))
    for path in (root / "bot" / "dice").glob("slips.toml"):
        for text, _ in _inside(tomllib.loads(path.read_text("utf-8"))["meant"]):
            yield Sentence(text, "", str(path.relative_to(root)))


def _kept(root: Path) -> Iterator[Sentence]:
    """Yield what stands in files of texts."""
    for path in sorted((root / "cogs").rglob("*.toml")):
        usual = DESCRIPTION if path.name == "choices.toml" else 0
        for text, limit in _inside(tomllib.loads(path.read_text("utf-8")), usual):
            yield Sentence(text, "", str(path.relative_to(root)), limit)


def _inside(part: object, limit: int = 0) -> Iterator[tuple[str, int]]:
    """Yield what a file of texts says, with its limit; without figures, and what buttons are and hand on."""
    if isinstance(part, str) and part.strip("0123456789"):
        yield part, limit
    elif is_object(part):
        for key in [one for one in part if one not in {"button", "values", "rolls"}]:
            yield from _inside(part[key], _OF_TEXTS.get(key, limit))
    elif is_list(part):
        yield from (text for one in part for text in _inside(one, limit))


def _errors(trees: Mapping[str, ast.Module]) -> set[str]:
    """Return the names of the classes of errors that people read."""
    nodes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found, before = {"LocalizedError"}, 0
    while len(found) > before:
        before = len(found)
        found |= {one.name for one in nodes if any(getattr(base, "id", "") in found for base in one.bases)}
    return found


class _Reader:
    """Reads one file."""

    def __init__(self, tree: ast.Module, errors: set[str]) -> None:
        self._tree = tree
        self._errors = errors
        self._names = [_assigned(tree.body)]
        self._classes = [""]

    def texts(self) -> Iterator[tuple[str, str, int]]:
        """Yield each text, its form for more, and its limit."""
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
            for given in node.keywords:
                if given.arg in {"title", "description"}:
                    limit = TITLE if given.arg == "title" else DESCRIPTION
                    yield from ((text, "", limit) for text in self._read(given.value))
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
        args, given = node.args, {one.arg: one.value for one in node.keywords}
        if name == "say_many" and len(args) > 1:
            ones, many = self._read(args[0]), self._read(args[1])
            yield from ((one, other, 0) for one, other in zip(ones, many, strict=False))
        elif name in _SAYS or name in self._errors:
            # A history that does not hold says first at which number.
            sentence = args[name == "Broken" :][:1]
            yield from ((text, "", 0) for one in sentence for text in self._read(one))
        elif name == "DiceReading" and len(args) > 1:
            yield from ((text, "", 0) for text in self._read(args[1]))
        elif name == "ButtonHandler" and len(args) > 1:
            yield from ((text, "", BUTTON) for text in self._read(args[1]))
        elif name == "context_menu":
            yield from ((text, "", MENU) for text in self._read(given["name"]))
        elif name == "describe":
            yield from ((text, "", DESCRIPTION) for value in given.values() for text in self._read(value))
        elif name in {"Choice", "Group"}:
            shown = given.get("name" if name == "Choice" else "description")
            yield from ((text, "", DESCRIPTION) for text in (self._read(shown) if shown else ()))
        elif name in _FIELDS or name.endswith("Option"):
            for kind in (one for one in ("text", "label", "placeholder", "description") if one in given):
                over = kind == "text" or (kind == "label" and name == "TextInput")
                yield from ((text, "", TITLE if over else DESCRIPTION) for text in self._read(given[kind]))

    def _read(self, node: ast.AST) -> list[str]:
        """Return the texts that an expression can be, as far as they stand in the file."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=one, orelse=other):
                return [*self._read(one), *self._read(other)]
            case ast.Name(id=name):
                known = next((names[name] for names in reversed(self._names) if name in names), [])
                return [text for one in known for text in self._read(one)]
            case _:
                return []


def _assigned(nodes: list[ast.stmt] | list[ast.AST]) -> dict[str, list[ast.AST]]:
    """Return what names are given in a function or a file."""
    found: dict[str, list[ast.AST]] = {}
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and not isinstance(node.value, ast.Name):
                found.setdefault(target.id, []).append(node.value)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for name, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(name, ast.Name) and not isinstance(value, ast.Name):
                        found.setdefault(name.id, []).append(value)
    return found


def _is_command(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return any(
        isinstance(one, ast.Call) and getattr(one.func, "attr", "") in _COMMANDS
        for one in node.decorator_list
    )
