"""`tune`: the parameters with the least variance at a required entropy, as a table or as JSON."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table

from bot.cli.stopping import exit_with_error
from bot.dice.system import Base, Json, OnBase, print_decimal, read_base, read_decimal
from bot.parsing.texts import read_roller
from bot.stats.curves import ends
from bot.stats.fitting import Fit, fit, read_lengths
from bot.stats.measures import Candidate
from bot.stats.tuner import SAMPLES_LIMIT, VALUES_LIMIT, Advice, TunedDeck, TunedDice, advise
from bot.systems.deck import Deck
from bot.systems.fair import Fair
from bot.systems.typed import read_cards
from bot.words import tuning as words

_VALUES = f"How many equally likely results: 6 for a d6; 2 to {VALUES_LIMIT}."
_DICE = "Instead of values: dice such as 2d6, results such as 'wood 4, brick 3', or a roller as JSON."
_SAMPLES = f"Rolls in an evening, 25 or 15-40; 1 to {SAMPLES_LIMIT}."
_UNPREDICTABILITY = "The least entropy, in per cent of plain dice's; 50 to 99."
_JSON = "Print JSON: the best deck and dice, and the best of the article's grids."
_PLOT = "Write a chart of entropy and variance over the rolls, as PNG."


def tune(
    values: Annotated[int, typer.Option(help=_VALUES)] = 6,
    samples: Annotated[str, typer.Option(help=_SAMPLES)] = "25",
    unpredictability: Annotated[str, typer.Option(help=_UNPREDICTABILITY, metavar="PERCENT")] = "90",
    dice: Annotated[str, typer.Option(help=_DICE)] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
    plot: Annotated[Path | None, typer.Option(help=_PLOT, metavar="FILE")] = None,
) -> None:
    """Find the dice with the most even luck that stay as hard to guess as you want.

    Entropy says how hard the next roll is to guess: 100% is plain dice. Variance says how uneven the results
    are after the evening: 0 is perfectly even. The tuner looks for the least variance at an entropy of at
    least PERCENT, exactly.

    A d6 in an evening of 25 rolls, 90% as hard to guess as plain dice:

        tune --values 6 --samples 25 --unpredictability 90

    The same with a chart, and for another program:

        tune --values 4 --samples 30 --plot tune.png

        tune --values 4 --samples 30 --json

    Dice whose totals are not alike, and an evening of 15 to 40 rolls:

        tune --dice 2d6 --samples 15-40 --unpredictability 95

    Then try what it found: `odds`, `simulate`, or `/roller dynamic` and `/roller deck` on Discord.
    """
    with exit_with_error():
        entropy, lengths = read_decimal(unpredictability) / 100, read_lengths(samples)
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("working it out", total=None)

            def tell(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            if dice or len(lengths) > 1:
                result: Advice | Fit = fit(_base(dice, values), lengths, entropy)
                title = words.title(dice or values, lengths, print_decimal(100 * entropy))
                lines = words.fit_lines(result)
            else:
                result = advise(values, lengths[0], entropy, tell)
                title, lines = words.title_of(result), words.curve_lines(result)
        if plot:
            from bot.charts.curves import curves_chart

            plot.write_bytes(curves_chart(title, lines, lengths[-1]))
    if isinstance(result, Advice):
        _ = typer.echo(json.dumps(_as_json(result))) if as_json else _print(result)
    elif as_json:
        typer.echo(json.dumps({"deck": _fit_as_json(result.deck), "fair": _fit_as_json(result.fair)}))
    else:
        typer.echo("\n".join([title, *words.fit_costs(result, lengths)]))


def _base(dice: str, values: int) -> Base:
    """Return a base: equal values, weighted results, or the long-run chances of a roller."""
    if "," in dice and "{" not in dice:
        return read_base(read_cards(dice))
    system = read_roller(dice or f"1d{values}")
    return system.base if isinstance(system, OnBase) else ends(system)[0].base


def _fit_as_json(fitted: Candidate[Deck | Fair] | None) -> dict[str, Json] | None:
    return fitted and {
        "system": fitted.system.as_spec(),
        **asdict(fitted.over),
        "simulated": fitted.evening.simulated,
    }


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
    span = f"{advice.lengths[0]}-{advice.lengths[-1]}"
    figures = "entropy, %", f"variance at {n}", f"mean at {span}", "worst"
    columns = (Column(figure, justify="right") for figure in figures)
    table = Table(Column("system", no_wrap=True), *columns, box=None)
    for name, roller in words.advice_rows(advice):
        entropy, _, variance = words.evening_figures(roller.evening, n)
        over = roller.over
        table.add_row(name, entropy, variance, f"{over.mean:.3f}", f"{over.worst:.3f} at {over.worst_at}")
    console = Console(highlight=False)
    console.print(words.title_of(advice), style="bold")
    console.print(table)
    best = advice.tuning.optimum
    console.print(
        f"Dynamic dice of that factor are fair dice of tightness {best.tightness:.6f}.", style="dim"
    )
    for remark in words.remarks(advice):
        console.print(remark)
