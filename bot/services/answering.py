"""What players do with a group call: roll for it, once, with a modifier or a saved roll if they like."""

from dataclasses import replace

from bot.campaign.adjustments import PLAIN, Adjustment, read_adjustment
from bot.campaign.call_presses import PressRoll
from bot.campaign.call_rolls import Answered
from bot.campaign.caller import Caller
from bot.campaign.calls import CallEntry, entries, opened
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import read_roll
from bot.campaign.standings import Pressed
from bot.dice.errors import NotationError, SpecError, Unknown
from bot.services.access import belonging
from bot.services.accounts import with_account
from bot.services.calls import Calls, find_call
from bot.services.saved import Saved
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
        adjustment, saved = await self._read(caller, text)
        again = False
        try:
            written = await self._writer.write(caller, PressRoll(campaign_id, number, adjustment, saved))
            rolled, opening = written.event, written.about
        except Answered as answered:
            rolled, opening, again = await self._again(campaign_id, answered), None, True
        terms = opened(opening or await self._reader.do(find_call(campaign_id, number))).terms
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

    async def _read(self, caller: Caller, text: str) -> tuple[Adjustment, str]:
        """Return what is added, and the saved roll in the place of the call's dice, "" for none."""
        if not text.strip():
            return PLAIN, ""
        try:
            return read_adjustment(text), ""
        except NotationError as error:
            saved = await self._saved.find(caller, text)
            if saved is None:
                raise SpecError(f"{error} The name of a saved roll of yours will do too.") from error
            return PLAIN, saved
