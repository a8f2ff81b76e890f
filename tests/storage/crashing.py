"""A process that rolls as fast as it can, and says each roll's number and leaf once it is answered."""

import asyncio
import os
import sys
from contextlib import suppress

from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from tests.storage.asking import Storage, caller, fair, opened


async def roll_for_ever(storage: Storage) -> None:
    """One caller; what it writes to the pipe is out before the next roll begins."""
    while True:
        written = await storage.writer.write(caller(), RollDice("evil"))
        os.write(1, f"{written.event.seq} {written.event.seal.leaf.hex()}\n".encode())


async def main(url: str, callers: int) -> None:
    """Roll until killed."""
    async with opened(url) as storage:
        with suppress(DiceError):  # the one before has made it
            await storage.writer.write(caller(), fair())
        await asyncio.gather(*(roll_for_ever(storage) for _ in range(callers)))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
