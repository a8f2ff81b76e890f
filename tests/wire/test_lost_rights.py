"""Rights count at the moment of the press: whoever lost them since the question was asked is refused."""

import csv

import pytest
from simcord import InteractionResult

from tests.support.realm import LIMITS, Realm, Seat, kept, people
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

DATA = "Only people with Manage Server can delete a server's data."


async def lose(t: Table, seat: Seat) -> None:
    """Take away what makes somebody a game master, by the bot's command or by Discord's own."""
    if seat.who == "named":
        await t.says(t.mara, "campaign gm remove", who=seat.actor)
    else:
        t.env.backend.get_guild(t.guild.id).members[seat.actor.id].role_ids.clear()


async def stage(t: Table) -> Realm:
    """A campaign with all kinds of game masters, a deck with one card gone, and a blind roll of Ann's."""
    realm = people(t)
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "campaign gm add", who=t.bob)
    await t.says(t.mara, "campaign gm add", who=realm.role)
    # Who made a campaign is named by it, and would stay its game master without Manage Server.
    await t.says(t.mara, "campaign gm remove", who=t.mara)
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.ann, "roll", dice="cards")
    return realm


@pytest.mark.parametrize("who", ["named", "keeper", "manager"])
async def test_a_press_after_the_right_is_gone(t: Table, who: str) -> None:
    """The button was shown to a game master; pressed by one no longer, it refuses and changes nothing.

    So does a form that was open already.
    """
    realm = await stage(t)
    seat: Seat = getattr(realm, who)
    question = reply(await seat.slash("admin reset", scope="campaign"))
    form = await seat.click(question, "Reset…")
    earlier = reply(await seat.slash("admin reset", scope="campaign"))
    sent = await seat.actor.submit_modal(await seat.click(earlier, "Reset…"), {"why": "Anew"})
    blind = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind")
    number = numbered(reply(blind).content)
    presses = [
        (reply(await seat.slash("roller reset", name="Cards")), "Reset it", LIMITS),
        (question, "Reset…", LIMITS),
        (reply(sent), "Undo", LIMITS),
        (reply(blind), "Look", f"#{number} is hidden from you. Who may see it can reveal it."),
        (reply(blind), "Reveal", f"#{number} is hidden from you, so you can't reveal it."),
        (reply(await seat.slash("lab tune", values=2, samples=3)), "Make the dice (GM)", LIMITS),
    ]
    await lose(t, seat)
    before = await kept(t)
    answers = [reply(await seat.click(shown, label)) for shown, label, _ in presses]
    answers.append(reply(await seat.actor.submit_modal(form, {"why": "Anew"})))

    assert [answer.content for answer in answers] == [*(refusal for *_, refusal in presses), LIMITS]
    assert all(answer.ephemeral for answer in answers)
    assert await kept(t) == before


async def test_a_deletion_after_the_right_is_gone(t: Table) -> None:
    """Nothing is deleted, and who pressed is told why."""
    realm = await stage(t)
    question = await t.slash(t.mara, "admin erase")
    await lose(t, realm.manager)
    before = await kept(t)
    answer = await t.press(question, "Delete it all", t.mara)

    assert [reply(answer).content, *(m.content for m in answer.followups)][-1] == DATA
    assert await kept(t) == before


@pytest.mark.parametrize("who", ["named", "keeper", "manager"])
async def test_hidden_rolls_leave_the_export_with_the_right(t: Table, who: str) -> None:
    """The same command gives a game master all results, and the same person afterwards all but the hidden."""
    realm = await stage(t)
    seat: Seat = getattr(realm, who)
    await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind")
    whole = await _results(await seat.slash("export"))
    await lose(t, seat)
    rest = await _results(await seat.slash("export"))

    assert [result.startswith("100000") for result in whole].count(True) == 1
    assert rest[: len(whole)] == ["hidden" if r.startswith("100000") else r for r in whole]


async def test_a_right_that_comes_later_counts_too(t: Table) -> None:
    """A player's press is refused; named in between, the same button works."""
    await t.says(t.mara, "campaign create", name="Dragons")
    blind = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind")
    refused = reply(await t.press(blind, "Look", t.bob)).content
    await t.says(t.mara, "campaign gm add", who=t.bob)

    assert refused == "#2 is hidden from you. Who may see it can reveal it."
    assert totals(reply(await t.press(blind, "Look", t.bob)).content)[0].startswith("100000")


async def _results(answer: InteractionResult) -> list[str]:
    files = [a for m in [reply(answer), *answer.followups] for a in m.attachments]
    text = (await files[0].read()).decode("utf-8-sig")
    return [row["results"] for row in csv.DictReader(text.splitlines())]
