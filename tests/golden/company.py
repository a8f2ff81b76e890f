"""Who comes to the evening besides Mara, Ann and Bob, and where else it goes on."""

from dataclasses import dataclass
from typing import Any

import discord
from simcord import ChannelHandle, MemberActor

from tests.support.table import Table


@dataclass(frozen=True, slots=True)
class Company:
    """People, roles and channels."""

    dan: MemberActor
    """A player who is erased at the end; a game master by his role."""
    keepers: Any
    tavern: ChannelHandle
    cellar: ChannelHandle
    attic: ChannelHandle


def gather(t: Table) -> Company:
    """Let the others come in, always in the same order."""
    keepers = t.guild.create_role("Keepers", permissions=discord.Permissions.none())
    dan = t.guild.add_member(t.env.create_user("dan", global_name="Dan"), roles=[keepers])
    tavern, cellar, attic = (t.guild.create_text_channel(name) for name in ("tavern", "cellar", "attic"))
    return Company(dan, keepers, tavern, cellar, attic)
