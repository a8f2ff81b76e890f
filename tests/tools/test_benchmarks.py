"""Benchmarks run: a bot that changed must not leave them behind."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.support.forked import forked

ROOT = Path(__file__).parents[2]
SHORTEST = {
    "cards": ("--rounds", "1", "--rolls", "2"),
    "hostile": ("--texts", "4"),
    "record": ("--rounds", "1", "--seconds", "0", "--events", "20"),
    "writer": ("--rounds", "1", "--seconds", "0", "--most", "16"),
}
"""The shortest run of those that take no minutes."""


@pytest.mark.parametrize("name", SHORTEST)
async def test_a_short_benchmark_runs(name: str) -> None:
    """What it found is of no interest here."""
    await runs("-m", f"benchmarks.{name}", *SHORTEST[name])


async def test_every_benchmark_is_loaded() -> None:
    """What it imports is still there."""
    names = [f"benchmarks.{file.stem}" for file in (ROOT / "benchmarks").glob("*.py")]

    assert len(names) > 20
    await runs("-c", f"import importlib\nfor name in {names}: importlib.import_module(name)")


async def runs(*arguments: str) -> None:
    """Run what `python` starts with these arguments, to a good end."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": tempfile.gettempdir()}
    child = await forked(arguments, environment)
    said = await child.said()

    assert child.returncode == 0, said
