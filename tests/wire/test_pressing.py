"""Buttons work without anything of discord.py's that lives as long as their message."""

import asyncio
from types import new_class
from typing import Any

import pytest
from discord import InteractionType

from cogs.kit.cards import send
from cogs.kit.interactions import ButtonHandler, Interaction, PersistentForm
from cogs.kit.prompts import RollForm
from cogs.kit.replies import AGAIN
from tests.support.pressing import arrives
from tests.support.table import Table
from tests.support.wire import reply

PRESS, FORM = InteractionType.component, InteractionType.modal_submit


async def test_private_buttons_leave_no_task_behind(t: Table) -> None:
    """discord.py would wait a quarter of an hour for the buttons of each private message, in a task."""
    before = len(asyncio.all_tasks())
    rolled = await t.slash(t.ann, "roll", dice="1d6", practice=True)
    await t.slash(t.ann, "history")

    assert len(asyncio.all_tasks()) == before
    assert "**" in reply(await t.press(rolled, "Again", t.ann)).content


async def test_a_reply_is_sent_back_only_where_it_is_read(t: Table) -> None:
    """Discord is asked for the message of a call, whose number is kept; never for a roll's or a press's."""
    await t.slash(t.ann, "roll", dice="1d6")
    called = await t.slash(t.mara, "group call", check="Stealth", dice="1d20")
    await t.press(called, "Roll", t.ann)
    await t.press(called, "+ bonus…", t.bob)
    await t.press(called, "GM…", t.mara)
    asked = [r.params for r in t.env.backend.http_requests if r.path.endswith("/callback")]

    assert [bool(params.get("with_response")) for params in asked] == [False, True, False, False, False]


async def test_only_the_id_of_a_message_is_one(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's answer has an id of its own, the interaction's, also where no message was asked back."""
    ids: list[int | None] = []

    async def noted(*given: Any, **more: Any) -> int | None:
        ids.append(await send(*given, **more))
        return ids[-1]

    for cog in ("cogs.me.cog", "cogs.group.cog"):
        monkeypatch.setattr(f"{cog}.send", noted)
    await t.slash(t.ann, "me")
    called = await t.slash(t.mara, "group call", check="Stealth", dice="1d20")

    assert ids == [None, reply(called).id]


async def test_what_is_done_is_not_done_by_a_second_press(t: Table) -> None:
    """Presses and forms that arrive before the button is gone are refused, and nothing is written twice."""
    await t.says(t.mara, "roller deck", name="Cards")
    question = reply(await t.slash(t.mara, "roller reset", name="Cards"))
    one = [await arrives(t, t.mara, PRESS, "reset:1:Cards", question) for _ in range(2)]
    question = reply(await t.slash(t.mara, "admin reset", scope="campaign"))
    every = [await arrives(t, t.mara, FORM, "why:1:campaign:", question, why="Anew") for _ in range(2)]
    tuned = await t.slash(t.mara, "lab tune", values=2, samples=3)
    made = [await t.press(tuned, "Make the dice (GM)", t.mara) for _ in range(2)]
    entries = (await t.whispers(t.mara, "history")).splitlines()

    for _, again in (one, every, made):
        assert reply(again).content == "That is done already. To do it once more, use the command again."
        assert reply(again).ephemeral
    assert [sum(deed in entry for entry in entries) for deed in ("reset `", "Dynamic d2")] == [2, 1]


async def test_a_refused_press_may_be_repeated(t: Table) -> None:
    """Once the reason is gone the same button works."""
    tuned = await t.slash(t.ann, "lab tune", values=2, samples=3)
    refused = await t.pressed(tuned, "Make the dice (GM)", t.ann)
    made = await t.pressed(tuned, "Make the dice (GM)", t.mara)

    assert "game master" in refused
    assert made.startswith("**Dynamic d2** is ready")


def test_no_two_features_answer_one_word() -> None:
    """The second would take the first one's presses, of messages that are there already too."""
    with pytest.raises(ValueError, match="again is answered twice"):
        ButtonHandler(AGAIN.custom_id.word, "Again", _nothing)
    with pytest.raises(ValueError, match="roll-ask is answered twice"):
        new_class("Twice", (PersistentForm,), {"title": "Twice", "word": RollForm.form.word})

    assert ButtonHandler.by_word[AGAIN.custom_id.word] is AGAIN


async def _nothing(_: Interaction) -> None:
    """Do nothing."""
