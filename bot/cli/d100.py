"""`d100` and `score`: exact figures of every way to make a die out of others, or of a user's rule."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bot.cli.stopping import exit_with_error
from bot.d100.catalogue import Catalogue, MethodEntry, catalogue
from bot.d100.register import RegisterFigures
from bot.d100.rules import score_rule
from bot.dice.system import Json
from bot.words.d100 import evenness, method_row, scored
from bot.words.text import score as figure

_DICE = "Sides of the dice that you throw; 2 to 100."
_VALUES = "Values that you want; 2 to 1,000."
_JSON = "Print exact fractions as JSON instead of the tables."
_RULE = "The rule, such as '20d6-20 mod 100' (examples above)."
_LETTER = "Sides of a die with a letter; 2 to 100."
_RULE_JSON = "Print the score, the dice and each value's chance as exact fractions."


def d100(
    *,
    dice: Annotated[int, typer.Option(help=_DICE, metavar="SIDES")] = 6,
    values: Annotated[int, typer.Option(help=_VALUES)] = 100,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
) -> None:
    """Compare all ways to a d100 out of six-sided dice: how fair, and how many dice.

    The score is the sum of (p - 1/n)² over all n values: 0 is exact. The lowest one comes first; of equal
    ones, the one with the fewest dice on average. For the register you see the score some rolls after a known
    value, how much one value tells about the next one, and their correlation.

        d100

    Other dice and other values:

        d100 --dice 20 --values 6

    Every figure as an exact fraction, for another program:

        d100 --json
    """
    with exit_with_error():
        ways = catalogue(dice, values)
    if as_json:
        typer.echo(json.dumps(_as_json(ways)))
    else:
        _print(ways)


def score(
    rule: Annotated[str, typer.Argument(help=_RULE, metavar="RULE", show_default=False)],
    *,
    dice: Annotated[int, typer.Option(help=_LETTER, metavar="SIDES")] = 6,
    values: Annotated[int, typer.Option(help=_VALUES)] = 100,
    as_json: Annotated[bool, typer.Option("--json", help=_RULE_JSON)] = False,
) -> None:
    """Score your own rule for a d100 out of d6s, exactly, beside the known ways.

    The score is the sum of (p - 1/n)² over all n values: 0 is exact. Numbers count modulo n, and 0 is n.

        score '20d6-20 mod 100'

    A letter is one die, the same one wherever it stands:

        score 'if a<=3 then b else b+50'

    Throw all dice again, but not for ever:

        score '36*(a-1)+6*(b-1)+c; reroll if total>200 at most 4 times, then 51'

    Throw a single die again on its own, as often as it takes:

        score '20*(d6rr6-1) + 4*(d6rr6-1) + d6rr>4'
    """
    with exit_with_error():
        figures, ways = score_rule(rule, dice, values), catalogue(dice, values)
    if not as_json:
        typer.echo("\n".join(scored(rule, figures, ways)))
        return
    total = sum(figures.weights)
    chances = {str(v or values): f"{weight}/{total}" for v, weight in enumerate(figures.weights)}
    summary = {"score": str(figures.score), "expected": str(figures.expected), "most": figures.most}
    typer.echo(json.dumps({**summary, "chances": chances}))


def _as_json(ways: Catalogue) -> dict[str, Json]:
    return {
        "dice": ways.sides,
        "values": ways.values,
        "methods": [_method(entry) for entry in ways.entries],
        "scores": {str(k): str(value) for k, value in ways.scores.items()},
        "register": [_register(figures) for figures in ways.registers],
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
        "scores": {str(rolls): str(value) for rolls, value in figures.scores.items()},
        "information_bits": f"{figures.information:.12f}",
        "correlation": str(figures.correlation),
    }


def _print(ways: Catalogue) -> None:
    console = Console(highlight=False)
    table = _table(
        f"A d{ways.values} out of d{ways.sides}s", "method", "score", "dice", "most", "even", "how"
    )
    for entry in sorted(ways.entries, key=lambda entry: entry.figures.rank):
        figures = entry.figures
        even = evenness(figures) + (f", {figures.missing} never" if figures.missing else "")
        table.add_row(*method_row(entry), even, entry.words)
    console.print(table)
    scores = _table("The best score for each number of dice", "dice", "score")
    for dice, best in ways.scores.items():
        scores.add_row(str(dice), figure(best))
    console.print(scores)
    names = (f"{figures.register.dice} dice" for figures in ways.registers)
    registers = _table("The register: scores some rolls after a known value", "rolls", *names)
    for rolls in ways.registers[0].scores:
        registers.add_row(str(rolls), *(figure(figures.scores[rolls]) for figures in ways.registers))
    registers.add_row("bits told", *(f"{figures.information:.6f}" for figures in ways.registers))
    registers.add_row("correlation", *(f"{float(figures.correlation):+.5f}" for figures in ways.registers))
    console.print(registers)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 1, 0, 0))
    table.min_width = len(title)
    for column in columns:
        words = column in {"method", "even", "how"}
        table.add_column(column, justify="left" if words else "right", no_wrap=column not in {"even", "how"})
    return table
