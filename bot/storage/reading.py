"""Queries of the history; they take no locks and wait for none, so they see committed rows."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product

from sqlalchemy import bindparam, case, func, select, text

from bot.campaign.campaigns import Roller
from bot.campaign.events import Event
from bot.campaign.followups import Viewer
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind, Visibility
from bot.dice.system import Memory
from bot.storage import schema
from bot.storage.queries import Queries, Query, find_one
from bot.storage.rows import (
    EVENTS,
    LARGEST_ID,
    LEAVING,
    ROLLERS,
    ROWS,
    Row,
    is_storable,
    of_campaign,
    of_user,
    read_event,
    read_memory,
    read_roller,
    read_row,
)

_ALL = Filter()
SLICE = 200
"""Events of a page: each keeps the event loop busy for a few milliseconds."""
_HIDDEN_AT_ONCE = 10
"""Hidden rolls that `find_hidden` reads at a time: mostly the first one fits."""
_LOOK_BACK = 50
"""Number of a person's newest plain rolls that `recent_rolls` searches."""

_e, _t, _m, _h = schema.event.c, schema.tally.c, schema.memory.c, schema.hand.c
_in_campaign, _of_user = of_campaign(schema.event), of_user(schema.event)
_CAMPAIGN_ROLLERS = ROLLERS.where(of_campaign(schema.roller))
_ROLLERS = _CAMPAIGN_ROLLERS.where(schema.roller.c.spec_id.is_not(None)).order_by(schema.roller.c.key)
_ROLLER = _CAMPAIGN_ROLLERS.where(schema.roller.c.key == bindparam("key"))
_MEMORY = select(_m.value).where(
    _m.roller_id == bindparam("roller"), _m.epoch == bindparam("epoch"), _m.owner_id == bindparam("owner")
)
_campaign = schema.campaign.c.id == bindparam("campaign")
_EVENING = select(schema.campaign.c.evening).where(_campaign)
_EVENT = ROWS.where(_in_campaign, _e.seq == bindparam("number"))
_restores = EVENTS.where(_in_campaign, _e.kind == Kind.RESTORED.value)
_RESTORES = _restores.order_by(_e.seq.desc()).limit(bindparam("limit"))
_IN_CAMPAIGN = ROWS.where(_in_campaign).limit(bindparam("limit"))
_OLDER = _IN_CAMPAIGN.where(_e.seq < bindparam("place")).order_by(_e.seq.desc())
_NEWER = _IN_CAMPAIGN.where(_e.seq > bindparam("place")).order_by(_e.seq)
_BY_USER = _of_user & ~LEAVING
_BY_ROLLER = _e.roller_key == bindparam("key")
# As texts: with a parameter in its place, PostgreSQL would not see that the index of such events fits.
_hidden = text("event.visibility <> 'public'")
_HIDDEN = ROWS.where(_in_campaign, _BY_ROLLER, _hidden, _e.kind == Kind.ROLL.value)
_HIDDEN_FROM = (
    _HIDDEN.where(
        _e.seq >= bindparam("since"),
        _e.seq < bindparam("place"),
        (_e.visibility == Visibility.BLIND.value) | _e.user_id.is_distinct_from(bindparam("viewer")),
        (_e.visibility == Visibility.SELF.value) | (bindparam("leads", type_=schema.ID) == 0),
    )
    .order_by(_e.seq.desc())
    .limit(bindparam("limit"))
)
"""The same people see them as `bot.campaign.followups.may_see` says."""
_HIDDEN_OF = _HIDDEN_FROM.where(_of_user)
_RESETS = ROWS.where(_in_campaign, _BY_ROLLER, text("event.kind IN ('reset', 'remove', 'restart')"))
_newest = select(schema.campaign.c.seq).where(_campaign).scalar_subquery()
_place = bindparam("place", type_=schema.ID)
_HAS_WORDS = (
    func.lower(_e.label).like(bindparam("label"), escape="\\")
    & _e.character.ilike(bindparam("character"), escape="\\")
    & ~LEAVING
)
_LABELLED = {
    False: (_HAS_WORDS, _e.seq > case((_place > _newest, _newest + 1), else_=_place) - bindparam("searched")),
    True: (_HAS_WORDS, _e.seq < _place + bindparam("searched")),
}
_PAGES = {
    (newer, by_user, by_roller, by_label): (_NEWER if newer else _OLDER).where(
        *[_BY_USER] * by_user, *[_BY_ROLLER] * by_roller, *_LABELLED[newer] * by_label
    )
    for newer, by_user, by_roller, by_label in product((False, True), repeat=4)
}
_plain = EVENTS.where(_of_user, _e.kind == Kind.ROLL.value, _e.roller_key == "")
_LATEST = _plain.order_by(_e.interaction_id.desc()).limit(_LOOK_BACK)
_n = func.sum(_t.n).label("n")
_faces = select(_t.face, _n).where(of_campaign(schema.tally), _t.die == bindparam("die")).group_by(_t.face)
_dice = select(_t.die, _n).where(of_campaign(schema.tally)).group_by(_t.die).order_by(_n.desc(), _t.die)
# For everybody, and for one player.
_FACES, _DICE = ((query, query.where(of_user(schema.tally))) for query in (_faces, _dice))
_in_hands, _in_hand_of_user = of_campaign(schema.hand), of_user(schema.hand)
_HELD_CARDS = EVENTS.where(
    _in_campaign, _e.seq.in_(select(_h.seq).where(_in_hands, _in_hand_of_user))
).order_by(_e.seq)
_HAND_SIZES = select(_h.user_id, func.count().label("n")).where(_in_hands).group_by(_h.user_id)
_drawn_cards = schema.hand.join(schema.event, (_e.campaign_id == _h.campaign_id) & (_e.seq == _h.seq))
_COUNT_DECK = select(func.count()).select_from(_drawn_cards).where(_in_hands, _BY_ROLLER)


def rollers(campaign_id: int) -> Queries[list[Roller]]:
    """Return a campaign's rollers by name, without removed ones but with the d100 register."""
    return [read_roller(row) for row in (yield Query(_ROLLERS, {"campaign": campaign_id}))]


def find_roller(campaign_id: int, key: str, user_id: int) -> Queries[tuple[Roller | None, Memory | None]]:
    """Return a roller by its casefolded name, and its memory of the player or the table; None if absent."""
    rows = (yield Query(_ROLLER, {"campaign": campaign_id, "key": key})) if is_storable(key) else ()
    if not rows:
        return None, None
    roller = read_roller(rows[0])
    since = roller.since((yield from evening(campaign_id)))
    memory_at = {"roller": rows[0]["id"], "epoch": since, "owner": roller.memory.owner(user_id)}
    memories = yield Query(_MEMORY, memory_at)
    return roller, read_memory(memories[0]["value"]) if memories else None


def hidden_rolls(campaign_id: int, key: str) -> Queries[list[Row]]:
    """Return a roller's rolls that were hidden, including revealed and undone ones."""
    return [read_row(row) for row in (yield Query(_HIDDEN, {"campaign": campaign_id, "key": key}))]


def find_hidden(
    campaign_id: int, key: str, viewer: Viewer, fits: Callable[[Row], bool], *,
    owner: int | None = None, since: int = 0, before: int = LARGEST_ID,
) -> Queries[Row | None]:  # fmt: skip
    """Return a roller's newest roll that was hidden from a person and fits; None if there is none.

    Numbers are from `since` to below `before`. With an `owner`, only that player's rolls.
    """
    statement = _HIDDEN_FROM if owner is None else _HIDDEN_OF
    parameters = {
        "campaign": campaign_id, "key": key, "since": since, "place": before, "user": owner,
        "viewer": viewer.user_id, "leads": int(viewer.is_gm), "limit": _HIDDEN_AT_ONCE,
    }  # fmt: skip
    while rows := (yield Query(statement, parameters)):
        for row in map(read_row, rows):
            if fits(row):
                return row
        parameters["place"] = rows[-1]["seq"]
    return None


def resets(campaign_id: int, key: str) -> Queries[list[Event]]:
    """Return the standing events at which a roller forgot everything, or a player's register did."""
    rows = yield Query(_RESETS, {"campaign": campaign_id, "key": key})
    return [row.event for row in map(read_row, rows) if not row.undone]


def evening(campaign_id: int) -> Queries[int]:
    """Return the number of the event that began a campaign's newest session; 0 for none."""
    ((number,),) = yield Query(_EVENING, {"campaign": campaign_id})
    return int(number)


def event(campaign_id: int, seq: int) -> Queries[Row | None]:
    """Return the event of a number with the effects of later ones; None if there is none."""
    if not 0 < seq <= LARGEST_ID:
        return None
    return (yield from find_one(_EVENT, {"campaign": campaign_id, "number": seq}, read_row))


def restores(campaign_id: int, limit: int) -> Queries[list[Event]]:
    """Return the newest events that record a restored backup."""
    return [read_event(row) for row in (yield Query(_RESTORES, {"campaign": campaign_id, "limit": limit}))]


def page(
    campaign_id: int, only: Filter = _ALL, *, limit: int = SLICE, searched: int = 0, as_of: int = LARGEST_ID
) -> Queries[list[Row]]:
    """Return the events that a filter lets through: newest first, but those `after` a number oldest first.

    Labels and characters are searched only among the `searched` events next to the filter's number. The
    effects of later events are those up to event number `as_of`, or up to now.
    """
    if not is_storable((only.roller or "") + (only.label or "") + (only.character or "")):
        return []
    is_newer, has_words = only.after is not None, only.label is not None or only.character is not None
    # Parameters that the statement does not use are ignored.
    parameters = {
        "campaign": campaign_id,
        "limit": limit,
        "place": only.after if is_newer else LARGEST_ID if only.before is None else only.before,
        "as_of": as_of,
        "user": only.user_id,
        "key": (only.roller or "").casefold(),
        "label": f"%{_escape_like((only.label or '').lower())}%",
        "character": _escape_like(only.character or "") or "%",
        "searched": searched,
    }
    statement = _PAGES[is_newer, only.user_id is not None, only.roller is not None, has_words]
    return [read_row(row) for row in (yield Query(statement, parameters))]


def newest(campaign_id: int, most: int, only: Filter = _ALL, *, down_to: int = 0) -> Queries[list[Row]]:
    """Return the `most` newest events that a filter lets through, newest first; read page by page.

    Events below the number `down_to` may be left out.
    """
    rows: list[Row] = []
    while len(rows) < most:
        more = yield from page(campaign_id, only, limit=min(SLICE, most - len(rows)))
        rows += more
        if not more or more[-1].event.seq <= down_to:
            break
        only = replace(only, before=more[-1].event.seq)
    return rows


def recent_rolls(user_id: int, channel_id: int, limit: int) -> Queries[list[str]]:
    """Return the plain dice that a player last rolled in a channel, newest first, without duplicates."""
    rolls = [read_event(row) for row in (yield Query(_LATEST, {"user": user_id}))]
    texts = [rolled.roll.text for rolled in rolls if rolled.channel_id == channel_id]
    return list(dict.fromkeys(texts))[:limit]


def faces(campaign_id: int, die: str, user_id: int | None = None) -> Queries[Counter[str]]:
    """Return how often each face of a die came out, for everybody or one player."""
    parameters = {"campaign": campaign_id, "die": die, "user": user_id}
    rows = yield Query(_FACES[user_id is not None], parameters)
    return Counter({row["face"]: int(row["n"]) for row in rows})


def dice(campaign_id: int, user_id: int | None = None) -> Queries[dict[str, int]]:
    """Return the counted dice and their number of results, the most rolled first."""
    rows = yield Query(_DICE[user_id is not None], {"campaign": campaign_id, "user": user_id})
    return {row["die"]: int(row["n"]) for row in rows}


def _escape_like(words: str) -> str:
    """Escape the wildcards of LIKE in a text."""
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def held_cards(campaign_id: int, user_id: int) -> Queries[list[Event]]:
    """Return the draws of the cards in a player's hand, oldest first."""
    return [read_event(row) for row in (yield Query(_HELD_CARDS, {"campaign": campaign_id, "user": user_id}))]


def hand_sizes(campaign_id: int) -> Queries[dict[int, int]]:
    """Return the number of cards in each hand that has any, by user id."""
    return {row["user_id"]: int(row["n"]) for row in (yield Query(_HAND_SIZES, {"campaign": campaign_id}))}


def count_held(campaign_id: int, key: str = "") -> Queries[int]:
    """Return the number of cards in all hands, or only of the deck with that casefolded name."""
    if not key:
        return sum((yield from hand_sizes(campaign_id)).values())
    ((number,),) = yield Query(_COUNT_DECK, {"campaign": campaign_id, "key": key})
    return int(number)
