"""Proof mode with drand: a public number that was not out yet becomes salt, or plainly does not come."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from bot.campaign.proof import round_after
from cogs.proof.words import OFF
from tests.support.drand import DrandMood, DrandServer, Prompt, asking, drand_server
from tests.support.proving import proof_on
from tests.support.table import Table, table
from tests.wire.test_proof import exported, run_low, verdicts

_AWAITED = re.compile(r"Round ([\d,]+) of drand becomes salt")
_CAME = "of drand is salt now"


@asynccontextmanager
async def beside(folder: Path, server: DrandServer, made: type[Prompt] = Prompt) -> AsyncGenerator[Table]:
    """A table whose bot asks this server of drand, and nobody else, by such a clock."""
    clock = made()
    async with table(folder, **asking(server, clock)) as t:
        clock.env, bot = t.env, cast("Any", t.bot)
        bot.clock = lambda: t.env.now().timestamp()
        yield t


async def asked_again(t: Table) -> None:
    """Have a minute go by."""
    cog: Any = t.bot.get_cog("Proof")
    await cog.renew()


async def test_the_round_comes_by_itself(tmp_path: Path) -> None:
    """The command asks for one round; all see it come, rolls follow from it, and both verifiers agree."""
    async with drand_server() as server, beside(tmp_path, server) as t:
        await proof_on(t, t.mara, drand=True)
        begun, came = t.seen_by(t.bob)[-2:]
        await t.says(t.ann, "roll", dice="1d20")
        await asked_again(t)
        status = await t.whispers(t.ann, "proof")
        history = await t.whispers(t.ann, "history")
        checked = await t.whispers(t.ann, "verify")
        file = await exported(t, tmp_path)

    awaited = _AWAITED.search(begun)
    assert awaited
    assert server.asked == [int(awaited[1].replace(",", ""))]
    assert f"round {awaited[1]} {_CAME}" in came
    assert "The first round of drand after the keys is in the salt" in status
    assert f"Evenhand · took round {awaited[1]} of drand as salt" in history
    assert "I replayed 1 roll." in checked
    assert b'"pub":{"drand":[' in file.read_bytes()
    assert verdicts(file) == [3, 3]


async def test_a_round_that_does_not_come_is_told(tmp_path: Path) -> None:
    """Nothing waits for it, the status says what it means, and it is asked for again each minute."""
    async with drand_server() as server, beside(tmp_path, server) as t:
        server.mood = DrandMood.DEAD
        await proof_on(t, t.mara, drand=True)
        rolled = await t.says(t.ann, "roll", dice="1d20")
        missing = await t.whispers(t.ann, "proof")
        for mood in (DrandMood.ANOTHER, DrandMood.FORGED):
            server.mood = mood
            await asked_again(t)
        untaken = not any(_CAME in text for text in t.seen_by(t.bob))
        file = await exported(t, tmp_path)
        before = verdicts(file)
        server.mood = DrandMood.GOOD
        await asked_again(t)
        status = await t.whispers(t.ann, "proof")

    assert "committed key" in rolled
    assert "of drand has not come.** Without it nothing shows" in missing
    assert untaken
    assert before == [3, 3]
    assert len(server.asked) == 4
    assert len({*server.asked}) == 1
    assert "has not come" not in status


async def test_a_round_is_given_up_after_ten_minutes(tmp_path: Path) -> None:
    """It is asked for no more, and the status still says that it has not come."""
    async with drand_server() as server, beside(tmp_path, server) as t:
        server.mood = DrandMood.DEAD
        await proof_on(t, t.mara, drand=True)
        await t.env.advance_time(11 * 60)
        asked = len(server.asked)
        server.mood = DrandMood.GOOD
        await asked_again(t)
        status = await t.whispers(t.ann, "proof")

    assert len(server.asked) == asked > 0
    assert "has not come" in status


async def test_new_keys_take_a_round_of_their_own(tmp_path: Path) -> None:
    """Keys that follow others without being asked for get drand's round too; both verifiers agree."""
    async with drand_server() as server, beside(tmp_path, server) as t:
        await proof_on(t, t.mara, drand=True)
        await t.slash(t.mara, "roll", dice="1d20")
        await run_low(t)
        await t.env.advance_time(10)
        await asked_again(t)
        # A commit and its message stand at the end: the round waits for somebody's press.
        waits = sum(_CAME in text for text in t.seen_by(t.bob))
        await t.slash(t.mara, "roll", dice="1d20")
        await asked_again(t)
        shown = [text for text in t.seen_by(t.bob) if _CAME in text]
        status = await t.whispers(t.ann, "proof")
        file = await exported(t, tmp_path)

    assert waits == 1
    assert len(shown) == len({*server.asked}) == 2
    assert "The first round of drand after the keys is in the salt" in status
    assert verdicts(file) == [3, 3]


class AnHourBehind(Prompt):
    """The clock of a machine that is wrong."""

    def utc(self) -> datetime:
        """Return a time that is an hour ago."""
        return super().utc() - timedelta(hours=1)


class AnHourAhead(Prompt):
    """The clock of another one."""

    def utc(self) -> datetime:
        """Return a time that is yet to come."""
        return super().utc() + timedelta(hours=1)


@pytest.mark.parametrize("made", [AnHourBehind, AnHourAhead])
async def test_a_wrong_clock_takes_the_first_round_after_the_keys(tmp_path: Path, made: type[Prompt]) -> None:
    """One that was out when new keys were shown proves nothing, and one far ahead would not come."""
    async with drand_server() as server, beside(tmp_path, server, made) as t:
        await proof_on(t, t.mara, drand=True)
        await t.slash(t.mara, "roll", dice="1d20")
        await run_low(t)
        await t.env.advance_time(10)
        await asked_again(t)
        shown_at = int(t.env.now().timestamp() * 1000)
        await t.slash(t.mara, "roll", dice="1d20")
        await asked_again(t)
        arrived = sum(_CAME in text for text in t.seen_by(t.bob))

    assert arrived == 2
    assert server.asked[1] == round_after(shown_at)


async def test_a_bot_that_asks_nobody_refuses(t: Table) -> None:
    """Where the host's settings forbid it, the option is refused and nothing begins."""
    refused = await proof_on(t, t.mara, drand=True)
    status = await t.whispers(t.ann, "proof")
    begun = await proof_on(t, t.mara)

    assert "switched drand off" in refused
    assert status == OFF
    assert "drand" not in begun
