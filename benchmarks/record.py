"""Measure the record's cost per roll: parts, salts and tree, against the hash chain that it replaced.

`python -m benchmarks.record` prints the table in docs/performance.md. Both make the event and the texts that
its row keeps; `link` is the old chain, which is used nowhere else. The whole `/roll` is the bot as a process
of its own with 64 in flight, in rounds between those of the other two; all is processor time.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from statistics import median

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.commands import Command, Load, run_round
from benchmarks.serving import MEASURED, serving
from bot.campaign.campaigns import Campaign
from bot.campaign.command import OPEN, Caller, decide
from bot.campaign.events import Body, Event
from bot.campaign.kinds import WORDLESS, Visibility
from bot.campaign.rolls import RollDice
from bot.campaign.state import State
from bot.dice.draws import seeded
from bot.record.codec import encode
from bot.record.hashing import TILE_BITS
from bot.record.ledger import Ledger
from tests.support.play import Local

IN_FLIGHT = 64
LIMIT = 0.05
OLD_BYTES = 16 + 32 + 32
"""A salt, a hash of the person, and the head of the chain."""
NEW_BYTES = 32 + 32 / (1 << TILE_BITS)
"""A leaf, and its share in the tiles above it."""
_KEY = bytes(32)
_FIRST = 1_000_000_000_000_000_000
_ROLL = Command(MEASURED, "roll", {"dice": "2d6+3"})


def link(head: bytes, event: Event) -> bytes:
    """Return the chain after an event: a hash over the one before, a salt and the event's text."""
    parts = encode(event.body)
    row = [json.dumps(part, separators=(",", ":")) for part in (parts.pub, parts.what, parts.how)]
    fields = [event.seq, event.interaction_id, event.channel_id, event.user_id, event.kind.value, *row]
    text = json.dumps(fields, separators=(",", ":"))
    return sha256(head + token_bytes(16) + sha256(_KEY + b"42").digest() + text.encode()).digest()


def chain(caller: Caller, bodies: list[Body]) -> None:
    """Record the bodies with the old chain."""
    head = b""
    for seq, body in enumerate(bodies, 1):
        event = Event(
            1, seq, caller.interaction_id, 0, None, caller.channel_id, 42, WORDLESS, Visibility.PUBLIC, body
        )
        head = link(head, event)


def grow(caller: Caller, bodies: list[Body]) -> None:
    """Record the bodies with the tree."""
    ledger = Ledger(1, "0f" * 16, _KEY)
    for body in bodies:
        ledger = ledger.append(caller, OPEN, body, _KEY).ledger


def cost(record: Callable[[Caller, list[Body]], None], bodies: list[Body]) -> float:
    """Return the seconds of processor time that one event takes."""
    begun = time.process_time()
    record(Caller(_FIRST, 9, 7, 42), bodies)
    return (time.process_time() - begun) / len(bodies)


async def measure(rounds: int, seconds: float, events: int) -> dict[str, float]:
    """Return the medians of alternating rounds, in seconds: of both records, and of a whole `/roll`."""
    draws = Local(seeded(1))
    asker = Caller(_FIRST, 9, 7, 42)
    state = State(Campaign(home=asker.home))
    bodies = [decide(RollDice("2d6+3"), asker, state, lambda: draws) for _ in range(events)]
    results: dict[str, list[float]] = {"chain": [], "tree": [], "roll": []}
    with tempfile.TemporaryDirectory() as folder:
        async with serving(MEASURED, Path(folder), IN_FLIGHT) as bot:
            for number in range(rounds + 1):
                result = await run_round(bot, _ROLL, Load(IN_FLIGHT), seconds)
                costs = {"chain": cost(chain, bodies), "tree": cost(grow, bodies), "roll": result.costs[0]}
                for name, value in costs.items() if number else ():
                    results[name].append(value)
    return {name: median(values) for name, values in results.items()}


def main(rounds: int = 5, seconds: float = 1.5, events: int = 2_000) -> None:
    """Measure and print the table; it takes about 2 seconds a round and one more."""
    results = asyncio.run(measure(rounds, seconds, events))
    more = results["tree"] - results["chain"]
    table = Table("what", "CPU µs", "bytes")
    table.add_row("the old chain", f"{1e6 * results['chain']:.0f}", str(OLD_BYTES))
    table.add_row("parts, salts and tree", f"{1e6 * results['tree']:.0f}", f"{NEW_BYTES:.1f}")
    table.add_row("the difference", f"{1e6 * more:.0f}", f"{NEW_BYTES - OLD_BYTES:.1f}")
    table.add_row(f"a whole /roll, {IN_FLIGHT} in flight", f"{1e6 * results['roll']:,.0f}", "")
    table.add_row("the difference's share", f"{more / results['roll']:.1%} (at most {LIMIT:.0%})", "")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
