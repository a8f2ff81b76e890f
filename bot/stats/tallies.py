"""Count faces per roll: each toss of plain dice, each face of a roller, and the source of the bits.

Dice that only show the result of a roller are not counted again, and practice counts as no roller's.
"""

import json
from collections import Counter
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from bot.campaign.accounts import counted_check, score
from bot.campaign.events import Event, Rolled
from bot.campaign.replay import read_roll
from bot.dice.distribution import MAX_FACES
from bot.dice.terms import Dice
from bot.dice.throws import Pool
from bot.systems.odds import shares
from bot.systems.registry import load_spec

FaceCounts: TypeAlias = Counter[tuple[str, str]]
"""How often each face of each die came out, by die and face."""

SOURCES = "bits"
"""Counts rolls by the source of their bits, as if that were a die."""
_MARK = "@"


def count(event: Event) -> FaceCounts:
    """Return what a roll adds; ReplayError where record and rule don't fit."""
    tally: FaceCounts = Counter()
    roll = event.roll
    if roll.source:
        tally[SOURCES, roll.source.value] += 1
    if not roll.spec:
        tally.update(tosses(event))
    elif not roll.practice:
        die = roller_die(roll.roller, roll.spec)
        tally.update((die, face) for face in faces(roll))
    return tally


def faces(roll: Rolled) -> tuple[str, ...]:
    """Return what a roll of a roller counts as.

    The totals of a luck account are of many dice: a check that it counted in full is 1 where it scored what
    was to be expected or more, as every pass does, else 0.
    """
    if not roll.stake:
        return roll.results
    account = counted_check(roll)
    return (str(int(score(account, roll) >= account.outcomes.expected)),) if account else ()


def tosses(event: Event) -> list[tuple[str, str]]:
    """Return each toss of a roll of plain dice, in order: the die, and the face that fell."""
    fell: list[tuple[str, str]] = []
    for outcome in read_roll(event).outcomes:
        for part in outcome.throw.parts if outcome.throw else ():
            if isinstance(part, Pool) and part.term.sides <= MAX_FACES:
                die = die_of(part.term)
                fell += [(die, str(face.value)) for one in part.dice for face in one.faces]
    return fell


def die_of(term: Dice) -> str:
    """Return the name of one die of a term: d20, or dF."""
    return "dF" if term.fate else f"d{term.sides}"


def roller_die(name: str, spec: str) -> str:
    """Return a roller as a die: one of other faces or shares is another die, one tuned on is the same."""
    return f"{_MARK}{_table_id(spec)}:{name.casefold()}"


def is_roller(die: str) -> bool:
    """Return whether a die is a roller."""
    return die.startswith(_MARK)


@lru_cache(maxsize=512)
def _table_id(spec: str) -> str:
    system = load_spec(spec)
    return sha256(json.dumps([system.faces, shares(system)]).encode()).hexdigest()[:8]
