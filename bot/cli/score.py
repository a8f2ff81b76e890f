"""`score`: how even a rule of one's own for a d100 is, and what it takes, as words or as JSON."""

import json
from typing import Annotated

import typer

from bot.cli.stopping import told
from bot.d100.catalogue import catalogue
from bot.d100.rules import score_rule
from bot.words.d100 import scored

_RULE = "The rule, such as '20d6-20 mod 100' (examples above)."
_DICE = "Sides of a die with a letter; 2 to 100."
_VALUES = "Values that you want; 2 to 1,000."
_JSON = "Print the score, the dice and each value's chance as exact fractions."


def score(
    rule: Annotated[str, typer.Argument(help=_RULE, metavar="RULE", show_default=False)],
    *,
    dice: Annotated[int, typer.Option(help=_DICE, metavar="SIDES")] = 6,
    values: Annotated[int, typer.Option(help=_VALUES)] = 100,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
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
    with told():
        figures, known = score_rule(rule, dice, values), catalogue(dice, values)
    if not as_json:
        typer.echo("\n".join(scored(rule, figures, known)))
        return
    total = sum(figures.weights)
    chances = {str(v or values): f"{weight}/{total}" for v, weight in enumerate(figures.weights)}
    found = {"score": str(figures.score), "expected": str(figures.expected), "most": figures.most}
    typer.echo(json.dumps({**found, "chances": chances}))
