"""Hidden calls: who finds what in the message, in private, in history, statistics and export, and when."""

import csv

import pytest
from simcord import MemberActor

from tests.support.groups import MARK, SECRET, call, labels, leads, named, rolls, text
from tests.support.shown import labels as labels_of
from tests.support.table import Table, totals
from tests.support.wire import reply

SHOWN = "passes"


async def found(t: Table, actor: MemberActor, message: str) -> dict[str, int]:
    """How many of the hidden results somebody finds, by where they look."""
    (file,) = reply(await t.slash(actor, "export")).attachments
    rows = csv.DictReader((await file.read()).decode("utf-8-sig").splitlines())
    stats = reply(await t.slash(actor, "stats", roller="d9")).content
    offers = await t.offered(actor, "roll", "dice", "")
    return {
        "message": message.count(f"**{MARK}"),
        "history": (await t.whispers(actor, "history")).count(f"**{MARK}"),
        "export": sum(row["results"].startswith(MARK) for row in rows),
        "stats": 2 if "`d9` · 2 dice" in stats else 0 if "Nothing that counts was rolled" in stats else 1,
        "offers": sum(offer.startswith(MARK) for offer in offers),
    }


def where(message: int, history: int, export: int, stats: int) -> dict[str, int]:
    """What `found` finds."""
    return {"message": message, "history": history, "export": export, "stats": stats, "offers": 0}


@pytest.mark.parametrize(("hidden", "anns"), [("gm", 1), ("blind", 0)])
async def test_nothing_leaks_before_it_is_revealed(t: Table, hidden: str, anns: int) -> None:
    """Others find nothing; who rolled finds their own unless it is blind; the game master finds all."""
    called = await call(t, SECRET, dc=1, rule="all", players=named(t.ann, t.bob, t.mara), hidden=hidden)
    answers = [await rolls(t, called, who) for who in (t.ann, t.bob)]
    shown = text(called)
    panel = text(await t.press(called, "GM…", t.mara))

    assert [MARK in answer.content for answer in answers] == [bool(anns)] * 2
    assert f"Rolled: {t.ann.mention}, {t.bob.mention}\nMissing: {t.mara.mention}\n-# " in shown
    assert SHOWN not in shown
    assert await found(t, t.ann, shown) == where(0, anns, anns, 0)
    assert await found(t, t.mara, panel) == where(2, 2, 2, 0)
    assert f"{t.ann.mention} **{MARK}" in panel
    assert "So far: 2 of 2 pass." in panel


@pytest.mark.parametrize("hidden", ["gm", "blind"])
async def test_revealed_it_is_everybodys(t: Table, hidden: str) -> None:
    """Message, history, statistics and export have all rolls, those included that come after it."""
    called = await call(t, SECRET, dc=1, rule="all", players=named(t.ann, t.bob), hidden=hidden)
    await rolls(t, called, t.ann)
    panel = await leads(t, called, "Reveal")
    after_one = await found(t, t.bob, text(called))
    late = await rolls(t, called, t.bob)
    again = await rolls(t, called, t.ann)

    assert "Reveal" not in labels(panel)
    assert after_one == where(1, 1, 1, 1)
    assert await found(t, t.bob, text(called)) == where(2, 2, 2, 2)
    assert "**The group succeeds**: 2 of 2 pass." in text(called)
    assert all(MARK in answer.content for answer in (late, again))
    assert not any("see" in answer.content for answer in (late, again))
    assert labels_of(late.components) == []


async def test_who_rolled_may_show_their_own(t: Table) -> None:
    """Her roll is everybody's from then on; the call stays hidden, and nobody shows a blind roll so."""
    called = await call(t, SECRET, players=named(t.ann, t.bob), hidden="gm")
    first = await t.press(called, "Roll", t.ann)
    await rolls(t, called, t.bob)
    shown = reply(await t.press(first, "Reveal", t.ann)).content
    blind = await call(t, SECRET, players=named(t.ann, t.bob), hidden="blind")
    second = await rolls(t, blind, t.ann)

    assert shown.startswith(f"{t.ann.mention} reveals a roll of their own.\n**{MARK}")
    assert await found(t, t.mara, text(called)) == where(0, 3, 3, 1)
    assert second.content == "Rolled. Only the GM sees it (#6)."
    assert labels_of(second.components) == []


@pytest.mark.parametrize("how", ["the last presses", "the GM rolls for the last", "closed", "revealed early"])
async def test_held_rolls_are_shown_together(t: Table, how: str) -> None:
    """When all are in, however the last got in, when it is closed, or before that if the GM says so."""
    called = await call(t, SECRET, dc=1, players=named(t.ann, t.bob), hold=True)
    anns = await rolls(t, called, t.ann)
    held = text(called)
    before = await found(t, t.bob, held)
    match how:
        case "the last presses":
            await rolls(t, called, t.bob)
        case "closed":
            await leads(t, called, "Close")
        case "revealed early":
            await leads(t, called, "Reveal")
        case _:
            await leads(t, called, "Roll for the missing")
    count = 2 if "last" in how else 1

    assert f"held until all are in\nRolled: {t.ann.mention}\nMissing: {t.bob.mention}\n-#" in held
    assert MARK in anns.content
    assert before == where(0, 0, 0, 0)
    assert await found(t, t.bob, text(called)) == where(count, count, count, count)
    assert "held" not in text(called)


async def test_held_for_whoever_comes(t: Table) -> None:
    """Where nobody is named nobody is the last: it says that closing shows them, and a cancel does not."""
    first, second = [await call(t, SECRET, hold=True) for _ in range(2)]
    for called in (first, second):
        await rolls(t, called, t.ann)
    held = text(first)
    await leads(t, first, "Close")
    await leads(t, second, "Call it off")

    assert "held until it is closed" in held
    assert f"**{MARK}" in text(first)
    assert f"**{MARK}" not in text(second)
    assert await found(t, t.bob, text(second)) == where(0, 1, 1, 1)


async def test_reopened_what_was_shown_stays_so(t: Table) -> None:
    """Who rolls after a held call was closed and reopened is seen by all at once."""
    called = await call(t, SECRET, players=named(t.ann, t.bob), hold=True)
    await rolls(t, called, t.ann)
    await leads(t, called, "Close")
    await leads(t, called, "Reopen")
    await rolls(t, called, t.bob)

    assert await found(t, t.mara, text(called)) == where(2, 2, 2, 2)


async def test_a_hidden_call_whose_roller_remembers(t: Table) -> None:
    """What is dealt in secret is gone from the deck; only the GM's export holds the memory of it."""
    faces = {"700001", "700002", "700003"}
    await t.says(t.mara, "roller cards", name="Cards", cards=", ".join(f"{face} 1" for face in faces))
    called = await call(t, "cards", hidden="blind")
    for who in (t.ann, t.bob):
        await rolls(t, called, who)
    last = await t.says(t.bob, "roll", dice="cards")
    told: list[bool] = []
    for who in (t.mara, t.ann):
        (file,) = reply(await t.slash(who, "export", format="json")).attachments
        told.append('"before":[' in (await file.read()).decode().replace(" ", ""))
    await leads(t, called, "Reveal")
    shown = {line.split("**")[1] for line in text(called).splitlines()[1:3]}

    assert faces - shown == set(totals(last))
    assert told == [True, False]


async def test_held_rolls_can_t_be_hidden_too(t: Table) -> None:
    """What is held shows itself to all, which is not what who hides it wants; nothing is called."""
    options = {"check": "Stealth", "dice": "1d20", "hidden": "blind", "hold": True}
    refused = await t.whispers(t.mara, "group call", **options)

    assert refused == "Choose hidden or hold, not both."
