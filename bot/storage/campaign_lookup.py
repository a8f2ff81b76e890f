"""Resolve the campaign of a command: one given by its id, the one its channel plays, or a new one.

A thread follows its parent channel unless a campaign was chosen for it; a channel without a chosen one has
its own. Changes of campaigns are saved here too: names, rules, game masters, channels.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from bot.campaign.campaigns import CAMPAIGNS_LIMIT, USUAL, Campaign, Master, Rules
from bot.campaign.command import Caller, Needs
from bot.campaign.state import State
from bot.record.codec import encode_value
from bot.record.hashing import KEY_BYTES
from bot.storage import schema
from bot.storage.queries import Queries, Query, adding, changing, insert_or, replacing
from bot.storage.rows import is_storable, print_json

_channel, _master = schema.channel.c, schema.master.c

_LOG_BYTES = 16
_followers = update(schema.channel).where(_channel.follows == bindparam("moving"))
_MOVE_FOLLOWERS = _followers.values(campaign_id=bindparam("there"))
_leaving = _channel.campaign_id == bindparam("leaving")
_PLAYING = select(_channel.channel_id, _channel.follows).where(_leaving)
_LEAVE = delete(schema.channel).where(_leaving)
_going, _after = (bindparam(name, type_=schema.ID) for name in ("going", "after"))
_joined_home = select(_going, schema.campaign.c.id, _after).where(
    schema.campaign.c.key == bindparam("its_key")
)
_joining = insert_or(schema.channel).from_select(["channel_id", "campaign_id", "follows"], _joined_home)
_GO_HOME = _joining.on_conflict_do_nothing(index_elements=["channel_id"])
_DISMISS_MASTER = delete(schema.master).where(
    *[column == bindparam(column.name) for column in schema.master.primary_key]
)


class Joined(NamedTuple):
    """The campaign that a channel plays, and the channel that it follows, if any."""

    campaign_id: int
    follows: int | None


class NameAt(NamedTuple):
    """Key of a campaign's name."""

    home: int
    key: str


@dataclass(frozen=True, slots=True)
class Move:
    """Move a channel and its followers to a campaign; without a channel, all leave the campaign."""

    channel_id: int | None
    campaign_id: int


def new_key() -> bytes:
    """Return a random secret for a campaign, or for a person in it."""
    return os.urandom(KEY_BYTES)


def new_log() -> str:
    """Return a random name for a new log."""
    return os.urandom(_LOG_BYTES).hex()


def own_key(caller: Caller) -> str:
    """Return the key of the channel's own campaign."""
    return f"channel:{caller.root}"


def interaction_key(caller: Caller) -> str:
    """Return the key of a campaign that an interaction makes."""
    return f"made:{caller.interaction_id}"


class CampaignLookup:
    """The loaded campaigns and channels of one transaction, and the changes to them."""

    def __init__(self) -> None:
        self.channels: dict[int, Joined] = {}
        self.keys: dict[str, int] = {}
        self.settings: dict[int, Campaign] = {}
        self.names: dict[NameAt, int | None] = {}
        self.limits: dict[int, int | None] = {}
        """Home to its limit of campaigns; None for the default limit."""
        self.masters: dict[int, frozenset[Master]] = {}
        """Game masters of the campaigns in which a right has to be checked."""

        self.default_rules: dict[int, Rules] = {}
        """Home to the rules of its new campaigns."""
        self.joins: dict[int, Joined] = {}
        """Channels that had no row."""
        self.moves: list[Move] = []
        self.changed: set[int] = set()
        self.master_changes: list[tuple[int, Master, bool]] = []
        """Game masters that were added (True) or dismissed."""
        self.rekeyed: dict[int, str] = {}
        """Campaigns that are no longer a channel's own, with their new keys."""

    def key(self, caller: Caller, needs: Needs) -> str | None:
        """Return the key that identifies the campaign; None if its id or its channel does."""
        if needs.new:
            return interaction_key(caller)
        if needs.campaign is not None or (not needs.own and self.played(caller)):
            return None
        return own_key(caller)

    def missing(self, requests: Iterable[tuple[Caller, Needs]]) -> dict[str, Caller]:
        """Return the keys of the campaigns that have to be made, each with its first caller."""
        missing: dict[str, Caller] = {}
        for caller, needs in requests:
            if (key := self.key(caller, needs)) and key not in self.keys:
                missing.setdefault(key, caller)
        return missing

    def find(self, caller: Caller, needs: Needs) -> int | None:
        """Return the campaign's id; None if there is no such campaign."""
        if key := self.key(caller, needs):
            return self.keys.get(key)
        if needs.campaign is not None:
            return needs.campaign if needs.campaign in self.settings else None
        return self.played(caller)

    def name_at(self, caller: Caller, needs: Needs) -> NameAt | None:
        """Return the key of the campaign name that a command needs; None if it needs none."""
        return NameAt(caller.home, needs.name) if needs.name and is_storable(needs.name) else None

    def room_in(self, home: int) -> int:
        """Return how many more campaigns a home may have, by its loaded names."""
        count = sum(at.home == home and campaign_id is not None for at, campaign_id in self.names.items())
        return (self.limits.get(home) or CAMPAIGNS_LIMIT) - count

    def first_rules(self, campaign_id: int) -> Rules:
        """Return the initial rules of a new campaign."""
        return self.default_rules.get(self.settings[campaign_id].home, USUAL)

    def apply(self, caller: Caller, needs: Needs, campaign_id: int, before: State, after: State) -> None:
        """Apply the changes of an event to the campaign and its channels."""
        if not needs.new and needs.campaign is None and not needs.own:
            self._join(caller, campaign_id)
        if after.campaign is not before.campaign:
            self._set(campaign_id, after.campaign)
        if before.campaign.own and not after.campaign.own:
            self.rekeyed[campaign_id] = interaction_key(caller)
            self.keys.pop(own_key(caller), None)
        if after.played and self.played(caller) != campaign_id:
            self._move(caller.channel_id, campaign_id)
        if after.campaign.archived and not before.campaign.archived:
            self.moves.append(Move(None, campaign_id))
        if after.masters != before.masters:
            self.masters[campaign_id] = after.masters
            changed = after.masters ^ before.masters
            self.master_changes += [(campaign_id, master, master in after.masters) for master in changed]

    def played(self, caller: Caller) -> int | None:
        """Return the id of the campaign that the caller's channel plays; None if none is loaded."""
        joined = self.channels.get(caller.channel_id) or self.channels.get(caller.root)
        return joined.campaign_id if joined else None

    def _join(self, caller: Caller, campaign_id: int) -> None:
        if caller.channel_id in self.channels:
            return  # a thread that chose a campaign chooses none for the channel above it
        for channel_id, follows in ((caller.root, None), (caller.channel_id, caller.parent_id)):
            if channel_id not in self.channels:
                self.channels[channel_id] = self.joins[channel_id] = Joined(campaign_id, follows)

    def _set(self, campaign_id: int, campaign: Campaign) -> None:
        old = self.settings[campaign_id]
        if old.name:
            self.names[NameAt(old.home, old.name.casefold())] = None
        if campaign.name:
            self.names[NameAt(campaign.home, campaign.name.casefold())] = campaign_id
        self.settings[campaign_id] = campaign
        self.changed.add(campaign_id)

    def _move(self, channel_id: int, campaign_id: int) -> None:
        self.moves.append(Move(channel_id, campaign_id))
        followers = [number for number, joined in self.channels.items() if joined.follows == channel_id]
        self.channels |= dict.fromkeys(followers, Joined(campaign_id, channel_id))
        self.channels[channel_id] = Joined(campaign_id, None)


def channels_of(callers: Iterable[Caller]) -> list[int]:
    """Return the callers' channels and their parents, each of which may determine the campaign."""
    return sorted({channel_id for caller in callers for channel_id in (caller.channel_id, caller.root)})


def save_campaigns(lookup: CampaignLookup) -> Queries[None]:
    """Save the changes of campaigns and channels."""
    rows = [{"at_id": number, **settings_row(lookup.settings[number])} for number in sorted(lookup.changed)]
    yield Query(changing(schema.campaign, "name", "name_key", "archived", "rules", "evening"), rows)
    rows = [{"at_id": number, "key": key} for number, key in sorted(lookup.rekeyed.items())]
    yield Query(changing(schema.campaign, "key"), rows)
    rows = [{"channel_id": number, **joined._asdict()} for number, joined in sorted(lookup.joins.items())]
    yield Query(adding(schema.channel), rows)
    for move in lookup.moves:
        yield from _save_move(move)
    for campaign_id, master, is_added in lookup.master_changes:
        row = {"campaign_id": campaign_id, "kind": master.kind.value, "id": master.id}
        yield Query(adding(schema.master) if is_added else _DISMISS_MASTER, row)


def _save_move(move: Move) -> Queries[None]:
    if move.channel_id is not None:
        row = {"channel_id": move.channel_id, "campaign_id": move.campaign_id, "follows": None}
        yield Query(replacing(schema.channel, "campaign_id", "follows"), row)
        yield Query(_MOVE_FOLLOWERS, {"moving": move.channel_id, "there": move.campaign_id})
        return
    leaving = {"leaving": move.campaign_id}
    channels: dict[int, int | None] = dict(map(tuple, (yield Query(_PLAYING, leaving))))
    yield Query(_LEAVE, leaving)
    rows = [
        {"going": channel_id, "after": follows, "its_key": f"channel:{follows or channel_id}"}
        for channel_id, follows in sorted(channels.items())
    ]
    yield Query(_GO_HOME, rows)


def settings_row(campaign: Campaign) -> dict[str, object]:
    """Return the columns of a campaign's row that hold its settings."""
    return {
        "name": campaign.name,
        "name_key": campaign.name.casefold() if campaign.name else None,
        "archived": int(campaign.archived),
        "rules": print_json(encode_value(campaign.rules)),
        "evening": campaign.evening,
    }
