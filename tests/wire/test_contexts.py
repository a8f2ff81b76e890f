"""Other servers, direct messages, and a bot that is only a guest: buttons with forged ids, menus, offers.

Discord itself lets nobody press a button that is not there; this holds even if it did.
"""

from copy import deepcopy
from typing import Any

import pytest
from discord import InteractionType, app_commands
from simcord import MemberActor
from simcord.components import walk_components

from cogs.kit.interactions import EVENT
from tests.support.pressing import forms
from tests.support.realm import Seat, carrying, forges, kept, people, visits
from tests.support.table import Table, numbered, totals
from tests.support.wire import reply

PLACES = ["stranger", "alone", "guest"]
ELSEWHERE = "That belongs to another place. Use it there."
_SHIPPED = {"game show", "game use", "roller cards"}
"""Commands that offer what comes with the bot."""
MARK, LABEL = "100000", "Sneak"


async def stage(t: Table, seat: Seat) -> tuple[dict[str, str], Any]:
    """Rolls, a deck and a reset on the server; ids of the buttons there, and a message of the seat's own."""
    await t.says(t.mara, "roller cards", name="Cards", cards="elk 3, owl 3")
    await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind", label=LABEL)
    await t.says(t.ann, "roll", dice="1d9+1000000", label=LABEL)
    question = await t.slash(t.mara, "admin reset", scope="campaign")
    done = await t.mara.submit_modal(await t.press(question, "Reset…", t.mara), {"why": "New", "who": ""})
    undo = next(part["custom_id"] for part in walk_components(reply(done).components) if part["type"] == 2)
    await t.slash(t.mara, "group call", check=LABEL, dice="1d20", hidden="gm")
    at = f"1:{len((await kept(t))['event'])}"
    # All of a call's but the form for a note, which is refused once it is sent.
    ids = {
        word: ":".join([word, at, *("0" for _ in form.fields[2:])])
        for (kind, word), form in forms(t).items()
        if kind is InteractionType.component and word.startswith("call-") and form.fields[:2] == EVENT
    }
    del ids["call-note"]
    ids |= {"look": "look:1:2", "look at a public one": "look:1:3", "again": "again:1:3"}
    ids |= {"reveal": "reveal:1:2", "undo": undo}
    return ids, reply(await seat.slash("roll", dice="2d6"))


@pytest.mark.parametrize("who", PLACES)
async def test_rights_of_one_place_are_none_in_another(t: Table, who: str) -> None:
    """Manage Server elsewhere opens no roll of this server, reveals none and undoes no reset.

    Nor is a roll rolled again there by who rolled it: alone with the bot Ann does not take hers along.
    """
    realm = people(t)
    seat: Seat = getattr(realm, who)
    async with visits(t, realm.guest):
        ids, mine = await stage(t, seat)
        before = await kept(t)
        answers = {
            name: reply(await forges(t, seat, mine, "Again", custom_id)) for name, custom_id in ids.items()
        }
        after = await kept(t)

    assert {name: a.content for name, a in answers.items()} == dict.fromkeys(ids, ELSEWHERE)
    assert all(answer.ephemeral for answer in answers.values())
    assert after == before


@pytest.mark.parametrize("who", PLACES)
async def test_buttons_without_a_campaign_are_about_their_own_place(t: Table, who: str) -> None:
    """A reset, a page of history, a roller, a deletion concern where they are pressed, never the server."""
    realm = people(t)
    seat: Seat = getattr(realm, who)
    async with visits(t, realm.guest):
        _, mine = await stage(t, seat)
        before = await kept(t, t.guild.id)
        said = [
            reply(await forges(t, seat, mine, "Again", custom_id)).content
            for custom_id in ("reset:1:Cards", "why:1:campaign:", "why:1:roller:Cards", "tune-dice:6:0.355")
        ]
        page = reply(await forges(t, seat, mine, "Again", f"page:1:o:9:{t.ann.id}:@")).content
        await forges(t, seat, reply(await seat.slash("roll", dice="2d6")), "Again", "delete-home")

    assert not any(MARK in text or LABEL in text for text in [*said, page])
    assert await kept(t, t.guild.id) == before


async def test_keys_of_real_dice_open_no_other_roll(t: Table) -> None:
    """Keys under a message make dice for the command that it answers, and for nobody but who gave it."""
    await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind")
    seat = people(t).stranger
    rolled = reply(await seat.slash("roll", dice="2d6"))
    before = await kept(t)
    again = reply(await forges(t, seat, rolled, "Again", "die:table:35:1"))

    assert "2d6" in again.content
    assert await kept(t) == before


async def test_details_are_for_the_place_of_the_roll(t: Table) -> None:
    """A message's menu with another server's number in its button tells nothing of it."""
    realm = people(t)
    seat = realm.stranger
    await t.says(t.ann, "roll", dice="1d9+1000000")
    mine = reply(await seat.slash("roll", dice="2d6"))

    def change(payload: dict[str, Any]) -> None:
        data = payload["data"] = deepcopy(payload["data"])
        for message in data["resolved"]["messages"].values():
            for part in walk_components(message["components"]):
                if "custom_id" in part:
                    part["custom_id"] = "again:1:1"

    assert isinstance(seat.actor, MemberActor)
    assert seat.channel
    async with carrying(t, change):
        answer = reply(await seat.actor.context_menu(seat.channel, "Roll details", mine))
    own = reply(await seat.actor.context_menu(seat.channel, "Roll details", mine))

    assert (answer.ephemeral, answer.content) == (True, ELSEWHERE)
    assert "Leaf" in own.content


@pytest.mark.parametrize("who", PLACES)
async def test_nothing_of_the_server_is_offered_elsewhere(t: Table, who: str) -> None:
    """While somebody types, no name of another place comes up, whatever the command."""
    realm = people(t)
    seat: Seat = getattr(realm, who)
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "roller cards", name="Cards", cards="elk, owl")
    await t.says(t.mara, "session start")
    for actor in (t.mara, t.ann):
        await t.whispers(actor, "save", name="Claw", dice="1d20+7")
        await t.says(actor, "roll", dice="cards")
    offered: dict[str, list[dict[str, Any]]] = {}
    async with visits(t, realm.guest):
        for command in t.bot.tree.walk_commands():
            for option in command.parameters if isinstance(command, app_commands.Command) else ():
                # The games and playing cards that come with the bot are offered everywhere.
                if not option.autocomplete or command.qualified_name in _SHIPPED:
                    continue
                name = f"{command.qualified_name} {option.display_name}"
                if isinstance(seat.actor, MemberActor):
                    assert seat.channel
                    offered[name] = await seat.actor.autocomplete(
                        seat.channel, command.qualified_name, option.display_name, ""
                    )
                elif command.qualified_name in seat.user.available_commands():
                    offered[name] = await seat.actor.autocomplete(
                        command.qualified_name, option.display_name, ""
                    )

    assert len(offered) > 12
    assert {name: choices for name, choices in offered.items() if choices} == {}


async def test_a_guest_has_no_rights_of_the_server(t: Table) -> None:
    """Manage Server counts for nothing where the bot is no member; what was rolled there is kept there."""
    guest = people(t).guest
    async with visits(t, guest):
        rolled = reply(await guest.slash("roll", dice="2d6"))
        refused = reply(await guest.slash("roller dice", name="Mine", dice="1d6"))
        sources = reply(await guest.slash("lab sources"))
    (campaign,) = (await kept(t))["campaign"]

    assert totals(rolled.content)
    assert refused.ephemeral
    assert refused.content == (
        "Only game masters can do that, and this place has none. "
        "Whoever makes a campaign here with `/campaign create` becomes its first one."
    )
    assert "Sources" not in sources.content
    assert guest.channel
    assert -guest.channel.id in campaign


async def test_a_place_without_a_game_master(t: Table) -> None:
    """A blind roll is refused there, with the reason and the way out; the first who creates takes it over."""
    guest = people(t).guest
    async with visits(t, guest):
        first = reply(await guest.slash("roll", dice="2d6"))
        blind = reply(await guest.slash("roll", dice="2d6", visibility="blind"))
        made = reply(await guest.slash("campaign create", name="Ours"))
        hidden = reply(await guest.slash("roll", dice="2d6", visibility="blind"))
        looked = reply(await guest.click(hidden, "Look"))

    assert totals(first.content)
    assert blind.ephemeral
    assert blind.content.startswith("This place has no game master, so nobody could ever see that roll. Who")
    assert "You play it here from now on, with this channel's history: 1 entry" in made.content
    assert totals(looked.content)


async def test_no_place_has_rights_of_a_server_that_it_is_not(t: Table) -> None:
    """Neither a guest's nor a direct message has people with Manage Server, or a channel to mention."""
    realm = people(t)
    said = list[str]()
    async with visits(t, realm.guest):
        for seat in (realm.guest, realm.alone):
            await seat.slash("roll", dice="2d6")
            shown = reply(await seat.slash("campaign show")).content
            await seat.slash("campaign create", name="Ours")
            said += [shown, reply(await seat.slash("campaign show")).content.partition("\n")[2]]
        refused = [
            reply(await realm.guest.slash("admin settings", **options)).content
            for options in ({"campaigns": 3}, {"makers": "everyone", "server": True})
        ]

    names = [realm.guest.actor.mention, realm.alone.actor.mention]
    assert [text.partition("**Played in** · ")[2] for text in said] == [
        f"right here\n**Game masters** · {who}" for who in ("nobody yet", names[0], "you", names[1])
    ]
    assert {*refused} == {"Only people with Manage Server can do that, and this place has none."}


@pytest.mark.parametrize("who", ["alone", "guest"])
async def test_help_opens_no_call_where_there_are_none(t: Table, who: str) -> None:
    """Discord offers /group on servers with the bot alone; so does the button, and says what there is."""
    realm = people(t)
    seat: Seat = getattr(realm, who)
    async with visits(t, realm.guest):
        await seat.slash("campaign create", name="Ours")
        table = await seat.click(reply(await seat.slash("help")), "The table")
        answer = await seat.click(reply(table), "Call for a roll…")

    assert reply(answer).content == "Calls need a server that I am on. `/buttons` puts up dice here too."


async def test_what_a_guest_rolled_goes_on_when_the_bot_joins(t: Table) -> None:
    """Once the bot is a member of that server, its managers are game masters of what was rolled before."""
    guest = people(t).guest
    async with visits(t, guest):
        await guest.slash("campaign create", name="Ours")
        rolled = reply(await guest.slash("roll", dice="2d6", visibility="blind"))
    looked = reply(await guest.click(rolled, "Look"))
    shown = reply(await guest.click(rolled, "Reveal"))

    assert totals(looked.content) == totals(shown.content.partition("\n")[2])
    assert not shown.ephemeral


async def test_alone_with_the_bot_everything_goes(t: Table) -> None:
    """Ann hides, looks, reveals, resets and takes back in her own messages, and deletes them alone."""
    alone = people(t).alone
    await t.says(t.ann, "roll", dice="1d6")
    blind = reply(await alone.slash("roll", dice="2d6", visibility="blind"))
    looked = reply(await alone.click(blind, "Look")).content
    shown = reply(await alone.click(blind, "Reveal")).content
    await alone.slash("roller deck", refill=1, name="Cards")
    first = totals(reply(await alone.slash("roll", dice="cards", times=5)).content)
    question = reply(await alone.slash("admin reset", scope="campaign"))
    form = await alone.click(question, "Reset…")
    done = await alone.user.submit_modal(form, {"why": "Once more", "who": ""})
    await alone.click(reply(done), "Undo")
    last = totals(reply(await alone.slash("roll", dice="cards")).content)
    await alone.click(reply(await alone.slash("admin erase")), "Delete it all")

    assert totals(looked) == totals(shown.partition("\n")[2])
    assert sorted(first + last) == ["1", "2", "3", "4", "5", "6"]
    assert len((await kept(t))["event"]) == 1
    assert numbered(await t.says(t.ann, "roll", dice="1d6")) == 2
