"""A d100 out of dice: the ways beside the register, and real dice."""

from bot.campaign.command import Drawing, RollOptions
from bot.campaign.d100_rolls import OtherWay, Real, RollMethod
from bot.campaign.rolls import RollRegister
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import WAYS, Method
from bot.d100.physical import table_progress
from bot.d100.pool import PoolMethod
from bot.dice.errors import SpecError

METHODS: dict[str, OtherWay] = {
    **{name: Method(name) for name in WAYS},
    PoolMethod.name: PoolMethod(),
    LeftoversMethod.name: LeftoversMethod(),
}
"""Every way to a d100 out of six-sided dice but the register, by the name it is chosen with."""


def real_dice(faces: tuple[int, ...], real: Real) -> Drawing:
    """Return the command that records real dice; SpecError where they are too few or too many."""
    options = RollOptions(thrown=faces)
    if not faces:
        raise SpecError("Type the dice you threw, such as 3 5 1 6.")
    if real is Real.REGISTER:
        return RollRegister(len(faces), options=options)
    progress = table_progress(faces)
    if progress.missing:
        raise SpecError("The table wants {missing} more dice.", missing=progress.missing)
    if progress.used < len(faces):
        wanted = " ".join(map(str, faces[: progress.used]))
        raise SpecError(
            "The table needs the first {used} of these dice and no more. Type {wanted} alone.",
            used=progress.used,
            wanted=wanted,
        )
    return RollMethod(Method("table"), options=options)


def is_complete(faces: tuple[int, ...], real: Real) -> bool:
    """Return whether the table has come to a value; of a register's dice their thrower says so."""
    return real is Real.TABLE and table_progress(faces).missing == 0
