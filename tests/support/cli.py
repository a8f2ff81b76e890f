"""The command line in the test's own process."""

from typer.testing import CliRunner, Result

from bot.__main__ import command_line


def evenhand(*arguments: str) -> Result:
    """Run the program with these arguments; the result has its exit code and what it printed."""
    return CliRunner().invoke(command_line(arguments), arguments)
