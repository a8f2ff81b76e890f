"""What `tools.measure` counts while the bot runs."""

import asyncio
import sqlite3
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType

import aiosqlite
import pytest
from sqlalchemy import create_engine, text

from tools.tracing import Tracer

FIRST = """
import asyncio
from traced import second

async def waits():
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return second.plain()
"""
SECOND = """
def plain():
    return [inner() for _ in range(3)]

def inner():
    return 1
"""


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ModuleType]:
    """A package of two modules, the first of which calls the second."""
    folder = tmp_path / "traced"
    folder.mkdir()
    for name, source in {"__init__": "", "first": FIRST, "second": SECOND}.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield import_module("traced.first")
    for name in [name for name in sys.modules if name.partition(".")[0] == "traced"]:
        del sys.modules[name]


def test_calls_are_counted_once(traced: ModuleType, tmp_path: Path) -> None:
    """A coroutine that is resumed twice is called once, and a hop is a call from another file."""
    tracer = Tracer([tmp_path / "traced"])

    with tracer.installed(), tracer.stretch() as stretch:
        asyncio.run(traced.waits())

    assert {Path(file).name for file in stretch.files} == {"first.py", "second.py"}
    assert (stretch.calls, stretch.hops) == (1 + 1 + 3, 1 + 1)


def test_threads_are_watched_and_other_code_is_not(traced: ModuleType, tmp_path: Path) -> None:
    """A thread that began before the stretch counts; nothing counts outside the stretch or the folders."""
    tracer = Tracer([tmp_path / "elsewhere", tmp_path / "traced"])

    with tracer.installed(), ThreadPoolExecutor(1) as thread:
        thread.submit(traced.second.plain).result()
        with tracer.stretch() as stretch:
            thread.submit(traced.second.plain).result()
            Path("/").exists()
        thread.submit(traced.second.plain).result()

    assert (len(stretch.files), stretch.calls, stretch.hops) == (1, 4, 1)


async def test_statements_are_counted_on_every_driver(tmp_path: Path) -> None:
    """SQLAlchemy's, aiosqlite's and the standard library's; transactions' brackets are no statements."""
    file = tmp_path / "test.db"
    tracer = Tracer([])
    with tracer.installed():
        engine = create_engine(f"sqlite:///{file}")
        plain = sqlite3.connect(file)
        async with aiosqlite.connect(file) as connection:
            with tracer.stretch() as stretch:
                with engine.begin() as other:
                    other.execute(text("CREATE TABLE t (a)"))
                await connection.execute("BEGIN")
                await connection.executemany("INSERT INTO t VALUES (?)", [(1,), (2,)])
                await connection.commit()
                plain.execute("SELECT a FROM t")
        plain.close()
        engine.dispose()

    assert stretch.statements == [
        "CREATE TABLE t (a)",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO t VALUES (2)",
        "SELECT a FROM t",
    ]
