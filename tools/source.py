"""Search the source: count lines, find the modules of a feature, and habits that the design forbids."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

STATES = {"Campaign", "Roller", "State"}
"""Classes of a campaign's state."""
RECORD = "detail"
"""The field of an event that is an untyped mapping."""
RECORD_KEYS = {"draws", "lots", "prev", "whose"}
"""Keys that only records have, not the games' files nor patterns of text."""
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class Module:
    """One file of Python, read once."""

    path: Path
    """Relative to the root of the tree."""
    text: str

    @property
    def words(self) -> set[str]:
        """The words of its folders and of its name."""
        return set(re.split(r"[/_]", str(self.path.with_suffix(""))))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of its syntax tree."""
        return tuple(ast.walk(ast.parse(self.text)))

    @cached_property
    def imported(self) -> set[Path]:
        """The files that its imports may mean: a module, or a name in one that may be a module."""
        names: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return {Path(*name.split(".")).with_suffix(".py") for name in names}

    @cached_property
    def code(self) -> int:
        """The number of lines with code: no imports, docstrings, comments and blank lines."""
        spoken = {
            line
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            or (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            )
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        coded = {
            line
            for token in tokens
            if token.type not in _NO_CODE
            for line in range(token.start[0], token.end[0] + 1)
        }
        return len(coded - spoken)

    @property
    def comments(self) -> list[str]:
        """All its comments."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return [token.string for token in tokens if token.type == tokenize.COMMENT]


def read(root: Path, folders: Iterable[str]) -> list[Module]:
    """Return all modules in some folders of a tree that are not empty."""
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    modules = [Module(path.relative_to(root), path.read_text(encoding="utf-8")) for path in paths]
    return [module for module in modules if module.text]


def lines(modules: Iterable[Module]) -> int:
    """Return the number of lines, blank ones included."""
    return sum(module.text.count("\n") for module in modules)


def feature(modules: Iterable[Module], words: set[str]) -> list[Module]:
    """Return the modules named by one of the words, and those that import one of these."""
    modules = list(modules)
    paths = {module.path for module in modules if module.words & words}
    return [module for module in modules if module.path in paths or module.imported & paths]


def folders(modules: Iterable[Module]) -> set[Path]:
    """Return the folders that modules are in."""
    return {module.path.parent for module in modules}


def shared_names(modules: Iterable[Module]) -> dict[str, list[Path]]:
    """Return each name that several public classes have, and where they are."""
    places: defaultdict[str, list[Path]] = defaultdict(list)
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.path)
    return {name: paths for name, paths in sorted(places.items()) if len(paths) > 1}


def changing_states(modules: Iterable[Module]) -> list[Module]:
    """Return the modules that make a changed copy of a state: `replace(...)` of nothing but its fields.

    A copy counts if its variable is named like a state: ledgers, rows and bodies have such fields too.
    """
    modules = list(modules)
    fields = [fields for module in modules for fields in _fields_of_states(module)]

    def changes(node: ast.AST) -> bool:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "replace"):
            return False
        copied = ast.unparse(node.args[0]).rpartition(".")[2] if node.args else ""
        keywords = {keyword.arg for keyword in node.keywords if keyword.arg}
        return (
            copied.capitalize() in STATES
            and bool(keywords)
            and any(keywords <= state_fields for state_fields in fields)
        )

    return [module for module in modules if any(map(changes, module.nodes))]


def _fields_of_states(module: Module) -> Iterator[set[str]]:
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and node.name in STATES:
            yield {
                line.target.id
                for line in node.body
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
            }


def reading_records(modules: Iterable[Module]) -> list[Module]:
    """Return the modules that read a record by its keys: by `[]`, `get`, `in` or `match`."""
    return [module for module in modules if any(map(_reads_record, module.nodes))]


def _reads_record(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=mapping, slice=ast.Constant(value=key), ctx=ast.Load()):
            return _is_record(mapping) or key in RECORD_KEYS
        case ast.Call(func=ast.Attribute(value=mapping, attr="get"), args=[ast.Constant(value=key), *_]):
            return _is_record(mapping) or key in RECORD_KEYS
        case ast.Compare(left=ast.Constant(), ops=[ast.In() | ast.NotIn()], comparators=[mapping]):
            return _is_record(mapping)
        case ast.MatchMapping(keys=keys):
            return any(isinstance(key, ast.Constant) and key.value in RECORD_KEYS for key in keys)
        case _:
            return False


def _is_record(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == RECORD) or (
        isinstance(node, ast.Name) and node.id == RECORD
    )


def silenced(modules: Iterable[Module]) -> int:
    """Return the number of `noqa` comments."""
    return sum("noqa" in comment for module in modules for comment in module.comments)


def count_name(modules: Iterable[Module], name: str) -> int:
    """Return how often a name is used, without imports."""
    return sum(isinstance(node, ast.Name) and node.id == name for module in modules for node in module.nodes)
