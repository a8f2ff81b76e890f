"""People with every kind of right, in places of their own, and what each place has in the database."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import discord
from simcord import ChannelHandle, InteractionResult, MemberActor
from simcord.builders import UserHandle
from simcord.components import walk_components
from sqlalchemy import select

from bot.storage import schema
from bot.storage.queries import execute
from tests.support.table import Table

LIMITS = "Only game masters can do that. `/campaign show` lists them."
"""What who is no game master is told."""
KEPT = ("campaign", "channel", "roller", "memory", "event", "master", "saved", "character", "tally")


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody in a place, who may ask for things there."""

    who: str
    actor: MemberActor | UserHandle
    channel: ChannelHandle | None
    """None is alone with the bot."""
    mate: MemberActor | UserHandle
    """Somebody else, of no rights, whom they can name."""

    @property
    def user(self) -> UserHandle:
        """The person, wherever they are."""
        return self.actor.user if isinstance(self.actor, MemberActor) else self.actor

    async def slash(self, name: str, /, **options: object) -> InteractionResult:
        """Their command."""
        if isinstance(self.actor, MemberActor):
            assert self.channel
            return await self.actor.slash(self.channel, name, **options)
        return await self.actor.slash(name, **options)

    async def click(self, message: Any, label: str) -> InteractionResult:
        """Their press of a button."""
        return await self.actor.click(message, label=label)


@dataclass(frozen=True, slots=True)
class Realm:
    """Seats on the server, on another one, alone with the bot, and where it is only somebody's guest."""

    player: Seat
    named: Seat
    """Named a game master of the campaign."""
    keeper: Seat
    """Has a role that is named."""
    manager: Seat
    """Has Manage Server."""
    stranger: Seat
    """Has Manage Server on another server."""
    alone: Seat
    guest: Seat
    """Has Manage Server on a server that the bot is no member of; brought it along for themselves."""
    role: Any
    """The keepers' role."""


def people(t: Table) -> Realm:
    """Return the table's people and more of them; the guest is one only while `visits` is open."""
    role = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    names = ("Eve", "Gus", "Cid", "Dan")
    eve, gus, cid, dan = (t.env.create_user(name.lower(), global_name=name) for name in names)
    keeper = t.guild.add_member(cid, roles=[role])
    mate = t.guild.add_member(dan)
    return Realm(
        Seat("player", t.ann, t.channel, mate),
        Seat("named", t.bob, t.channel, mate),
        Seat("keeper", keeper, t.channel, mate),
        Seat("manager", t.mara, t.channel, mate),
        _boss(t, "stranger", eve, dan),
        Seat("alone", t.ann.user, None, dan),
        _boss(t, "guest", gus, dan),
        role,
    )


def _boss(t: Table, who: str, user: UserHandle, mate: UserHandle) -> Seat:
    """Somebody with Manage Server on a new server."""
    guild = t.env.create_guild(f"The {who}'s")
    channel = guild.create_text_channel("elsewhere")
    role = guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    return Seat(who, guild.add_member(user, roles=[role]), channel, guild.add_member(mate))


@asynccontextmanager
async def carrying(t: Table, change: Callable[[dict[str, Any]], None]) -> AsyncGenerator[None, None]:
    """Every interaction reaches the bot with a change to what Discord says of it."""

    def hear(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            change(payload if isinstance(payload, dict) else dict(payload))

    listeners = t.env.backend.subscribers
    listeners.insert(0, hear)
    try:
        yield
    finally:
        listeners.remove(hear)


def visits(t: Table, guest: Seat) -> Any:
    """As long as it lasts the bot is no member of the guest's server, and comes along with them."""

    def change(payload: dict[str, Any]) -> None:
        user_id = payload.get("member", {}).get("user", {}).get("id")
        if user_id == str(guest.actor.id):
            payload["authorizing_integration_owners"] = {"1": user_id}

    return carrying(t, change)


async def forges(t: Table, seat: Seat, message: Any, label: str, custom_id: str) -> InteractionResult:
    """Somebody presses a button of theirs, and the bot is told that it has another id."""

    def change(payload: dict[str, Any]) -> None:
        # discord.py answers nothing that the message does not have.
        payload["message"] = _renamed(payload["message"], payload["data"]["custom_id"], custom_id)
        payload["data"]["custom_id"] = custom_id

    async with carrying(t, change):
        return await seat.click(message, label)


def _renamed(message: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    message = deepcopy(message)
    for part in walk_components(message["components"]):
        if part.get("custom_id") == old:
            part["custom_id"] = new
    return message


async def kept(t: Table, home: int | None = None) -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored, or all that is stored of the campaigns of one home; not which replies are owed."""
    rows_by_table: dict[str, list[tuple[Any, ...]]] = {}
    tables = {name: schema.metadata.tables[name].c for name in KEPT}
    all_but_owed = {name: select(*(c for c in some if c.name != "owed")) for name, some in tables.items()}
    rows = {name: await t.database.reader.do(execute(query)) for name, query in all_but_owed.items()}
    campaign_ids = {row["id"] for row in rows["campaign"] if home in {None, row["home"]}}
    rollers = {row["id"] for row in rows["roller"] if row["campaign_id"] in campaign_ids}
    for name, some in rows.items():
        match name:
            case "campaign":
                mine = [row for row in some if row["id"] in campaign_ids]
            case "memory":
                mine = [row for row in some if row["roller_id"] in rollers]
            case _:
                mine = [row for row in some if row["campaign_id"] in campaign_ids]
        rows_by_table[name] = sorted((tuple(row) for row in mine), key=repr)
    return rows_by_table
