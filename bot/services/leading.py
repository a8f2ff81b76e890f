"""What a game master does with a call: open it, end it, show it, roll for others, pass the turn."""

import asyncio
from collections.abc import Collection
from dataclasses import replace

from bot.campaign.call_deeds import CallDeed, CancelCall, CloseCall, ReopenCall, RevealCall
from bot.campaign.call_rolls import AnswerCall, Answered, OpenCall
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import read_call
from bot.campaign.events import Asked
from bot.campaign.name_rolls import RollForNames
from bot.campaign.replay import read_roll
from bot.campaign.standings import Standing
from bot.campaign.turns import following
from bot.campaign.visibility import Visibility
from bot.dice.errors import DiceError, SpecError
from bot.services.access import Person
from bot.services.calls import SEATS_LIMIT, Calls, for_call
from bot.services.rolling import Answer
from bot.storage import boards
from bot.storage.boards import Board
from bot.storage.working import work

REMINDER_SECONDS = 300
"""Who is missing is reminded when a quarter of the time is left, but no earlier than this before the end."""


class Leading(Calls):
    """The use cases of game masters."""

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
        await self._access.must_be_gm_here(asked, person, "Calling for rolls")
        if len(seats) > SEATS_LIMIT:
            raise DiceError(f"At most {SEATS_LIMIT} players can be named, not {len(seats)}.")
        if terms.hold and terms.hides:
            raise SpecError("Choose hidden or hold: held rolls are shown to all once they are in.")
        if terms.hold:
            terms = replace(terms, visibility=Visibility.GM)
        terms = replace(terms, named=bool(seats))
        due = None if seconds is None else round((asked.time + seconds) * 1000)
        event = (await self._writer.write(asked, OpenCall(terms, dice, due))).event
        remind = None if seconds is None or due is None else due - min(seconds * 250, REMINDER_SECONDS * 1000)
        board = Board(event.campaign_id, event.seq, event.channel_id, remind=remind, due=due)
        await work(self._database, boards.make_board(board, frozenset(seats)))
        if terms.form is Form.DEAL:
            await self._roll_for_missing(asked, event.campaign_id, event.seq)
        return await self.standing(event.campaign_id, event.seq, asked.time)

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
        return await self._settled(asked, campaign_id, number)

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
            await self._access.must_be_gm_here(asked, person, doing)
            written = await self._writer.write(replace(asked, called=True), RollForNames(dice, names))
        else:
            await self._must_be_gm(asked, person, call[0], doing)
            asked = for_call(asked, read_call(await self._find(*call), ()))
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
        if (turn.passed if turn else 0) != passed:
            return standing
        now = standing.at_turn
        if now is None or now.user_id != person.user_id:
            await self._must_be_gm(asked, person, campaign_id, "Ending somebody else's turn")
        if standing.cancelled:
            raise DiceError("This call was cancelled.")
        after = following(standing.order, turn)
        if after is None:
            raise DiceError("Nobody has rolled yet.")
        await work(self._database, boards.pass_turn(campaign_id, number, turn, after))
        return await self.standing(campaign_id, number, asked.time)

    async def _do(self, asked: Asked, person: Person, deed: CallDeed, doing: str) -> Standing:
        campaign_id, number = deed.campaign_id, deed.number
        await self._must_be_gm(asked, person, campaign_id, doing)
        await self._find(campaign_id, number)
        await self._writer.write(asked, deed)
        if not isinstance(deed, RevealCall):
            await work(self._database, boards.set_times(campaign_id, number, None, None))
        return await self._settled(asked, campaign_id, number)

    async def _roll_for_missing(self, asked: Asked, campaign_id: int, number: int) -> None:
        """All at once; each has an id of their own that a second delivery has too."""
        standing = await self.standing(campaign_id, number, asked.time)
        call, terms = standing.call, standing.call.terms
        request = AnswerCall(
            campaign_id, number, call.dice, whose=terms.whose, absent=terms.form is not Form.DEAL
        )
        places = {user_id: place for place, user_id in enumerate(sorted(standing.seats), start=1)}
        asking = [
            replace(for_call(asked.part(places[user_id]), call), user_id=user_id)
            for user_id in standing.missing
        ]
        writing = (self._writer.write(one, request) for one in asking)
        for written in await asyncio.gather(*writing, return_exceptions=True):
            # Who pressed meanwhile has rolled for themselves.
            if isinstance(written, BaseException) and not isinstance(written, Answered):
                raise written


def _was_part(asked: Asked, standing: Standing) -> bool:
    """Whether the interaction has rolled for those who were missing already, and is delivered again."""
    done = {entry.event.interaction_id for entry in standing.call.entries}
    return any(asked.part(place).interaction_id in done for place in range(1, SEATS_LIMIT + 1))
