"""/data and /admin erase: seeing, erasing, and what the bot leaves behind when it leaves."""

import discord
from simcord.components import walk_components
from sqlalchemy import func, insert, select

from bot.services.verifying import Verifying
from bot.storage import erasing, schema
from bot.storage.engine import transact
from bot.storage.queries import Queries, Query, Reader, execute
from bot.storage.reading import page
from tests.support.groups import call, leads, named, rolls
from tests.support.proving import proof_on
from tests.support.realm import KEPT
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply


async def count(t: Table, name: str) -> int:
    """How many rows a table has."""
    rows = await t.database.reader.do(execute(select(func.count()).select_from(schema.metadata.tables[name])))
    return int(rows[0][0])


async def forget(t: Table) -> str:
    """Ann erases herself."""
    question = await t.slash(t.ann, "data forget")
    assert reply(question).ephemeral
    return reply(await t.press(question, "Erase me", t.ann)).content


async def test_showing_counts_what_there_is(t: Table) -> None:
    """Nothing at first; then her rolls, those with words, and the campaign that she made."""
    nothing = await t.whispers(t.ann, "data show")
    await t.says(t.ann, "campaign create", name="Dragons")
    await t.says(t.ann, "roll", dice="1d6", label="Owl")
    await t.says(t.bob, "roll", dice="1d6")
    shown = await t.whispers(t.ann, "data show")
    bobs = await t.whispers(t.bob, "data show")

    assert nothing == "Nothing is stored about you."
    assert "2 rolls and other entries in 1 history, the first <t:" in shown
    assert "1 with words of yours" in shown
    assert "game master by name of 1 campaign." in shown
    assert "0 saved rolls; 0 characters.\n" in bobs


async def test_showing_tells_of_who_did_nothing(t: Table) -> None:
    """Whoever was only named, in a call or as the host of the bot, or only noted something, is told of it."""
    keepers = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    dan = t.guild.add_member(t.env.create_user("dan", global_name="Dan"), roles=[keepers])
    await t.says(t.mara, "campaign gm add", who=keepers)
    await call(t, players=named(t.ann))
    await proof_on(t, t.mara, host=t.bob)
    called = await t.slash(t.mara, "group initiative", dice="1d6")
    await rolls(t, called, t.mara)
    asked = reply(await leads(t, called, "Order…", dan))
    menu = next(part for part in walk_components(asked.components) if part["type"] == 3)
    chosen = await dan.select(asked, [menu["options"][0]["value"]])
    await dan.submit_modal(await t.press(chosen, "Note…", dan), {"note": "Owl"})
    noted = await notes(t)
    shown = {who.name: await t.whispers(who, "data show") for who in (t.ann, t.bob, dan)}
    question = await t.slash(dan, "data forget")
    await t.press(question, "Erase me", dan)
    left = await notes(t)

    assert "Named in 1 call; a key of your own in 0 histories." in shown["ann"]
    assert "Named as the host of the bot in 1 history." in shown["bob"]
    assert "Named in 0 calls; a key of your own in 1 history." in shown["dan"]
    assert "Owl" in noted
    assert "Owl" not in left


async def notes(t: Table) -> str:
    """What is noted beside the entries of all calls."""
    rows = await t.database.reader.do(execute(select(schema.board.c.notes)))
    return "".join(row["notes"] for row in rows)


def test_showing_looks_wherever_a_person_can_be() -> None:
    """Each table with somebody's id is asked, but for those in which nobody is without a key of theirs."""
    asked = {name for query in erasing.COUNTS for name in query.get_final_froms()}
    named = {t for t in schema.metadata.sorted_tables if {"user_id", "owner_id", "host"} & {*t.c.keys()}}

    assert named - asked == {schema.hand, schema.evidence, schema.erasure}
    assert schema.master in asked


async def test_nothing_of_an_erased_person_is_left(t: Table) -> None:
    """No row of any table has her id or her words; her rights are gone, and the results stay."""
    await t.says(t.ann, "campaign create", name="Dragons")
    await t.says(t.ann, "roller deck", refill=1, name="Cards", memory="player")
    mine = totals(await t.says(t.ann, "roll", dice="cards", times=5, label="Owl"))
    await t.says(t.bob, "roll", dice="cards")
    done = await forget(t)
    tables = [schema.metadata.tables[name] for name in KEPT]
    rows = [row for table in tables for row in await t.database.reader.do(execute(table.select()))]
    history = await t.whispers(t.bob, "history")
    refused = await t.whispers(t.ann, "roller reset", name="cards")
    afresh = totals(await t.says(t.ann, "roll", dice="cards", times=6))

    assert "you are erased from 3 entries in 1 history" in done
    assert not [row for row in rows if t.ann.id in row or "Owl" in row]
    assert f"an erased player · **{' · '.join(mine)}**" in history
    assert "an erased player · was taken out of the history" in history
    assert "Only game masters can do that" in refused
    assert sorted(afresh) == ["1", "2", "3", "4", "5", "6"]


async def test_the_history_holds_after_an_erasure(t: Table) -> None:
    """Each history that she was in agrees with its tree, and rolls go on after it."""
    other = t.guild.create_text_channel("other")
    for channel in (t.channel, other):
        await t.ann.slash(channel, "roll", dice="2d6", label="Owl")
        await t.bob.slash(channel, "roll", dice="2d6")
    await forget(t)
    await forget(t)
    said = await t.says(t.ann, "roll", dice="1d6")
    reader = Reader(t.database.reader)
    for campaign_id in (1, 2):
        events = [row.event for row in await reader.do(page(campaign_id, limit=99))][::-1]

        assert [event.seq for event in events] == [*range(1, len(events) + 1)]
        assert (await Verifying(reader).check(campaign_id)).checkpoint.size == len(events)
        assert events[2].kind == "erase"
    assert numbered(said) == 4


async def test_a_servers_data_is_deleted_whole(t: Table) -> None:
    """Manage Server deletes every campaign of the server; a new roll begins at 1."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "campaign create", name="Dragons", fresh=True)
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    for n in range(4):
        await t.says(t.ann, "roll", dice=f"{n + 1}d6")
    await t.says(t.ann, "roll", dice="cards")
    await t.ann.user.slash("roll", dice="1d6")
    question = await t.slash(t.mara, "admin erase")
    asked = reply(question).content
    done = await t.press(question, "Delete it all", t.mara)
    left = {
        name: await count(t, name) for name in ("campaign", "channel", "roller", "spec", "event", "master")
    }

    assert "2 campaigns with 8 entries" in asked
    assert reply(done).content == "Done. I deleted everything stored for this place."
    assert left == {"campaign": 1, "channel": 1, "roller": 0, "spec": 0, "event": 1, "master": 0}
    assert numbered(await t.says(t.ann, "roll", dice="1d6")) == 1


async def test_a_rule_comes_again_after_its_campaign(t: Table) -> None:
    """The campaign behind a deleted one has another number, and its rules anew."""
    for number in (1, 2):
        await t.says(t.mara, "roller deck", refill=1, name="Cards")
        rolled = numbered(await t.says(t.ann, "roll", dice="cards"))
        (campaign,) = await t.database.reader.do(execute(schema.campaign.select()))
        await t.press(await t.slash(t.mara, "admin erase"), "Delete it all", t.mara)

        assert (campaign["id"], rolled) == (number, 2)


async def test_only_managers_delete_a_servers_data(t: Table) -> None:
    """A campaign's maker is refused even where the server shows them the command; a lost right counts."""
    await t.says(t.ann, "campaign create", name="Dragons")
    erase = next(command for command in await t.bot.tree.fetch_commands() if command.name == "admin")
    t.guild.set_command_permissions(erase, {t.ann: True})
    refused = await t.whispers(t.ann, "admin erase")
    question = await t.slash(t.mara, "admin erase")
    t.env.backend.get_guild(t.guild.id).members[t.mara.id].role_ids.clear()
    await t.press(question, "Delete it all", t.mara)

    assert refused == "Only people with Manage Server can delete a server's data."
    assert await count(t, "campaign") == 1


async def test_long_histories_go_in_pieces(t: Table) -> None:
    """More events than one transaction deletes are gone as well."""
    await t.says(t.ann, "roll", dice="1d6")
    row = (await Reader(t.database.reader).do(page(1)))[0]
    await transact(t.database, _multiply(row.event.interaction_id or 0))
    question = await t.slash(t.mara, "admin erase")
    await t.press(question, "Delete it all", t.mara)

    assert await count(t, "event") == 0
    assert await count(t, "campaign") == 0


def _multiply(interaction_id: int) -> Queries[None]:
    """Make 1,200 events out of the first one."""
    (first,) = yield Query(select(schema.event))
    row = {column.name: first[column.name] for column in schema.event.c}
    rows = [{**row, "seq": n, "interaction_id": interaction_id + n} for n in range(2, 1_202)]
    yield Query(insert(schema.event), rows)
