"""What players do with a group call: roll for it, once, with a modifier or a saved roll if they like."""

from dataclasses import replace

from bot.campaign.adjustments import PLAIN, Adjustment, read_adjustment
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Terms
from bot.campaign.caller import Caller
from bot.campaign.calls import Call, CallEntry, entries
from bot.campaign.events import Event
from bot.campaign.evolve import fold_call
from bot.campaign.replay import read_roll
from bot.campaign.standings import Pressed
from bot.campaign.visibility import Visibility
from bot.dice.errors import NotAllowed, NotationError, SpecError, Unknown
from bot.services.access import belonging
from bot.services.accounts import with_account
from bot.services.calls import Calls, find_call, options_of
from bot.services.saved import Saved
from bot.storage.asking import Piece
from bot.storage.boards import seats as seats_of
from bot.storage.reading import Reader, event
from bot.storage.writer import Writer


class Answering:
    """The use cases of players."""

    def __init__(self, writer: Writer, reader: Reader, calls: Calls, saved: Saved) -> None:
        self._writer = writer
        self._reader = reader
        self._calls = calls
        self._saved = saved

    async def answer(self, caller: Caller, campaign_id: int, number: int, text: str = "") -> Pressed:
        """Roll for a call; a player who has rolled gets the same roll again.

        `text` is what is added, or the name of a saved roll. Raise NotAllowed for players who were not
        called, DiceError where no rolls are taken.
        """
        call, seats = await self._reader.do(_called(caller, campaign_id, number))
        terms = call.terms
        if not _is_called(terms, seats, caller) and not await self._entry(caller, campaign_id, number):
            raise NotAllowed("This call is for others. A game master can call for you too.")
        dice, adjustment = await self._read(caller, call, text)
        if terms.under:
            # Advantage is what helps.
            adjustment = adjustment.turned
        account, options = call.account, options_of(call)
        command = AnswerCall(
            campaign_id, number, dice, adjustment, terms.whose, account=account, options=options
        )
        again = False
        try:
            rolled = (await self._writer.write(caller, command)).event
        except Answered as answered:
            rolled, again = await self._again(campaign_id, answered), True
        if terms.hold:
            await self._calls.settled(caller, campaign_id, number)
        row = await self._reader.do(event(campaign_id, rolled.seq)) if terms.hides else None
        if row and row.revealed:
            rolled = replace(rolled, visibility=Visibility.PUBLIC)
            terms = replace(terms, visibility=Visibility.PUBLIC)
        shown = read_roll(rolled)
        if shown.roll.stake:
            shown = await self._reader.do(with_account(shown))
        return Pressed(shown, entries(rolled)[0], terms, again)

    async def own(self, caller: Caller, campaign_id: int, number: int) -> int:
        """Return the number of the caller's own roll for a call; raise Unknown if they have none."""
        await self._reader.do(belonging(caller, campaign_id))
        entry = await self._entry(caller, campaign_id, number)
        if entry is None:
            raise Unknown("You have no roll here. All rolls of a call are in /history, by its name.")
        return entry.event.seq

    async def _entry(self, caller: Caller, campaign_id: int, number: int) -> CallEntry | None:
        """Return the caller's own roll for a call."""
        return (await self._calls.standing(campaign_id, number, caller.time)).call.of(caller.user_id)

    async def _again(self, campaign_id: int, answered: Answered) -> Event:
        row = await self._reader.do(event(campaign_id, answered.number))
        if row is None:
            raise answered
        return row.event

    async def _read(self, caller: Caller, call: Call, text: str) -> tuple[str, Adjustment]:
        """Return what is rolled: the call's dice with something added, or a saved roll in their place."""
        dice = call.dice
        if not text.strip():
            return dice, PLAIN
        try:
            adjustment = read_adjustment(text)
        except NotationError as error:
            saved = await self._saved.find(caller, text)
            if saved is None:
                raise SpecError(f"{error} The name of a saved roll of yours will do too.") from error
            return saved, PLAIN
        if call.opened.text:
            _must_fit(adjustment, dice)
        return dice, adjustment


def _called(caller: Caller, campaign_id: int, number: int) -> Piece[tuple[Call, frozenset[int]]]:
    """Return a call without its rolls, and the players who were named in it."""
    yield from belonging(caller, campaign_id)
    call = fold_call((yield from find_call(campaign_id, number)), ())
    seats = (yield from seats_of(campaign_id, number)) if call.terms.named else frozenset[int]()
    return call, seats


def _is_called(terms: Terms, seats: frozenset[int], caller: Caller) -> bool:
    if terms.role is None and not seats:
        # Those who were named may have been erased since.
        return not terms.named
    return caller.user_id in seats or terms.role in caller.roles


def _must_fit(adjustment: Adjustment, dice: str) -> None:
    """Raise SpecError where it can't be added; columns would count characters that nobody typed."""
    try:
        adjustment.on_dice(dice)
    except NotationError as error:
        raise SpecError(f"With {adjustment.rest} added I can't roll that. {error}") from error
