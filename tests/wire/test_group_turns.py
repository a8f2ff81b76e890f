"""The messages that say whose turn it is in an initiative, with the buttons that end it."""

from typing import Any

import pytest
from discord import InteractionType
from simcord.components import walk_components

from bot.answers import OUT_OF_DATE
from cogs.group.turn_calls import TurnCalls
from tests.support.groups import leads, live, rolls, text
from tests.support.pressing import arrives
from tests.support.table import Table
from tests.support.wire import reply
from tests.wire.test_group_initiative import at_turn, begun, place


def turn_messages(t: Table) -> list[str]:
    """The messages in the channel that say whose turn it is."""
    said = [text for text in t.seen_by(t.bob) if not text.startswith("**")]
    return [text for text in said if "it is your turn" in text or text.startswith("Round")]


async def test_a_turn_that_comes_up_rings_for_its_player_alone(t: Table) -> None:
    """One message calls them, and Discord is told to notify nobody else; one's own press rings for nobody."""
    called = await t.slash(t.mara, "group initiative")
    await t.press(called, "Roll", t.ann)
    await t.press(called, "Roll", t.bob)
    await t.press(called, "Begin", t.mara)
    first, second = (t.ann, t.bob) if f"{t.ann.mention}'s turn" in text(called) else (t.bob, t.ann)
    await t.press(called, "Next turn", first)
    bodies: list[Any] = [request.json for request in t.env.backend.http_requests]
    rung = [body for body in bodies if "it is your turn" in str(body)]

    assert [body["content"].split(",")[0] for body in rung] == [first.mention, second.mention]
    assert [body["allowed_mentions"]["users"] for body in rung] == [[first.id], [second.id]]
    assert all(not body["allowed_mentions"].get("parse") for body in rung)


async def test_the_message_of_a_turn_goes_away_with_it(t: Table) -> None:
    """It calls by the character's name, or names the monster; the next one deletes it by one request."""
    await t.whispers(t.ann, "me", new="Lyra")
    called = await begun(t, ann=9, bob=5)
    form = await leads(t, called, "Add monsters…")
    await t.mara.submit_modal(form, {"names": "Goblin", "dice": "1d1+17"})
    seen: list[list[str]] = []
    for label in ("Begin", *["Next turn"] * 3):
        before = len(t.env.backend.http_requests)
        await t.press(called, label, t.mara)
        deleted = [each.method for each in t.env.backend.http_requests[before:]].count("DELETE")
        assert deleted == (label == "Next turn")
        seen.append(turn_messages(t))
    await t.press(await place(t, called, 2), "Set turn", t.mara)
    set_by_hand = turn_messages(t)
    await t.press(await place(t, called, 2), "Take out", t.mara)
    passed_on = turn_messages(t)
    await t.press(await place(t, called, 1), "Take out", t.mara)

    lyra = f"Lyra ({t.ann.mention}), it is your turn in **Initiative**."
    bob = f"{t.bob.mention}, it is your turn in **Initiative**."
    assert seen == [[lyra], ["Round 1: Goblin's turn."], [bob], [lyra]]
    assert (set_by_hand, passed_on) == ([bob], [lyra])
    assert turn_messages(t) == [lyra]


async def test_a_turn_is_ended_under_its_own_message(t: Table) -> None:
    """By whoever has it, or a game master: the board may be far above. The board goes on with it."""
    called = await begun(t, mara=3, ann=2, bob=1)
    first = (await t.press(called, "Begin", t.mara)).followups[0]
    second = await t.press(first, "Next turn", t.mara)
    after_one = at_turn(called), turn_messages(t)
    refused = await rolls(t, second, t.bob, "Next turn")
    await t.press(second, "Delay", t.ann)
    await t.deliver_again()

    assert after_one == ([t.ann.mention], [f"{t.ann.mention}, it is your turn in **Initiative**."])
    assert refused.content == "It is not your turn. Only game masters press that for others."
    assert at_turn(called) == [t.bob.mention]
    assert turn_messages(t) == [f"{t.bob.mention}, it is your turn in **Initiative**."]


async def test_who_presses_second_under_a_turns_message_is_told_whose_turn_it_is(t: Table) -> None:
    """The message is still on their screen, and they skip nobody."""
    called = await begun(t, mara=3, ann=2, bob=1)
    message = (await t.press(called, "Begin", t.mara)).followups[0]
    button = next(part for part in walk_components(message.components) if part["type"] == 2)["custom_id"]
    await t.press(called, "Next turn", t.mara)
    late = reply(await arrives(t, t.mara, InteractionType.component, button, reply(called)))

    assert late.ephemeral
    assert late.content == f"{t.ann.mention}, it is your turn in **Initiative**."
    assert at_turn(called) == [t.ann.mention]


async def test_a_turn_that_a_restored_backup_does_not_know_is_too_old(t: Table) -> None:
    """The message outlives the history that it was of."""
    called = await begun(t, mara=3, ann=2, bob=1)
    message = (await t.press(called, "Begin", t.mara)).followups[0]
    await t.command("UPDATE board SET turn = '[]'")

    assert reply(await t.press(message, "Next turn", t.mara)).content == OUT_OF_DATE


async def test_the_message_of_a_turn_from_before_a_restart_goes_away_too(t: Table) -> None:
    """The bot has forgotten it; the press under it tells which it was."""
    called = await begun(t, ann=9, bob=5)
    message = (await t.press(called, "Begin", t.mara)).followups[0]
    live(t).turn_calls = TurnCalls(t.bot)
    await t.press(message, "Next turn", t.ann)

    assert turn_messages(t) == [f"{t.bob.mention}, it is your turn in **Initiative**."]


async def test_who_comes_next_is_called_after_a_restart_too(t: Table) -> None:
    """Where the player at turn is taken out, although the bot has forgotten the message of their turn."""
    called = await begun(t, ann=9, bob=5)
    await t.press(called, "Begin", t.mara)
    live(t).turn_calls = TurnCalls(t.bot)
    await t.press(await place(t, called, 0), "Take out", t.mara)

    assert turn_messages(t)[-1] == f"{t.bob.mention}, it is your turn in **Initiative**."


async def test_a_call_that_is_sent_slowly_outlives_no_later_one(
    t: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next turn's call stands meanwhile: the slow one goes away at once, and that one in its turn."""
    called = await begun(t, ann=9, bob=5)
    replace, waiting = TurnCalls.replace, list[tuple[Any, ...]]()

    async def note(*values: Any) -> None:
        waiting.append(values)

    def calls() -> list[str]:
        return [said.split(",")[0] for said in t.seen_by(t.bob) if "it is your turn" in said]

    with monkeypatch.context() as patched:
        patched.setattr(TurnCalls, "replace", note)
        await t.press(called, "Begin", t.mara)
    await t.press(called, "Next turn", t.mara)
    both = calls()
    await replace(*waiting[0])
    last = calls()
    await t.press(called, "Next turn", t.mara)

    assert both == [t.ann.mention, t.bob.mention]
    assert last == [t.bob.mention]
    assert calls() == [t.ann.mention]
