"""`game check`: the faults of a game's file, and the exact odds of its rolls."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stopping import FAILED, Refusal, exit_with_error
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NoDice, SpecError
from bot.rulebooks.book import Game, NamedRoll, read_game
from bot.rulebooks.faults import examples, extremes, faults, line_of
from bot.rulebooks.words import GameRequest, understand
from bot.systems.game import GameRoll, game_roll
from bot.systems.odds import Totals, amounts, chances, totals
from bot.words.saying import say_many
from bot.words.text import percent


class Action(StrEnum):
    """Actions of the command."""

    CHECK = "check"


_ACTION = "The only one is check."
_FILE = "A game as JSON; see docs/games.md."


def game(
    action: Annotated[Action, typer.Argument(help=_ACTION, metavar="ACTION", show_default=False)],  # noqa: ARG001 (there is one)
    file: Annotated[Path, typer.Argument(help=_FILE, metavar="FILE", show_default=False)],
) -> None:
    """Check a game's file: list its faults, and the exact odds of its rolls.

    The odds are those of the file's buttons, or of a roll with small numbers:

        game check bot/games/blades.json
    """
    with exit_with_error():
        try:
            text = file.read_text("utf-8-sig")  # with or without a byte-order mark, as `/game import`
        except UnicodeDecodeError:
            raise Refusal(f"{file} is no text in UTF-8.") from None
        wrong = faults(text)
        if not wrong:
            rules = read_game(text)
            rolls = say_many("{n} roll", "{n:,} rolls", len(rules.rolls))
            typer.echo(f"{rules.name}: {rolls}.")
            wrong += _buttons(rules)
            for roll in rules.rolls:
                typer.echo(f"\nType `{rules.pattern(roll)}`: {roll.help}")
                wrong += _try_roll(rules, roll)
    for fault in wrong:
        typer.echo(f"{file}:{line_of(text, fault)}: {fault}", err=True)
    if wrong:
        raise typer.Exit(FAILED)
    typer.echo("\nNothing is wrong with this file.")


def _buttons(rules: Game) -> list[str]:
    """Return the faults of the game's buttons."""
    wrong: list[str] = []
    for words in rules.buttons:
        try:
            if understand(words, {rules.key: rules}, None) is None:
                wrong.append(f"buttons: {words!r} does not begin with {rules.key}.")
        except SpecError as error:
            wrong.append(f"buttons: {words!r}: {error}")
    return wrong


def _try_roll(rules: Game, roll: NamedRoll) -> list[str]:
    """Print the odds of a roll's examples; return the faults found by trying it."""
    wrong: dict[str, None] = {}
    outcomes: set[str] = set()
    samples = [] if _buttons(rules) else examples(rules, roll)
    for request in [*samples, *extremes(rules, roll)]:
        try:
            system = game_roll(request)
            system.throw((), seeded(1))
        except DiceError as error:
            if request in samples or not isinstance(error, NoDice):
                wrong[f"rolls.{roll.name}: with {request.words!r}: {error}"] = None
            continue
        try:
            outcomes.update(
                face for face, weight in zip(system.faces, system.weights(()), strict=True) if weight
            )
        except SpecError as error:
            if request in samples:
                typer.echo(f"  {request.words}\n    {error}")
            outcomes.update(name for name, _ in system.rule.classes)
            continue
        if request in samples:
            _print(request, system)
    wrong |= {
        f"rolls.{roll.name}.classes.{name}: {name} never came out, whatever was tried.": None
        for name, _ in roll.rule.classes
        if name not in outcomes
    }
    return [*wrong]


def _print(request: GameRequest, system: GameRoll) -> None:
    now = chances(system, ())
    typer.echo(f"  {request.words}")
    if numbers := totals(system.faces, now):
        typer.echo(f"    {_figures(numbers)}")
    else:
        for face, chance in zip(system.faces, now, strict=True):
            typer.echo(f"    {face}: {percent(chance)}%, {chance}")
    if beside := amounts(system):
        typer.echo(f"    {system.rule.amount}: {_figures(beside)}")


def _figures(numbers: Totals) -> str:
    least, most = numbers.chances[0][0], numbers.chances[-1][0]
    return f"{least} to {most}, {float(numbers.mean):.2f} on average, exactly {numbers.mean}"
