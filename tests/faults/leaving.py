"""A person and a server that leave, step by step; as a process it says each step, until it is killed."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator

from bot.campaign.campaigns import Remembers
from bot.campaign.rolls import RollDice
from bot.storage.erasing import CHUNK, begin_erasure, delete_some, erase_some, hide_home
from tests.storage.asking import Storage, caller, fair, opened

LEAVING, STAYING = 1, 2
_HOME = caller().home


async def play(storage: Storage, channel: int, rolls: int) -> None:
    """Roll a roller that remembers each player: one who leaves, and each tenth time one who stays."""
    await storage.writer.write(caller(channel, 9), fair("own", Remembers.PLAYER))
    for begun in range(0, rolls, CHUNK):
        users = (LEAVING if place % 10 else STAYING for place in range(begun, min(rolls, begun + CHUNK)))
        asked = (storage.writer.write(caller(channel, user), RollDice("own")) for user in users)
        await asyncio.gather(*asked)


async def steps(storage: Storage, who: str) -> AsyncGenerator[None]:
    """Stand still at each place of the erasure of a person, or of a server, who roll on at first."""
    person = who == "person"
    await storage.transact(begin_erasure(caller(user=LEAVING)) if person else hide_home(_HOME))
    yield
    amid = 3
    while await storage.transact(erase_some(LEAVING) if person else delete_some()):
        yield
        if amid := max(0, amid - 1):
            await storage.writer.write(caller(1, LEAVING), RollDice("own" if person else "2d6"))


async def main(url: str, who: str) -> None:
    """Leave; what it says is out before the next step."""
    async with opened(url) as storage:
        async for _ in steps(storage, who):
            os.write(2, b"step\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
