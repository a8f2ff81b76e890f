"""A database that is full or can only be read: what was not committed is not answered, and it recovers."""

from pathlib import Path
from typing import Any

import pytest

from bot.app import open_app
from bot.dice.errors import DiceError, Unavailable
from tests.support.groups import call, text
from tests.support.proving import proof_on
from tests.support.table import Table, made_by, numbered, settings, table
from tests.support.wire import reply
from tests.wire.test_proof import run_low

EXPECTED = (DiceError, Unavailable)


async def rolls_until_refused(t: Table) -> tuple[list[str], str]:
    """The rolls that were answered, and the words for the first one that was not."""
    answered: list[str] = []
    for _ in range(200):
        answer = reply(await t.slash(t.ann, "roll", dice="100d1000000", times=5))
        if answer.ephemeral:
            return answered, answer.content
        answered.append(answer.content)
    raise AssertionError("the database was never full")


async def test_a_full_database_refuses_and_recovers(tmp_path: Path) -> None:
    """The refusal is a private sentence; every roll that was answered is there, the refused one is not."""
    async with table(tmp_path, expected=EXPECTED) as t:
        await t.says(t.ann, "roll", dice="1d6")
        await t.command("PRAGMA max_page_count = 1")
        answered, refused = await rolls_until_refused(t)
        public = t.seen_by(t.bob)
        await t.command("PRAGMA max_page_count = 1000000")
        after = await t.says(t.ann, "roll", dice="1d6")

        assert refused == ("I can't write the history now, because its disk is full. Try again later.")
        assert public[1:] == answered
        assert numbered(after) == len(answered) + 2


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("roll", {"dice": "2d6"}),
        ("roll", {"dice": "Cards", "visibility": "blind"}),
        ("d100 roll", {}),
        ("roller deck", {"name": "More"}),
        ("roller undo", {"name": "Cards"}),
        ("roller remove", {"name": "Cards"}),
    ],
)
async def test_what_can_not_be_written_is_not_done(
    tmp_path: Path, command: str, options: dict[str, object]
) -> None:
    """On a database that can only be read the asker alone is told why not; afterwards it works."""
    async with table(tmp_path, expected=EXPECTED) as t:
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        await t.command("PRAGMA query_only = ON")
        refused = await t.whispers(t.mara, command, **options)
        public = t.seen_by(t.bob)
        await t.command("PRAGMA query_only = OFF")
        after = reply(await t.slash(t.mara, command, **options)).content

        assert "because it can only be read" in refused
        assert len(public) == 1
        assert numbered(after) == 2


async def test_presses_are_refused_as_commands_are(tmp_path: Path) -> None:
    """Buttons under a roll and under the question of a reset say the same sentence, and work afterwards."""
    async with table(tmp_path, expected=EXPECTED) as t:
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        rolled = await t.slash(t.mara, "roll", dice="cards")
        hidden = await t.slash(t.mara, "roll", dice="cards", visibility="gm")
        question = await t.slash(t.mara, "roller reset", name="cards")
        presses = (rolled, "Again"), (hidden, "Reveal"), (question, "Reset it")
        await t.command("PRAGMA query_only = ON")
        refused = [reply(await t.press(message, label, t.mara)) for message, label in presses]
        await t.command("PRAGMA query_only = OFF")
        done = [await t.press(message, label, t.mara) for message, label in presses]

        assert all(answer.ephemeral and "can only be read" in answer.content for answer in refused)
        assert [numbered(text.content) for text in (reply(done[0]), done[2].followups[0])] == [4, 6]


async def test_what_is_only_read_goes_on(tmp_path: Path) -> None:
    """Odds, list, history and help need no writing."""
    async with table(tmp_path, expected=EXPECTED) as t:
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        await t.command("PRAGMA query_only = ON")

        assert "next roll of" in await t.says(t.ann, "odds", what="cards")
        assert "Cards" in await t.whispers(t.ann, "roller list")
        assert "Cards" in await t.whispers(t.ann, "history")
        assert "`/roll 2d6+3`" in await t.whispers(t.ann, "help")


async def test_a_call_closes_once_its_end_can_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its time comes while the database can only be read: the log says so, and it is tried again."""
    async with table(tmp_path, expected=EXPECTED) as t:
        called = await call(t, minutes=5)
        await t.command("PRAGMA query_only = ON")
        await t.env.advance_time(301)
        before = text(called)
        await t.command("PRAGMA query_only = OFF")
        await t.env.advance_time(60)

        assert ("Closed." in before, "Closed." in text(called)) == (False, True)
    assert "The time of call #1 is not kept yet: " in caplog.text
    assert "Traceback" not in caplog.text


async def test_new_keys_that_can_not_be_written_are_called_off(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """They were shown already; nobody waits for them to become active."""
    async with table(tmp_path, expected=EXPECTED) as t:
        await proof_on(t, t.mara)
        await t.slash(t.mara, "roll", dice="1d20")
        await run_low(t)
        [few] = await t.app.proving.few_left()
        cog: Any = t.bot.get_cog("Proof")
        await t.command("PRAGMA query_only = ON")
        await cog._renew(few)

        assert t.seen_by(t.bob)[-1] == "Proof mode: these keys were dropped. No roll uses them."
    assert "Campaign 1 gets no new keys: " in caplog.text


async def test_a_second_house_on_the_same_file_is_refused(tmp_path: Path) -> None:
    """Two processes would undo each other's memories: the second one is told so before it begins."""
    async with table(tmp_path) as t:
        with pytest.raises(Unavailable, match="Another Evenhand"):
            async with open_app(settings(tmp_path)) as app:
                made_by(app)

        assert numbered(await t.says(t.ann, "roll", dice="1d6")) == 1
