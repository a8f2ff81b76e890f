"""`simulate`: counts, entropy and variance of a roller over many rolls with seeded draws."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table
from rich.text import Text

from bot.cli.stopping import exit_with_error
from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.parsing.texts import read_roller
from bot.stats.simulation import Playthrough
from bot.systems.odds import shares
from bot.words.systems import tag

ROLLS_LIMIT = 100_000_000
_AT_ONCE = 2_000
"""Rolls between two updates of the progress bar."""

_SPEC = "Dice such as 2d6, or a roller as JSON (examples above)."
_SEED = "The same seed gives the same rolls, on every machine and for ever."
_JSON = "Print {rolls, seed, counts, entropy, variance} instead of the table."


def simulate(
    spec: Annotated[str, typer.Argument(help=_SPEC, metavar="SPEC", show_default=False)],
    *,
    rolls: Annotated[int, typer.Option(help="How many rolls.")] = 1_000,
    seed: Annotated[int, typer.Option(help=_SEED)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
) -> None:
    """Roll a roller many times, just as the bot does.

    Counts say how often each face came up. Entropy says how hard a roll was to guess on average, 1 for plain
    dice. Variance says how far the counts are from their shares, squared, on average over the faces.

    Plain dice, whose counts drift apart:

        simulate 2d6 --rolls 3600

    A fair roller, whose counts stay together:

        simulate '{"system": "fair", "base": "2d6", "tightness": "1"}' --rolls 3600

    A deck that never gives a card twice in a row, for another program:

        simulate '{"system": "deck", "base": {"a": 3, "b": 3}, "no_repeat": true}' --rolls 600 --json
    """
    with exit_with_error():
        system = read_roller(spec)
        if not 1 <= rolls <= ROLLS_LIMIT:
            raise SpecError(
                "A simulation has 1 to {most:,} rolls, not {rolls:,}.", most=ROLLS_LIMIT, rolls=rolls
            )
        tally, console = Playthrough(system, seeded(seed)), Console(stderr=True)
        for done in track(range(0, rolls, _AT_ONCE), "rolling", console=console, transient=True):
            tally.play(min(_AT_ONCE, rolls - done))
    if as_json:
        counts = dict(zip(system.faces, tally.counts, strict=True))
        figures = {"entropy": tally.entropy, "variance": tally.variance}
        typer.echo(json.dumps({"rolls": rolls, "seed": seed, "counts": counts, **figures}))
    else:
        _print(tally, seed)


def _print(tally: Playthrough, seed: int) -> None:
    title = f"{tag(tally.system)}: {tally.rolls:,} rolls, seed {seed}"
    headings = "face", "count", "share", "off"
    table = Table(*(Column(heading, justify="right", overflow="fold") for heading in headings), box=None)
    base = shares(tally.system)
    for face, count, weight in zip(tally.system.faces, tally.counts, base, strict=True):
        share = tally.rolls * weight / sum(base)
        table.add_row(Text(face), f"{count:,}", f"{share:,.1f}", f"{count - share:+,.1f}")
    console = Console(highlight=False)
    console.print(Text(title), style="bold")
    console.print(table)
    console.print(f"entropy {100 * tally.entropy:.2f} % of plain dice, variance {tally.variance:,.3f}")
