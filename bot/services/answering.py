"""What players do with a call: roll for it, once, with something added or not."""

from dataclasses import replace

from bot.campaign.adjustments import PLAIN, Adjustment, read_adjustment
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Terms
from bot.campaign.calls import Call, CallEntry, entries, read_call
from bot.campaign.events import Asked
from bot.campaign.replay import read_roll
from bot.campaign.standings import Pressed
from bot.campaign.visibility import Visibility
from bot.dice.errors import NotAllowed, NotationError, SpecError, Unknown
from bot.services.access import Person, check_here
from bot.services.calls import Calls, find_call, for_call
from bot.storage.asking import Piece
from bot.storage.boards import seats as seats_of
from bot.storage.reading import event


class Answering(Calls):
    """The use cases of players."""

    async def answer(
        self, asked: Asked, person: Person, campaign_id: int, number: int, text: str = ""
    ) -> Pressed:
        """Roll for a call; who has rolled gets the same roll again.

        `text` is what is added, or the name of a saved roll. NotAllowed for who was not called, DiceError
        where no rolls are taken.
        """
        call, seats = await self._reader.do(_asked_for(asked, campaign_id, number))
        terms = call.terms
        if not _is_called(terms, seats, person) and not await self._entry(asked, campaign_id, number):
            raise NotAllowed("This call is for others. A game master can call for you too.")
        dice, adjustment = await self._read(asked, call, text)
        if terms.under:
            # Advantage is what helps.
            adjustment = adjustment.turned
        request = AnswerCall(campaign_id, number, dice, adjustment, terms.whose)
        again = False
        try:
            rolled = (await self._writer.write(for_call(asked, call), request)).event
        except Answered as answered:
            row = await self._reader.do(event(campaign_id, answered.number))
            if row is None:
                raise
            rolled, again = row.event, True
        if terms.hold:
            await self._settled(asked, campaign_id, number)
        row = await self._reader.do(event(campaign_id, rolled.seq)) if terms.hides else None
        if row and row.revealed:
            rolled = replace(rolled, visibility=Visibility.PUBLIC)
            terms = replace(terms, visibility=Visibility.PUBLIC)
        return Pressed(read_roll(rolled), entries(rolled)[0], terms, again)

    async def own(self, asked: Asked, campaign_id: int, number: int) -> int:
        """The number of the asker's own roll for a call; Unknown if they have none."""
        await self._access.must_be_here(asked, campaign_id)
        entry = await self._entry(asked, campaign_id, number)
        if entry is None:
            raise Unknown("You have no roll here. All rolls of a call are in /history, by its name.")
        return entry.event.seq

    async def _entry(self, asked: Asked, campaign_id: int, number: int) -> CallEntry | None:
        """The asker's own roll for a call."""
        return (await self.standing(campaign_id, number, asked.time)).call.of(asked.user_id)

    async def _read(self, asked: Asked, call: Call, text: str) -> tuple[str, Adjustment]:
        """What is rolled: the call's dice with something added, or a saved roll in their place."""
        dice = call.dice
        if not text.strip():
            return dice, PLAIN
        try:
            adjustment = read_adjustment(text)
        except NotationError as error:
            saved = await self._saved.find(asked, text)
            if saved is None:
                raise SpecError(f"{error} The name of a saved roll of yours will do too.") from error
            return saved, PLAIN
        if not call.event.roller:
            _must_fit(adjustment, dice)
        return dice, adjustment


def _asked_for(asked: Asked, campaign_id: int, number: int) -> Piece[tuple[Call, frozenset[int]]]:
    """A call without its rolls, and who was named in it."""
    yield from check_here(asked, campaign_id)
    call = read_call((yield from find_call(campaign_id, number)), ())
    return call, (yield from seats_of(campaign_id, number))


def _is_called(terms: Terms, seats: frozenset[int], person: Person) -> bool:
    if terms.role is None and not seats:
        # Those who were named may have been erased since.
        return not terms.named
    return person.user_id in seats or terms.role in person.roles


def _must_fit(adjustment: Adjustment, dice: str) -> None:
    """SpecError where it can't be added; columns would count signs that the player never typed."""
    try:
        adjustment.on_dice(dice)
    except NotationError as error:
        raise SpecError(f"With {adjustment.rest} added I can't roll that. {error}") from error
