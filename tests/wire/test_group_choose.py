"""Players that are chosen from a list of people, instead of being typed."""

from simcord import InteractionResult, MemberActor

from tests.support.groups import call, leads, named, rolls, text
from tests.support.realm import kept
from tests.support.restart import Run
from tests.support.table import Table
from tests.support.wire import reply

NOT_YET = "Nobody is called yet: the game master picks the players."


async def choose(panel: InteractionResult, gm: MemberActor, *players: MemberActor) -> InteractionResult:
    """A game master's choice from the list in a panel."""
    return await gm.select(panel.followups[-1], players)


async def test_who_is_chosen_is_called(t: Table) -> None:
    """Before, nobody is; then those alone, who are told so; a later choice replaces the first one."""
    called = await call(t, "1d1+14", dc=15, rule="all", choose=True)
    before = text(called), (await rolls(t, called, t.ann)).content
    chosen = await choose(called, t.mara, t.ann, t.bob)
    then = text(called)
    await rolls(t, called, t.ann)
    again = await choose(called, t.mara, t.mara, t.ann)
    bobs = (await rolls(t, called, t.bob)).content

    assert NOT_YET in before[0]
    assert before[1] == "This call is for others. Ask a game master to add you."
    assert f"Missing: {t.ann.mention}, {t.bob.mention}" in then
    assert NOT_YET not in then
    assert [m.content for m in chosen.followups] == [
        f"{t.ann.mention}, {t.bob.mention}: **Stealth** waits for you all."
    ]
    assert [m.content for m in again.followups] == [f"{t.mara.mention}: **Stealth** waits for you."]
    assert bobs == before[1]
    assert f"{t.ann.mention} **15**" in text(called)
    assert f"Missing: {t.mara.mention}" in text(called)


async def test_hands_are_dealt_to_who_is_chosen(t: Table) -> None:
    """At once, and once, though the choice is delivered twice."""
    await t.says(t.mara, "roller cards", name="Hands", cards="elk 3, owl 3")
    dealt = await t.slash(t.mara, "group deal", deck="Hands", cards=2, choose=True)
    await choose(dealt, t.mara, t.ann, t.bob)
    before = await kept(t)
    await t.deliver_again()

    assert f"Dealt: {t.ann.mention}, {t.bob.mention}" in text(dealt)
    assert await kept(t) == before


async def test_a_closed_call_calls_nobody(t: Table) -> None:
    """A list that is still shown is answered with the reason; and so is who may not choose any more."""
    called = await call(t, players=named(t.ann))
    panel = await t.press(called, "GM…", t.mara)
    roles = t.env.backend.get_guild(t.guild.id).members[t.mara.id].role_ids
    lost = roles.copy()
    roles.clear()
    refused = reply(await t.mara.select(reply(panel), [t.bob])).content
    roles += lost
    await leads(t, called, "Close")
    closed = reply(await t.mara.select(reply(panel), [t.bob])).content

    assert refused.startswith("Only game masters can do that")
    assert closed == "This call is closed. Reopen it first."
    assert f"Did not roll: {t.ann.mention}" in text(called)


async def test_the_list_works_after_a_restart(run: Run) -> None:
    """As every button does."""
    called = await run.wire.slash(run.wire.mara, "group initiative", choose=True)
    await run.restart()
    chosen = await choose(called, run.wire.mara, run.wire.ann)

    assert [m.content for m in chosen.followups] == [f"{run.wire.ann.mention}: **Initiative** waits for you."]
