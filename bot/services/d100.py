"""A d100 out of dice: the ways beside the register, and real dice."""

from bot.campaign.command import RollOptions
from bot.campaign.d100_rolls import OtherWay, Real, RegisterDice, TableDice
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import WAYS, Method
from bot.d100.physical import table_progress
from bot.d100.pool import PoolMethod

METHODS: dict[str, OtherWay] = {
    **{name: Method(name) for name in WAYS},
    PoolMethod.name: PoolMethod(),
    LeftoversMethod.name: LeftoversMethod(),
}
"""Every way to a d100 out of six-sided dice but the register, by the name it is chosen with."""


def real_dice(faces: tuple[int, ...], real: Real) -> RegisterDice | TableDice:
    """Return the command that records real dice; it raises SpecError where they are too few or too many."""
    return (RegisterDice if real is Real.REGISTER else TableDice)(faces, RollOptions())


def is_complete(faces: tuple[int, ...], real: Real) -> bool:
    """Return whether the table has come to a value; of a register's dice their thrower says so."""
    return real is Real.TABLE and table_progress(faces).missing == 0
