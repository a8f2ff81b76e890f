"""`sources`: the random sources and their states, with --check after one request to each."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bot.cli.logs import configure
from bot.cli.stopping import FAILED, exit_with_error
from bot.dice.draws import Source
from bot.dice.errors import LocalizedError
from bot.entropy.config import EntropyConfig
from bot.entropy.health import Health
from bot.entropy.opening import Check, check_once
from bot.entropy.opening import sources as every_source
from bot.entropy.service import ServiceStatus
from bot.settings import SettingsError, load
from bot.words.text import bits

_ASK = "Ask each of them once, test what they send, and throw it away."
_STYLES = {"fine": "green", "failing": "red", "off": "dim"}
_WHERE = "Addresses, keys and the switches are settings: see .env.example."


def sources(*, check: Annotated[bool, typer.Option("--check", help=_ASK)] = False) -> None:
    """Show which random sources are on; with --check ask each of them once.

    A bot that runs at the same internet address shares their limits with you, so don't check every minute.
    Exit code 1 if sources are on and none of them sent usable bytes.
    """
    with exit_with_error(SettingsError):
        settings = load()
        configure("CRITICAL", settings.log_format)  # errors appear in the table
        config = settings.entropy()
        if check:
            _check(config)
        else:
            _list(config)


def _list(config: EntropyConfig) -> None:
    table = _table()
    for source in every_source(config):
        state = _state(source.state, source.error) if isinstance(source, ServiceStatus) else _state("on")
        table.add_row(source.name, source.kind.value, state)
    console = Console()
    console.print(table)
    console.print(_WHERE, style="dim")


def _check(config: EntropyConfig) -> None:
    console = Console()
    patience = max(config.timeout, config.patient_timeout)
    with console.status(f"Asking each source once. That takes {patience:g} seconds at most."):
        checks = asyncio.run(check_once(config))
    table = _table()
    for heading in ("seconds", "bytes"):
        table.add_column(heading, justify="right")
    table.add_column("health", overflow="fold")
    for check in checks:
        seconds = "" if check.latency is None else f"{check.latency:.2f}"
        size = "" if check.latency is None else f"{check.size:,}"
        status = check.status
        # The state has the details of a failure.
        health = status.health and ("sound" if status.health is Health.SOUND else "failed")
        state = _state(status.state, status.error)
        table.add_row(status.name, status.kind.value, state, seconds, size, health)
    console.print(table)
    console.print(_verdict(checks))
    if all(check.size == 0 for check in checks) and any(check.latency is not None for check in checks):
        raise typer.Exit(FAILED)


def _verdict(checks: Sequence[Check]) -> str:
    """Return the quality of the bits that these answers give, in a sentence."""
    kinds = {check.status.kind for check in checks if check.size}
    source = (Source.LOCAL, Source.HALF, Source.TRUE)[len(kinds)]
    if all(check.latency is None for check in checks):
        return f"No source is on: rolls get {bits(source)}. {_WHERE}"
    return f"With these answers rolls get {bits(source)}."


def _table() -> Table:
    columns = (Column(heading, overflow="fold") for heading in ("source", "noise", "state"))
    return Table(*columns, box=None, title="Random sources", title_justify="left", title_style="bold")


def _state(state: str, reason: LocalizedError | None = None) -> Text:
    return Text(f"{state}: {reason}" if reason else state, style=_STYLES.get(state, ""))
