"""Commands of /roller that make a luck account, pity, or "not again so soon"."""

import re

from discord import app_commands

from bot.campaign.campaigns import Remembers
from bot.dice.errors import SpecError
from bot.dice.system import Json, Spec, System
from bot.systems.checks import read_degrees
from bot.systems.luck import Keeping, Own
from bot.systems.registry import read_spec
from bot.systems.renewal import LABELS
from bot.systems.typed import in_decimals
from cogs.kit.interactions import Interaction
from cogs.kit.options import DiceText, Name, offered
from cogs.roller.making import ROLLER, Decimal, Memory, make, make_of

Words = app_commands.Range[str, 1, 400]
PRESETS: dict[str, Spec] = {
    "gentle": {"tightness": "0.25"},
    "even": {"tightness": "0.5"},
    "kind": {"tightness": "0.5", "drought": "1"},
    "strict": {"tightness": "1"},
}
FEELS, COUNTS = offered(__file__, "feels"), offered(__file__, "counts")
OWNS, KEEPS = offered(__file__, "owns", Own), offered(__file__, "keeps", Keeping)


@ROLLER.command()
async def luck(
    interaction: Interaction,
    name: Name,
    feel: app_commands.Transform[str, FEELS] | None = None,
    tightness: Decimal | None = None,
    drought: Decimal | None = None,
    cap: Decimal | None = None,
    whose: Memory = Remembers.PLAYER,
    own: app_commands.Transform[Own, OWNS] = Own.PRACTICE,
    keep: app_commands.Transform[Keeping, KEEPS] = Keeping.SESSION,
    counts: app_commands.Transform[str, COUNTS] = "pass",
    degrees: Words = "",
) -> None:
    """Make a luck account: behind on passes, your next odds are a little better.

    :param name: Name it: /check and /group call take the name
    :param feel: How it feels (even)
    :param tightness: How strongly, instead of a feel: 0 is plain dice, 0.5 even, 1 strict
    :param drought: How much misses in a row help: 0 to 10
    :param cap: Double or halve the odds at most this often (3)
    :param whose: Whose checks it counts (each player's own)
    :param own: How a check counts that no game master called for
    :param keep: How long it lasts
    :param counts: What it counts
    :param degrees: Score degrees of success: miss = 0, 0 pass = 2, 10 critical pass = 3
    """
    typed = {"tightness": tightness, "drought": drought, "cap": cap}
    own_values: Spec = {key: value for key, value in typed.items() if value is not None}
    if feel and own_values.keys() >= PRESETS[feel].keys():
        raise SpecError("Choose a feel, or say how strongly. Leave one out.")
    chosen: Spec = {**PRESETS[feel or "even"], **own_values}

    def read() -> System:
        if degrees and counts == "rank":
            raise SpecError("Degrees of success are of checks against a DC, and ranks of rolls without one.")
        scored: list[Json] = [[degree.least, degree.name, degree.score] for degree in read_degrees(degrees)]
        return read_spec({"system": "luck", **chosen, "own": own, "keep": keep, "score": scored or counts})

    await make_of(interaction, name, read, whose)


@ROLLER.command()
async def renewal(
    interaction: Interaction,
    name: Name,
    chance: Decimal | None = None,
    latest: app_commands.Range[int, 1, 300] | None = None,
    table: Words = "",
    event: app_commands.Range[str, 1, 80] = LABELS[0],
    nothing: app_commands.Range[str, 1, 80] = LABELS[1],
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make pity: the longer something stays away, the likelier it gets.

    :param name: Name it: /roll takes the name
    :param chance: How often it comes in the long run, such as 0.25 or 1/6
    :param latest: The try at which it surely comes (the chance just grows)
    :param table: Instead of both: its chance at the first try, the second, and so on
    :param event: What comes: encounter, say
    :param nothing: Name what happens when it does not come
    :param memory: Whose tries it counts (the table's)
    """
    if bool(table) == (chance is not None) or (table and latest is not None):
        raise SpecError("Give a `chance`, with `latest` or without, or a `table`.")
    parameters: Spec = {"table": _split_list(table)} if table else {}
    if latest is not None:
        parameters["latest"] = latest
    if chance is not None:
        parameters["prd" if latest is None else "chance"] = in_decimals(chance)
    spec: Spec = {"system": "renewal", **parameters, "labels": [event, nothing]}
    await make(interaction, name, spec, memory)


@ROLLER.command()
async def recency(
    interaction: Interaction,
    name: Name,
    dice: DiceText = "1d6",
    weights: Words = "",
    last: app_commands.Range[int, 1, 20] | None = None,
    tries: app_commands.Range[int, 1, 10] | None = None,
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make "not again so soon": what has just come up is rarer for a while.

    :param name: Name it: /roll takes the name
    :param dice: Dice with equally likely results, such as 1d6
    :param weights: The chance of a repeat, newest first: 0 (never), or 0, 0.5 (two rolls)
    :param last: Instead of weights: reroll this many of the last results
    :param tries: Reroll at most this often
    :param memory: Whose rolls it remembers (the table's)
    """
    spec: Spec = {"system": "recency", "base": dice}
    typed: Spec = {"weights": _split_list(weights) if weights else None, "last": last, "tries": tries}
    spec |= {key: value for key, value in typed.items() if value is not None}
    if len(spec) == 2:
        spec["weights"] = ["0"]
    await make(interaction, name, spec, memory)


def _split_list(text: str) -> list[Json]:
    """Split a list of decimals and percentages at commas, semicolons and blanks."""
    return [part for part in re.split(r"[\s,;]+", in_decimals(text)) if part]
