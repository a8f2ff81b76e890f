"""`odds`: the exact chances of dice or of a roller's next roll, as a table, a chart, JSON or CSV."""

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.campaign.campaigns import Remembers
from bot.cli.stopping import Refusal, exit_with_error
from bot.dice import notation
from bot.dice.errors import NotationError
from bot.dice.naming import Vocabulary, folded, is_taken, resolve
from bot.dice.system import Json
from bot.parsing.texts import read_roller
from bot.systems.game import GameRoll
from bot.systems.odds import Chances, Span, chances, long_run
from bot.systems.odds import after as memory_after
from bot.systems.typed import read_faces
from bot.words import odds as words
from bot.words import odds_charts
from bot.words.odds import Side
from bot.words.saying import say_many
from bot.words.text import percent

_BAR, _BESIDE = 32, 36
"""The lengths of the longest bar and of the figures beside it, in characters."""

_SPEC = "Dice such as 2d6, or a roller as JSON (examples above)."
_NAME = "What a name in the dice means, such as sneak=1d20+7 or str=3. Once for each name."
_AFTER = 'The faces that came out already, the oldest first. A face with a comma in it goes in "quotes".'
_COMPARE = "Compare it with other dice, or with a fresh roller."
_JSON = 'Print JSON: {"faces": {face: chance}, "exact": {...}}, the exact ones as fractions.'
_CSV = "Print CSV: face,chance,exact, and the same of the comparison."
_PLOT = "Write a chart as PNG, with the chance that you ask for shaded."


def odds(
    spec: Annotated[str, typer.Argument(help=_SPEC, metavar="SPEC", show_default=False)],
    *,
    after: Annotated[str, typer.Option("--after", help=_AFTER, metavar="FACES")] = "",
    at_least: Annotated[int | None, typer.Option(help="Show the chance of this total or more.")] = None,
    at_most: Annotated[int | None, typer.Option(help="Show the chance of this total or less.")] = None,
    compare: Annotated[str, typer.Option(help=_COMPARE, metavar="SPEC")] = "",
    name: Annotated[list[str] | None, typer.Option("--name", help=_NAME, metavar="NAME=DICE")] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_JSON)] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help=_CSV)] = False,
    plot: Annotated[Path | None, typer.Option(help=_PLOT, metavar="FILE")] = None,
) -> None:
    """Show the exact chance of every result, of a total or more, and against another roll.

    Plain dice, whose chances never change, and the chance of 15 or more:

        odds 4d6kh3 --at-least 15

    Two rolls side by side: how often is either the higher one?

        odds 2d20kh1 --compare 1d20+3

    Dice with names in them:

        odds "sneak+str" --name sneak=1d20+7 --name str=3

    A fair roller after four rolls: what came out often is rarer for a while. The tightness says how much.

        odds '{"system": "fair", "base": "2d6", "tightness": "1"}' --after 2,4,7,7

    Dynamic dice, each face's weight times the factor whenever it comes out:

        odds '{"system": "dynamic", "base": "1d6", "factor": "0.355"}' --after 6,6

    A deck with copies of each card, reshuffled when it is empty:

        odds '{"system": "deck", "base": {"attack": 3, "defense": 3, "other": 3}}' --after attack
    """
    with exit_with_error():
        if as_json and as_csv:
            raise Refusal("Ask for --json or --csv, not for both.")
        span, rolled = Span(at_least, at_most), read_faces(after)
        names = _names(name or ())
        side, other = _side(spec, rolled, names), _side(compare, [], names) if compare else None
        for compared in (side, other) if span or other else ():
            _ = compared and compared.numbers  # refused here if it has none
        if plot:
            _draw(plot, side, span, other)
    if as_json:
        typer.echo(json.dumps(_as_json(side, span, other)))
    elif as_csv:
        _write_csv(side, other)
    else:
        _print(side, span, other, rolled)


def _names(definitions: Sequence[str]) -> Vocabulary:
    """Parse definitions of names; NotationError if one has no text or an invalid name."""
    texts = {folded(name): text for name, _, text in (line.partition("=") for line in definitions)}
    dice = {name: text for name, text in texts.items() if "d" in text.casefold() and notation.reads(text)}
    names = Vocabulary({name: text for name, text in texts.items() if name not in dice}, dice)
    for name, text in texts.items():
        if not text or is_taken(name) or not (notation.reads(f"d6+{text}") or resolve(f"d6+{text}", names)):
            wrong = f"{name}={text}" if text else name
            raise NotationError("Write --name as sneak=1d20+7, not as {wrong}.", wrong=wrong)
    return names


def _side(spec: str, rolled: list[str], names: Vocabulary) -> Side:
    resolved = resolve(spec, names)
    system = read_roller(resolved.text if resolved else spec)
    law = Chances(system.faces, long_run(system), chances(system, memory_after(system, rolled)))
    name = " ".join(spec.casefold().split()) if isinstance(system, GameRoll) else ""
    return words.side(name, system, Remembers.TABLE, law)


def _as_json(side: Side, span: Span, other: Side | None) -> dict[str, Json]:
    """Return the chances as floats, and as fractions under "exact"."""
    faces = dict(zip(side.faces, side.now, strict=True))
    floats: dict[str, Json] = {"faces": {face: float(chance) for face, chance in faces.items()}}
    exact: dict[str, Json] = {"faces": {face: str(chance) for face, chance in faces.items()}}
    if totals := side.totals:
        floats |= {"mean": float(totals.mean), "deviation": totals.deviation}
        exact |= {"mean": str(totals.mean), "variance": str(totals.variance)}
    extra = {"asked": side.numbers.within(span)} if span else {}
    if other:
        extra |= zip(("higher", "equal", "lower"), side.numbers.against(other.numbers), strict=True)
    floats |= {name: float(chance) for name, chance in extra.items()}
    exact |= {name: str(chance) for name, chance in extra.items()}
    versus = {"versus": _as_json(other, span, None)} if other else {}
    return {**floats, "exact": exact, **versus}


def _write_csv(side: Side, other: Side | None) -> None:
    rows = csv.writer(sys.stdout, lineterminator="\n")
    if other is None:
        rows.writerow(("face", "chance", "exact"))
        rows.writerows((f, float(p), p) for f, p in zip(side.faces, side.now, strict=True))
    else:
        rows.writerow(("face", "chance", "exact", "versus", "versus exact"))
        bars = words.bars(side, Span(), other)
        rows.writerows((bar.face, float(bar.now), bar.now, float(bar.base), bar.base) for bar in bars)


def _draw(file: Path, side: Side, span: Span, other: Side | None) -> None:
    from bot.charts.odds import odds_chart

    caption, bars = odds_charts.caption(side, span, other), words.bars(side, span, other)
    file.write_bytes(odds_chart(*caption, bars, odds_charts.key(side, span, other)))


def _print(side: Side, span: Span, other: Side | None, rolled: list[str]) -> None:
    console = Console(highlight=False)
    filled, mark = ("#", "|") if console.options.ascii_only else ("█", "│")
    bars = words.bars(side, span, other)
    rolls = say_many("{n} roll", "{n:,} rolls", len(rolled))
    title, second = side.title, [bar.base for bar in bars]
    if other:
        heads, title, marked = (side.short, other.short), f"{side.title} and {other.title}", other.title
    elif side.totals and not side.remembers:
        heads, marked, second = ("chance, %", "or more, %"), "", words.or_more(bars)
    else:
        heads, marked = ("next roll, %", "base, %"), "the base: the chance without memory"
        title += f": after {rolls}" if side.remembers else ""
    table = Table(title=Text(title), title_justify="left", title_style="bold", box=None)
    table.add_column("face", justify="right", overflow="fold")
    table.add_column(Text(heads[0]), justify="right")
    table.add_column(Text(heads[1]), justify="right", style="dim")
    table.add_column("", no_wrap=True)
    room = max(1, min(_BAR, console.width - _BESIDE))
    top = max(max(bar.now, bar.base) for bar in bars)
    for bar, beside in zip(bars, second, strict=True):
        drawn = Text((filled * round(bar.now / top * room)).ljust(room))
        drawn.style = "cyan" if bar.highlighted else "dim"
        if marked:
            at = max(0, round(bar.base / top * room) - 1)
            drawn = Text.assemble(drawn[:at], (mark, "bold"), drawn[at + 1 :])
        table.add_row(Text(bar.face), percent(bar.now), percent(beside), drawn)
    console.print(table)
    if marked:
        console.print(Text(f"{mark} marks {marked}."), style="dim")
    for compared in (side, other):
        if compared and (compared.totals or compared.amounts):
            within = words.exactly(compared.numbers.within(span)) if span else ""
            chance = f"; {words.span_text(span)}: {within}" if span else ""
            console.print(Text(f"{compared.title}: {words.figures(compared)}{chance}"))
    if other:
        console.print(Text(words.against(side, other).replace("`", "")))
