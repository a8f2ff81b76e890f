"""A board that is too long for one message goes on in others."""

import pytest
from simcord import InteractionResult

from tests.support.groups import call, labels, leads, rolls
from tests.support.table import Table
from tests.support.wire import reply

NAME = "Hobgoblin of the march"


async def monsters(t: Table, called: InteractionResult, dice: str = "1d20") -> None:
    """Twenty more roll for the game master."""
    form = await leads(t, called, "Add monsters…")
    await t.mara.submit_modal(form, {"names": f"{NAME} x20", "dice": dice})
    await t.env.settle()


def boards(t: Table) -> list[str]:
    """All messages of the call that everybody sees, the oldest first."""
    return [said for said in t.seen_by(t.ann) if said.startswith("**Stealth**")]


@pytest.mark.parametrize(("looks", "batches"), [("cards", 6), ("text", 3)])
async def test_a_long_board_is_whole(t: Table, looks: str, batches: int) -> None:
    """Everybody who rolled is in one of its messages, and each message says which of them it is."""
    await t.slash(t.mara, "admin settings", looks=looks)
    called = await call(t, "1d20", dc=12)
    for _ in range(batches):
        await monsters(t, called)
    first, second = boards(t)
    await leads(t, called, "Close")
    await t.env.settle()
    closed = boards(t)

    assert (first + second).count(NAME) == 20 * batches
    assert "1 of 2" in first
    assert second.splitlines()[-1].endswith("2 of 2")
    assert "My roll" in labels(called)
    assert len(closed) == 2
    assert "".join(closed).count(NAME) == 20 * batches
    assert "Closed." in closed[0]


async def test_a_long_panel_is_whole(t: Table) -> None:
    """The game master reads every hidden roll, in a second private message too, and again after a press."""
    called = await call(t, "1d20", dc=12, hidden="blind")
    for _ in range(5):
        await monsters(t, called)
    form = await leads(t, called, "Add monsters…")
    added = await t.mara.submit_modal(form, {"names": f"{NAME} x20", "dice": "1d20"})
    opened = await t.press(called, "GM…", t.mara)

    for answer in (added, opened):
        further = answer.followups[-1]
        assert (reply(answer).content + further.content).count(NAME) == 120
        assert further.ephemeral
        assert further.content.splitlines()[-1].endswith("2 of 2")


async def test_a_board_that_gets_short_again_is_one_message(t: Table) -> None:
    """An undo deletes what is too much; what somebody deleted, or put up anew, comes again."""
    await t.slash(t.mara, "roller fair", dice="d20", name="Luck")
    called = await call(t, "1d20", dc=12)
    for _ in range(5):
        await monsters(t, called)
    await monsters(t, called, "Luck")
    further = [message for message in t.channel.history(viewer=t.ann) if "2 of 2" in message.content]
    t.env.backend.delete_message(t.channel.id, further[0].id)
    await rolls(t, called, t.ann)
    await t.env.settle()
    again = boards(t)
    await t.slash(t.mara, "group show")
    await t.env.settle()
    shown = boards(t)
    await t.says(t.mara, "roller undo", name="Luck")
    await t.env.settle()
    undone = boards(t)

    assert len(again) == 2
    assert t.ann.mention in "".join(again)
    assert ["has a new message" in said for said in shown] == [True, True, False, False]
    assert shown[2:] == again
    assert [said.count(NAME) for said in undone[2:]] == [100]
