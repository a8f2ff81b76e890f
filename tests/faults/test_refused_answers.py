"""Discord refuses an answer: what was asked for stands, is owed, and nobody is told to do it again."""

from pathlib import Path

import discord
import pytest
from simcord import InteractionResult

from bot.answers import AnswerRefused
from bot.dice.errors import DiceError
from tests.support.realm import kept, people
from tests.support.table import REPLIES, Table, table
from tests.wire.test_permissions import SCRIPT

REFUSALS = (DiceError, AnswerRefused, discord.HTTPException)
LOST = "It was rolled, but Discord did not take the reply."
STATUSES = (400, 403, 404, 413, 500)


def refuse(t: Table, status: int, route: str = REPLIES) -> None:
    """Have Discord refuse the next request of a route."""
    t.env.inject_error("POST", route, status=status, code=0, message="no")


def told(answer: InteractionResult) -> str:
    """All that somebody was told."""
    messages = [*([answer.response] if answer.response else []), *answer.followups]
    return "\n".join(message.content for message in messages)


@pytest.mark.parametrize("status", STATUSES)
async def test_no_refused_answer_invites_to_do_it_again(tmp_path: Path, status: int) -> None:
    """Every command that leaves an event says that it stands, and names no second try."""
    async with table(tmp_path, expected=REFUSALS) as t:
        seat = people(t).manager
        for command, options in (
            ("campaign create", {"name": "Dragons"}),
            ("roller cards", {"name": "Cards", "cards": "elk 3, owl 3"}),
        ):
            await seat.slash(command, **options)
        for line in SCRIPT:
            options = {k: seat.mate if v == "somebody" else v for k, v in line.options.items()}
            before = len((await kept(t))["event"])
            if line.adds:
                refuse(t, status)
            said = told(await seat.slash(line.command, **options)) or t.seen_by(t.mara)[-1]
            t.env.backend.faults.clear()

            if len((await kept(t))["event"]) > before:
                # A call whose answer is too late is shown in the channel.
                assert "stands" in said or said.startswith("**"), f"/{line.command}: {said}"
                assert "try again" not in said, f"/{line.command}: {said}"
