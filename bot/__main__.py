"""The command line: `python -m bot COMMAND`. Each command is a function in `bot.cli`, listed here."""

import typer

from bot.cli.backup import backup
from bot.cli.d100 import d100
from bot.cli.odds import odds
from bot.cli.play import play
from bot.cli.run import run
from bot.cli.simulate import simulate
from bot.cli.sources import sources
from bot.cli.tune import tune
from bot.cli.verify import verify

COMMANDS = (play, run, odds, tune, simulate, d100, sources, verify, backup)

app = typer.Typer(
    help="Evenhand: dice that are fair, true-random, shared and checkable.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in COMMANDS:
    app.command()(_command)

if __name__ == "__main__":
    app(prog_name="python -m bot")
