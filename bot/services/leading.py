"""What game masters do with a group call: open it, end it, show it, roll for others, pass the turn."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.campaign.call_commands import LeadCommand, OpenCall
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import Standing
from bot.campaign.campaigns import USUAL
from bot.campaign.command import OPEN, Caller, Command
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry
from bot.campaign.turns import EntryAt, Turn, delayed, following, set_turn, taken_out
from bot.dice import notation
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import DataStore, campaign_by_id, current_campaign, require_same_home
from bot.services.calls import SEATS_LIMIT, Calls, answers, find_standing, with_numbers
from bot.services.parsing import read_as, reads_as_game
from bot.storage import boards, campaigns, characters
from bot.storage.engine import work
from bot.storage.queries import Queries

DEALT_LIMIT = 500
"""How many cards are dealt at once."""


@dataclass(frozen=True, slots=True)
class Leading:
    """The use cases of game masters."""

    store: DataStore
    calls: Calls

    async def open(
        self,
        caller: Caller,
        terms: Terms,
        dice: str,
        label: str = "",
        *,
        account: str = "",
        seats: Collection[int] = (),
        seconds: int | None = None,
    ) -> Standing:
        """Call for rolls of notation or of a roller; raise NotAllowed unless the caller is a game master.

        Dice may go with a luck account. Held rolls are hidden until all are in. A deal is dealt at once to
        those who are named. The call stays open for some seconds, or until it is closed.
        """
        if len(seats) > SEATS_LIMIT:
            raise DiceError(
                "You can name {most} players at most, not {count:,}.", most=SEATS_LIMIT, count=len(seats)
            )
        if terms.hold and terms.hides:
            raise SpecError("Choose hidden or hold, not both.")
        if terms.hold:
            terms = replace(terms, visibility=Visibility.GM)
        if len(seats) * terms.cards > DEALT_LIMIT:
            raise DiceError("I deal {most} cards at most at once.", most=DEALT_LIMIT)
        terms = replace(terms, named=terms.named or bool(seats))
        due = None if seconds is None else round((caller.time + seconds) * 1000)
        by, kept = read_as(USUAL, typed=True), replace(OPEN, label=label)
        command = OpenCall(terms, dice, due, account, kept, seats=frozenset(seats), by=by)
        deals = partial(_deals, caller, sorted(seats)) if terms.form is Form.DEAL and seats else None
        asked = [(caller, await self._named(caller, command))]
        event = (await self.store.writer.write_all(asked, deals)).some()[0].event
        return await self.calls.standing(*event.at, caller.time)

    async def _named(self, caller: Caller, command: OpenCall) -> Command:
        """Return a call with the names in its dice as what they mean to the caller."""
        if command.terms.form is Form.DEAL:
            return command
        asked = await self.calls.saved.named(caller, command)
        command = asked if isinstance(asked, OpenCall) else command
        command = replace(command, dice=await self.calls.saved.in_notation(caller, command.dice))
        if notation.reads(command.dice):
            return command
        known = await self.calls.saved.known(caller)
        return command if reads_as_game(command.dice, known.game) else known.resolve_call(command) or command

    async def choose(
        self, caller: Caller, campaign_id: int, number: int, seats: Collection[int]
    ) -> tuple[Standing, list[int]]:
        """Call these players instead of those who were, and deal to them at once where hands are dealt.

        Return how the call stands then, and who is missing that was not called before.
        """
        found = await work(self.store.database, _chosen(caller, campaign_id, number, seats))
        standing = await self._dealt(caller, await self.calls.settled(caller, campaign_id, number))
        return standing, [user_id for user_id in standing.missing if user_id not in found.seats]

    async def look(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Return how a hidden call stands, for a game master; raise NotAllowed for others."""
        return await self.store.reader.do(_led(caller, campaign_id, number))

    async def find(self, caller: Caller, number: int | None) -> Standing:
        """Return a call of the campaign here, the newest one without a number; Unknown if there is none."""
        return await self.store.reader.do(_found(caller, number))

    async def roll_for_missing(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Roll for all who were named and have not rolled; raise DiceError if nobody is missing."""
        found = await self.store.reader.do(_led(caller, campaign_id, number))
        if not (await self._roll_for_missing(caller, found) or _has_rolled(caller, found)):
            raise DiceError("Everybody you named has rolled.")
        return await self.calls.settled(caller, campaign_id, number)

    async def next(self, caller: Caller, campaign_id: int, number: int, passed: int) -> tuple[Standing, bool]:
        """Pass the turn, unless somebody was faster: `passed` is how often it had passed before.

        Return how the call stands, and whether this passed it.

        Raise NotAllowed unless the caller is a game master, or it is their turn.
        """
        return await work(self.store.database, _turned(caller, campaign_id, number, following, passed))

    async def delay(
        self, caller: Caller, campaign_id: int, number: int, passed: int
    ) -> tuple[Standing, bool]:
        """Have whoever is at turn wait for the next one; else as `next`."""
        return await work(self.store.database, _turned(caller, campaign_id, number, delayed, passed))

    async def set_turn(self, caller: Caller, campaign_id: int, number: int, seq: int, place: int) -> Standing:
        """Give the turn to an entry of the order; NotAllowed unless the caller is a game master."""
        piece = _turned(caller, campaign_id, number, lambda _, turn: set_turn(turn, EntryAt(seq, place)))
        return (await work(self.store.database, piece))[0]

    async def take_out(self, caller: Caller, campaign_id: int, number: int, seq: int, place: int) -> Standing:
        """Take an entry out of the order, or back in; NotAllowed unless the caller is a game master."""
        at = EntryAt(seq, place)
        piece = _turned(caller, campaign_id, number, lambda order, turn: taken_out(order, turn, at))
        return (await work(self.store.database, piece))[0]

    async def note(
        self, caller: Caller, campaign_id: int, number: int, seq: int, place: int, text: str
    ) -> Standing:
        """Note something beside an entry, "" for nothing; NotAllowed unless the caller is a game master."""
        piece = _noted(caller, campaign_id, number, EntryAt(seq, place), text)
        return await work(self.store.database, piece)

    async def lead(self, caller: Caller, command: LeadCommand) -> Standing:
        """Close, reopen, cancel or reveal a call; return how it stands then."""
        campaign_id, number = command.campaign_id, command.number
        await self.store.writer.write(caller, command)
        return await self.calls.settled(caller, campaign_id, number)

    async def _dealt(self, caller: Caller, found: Standing) -> Standing:
        """Deal to those who were named, where hands are dealt; return how the call stands then."""
        if found.call.terms.form is not Form.DEAL or not found.missing:
            return found
        await self._roll_for_missing(caller, found)
        return await self.calls.standing(*found.call.event.at, caller.time)

    async def _roll_for_missing(self, caller: Caller, found: Standing) -> bool:
        """Roll for all at once; whether anybody was missing. At a second delivery that is done."""
        jobs = _deals(caller, found.missing, found.call.event, absent=found.call.terms.form is not Form.DEAL)
        if found.call.asks:
            own = await self.store.reader.do(_numbers(found.call.event.campaign_id, found.missing))
            jobs = [(who, with_numbers(found, command, own[who.user_id])) for who, command in jobs]
        together = await self.store.writer.write_all(jobs)
        for error in together.refused.values():
            # Players who pressed meanwhile have rolled for themselves.
            if not isinstance(error, Answered):
                raise error
        return bool(together.written)


def _led(caller: Caller, campaign_id: int, number: int) -> Queries[Standing]:
    """Return how a call stands that a button names, to its game masters."""
    yield from campaign_by_id(caller, campaign_id, for_masters=True)
    return (yield from find_standing(campaign_id, number, caller.time))


def _found(caller: Caller, number: int | None) -> Queries[Standing]:
    at = yield from current_campaign(caller, for_masters=True)
    if number is None and at.campaign_id is not None:
        number = yield from boards.newest_call(at.campaign_id)
    if number is None or at.campaign_id is None:
        raise Unknown("There was no call here yet. `/group call` opens one.")
    return (yield from find_standing(at.campaign_id, number, caller.time))


def _chosen(caller: Caller, campaign_id: int, number: int, seats: Collection[int]) -> Queries[Standing]:
    """Call these players, and return how the call stood before."""
    yield from campaigns.lock(campaign_id)
    found = yield from _led(caller, campaign_id, number)
    if not found.is_open or not found.call.terms.named:
        raise DiceError("This call is closed. Reopen it first.")
    yield from boards.set_seats(campaign_id, number, seats)
    return found


def _turned(
    caller: Caller,
    campaign_id: int,
    number: int,
    change: Callable[[Sequence[CallEntry], Turn | None], Turn],
    passed: int | None = None,
) -> Queries[tuple[Standing, bool]]:
    """Change the turn; `passed` says whose turn the press was about, which whoever has it may end."""
    yield from campaigns.lock(campaign_id)
    yield from require_same_home(caller, campaign_id)
    found = yield from find_standing(campaign_id, number, caller.time)
    turn, now = found.turn, found.at_turn
    if passed not in {None, turn.passed if turn else 0}:
        return found, False
    if passed is None or now is None or now.user_id != caller.user_id:
        yield from campaign_by_id(caller, campaign_id, for_masters=True)
    if found.cancelled:
        raise DiceError("This call was cancelled.")
    yield from boards.pass_turn(campaign_id, number, turn, change(found.order, turn))
    return (yield from find_standing(campaign_id, number, caller.time)), True


def _noted(caller: Caller, campaign_id: int, number: int, at: EntryAt, text: str) -> Queries[Standing]:
    yield from campaigns.lock(campaign_id)
    found = yield from _led(caller, campaign_id, number)
    notes = {where: said for where, said in {**found.notes, at: clean(text)}.items() if said}
    yield from boards.note(campaign_id, number, caller.user_id, notes)
    return replace(found, notes=notes)


def _deals(
    caller: Caller, seats: Iterable[int], call: Event, *, absent: bool = False
) -> list[tuple[Caller, AnswerCall]]:
    """Return what is asked for where a game master has a call rolled for players."""
    commands = answers(call, absent=absent)
    people = [replace(caller, user_id=user_id, hand=caller.user_id) for user_id in seats]
    return [(who, command) for who in people for command in commands]


def _numbers(campaign_id: int, players: Iterable[int]) -> Queries[dict[int, dict[str, str]]]:
    own: dict[int, dict[str, str]] = {}
    for user_id in players:
        own[user_id] = yield from characters.numbers(campaign_id, user_id)
    return own


def _has_rolled(caller: Caller, found: Standing) -> bool:
    """Return whether the interaction has rolled for players already, and is delivered again."""
    events = [entry.event for entry in found.call.entries]
    return any(event.interaction_id == caller.interaction_id for event in events)
