"""`rigged`: statistical evidence for or against the dice of an exported history."""

from pathlib import Path
from typing import Annotated

import typer

from bot.campaign.events import Event, Rolled
from bot.cli.audits import printable, reading_export
from bot.cli.stopping import Refusal
from bot.dice.system import System
from bot.record.exchange import Reading
from bot.record.lines import EventRecord
from bot.stats.rigged import EVERYBODY, Examined, bet_on, examine, falls, system_of
from bot.words.doubts import verdict


def rigged(
    files: Annotated[
        list[Path],
        typer.Argument(help="What /export gave, all files in order.", metavar="FILE", show_default=False),
    ],
    die: Annotated[str, typer.Option(help="Only this roller or die, such as d20.")] = "",
) -> None:
    """Show whether an export's dice look rigged, as often as you like.

    The export is checked on the way, as `verify` does. As in /rigged all rolls count that everybody saw fall,
    undone ones too; hidden rolls, practice and typed dice do not.
    """
    rolls: list[Event] = []

    def note(line: EventRecord) -> None:
        if line.event and isinstance(line.event.body, Rolled):
            rolls.append(line.event)

    reading = Reading(note=note)
    with reading_export(reading, files):
        results = _examine(rolls)
        if die:
            results = {name: result for name, result in results.items() if name.casefold() == die.casefold()}
        if not results:
            raise Refusal(f"Nobody rolled {die or 'any dice'} in it.")
        for name, (system, examined) in results.items():
            lines = [line.replace("**", "") for line in verdict(system, examined)]
            typer.echo("\n  ".join([f"{printable(name)}: {examined.dice:,} seen", *lines]))


def _examine(rolls: list[Event]) -> dict[str, tuple[System, Examined]]:
    """Return the evidence of each die and roller by name; equal names with other faces are numbered."""
    results: dict[str, tuple[System, Examined]] = {}
    by_die = [(die, throws) for (user_id, die), throws in falls(rolls).items() if user_id == EVERYBODY]
    for n, (die, throws) in enumerate(by_die, start=1):
        system, name = system_of(die, throws), throws[-1].event.roller or die
        examined = examine(system, bet_on(die, throws))
        results[name if name not in results else f"{name} ({n})"] = system, examined
    return results
