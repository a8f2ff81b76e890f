"""The project rules that no tool checks: the lock, the size of files, what may stand in them."""

import ast
import re
import socket
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
RUN_LOCK = ROOT / "requirements-run.lock"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
RUNNING: list[str] = [
    *PROJECT["project"]["dependencies"],
    *(one for extra in EXTRAS.values() for one in extra),
]
TOOLS: list[str] = PROJECT["dependency-groups"]["dev"]

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; [^\\]+)? \\")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def pins(lock: Path) -> dict[str, str]:
    """What a lock pins; AssertionError for a line that is neither a pin, nor a hash, nor a comment."""
    found: dict[str, str] = {}
    hashed = True
    for line in lock.read_text(encoding="utf-8").splitlines():
        if pin := _PIN.fullmatch(line):
            assert hashed, f"no hash above {line}"
            found[canonicalize_name(pin["name"])] = pin["version"]
            hashed = False
        elif _HASH.fullmatch(line):
            hashed = True
        else:
            assert line.lstrip().startswith("#"), f"{lock.name}: {line}"
    assert hashed
    return found


@pytest.mark.parametrize(("lock", "wanted"), [(LOCK, [*RUNNING, *TOOLS]), (RUN_LOCK, RUNNING)])
def test_the_lock_holds_what_the_project_asks_for(lock: Path, wanted: list[str]) -> None:
    """Every dependency is pinned, with hashes, to a version that the project allows; `make lock` mends it."""
    pinned = pins(lock)
    asked = [Requirement(text) for text in wanted]
    missing = [str(one) for one in asked if pinned.get(canonicalize_name(one.name), "") not in one.specifier]

    assert missing == []


def test_both_locks_pin_the_same_versions() -> None:
    """What people run is what was tested."""
    assert pins(RUN_LOCK).items() <= pins(LOCK).items()


@pytest.mark.parametrize("lock", [LOCK, RUN_LOCK])
def test_the_lock_names_no_place(lock: Path) -> None:
    """No address of an index and no path: the lock is the same for everybody."""
    text = lock.read_text(encoding="utf-8")

    assert not re.search(r"://|--(?:extra-)?index|--find-links|@ file|\s/\w", text)


def test_files_are_short() -> None:
    """A file over 400 lines holds more than one concept."""
    folders = ("bot", "cogs", "tests", "benchmarks", "tools")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    long = [
        f"{file.relative_to(ROOT)}: {lines}"
        for file in files
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 400
    ]

    assert files
    assert long == []


def test_tools_know_their_options() -> None:
    """Typer reads what they are given, so `--help` is no file; three stand alone or pass their words on."""
    plain = {file.name for file in (ROOT / "tools").glob("*.py") if "sys.argv" in file.read_text("utf-8")}

    assert plain == {"drand.py", "release.py", "verify.py"}


def test_packages_re_export_nothing() -> None:
    """A package's own file is empty: what is imported says where it is."""
    files = [file for folder in ("bot", "cogs") for file in (ROOT / folder).rglob("__init__.py")]
    speaking = [str(file.relative_to(ROOT)) for file in files if file.stat().st_size]

    assert speaking == ["bot/__init__.py"]


def test_one_name_is_one_thing() -> None:
    """No two public classes or types share a name."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for folder in ("bot", "cogs"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                name = _named(node)
                if name and not name.startswith("_"):
                    places[name].append(file.relative_to(ROOT).as_posix())

    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def _named(node: ast.stmt) -> str:
    """The name of the class or the type that a statement makes; "" for none."""
    match node:
        case ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
            return name
        case _:
            return ""


def test_no_local_name_hides_one_of_its_file() -> None:
    """No parameter and no local has the name of an import, a function or a class of the same file."""
    hiding = [
        f"{file.relative_to(ROOT).as_posix()}:{line}: {name}"
        for folder in ("bot", "cogs")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for name, line in _hiding(ast.parse(file.read_text(encoding="utf-8")))
    ]

    assert hiding == []


def _hiding(tree: ast.Module) -> set[tuple[str, int]]:
    """The local names of a file's functions that are also names of the file, with their lines."""
    names = {
        (name.asname or name.name).partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    made = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    names |= {node.name for node in tree.body if isinstance(node, made)} - {"_"}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    local = {
        (node.arg, node.lineno)
        for function in (*functions, *(node for node in ast.walk(tree) if isinstance(node, ast.Lambda)))
        for node in ast.walk(function.args)
        if isinstance(node, ast.arg)
    }
    for inside in (node for function in functions for part in function.body for node in ast.walk(part)):
        match inside:
            case ast.Name(id=name, ctx=ast.Store()):
                local.add((name, inside.lineno))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                local.add((name, inside.lineno))
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                local.add((name, inside.lineno))
            case ast.ExceptHandler(name=str(name)):
                local.add((name, inside.lineno))
            case _:
                pass
    return {(name, line) for name, line in local if name in names}


def test_tests_stay_on_this_machine() -> None:
    """A connection to anywhere else fails before anything is sent; the address is one kept for examples."""
    with socket.socket() as outside, pytest.raises(RuntimeError, match="tried to reach"):
        outside.connect(("192.0.2.1", 80))


def test_who_may_is_decided_where_it_is_used() -> None:
    """Commands are refused as they are decided, questions as they are read; nobody looks before."""
    files = [file for folder in ("bot", "cogs") for file in sorted((ROOT / folder).rglob("*.py"))]
    asking = [
        file.relative_to(ROOT).as_posix()
        for file in files
        if ".must_lead(" in file.read_text(encoding="utf-8")
    ]

    assert asking == [
        "bot/campaign/campaign_commands.py",
        "bot/campaign/command.py",
        "bot/services/access.py",
    ]


def test_the_app_is_the_only_way_to_a_service() -> None:
    """No cog names the class of a service: each finds it in the app, when it is asked."""
    services = set(_imported(ROOT / "bot" / "app.py")) - {"DataStore"}
    taken = {
        f"{file.relative_to(ROOT).as_posix()}: {name}"
        for file in (ROOT / "cogs").rglob("*.py")
        for name in _imported(file)
        if name in services
    }

    assert {"Rolling", "Leading"} <= services
    assert taken == set()


def test_no_cog_reaches_the_database() -> None:
    """Services have the store in their `store`, and the app in its `_store`: no cog names either."""
    reaching = [
        f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
        for file in (ROOT / "cogs").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"store", "_store"}
    ]

    assert reaching == []


def test_no_cog_changes_rules_past_the_services() -> None:
    """A command of its own would leave the old rules in memory (`DataStore.change_rules`)."""
    texts = {file: file.read_text("utf-8") for file in (ROOT / "cogs").rglob("*.py")}
    changing = re.compile(r"\b(?:SetRules|CreateCampaign|UseCampaign)\b")

    assert [file for file, text in texts.items() if changing.search(text)] == []


def _imported(file: Path) -> list[str]:
    """The names that a file imports from the services."""
    found = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return [
        name.name
        for node in found
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.services.")
        for name in node.names
    ]
