"""The command line in the test's own process."""

import asyncio
import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from bot.__main__ import command_line


def evenhand(*arguments: str) -> Result:
    """Run the program with these arguments; the result has its exit code and what it printed."""
    return CliRunner().invoke(command_line(arguments), arguments)


async def run_beside(*arguments: str) -> Result:
    """Run it on a thread, for a command may have an event loop of its own."""
    return await asyncio.to_thread(evenhand, *arguments)


def printed(*arguments: str) -> Any:
    """What a command prints with `--json`."""
    result = evenhand(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def verified(*arguments: Path | str) -> tuple[int, str]:
    """The exit code of `verify`, and all that it said."""
    done = evenhand("verify", *map(str, arguments))
    return done.exit_code, done.output
