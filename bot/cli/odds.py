"""`odds`: the exact chances of a roller's next roll, as a table or as JSON."""

import csv
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.cli.stopping import told
from bot.dice.system import System
from bot.systems.odds import after as memory_after
from bot.systems.odds import odds as chances
from bot.systems.registry import load_spec, read_spec
from cogs.kit.systems import tag
from cogs.kit.text import percent

_BAR = 32

_SPEC = "Dice such as 2d6, or a roller as JSON (examples above)."
_AFTER = 'The faces that came out already, the oldest first. A face with a comma in it goes in "quotes".'
_JSON = 'Print {"faces": {face: chance}} instead of the table; chances add up to 1.'


def odds(
    spec: Annotated[str, typer.Argument(help=_SPEC, metavar="SPEC", show_default=False)],
    *,
    after: Annotated[str, typer.Option("--after", help=_AFTER, metavar="FACES")] = "",
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
) -> None:
    """Show the exact chance of every face, now and without a memory.

    Plain dice, whose chances never change:

        odds 4d6kh3

    A fair roller after four rolls: what came out often is rarer for a while. The tightness says how much.

        odds '{"system": "fair", "base": "2d6", "tightness": "1"}' --after 2,4,7,7

    Dynamic dice, each face's weight times the factor whenever it comes out:

        odds '{"system": "dynamic", "base": "1d6", "factor": "0.355"}' --after 6,6

    A deck with copies of each card, reshuffled when it is empty:

        odds '{"system": "deck", "base": {"attack": 3, "defense": 3, "other": 3}}' --after attack
    """
    with told():
        system = _read(spec)
        rolled = _split(after)
        base, now = chances(system, system.start()), chances(system, memory_after(system, rolled))
    if as_json:
        typer.echo(json.dumps({"faces": dict(zip(system.faces, map(float, now), strict=True))}))
    else:
        _print(system, rolled, base, now)


def _read(spec: str) -> System:
    if spec.lstrip().startswith("{"):
        return load_spec(spec)
    return read_spec({"system": "dice", "base": spec})


def _split(faces: str) -> list[str]:
    """Return the faces between the commas, without the blanks around them."""
    rows = csv.reader([" ".join(faces.split())], skipinitialspace=True)
    return [face.rstrip() for row in rows for face in row]


def _print(system: System, rolled: Sequence[str], base: Sequence[Fraction], now: Sequence[Fraction]) -> None:
    console = Console()
    table = Table(title=Text(_title(system, rolled)), title_justify="left", title_style="bold", box=None)
    table.add_column("face", justify="right", overflow="fold")
    table.add_column("next roll, %", justify="right")
    table.add_column("base, %", justify="right", style="dim")
    table.add_column("", no_wrap=True)
    filled, mark = ("#", "|") if console.options.ascii_only else ("█", "│")
    top = max(*base, *now)
    for face, usual, p in zip(system.faces, base, now, strict=True):
        table.add_row(Text(face), percent(p), percent(usual), _bar(p / top, usual / top, filled, mark))
    console.print(table)
    console.print(f"{mark} marks the base: the chance without memory.", style="dim")


def _title(system: System, rolled: Sequence[str]) -> str:
    if not rolled:
        return f"{tag(system)}: the first roll"
    return (
        f"{tag(system)}: after 1 roll" if len(rolled) == 1 else f"{tag(system)}: after {len(rolled):,} rolls"
    )


def _bar(now: Fraction, usual: Fraction, filled: str, mark: str) -> Text:
    """Return a bar of at most `_BAR` characters with a mark in it; both are fractions of the longest."""
    bar = Text((filled * round(now * _BAR)).ljust(_BAR), style="cyan")
    at = max(0, round(usual * _BAR) - 1)
    return Text.assemble(bar[:at], (mark, "bold"), bar[at + 1 :])
