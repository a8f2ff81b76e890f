"""A process that rolls as fast as it can, reveals, plays cards, erases who rolls and cuts the history.

It tells each answered event by its number and its leaf, and where a cut begins.
"""

import asyncio
import os
import sys
import time
from contextlib import suppress
from itertools import count

from bot.campaign.campaigns import Remembers
from bot.campaign.command import Command, RollOptions
from bot.campaign.deals import DealCards
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.hand_commands import DiscardCard, PlayCard, ReturnCard
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from bot.services.retention import Retention
from tests.storage.asking import Storage, caller, deck, fair, forget, opened

ERASED, PLAYER = 2, 3
"""The user who is erased, and the one who plays cards."""
CUT = b"cut\n"
"""What is told where a cut begins."""
DAYS = 1
"""For so long the history is kept; a cut believes that so much time has passed since a moment ago."""
KEPT_SECONDS = 0.2
HIDDEN, KEPT = RollOptions(visibility=Visibility.GM), RollOptions(visibility=Visibility.SELF)


async def ask(storage: Storage, command: Command, user: int = 1) -> Event:
    """Ask for something; what it writes to the pipe is out before anything else is asked."""
    event = (await storage.writer.write(caller(user=user), command)).event
    os.write(2, f"{event.seq} {event.seal.leaf.hex()}\n".encode())
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
            await ask(storage, Reveal(None, hidden.seq))


async def play_for_ever(storage: Storage) -> None:
    """Draw cards into a hand as a fourth player, and play them, discard them or put them back."""
    for place in count():
        drawn = await ask(storage, DealCards("Cards", options=KEPT, hand=True), PLAYER)
        with suppress(DiceError):  # it was cut off meanwhile
            match place % 3:
                case 0:
                    await ask(storage, PlayCard(1, drawn.seq), PLAYER)
                case 1:
                    await ask(storage, DiscardCard(1, drawn.seq), PLAYER)
                case _:
                    await ask(storage, ReturnCard(1, drawn.seq, "cards", Remembers.TABLE), PLAYER)


async def erase_and_cut_for_ever(storage: Storage) -> None:
    """Roll as a third player, and erase them after each roll; no leaf changes by that.

    Nothing is cut off while somebody is erased, so the one follows the other.
    """
    retention = Retention(storage.database, storage.reader, DAYS)
    while True:
        await ask(storage, RollDice("evil"), ERASED)
        await forget(storage, caller(user=ERASED))
        os.write(2, CUT)
        await retention.tidy(time.time() - KEPT_SECONDS + DAYS * 86_400)


async def main(url: str, callers: int) -> None:
    """Roll, reveal, play, erase and cut until killed."""
    async with opened(url) as storage:
        with suppress(DiceError):  # the one before has made it
            await storage.writer.write(caller(), fair())
            await storage.writer.write(caller(), MakeRoller("Cards", deck(), Remembers.TABLE))
        rolling = [roll_for_ever(storage) for _ in range(callers)]
        others = erase_and_cut_for_ever(storage), hide_for_ever(storage), play_for_ever(storage)
        await asyncio.gather(*others, *rolling)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
