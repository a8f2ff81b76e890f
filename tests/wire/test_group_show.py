"""A call's message that can't be edited, or is lost, is brought up to date or put up again."""

import pytest

from tests.support.groups import call, labels, live, rolls, text
from tests.support.table import REPLIES, Table
from tests.support.wire import reply

EDITS = "/channels/*/messages/*"


async def test_a_press_edits_a_message_that_the_bot_may_not(t: Table) -> None:
    """Once Discord has refused an edit, each press brings its own message up to date."""
    called = await call(t)
    t.env.inject_error("PATCH", EDITS, status=403, code=50001, message="no", times=None)
    await rolls(t, called, t.ann)
    before = text(called).count("<@")
    pressed = await t.press(called, "Roll", t.bob)

    assert before == 1
    assert all(actor.mention in text(called) for actor in (t.ann, t.bob))
    assert [one.ephemeral for one in pressed.followups] == [True]


async def test_a_deleted_message_is_put_up_again(t: Table) -> None:
    """A game master shows the call again; presses edit the new message from then on."""
    called = await call(t)
    await rolls(t, called, t.ann)
    t.env.backend.delete_message(t.channel.id, reply(called).id)
    again = await t.slash(t.mara, "group show")
    await rolls(t, again, t.bob)
    await t.env.settle()

    assert all(actor.mention in text(again) for actor in (t.ann, t.bob))
    assert await t.whispers(t.mara, "group show", number=99) == "There is no call #99 here."


@pytest.mark.refusing
async def test_a_call_that_was_never_shown_is_put_up(t: Table) -> None:
    """The game master is told that the call stands, and how it comes up."""
    t.env.inject_error("POST", REPLIES, status=403, code=50001, message="no")
    said = await t.whispers(t.mara, "group call", check="Stealth", dice="1d20")
    again = await t.slash(t.mara, "group show")
    await rolls(t, again, t.ann)

    assert said == "The call stands (#1), but Discord refused my answer. `/group show` puts it up."
    assert t.ann.mention in text(again)
    assert live(t).edits == 1


async def test_a_call_may_be_shown_in_another_channel_of_its_campaign(t: Table) -> None:
    """It goes on there, and the campaign holds: where a call is shown is no part of its history."""
    await t.slash(t.mara, "campaign create", name="Dragons")
    other = t.guild.create_text_channel("other")
    await t.mara.slash(other, "campaign use", name="Dragons")
    await call(t)
    again = await t.mara.slash(other, "group show")
    await t.ann.click(reply(again), label="Roll")
    await t.env.settle()

    assert t.ann.mention in text(again)
    assert "All 4 entries check out." in await t.whispers(t.bob, "verify")


async def test_an_earlier_message_links_to_the_new_one(t: Table) -> None:
    """It gets no more edits, so it has no buttons that still invite to roll, in whatever channel it is."""
    await t.slash(t.mara, "campaign create", name="Dragons")
    other = t.guild.create_text_channel("other")
    await t.mara.slash(other, "campaign use", name="Dragons")
    called = await call(t)
    await rolls(t, called, t.ann)
    again = reply(await t.mara.slash(other, "group show"))
    await t.env.settle()

    assert text(called) == (
        f"**Stealth** has a new message: [#3](https://discord.com/channels/{t.guild.id}/{other.id}/{again.id})"
    )
    assert labels(called) == []


async def test_each_lost_answer_is_put_into_the_channel(t: Table) -> None:
    """Where Discord no longer waits for the answer to /group call, nor for that to /group show."""
    for command, options in (("group call", {"check": "Stealth", "dice": "1d20"}), ("group show", {})):
        t.env.inject_error("POST", REPLIES, status=404, code=10062, message="no")
        await t.slash(t.mara, command, **options)

    assert sum(said.startswith("**Stealth**") for said in t.seen_by(t.ann)) == 2


async def test_all_who_are_called_are_called(t: Table) -> None:
    """A hundred are mentioned, in two messages, and each may be notified."""
    people = [t.guild.add_member(t.env.create_user(f"p{n}")) for n in range(100)]
    players = "".join(actor.mention for actor in people)
    called = await t.slash(t.mara, "group call", check="Stealth", dice="1d20", players=players)
    sent = [reply(called), *called.followups]

    assert len(sent) == 2
    assert all(any(actor.mention in one.content for one in sent) for actor in people)
    posted = [r.json for r in t.env.backend.http_requests if r.json and "'users': [" in str(r.json)][-2:]
    whom = [(body.get("data") or body)["allowed_mentions"]["users"] for body in posted]
    assert all(str(actor.id) in map(str, users) for users in whom for actor in people)
