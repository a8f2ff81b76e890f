"""The command line: `evenhand COMMAND` where it is installed, `python -m bot COMMAND` in a checkout.

Each command is a function in the module of its name in `bot.cli`, those about whole databases in `databases`,
`prove` in `audits`, and `score` in `d100`.
Only the module of the command that is asked for is imported, so that `--help` answers at once.
"""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
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

COMMANDS = {
    "play": "Open the table in the browser: the real bot, and no Discord.",
    "run": "Serve Discord with the token from .env.",
    "doctor": "Check token, permissions, database, clock, disk and services, and say what to do.",
    "faces": "Upload the pictures of dice that the bot does not have yet.",
    "odds": "Show the exact chance of every result, of a total or more, and against another roll.",
    "tune": "Find the dice with the most even luck that stay as hard to guess as you want.",
    "evening": "Show how hard to guess, and how even, dice are over an evening.",
    "simulate": "Roll a roller many times, just as the bot does.",
    "d100": "Compare all ways to a d100 out of six-sided dice: how fair, and how many dice.",
    "score": "Score your own rule for a d100 out of d6s, exactly, beside the known ways.",
    "game": "Check a game's file: list its faults, and the exact odds of its rolls.",
    "sources": "Show which random sources are on; with --check ask each of them once.",
    "verify": "Check an exported history, or a proof, and say what was checked and what was not.",
    "prove": "Print the proof of one event of an export, or that it goes on from an older checkpoint.",
    "rigged": "Say what an export's dice tell against themselves, however often somebody looks.",
    "check": "Check every campaign: its events, its tree, and everything that rolls use.",
    "backup": "Copy the whole database to a new file, while the bot runs or not.",
    "move": "Copy the whole database into an empty one, and check it there; stop the bot first.",
    "migrate": "Update the database to this version, as the bot does at its start.",
    "restore": "Check a backup, and put it in the place of the database; stop the bot first.",
}
"""The commands in the order of the help, each with the first line of its docstring."""
_NEW_OBJECTS = 10_000
"""How many objects come together before the collector looks for those that nobody uses."""
_OF_DATABASES = "check", "backup", "move", "migrate", "restore"
_ELSEWHERE = {"prove": "audits", "score": "d100", **dict.fromkeys(_OF_DATABASES, "databases")}


def command_line(arguments: Sequence[str]) -> typer.Typer:
    """Return the program that runs these arguments; of the other commands it knows the names alone."""
    asked = arguments[0] if arguments else ""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich"
        if asked in COMMANDS
        else None,  # rich takes longer to import than all the rest
    )
    app.callback()(_program)
    for name, summary in COMMANDS.items():
        if name == asked:
            app.command(name)(find(name))
        else:
            app.command(name, short_help=summary)(_named_only)
    return app


def find(command: str) -> Callable[..., None]:
    """Return the function of a command."""
    return getattr(import_module(f"bot.cli.{_ELSEWHERE.get(command, command)}"), command)


def main() -> None:
    """Run the command that the program's arguments name."""
    # A roll makes over a thousand objects: after 700, as is usual, the collector would look at each of them.
    gc.set_threshold(_NEW_OBJECTS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Under LANG=C a name with an umlaut is no reason to end in a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        command_line(sys.argv[1:])()
    except OSError as error:
        from bot.cli.stopping import FAILED, PASSING

        if error.errno not in PASSING:
            raise
        typer.echo(f"The output can't be written: {error.strerror}.", err=True)
        # What is left of the output has nowhere to go at the interpreter's end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)


def _tell_version(asked: bool) -> None:  # noqa: FBT001 (how typer tells an option)
    if asked:
        typer.echo(f"Evenhand {__version__}")
        raise typer.Exit


def _program(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    """Evenhand: dice that are fair, true-random, shared and checkable."""


def _named_only() -> None:
    """Hold a command's place in the help."""


if __name__ == "__main__":
    main()
