"""A process that rolls as fast as it can and erases who rolls; it tells each answered roll."""

import asyncio
import os
import sys
from contextlib import suppress

from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from tests.storage.asking import Storage, caller, fair, forget, opened


async def roll(storage: Storage) -> None:
    """Roll once; what it writes to the pipe is out before the next roll begins."""
    written = await storage.writer.write(caller(), RollDice("evil"))
    os.write(1, f"{written.event.seq} {written.event.seal.leaf.hex()}\n".encode())


async def roll_for_ever(storage: Storage) -> None:
    """One caller."""
    while True:
        await roll(storage)


async def erase_for_ever(storage: Storage) -> None:
    """Another one, who erases themselves, and so all others, after each roll: no leaf changes by that."""
    while True:
        await roll(storage)
        await forget(storage, caller())


async def main(url: str, callers: int) -> None:
    """Roll and erase until killed."""
    async with opened(url) as storage:
        with suppress(DiceError):  # the one before has made it
            await storage.writer.write(caller(), fair())
        await asyncio.gather(erase_for_ever(storage), *(roll_for_ever(storage) for _ in range(callers)))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
