"""Benchmarks run: a bot that changed must not leave them behind."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.support.forked import forked

ROOT = Path(__file__).parents[2]
SHORTEST = {
    "cards": ("--rounds", "1", "--rolls", "2"),
    "hostile": ("--texts", "20"),
    "record": ("--rounds", "1", "--seconds", "0"),
    "writer": ("--rounds", "1", "--seconds", "0"),
}
"""The shortest run of those that take no minutes."""


@pytest.mark.parametrize("name", SHORTEST)
async def test_a_short_benchmark_runs(name: str) -> None:
    """What it found is of no interest here."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": tempfile.gettempdir()}
    child = await forked(("-m", f"benchmarks.{name}", *SHORTEST[name]), environment)
    said = await child.said()

    assert child.returncode == 0, said


def test_every_benchmark_is_loaded() -> None:
    """What it imports is still there."""
    names = [f"benchmarks.{file.stem}" for file in (ROOT / "benchmarks").glob("*.py")]
    code = f"import importlib\nfor name in {names}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert len(names) > 20
    assert done.returncode == 0, done.stderr
