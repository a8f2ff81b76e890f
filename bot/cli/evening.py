"""`evening`: entropy and variance of systems over an evening, roll by roll."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table
from rich.text import Text

from bot.charts.curves import SYSTEMS_LIMIT, curves_chart
from bot.cli.stopping import exit_with_error
from bot.dice.errors import SpecError
from bot.dice.system import Json, System
from bot.parsing.texts import read_roller
from bot.stats.curves import curve, ends
from bot.stats.measures import Curve
from bot.stats.tuner import SAMPLES_LIMIT
from bot.words import tuning as words
from bot.words.pictures import CurveLine

_SPECS = "Dice such as 2d6, or rollers as JSON (examples above); at most five."
_JSON = "Print JSON: each system as it was read, with every roll's entropy and variance."
_PLOT = "Write a chart of entropy and variance over the rolls, as PNG."


def evening(
    specs: Annotated[list[str], typer.Argument(help=_SPECS, metavar="SPEC", show_default=False)],
    *,
    samples: Annotated[int, typer.Option(help="Rolls in the evening; 1 to 200.")] = 25,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
    plot: Annotated[Path | None, typer.Option(help=_PLOT, metavar="FILE")] = None,
) -> None:
    """Show how hard to guess, and how even, dice are over an evening.

    Entropy says how hard each roll is to guess: 100% is plain dice, 0% is known beforehand. Variance says how
    far the counts are from their shares afterwards, squared, on average over the faces: 0 is perfectly even.
    Figures are exact where that is quick. Others are simulated, and show their standard errors.

    A fair roller:

        evening '{"system": "fair", "base": "2d6", "tightness": "1"}'

    Two systems on a d6 over 40 rolls, with a chart:

        evening '{"system": "dynamic", "base": "1d6", "factor": "0.355"}' '{"system": "deck", "base": "1d6", "refill": 6}' --samples 40 --plot evening.png

    A deck that never gives a card twice in a row, for another program:

        evening '{"system": "deck", "base": {"a": 3, "b": 3}, "no_repeat": true}' --samples 12 --json
    """  # noqa: E501 (an example is one line)
    with exit_with_error():
        if not 1 <= samples <= SAMPLES_LIMIT:
            raise SpecError(
                "An evening has 1 to {most} rolls, not {samples:,}.", most=SAMPLES_LIMIT, samples=samples
            )
        if len(specs) > SYSTEMS_LIMIT:
            raise SpecError(
                "At most {most} systems fit beside each other, not {count}.",
                most=SYSTEMS_LIMIT,
                count=len(specs),
            )
        systems = [read_roller(spec) for spec in specs]
        every, console = [*ends(systems[0]), *systems], Console(stderr=True)
        progress = track(every, "working it out", console=console, transient=True)
        plain, deck, *curves = [curve(system, samples) for system in progress]
        results = [*zip(systems, curves, strict=True)]
        lines = words.evening_lines(results, plain, deck)
        if plot:
            plot.write_bytes(curves_chart(words.evening_title(samples), lines, samples))
    if as_json:
        typer.echo(json.dumps({"samples": samples, "systems": [_as_json(*result) for result in results]}))
    else:
        _print(lines, samples)


def _as_json(system: System, figures: Curve) -> dict[str, Json]:
    return {
        "system": system.as_spec(),
        "entropy": figures.entropy[-1],
        "variance": figures.variance[-1],
        "entropy_of_each_roll": [*figures.entropies],
        "variance_after_each_roll": [*figures.variance],
        "simulated": figures.simulated,
        "entropy_error": figures.entropy_error,
        "variance_error": figures.variance_error,
    }


def _print(lines: list[CurveLine], samples: int) -> None:
    figures = "entropy, %", f"of roll {samples}", f"variance at {samples}"
    columns = (Column(figure, justify="right") for figure in figures)
    table = Table(Column("system", overflow="fold"), *columns, "", box=None)
    for line in lines:
        table.add_row(Text(line.name), *words.evening_figures(line.evening, samples), words.how(line.evening))
    console = Console(highlight=False)
    console.print(words.evening_title(samples), style="bold")
    console.print(table)
