"""A d100 out of dice: the ways beside the register, real dice, and one's own register's reset."""

from bot.campaign.command import Caller, RollOptions
from bot.campaign.d100_rolls import (
    OtherWay,
    Real,
    RegisterDice,
    ResetRegister,
    RollMethod,
    Start,
    TableDice,
)
from bot.campaign.events import Event
from bot.d100.leftover import Leftover
from bot.d100.method import WAYS, Method
from bot.d100.physical import table_progress
from bot.d100.shifted import Shifted
from bot.services.rolling import Answer, Rolling
from bot.storage.writer import Writer

METHODS: dict[str, OtherWay] = {
    **{name: Method(name) for name in WAYS},
    Leftover.name: Leftover(),
    Shifted.name: Shifted(),
}
"""Every way to a d100 out of six-sided dice but the register, by the name it is chosen with."""


class D100:
    """The use cases of a d100 out of dice."""

    def __init__(self, rolling: Rolling, writer: Writer) -> None:
        self._rolling = rolling
        self._writer = writer

    async def roll(self, caller: Caller, way: OtherWay, options: RollOptions) -> Answer:
        """Roll by a way; for practice without what is kept."""
        return await self._rolling.ask(caller, RollMethod(way, options=options))

    async def physical(
        self, caller: Caller, faces: tuple[int, ...], real: Real, options: RollOptions
    ) -> Answer:
        """Record real dice; SpecError where they are too few or too many."""
        dice = RegisterDice if real is Real.REGISTER else TableDice
        return await self._rolling.ask(caller, dice(faces, options))

    async def reset(self, caller: Caller, start: Start) -> Event:
        """Let the caller's own register begin anew; can be undone."""
        return (await self._writer.write(caller, ResetRegister(start))).event


def is_complete(faces: tuple[int, ...], real: Real) -> bool:
    """Return whether the table has come to a value; of a register's dice their thrower says so."""
    return real is Real.TABLE and table_progress(faces).missing == 0
