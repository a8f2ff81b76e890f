"""Called rolls are ordinary rolls: rollers remember them, they are undone, exported, verified and erased."""

import json
from pathlib import Path

import pytest
from simcord import InteractionResult
from sqlalchemy import select

from bot.record.hashing import canon
from bot.storage import schema
from bot.storage.queries import execute
from tests.support import cli
from tests.support.groups import adds, call, group_table, ids, leads, named, rolls, text
from tests.support.table import Table, totals
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def exported(answer: InteractionResult) -> str:
    """The file that came."""
    (file,) = reply(answer).attachments
    return (await file.read()).decode()


def verified(folder: Path, written: str) -> tuple[int, str]:
    """What the command line says of an export."""
    file = folder / "export.json"
    file.write_text(written, encoding="utf-8")
    return cli.verified(file)


@pytest.mark.parametrize("whose", ["table", "player"])
async def test_whose_memory_a_call_moves(t: Table, whose: str) -> None:
    """As called, whichever way the roller itself remembers; the other memory stays as it was."""
    for name, memory in (("Same", whose), ("Other", "player" if whose == "table" else "table")):
        await t.says(t.mara, "roller deck", refill=1, name=name, memory=memory)
        called = await call(t, name, memory=whose, players=named(t.ann, t.bob))
        answers = [await rolls(t, called, who) for who in (t.ann, t.bob)]
        drawn = [face for answer in answers for face in totals(answer.content)]
        again = [totals(await t.says(who, "roll", dice=name, times=5)) for who in (t.ann, t.bob)]
        said = "one memory for the table" if whose == "table" else "everybody's own memory"

        assert said in text(called)
        if whose == "table":
            assert len({*drawn}) == 2
        if name == "Same" and whose == "player":
            assert [sorted([one, *more]) for one, more in zip(drawn, again, strict=True)] == [DECK, DECK]
        elif name == "Same":
            assert sorted(drawn + again[0][:4]) == DECK
        elif whose == "table":
            assert [len({*more}) for more in again] == [5, 5]
        else:
            assert sorted(again[0] + again[1][:1]) == DECK


async def test_a_block_falls_on_the_whole_table(t: Table) -> None:
    """Three categories in blocks of three: each falls on one of the three, call for call."""
    await t.says(t.mara, "roller blocks", name="Woes", categories="a: fire; b: flood; c: frost", block=3)
    for _ in range(3):
        called = await call(t, "woes", players=named(*t.world.actors))
        faces = [totals((await rolls(t, called, who)).content)[0] for who in t.world.actors]

        assert sorted(faces) == ["fire", "flood", "frost"]


async def test_what_can_be_added_to_a_roller(t: Table) -> None:
    """A number or dice; advantage draws twice and both are remembered; what is none is refused in words."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "roller cards", name="Beasts", cards="elk 1, owl 1")
    called = await call(t, "cards", dc=3)
    refused = (await adds(t, called, t.ann, "+x")).content
    answer = (await adds(t, called, t.ann, "adv +1d1+9")).content
    worded = (await adds(t, await call(t, "beasts"), t.ann, "+1")).content
    others = totals(await t.says(t.bob, "roll", dice="cards", times=4))

    two = sorted({*DECK} - {*others})
    assert "I don't know `x`" in refused
    assert totals(answer) == [str(int(two[1]) + 10)]
    assert "the higher of " in answer
    assert "shows no number" in worded


async def test_an_undone_roll_is_rolled_anew(t: Table) -> None:
    """Undoing takes it out of the call and gives the card back; who had it rolls again, at most once."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    called = await call(t, "cards", dc=1, rule="all", players=named(t.ann, t.bob))
    for who in (t.ann, t.bob):
        await rolls(t, called, who)
    whole = text(called)
    await t.says(t.mara, "roller undo", name="Cards")
    undone = text(called)
    anew = (await rolls(t, called, t.bob)).content
    again = (await rolls(t, called, t.bob)).content

    assert "2 of 2 pass" in whole
    assert f"Missing: {t.bob.mention}\nSo far: 1 of 1 pass." in undone
    assert again == f"You already rolled:\n{anew}"
    assert "**The group succeeds**: 2 of 2 pass." in text(called)


async def test_where_only_called_rolls_count(t: Table) -> None:
    """A roll of one's own is practice; a called one moves the memory, by a player, an absentee, a monster."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "admin settings", called_only=True)
    own = await t.says(t.ann, "roll", dice="cards", times=4)
    called = await call(t, "cards", players=named(t.ann, t.bob))
    await rolls(t, called, t.ann)
    await leads(t, called, "Roll for the missing")
    await t.mara.submit_modal(await leads(t, called, "Add monsters…"), {"names": "Orc x4", "dice": "cards"})

    assert "for practice" in own
    faces = [line.split("**")[1] for line in text(called).splitlines() if " **" in line and ":" not in line]
    assert sorted(faces) == DECK


async def busy(t: Table) -> None:
    """A campaign with calls of all kinds, undone, closed, hidden and revealed."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "roller fair", name="evil", dice="1d20", memory="player")
    calls: list[tuple[str, dict[str, object]]] = [
        ("1d20+2", {"dc": 12, "rule": "half"}),
        ("evil", {"memory": "table", "hold": True}),
        ("evil", {"hidden": "blind"}),
        ("cards", {"memory": "player"}),
    ]
    for dice, options in calls:
        called = await call(t, dice, "Luck", players=named(t.ann, t.bob), **options)
        await adds(t, called, t.ann, "adv +1")
        await leads(t, called, "Roll for the missing")
        await leads(t, called, "Close")
    await t.says(t.mara, "roller undo", name="Cards")
    await t.slash(t.mara, "group deal", deck="cards", cards=2, players=named(t.ann, t.bob))
    turns = await t.slash(t.mara, "group initiative", dice="evil")
    await rolls(t, turns, t.bob)
    await t.mara.submit_modal(await leads(t, turns, "Add monsters…"), {"names": "Orc x3", "dice": "cards"})
    await leads(t, turns, "Call it off")


async def test_a_campaign_of_calls_is_verified(tmp_path: Path) -> None:
    """The whole history holds, for the game master and a player; one face changed is found and named."""
    async with group_table(tmp_path) as t:
        await busy(t)
        gms, players = [
            await exported(await t.slash(who, "export", format="json")) for who in (t.mara, t.ann)
        ]
    lines = gms.splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if '"whose":"table"' in line and '"results"' in line)
    event = json.loads(lines[place])
    results = event["what"][1]["results"]
    results[0] = "1" if results[0] != "1" else "2"
    lines[place] = canon(event).decode() + "\n"

    assert verified(tmp_path, gms)[0] == verified(tmp_path, players)[0] == 3
    code, said = verified(tmp_path, "".join(lines))
    assert code == 1
    assert f"#{event['seq']}" in said


async def test_the_erased_are_gone(t: Table) -> None:
    """From the message at its next edit, from the seats, from the history; the result and verdict stay."""
    called = await call(t, "1d1+14", dc=15, rule="all", players=named(t.ann, t.bob))
    waiting = await call(t, "1d1", players=named(t.ann))
    await rolls(t, called, t.ann)
    await t.press(await t.slash(t.ann, "data forget"), "Erase me", t.ann)
    await rolls(t, called, t.bob)
    await leads(t, waiting, "Close")
    seats = [row["user_id"] for row in await t.database.reader.do(execute(select(schema.seat)))]

    assert t.ann.id not in ids(text(called)) + ids(text(waiting))
    assert "an erased player **15**" in text(called)
    assert "**The group succeeds**: 2 of 2 pass." in text(called)
    assert seats == [t.bob.id]
