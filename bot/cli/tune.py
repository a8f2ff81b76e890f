"""`tune`: the parameters with the most even luck at a wanted unpredictability, as a table or as JSON."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bot.cli.stopping import told
from bot.dice.system import Json, print_decimal, read_decimal
from bot.stats.advice import Advice, advise
from bot.stats.tuner import SAMPLES_LIMIT, VALUES_LIMIT, TunedDeck, TunedDice
from bot.words.tuning import lines, remarks, rows, title_of

_VALUES = f"How many equally likely results: 6 for a d6; 2 to {VALUES_LIMIT}."
_SAMPLES = f"How many rolls an evening has; 1 to {SAMPLES_LIMIT}."
_UNPREDICTABILITY = "The least entropy, in per cent of plain dice's; 50 to 99."
_JSON = "Print the best deck and dice as JSON, and beside them the best of the article's grids."
_PLOT = "Write a chart of entropy and variance over the rolls, as PNG."


def tune(
    values: Annotated[int, typer.Option(help=_VALUES)] = 6,
    samples: Annotated[int, typer.Option(help=_SAMPLES)] = 25,
    unpredictability: Annotated[str, typer.Option(help=_UNPREDICTABILITY, metavar="PERCENT")] = "90",
    *,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
    plot: Annotated[Path | None, typer.Option(help=_PLOT, metavar="FILE")] = None,
) -> None:
    """Find the system whose luck evens out best, and yet stays as unpredictable as you want.

    Entropy says how hard the next roll is to foretell: 100 % is plain dice. Variance says how unevenly the
    results came up after so many rolls: 0 is perfectly even. The tuner looks for the least variance at an
    entropy of at least PERCENT, exactly.

    A d6 in an evening of 25 rolls, 90 % as unpredictable as plain dice:

        tune --values 6 --samples 25 --unpredictability 90

    The same with a chart, and for another program:

        tune --values 4 --samples 30 --plot tune.png

        tune --values 4 --samples 30 --json

    Then try what it found: `odds`, `simulate`, or `/roller dynamic` and `/roller deck` on Discord.
    """
    with told():
        wanted = read_decimal("The unpredictability", unpredictability) / 100
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("working it out", total=None)

            def tell(done: int, of: int) -> None:
                progress.update(task, completed=done, total=of)

            advice = advise(values, samples, wanted, tell)
        if plot:
            from bot.charts.curves import curves_chart

            plot.write_bytes(curves_chart(title_of(advice), lines(advice), advice.tuning.samples))
    if as_json:
        typer.echo(json.dumps(_as_json(advice)))
    else:
        _print(advice)


def _as_json(advice: Advice) -> dict[str, Json]:
    tuning = advice.tuning
    return {
        "deck": _deck(tuning.deck),
        "grid_deck": _deck(tuning.grid_deck),
        "dynamic": _dynamic(tuning.dynamic) if tuning.dynamic else None,
        "optimum": {
            "factor": float(tuning.optimum.factor),
            "tightness": round(tuning.optimum.tightness, 6),
            "entropy": tuning.optimum.entropy,
            "variance": tuning.optimum.variance,
        },
    }


def _deck(deck: TunedDeck | None) -> dict[str, Json] | None:
    return deck and {**asdict(deck), "exact_variance": str(deck.exact_variance)}


def _dynamic(dice: TunedDice) -> dict[str, Json]:
    return {"factor": print_decimal(dice.factor), "entropy": dice.entropy, "variance": dice.variance}


def _print(advice: Advice) -> None:
    n = advice.tuning.samples
    table = Table(box=None)
    table.add_column("system", no_wrap=True)
    span = f"{advice.lengths[0]}-{advice.lengths[-1]}"
    for column in ("entropy, %", f"variance at {n}", f"mean at {span}", "worst"):
        table.add_column(column, justify="right")
    for name, evening, over in rows(advice):
        at = evening.at(n)
        table.add_row(
            name,
            f"{100 * at.entropy:.1f}",
            f"{at.variance:.3f}",
            f"{over.mean:.3f}",
            f"{over.worst:.3f} at {over.worst_at}",
        )
    console = Console(highlight=False)
    console.print(title_of(advice), style="bold")
    console.print(table)
    best = advice.tuning.optimum
    console.print(
        f"Dynamic dice of that factor are fair dice of tightness {best.tightness:.6f}.", style="dim"
    )
    for remark in remarks(advice):
        console.print(remark)
