"""/export bring_back: what /export and /roller export gave comes to another channel, and replaces nothing."""

import json

from simcord import ChannelHandle, InteractionResult, MemberActor

from tests.support.systems import EXAMPLES
from tests.support.table import Table, numbered
from tests.support.wire import reply

FAIR = '{"system":"fair","base":"2d6","tightness":"1"}'


async def exported(t: Table, who: MemberActor, command: str = "export", **options: object) -> bytes:
    """The file that came with an answer."""
    result = await t.slash(who, command, **({"format": "json"} if command == "export" else {}) | options)
    [message] = [message for message in (reply(result), *result.followups) if message.attachments]
    return await message.attachments[0].read()


def words(result: InteractionResult) -> tuple[str, str]:
    """What the asker was told, and what everybody was."""
    messages = [*([result.response] if result.response else []), *result.followups]
    private, public = ([m.content for m in messages if m.ephemeral is alone] for alone in (True, False))
    return "\n".join(private), "\n".join(public)


async def brought(
    who: MemberActor, where: ChannelHandle, data: bytes | str, **options: object
) -> tuple[str, str]:
    """What is said about a file that is brought in."""
    data = data.encode() if isinstance(data, str) else data
    return words(await who.slash(where, "export", bring_back=("export.json", data), **options))


async def listed(who: MemberActor, where: ChannelHandle, command: str = "roller list") -> str:
    """A list."""
    return reply(await who.slash(where, command)).content


async def arrange(t: Table) -> None:
    """A channel with a fair roller, a chart and a d100, and saved rolls of two people."""
    await t.says(t.mara, "roller fair", name="evil", dice="2d6", memory="player")
    await t.says(t.mara, "roller chart", name="woods", dice="1d4", chart="1-3 bandits; 4 treasure")
    await t.says(t.ann, "roll", dice="evil", times=5)
    await t.says(t.ann, "d100 roll")
    for who, name in ((t.ann, "fire"), (t.mara, "ice")):
        await t.whispers(who, "save", name=name, dice="8d6")
    await t.whispers(t.mara, "save", name="malice", dice="evil")


async def test_an_export_comes_to_another_channel(t: Table) -> None:
    """Its rollers, which everybody reads, without what they remembered; and one's own saved rolls."""
    await arrange(t)
    data = await exported(t, t.mara)
    there = t.guild.create_text_channel("there")
    private, public = await brought(t.mara, there, data)
    rollers = await listed(t.bob, there)
    saved = await listed(t.mara, there, "save")
    rolled = reply(await t.ann.slash(there, "roll", dice="woods")).content

    assert private.startswith("Brought in: 2 rollers.\nSaved for you: 2 rolls: ice · malice\n")
    assert "What rollers remember, settings and the history stay" in private
    assert public.startswith(f"{t.mara.mention} brought in 2 rollers:\n`evil` — fair 2d6, tightness 1")
    assert public.endswith("#1 to #2")
    assert (await listed(t.bob, t.channel)).endswith(rollers.removeprefix("**Rollers**"))
    assert rollers.count("\n") == 2
    assert saved == "**Saved rolls**\n**ice** · `8d6`\n**malice** · `evil`"
    assert numbered(rolled) == 3


async def test_a_player_brings_only_saved_rolls(t: Table) -> None:
    """Rollers are for those who may make them; the export held nobody's saved rolls but their own."""
    await arrange(t)
    data = await exported(t, t.ann)
    there = t.guild.create_text_channel("there")
    private, public = await brought(t.ann, there, data)

    assert private.startswith(
        "Saved for you: 1 roll: fire\n**Not brought in**\n"
        "`evil`: Only game masters can do that. `/campaign show` lists them."
    )
    assert public == ""
    assert "no rollers" in await listed(t.ann, there)
    assert await listed(t.ann, there, "save") == "**Saved rolls**\n**fire** · `8d6`"


async def test_shared_rolls_come_back_for_everybody(t: Table) -> None:
    """A table that moves keeps them; a player is told why only game masters bring them."""
    await arrange(t)
    await t.whispers(t.mara, "save", name="storm", dice="6d6", shared=True)
    await t.whispers(t.ann, "save", name="tempest", dice="storm+2")
    data = await exported(t, t.ann)
    there = t.guild.create_text_channel("there")
    refused, _ = await brought(t.ann, there, data)
    private, _ = await brought(t.mara, there, data)
    rolled = words(await t.bob.slash(there, "roll", dice="storm"))[1]
    await t.mara.slash(there, "save", name="storm", dice="8d6", shared=True)
    again, _ = await brought(t.mara, there, data)

    assert "`storm`: Only game masters can do that" in refused
    assert "Saved for everybody here: 1 roll: storm\nSaved for you: 2 rolls: fire · tempest\n" in private
    assert numbered(rolled) == 3
    assert "`storm`: There is another shared roll of that name. Remove it first." in again


async def test_nothing_that_is_there_is_replaced(t: Table) -> None:
    """It is listed with what to do; what is wrong with one thing does not keep out the others."""
    about = {
        "rollers": [
            {"name": "evil", "spec": FAIR},
            {"name": "2d6", "spec": FAIR},
            {"name": "odd", "spec": '{"system":"hat"}'},
            {"name": "new", "spec": FAIR},
            {"name": "NEW", "spec": '{"system":"dice","base":"1d6"}'},
        ],
        "saved": [
            {"name": "fire", "dice": "9d6"},
            {"name": "ice", "dice": "8d6"},
            {"name": "1d6", "dice": "8d6"},
            {"name": "wind", "dice": "nothing"},
        ],
    }
    export = f'{{"evenhand":2}}\n{json.dumps({"about": about})}\n'
    await t.says(t.mara, "roller deck", refill=1, name="evil")
    for name in ("fire", "ice"):
        await t.whispers(t.mara, "save", name=name, dice="8d6")
    private, public = await brought(t.mara, t.channel, export)
    rollers = await t.whispers(t.ann, "roller list")

    assert private.startswith("Brought in: 1 roller.\nSaved for you: 1 roll: ice\n**Not brought in**\n")
    assert "`evil`: There is a roller of that name already. Remove it first" in private
    assert "`2d6`: 2d6 can't be a roller's name" in private
    assert "`odd`: There is no system 'hat'." in private
    assert "`NEW`: The file has another roller of that name" in private
    assert "`fire`: You have saved other dice under that name. Remove them first." in private
    assert "`1d6`: " in private
    assert "`wind`: " in private
    assert public.count("\n") == 2
    assert "**evil** · deck" in rollers
    assert "**new** · fair 2d6" in rollers
    assert "**fire** · `8d6`" in await t.whispers(t.mara, "save")


async def test_a_table_for_a_spreadsheet_is_not_brought_back(t: Table) -> None:
    """Who takes the usual file is told which other one comes back, with or without a name."""
    await arrange(t)
    data = await exported(t, t.mara, "export", format="csv")

    for options in ({}, {"name": "evil"}):
        refused = (await brought(t.mara, t.channel, data, **options))[0]
        assert refused == "That file is for a spreadsheet. I bring back what `/export format:json` gives."


async def test_one_roller_wants_a_name(t: Table) -> None:
    """What /roller export gave, and a map, are brought in under the name that is given."""
    await arrange(t)
    data = await exported(t, t.bob, "roller export", name="evil")
    nameless = (await brought(t.mara, t.channel, data))[0]
    private, public = await brought(t.mara, t.channel, data, name="copy")
    odd = (await brought(t.mara, t.channel, b"a,b\n", name="map"))[0]

    assert nameless == "This is one roller, and its name is not in the file. Give it as `name`."
    assert private.startswith("Brought in: 1 roller.\n-# ")
    assert "`copy` — fair 2d6, tightness 1" in public
    assert "`map`: A map's first line is" in odd


async def test_everybody_makes_rollers_where_they_may(t: Table) -> None:
    """The campaign's settings count, as for /roller import."""
    await t.says(t.mara, "admin settings", makers="everyone")
    _, public = await brought(t.ann, t.channel, FAIR, name="mine")

    assert public.startswith(f"{t.ann.mention} brought in 1 roller:\n`mine` — fair 2d6")


async def test_what_is_no_file_of_ours(t: Table) -> None:
    """It is refused in private, and nothing happens."""
    for data, reason in ((b"\xff\xfe", "no text in UTF-8"), (b" " * 200_001, "at most 200,000")):
        private, public = await brought(t.mara, t.channel, data, name="evil")

        assert reason in private, reason
        assert public == "", reason


async def test_whatever_can_be_imported_keeps_the_history_whole(t: Table) -> None:
    """A roller by each rule is rolled, dealt and undone; a rule that no roller has is refused."""
    for system, spec in EXAMPLES.items():
        name = f"My {system}"
        made = reply(await t.slash(t.mara, "roller import", name=name, json=json.dumps(spec)))
        for command in ("roll", "roll", "deal"):
            await t.slash(t.ann, command, **{"deck" if command == "deal" else "dice": name})
        await t.slash(t.mara, "roller undo", name=name)

        assert made.ephemeral or f"**{name}** is ready" in made.content
