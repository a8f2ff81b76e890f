"""Fixtures of all tests: no settings of this machine, no network but loopback, and real databases."""

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

gc.disable()  # until all tests are collected: almost nothing that is loaded becomes garbage
__all__ = ["database_url", "empty_url", "postgresql_url"]

settings.register_profile("house", deadline=None)  # machines differ; benchmarks measure time
settings.load_profile("house")


_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 (below it pytest makes folders of its own)


def _keep_files_in_memory() -> None:
    """Put temporary files in memory if there are 4 GiB of room, so that synced commits wait for no disk.

    Programs that tests start use the same folder.
    """
    if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_keep_files_in_memory()


def _stays_here(event: str, arguments: tuple[object, ...]) -> None:
    """Raise RuntimeError if a test connects to another machine, whose answers could change."""
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
    """Exempt everything loaded during collection from garbage collection, to save time.

    Later collections are rarer than usual, since most objects of tests are freed at once.
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
    """Put the tests that share a browser first, so that one worker opens it for all.

    A browser and a table with its bot take more than ten seconds of processor time in each worker.
    """
    shared = ({"running"}, {"script", "verifiers"})
    items.sort(key=lambda item: [each.isdisjoint(getattr(item, "fixturenames", ())) for each in shared])


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the settings of the person who runs the tests."""
    for name in os.environ:
        if name.startswith((PREFIX, "DISCORD_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Restore logging and discord.py's addresses after a command in this process."""
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
    """Yield a new table: the real bot with the simulated Discord.

    Discord may refuse requests in tests and files marked `refusing`.
    """
    refusing = request.node.get_closest_marker("refusing")
    async with table(tmp_path, expected=REFUSALS if refusing else DiceError) as opened_table:
        yield opened_table


@pytest.fixture
async def storage(database_url: str) -> AsyncGenerator[Storage]:
    """Yield a new open database, on each engine in turn."""
    async with opened(database_url) as storage:
        yield storage


@pytest.fixture
async def run(tmp_path: Path) -> AsyncGenerator[Run]:
    """Yield a bot that may be restarted once."""
    async with restartable(tmp_path) as restartable_run:
        yield restartable_run


@pytest.fixture
async def loopback() -> AsyncGenerator[Services]:
    """Yield all random services, on loopback."""
    async with services() as served:
        yield served
