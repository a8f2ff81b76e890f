"""Count the plain dice of recorded rolls, for migrations that change which dice count."""

from collections import Counter
from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection

from bot.campaign.replay import plain_tosses
from bot.dice.errors import DiceError
from bot.storage.rows import ROWS, Record, read_row
from bot.storage.saving import ADD_COUNTS, NOBODY

Counted: TypeAlias = tuple[int, int, str, str]
"""The campaign, the person, the die and its face."""


def tossed(
    connection: Connection, rolls: ColumnElement[bool], *, even: bool = True, by_hand: bool = True
) -> Counter[Counted]:
    """Count the tosses of public rolls, but those that a cut has removed.

    `even` is that of `plain_tosses`; dice thrown by hand are left out if not `by_hand`.
    """
    counts = Counter[Counted]()
    for record in connection.execute(ROWS.where(rolls)).mappings():
        # A damaged entry stops no upgrade: /verify names it.
        try:
            counts.update(_tosses(record, even=even, by_hand=by_hand))
        except (DiceError, ValueError):
            continue
    return counts


def add(connection: Connection, counts: Counter[Counted]) -> None:
    """Add tosses to the stored counts."""
    if counts:
        rows = ((*toss, n) for toss, n in counts.items())
        connection.execute(ADD_COUNTS, {"rows": dict(enumerate(rows))})


def _tosses(record: Record, *, even: bool, by_hand: bool) -> list[Counted]:
    row = read_row(record)
    if not row.counts or (row.visible_event.roll.thrown and not by_hand):
        return []
    event = row.visible_event
    at = event.campaign_id, event.player_id or NOBODY
    return [(*at, *toss) for toss in plain_tosses(event, even=even)]
