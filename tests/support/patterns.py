"""Every regular expression of the program, and what in its tree may take longer than its text is long."""

import ast
import importlib
import pkgutil
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from lark import Lark

from bot.dice.system import is_list

parser: Any = importlib.import_module("re._parser")
constants: Any = importlib.import_module("re._constants")
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT}
GREEDY_FOR_GOOD = constants.POSSESSIVE_REPEAT
ROOTS = ("bot", "cogs", "tools")
SAMPLE = [*map(chr, range(128)), *"\xa0éß٣–×−“💥漢\u0301\u200d\ufe0f\u3000"]
"""Signs of every kind that a class of characters may hold."""


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, and its module."""

    module: str
    pattern: str
    flags: int


@cache
def every_pattern() -> set[Found]:
    """All that are compiled when the modules are imported, written in a function, or in a grammar."""
    patterns: set[Found] = set()
    for root in ROOTS:
        for path in sorted(Path(root).rglob("*.py")):
            patterns |= {*_written(path)}
    for name in _modules():
        module = importlib.import_module(name)
        for value in vars(module).values():
            if getattr(value, "__module__", name) == name or not isinstance(value, type | types.FunctionType):
                patterns |= {Found(name, *pattern) for pattern in _compiled(value, set())}
    return patterns


def _modules() -> Iterator[str]:
    for root in ROOTS[:2]:
        package = importlib.import_module(root)
        for module in pkgutil.walk_packages(package.__path__, f"{root}."):
            if not module.name.endswith("__main__") and ".migrations." not in module.name:
                yield module.name
    yield from (
        path.stem for path in Path("tools").glob("*.py") if path.stem in {"verify", "proofs", "rolls"}
    )
    yield from (f"tools.{path.stem}" for path in Path("tools").glob("*.py"))


def _compiled(value: object, visited: set[int]) -> Iterator[tuple[str, int]]:
    """Patterns in a value: itself, a grammar's, and those in what the value is made of."""
    if id(value) in visited:
        return
    visited.add(id(value))
    obj: Any = value
    if isinstance(value, re.Pattern) and isinstance(obj.pattern, str):
        yield obj.pattern, obj.flags
    elif isinstance(value, Lark):
        for terminal in obj.terminals:
            yield terminal.pattern.to_regexp(), obj.options.g_regex_flags
    else:
        for part in _parts(value):
            yield from _compiled(part, visited)


def _parts(value: Any) -> list[Any]:
    """Return the parts of a container, method, function, class or dataclass that may hold patterns."""
    match value:
        case types.BuiltinMethodType():
            return [value.__self__]
        case Mapping():
            return [*value.keys(), *value.values()]
        case list() | tuple() | set() | frozenset():
            return [*value]
        case types.FunctionType():
            return [value.__defaults__, *(cell.cell_contents for cell in value.__closure__ or ())]
        case type():
            return [*vars(value).values()]
        case _ if is_dataclass(value):
            cached = [
                name
                for name, attribute in vars(type(value)).items()
                if isinstance(attribute, cached_property)
            ]
            return [
                getattr(value, name, None) for name in (*cached, *(field.name for field in fields(value)))
            ]
        case _:
            return []


def _written(path: Path) -> Iterator[Found]:
    """Patterns that stand as a text in a call of `re`, or are made of names of the module."""
    for call, pattern in _calls(path):
        text = _evaluated(path, pattern)
        if isinstance(text, str) and call != "escape":
            yield Found(str(path), text, 0)


def unseen() -> set[str]:
    """Return calls of `re` in functions with a pattern known only at run time, as "file: pattern"."""
    return {
        f"{path}: {ast.unparse(pattern)}"
        for root in ROOTS
        for path in Path(root).rglob("*.py")
        for call, pattern in _calls(path, inside=True)
        if call != "escape" and _evaluated(path, pattern) is None
    }


def _calls(path: Path, *, inside: bool = False) -> Iterator[tuple[str, ast.expr]]:
    """Yield the name and pattern of each call of `re` in a file, or only of those in functions."""
    text = path.read_text(encoding="utf-8")
    tree: ast.AST = ast.parse(text if re.search(r"\bimport re\b", text) else "")
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    within = [node for node in ast.walk(tree) if isinstance(node, kinds)] if inside else [tree]
    for part in within:
        for node in ast.walk(part):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[pattern, *_]):
                    yield name, pattern
                case _:
                    pass


def _evaluated(path: Path, pattern: ast.expr) -> str | None:
    """Return the pattern, or None if it needs more than texts and names of its module."""
    name = ".".join(path.with_suffix("").parts)
    try:
        namespace = vars(importlib.import_module(name))
        return eval(compile(ast.Expression(pattern), str(path), "eval"), dict(namespace))  # noqa: S307 (our own code)
    except (NameError, AttributeError):
        return None


def faults(found: Found) -> list[str]:
    """Return the ambiguities: a repeat in a repeat, or adjacent repeats of the same signs."""
    tree = parser.parse(found.pattern, found.flags & ~re.DEBUG)
    return sorted({*_nested(tree, inside=False), *_beside(tree, tree.state.flags | found.flags)})


def _children(op: Any, arg: Any) -> list[Any]:
    """Return the sequences inside a node."""
    match str(op):
        case "SUBPATTERN":
            return [arg[3]]
        case "BRANCH":
            return list(arg[1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [arg[2]]
        case "ATOMIC_GROUP":
            return [arg]
        case "ASSERT" | "ASSERT_NOT":
            return [arg[1]]
        case "GROUPREF_EXISTS":
            return [item for item in arg[1:] if item is not None]
        case _:
            return []


def _inner(op: Any, arg: Any, flags: int) -> int:
    """Return the flags inside a node: a group may have its own."""
    return (flags | arg[1]) & ~arg[2] if op is constants.SUBPATTERN else flags


def _repeats(op: Any, arg: Any) -> bool:
    """Whether it is a repeat that may give back what it took."""
    return op in REPEATS and arg[1] > 1 and arg[0] != arg[1]


def _nested(sequence: Any, *, inside: bool) -> Iterator[str]:
    for op, arg in sequence:
        if inside and _repeats(op, arg):
            yield "a repeat in a repeat"
        looks = op in {constants.ASSERT, constants.ASSERT_NOT, constants.ATOMIC_GROUP, GREEDY_FOR_GOOD}
        within = (inside or (op in REPEATS and arg[1] > 1)) and not looks
        for child in _children(op, arg):
            yield from _nested(child, inside=within)


def _beside(sequence: Any, flags: int) -> Iterator[str]:
    items = list(sequence)
    for place, (op, arg) in enumerate(items):
        for child in _children(op, arg):
            yield from _beside(child, _inner(op, arg, flags))
        ends = _edge([items[place]], flags, last=True)
        if not ends:
            continue
        for after in range(place + 1, len(items)):
            if ends & _edge([items[after]], flags, last=False):
                yield "repeats side by side of the same signs"
            if not _empty([items[after]]):
                break


def _edge(sequence: Any, flags: int, *, last: bool) -> frozenset[str]:
    """Return the signs of the repeats at the beginning or the end of a sequence."""
    signs: set[str] = set()
    for op, arg in reversed(list(sequence)) if last else list(sequence):
        if _repeats(op, arg):
            signs |= _firsts(arg[2], flags)
        elif op not in {GREEDY_FOR_GOOD, constants.ATOMIC_GROUP, constants.ASSERT, constants.ASSERT_NOT}:
            for child in _children(op, arg):
                signs |= _edge(child, _inner(op, arg, flags), last=last)
        if not _empty([(op, arg)]):
            break
    return frozenset(signs)


def _empty(sequence: Any) -> bool:
    """Whether a sequence may match nothing."""
    for op, arg in sequence:
        match str(op):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                free = arg[0] == 0 or _empty(arg[2])
            case "SUBPATTERN" | "ATOMIC_GROUP":
                free = _empty(_children(op, arg)[0])
            case "BRANCH" | "GROUPREF_EXISTS":
                free = any(map(_empty, _children(op, arg)))
            case "AT" | "ASSERT" | "ASSERT_NOT" | "GROUPREF":
                free = True
            case _:
                free = False
        if not free:
            return False
    return True


def _firsts(sequence: Any, flags: int) -> frozenset[str]:
    """Return the signs of the sample with which a sequence may begin."""
    signs: set[str] = set()
    for op, arg in sequence:
        children = _children(op, arg)
        if op in {constants.ASSERT, constants.ASSERT_NOT}:
            continue
        if children:
            signs = signs.union(*(_firsts(child, _inner(op, arg, flags)) for child in children))
        else:
            signs |= _of_sample(op, tuple(arg) if is_list(arg) else arg, flags)
        if not _empty([(op, arg)]):
            break
    return frozenset(signs)


@cache  # patterns are made of the same few sets of signs
def _of_sample(op: Any, arg: Any, flags: int) -> frozenset[str]:
    return frozenset(sign for sign in SAMPLE if _takes(op, arg, sign, flags))


def _takes(op: Any, arg: Any, sign: str, flags: int) -> bool:
    kinds = {sign, sign.lower(), sign.upper()} if flags & re.IGNORECASE else {sign}
    match str(op):
        case "LITERAL":
            return chr(arg) in kinds
        case "NOT_LITERAL":
            return chr(arg) not in kinds
        case "ANY":
            return bool(flags & re.DOTALL) or sign != "\n"
        case "IN":
            negated = bool(arg) and arg[0][0] is constants.NEGATE
            options = arg[1:] if negated else arg
            return negated is not any(_takes(kind, item, sign, flags) for kind, item in options)
        case "RANGE":
            return any(len(char) == 1 and arg[0] <= ord(char) <= arg[1] for char in kinds)
        case "CATEGORY":
            letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[str(arg).rpartition("_")[2]]
            letter = letter.upper() if "NOT" in str(arg) else letter
            return bool(re.match(rf"\{letter}", sign, flags & re.ASCII))
        case "GROUPREF":
            return True
        case _:
            return False


def probes(found: Found) -> list[tuple[str, str]]:
    """Return a beginning and a unit for each repeat, which takes the unit over and over."""
    tree = parser.parse(found.pattern, found.flags & ~re.DEBUG)
    return sorted({*_units("", tree, tree.state.flags | found.flags)})


def _units(before: str, sequence: Any, flags: int) -> Iterator[tuple[str, str]]:
    for op, arg in sequence:
        children = _children(op, arg)
        if (op in REPEATS or op is GREEDY_FOR_GOOD) and arg[1] > 1:
            for unit in (_example(arg[2], flags), *sorted(_firsts(arg[2], flags))[:2]):
                if unit:
                    yield before, unit
        for child in children:
            yield from _units(before, child, _inner(op, arg, flags))
        before += _example([(op, arg)], flags)


def _example(sequence: Any, flags: int) -> str:
    """Return a short text that a sequence takes, as far as its signs are of the sample."""
    text = ""
    for op, arg in sequence:
        children = _children(op, arg)
        if op in REPEATS or op is GREEDY_FOR_GOOD:
            text += _example(arg[2], flags) * max(1, min(arg[0], 20))
        elif op not in {constants.ASSERT, constants.ASSERT_NOT} and children:
            text += _example(children[0], _inner(op, arg, flags))
        elif not children:
            text += next(iter(sorted(_firsts([(op, arg)], flags), reverse=True)), "")
    return text
