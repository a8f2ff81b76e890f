"""Benchmarks run: a bot that changed must not leave them behind."""

import os

import pytest

from tests.support.forked import ROOT, forked

SHORTEST = {
    "cards": ("--rounds", "1", "--rolls", "2"),
    "hostile": ("--texts", "20"),
    "record": ("--rounds", "1", "--seconds", "0"),
    "writer": ("--rounds", "1", "--seconds", "0"),
}
"""The shortest run of those that take no minutes."""


async def _run(*words: str) -> str:
    """Return what a Python process said that failed; "" for a success."""
    process = await forked(words, os.environ)
    said = await process.said()
    return said if process.returncode else ""


@pytest.mark.parametrize("name", SHORTEST)
async def test_a_short_benchmark_runs(name: str) -> None:
    """What it found is of no interest here."""
    assert await _run("-m", f"benchmarks.{name}", *SHORTEST[name]) == ""


async def test_every_benchmark_is_loaded() -> None:
    """What it imports is still there."""
    names = [f"benchmarks.{file.stem}" for file in (ROOT / "benchmarks").glob("*.py")]

    assert len(names) > 20
    assert await _run("-c", f"import importlib\nfor name in {names}: importlib.import_module(name)") == ""
