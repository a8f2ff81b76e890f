"""The command line in the test's own process."""

import asyncio
import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from bot.__main__ import command_line


def evenhand(*arguments: str) -> Result:
    """Run the program with these arguments, and return its exit code and output."""
    return CliRunner().invoke(command_line(arguments), arguments)


async def run_beside(*arguments: str) -> Result:
    """Run the program on a thread, since a command may start its own event loop."""
    return await asyncio.to_thread(evenhand, *arguments)


def printed(*arguments: str) -> Any:
    """Return the parsed JSON that a command prints with `--json`."""
    result = evenhand(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def verified(*arguments: Path | str) -> tuple[int, str]:
    """Return the exit code and the output of `verify`."""
    done = evenhand("verify", *map(str, arguments))
    return done.exit_code, done.output
