"""Measure the cost of a roll's reply: `/roll 2d6+3` from the roll to the payload, as a card and as text.

`python -m benchmarks.cards` prints the table in docs/performance.md. It is processor time, of alternating
rounds; what discord.py posts is written as JSON, and nothing is sent.
"""

import asyncio
import json
import time
from importlib import import_module
from statistics import median
from typing import Any

import typer
from discord.http import handle_message_parameters
from rich.console import Console
from rich.table import Table

from bot.campaign.campaigns import Campaign, Looks
from bot.campaign.command import OPEN, Caller, decide
from bot.campaign.replay import read_roll
from bot.campaign.rolls import RollDice
from bot.campaign.state import State
from bot.dice.draws import seeded
from bot.record.ledger import Ledger
from bot.words.rolls import RollReply, answer
from cogs.kit.cards import send
from tests.support.play import Local

import_module("cogs.kit.replies")  # the buttons that a roll's card names
_KEY = bytes(32)
_ASKER = Caller(1_000_000_000_000_000_000, 9, 7, 42)
_STATE = State(Campaign(home=_ASKER.home))


class Posts:
    """A channel that writes each message and sends none."""

    async def send(self, **body: Any) -> None:  # noqa: ANN401 (what discord.py takes)
        """Serialize the reply as it is sent to Discord."""
        json.dumps(handle_message_parameters(**body).payload, separators=(",", ":"))


async def cost(looks: Looks, rolls: int) -> float:
    """Return the seconds of processor time that one message takes."""
    draws = Local(seeded(1))
    to: Any = Posts()  # of a channel no more is needed
    bodies = [decide(RollDice("2d6+3"), _ASKER, _STATE, lambda: draws) for _ in range(rolls)]
    rolled = [read_roll(Ledger(1, "0f" * 16, _KEY).append(_ASKER, OPEN, body, _KEY).event) for body in bodies]
    begun = time.process_time()
    for event in rolled:
        await send(to, answer(RollReply(event), has_name=True), looks=looks)
    return (time.process_time() - begun) / rolls


async def measure(rounds: int, rolls: int) -> dict[Looks, list[float]]:
    """Return each look's costs in alternating rounds, after one to warm up."""
    costs: dict[Looks, list[float]] = {Looks.TEXT: [], Looks.CARDS: []}
    for number in range(rounds + 1):
        for looks in costs:
            seconds = await cost(looks, rolls)
            costs[looks] += [seconds] if number else []
    return costs


def main(rounds: int = 15, rolls: int = 500) -> None:
    """Measure and print the table; it takes a second or two."""
    costs_by_look = asyncio.run(measure(rounds, rolls))
    table = Table("a roll shown as", "CPU µs", "ratio")
    for looks, costs in costs_by_look.items():
        ratio = median(seconds / text for seconds, text in zip(costs, costs_by_look[Looks.TEXT], strict=True))
        table.add_row(looks.value, f"{1e6 * median(costs):.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
