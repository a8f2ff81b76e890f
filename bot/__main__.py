"""The command line: `evenhand COMMAND` where it is installed, `python -m bot COMMAND` in a checkout.

Each command is a function in a module of `bot.cli`; `commands.toml` lists them by module, with their
summaries. Only the module of the requested command is imported, so that `--help` is fast.
"""

import gc
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.resources import files
from io import TextIOWrapper
from typing import Annotated

try:
    import typer
except ModuleNotFoundError:
    sys.stderr.write(
        "This Python lacks what Evenhand needs. In a checkout `make setup` puts it into .venv.\n"
    )
    sys.exit(2)

from bot import __version__

_MODULES = tomllib.loads((files("bot") / "commands.toml").read_text(encoding="utf-8"))
COMMANDS = {name: summary for commands in _MODULES.values() for name, summary in commands.items()}
"""Commands in the order of the help, each with the first line of its docstring."""
_NEW_OBJECTS = 10_000
"""New objects before the garbage collector runs."""
_COLLECTIONS = 3
"""Collections before the next one covers objects that outlived one; after ten, it blocks a bot for 0.1 s."""
_INTERRUPTED = 130
"""The exit code after Ctrl-C, as typer has it within a command."""


def command_line(arguments: Sequence[str]) -> typer.Typer:
    """Return the program for these arguments, with only a placeholder for every other command."""
    requested = arguments[0] if arguments else ""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        # rich takes longer to import than everything else
        rich_markup_mode="rich" if requested in COMMANDS else None,
    )
    app.callback()(_program)
    for name, summary in COMMANDS.items():
        if name == requested:
            app.command(name)(find(name))
        else:
            app.command(name, short_help=summary)(_placeholder)
    return app


def find(command: str) -> Callable[..., None]:
    """Return the function of a command."""
    module = next(name for name, commands in _MODULES.items() if command in commands)
    return getattr(import_module(f"bot.cli.{module}"), command)


def main() -> None:
    """Run the command that the program's arguments name."""
    # A roll makes over a thousand objects, so the usual threshold of 700 would collect during each of them.
    gc.set_threshold(_NEW_OBJECTS, _COLLECTIONS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Under LANG=C a name with an umlaut must not end in a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        command_line(sys.argv[1:])()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except OSError as error:
        from bot.cli.stopping import FAILED, TEMPORARY_ERRNOS

        if error.errno not in TEMPORARY_ERRNOS:
            raise
        typer.echo(f"The output can't be written: {error.strerror}.", err=True)
        # The interpreter would flush the rest of the output at its end, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)


def _print_version(value: bool) -> None:  # noqa: FBT001 (typer's form of a callback)
    if value:
        typer.echo(f"Evenhand {__version__}")
        raise typer.Exit


def _program(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Evenhand: dice that are fair, true-random, shared and checkable."""


def _placeholder() -> None:
    """Hold a command's place in the help."""


if __name__ == "__main__":
    main()
