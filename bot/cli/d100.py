"""`d100`: every way to make a die out of others, with its exact figures, as a table or as JSON."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bot.cli.stopping import told
from bot.d100.catalogue import Catalogue, MethodEntry, catalogue
from bot.d100.register import RegisterFigures
from bot.d100.scores import Figures
from bot.dice.system import Json
from bot.words.d100 import average_dice
from bot.words.text import score

_DICE = "How many sides the dice have that are thrown; 2 to 100."
_VALUES = "How many values are wanted; 2 to 1,000."
_JSON = "Print exact fractions as JSON instead of the tables."


def d100(
    *,
    dice: Annotated[int, typer.Option(help=_DICE, metavar="SIDES")] = 6,
    values: Annotated[int, typer.Option(help=_VALUES)] = 100,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
) -> None:
    """Show what every way to roll a d100 with six-sided dice costs, and how fair it is.

    The score is the sum of (p - 1/n)² over all n values: 0 is exact. Then the dice it takes on average, and
    at most. For the register there is the score after so many rolls from a known value, what one value
    tells about the next one, and their correlation.

        d100

    Other dice and other values:

        d100 --dice 20 --values 6

    Every figure as an exact fraction, for another program:

        d100 --json
    """
    with told():
        known = catalogue(dice, values)
    if as_json:
        typer.echo(json.dumps(_as_json(known)))
    else:
        _print(known)


def _as_json(known: Catalogue) -> dict[str, Json]:
    return {
        "dice": known.sides,
        "values": known.values,
        "methods": [_method(entry) for entry in known.entries],
        "scores": {str(k): str(score) for k, score in known.scores.items()},
        "register": [_register(figures) for figures in known.registers],
    }


def _method(entry: MethodEntry) -> dict[str, Json]:
    figures = entry.figures
    return {
        "method": entry.name,
        "description": entry.words,
        "score": str(figures.score),
        "expected": None if figures.expected is None else str(figures.expected),
        "most": figures.most,
        "every_value": not figures.missing,
    }


def _register(figures: RegisterFigures) -> dict[str, Json]:
    return {
        "dice": figures.register.dice,
        "scores": {str(rolls): str(score) for rolls, score in figures.scores.items()},
        "information_bits": f"{figures.information:.12f}",
        "correlation": str(figures.correlation),
    }


def _print(known: Catalogue) -> None:
    console = Console()
    table = _table(f"A d{known.values} out of d{known.sides}s", "method", "score", "dice", "most", "", "how")
    for entry in known.entries:
        table.add_row(entry.name, *_figures(entry.figures), entry.words)
    console.print(table)
    scores = _table("The best score that so many dice allow", *map(str, known.scores))
    scores.add_row(*map(score, known.scores.values()))
    console.print(scores)
    registers = _table(
        "The register: the score after so many rolls from a known value",
        "dice",
        *map(str, known.registers[0].scores),
        "bits told",
        "correlation",
    )
    for r in known.registers:
        told_bits, correlation = f"{r.information:.6f}", f"{float(r.correlation):+.5f}"
        registers.add_row(str(r.register.dice), *map(score, r.scores.values()), told_bits, correlation)
    console.print(registers)


def _figures(figures: Figures) -> tuple[str, str, str, str]:
    most = "-" if figures.most is None else str(figures.most)
    never = f"{figures.missing} never come up" if figures.missing else ""
    return score(figures.score), average_dice(figures), most, never


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    for column in columns:
        words = column in {"method", "how", ""}
        table.add_column(column, justify="left" if words else "right", no_wrap=not words)
    return table
