"""Run the tests near a change: all that changed, import, mirror or quote a changed file, or cover its folder.

`python -m tools.near` compares with the branch `main`, and `--since` with anything else. It is for the minute
between two commits; all tests run before a change is handed in.
"""

import re
import subprocess
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from tools import source

ALWAYS = (Path("tests/test_project.py"),)
OF_FOLDERS = {
    "cogs": ("wire/test_help", "wire/test_permissions", "wire/test_languages", "golden/test_commands"),
    "bot/games": (
        "rulebooks/test_games",
        "rulebooks/test_books",
        "cli/test_game",
        "tools/test_languages",
        "docs/test_counted",
    ),
    "bot/services": ("wire/test_roll", "wire/test_stats"),
    "bot/storage": ("storage/test_writer", "wire/test_stats"),
    "bot/systems": ("systems/test_all", "stats/test_extremes"),
}
"""Tests of what a folder is for, which import none of its files."""
OF_TEXTS = "docs/test_quotes", "tools/test_languages", "tools/test_sentences"
"""Tests of what people read."""
_TEXT = re.compile(r'^-.*"(.*[A-Za-z]{3}.*)"')
_QUOTED = 12
"""A piece of a text with fewer letters could be anywhere."""


def near(since: Annotated[str, typer.Option(help="The commit to compare with.")] = "main") -> None:
    """Run them; the exit code is that of pytest."""
    tracked = _git("diff", "--name-only", f"{since}...") + _git("diff", "--name-only", "HEAD")
    changed = {Path(line) for line in tracked + _git("ls-files", "--others", "--exclude-standard")}
    removed = _git("diff", since, "--", "bot", "cogs")
    tests = sorted(
        {*map(str, found_near(changed, Path()) | found_quoting(removed, Path())), *map(str, ALWAYS)}
    )
    typer.echo(f"{len(tests)} files of tests are near {len(changed)} that changed.")
    run = [sys.executable, "-m", "pytest", "--numprocesses", "auto", *tests]
    raise typer.Exit(subprocess.call(run))  # noqa: S603 (our own tests)


def found_near(changed: Collection[Path], root: Path) -> set[Path]:
    """Return the files of tests near those that changed, below the root of a tree."""
    tests = [module for module in source.read(root, ["tests"]) if module.path.name.startswith("test_")]
    mirrors = {_mirror(path) for path in changed if path.parts[0] in {"bot", "cogs", "tools"}}
    mirrors |= {
        Path("tests", f"{test}.py")
        for folder, covering in OF_FOLDERS.items()
        if any(path.is_relative_to(folder) for path in changed)
        for test in covering
    }
    return {
        module.path
        for module in tests
        if module.path in changed or module.imported & {*changed} or module.path in mirrors
    }


def found_quoting(diff: Iterable[str], root: Path) -> set[Path]:
    """Return the files of tests that quote a text which a diff removes, and those of all that people read."""
    texts = [match[1] for line in diff if (match := _TEXT.match(line))]
    pieces = {piece for text in texts for piece in re.split(r"\{[^{}]*\}", text) if len(piece) >= _QUOTED}
    tests = source.read(root, ["tests"]) if texts else []
    quoting = {module.path for module in tests if any(piece in module.text for piece in pieces)}
    return quoting | {Path("tests", f"{test}.py") for test in OF_TEXTS if texts}


def _mirror(path: Path) -> Path:
    """Return the path that the tests of a file would have."""
    parts = path.parts[1:] if path.parts[0] == "bot" else path.parts
    return Path("tests", *parts[:-1], f"test_{path.name}")


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True)  # noqa: S603, S607
    return done.stdout.splitlines()


if __name__ == "__main__":
    typer.run(near)
