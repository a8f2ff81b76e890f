"""`rigged`: statistical evidence for or against the dice of an exported history."""

from pathlib import Path
from typing import Annotated

import typer

from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Kind
from bot.campaign.replay import tosses
from bot.cli.audits import reading_export, shown
from bot.cli.stopping import Refusal
from bot.dice.system import System
from bot.record.exchange import Reading
from bot.record.lines import Told
from bot.stats.luck import plain_die
from bot.stats.rigged import Examined, examine_plain, examine_roller
from bot.systems.odds import shares
from bot.systems.registry import load_spec
from cogs.stats.words import verdict


def rigged(
    files: Annotated[
        list[Path], typer.Argument(help="What /export gave, all files in order.", show_default=False)
    ],
    die: Annotated[str, typer.Option(help="Only this roller or die, such as d20.")] = "",
) -> None:
    """Say what an export's dice tell against themselves, however often somebody looks.

    The export is checked on the way, as `verify` does. Undone rolls, practice, and what is closed to the
    export's reader are left out.
    """
    rolls: dict[int, Event] = {}

    def note(one: Told) -> None:
        if one.kind is Kind.UNDO and one.target is not None:
            rolls.pop(one.target, None)
        elif one.event and isinstance(one.event.body, Rolled) and one.event.body.results:
            rolls[one.seq] = one.event

    reading = Reading(note=note)
    with reading_export(reading, files):
        found = _examine([*rolls.values()])
        named = {name: one for name, one in found.items() if die.casefold() in {"", name.casefold()}}
        if not named:
            raise Refusal(f"Nobody rolled {die or 'any dice'} in it.")
        for name, (system, examined) in named.items():
            lines = [line.replace("**", "") for line in verdict(system, examined)]
            typer.echo("\n  ".join([f"{shown(name)}: {examined.dice:,} seen", *lines]))


def _examine(rolls: list[Event]) -> dict[str, tuple[System, Examined]]:
    """Return each die's and roller's evidence; rollers of one name with other faces are apart."""
    fallen: dict[str, list[str]] = {}
    of: dict[tuple[str, tuple[str, ...], tuple[int, ...]], list[Event]] = {}
    for event in rolls:
        if not event.roll.spec:
            for die, face in tosses(event):
                fallen.setdefault(die, []).append(face)
        elif not event.roll.practice:
            system = load_spec(event.roll.spec)
            of.setdefault((event.roller, system.faces, shares(system)), []).append(event)
    found: dict[str, tuple[System, Examined]] = {}
    for die, faces in fallen.items():
        found[die] = plain_die(die), examine_plain(plain_die(die), faces)
    for n, ((name, _, _), events) in enumerate(of.items(), start=1):
        system = load_spec(events[-1].roll.spec)
        if system.has_state:
            examined = examine_roller(events)
        else:
            examined = examine_plain(system, [face for event in events for face in event.roll.results])
        if examined:
            found[name if name not in found else f"{name} ({n})"] = system, examined
    return found
