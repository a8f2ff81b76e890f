"""Makes campaigns and saves what is set about them: names, rules, game masters, which channels play them."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, exists, select, update

from bot.campaign.caller import Caller
from bot.record.codec import encode_value
from bot.storage import schema
from bot.storage.asking import Piece, ask, insert_or
from bot.storage.batch import Batch, Job
from bot.storage.ledgers import new_key, new_log
from bot.storage.places import Move, Places, channels_of, own_key
from bot.storage.rows import print_json

_MAKE_CAMPAIGNS = insert_or(schema.campaign).on_conflict_do_nothing(index_elements=["key"])
_UNMAKE_CAMPAIGNS = delete(schema.campaign).where(
    schema.campaign.c.id == bindparam("unused"),
    # A campaign that a channel plays was made for what is no part of the history, such as a saved roll.
    ~exists().where(schema.channel.c.campaign_id == schema.campaign.c.id),
)
_OF_KEY = select(schema.campaign.c.id).where(schema.campaign.c.key == bindparam("its_key"))
_PLAYED = select(schema.channel.c.channel_id, schema.channel.c.campaign_id).where(
    schema.channel.c.channel_id.in_(bindparam("channels", expanding=True))
)
_JOIN_CHANNELS = insert_or(schema.channel).on_conflict_do_nothing(index_elements=["channel_id"])
_MOVE_FOLLOWERS = (
    update(schema.channel)
    .where(schema.channel.c.follows == bindparam("moving"))
    .values(campaign_id=bindparam("there"))
)
_insert_channel = insert_or(schema.channel)
_MOVE_CHANNEL = _insert_channel.on_conflict_do_update(
    index_elements=["channel_id"],
    set_={"campaign_id": _insert_channel.excluded.campaign_id, "follows": None},
)
_PLAYING = select(schema.channel.c.channel_id, schema.channel.c.follows).where(
    schema.channel.c.campaign_id == bindparam("leaving")
)
_LEAVE = delete(schema.channel).where(schema.channel.c.campaign_id == bindparam("leaving"))
_GO_HOME = (
    insert_or(schema.channel)
    .from_select(
        ["channel_id", "campaign_id", "follows"],
        select(
            bindparam("going", type_=schema.ID), schema.campaign.c.id, bindparam("after", type_=schema.ID)
        ).where(schema.campaign.c.key == bindparam("its_key")),
    )
    .on_conflict_do_nothing(index_elements=["channel_id"])
)
_SET_CAMPAIGN = (
    update(schema.campaign)
    .where(schema.campaign.c.id == bindparam("campaign"))
    .values({name: bindparam(name) for name in ("name", "name_key", "archived", "rules", "evening")})
)
_REKEY = (
    update(schema.campaign)
    .where(schema.campaign.c.id == bindparam("campaign"))
    .values(key=bindparam("new_key"))
)
_NAME_MASTER = insert_or(schema.master).on_conflict_do_nothing(index_elements=["campaign_id", "kind", "id"])
_DISMISS_MASTER = delete(schema.master).where(
    schema.master.c.campaign_id == bindparam("its_campaign"),
    schema.master.c.kind == bindparam("its_kind"),
    schema.master.c.id == bindparam("its_id"),
)


def missing_campaigns(batch: Batch, jobs: Sequence[Job]) -> dict[str, Caller]:
    """Return the keys of campaigns that have to be made, each with who asked first."""
    missing: dict[str, Caller] = {}
    for job in jobs:
        key = batch.places.key(job.caller, job.needs)
        if key and key not in batch.places.keys:
            missing.setdefault(key, job.caller)
    return missing


def make_campaigns(missing: dict[str, Caller]) -> Piece[None]:
    """Make campaigns in which nothing has happened, unless another process just did."""
    rows = [
        {
            "key": key,
            "guild_id": caller.guild_id,
            "home": caller.home,
            "seq": 0,
            "log": new_log(),
            "secret": new_key(),
            "frontier": b"",
        }
        for key, caller in sorted(missing.items())
    ]
    yield ask(_MAKE_CAMPAIGNS, rows)


def settle_in(caller: Caller) -> Piece[int]:
    """Return the campaign that is played in a channel; if there is none, make and join its own."""
    found = yield ask(_PLAYED, {"channels": channels_of([caller])})
    played: dict[int, int] = {row["channel_id"]: row["campaign_id"] for row in found}
    for channel_id in (caller.channel_id, caller.root):
        if channel_id in played:
            return played[channel_id]
    key = own_key(caller)
    yield from make_campaigns({key: caller})
    ((campaign_id,),) = yield ask(_OF_KEY, {"its_key": key})
    joined = {caller.root: None, caller.channel_id: caller.parent_id}
    rows = [
        {"channel_id": channel_id, "campaign_id": campaign_id, "follows": follows}
        for channel_id, follows in joined.items()
    ]
    yield ask(_JOIN_CHANNELS, rows)
    return campaign_id


def unmake_campaigns(unused: Sequence[int]) -> Piece[None]:
    """Take back campaigns in which nothing happened, since every request failed."""
    yield ask(_UNMAKE_CAMPAIGNS, [{"unused": campaign_id} for campaign_id in unused])


def save_places(places: Places) -> Piece[None]:
    """Save what a batch changed about campaigns and channels."""
    if places.changed:
        yield ask(_SET_CAMPAIGN, [_campaign_row(places, c) for c in sorted(places.changed)])
    if places.rekeyed:
        rows = [{"campaign": c, "new_key": key} for c, key in sorted(places.rekeyed.items())]
        yield ask(_REKEY, rows)
    if places.joins:
        rows = [{"channel_id": c, **joined._asdict()} for c, joined in sorted(places.joins.items())]
        yield ask(_JOIN_CHANNELS, rows)
    for move in places.moves:
        yield from _save_move(move)
    for campaign_id, master, named in places.masters:
        if named:
            row = {"campaign_id": campaign_id, "kind": master.kind.value, "id": master.id}
            yield ask(_NAME_MASTER, row)
        else:
            row = {"its_campaign": campaign_id, "its_kind": master.kind.value, "its_id": master.id}
            yield ask(_DISMISS_MASTER, row)


def _save_move(move: Move) -> Piece[None]:
    if move.channel_id is not None:
        row = {"channel_id": move.channel_id, "campaign_id": move.campaign_id, "follows": None}
        yield ask(_MOVE_CHANNEL, row)
        yield ask(_MOVE_FOLLOWERS, {"moving": move.channel_id, "there": move.campaign_id})
        return
    leaving = {"leaving": move.campaign_id}
    channels: list[tuple[int, int | None]] = [
        (row["channel_id"], row["follows"]) for row in (yield ask(_PLAYING, leaving))
    ]
    yield ask(_LEAVE, leaving)
    rows = [
        {"going": channel_id, "after": follows, "its_key": f"channel:{follows or channel_id}"}
        for channel_id, follows in sorted(channels, key=lambda one: one[0])
    ]
    if rows:
        yield ask(_GO_HOME, rows)


def _campaign_row(places: Places, campaign_id: int) -> dict[str, object]:
    campaign = places.states[campaign_id]
    return {
        "campaign": campaign_id,
        "name": campaign.name,
        "name_key": campaign.name.casefold() if campaign.name else None,
        "archived": int(campaign.archived),
        "rules": print_json(encode_value(campaign.rules)),
        "evening": campaign.evening,
    }
