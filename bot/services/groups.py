"""The table rolls at once: a game master calls, everybody answers once, and the call fills in."""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from bot.core.calls.adjusting import PLAIN, Adjustment, read_adjustment
from bot.core.calls.call import read_call
from bot.core.calls.orders import following
from bot.core.calls.standing import Pressed, Standing
from bot.core.calls.terms import Form, Terms
from bot.core.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.core.events import DISCORD_EPOCH, Asked, Event, Kind, Visibility
from bot.core.replay import read_roll
from bot.core.requests.calls import (
    AnswerCall,
    Answered,
    CallDeed,
    CancelCall,
    CloseCall,
    OpenCall,
    ReopenCall,
    RevealCall,
    RollForNames,
)
from bot.services.access import Access, Person
from bot.services.rolling import Answer
from bot.services.saved import Saved
from bot.storage import boards
from bot.storage.boards import Board, BoardReader
from bot.storage.campaigns import CampaignReader
from bot.storage.engine import Database
from bot.storage.reading import Reader
from bot.storage.working import work
from bot.storage.writer import Writer

SEATS_LIMIT = 100
"""As many players can be named in a call."""
REMINDER_SECONDS = 300
"""Who is missing is reminded when a quarter of the time is left, but no earlier than this before the end."""


class Groups:
    """The use cases of calls."""

    def __init__(self, database: Database, writer: Writer, reader: Reader, saved: Saved) -> None:
        self._database = database
        self._writer = writer
        self._reader = reader
        self._saved = saved
        self._boards = BoardReader(reader)
        self._access = Access(CampaignReader(reader))

    async def open(
        self,
        asked: Asked,
        person: Person,
        terms: Terms,
        dice: str,
        *,
        seats: Collection[int] = (),
        seconds: int | None = None,
    ) -> Standing:
        """Call for rolls of notation or of a roller; NotAllowed unless a game master does.

        Held rolls are hidden until all are in. A deal is dealt at once to those who are named. It stays open
        for so many seconds, or until it is closed.
        """
        (await self._access.here(person, asked.channel_id, asked.parent_id)).must_be_gm("Calling for rolls")
        if len(seats) > SEATS_LIMIT:
            raise DiceError(f"At most {SEATS_LIMIT} players can be named, not {len(seats)}.")
        if terms.hold and not terms.hides:
            terms = replace(terms, visibility=Visibility.GM)
        due = None if seconds is None else int((asked.time + seconds) * 1000)
        event = (await self._writer.write(asked, OpenCall(terms, dice, due))).event
        remind = None if seconds is None or due is None else due - min(seconds * 250, REMINDER_SECONDS * 1000)
        board = Board(event.campaign_id, event.seq, event.channel_id, remind=remind, due=due)
        await work(self._database, boards.make_board, board, frozenset(seats))
        if terms.form is Form.DEAL:
            await self._roll_for_missing(asked, event.campaign_id, event.seq)
        return await self.standing(event.campaign_id, event.seq, asked.time)

    async def shown(self, standing: Standing, message_id: int) -> None:
        """Note which message shows a call."""
        event = standing.call.event
        await work(self._database, boards.place_board, event.campaign_id, event.seq, message_id)

    async def standing(self, campaign_id: int, number: int, at: float) -> Standing:
        """How a call stands; Unknown if there is no such call."""
        event = await self._find(campaign_id, number)
        rows = await self._reader.following(campaign_id, number)
        board = await self._boards.board(campaign_id, number)
        return Standing(
            read_call(event, [row.event for row in rows if not row.undone]),
            at,
            await self._boards.seats(campaign_id, number),
            board.turn if board else None,
        )

    async def own(self, asked: Asked, campaign_id: int, number: int) -> int:
        """The number of the asker's own roll for a call; Unknown if they have none."""
        await self._access.must_be_here(asked, campaign_id)
        entry = (await self.standing(campaign_id, number, asked.time)).call.of(asked.user_id)
        if entry is None:
            raise Unknown("You have no roll here. All rolls of a call are in /history, by its name.")
        return entry.event.seq

    async def board(self, campaign_id: int, number: int) -> Board | None:
        """Where a call is shown."""
        return await self._boards.board(campaign_id, number)

    async def answer(
        self, asked: Asked, person: Person, campaign_id: int, number: int, text: str = ""
    ) -> Pressed:
        """Roll for a call; who has rolled gets the same roll again.

        `text` is what is added, or the name of a saved roll. NotAllowed for who was not called, DiceError
        where no rolls are taken.
        """
        await self._access.must_be_here(asked, campaign_id)
        event = await self._find(campaign_id, number)
        terms = Terms.from_json(event.detail.get("call"))
        seats = await self._boards.seats(campaign_id, number)
        if not _is_called(terms, seats, person):
            raise NotAllowed("This call is for others. A game master can call for you too.")
        dice, adjustment = await self._read(asked, event, text)
        if terms.under:
            # Advantage is what helps.
            adjustment = adjustment.turned
        request = AnswerCall(campaign_id, number, dice, adjustment, terms.whose)
        again = False
        try:
            rolled = (await self._writer.write(_for_call(asked, event, terms), request)).event
        except Answered as answered:
            row = await self._reader.event(campaign_id, answered.number)
            if row is None:
                raise
            rolled, again = row.event, True
        await self._show_held(asked, campaign_id, number)
        shown = terms.hides and (row := await self._reader.event(campaign_id, rolled.seq)) and row.revealed
        if shown:
            rolled = replace(rolled, visibility=Visibility.PUBLIC)
            terms = replace(terms, visibility=Visibility.PUBLIC)
        return Pressed(read_roll(rolled), read_call(event, [rolled]).entries[0], terms, again)

    async def look(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """How a hidden call stands, for a game master; NotAllowed for others."""
        await self._must_be_gm(asked, person, campaign_id, "Leading a call")
        return await self.standing(campaign_id, number, asked.time)

    async def close(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """Take no more rolls."""
        return await self._do(asked, person, CloseCall(campaign_id, number), "Closing a call")

    async def reopen(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """Take rolls again, without a deadline."""
        return await self._do(asked, person, ReopenCall(campaign_id, number), "Reopening a call")

    async def cancel(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """Call it off."""
        return await self._do(asked, person, CancelCall(campaign_id, number), "Cancelling a call")

    async def reveal(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """Show everybody a hidden call's rolls."""
        return await self._do(asked, person, RevealCall(campaign_id, number), "Revealing a call's rolls")

    async def roll_for_missing(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Standing:
        """A game master rolls for all who were named and have not rolled; DiceError if nobody is missing."""
        await self._must_be_gm(asked, person, campaign_id, "Rolling for others")
        standing = await self.standing(campaign_id, number, asked.time)
        if not standing.missing and not _was_part(asked, standing):
            raise DiceError("Nobody who was named is missing.")
        await self._roll_for_missing(asked, campaign_id, number)
        await self._show_held(asked, campaign_id, number)
        return await self.standing(campaign_id, number, asked.time)

    async def roll_for_names(
        self,
        asked: Asked,
        person: Person,
        dice: str,
        names: tuple[str, ...],
        call: tuple[int, int] | None = None,
    ) -> Answer:
        """A game master rolls for people of their own, into a call if its campaign and number are given."""
        doing = "Rolling for several at once"
        if call is None:
            (await self._access.here(person, asked.channel_id, asked.parent_id)).must_be_gm(doing)
            written = await self._writer.write(replace(asked, called=True), RollForNames(dice, names))
        else:
            await self._must_be_gm(asked, person, call[0], doing)
            event = await self._find(*call)
            asked = _for_call(asked, event, Terms.from_json(event.detail.get("call")))
            written = await self._writer.write(asked, RollForNames(dice, names, *call))
        return Answer(read_roll(written.event), written.undelivered, written)

    async def next(
        self, asked: Asked, person: Person, campaign_id: int, number: int, passed: int
    ) -> Standing:
        """The next one's turn, unless somebody was faster: `passed` is how often it had passed before.

        NotAllowed unless a game master asks, or whose turn it is.
        """
        await self._access.must_be_here(asked, campaign_id)
        standing = await self.standing(campaign_id, number, asked.time)
        turn = standing.turn
        now = next(
            (e for e in standing.order if turn and (e.event.seq, e.place) == (turn.seq, turn.place)), None
        )
        if now is None or now.user_id != person.user_id:
            await self._must_be_gm(asked, person, campaign_id, "Ending somebody else's turn")
        if standing.cancelled:
            raise DiceError("This call was cancelled.")
        after = following(standing.order, turn)
        if after is None:
            raise DiceError("Nobody has rolled yet.")
        if (turn.passed if turn else 0) == passed:
            await work(self._database, boards.pass_turn, campaign_id, number, turn, after)
        return await self.standing(campaign_id, number, asked.time)

    async def timed(self) -> list[Board]:
        """Calls that time brings something to, the next one first."""
        return await self._boards.timed()

    async def takes_reminder(self, board: Board) -> bool:
        """Whether it falls to this process to remind those who are missing: once for each call."""
        return await work(self._database, boards.take_reminder, board.campaign_id, board.seq)

    async def expire(self, board: Board) -> None:
        """Close a call whose time is up; nothing happens where it is closed, or was reopened, meanwhile."""
        event = await self._find(board.campaign_id, board.seq)
        if board.due is not None:
            asked = _at(event, board.due)
            with suppress(DiceError):
                await self._writer.write(asked, CloseCall(board.campaign_id, board.seq))
            await self._show_held(asked, board.campaign_id, board.seq)
        await work(self._database, boards.set_times, board.campaign_id, board.seq, None, None)

    async def _do(self, asked: Asked, person: Person, deed: CallDeed, doing: str) -> Standing:
        campaign_id, number = deed.campaign_id, deed.number
        await self._must_be_gm(asked, person, campaign_id, doing)
        await self._find(campaign_id, number)
        await self._writer.write(asked, deed)
        if not isinstance(deed, RevealCall):
            await work(self._database, boards.set_times, campaign_id, number, None, None)
        await self._show_held(asked, campaign_id, number)
        return await self.standing(campaign_id, number, asked.time)

    async def _roll_for_missing(self, asked: Asked, campaign_id: int, number: int) -> None:
        """All at once; each has an id of their own that a second delivery has too."""
        standing = await self.standing(campaign_id, number, asked.time)
        event, terms = standing.call.event, standing.call.terms
        dice = event.roller or event.text
        request = AnswerCall(campaign_id, number, dice, whose=terms.whose, absent=terms.form is not Form.DEAL)
        places = {user_id: place for place, user_id in enumerate(sorted(standing.seats), start=1)}
        asking = [
            replace(_for_call(asked.part(places[user_id]), event, terms), user_id=user_id)
            for user_id in standing.missing
        ]
        with suppress(Answered):
            await asyncio.gather(*(self._writer.write(one, request) for one in asking))

    async def _show_held(self, asked: Asked, campaign_id: int, number: int) -> None:
        """Reveal held rolls once all are in, or the call is over."""
        event = await self._find(campaign_id, number)
        if not Terms.from_json(event.detail.get("call")).hold:
            return
        standing = await self.standing(campaign_id, number, asked.time)
        if standing.call.shown or standing.cancelled or (standing.is_open and not standing.complete):
            return
        # Another one's press may have come first.
        with suppress(DiceError):
            await self._writer.write(
                replace(asked.part(SEATS_LIMIT + 1), channel_id=event.channel_id),
                RevealCall(campaign_id, number),
            )

    async def _read(self, asked: Asked, event: Event, text: str) -> tuple[str, Adjustment]:
        """What is rolled: the call's dice with something added, or a saved roll in their place."""
        dice = event.roller or event.text
        if not text.strip():
            return dice, PLAIN
        try:
            adjustment = read_adjustment(text)
        except NotationError as error:
            saved = await self._saved.find(asked, text)
            if saved is None:
                raise SpecError(f"{error} The name of a saved roll of yours will do too.") from error
            return saved, PLAIN
        if not event.roller:
            _must_fit(adjustment, dice)
        return dice, adjustment

    async def _find(self, campaign_id: int, number: int) -> Event:
        row = await self._reader.event(campaign_id, number)
        if row is None or row.event.kind is not Kind.CALL:
            raise Unknown("That call is not there any more.")
        return row.event

    async def _must_be_gm(self, asked: Asked, person: Person, campaign_id: int, doing: str) -> None:
        await self._access.must_be_here(asked, campaign_id)
        (await self._access.known(person, campaign_id)).must_be_gm(doing)


def _is_called(terms: Terms, seats: frozenset[int], person: Person) -> bool:
    if terms.role is None and not seats:
        return True
    return person.user_id in seats or terms.role in person.roles


def _must_fit(adjustment: Adjustment, dice: str) -> None:
    """SpecError where it can't be added; columns would count signs that the player never typed."""
    try:
        adjustment.on_dice(dice)
    except NotationError as error:
        raise SpecError(f"With {adjustment.rest} added I can't roll that. {error}") from error


def _was_part(asked: Asked, standing: Standing) -> bool:
    """Whether the interaction has rolled for those who were missing already, and is delivered again."""
    done = {entry.event.interaction_id for entry in standing.call.entries}
    return any(asked.part(place).interaction_id in done for place in range(1, SEATS_LIMIT + 1))


def _for_call(asked: Asked, event: Event, terms: Terms) -> Asked:
    """Who answers, with the call's words and visibility, and counted as called for."""
    return replace(asked, label=event.label or "", visibility=terms.visibility, called=True)


def _at(event: Event, due: int) -> Asked:
    """What closes a call at its time: nobody's press, so its id is made of the time and the call."""
    low = (1 << 22) - 1
    return Asked(
        -(((due - DISCORD_EPOCH) << 22) | (event.interaction_id & low)),
        None,
        event.channel_id,
        event.user_id or 0,
    )
