"""What time brings to a call: reminders, the deadline, and a bot that was away meanwhile."""

from pathlib import Path
from typing import Any

from tests.support.groups import call, group_table, ids, labels, leads, live, named, rolls, text
from tests.support.proving import proof_on
from tests.support.restart import Run
from tests.support.table import Table, entries, totals
from tests.support.wire import reply
from tests.wire.test_campaigns import opened

CLOSED = "This call is closed. A game master can reopen it."
MINUTE = 60
V2 = 1 << 15


def said(t: Table) -> list[str]:
    """The messages that everybody sees, the oldest first."""
    return t.seen_by(t.bob)


async def test_who_is_missing_is_reminded_once(t: Table) -> None:
    """When a quarter of the time is left; nobody else is mentioned, and nobody a second time."""
    called = await call(t, players=named(t.mara, t.ann, t.bob), minutes=12)
    await rolls(t, called, t.ann)
    counts: list[int] = []
    for minutes in (8, 1, 1, 1):
        await t.env.advance_time(minutes * MINUTE)
        counts.append(len(t.channel.history()))
    _, reminder = t.channel.history()

    ends = int(t.env.now().timestamp()) + MINUTE
    assert counts == [1, 2, 2, 2]
    assert reminder.content == f"{t.mara.mention}, {t.bob.mention}: **Stealth** closes <t:{ends}:R>."
    assert [user.id for user in reminder.mentions] == [t.mara.id, t.bob.id]


async def test_whatever_rings_says_something_in_plain_text(t: Table) -> None:
    """A phone shows no card in its notification: each message that notifies somebody is sent as text."""
    await call(t, players=named(t.ann, t.bob), minutes=12)
    chosen = await call(t, choose=True)
    await t.mara.select(chosen.followups[-1], [t.ann])
    await t.slash(t.mara, "group show")
    turns = await t.slash(t.mara, "group initiative", players=named(t.ann, t.bob))
    for actor in (t.ann, t.bob):
        await rolls(t, turns, actor)
    await t.press(turns, "Begin", t.mara)
    await t.env.advance_time(9 * MINUTE)
    posted: list[Any] = [r.json for r in t.env.backend.http_requests if "'users': [" in str(r.json)]
    sent: list[Any] = [body.get("data") or body for body in posted]
    ringing = [one for one in sent if one["allowed_mentions"]["users"]]

    assert len(ringing) == 6
    for one in ringing:
        assert not one.get("flags", 0) & V2
        assert all(f"<@{user}>" in one["content"] for user in one["allowed_mentions"]["users"])


async def test_nobody_is_reminded_of_what_is_done(t: Table) -> None:
    """No word where all have rolled, where it was closed or cancelled, and where it was reopened."""
    called = [await call(t, players=named(t.ann), minutes=12) for _ in range(4)]
    await rolls(t, called[0], t.ann)
    for one, label in ((1, "Close"), (2, "Call it off"), (3, "Close"), (3, "Reopen")):
        await leads(t, called[one], label)
    for _ in range(2):
        await t.env.advance_time(10 * MINUTE)

    assert said(t) == [text(one) for one in called]
    assert [labels(one)[0] for one in called] == ["My roll", "My roll", "GM…", "Roll"]


async def test_the_deadline_closes(t: Table) -> None:
    """The message says until when; then it is closed, with a verdict on who rolled."""
    called = await call(t, "1d1+14", dc=15, rule="half", players=named(t.ann, t.bob), minutes=2)
    due = int(t.env.now().timestamp()) + 2 * MINUTE
    await rolls(t, called, t.ann)
    opened = text(called)
    await t.env.advance_time(2 * MINUTE)
    closed = text(called)
    history = await t.whispers(t.bob, "history")

    assert opened.splitlines()[1] == f"Closes <t:{due}:R>."
    assert closed.splitlines()[2:5] == [
        f"Did not roll: {t.bob.mention}",
        "**The group succeeds**: 1 of 1 pass.",
        "Closed.",
    ]
    assert entries(history)[0].startswith(f"#3 · <t:{due}:t> · Evenhand · closed the call #1")


async def test_a_press_before_the_timer_is_late_all_the_same(t: Table) -> None:
    """After the deadline a roll is refused, though the message is not closed yet; what was rolled is told."""
    called = await call(t, "1d1", players=named(t.ann, t.bob), minutes=1)
    await rolls(t, called, t.ann)
    await live(t).cog_unload()
    await t.env.advance_time(MINUTE + 1)
    stale = labels(called)
    late, again = [(await rolls(t, called, who)).content for who in (t.bob, t.ann)]
    panel = await t.press(called, "GM…", t.mara)

    assert stale[0] == "Roll"
    assert late == CLOSED
    assert again.startswith("You already rolled")
    assert labels(panel) == ["Reopen", "Call it off…"]


async def test_a_reopened_call_has_no_deadline(t: Table) -> None:
    """Reopened after its time it stays open, however often time is looked at."""
    called = await call(t, "1d1", minutes=1)
    await t.env.advance_time(2 * MINUTE)
    await leads(t, called, "Reopen")
    await t.env.advance_time(60 * MINUTE)
    answer = await rolls(t, called, t.ann)

    assert totals(answer.content) == ["1"]
    assert "Closes" not in text(called)
    assert "Closed." not in text(called)


async def test_who_is_slow_to_close_closes_nothing_that_was_reopened(t: Table) -> None:
    """A process that read the deadline before somebody closed and reopened the call leaves it open."""
    called = await call(t, "1d1", minutes=1)
    (board,) = await t.app.calls.timed()
    for label in ("Close", "Reopen"):
        await leads(t, called, label)
    await t.app.calls.expire(board)
    answer = await rolls(t, called, t.ann)

    assert totals(answer.content) == ["1"]


async def test_held_rolls_are_shown_at_the_deadline(t: Table) -> None:
    """Also where somebody is missing."""
    called = await call(t, "1d1+14", players=named(t.ann, t.bob), minutes=1, hold=True)
    await rolls(t, called, t.ann)
    held = text(called)
    await t.env.advance_time(MINUTE)

    assert "**15**" not in held
    assert f"{t.ann.mention} **15**" in text(called)


async def test_in_proof_mode_an_end_waits_for_somebody_who_asks_for_something(t: Table) -> None:
    """Only two events that nobody asked for may follow each other: the end of one call and its reveal."""
    called = [await call(t, "1d1+14", players=named(t.ann, t.bob), minutes=1, hold=True) for _ in range(2)]
    await proof_on(t, t.mara)
    for one in called:
        await rolls(t, one, t.ann)
    await t.env.advance_time(2 * MINUTE)
    first = ["Closed." in text(one) for one in called]
    await t.says(t.bob, "roll", dice="1d6")
    await t.env.advance_time(MINUTE)

    assert first == [True, False]
    for one in called:
        assert f"{t.ann.mention} **15**" in text(one)
        assert "Closed." in text(one)


async def test_a_call_that_is_closed_says_so_while_its_rolls_have_to_wait(t: Table) -> None:
    """Its end is written, but for the reveal: nobody is invited to press any more."""
    people = named(t.ann, t.bob)
    called = [await call(t, "1d1+14", players=people, minutes=1, hold=hold) for hold in (False, True)]
    await proof_on(t, t.mara)
    for one in called:
        await rolls(t, one, t.ann)
    await t.env.advance_time(2 * MINUTE)

    assert ["Closed." in text(one) for one in called] == [True, True]
    assert f"{t.ann.mention} **15**" not in text(called[1])


async def test_a_restart_in_mid_call(run: Run) -> None:
    """The old message's buttons work with a new bot, and a form that was open; it remembers who rolled."""
    t = run.wire
    called = await call(t, "1d1+14", players=named(t.ann, t.bob, t.mara), minutes=2)
    first = (await rolls(t, called, t.ann)).content
    form = await t.press(called, "+ bonus…", t.bob)
    panel = await t.press(called, "GM…", t.mara)
    await run.restart()
    again = (await rolls(t, called, t.ann)).content
    bobs = reply(await t.bob.submit_modal(form, {"added": "+1"})).content
    await t.press(panel, "Roll for the missing", t.mara)

    assert again.endswith(first)
    assert totals(bobs) == ["16"]
    assert [line.split("**")[1] for line in text(called).splitlines()[1:4]] == ["16", "15", "15"]


async def test_a_bot_that_was_away_at_the_deadline_closes_when_it_is_back(run: Run) -> None:
    """Nobody has to press anything for that."""
    t = run.wire
    called = await call(t, "1d1", players=named(t.ann, t.bob), minutes=1)
    t.env.backend.advance_clock(2 * MINUTE)
    before = text(called)
    await run.restart()
    await t.env.settle(idle=0.002)

    assert "Closed." not in before
    assert "Closed." in text(called)


async def test_a_second_bot_keeps_the_time_of_the_first_ones_calls(tmp_path: Path) -> None:
    """A day later a database's open call is closed in the history as at its time."""
    async with group_table(tmp_path) as t:
        await call(t, "1d1", minutes=10)
    async with group_table(tmp_path, later=86_400) as t:
        await t.env.settle(idle=0.002)
        history = await t.whispers(t.ann, "history")

    assert [line.split(" · ")[-1] for line in entries(history)] == [
        "closed the call #1",
        "called for `1d1`",
    ]


async def test_a_call_in_a_thread(t: Table) -> None:
    """It is played in the channel's campaign, with the thread's own roller, and closes there in its time."""
    await t.says(t.mara, "campaign create", name="Dragons")
    thread = await opened(t, "tavern")
    await t.mara.slash(thread, "roller deck", refill=1, name="Cards")
    options = {"check": "Luck", "dice": "cards", "players": named(t.ann, t.bob), "minutes": 1}
    called = await t.mara.slash(thread, "group call", **options)
    faces = totals((await rolls(t, called, t.ann)).content)
    await t.env.advance_time(MINUTE)
    await leads(t, called, "Reopen")
    await leads(t, called, "Roll for the missing")
    rest = totals(reply(await t.bob.slash(thread, "roll", dice="cards", times=4)).content)
    history = await t.whispers(t.bob, "history", label="Luck")

    shown = [line.split("**")[1] for line in text(called).splitlines()[1:3]]
    assert faces[0] in shown
    assert sorted(shown + rest) == ["1", "2", "3", "4", "5", "6"]
    assert len(entries(history)) == 3
    assert sorted(ids("\n".join(text(called).splitlines()[1:3]))) == sorted([t.ann.id, t.bob.id])
