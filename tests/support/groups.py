"""Group calls on the simulated Discord: called, answered, and led by a game master."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from simcord import InteractionResult, MemberActor, ResponseMessage
from simcord.components import walk_components

from cogs.group.live import Live
from tests.support import shown
from tests.support.table import REFUSALS, Table, table
from tests.support.wire import Wire, reply

MARK = "70000"
"""First digits of every result of `SECRET` and of nothing else, to detect leaks."""
SECRET = "1d9+700000"
_SECTION = 9
OFF = "Call it off"
"""Label of a button that needs a confirmation."""
_ID = re.compile(r"<@&?(\d+)>")


@asynccontextmanager
async def group_table(folder: Path, *, later: float = 0, **more: Any) -> AsyncGenerator[Table, None]:
    """Yield a table whose Discord may refuse requests."""
    async with table(folder, later=later, expected=REFUSALS, **more) as t:
        yield t


def live(t: Wire) -> Live:
    """Return the service that updates messages and acts on deadlines."""
    return Live.of(t.bot)


async def call(t: Wire, dice: str = "1d20", check: str = "Stealth", **options: object) -> InteractionResult:
    """Call for a check as Mara, and return the result."""
    return await t.slash(t.mara, "group call", check=check, dice=dice, **options)


def named(*actors: MemberActor) -> str:
    """Return the option that names players."""
    return " ".join(actor.mention for actor in actors)


def text(result: InteractionResult) -> str:
    """Return the message's text, edits included."""
    return reply(result).content


def labels(result: InteractionResult) -> list[str]:
    """Return the labels of the message's buttons."""
    return shown.labels(reply(result).components)


async def plays(t: Wire, who: MemberActor, what: str) -> InteractionResult:
    """Move the first card of somebody's hand, and return their private message."""
    return (await moves(t, who, what))[0]


async def moves(
    t: Wire, who: MemberActor, what: str, card: str = ""
) -> tuple[InteractionResult, InteractionResult]:
    """Move a card of somebody's hand, and return their private message and the last answer."""
    message = await t.slash(who, "hand")
    hand = cards(message)
    play = hand[card] if card else next(iter(hand.values()))
    if what == "Play":
        return message, await who.click(reply(message), custom_id=play)
    await t.press(message, f"{what}…", who)
    return message, await who.select(reply(message), [play.rpartition(":")[2]])


def cards(shown: InteractionResult) -> dict[str, str]:
    """Return the ids of the buttons that play a hand's cards, by card; the first of equal cards."""
    names = dict[str, str]()
    for part in walk_components(reply(shown).components):
        if part["type"] == _SECTION:
            names.setdefault(part["components"][0]["content"], part["accessory"]["custom_id"])
    return names


def ids(content: str) -> list[int]:
    """Return the ids of all mentions in a text, in order."""
    return [int(number) for number in _ID.findall(content)]


async def rolls(
    t: Wire, called: InteractionResult, actor: MemberActor, label: str = "Roll"
) -> ResponseMessage:
    """Press a button of a call, and return the private answer."""
    pressed = await t.press(called, label, actor)
    # If the press edits the message, the answer is the last follow-up.
    answer = [reply(pressed), *pressed.followups][-1]
    assert answer.ephemeral, answer.content
    return answer


async def adds(t: Wire, called: InteractionResult, actor: MemberActor, added: str) -> ResponseMessage:
    """Enter `added` under "+ bonus…", and return the private answer."""
    form = await t.press(called, "+ bonus…", actor)
    answer = reply(await actor.submit_modal(form, {"added": added}))
    assert answer.ephemeral, answer.content
    return answer


async def leads(
    t: Wire, called: InteractionResult, label: str, actor: MemberActor | None = None
) -> InteractionResult:
    """Press a button of the panel as a game master, and return the result."""
    panel = await t.press(called, "GM…", actor or t.mara)
    if label == OFF:
        await t.press(panel, f"{OFF}…", actor or t.mara)
    return await t.press(panel, label, actor or t.mara)
