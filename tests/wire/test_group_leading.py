"""What a game master does with a call: closing, reopening, cancelling, rolling for others; and who may."""

import pytest
from discord import InteractionType
from simcord import InteractionResult

from tests.support.groups import OFF, call, labels, leads, named, rolls, text
from tests.support.pressing import arrives
from tests.support.realm import LIMITS, kept, people
from tests.support.table import Table, entries, totals
from tests.support.wire import reply

CLOSED = "This call is closed. A game master can reopen it."


async def refused(t: Table, panel: InteractionResult, label: str) -> str:
    """What a game master is told alone who presses what does not go."""
    answer = reply(await t.press(panel, label, t.mara))
    assert answer.ephemeral
    return answer.content


async def test_a_closed_call_takes_no_more_rolls(t: Table) -> None:
    """Who rolled can look at it, who did not is refused; reopened it takes rolls again."""
    called = await call(t, "1d1+14", dc=12, rule="all", players=named(t.ann, t.bob))
    stale = text(called)
    await rolls(t, called, t.ann)
    panel = await leads(t, called, "Close")
    shown, buttons = text(called), labels(called)
    anns, bobs = [(await rolls(t, called, who, "My roll")).content for who in (t.ann, t.bob)]
    await leads(t, called, "Reopen")
    reopened = text(called), labels(called)
    late = (await rolls(t, called, t.bob)).content

    assert "Did not roll" not in stale
    assert shown.splitlines()[2:5] == [
        f"Did not roll: {t.bob.mention}",
        "**The group succeeds**: 1 of 1 pass.",
        "Closed.",
    ]
    assert buttons == ["My roll", "GM…"]
    assert labels(panel) == ["Reopen", "Call it off…"]
    assert anns.startswith("You already rolled:\n**15**")
    assert bobs == CLOSED
    assert f"Missing: {t.bob.mention}\nSo far: 1 of 1 pass." in reopened[0]
    assert reopened[1] == ["Roll", "+ bonus…", "My dice…", "GM…"]
    assert totals(late) == ["15"]
    assert "**The group succeeds**: 2 of 2 pass." in text(called)


async def test_a_cancelled_call_comes_to_nothing(t: Table) -> None:
    """Its rolls stay in the history, nobody rolls for it, and it can be reopened."""
    called = await call(t, "1d1+14", dc=12, rule="all")
    message = reply(called)
    await rolls(t, called, t.ann)
    await leads(t, called, "Call it off")
    cancelled = text(called), labels(called)
    history = await t.whispers(t.bob, "history")
    await leads(t, called, "Reopen")

    assert cancelled[0].endswith("Cancelled. Rolls so far stay in the history.")
    assert "succeeds" not in cancelled[0]
    assert cancelled[1] == ["GM…"]
    assert [line.split(" · ")[-1] for line in entries(history)] == [
        "cancelled the call #1",
        "**15** (`1d1+14`)",
        "called for `1d1+14`",
    ]
    assert totals((await rolls(t, called, t.bob)).content) == ["15"]
    assert message.id == reply(called).id


async def test_a_call_is_called_off_after_a_question(t: Table) -> None:
    """Nothing happens before the second press; *Back* shows the panel again, and players are not asked."""
    called = await call(t, "1d1+14")
    panel = await t.press(called, "GM…", t.mara)
    asked = await t.press(panel, "Call it off…", t.mara)
    question, choices = text(asked), labels(asked)
    await t.press(panel, "Back", t.mara)
    before = labels(panel), labels(called)
    answer = await arrives(t, t.ann, InteractionType.component, "call-off:1:1", reply(called))

    assert question == "Call off **Stealth**? Rolls so far stay in the history."
    assert choices == ["Call it off", "Back"]
    assert before == (["Add monsters…", "Close", "Call it off…"], ["Roll", "+ bonus…", "My dice…", "GM…"])
    assert "Only game masters can do that" in reply(answer).content


async def test_what_was_done_is_not_done_again(t: Table) -> None:
    """Two game masters press the same of panels that they opened before: the second is told how it stands."""
    called = await call(t, players=named(t.ann))
    first, second = [await t.press(called, "GM…", t.mara) for _ in range(2)]
    await t.press(first, "Roll for the missing", t.mara)
    said = [await refused(t, second, "Roll for the missing")]
    await t.press(first, "Close", t.mara)
    said.append(await refused(t, second, "Close"))
    third, fourth = [await t.press(called, "GM…", t.mara) for _ in range(2)]
    for one in (first, third):
        await t.press(one, "Call it off…", t.mara)
    await t.press(first, "Call it off", t.mara)
    said.append(await refused(t, third, "Call it off"))
    await t.press(first, "Reopen", t.mara)
    said.append(await refused(t, fourth, "Reopen"))

    assert said == [
        "Everybody you named has rolled.",
        "This call is closed already.",
        "This call is cancelled already.",
        "This call is open already.",
    ]


async def test_delivered_twice_is_done_once(t: Table) -> None:
    """The panel says the same again, and the history has no event more."""
    called = await call(t, "1d1000000", players=named(t.ann, t.bob), hidden="gm")
    for label in ("Roll for the missing", "Close", "Reopen", "Reveal", "Call it off"):
        await leads(t, called, label)
        before, shown = await kept(t), text(called)
        await t.deliver_again()

        assert t.replies[-1] == t.replies[-2], label
        assert (await kept(t), text(called)) == (before, shown), label


async def test_a_game_master_rolls_for_the_absent(t: Table) -> None:
    """For those alone who are missing, and marked so; whoever comes later gets that roll."""
    called = await call(t, "1d1+14", players=named(t.ann, t.bob))
    await rolls(t, called, t.ann)
    panel = await leads(t, called, "Roll for the missing")
    lines = text(called).splitlines()
    bobs = (await rolls(t, called, t.bob)).content
    history = await t.whispers(t.mara, "history", player=t.bob)

    assert lines[1] == f"{t.ann.mention} **15** ← 1d1 (1) + 14"
    assert lines[2] == f"{t.bob.mention} **15** ← 1d1 (1) + 14 · rolled by the GM"
    assert lines[3] == "All in."
    assert len(lines) == 5
    assert labels(panel) == ["Add monsters…", "Close", "Call it off…"]
    assert bobs.startswith("You already rolled:\n**15**")
    assert len(entries(history)) == 1


async def test_players_who_leave(t: Table) -> None:
    """Who rolled and left stays in it; who was named and left is missing until the game master rolls."""
    called = await call(t, "1d1+14", dc=16, rule="any", players=named(t.ann, t.bob))
    await rolls(t, called, t.ann)
    for gone in (t.ann, t.bob):
        t.guild.remove_member(gone)
    await t.env.settle(idle=0.002)
    await leads(t, called, "Roll for the missing")

    assert [line.split(" ")[0] for line in text(called).splitlines()[1:3]] == [
        t.ann.mention,
        t.bob.mention,
    ]
    assert "**The group fails**: 0 of 2 pass." in text(called)


@pytest.mark.parametrize("who", ["named", "keeper", "manager"])
async def test_a_game_master_who_is_none_any_more(t: Table, who: str) -> None:
    """The panel was open already; pressed after the right is gone, it refuses and changes nothing."""
    realm = people(t)
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "campaign gm add", who=t.bob)
    await t.says(t.mara, "campaign gm add", who=realm.role)
    await t.says(t.mara, "campaign gm remove", who=t.mara)
    seat = getattr(realm, who)
    called = await seat.slash("group call", check="Stealth", dice="1d20", players=named(t.ann), hidden="gm")
    panel, asked = [reply(await seat.click(reply(called), "GM…")) for _ in range(2)]
    await seat.click(asked, f"{OFF}…")
    if who == "named":
        await t.says(t.mara, "campaign gm remove", who=seat.actor)
    else:
        t.env.backend.get_guild(t.guild.id).members[seat.actor.id].role_ids.clear()
    before, shown = await kept(t), text(called)
    labels_on_panel = ("Close", "Reveal", "Roll for the missing", "Add monsters…")
    answers = [reply(await seat.click(panel, label)) for label in labels_on_panel]
    answers.append(reply(await seat.click(asked, OFF)))

    for answer in answers:
        assert answer.ephemeral
        assert answer.content.startswith(LIMITS)
    assert (await kept(t), text(called)) == (before, shown)


async def test_players_open_no_panel(t: Table) -> None:
    """The button is there for all, and tells a player whom it is for."""
    called = await call(t, hidden="blind")
    answer = await rolls(t, called, t.ann, "GM…")

    assert answer.content.startswith(LIMITS)
