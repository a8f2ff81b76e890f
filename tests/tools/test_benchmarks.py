"""Benchmarks run: a bot that changed must not leave them behind."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORTEST = {
    "cards": ("--rounds", "1", "--rolls", "2"),
    "hostile": ("--texts", "20"),
    "record": ("--rounds", "1", "--seconds", "0"),
    "writer": ("--rounds", "1", "--seconds", "0"),
}
"""The shortest run of those that take no minutes."""


def _run(*words: str) -> str:
    """Return what a Python process said that failed; "" for a success."""
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("name", SHORTEST)
def test_a_short_benchmark_runs(name: str) -> None:
    """What it found is of no interest here."""
    assert _run("-m", f"benchmarks.{name}", *SHORTEST[name]) == ""


def test_every_benchmark_is_loaded() -> None:
    """What it imports is still there."""
    names = [f"benchmarks.{file.stem}" for file in (ROOT / "benchmarks").glob("*.py")]

    assert len(names) > 20
    assert _run("-c", f"import importlib\nfor name in {names}: importlib.import_module(name)") == ""
