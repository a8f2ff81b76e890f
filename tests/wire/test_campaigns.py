"""/campaign: histories that channels share, who may change them, and what stays apart."""

import discord
from simcord import ChannelHandle, MemberActor

from tests.support.groups import labels
from tests.support.table import Table, entries, numbered, totals
from tests.support.wire import reply


async def rolls(actor: MemberActor, channel: ChannelHandle, dice: str = "1d6") -> str:
    """The answer to a roll in a channel."""
    return reply(await actor.slash(channel, "roll", dice=dice)).content


async def says(actor: MemberActor, channel: ChannelHandle, command: str, /, **options: object) -> str:
    """The answer to a command in a channel."""
    return reply(await actor.slash(channel, command, **options)).content


async def opened(t: Table, name: str) -> ChannelHandle:
    """A new thread of the channel."""
    channel = t.bot.get_channel(t.channel.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
    return next(handle for handle in t.channel.threads if handle.id == thread.id)


async def test_channels_share_a_campaign(t: Table) -> None:
    """Two channels that play one campaign number their rolls together; a third one counts by itself."""
    other, third = (t.guild.create_text_channel(name) for name in ("other", "third"))
    made = await t.says(t.mara, "campaign create", name="Dragons")
    used = await says(t.mara, other, "campaign use", name="dragons")
    numbers = [numbered(await rolls(t.ann, c)) for c in (t.channel, other, third, other)]
    history = await says(t.ann, other, "history")

    assert "You play it here from now on, and it begins empty." in made
    assert (numbered(made), numbered(used)) == (1, 2)
    assert numbers == [3, 4, 1, 5]
    assert len(entries(history)) == 5
    assert "made the campaign `Dragons`" in history
    assert f"plays it in <#{other.id}>" in history


async def test_a_new_campaign_takes_the_channels_history_along(t: Table) -> None:
    """Its rolls and rollers are the campaign's; afterwards the channel begins a new one of its own."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    first = totals(await t.says(t.ann, "roll", dice="cards", times=5))
    made = await t.says(t.mara, "campaign create", name="Dragons")
    rest = totals(await t.says(t.ann, "roll", dice="cards"))
    left = await t.says(t.mara, "campaign archive")

    assert "with this channel's history: 2 entries and 1 roller." in made
    assert sorted(first + rest) == ["1", "2", "3", "4", "5", "6"]
    assert numbered(left) == 5
    assert numbered(await rolls(t.ann, t.channel)) == 1


async def test_a_campaign_with_a_name_is_left_whole(t: Table) -> None:
    """Where one is played already, a new one begins empty; /campaign use says what is where."""
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    made = await t.says(t.mara, "campaign create", name="Ships")
    back = await t.says(t.mara, "campaign use", name="Dragons")
    own = await t.says(t.mara, "campaign use")

    assert "and it begins empty" in made
    now, before = back.splitlines()[:2]
    assert now.endswith("the threads that follow it play the campaign `Dragons`: 3 entries and 1 roller.")
    assert before == (
        "The campaign `Ships` keeps 1 entry and 0 rollers. `/campaign use Ships` brings them back."
    )
    assert "the threads that follow it play their own campaign" in own
    assert "The campaign `Dragons` keeps 3 entries and 1 roller." in own


async def test_a_setting_holds_at_once_in_all_channels(t: Table) -> None:
    """A thread that has been answered before speaks the campaign's new language with the next answer."""
    await rolls(t.ann, t.channel)
    thread = await opened(t, "tavern")
    english = await says(t.ann, thread, "odds", what="2d6")
    await t.says(t.mara, "admin settings", language="de")
    german = await says(t.ann, thread, "odds", what="2d6")

    assert ("on average" in english, "im Schnitt" in german) == (True, True)


async def test_threads_follow_until_they_choose(t: Table) -> None:
    """A thread plays what its channel plays, also after that moved, and keeps to its own choice."""
    thread = await opened(t, "tavern")
    first = numbered(await rolls(t.ann, t.channel)), numbered(await rolls(t.ann, thread))
    await t.says(t.mara, "campaign create", name="One")
    moved = numbered(await rolls(t.ann, thread))
    await says(t.mara, thread, "campaign create", name="Two")
    chosen = numbered(await rolls(t.ann, thread))
    await t.says(t.mara, "campaign create", name="Three")
    fresh = await opened(t, "cellar")

    assert first == (1, 2)
    assert (moved, chosen) == (4, 2)
    assert numbered(await rolls(t.ann, thread)) == 3
    assert numbered(await rolls(t.ann, fresh)) == 2


async def test_a_choice_of_a_thread_is_no_choice_of_its_channel(t: Table) -> None:
    """A channel that played nothing stays with its own campaign, and so does its next thread."""
    other = t.guild.create_text_channel("other")
    await says(t.mara, other, "campaign create", name="Dragons")
    thread, next_thread = await opened(t, "tavern"), await opened(t, "crypt")
    used = await says(t.mara, thread, "campaign use", name="Dragons")
    numbers = [numbered(await rolls(t.ann, c)) for c in (thread, thread, t.channel, next_thread, thread)]
    shown = await says(t.mara, thread, "campaign show")

    assert used.startswith("From now on this thread plays the campaign `Dragons`: 2 entries")
    assert numbers == [3, 4, 1, 2, 5]
    assert f"**Played in** · <#{other.id}>, <#{thread.id}>\n" in shown


async def test_a_new_thread_reads_its_channels_history(t: Table) -> None:
    """Before anything was rolled in a thread, the history there is already that of its channel."""
    await rolls(t.ann, t.channel)
    thread = await opened(t, "tavern")

    assert len(entries(await says(t.ann, thread, "history"))) == 1


async def test_a_channel_goes_back_to_its_own(t: Table) -> None:
    """Without a name the channel plays its own campaign on, with the rollers and numbers it had."""
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "campaign create", name="Dragons", fresh=True)
    refused = await t.whispers(t.ann, "roll", dice="cards")
    back = await t.says(t.mara, "campaign use")
    drawn = await t.says(t.ann, "roll", dice="cards")

    assert "don't know `cards`" in refused
    assert "the threads that follow it play their own campaign" in back
    assert (numbered(back), numbered(drawn)) == (2, 3)


async def test_archived_campaigns_come_back_whole(t: Table) -> None:
    """Archiving sends the channels home at once; the list says so, and using it again takes it out."""
    thread = await opened(t, "tavern")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    await t.says(t.mara, "campaign create", name="Dragons", fresh=True)
    await rolls(t.ann, thread)
    gone = await t.says(t.mara, "campaign archive")
    listed = await t.whispers(t.bob, "campaign list")
    own = await t.says(t.ann, "roll", dice="cards")
    twice = await t.whispers(t.mara, "campaign archive", name="Dragons")
    await t.says(t.mara, "campaign use", name="Dragons")

    assert "`/campaign use Dragons` brings it back." in gone
    assert listed.splitlines()[1:] == [
        "**This channel's own campaign** · 1 entry",
        "**Dragons** · 3 entries, archived",
    ]
    assert numbered(own) == 2
    assert twice == "Dragons is archived already. `/campaign use Dragons` brings it back."
    assert numbered(await rolls(t.ann, thread)) == 5
    assert "archived" not in await t.whispers(t.bob, "campaign list")


async def test_names_are_unique_and_can_change(t: Table) -> None:
    """A taken name is refused in any case; a renamed campaign frees its old one; the own one takes one."""
    await t.says(t.mara, "campaign create", name="Dragons")
    taken = await t.whispers(t.mara, "campaign create", name=" DRAGONS ")
    renamed = await t.says(t.mara, "campaign rename", new="Ships")
    await t.says(t.mara, "campaign create", name="Dragons")
    clash = await t.whispers(t.mara, "campaign rename", new="ships")
    await t.says(t.mara, "campaign use")
    named = await t.says(t.mara, "campaign rename", new="The table")
    kept = await t.whispers(t.mara, "campaign archive")

    assert taken == "There is a campaign DRAGONS here already. Take another name."
    assert renamed.startswith("The campaign `Dragons` is called `Ships` from now on.")
    assert clash == "There is a campaign ships here already. Take another name."
    assert named.startswith("This channel's campaign is called `The table` from now on.")
    assert kept.startswith("This is the channel's own campaign, and it stays.")
    assert await t.offered(t.bob, "campaign use", "name", "") == ["Dragons", "Ships", "The table"]
    assert await t.offered(t.bob, "campaign show", "name", "SH") == ["Ships"]


async def test_buttons_outlive_the_move_of_a_channel(t: Table) -> None:
    """A roll hidden in the old campaign is revealed there, and an open one rolled again in the new one."""
    hidden = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="self")
    rolled = await t.slash(t.ann, "roll", dice="1d6")
    await t.says(t.mara, "campaign create", name="Dragons", fresh=True)
    shown = await t.pressed(hidden, "Reveal", t.ann)
    again = await t.press(rolled, "Again", t.ann)

    assert totals(shown.partition("\n")[2])[0].startswith("100000")
    assert numbered(shown) == 1
    assert numbered(reply(again).content) == 2
    assert "revealed" not in await t.whispers(t.mara, "history")
    await t.says(t.mara, "campaign use")
    assert "revealed #1" in await t.whispers(t.mara, "history")


async def makes(t: Table, actor: MemberActor) -> bool:
    """Whether somebody is let make a roller."""
    answer = reply(await t.slash(actor, "roller dice", name="New", dice="1d6"))
    return not answer.ephemeral


async def test_the_maker_and_the_named_are_game_masters(t: Table) -> None:
    """Ann made it; she names Bob and dismisses him, and each right holds from that moment."""
    await t.says(t.ann, "campaign create", name="Dragons")
    rights = [await makes(t, t.ann), await makes(t, t.bob), await makes(t, t.mara)]
    added = await t.says(t.ann, "campaign gm add", who=t.bob)
    rights.append(await makes(t, t.bob))
    twice = await t.whispers(t.bob, "campaign gm add", who=t.bob)
    await t.says(t.bob, "campaign gm remove", who=t.ann)
    rights.append(await makes(t, t.ann))
    never = await t.whispers(t.bob, "campaign gm remove", who=t.ann)

    assert rights == [True, False, True, True, False]
    assert added.startswith(
        f"{t.ann.mention} made {t.bob.mention} a game master of the campaign `Dragons`.\n-# #"
    )
    assert twice == "They already lead this campaign."
    assert never.startswith("They don't lead this campaign.")


async def test_a_role_can_be_game_master(t: Table) -> None:
    """Who has the named role is game master, and is none any more once it is taken away."""
    role = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    t.env.backend.get_guild(t.guild.id).members[t.bob.id].role_ids.append(role.id)
    before = await makes(t, t.bob)
    await t.says(t.mara, "campaign gm add", who=role)
    named = await makes(t, t.bob)
    shown = await t.whispers(t.ann, "campaign show")
    t.env.backend.emit("GUILD_ROLE_DELETE", {"guild_id": str(t.guild.id), "role_id": str(role.id)})
    await t.env.settle(idle=0.002)
    deleted = await t.whispers(t.ann, "campaign show")
    t.env.backend.get_guild(t.guild.id).members[t.bob.id].role_ids.clear()

    assert (before, named) == (False, True)
    assert not await makes(t, t.bob)
    assert f"**Game masters** · <@&{role.id}>, everybody with Manage Server" in shown
    assert "a role that was deleted, everybody with Manage Server" in deleted


async def test_a_role_counts_before_discord_has_told_the_server(t: Table) -> None:
    """After a restart the bot knows no role of the server for a while; who pressed came with theirs."""
    role = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    t.env.backend.get_guild(t.guild.id).members[t.bob.id].role_ids.append(role.id)
    await t.says(t.mara, "campaign gm add", who=role)
    guild = t.bot.get_guild(t.guild.id)
    assert guild
    guild._roles.clear()

    assert await makes(t, t.bob)


async def test_players_change_nothing(t: Table) -> None:
    """Who is no game master of a campaign is told so in private; being one of another does not help."""
    other = t.guild.create_text_channel("other")
    await t.says(t.mara, "campaign create", name="Dragons")
    await says(t.mara, other, "campaign create", name="Ships")
    elsewhere = t.guild.create_text_channel("bob's")
    await says(t.bob, elsewhere, "campaign create", name="Bob's")
    tries: list[tuple[str, dict[str, object]]] = [
        ("campaign use", {}),
        ("campaign use", {"name": "Ships"}),
        ("campaign rename", {"new": "Mine"}),
        ("campaign archive", {"name": "Ships"}),
        ("campaign gm add", {"who": t.bob}),
        ("campaign gm remove", {"who": t.bob}),
    ]
    for command, options in tries:
        refused = await t.whispers(t.bob, command, **options)
        assert "Only game masters can do that. `/campaign show`" in refused, command

    assert await t.whispers(t.bob, "campaign list") == "\n".join(
        ["**Campaigns**", *(f"**{name}** · 1 entry" for name in ("Bob's", "Dragons", "Ships"))]
    )


async def test_a_player_can_not_take_a_channel_over(t: Table) -> None:
    """Where others play, a player's new campaign is made but not played, and changes nothing here."""
    await rolls(t.ann, t.channel)
    made = await t.says(t.bob, "campaign create", name="Bob's")

    assert "You don't play it here yet" in made
    assert numbered(await rolls(t.ann, t.channel)) == 2
    assert not await makes(t, t.bob)


async def test_servers_and_direct_messages_stay_apart(t: Table) -> None:
    """Another place knows nothing of this server's campaigns, and may use their names for its own."""
    await t.says(t.mara, "campaign create", name="Dragons")
    alone = t.mara.user
    listed = reply(await alone.slash("campaign list")).content
    refused = reply(await alone.slash("campaign use", name="Dragons")).content
    made = reply(await alone.slash("campaign create", name="Dragons")).content

    assert "no campaigns with a name here" in listed
    assert refused.startswith("There is no campaign `Dragons` here.")
    assert numbered(made) == 1
    assert (await t.whispers(t.bob, "campaign list")).count("Dragons") == 1


async def test_showing_says_what_a_campaign_is(t: Table) -> None:
    """Name, size, channels and game masters; and a word where nothing was played yet."""
    nothing = await t.whispers(t.ann, "campaign show")
    await t.says(t.ann, "campaign create", name="Dragons")

    assert nothing.startswith("Nothing was played here yet.")
    assert await t.whispers(t.bob, "campaign show", name="dragons") == (
        f"**Dragons** · 1 entry in its history\n**Played in** · <#{t.channel.id}>\n"
        f"**Game masters** · {t.ann.mention}, everybody with Manage Server"
    )
    assert "no campaign `Ships` here" in await t.whispers(t.bob, "campaign show", name="Ships")


async def test_a_campaign_can_be_played_where_it_is_not_yet(t: Table) -> None:
    """In another channel by a button; where it is played there is none."""
    await t.says(t.ann, "campaign create", name="Dragons")
    there = t.guild.create_text_channel("there")
    shown = [await t.ann.slash(where, "campaign show", name="Dragons") for where in (t.channel, there)]

    assert ["Play it here" in labels(one) for one in shown] == [False, True]


async def test_the_channels_own_campaign_is_listed(t: Table) -> None:
    """It has no name, and stands before those that have one, as long as it is played."""
    await t.says(t.ann, "roll", dice="1d6")
    alone = await t.slash(t.ann, "campaign list")
    shown = await t.pressed(alone, "Show", t.ann)
    await t.says(t.mara, "campaign create", name="Ships", fresh=True)

    assert reply(alone).content == "**Campaigns**\n**This channel's own campaign** · 1 entry"
    assert shown.startswith("**This channel's own campaign**")
    assert await t.whispers(t.ann, "campaign list") == "**Campaigns**\n**Ships** · 1 entry"
