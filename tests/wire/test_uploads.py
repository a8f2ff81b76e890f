"""A file that can't be sent, or a chart too many, takes no words with it."""

import logging
from pathlib import Path

import pytest

from bot.words.text import TOO_MANY
from tests.support.table import REPLIES, Table, table
from tests.support.wire import reply

FOLLOWUPS, ORIGINAL = ("POST", "/webhooks/*"), ("PATCH", "/webhooks/*")
FILES: dict[str, tuple[tuple[str, str], dict[str, object]]] = {
    "odds": (FOLLOWUPS, {"what": "2d6"}),
    "stats": (FOLLOWUPS, {}),
    "export": (ORIGINAL, {}),
    "roller export": (("POST", REPLIES), {"name": "Cards"}),
    "details": (("POST", REPLIES), {"number": 2}),
}


async def test_a_refused_file_takes_no_words_with_it(t: Table) -> None:
    """The text is sent alone, and says what is missing; the right is named where it is that."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk 3, owl 3")
    for _ in range(3):
        await t.says(t.ann, "roll", dice="20d6")
    for status, code in ((413, 40005), (403, 50013), (400, 0)):
        for command, ((method, route), options) in FILES.items():
            t.env.inject_error(method, route, status=status, code=code, message="no")
            answer = reply(await t.slash(t.ann, command, **options))

            assert not t.env.backend.faults, command
            assert not answer.attachments, command
            assert "Discord did not take the file" in answer.content, command
            assert ("*Attach Files*" in answer.content) is (code == 50013), command


async def test_who_asks_for_many_charts_gets_the_words_at_once(tmp_path: Path) -> None:
    """The sixth answer has no picture; what is nothing but work is refused; others are not concerned."""
    async with table(tmp_path, user_rolls=20) as t:
        t.app.pace._buckets._clock = lambda: 0.0
        pictures = [reply(await t.slash(t.ann, "odds", what="2d6")) for _ in range(6)]
        alone = pictures[-1].content
        refused = [await t.whispers(t.ann, command) for command in ("rigged", "lab tune", "export")]

        assert [len(one.attachments) for one in pictures] == [1, 1, 1, 1, 1, 0]
        assert alone.startswith(pictures[0].content)
        assert all("a lot of charts at once. Try again in 4 s." in said for said in (alone, *refused))
        assert reply(await t.slash(t.bob, "odds", what="2d6")).attachments


@pytest.mark.drawn
async def test_at_overload_everybody_gets_the_words(t: Table, caplog: pytest.LogCaptureFixture) -> None:
    """Where the queue is full there is no picture, at once; the asker is told, and so is the host, once."""
    t.app.drawing._limit = 0
    with caplog.at_level(logging.WARNING, "bot.charts.worker"):
        said = [reply(await t.slash(actor, "odds", what="2d6")) for actor in (t.ann, t.bob)]

    assert all(one.content.endswith(f"-# {TOO_MANY}") and not one.attachments for one in said)
    assert [r.name for r in caplog.records].count("bot.charts.worker") == 1
