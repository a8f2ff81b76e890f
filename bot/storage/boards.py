"""Calls as they are shown: by which message, who was named, deadlines, and the events about each.

All but the events is no part of the history.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, union_all

from bot.campaign.calls import opened, reminder
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.events import Event
from bot.campaign.turns import EntryAt, Turn
from bot.storage import schema
from bot.storage.places import new_key
from bot.storage.queries import Queries, Query, Record, changing, insert_or
from bot.storage.rows import LARGEST_ID, ROWS, Row, of_campaign, read_row, read_rules
from bot.times import INSTANCE_BITS, milliseconds_of

_e, _c = schema.event.c, schema.campaign.c

_RECENT_SECONDS = 900
_RECENT_LIMIT = 100
_b = schema.board.c
_here = of_campaign(schema.board) & (_b.seq == bindparam("number"))
_number = (_b.campaign_id == _c.id) & (_b.seq == bindparam("number"))
_SHOWN = (
    select(schema.board, _c.rules)
    .select_from(schema.campaign.outerjoin(schema.board, _number))
    .where(_c.id == bindparam("campaign"))
)
_at = of_campaign(schema.seat) & (schema.seat.c.seq == bindparam("number"))
_NEWEST_CALL = select(func.max(_b.seq)).where(of_campaign(schema.board))
_SEATS = select(schema.seat.c.user_id).where(_at)
_UNSEAT = delete(schema.seat).where(_at)
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
_about = (of_campaign(schema.event), _e.target == bindparam("number"))
WITH_FOLLOWING = union_all(ROWS.where(*_event), ROWS.where(*_about))
_MAKE = insert(schema.board)
_SEAT = insert(schema.seat)
_KNOW = insert_or(schema.person).on_conflict_do_nothing(index_elements=["campaign_id", "user_id"])
_TAKE_REMINDER = changing(schema.board, "remind").where(_b.remind.is_not(None)).returning(_b.seq)
_END_TIMES = changing(schema.board, "remind", "due")
_TURN = changing(schema.board, "turn").where(_b.turn == bindparam("old")).returning(_b.seq)


@dataclass(frozen=True, slots=True)
class Board:
    """Where a call is shown."""

    campaign_id: int
    seq: int
    channel_id: int
    message_id: int | None = None
    """None until Discord has it."""
    further: tuple[int, ...] = ()
    """The messages that go on with a board that is too long for one."""
    remind: int | None = None
    """Milliseconds since 1970; None where nobody is to be reminded, or was."""
    due: int | None = None
    turn: Turn | None = None
    notes: Mapping[EntryAt, str] = field(default_factory=dict[EntryAt, str])
    language: str = ""
    """The code of its message's language; "" is English."""


def board_of(call: Event) -> Board:
    """Return the board of a new call."""
    return Board(*call.at, call.channel_id, remind=reminder(call), due=opened(call).deadline)


def make_boards(made: Sequence[tuple[Board, Collection[int]]]) -> Queries[None]:
    """Keep the boards of new calls, and who was named in each."""
    fresh = {"further": "[]", "turn": _print(None), "notes": "[]"}
    yield Query(_MAKE, [{**asdict(board), **fresh} for board, _ in made])
    yield Query(_SEAT, [row for board, seats in made for row in _seated(board.campaign_id, board.seq, seats)])


def set_seats(campaign_id: int, number: int, seats: Collection[int]) -> Queries[None]:
    """Keep who is named in a call from now on."""
    yield Query(_UNSEAT, {"campaign": campaign_id, "number": number})
    yield Query(_SEAT, _seated(campaign_id, number, seats))


def _seated(campaign_id: int, number: int, seats: Collection[int]) -> list[dict[str, int]]:
    return [{"campaign_id": campaign_id, "seq": number, "user_id": user} for user in sorted(set(seats))]


def _change(campaign_id: int, number: int, **values: object) -> Queries[None]:
    """Set columns of a call's board."""
    statement = changing(schema.board, *values)
    yield Query(statement, {"at_campaign_id": campaign_id, "at_seq": number, **values})


def place_board(
    campaign_id: int, number: int, channel_id: int, message_id: int, language: str
) -> Queries[None]:
    """Keep which message shows it, in which language; none goes on with it yet."""
    where = {"channel_id": channel_id, "message_id": message_id, "further": "[]", "language": language}
    return _change(campaign_id, number, **where)


def place_further(campaign_id: int, number: int, messages: Sequence[int]) -> Queries[None]:
    """Keep which messages go on with it."""
    return _change(campaign_id, number, further=json.dumps([*messages]))


def newest_call(campaign_id: int) -> Queries[int | None]:
    """Return the number of a campaign's newest call; None if there is none."""
    ((number,),) = yield Query(_NEWEST_CALL, {"campaign": campaign_id})
    return number


def end_times(calls: Iterable[tuple[int, int]]) -> Queries[None]:
    """Note that time brings nothing more to calls, each a campaign and a number."""
    rows = [{"at_campaign_id": c, "at_seq": seq, "remind": None, "due": None} for c, seq in calls]
    yield Query(_END_TIMES, rows)


def take_reminder(campaign_id: int, number: int) -> Queries[bool]:
    """Return whether it is this process that reminds: whoever takes it first does."""
    asked = {"at_campaign_id": campaign_id, "at_seq": number, "remind": None}
    return bool((yield Query(_TAKE_REMINDER, asked)))


def pass_turn(campaign_id: int, number: int, old: Turn | None, new: Turn | None) -> Queries[bool]:
    """Return whether the turn has passed: not if it is another's already."""
    at = {"at_campaign_id": campaign_id, "at_seq": number}
    return bool((yield Query(_TURN, {**at, "old": _print(old), "turn": _print(new)})))


def note(campaign_id: int, number: int, user_id: int, notes: Mapping[EntryAt, str]) -> Queries[None]:
    """Keep what is noted beside the entries of an initiative; whoever noted it is known there from then on.

    Who noted what is not kept. So an erasure drops all notes where its person has a key.
    """
    yield Query(_KNOW, {"campaign_id": campaign_id, "user_id": user_id, "secret": new_key()})
    yield from _change(campaign_id, number, notes=json.dumps([[*at, text] for at, text in notes.items()]))


def find_board(campaign_id: int, number: int) -> Queries[tuple[Board | None, Rules]]:
    """Return where a call is shown, None if it never was, and the rules of its campaign."""
    rows = yield Query(_SHOWN, {"campaign": campaign_id, "number": number})
    if not rows:
        return None, USUAL
    return _read(rows[0]) if rows[0]["seq"] else None, read_rules(rows[0]["rules"])


def find_seats(campaign_id: int, number: int) -> Queries[frozenset[int]]:
    """Return who was named in a call."""
    rows = yield Query(_SEATS, {"campaign": campaign_id, "number": number})
    return frozenset(row["user_id"] for row in rows)


def timed() -> Queries[list[Board]]:
    """Return the calls that time brings something to, the next one first."""
    return [_read(row) for row in (yield Query(_TIMED))]


def recently_changed() -> Queries[list[tuple[int, int]]]:
    """Return calls that something happened to in the last quarter of an hour before the newest event."""
    newest: int | None = (yield Query(_NEWEST))[0]["newest"]
    if newest is None:
        return []
    since = newest - (_RECENT_SECONDS * 1000 << INSTANCE_BITS)
    by_people = yield Query(_RECENT_BY_PEOPLE, {"since": since})
    by_time = yield Query(_RECENT_BY_TIME, {"clock": milliseconds_of(since)})
    return sorted({(row["campaign_id"], row["seq"]) for row in (*by_people, *by_time)})


def with_following(campaign_id: int, seq: int) -> Queries[list[Row]]:
    """Return the event of that number and then those about it, the oldest first; none if it is not there."""
    if not 0 < seq <= LARGEST_ID:
        return []
    rows = yield Query(WITH_FOLLOWING, {"campaign": campaign_id, "number": seq})
    return sorted(map(read_row, rows), key=lambda row: row.event.seq)


def _read(row: Record) -> Board:
    further, turn, notes = (json.loads(row[name]) for name in ("further", "turn", "notes"))
    read: dict[str, Any] = {
        "further": tuple(further),
        "turn": _turn(*turn) if turn else None,
        "notes": {EntryAt(seq, place): text for seq, place, text in notes},
    }
    return Board(**{column.name: row[column.name] for column in schema.board.c} | read)


def _turn(at: list[int], passed: int, number: int, moved: list[list[int]], out: list[list[int]]) -> Turn:
    placed = (tuple(EntryAt(*each) for each in places) for places in (moved, out))
    return Turn(EntryAt(*at), passed, number, *placed)


def _print(turn: Turn | None) -> str:
    return json.dumps(astuple(turn) if turn else [])
