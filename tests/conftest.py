"""What holds for every test: no settings of this machine, no network but the loopback, and real databases."""

import gc
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route
from hypothesis import settings

from bot.dice.errors import DiceError
from bot.settings import PREFIX
from tests.storage.asking import Storage, opened
from tests.support.databases import database_url, empty_url, postgresql_url
from tests.support.restart import Run, restartable
from tests.support.services import Services, services
from tests.support.table import REFUSALS, Table, table

gc.disable()  # until all tests are collected: hardly anything of what is loaded is thrown away
__all__ = ["database_url", "empty_url", "postgresql_url"]

settings.register_profile(
    "house", deadline=None
)  # machines differ; how long something takes is a benchmark's
settings.load_profile("house")


_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 (below it pytest makes folders of its own)


def _keep_files_in_memory() -> None:
    """Have the tests' files in memory where there is room, for nothing here has to outlive a power cut.

    A synced commit waits for no disk there. Programs that tests start find the same place.
    """
    if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_keep_files_in_memory()


def _stays_here(event: str, arguments: tuple[object, ...]) -> None:
    """Fails a test that calls a host outside: what it asks there would not be the same tomorrow."""
    if event != "socket.connect":
        return
    address = arguments[1]
    host = cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else None
    if isinstance(host, str) and host != "localhost" and not _is_loopback(host):
        raise RuntimeError(f"a test tried to reach {host}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


sys.addaudithook(_stays_here)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is loaded by then from the collector, which would look through all of it again and again.

    Of what tests make it looks less often than it would by itself, for they throw away most at once.
    """
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the tests that share a browser first, in whatever order they are: one worker opens it for all.

    A browser and a table with its bot take more than ten seconds of a processor, in each worker that has one.
    """
    shared = ({"running"}, {"script", "verifiers"})
    items.sort(key=lambda item: [each.isdisjoint(getattr(item, "fixturenames", ())) for each in shared])


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of whoever runs the tests are not the tests'."""
    for name in os.environ:
        if name.startswith((PREFIX, "DISCORD_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Undo what a command that runs in this process sets: the log, and discord.py's addresses."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    root = logging.getLogger()
    handlers, levels = root.handlers[:], _levels()
    yield
    logging.captureWarnings(capture=False)
    root.handlers[:] = handlers
    for name, level in _levels().items():
        if level != levels.get(name, logging.NOTSET):
            logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))


def _levels() -> dict[str, int]:
    root = logging.getLogger()
    loggers = {
        name: made.level for name, made in root.manager.loggerDict.items() if isinstance(made, logging.Logger)
    }
    return {"": root.level, **loggers}


@pytest.fixture
async def t(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[Table]:
    """Return a table where nobody has rolled yet: the real bot with the simulated Discord.

    A test, or a file of them, marked `refusing` has requests that Discord refuses.
    """
    refusing = request.node.get_closest_marker("refusing")
    async with table(tmp_path, expected=REFUSALS if refusing else DiceError) as opened_table:
        yield opened_table


@pytest.fixture
async def storage(database_url: str) -> AsyncGenerator[Storage]:
    """Return an open database of the test's own, on each engine in turn."""
    async with opened(database_url) as storage:
        yield storage


@pytest.fixture
async def run(tmp_path: Path) -> AsyncGenerator[Run]:
    """Return a bot that may be restarted once."""
    async with restartable(tmp_path) as restartable_run:
        yield restartable_run


@pytest.fixture
async def loopback() -> AsyncGenerator[Services]:
    """Return all random services, on loopback."""
    async with services() as served:
        yield served
