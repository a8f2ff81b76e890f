"""Values are named by what they hold, not by participles and pronouns that fit anything."""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
VAGUE = {
    *("found", "told", "asked", "shown", "one", "said", "ours", "known", "left", "kept", "given", "seen"),
    *(
        "named",
        "wanted",
        "made",
        "held",
        "taken",
        "came",
        "fell",
        "gone",
        "stood",
        "meant",
        "thing",
        "things",
    ),
    *("what", "which", "whose", "who", "here", "there", "again", "each"),
}
FIELDS: set[str] = {
    "again",
    "found",
    "given",
    "gone",
    "kept",
    "made",
    "named",
    "one",
    "stood",
    "what",
    "who",
    "whose",
}
"""Fields, of classes that stand for a record, a frame of the page or a report: their names are its keys."""
KEYS = ("bot/record", "tools", "bot/play/seats.py", "bot/campaign/events.py")
"""Files that take such records apart, key by key."""
OPTIONS: dict[str, set[str]] = {
    "cogs/campaign/cog.py": {"who"},
    "cogs/odds/cog.py": {"what"},
    "cogs/roller/lucky.py": {"whose"},
}
"""Options of commands that people type."""


def _is_vague(name: str) -> bool:
    return name.strip("_") in VAGUE


def _bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each variable, parameter and function; fields of classes aside."""
    fields = {
        id(node.target)
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id in FIELDS
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in fields:
                yield node.lineno, name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case _:
                pass


_ERROR = r"[A-Z]+[a-z]\w*(?![\w'])"
_RAISES = re.compile(rf"\b[Rr]aises? ({_ERROR}(?:(?:, | or | and ){_ERROR})*)")


def _sources() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each file of ours, in order."""
    for room in ("bot", "cogs", "tools"):
        for path in sorted((ROOT / room).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_no_name_fits_everything() -> None:
    """A reader of one line sees what a value is; `left` has its `right`."""
    vague: list[str] = []
    for place, text in _sources():
        allowed = {*OPTIONS.get(place, ()), *(["left"] if "right" in text else [])}
        if place.startswith(KEYS):
            allowed |= FIELDS
        names = [(line, name) for line, name in _bound(ast.parse(text)) if _is_vague(name)]
        vague += [f"{place}:{line} {name}" for line, name in names if name not in allowed]

    assert vague == []


def test_what_is_said_to_be_raised_is_there() -> None:
    """A docstring's "Raise X" names a class of ours or Python's, or one of a library's."""
    texts = dict(_sources())
    ours = {name for text in texts.values() for name in re.findall(r"^ *class (\w+)", text, re.MULTILINE)}
    libraries = {"PoFileError"}
    missing = [
        f"{place}: {name}"
        for place, text in texts.items()
        for names in _RAISES.findall(" ".join(text.split()))
        for name in re.findall(r"\w*[A-Z]\w*", names)
        if name not in ours | libraries and not hasattr(builtins, name)
    ]

    assert len(ours) > 500
    assert missing == []
