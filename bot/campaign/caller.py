"""Who asks for something: the interaction, its place, the person and their rights in Discord."""

from dataclasses import dataclass, replace

from bot.campaign.events import time_of

NOBODY = 0
"""The user id where nobody asked."""


@dataclass(frozen=True, slots=True)
class Caller:
    """One interaction of one person; services take it first."""

    interaction_id: int | None
    """Discord's id of the command or press; it holds the time. None where nobody asked."""
    guild_id: int | None
    """None in direct messages and in channels that the bot is not a member of."""
    channel_id: int
    user_id: int
    parent_id: int | None = None
    """The channel that a thread or a forum's post belongs to."""
    manages: bool = False
    """Whether they have Manage Server here, or are alone with the bot."""
    roles: frozenset[int] = frozenset()
    """Their roles in the server."""
    part: int = 0
    """The place, from 1 on, among several events that one interaction makes; 0 where it makes one."""
    clock: int | None = None
    """Milliseconds since 1970 where nobody asked."""
    hand: int | None = None
    """Who pressed, where they did it for the user; None where the user did."""

    @classmethod
    def nobody(cls, clock: int, channel_id: int = 0) -> "Caller":
        """Return what stands for a caller where time or the bot itself makes an event."""
        return cls(None, None, channel_id, NOBODY, clock=clock)

    @property
    def root(self) -> int:
        """Return the channel itself, or for a thread or post the channel that it belongs to."""
        return self.parent_id or self.channel_id

    @property
    def home(self) -> int:
        """Return where campaigns have their names: the server, else the channel as a negative number."""
        return -self.root if self.guild_id is None else self.guild_id

    @property
    def time(self) -> float:
        """Return the time of the interaction in seconds since 1970."""
        return (self.clock or 0) / 1000 if self.interaction_id is None else time_of(self.interaction_id)

    def at_part(self, part: int) -> "Caller":
        """Return the same caller for one of several events of the interaction."""
        return self if self.interaction_id is None else replace(self, part=part)
