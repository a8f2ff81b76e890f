"""A process that rolls as fast as it can, openly and hidden, reveals, erases who rolls and cuts the history.

It tells each answered event by its number and its leaf, and where a cut begins.
"""

import asyncio
import os
import sys
import time
from contextlib import suppress

from bot.campaign.command import Command, RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from bot.services.retention import Retention
from tests.storage.asking import Storage, caller, fair, forget, opened

ERASED = 2
"""The user who is erased."""
CUT = b"cut\n"
"""What is told where a cut begins."""
DAYS = 1
"""For so long the history is kept; a cut believes that so much time has passed since a moment ago."""
KEPT_SECONDS = 0.2
HIDDEN = RollOptions(visibility=Visibility.GM)


async def ask(storage: Storage, command: Command, user: int = 1) -> Event:
    """Ask for something; what it writes to the pipe is out before anything else is asked."""
    event = (await storage.writer.write(caller(user=user), command)).event
    os.write(1, f"{event.seq} {event.seal.leaf.hex()}\n".encode())
    return event


async def roll_for_ever(storage: Storage) -> None:
    """One caller."""
    while True:
        await ask(storage, RollDice("evil"))


async def hide_for_ever(storage: Storage) -> None:
    """Another one, who reveals what they rolled hidden, unless it was cut off meanwhile."""
    while True:
        hidden = await ask(storage, RollDice("evil", options=HIDDEN))
        with suppress(DiceError):
            await ask(storage, Reveal(hidden.seq))


async def erase_and_cut_for_ever(storage: Storage) -> None:
    """A third one, who erases themselves after each roll: no leaf changes by that.

    Nothing is cut off while somebody is erased, so the one follows the other.
    """
    retention = Retention(storage.database, storage.reader, DAYS)
    while True:
        await ask(storage, RollDice("evil"), ERASED)
        await forget(storage, caller(user=ERASED))
        os.write(1, CUT)
        await retention.tidy(time.time() - KEPT_SECONDS + DAYS * 86_400)


async def main(url: str, callers: int) -> None:
    """Roll, reveal, erase and cut until killed."""
    async with opened(url) as storage:
        with suppress(DiceError):  # the one before has made it
            await storage.writer.write(caller(), fair())
        rolling = [roll_for_ever(storage) for _ in range(callers)]
        await asyncio.gather(erase_and_cut_for_ever(storage), hide_for_ever(storage), *rolling)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
