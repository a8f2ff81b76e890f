"""The chart under a check: there once it is over, drawn once, and gone where the check goes on."""

import pytest
from discord import InteractionType
from simcord import InteractionResult
from simcord.components import walk_components

from cogs.group import picture
from tests.support.groups import call, leads, named, rolls, text
from tests.support.pressing import arrives
from tests.support.restart import Run
from tests.support.table import Table
from tests.support.wire import Wire, reply


def charts(called: InteractionResult) -> list[tuple[int, str]]:
    """The pictures under a call's message: ids, and what they are described with."""
    parts = walk_components(reply(called).components)
    shown = [item for part in parts for item in part.get("items") or ()]
    return [(int(item["media"]["attachment_id"]), item["description"]) for item in shown]


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of three is enough for a chart."""
    monkeypatch.setattr(picture, "LEAST", 3)


async def everybody(t: Wire, called: InteractionResult) -> None:
    """All three press."""
    for actor in (t.mara, t.ann, t.bob):
        await rolls(t, called, actor)


@pytest.mark.drawn
async def test_a_check_that_all_have_rolled_for_gets_a_chart(t: Table) -> None:
    """With everybody by name, and not before the last one has pressed."""
    called = await call(t, "1d1+12", dc=12, rule="half", players=named(t.mara, t.ann, t.bob))
    await rolls(t, called, t.bob)
    await rolls(t, called, t.mara)
    before = charts(called)
    await rolls(t, called, t.ann)
    ((_, told),) = charts(called)

    assert before == []
    assert told == (
        "Stealth: the group succeeds. 1d1+12 against DC 12, at least half must pass: 3 of 3 pass. "
        "Bob: 13, passes by 1; Mara: 13, passes by 1; Ann: 13, passes by 1."
    )
    assert "The group succeeds" in text(called)


async def test_it_is_drawn_once_for_what_came_out(t: Table) -> None:
    """Edits of the words leave it alone; it goes when the check goes on, and another one comes after."""
    called = await call(t, "1d20")
    await everybody(t, called)
    running = charts(called)
    await leads(t, called, "Close")
    first = charts(called)
    words = text(called)
    await leads(t, called, "Reopen")
    reopened = charts(called)
    await leads(t, called, "Close")
    second = charts(called)
    await leads(t, called, "Call it off")

    assert running == reopened == charts(called) == []
    assert "Closed." in words
    assert [told for _, told in first] == [told for _, told in second] != []


async def test_a_late_press_draws_no_check_that_goes_on(t: Table) -> None:
    """Its message was seen before the check was reopened, or was never seen."""
    called = await call(t, "1d20")
    await everybody(t, called)
    pressed = await arrives(t, t.ann, InteractionType.component, "call-chart:1:1", reply(called))

    assert reply(pressed).content == "There is no chart: that check goes on, or is hidden."


async def test_a_restart_does_not_draw_it_again(run: Run) -> None:
    """The file under the message says itself what it shows."""
    t = run.wire
    called = await call(t, "1d20", players=named(t.mara, t.ann, t.bob))
    await everybody(t, called)
    drawn = charts(called)
    await run.restart()
    await leads(t, called, "Close")

    assert len(drawn) == 1
    assert charts(called) == drawn
    assert "Closed." in text(called)


async def test_hidden_rolls_get_theirs_when_they_are_revealed(t: Table) -> None:
    """A picture tells no more than the message does."""
    called = await call(t, "1d20", hidden="blind", players=named(t.mara, t.ann, t.bob))
    await everybody(t, called)
    hidden = charts(called)
    await leads(t, called, "Reveal")

    assert hidden == []
    assert len(charts(called)) == 1


async def test_somebody_whose_account_is_gone_goes_by_a_number(t: Table) -> None:
    """They left the server, and Discord knows them by no name any more."""
    called = await call(t, "1d1+11")
    await everybody(t, called)
    t.guild.remove_member(t.ann)
    t.env.inject_error("GET", f"/users/{t.ann.id}", status=404, code=10013, message="Unknown User")
    await leads(t, called, "Close")
    ((_, told),) = charts(called)

    assert "player 2: 12; " in told
    assert "Ann" not in told


async def test_names_are_asked_for_once_discord_has_its_answer(t: Table) -> None:
    """There may be forty of them: a press that asked first would be answered too late."""
    called = await call(t, "1d20", players=named(t.mara, t.ann))
    for actor in (t.mara, t.ann):
        await rolls(t, called, actor)
    before = len(t.env.backend.http_requests)
    await t.press(called, "Chart", t.bob)
    asked = [request.path for request in t.env.backend.http_requests[before:]]

    assert asked[0].endswith("/callback")
    assert any(f"/members/{t.ann.id}" in path for path in asked[1:])
