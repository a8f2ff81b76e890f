"""Which campaign a request is about: the one it names, the one its channel plays, or one to be made.

A thread follows its parent channel, unless it chose for itself; a channel that chose none has its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.campaign.campaigns import Campaign, Master
from bot.campaign.events import Asked
from bot.campaign.request import Change, Needs
from bot.storage.rows import is_storable


class Joined(NamedTuple):
    """Which campaign a channel plays, and the channel it follows in that."""

    campaign_id: int
    follows: int | None


class NameAt(NamedTuple):
    """Where a campaign's name is looked up."""

    home: int
    key: str


@dataclass(frozen=True, slots=True)
class Move:
    """A channel and its followers play another campaign; without a channel, all leave the campaign."""

    channel_id: int | None
    campaign_id: int


def own_key(asked: Asked) -> str:
    """The key of the channel's own campaign."""
    return f"channel:{asked.root}"


def new_key(asked: Asked) -> str:
    """The key of a campaign that an interaction makes."""
    return f"made:{asked.interaction_id}"


@dataclass(slots=True)
class Places:
    """The loaded campaigns and channels of one transaction, and the changes to them."""

    channels: dict[int, Joined] = field(default_factory=dict[int, Joined])
    keys: dict[str, int] = field(default_factory=dict[str, int])
    states: dict[int, Campaign] = field(default_factory=dict[int, Campaign])
    names: dict[NameAt, int | None] = field(default_factory=dict[NameAt, int | None])

    joins: dict[int, Joined] = field(default_factory=dict[int, Joined])
    """Channels that had no row."""
    moves: list[Move] = field(default_factory=list[Move])
    changed: set[int] = field(default_factory=set[int])
    masters: list[tuple[int, Master, bool]] = field(default_factory=list[tuple[int, Master, bool]])

    def key(self, asked: Asked, needs: Needs) -> str | None:
        """The key of the campaign that is to be found by it; None if it is found otherwise."""
        if needs.new:
            return new_key(asked)
        if needs.campaign is not None or (not needs.own and self._played(asked)):
            return None
        return own_key(asked)

    def find(self, asked: Asked, needs: Needs) -> int | None:
        """The campaign; None if it is not there."""
        if key := self.key(asked, needs):
            return self.keys.get(key)
        if needs.campaign is not None:
            return needs.campaign if needs.campaign in self.states else None
        return self._played(asked)

    def plays(self, asked: Asked, campaign_id: int) -> bool:
        """Whether the campaign is played where it is asked."""
        return self._played(asked) == campaign_id

    def name_at(self, asked: Asked, needs: Needs) -> NameAt | None:
        """The campaign's name that a request must know of."""
        return NameAt(asked.home, needs.name) if needs.name and is_storable(needs.name) else None

    def keep(self, asked: Asked, needs: Needs, campaign_id: int, change: Change) -> None:
        """What a decided change leads to."""
        if not needs.new and needs.campaign is None and not needs.own:
            self._join(asked, campaign_id)
        if change.campaign:
            self._set(campaign_id, change.campaign)
        if change.joins:
            self._move(asked.channel_id, campaign_id)
        if change.leaves:
            self.moves.append(Move(None, campaign_id))
        self.masters += [(campaign_id, master, named) for master, named in change.masters]

    def _played(self, asked: Asked) -> int | None:
        for channel_id in (asked.channel_id, asked.root):
            if channel_id in self.channels:
                return self.channels[channel_id].campaign_id
        return None

    def _join(self, asked: Asked, campaign_id: int) -> None:
        for channel_id, follows in ((asked.root, None), (asked.channel_id, asked.parent_id)):
            if channel_id not in self.channels:
                self.channels[channel_id] = self.joins[channel_id] = Joined(campaign_id, follows)

    def _set(self, campaign_id: int, campaign: Campaign) -> None:
        old = self.states[campaign_id]
        if old.name:
            self.names[NameAt(old.home, old.name.casefold())] = None
        if campaign.name:
            self.names[NameAt(campaign.home, campaign.name.casefold())] = campaign_id
        self.states[campaign_id] = campaign
        self.changed.add(campaign_id)

    def _move(self, channel_id: int, campaign_id: int) -> None:
        self.moves.append(Move(channel_id, campaign_id))
        followers = [c for c, joined in self.channels.items() if joined.follows == channel_id]
        for moved in followers:
            self.channels[moved] = Joined(campaign_id, channel_id)
        self.channels[channel_id] = Joined(campaign_id, None)


def channels_of(asked: Iterable[Asked]) -> list[int]:
    """Every channel that may say which campaign is played."""
    return sorted({channel_id for a in asked for channel_id in (a.channel_id, a.root)})
