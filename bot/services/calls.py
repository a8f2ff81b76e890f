"""A call and how it stands: what players, game masters and time have in common when they come to one."""

from contextlib import suppress
from dataclasses import replace

from bot.campaign.call_deeds import RevealCall
from bot.campaign.calls import Call, read_call
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.standings import Standing
from bot.dice.errors import DiceError, Unknown
from bot.services.access import Access, Person
from bot.services.saved import Saved
from bot.storage import boards, reading
from bot.storage.asking import Piece
from bot.storage.boards import Board
from bot.storage.engine import Database
from bot.storage.reading import Reader
from bot.storage.working import work
from bot.storage.writer import Writer

SEATS_LIMIT = 100
"""As many players can be named in a call."""


class Calls:
    """Finds calls, and knows who may lead one."""

    def __init__(self, database: Database, writer: Writer, reader: Reader, saved: Saved) -> None:
        self._database = database
        self._writer = writer
        self._reader = reader
        self._saved = saved
        self._access = Access(reader)

    async def shown(self, standing: Standing, message_id: int) -> None:
        """Note which message shows a call."""
        event = standing.call.event
        await work(self._database, boards.place_board(event.campaign_id, event.seq, message_id))

    async def standing(self, campaign_id: int, number: int, at: float) -> Standing:
        """How a call stands; Unknown if there is no such call."""
        return await self._reader.do(_standing(campaign_id, number, at))

    async def board(self, campaign_id: int, number: int) -> Board | None:
        """Where a call is shown."""
        return await self._reader.do(boards.board(campaign_id, number))

    async def _find(self, campaign_id: int, number: int) -> Event:
        return await self._reader.do(find_call(campaign_id, number))

    async def _must_be_gm(self, asked: Asked, person: Person, campaign_id: int, doing: str) -> None:
        await self._access.must_be_here(asked, campaign_id)
        (await self._access.known(person, campaign_id)).must_be_gm(doing)

    async def _settled(self, asked: Asked, campaign_id: int, number: int) -> Standing:
        """How a call stands, with held rolls revealed once all are in, or the call is over."""
        standing = await self.standing(campaign_id, number, asked.time)
        call, goes_on = standing.call, standing.is_open and not standing.complete
        if not call.terms.hold or call.shown or standing.cancelled or goes_on:
            return standing
        # Another one's press may have come first.
        with suppress(DiceError):
            await self._writer.write(
                replace(asked.part(SEATS_LIMIT + 1), channel_id=call.event.channel_id),
                RevealCall(campaign_id, number),
            )
        return await self.standing(campaign_id, number, asked.time)


def find_call(campaign_id: int, number: int) -> Piece[Event]:
    """The event that made a call; Unknown if there is no such call."""
    row = yield from reading.event(campaign_id, number)
    if row is None or row.event.kind is not Kind.CALL:
        raise Unknown("That call is not there any more.")
    return row.event


def _standing(campaign_id: int, number: int, at: float) -> Piece[Standing]:
    event = yield from find_call(campaign_id, number)
    rows = yield from reading.following(campaign_id, number)
    board = yield from boards.board(campaign_id, number)
    seats = yield from boards.seats(campaign_id, number)
    call = read_call(event, [row.event for row in rows if not row.undone])
    return Standing(call, at, seats, board.turn if board else None)


def for_call(asked: Asked, call: Call) -> Asked:
    """Who answers, with the call's words and visibility, and counted as called for."""
    return replace(asked, label=call.event.label or "", visibility=call.terms.visibility, called=True)
