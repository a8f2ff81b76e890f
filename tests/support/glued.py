"""Find untranslated English in values of sentences: of errors, of `say` and of `say_many`.

The search follows names, arguments at each call of a function, and the values that functions return.
Words in backticks are typed by people, and may stay.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

SAYS = frozenset({"say", "say_many", "phrase", "refusal"})
_OTHERWISE = {"column", "readings"}
"""Arguments of a NotationError that are no values of its sentence."""
_TYPED = re.compile(r"`[^`]*`|<[^<> ]*>")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TEXTS = {"join", "removeprefix", "replace"}
_SAFE = {"code", "escape", "mention"}
"""Functions that return text of other people."""
_NUMBERED = {"Broken"}
"""Errors whose first argument is a number, and whose second is the sentence."""
_DEPTH = 5

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Code:
    """The syntax trees of the program, with its functions, calls and errors."""

    def __init__(self, *folders: str) -> None:
        paths = [path for folder in folders for path in sorted(Path(folder).rglob("*.py"))]
        self.trees = {str(path): ast.parse(path.read_text("utf-8")) for path in paths}
        self.functions: dict[str, list[_Function]] = {}
        self.calls: dict[str, list[tuple[ast.Call, tuple[ast.AST, ...]]]] = {}
        for tree in self.trees.values():
            self._learn(tree, (tree,))
        self.errors = self._errors()

    def _learn(self, node: ast.AST, scopes: tuple[ast.AST, ...]) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions.setdefault(node.name, []).append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler):
            scopes = (*scopes, node)
        if isinstance(node, ast.Call) and not (
            _called(node) in SAYS and isinstance(node.func, ast.Attribute)
        ):
            self.calls.setdefault(_called(node), []).append((node, scopes))
        for child in ast.iter_child_nodes(node):
            self._learn(child, scopes)

    def _errors(self) -> frozenset[str]:
        """Return the names of all error classes with translated sentences."""
        nodes = [node for tree in self.trees.values() for node in ast.walk(tree)]
        classes, names = [node for node in nodes if isinstance(node, ast.ClassDef)], {"LocalizedError"}
        while more := {node.name for node in classes if {_name(base) for base in node.bases} & names} - names:
            names |= more
        return frozenset(names)

    def glued(self) -> Iterator[str]:
        """Yield each place where English is glued, as "file: value"."""
        where = {id(node): path for path, tree in self.trees.items() for node in ast.walk(tree)}
        for name in sorted(self.errors | SAYS):
            for call, scopes in self.calls.get(name, ()):
                sentence = sentence_of(call)
                text = [node for node in sentence if not self._is_text(node, scopes)]
                text += [node for node in sentence if name in self.errors and _is_given(node, scopes)]
                source = "".join(map(ast.unparse, sentence))
                values = [
                    keyword.value
                    for keyword in call.keywords
                    if keyword.arg not in _OTHERWISE and f"`{{{keyword.arg}}}`" not in source
                ]
                for value in text + [argument for argument in values if self._english(argument, scopes)]:
                    yield f"{where[id(call)]}: {ast.unparse(value)}"

    def _is_text(self, node: ast.AST, scopes: tuple[ast.AST, ...]) -> bool:
        """Return whether a sentence is a constant, a choice of constants, or a name of one."""
        match node:
            case (
                ast.JoinedStr()
                | ast.BinOp()
                | ast.Call(func=ast.Name(id="str") | ast.Attribute(attr="format"))
            ):
                return False
            case ast.BoolOp(values=parts):
                return all(self._is_text(part, scopes) for part in parts)
            case ast.IfExp(body=first, orelse=second):
                return self._is_text(first, scopes) and self._is_text(second, scopes)
            case ast.Name(id=name):
                return all(self._is_text(value, scopes) for value in _bound(name, scopes))
            case _:
                return True

    def _english(self, node: ast.AST, scopes: tuple[ast.AST, ...], depth: int = _DEPTH) -> bool:
        """Return whether a value can be untranslated English."""
        match node:
            case _ if depth == 0:
                return False
            case ast.Constant(value=str(text)):
                return _has_words(text)
            case ast.JoinedStr(values=parts):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "_" for part in parts)
                inside = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
                return _has_words(text) or self._any(inside, scopes, depth)
            case ast.Name(id=name) if caught := _caught(name, scopes):
                return not caught <= self.errors
            case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]) if _caught(name, scopes):
                return True
            case ast.Name(id=name):
                bound = self._any(_bound(name, scopes), scopes, depth - 1)
                return bound or any(self._english(*pair, depth - 1) for pair in self._given(name, scopes))
            case ast.Attribute(attr=name):
                functions = [function for function in self.functions.get(name, ()) if _is_property(function)]
                return self._returns(functions, scopes, depth)
            case ast.Call() if not isinstance(node.func, ast.Attribute) or node.func.attr not in _TEXTS:
                name = _called(node)
                functions = self.functions.get(name, []) if name not in SAYS | self.errors | _SAFE else []
                return self._returns(functions, scopes, depth)
            case _:
                return self._any(_inside(node), scopes, depth)

    def _any(self, nodes: Iterable[ast.expr], scopes: tuple[ast.AST, ...], depth: int) -> bool:
        return any(self._english(node, scopes, depth) for node in nodes)

    def _returns(self, functions: list[_Function], scopes: tuple[ast.AST, ...], depth: int) -> bool:
        """Return whether a function, if its name is unique, returns English."""
        nodes = ast.walk(functions[0]) if len(functions) == 1 else ()
        returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
        return any(self._english(value, (*scopes[:1], functions[0]), depth - 1) for value in returned)

    def _given(
        self, name: str, scopes: tuple[ast.AST, ...]
    ) -> Iterator[tuple[ast.expr, tuple[ast.AST, ...]]]:
        """Yield the values that callers pass for an argument of the innermost function."""
        inside = [scope for scope in scopes if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)]
        if not inside or len(self.functions[inside[-1].name]) != 1:
            return
        function = inside[-1]
        names = [arg.arg for arg in function.args.args if arg.arg not in {"self", "cls"}]
        for call, call_scopes in self.calls.get(function.name, ()):
            yield from ((keyword.value, call_scopes) for keyword in call.keywords if keyword.arg == name)
            if name in names and names.index(name) < len(call.args):
                yield call.args[names.index(name)], call_scopes


def sentence_of(call: ast.Call) -> list[ast.expr]:
    """Return the argument that is the sentence of an error, of `say` or `say_many`; [] without one."""
    return call.args[_called(call) in _NUMBERED :][:1]


def _caught(name: str, scopes: tuple[ast.AST, ...]) -> set[str]:
    """Return the classes of an error caught under a name; empty for other names."""
    for scope in reversed(scopes):
        if isinstance(scope, ast.ExceptHandler) and scope.name == name and scope.type:
            types = scope.type.elts if isinstance(scope.type, ast.Tuple) else [scope.type]
            return set(map(_name, types))
    return set()


def _is_given(node: ast.expr, scopes: tuple[ast.AST, ...]) -> bool:
    """Return whether a node is an argument of the innermost function, hidden from translators."""
    function = next(
        (scope for scope in reversed(scopes) if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)),
        None,
    )
    args = (
        [arg for group in (function.args.args, function.args.kwonlyargs) for arg in group] if function else []
    )
    return isinstance(node, ast.Name) and node.id in {arg.arg for arg in args}


def _inside(node: ast.AST) -> list[ast.expr]:
    """Return the parts or alternatives of a value."""
    match node:
        case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
            return [first, second]
        case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return parts
        case (
            ast.Starred(value=inner)
            | ast.GeneratorExp(elt=inner)
            | ast.ListComp(elt=inner)
            | ast.Subscript(value=inner)
        ):
            return [inner]
        case ast.Call(func=ast.Attribute(value=inner), args=args):
            return [inner, *args[:1]]
        case _:
            return []


def _has_words(text: str) -> bool:
    return bool(_WORD.search(_TYPED.sub("", text)))


def _bound(name: str, scopes: tuple[ast.AST, ...]) -> list[ast.expr]:
    """Return the values assigned to a name in the innermost scope that assigns it."""
    for scope in reversed(scopes):
        if values := _names(scope).get(name):
            return values
    return []


@cache
def _names(scope: ast.AST) -> dict[str, list[ast.expr]]:
    values: dict[str, list[ast.expr]] = {}
    nodes = ast.iter_child_nodes(scope) if isinstance(scope, ast.Module) else ast.walk(scope)
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value:
            targets = [node.target]
        value = getattr(node, "value", None)
        for target in targets:
            several = target.elts if isinstance(target, ast.Tuple) else [target]
            for place, element in enumerate(several):
                for argument in _parts(value, place if isinstance(target, ast.Tuple) else None):
                    if isinstance(element, ast.Name) and _name(argument) != element.id:
                        values.setdefault(element.id, []).append(argument)
    return values


def _parts(value: ast.AST | None, place: int | None) -> Iterator[ast.expr]:
    """Yield a value, or the element of a tuple at `place`, for each alternative."""
    match value:
        case ast.IfExp(body=first, orelse=second) if place is not None:
            yield from (*_parts(first, place), *_parts(second, place))
        case ast.Tuple(elts=parts) if place is not None and place < len(parts):
            yield parts[place]
        case ast.expr():
            yield value
        case _:
            return


def _called(node: ast.Call) -> str:
    return _name(node.func)


def _name(node: ast.AST) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _is_property(function: _Function) -> bool:
    return any(_name(decorator) in {"property", "cached_property"} for decorator in function.decorator_list)
