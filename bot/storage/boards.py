"""Boards of calls: their messages, named players and deadlines, and each call's events.

Only the events are part of the history.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from itertools import chain
from typing import Any

from sqlalchemy import bindparam, delete, func, select, tuple_, union_all

from bot.campaign.calls import opened, reminder_time
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.events import Event, EventAt
from bot.campaign.turns import EntryAt, Turn
from bot.storage import schema
from bot.storage.campaign_lookup import new_key
from bot.storage.queries import Queries, Query, Record, adding, changing, inserting
from bot.storage.rows import LARGEST_ID, ROWS, Row, of_campaign, read_row, read_rules
from bot.times import INSTANCE_BITS, milliseconds_of

_e, _c = schema.event.c, schema.campaign.c

_RECENT_SECONDS = 900
_RECENT_LIMIT = 100
_b = schema.board.c
_is_of_number = (_b.campaign_id == _c.id) & (_b.seq == bindparam("number"))
_BOARD = (
    select(schema.board, _c.rules)
    .select_from(schema.campaign.outerjoin(schema.board, _is_of_number))
    .where(_c.id == bindparam("campaign"))
)
_s = schema.seat.c
_of_call = of_campaign(schema.seat) & (_s.seq == bindparam("number"))
_NEWEST_CALL = select(func.max(_b.seq)).where(of_campaign(schema.board))
_SEATS = select(schema.seat).where(tuple_(_s.campaign_id, _s.seq).in_(bindparam("calls")))
_DELETE_SEATS = delete(schema.seat).where(_of_call)
_TIMED = select(schema.board).where(_b.due.is_not(None)).order_by(_b.due)
_NEWEST = select(func.max(_e.interaction_id).label("newest"))
_RECENT = (
    select(_b.campaign_id, _b.seq)
    .join(schema.event, (_e.campaign_id == _b.campaign_id) & (_e.target == _b.seq))
    .where(_b.message_id.is_not(None), _e.target.is_not(None))
    .distinct()
    .limit(_RECENT_LIMIT)
)
_RECENT_BY_PEOPLE = _RECENT.where(_e.interaction_id > bindparam("since"))
_RECENT_BY_TIME = _RECENT.where(_e.clock > bindparam("clock"))
_event = (of_campaign(schema.event), _e.seq == bindparam("number"))
_followers = (of_campaign(schema.event), _e.target == bindparam("number"))
WITH_FOLLOWING = union_all(ROWS.where(*_event), ROWS.where(*_followers))
_TAKE_REMINDER = changing(schema.board, "remind").where(_b.remind.is_not(None)).returning(_b.seq)


@dataclass(frozen=True, slots=True)
class Board:
    """The message that shows a call."""

    campaign_id: int
    seq: int
    channel_id: int
    message_id: int | None = None
    """None until it is sent."""
    further: tuple[int, ...] = ()
    """Further messages of a board too long for one."""
    remind: int | None = None
    """Time of the reminder in ms since 1970; None if there is none, or it was sent."""
    due: int | None = None
    turn: Turn | None = None
    notes: Mapping[EntryAt, str] = field(default_factory=dict[EntryAt, str])
    language: str = ""
    """Language code of its message; "" is English."""


def board_of(call: Event) -> Board:
    """Return the board of a new call."""
    return Board(*call.at, call.channel_id, remind=reminder_time(call), due=opened(call).deadline)


def make_boards(boards: Sequence[tuple[Board, Collection[int]]]) -> Queries[None]:
    """Save the boards of new calls with the players named in each."""
    defaults = {"further": "[]", "turn": "[]", "notes": "[]"}
    yield Query(inserting(schema.board), [{**asdict(board), **defaults} for board, _ in boards])
    rows = (_seat_rows(board.campaign_id, board.seq, seats) for board, seats in boards)
    yield Query(inserting(schema.seat), [*chain.from_iterable(rows)])


def set_seats(campaign_id: int, number: int, seats: Collection[int]) -> Queries[None]:
    """Replace the players named in a call."""
    yield Query(_DELETE_SEATS, {"campaign": campaign_id, "number": number})
    yield Query(inserting(schema.seat), _seat_rows(campaign_id, number, seats))


def _seat_rows(campaign_id: int, number: int, seats: Collection[int]) -> list[dict[str, int]]:
    return [{"campaign_id": campaign_id, "seq": number, "user_id": user} for user in sorted(set(seats))]


def _change(campaign_id: int, number: int, **values: object) -> Queries[None]:
    """Update columns of a call's board."""
    statement = changing(schema.board, *values)
    yield Query(statement, {"at_campaign_id": campaign_id, "at_seq": number, **values})


def place_board(
    campaign_id: int, number: int, channel_id: int, message_id: int, language: str
) -> Queries[None]:
    """Save the first message of a call's board and its language."""
    place = {"channel_id": channel_id, "message_id": message_id, "further": "[]", "language": language}
    return _change(campaign_id, number, **place)


def place_further(campaign_id: int, number: int, messages: Sequence[int]) -> Queries[None]:
    """Save the further messages of a call's board."""
    return _change(campaign_id, number, further=json.dumps([*messages]))


def newest_call(campaign_id: int) -> Queries[int | None]:
    """Return the number of a campaign's newest call; None if there is none."""
    ((number,),) = yield Query(_NEWEST_CALL, {"campaign": campaign_id})
    return number


def end_times(calls: Iterable[tuple[int, int]]) -> Queries[None]:
    """Clear the reminder and the deadline of calls, each a campaign and a number."""
    rows = [{"at_campaign_id": at, "at_seq": seq, "remind": None, "due": None} for at, seq in calls]
    yield Query(changing(schema.board, "remind", "due"), rows)


def take_reminder(campaign_id: int, number: int) -> Queries[bool]:
    """Take a call's reminder; return whether this process was the first to take it."""
    values = {"at_campaign_id": campaign_id, "at_seq": number, "remind": None}
    return bool((yield Query(_TAKE_REMINDER, values)))


def set_turn(campaign_id: int, number: int, turn: Turn) -> Queries[None]:
    """Save the turn of an initiative, in a transaction that has locked the campaign and read the last one."""
    return _change(campaign_id, number, turn=json.dumps(astuple(turn)))


def note(campaign_id: int, number: int, user_id: int, notes: Mapping[EntryAt, str]) -> Queries[None]:
    """Save the notes beside the entries of an initiative, and give their writer a key in the campaign.

    The writer of a single note is not stored: an erasure drops all notes in campaigns where the person has a
    key.
    """
    yield Query(adding(schema.person), {"campaign_id": campaign_id, "user_id": user_id, "secret": new_key()})
    yield from _change(campaign_id, number, notes=json.dumps([[*at, text] for at, text in notes.items()]))


def find_board(campaign_id: int, number: int) -> Queries[tuple[Board | None, Rules]]:
    """Return the board of a call, None if it has none, and the rules of its campaign."""
    rows = yield Query(_BOARD, {"campaign": campaign_id, "number": number})
    if not rows:
        return None, USUAL
    return _read_board(rows[0]) if rows[0]["seq"] else None, read_rules(rows[0]["rules"])


def find_seats(campaign_id: int, number: int) -> Queries[frozenset[int]]:
    """Return the players named in a call."""
    at = EventAt(campaign_id, number)
    return (yield from seats_of([at]))[at]


def seats_of(calls: Iterable[EventAt]) -> Queries[dict[EventAt, frozenset[int]]]:
    """Return the players named in calls, by call."""
    by_call = dict.fromkeys(sorted(calls), frozenset[int]())
    for row in (yield Query(_SEATS, {"calls": [*by_call]})):
        by_call[EventAt(row["campaign_id"], row["seq"])] |= {row["user_id"]}
    return by_call


def boards_with_deadline() -> Queries[list[Board]]:
    """Return the boards of calls with a deadline, the next one first."""
    return [_read_board(row) for row in (yield Query(_TIMED))]


def recently_changed() -> Queries[list[tuple[int, int]]]:
    """Return the calls with an event in the 15 minutes before the newest event."""
    newest: int | None = (yield Query(_NEWEST))[0]["newest"]
    if newest is None:
        return []
    since = newest - (_RECENT_SECONDS * 1000 << INSTANCE_BITS)
    by_people = yield Query(_RECENT_BY_PEOPLE, {"since": since})
    by_time = yield Query(_RECENT_BY_TIME, {"clock": milliseconds_of(since)})
    return sorted({(row["campaign_id"], row["seq"]) for row in (*by_people, *by_time)})


def with_followers(campaign_id: int, seq: int) -> Queries[list[Row]]:
    """Return the event of a number and the events with that target, oldest first; [] if there is none."""
    if not 0 < seq <= LARGEST_ID:
        return []
    rows = yield Query(WITH_FOLLOWING, {"campaign": campaign_id, "number": seq})
    return sorted(map(read_row, rows), key=lambda row: row.event.seq)


def _read_board(row: Record) -> Board:
    further, turn, notes = (json.loads(row[name]) for name in ("further", "turn", "notes"))
    values: dict[str, Any] = {
        "further": tuple(further),
        "turn": _read_turn(*turn) if turn else None,
        "notes": {EntryAt(seq, place): text for seq, place, text in notes},
    }
    return Board(**{column.name: row[column.name] for column in schema.board.c} | values)


def _read_turn(at: list[int], passed: int, number: int, moved: list[list[int]], out: list[list[int]]) -> Turn:
    entries = (tuple(EntryAt(*place) for place in places) for places in (moved, out))
    return Turn(EntryAt(*at), passed, number, *entries)
