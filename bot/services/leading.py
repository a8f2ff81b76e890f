"""Use cases of game masters with group calls: open, close, reveal, roll for others, pass the turn."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from bot.campaign.call_commands import LeadCommand, OpenCall
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import Standing
from bot.campaign.campaigns import USUAL
from bot.campaign.command import OPEN, Caller, Command
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry
from bot.campaign.turns import EntryAt, Turn, delay_turn, next_turn, set_turn, toggle_out
from bot.dice import notation
from bot.dice.errors import DiceError, DiceReading, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.names import clean
from bot.dice.naming import first_name
from bot.parsing.commands import resolve_call, with_face_names
from bot.parsing.game_rolls import are_names
from bot.parsing.offers import with_offers
from bot.parsing.suggestions import D20, ON_D20, WITH_BONUS
from bot.parsing.texts import read_as, reads_as_game
from bot.rulebooks.options import UnknownWord
from bot.services.access import DataStore, campaign_by_id, current_campaign, require_same_home
from bot.services.calls import SEATS_LIMIT, Calls, answer_commands, find_standing, with_numbers
from bot.services.saved import explain_refusal
from bot.storage import boards
from bot.storage.belongings import numbers_of
from bot.storage.engine import transact
from bot.storage.ledgers import lock_ledger
from bot.storage.queries import Queries

DEALT_LIMIT = 500
"""Most cards dealt at once."""
TurnChange: TypeAlias = Callable[[Sequence[CallEntry], Turn | None], Turn]
"""Returns the next turn by the order of the entries and the turn before."""


@dataclass(frozen=True, slots=True)
class Leading:
    """The use cases of game masters with group calls."""

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

        Dice may use a luck account. Held rolls stay hidden until all are in. A deal with `seats` is dealt at
        once. The call stays open for `seconds`, or until it is closed.
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
        by, options = read_as(USUAL, typed=True), replace(OPEN, label=label)
        command = OpenCall(dice, terms, due, account, options, seats=frozenset(seats), by=by)
        deals = partial(_deal_requests, caller, sorted(seats)) if terms.form is Form.DEAL and seats else None
        if not command.dice:
            command = replace(command, dice=await self._usual_dice(caller))
        try:
            requests = [(caller, await self._resolve_names(caller, command))]
            event = (await self.store.writer.write_all(requests, deals)).written_or_raise()[0].event
        except (UnknownWord, NotationError) as refused:
            refusal = await self.store.reader.do(explain_refusal(caller, command.dice, refused))
            if isinstance(refused, NotationError) and refusal is refused:
                refusal = await self._offer(caller, refused, command)
            raise refusal from None
        return await self.calls.standing(*event.at, caller.time)

    async def _usual_dice(self, caller: Caller) -> str:
        """Return the dice of an initiative: the usual ones of the game; SpecError if it has none."""
        game = (await self.calls.saved.names(caller)).game
        if game and not game.usual:
            raise SpecError("Which dice decide the order? Add `dice:`, such as `dice:1d10`.")
        return game.usual if game else D20

    async def _offer(self, caller: Caller, refused: NotationError, command: OpenCall) -> NotationError:
        """Return the refusal of a call's dice with readings; for names without dice it asks for these."""
        names, dice = await self.calls.saved.names(caller), command.dice
        offered = with_offers(names, refused, dice)
        is_name = are_names(dice) or dice.casefold() == command.options.label.casefold()
        is_known = bool(first_name(dice, names.vocabulary))
        if offered.readings or not is_name or is_known or any(map(str.isdecimal, dice)):
            return offered
        example, readings = names.game.example if names.game else D20, ()
        if not names.game:
            readings = DiceReading(D20, ON_D20), DiceReading(f"{D20}+{dice.lstrip('+ ')}", WITH_BONUS)
        return NotationError(
            "Which dice are for {said}? Give them, such as `dice:{example}`.",
            said=f"`{dice}`",
            example=example,
            readings=readings,
        )

    async def _resolve_names(self, caller: Caller, command: OpenCall) -> Command:
        """Return a call with the names in its dice resolved for the caller."""
        if command.terms.form is Form.DEAL:
            return command
        on_account = await self.calls.saved.resolve_account(caller, command)
        command = on_account if isinstance(on_account, OpenCall) else command
        command = replace(command, dice=await self.calls.saved.in_notation(caller, command.dice))
        if notation.reads(command.dice):
            return with_face_names(command)
        names = await self.calls.saved.names(caller)
        return command if reads_as_game(command.dice, names.game) else resolve_call(command, names) or command

    async def choose(
        self, caller: Caller, campaign_id: int, number: int, seats: Collection[int]
    ) -> tuple[Standing, list[int]]:
        """Replace the called players, and deal to the new ones if the call is a deal.

        Return the call's state, and the ids of missing players who were not called before.
        """
        before = await transact(self.store.database, _choose_seats(caller, campaign_id, number, seats))
        standing = await self.calls.settled(caller, campaign_id, number)
        if standing.call.terms.form is Form.DEAL and standing.missing:
            await self._roll_for_missing(caller, standing)
            standing = await self.calls.standing(campaign_id, number, caller.time)
        return standing, [user_id for user_id in standing.missing if user_id not in before.seats]

    async def look(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Return the state of a hidden call; raise NotAllowed unless the caller is a game master."""
        return await self.store.reader.do(_load_led_call(caller, campaign_id, number))

    async def find(self, caller: Caller, number: int | None) -> Standing:
        """Return the call with this number, or the newest one here; raise Unknown if there is none."""
        return await self.store.reader.do(_find_call(caller, number))

    async def roll_for_missing(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Roll for all named players who have not rolled; raise DiceError if nobody is missing."""
        standing = await self.store.reader.do(_load_led_call(caller, campaign_id, number))
        # Delivered again, an interaction finds the rolls that it has made.
        rolled = {entry.event.interaction_id for entry in standing.call.entries}
        if not (await self._roll_for_missing(caller, standing) or caller.interaction_id in rolled):
            raise DiceError("Everybody you named has rolled.")
        return await self.calls.settled(caller, campaign_id, number)

    async def next(self, caller: Caller, campaign_id: int, number: int, passed: int) -> tuple[Standing, bool]:
        """Pass the turn if it has been passed `passed` times so far.

        Return the call's state, and whether the turn was passed now. Raise NotAllowed unless the caller is a
        game master, or it is their turn.
        """
        steps = _change_turn(caller, campaign_id, number, next_turn, passed)
        return await transact(self.store.database, steps)

    async def delay(
        self, caller: Caller, campaign_id: int, number: int, passed: int
    ) -> tuple[Standing, bool]:
        """Move the current player behind the next one; otherwise as `next`."""
        steps = _change_turn(caller, campaign_id, number, delay_turn, passed)
        return await transact(self.store.database, steps)

    async def set_turn(self, caller: Caller, campaign_id: int, number: int, seq: int, place: int) -> Standing:
        """Give the turn to an entry of the order; NotAllowed unless the caller is a game master."""
        steps = _change_turn(caller, campaign_id, number, lambda _, turn: set_turn(turn, EntryAt(seq, place)))
        return (await transact(self.store.database, steps))[0]

    async def take_out(
        self, caller: Caller, campaign_id: int, number: int, seq: int, place: int
    ) -> tuple[Standing, bool]:
        """Take an entry out of the order, or back in; NotAllowed unless the caller is a game master.

        Return the call's state, and whether the entry's turn passed on.
        """
        entry = EntryAt(seq, place)
        steps = _change_turn(caller, campaign_id, number, lambda order, turn: toggle_out(order, turn, entry))
        return await transact(self.store.database, steps)

    async def note(
        self, caller: Caller, campaign_id: int, number: int, seq: int, place: int, text: str
    ) -> Standing:
        """Write a note beside an entry, "" to clear it; NotAllowed unless the caller is a game master."""
        steps = _write_note(caller, campaign_id, number, EntryAt(seq, place), text)
        return await transact(self.store.database, steps)

    async def lead(self, caller: Caller, command: LeadCommand) -> Standing:
        """Close, reopen, cancel or reveal a call; return its state."""
        event = (await self.store.writer.write(caller, command)).event
        return await self.calls.settled(caller, event.campaign_id, command.number)

    async def _roll_for_missing(self, caller: Caller, standing: Standing) -> bool:
        """Roll for all missing players at once; return whether any roll is new: none at a second delivery."""
        call, missing = standing.call, standing.missing
        requests = _deal_requests(caller, missing, call.event, absent=call.terms.form is not Form.DEAL)
        if call.asks:
            own = await self.store.reader.do(_load_numbers(call.event.campaign_id, missing))
            requests = [
                (player, with_numbers(standing, command, own[player.user_id])) for player, command in requests
            ]
        # Some may have rolled for themselves meanwhile.
        return (await self.store.writer.write_all(requests)).is_written(unless=Answered)


def _load_led_call(caller: Caller, campaign_id: int, number: int) -> Queries[Standing]:
    """Return the state of a call named by a button; raise NotAllowed unless the caller leads it."""
    yield from campaign_by_id(caller, campaign_id, for_masters=True)
    return (yield from find_standing(campaign_id, number, caller.time))


def _find_call(caller: Caller, number: int | None) -> Queries[Standing]:
    access = yield from current_campaign(caller, for_masters=True)
    if number is None:
        number = yield from boards.newest_call(access.campaign_id)
    if number is None or not access.campaign_id:
        raise Unknown("There was no call here yet. `/group call` opens one.")
    return (yield from find_standing(access.campaign_id, number, caller.time))


def _choose_seats(caller: Caller, campaign_id: int, number: int, seats: Collection[int]) -> Queries[Standing]:
    """Set the called players; return the call's state before."""
    yield from lock_ledger(campaign_id)
    standing = yield from _load_led_call(caller, campaign_id, number)
    if not standing.is_open or not standing.call.terms.named:
        raise DiceError("This call is closed. Reopen it first.")
    yield from boards.set_seats(campaign_id, number, seats)
    return standing


def _change_turn(
    caller: Caller, campaign_id: int, number: int, change: TurnChange, passed: int | None = None
) -> Queries[tuple[Standing, bool]]:
    """Change the turn; with `passed` only that turn, which the player who has it may end."""
    yield from lock_ledger(campaign_id)
    yield from require_same_home(caller, campaign_id)
    standing = yield from find_standing(campaign_id, number, caller.time)
    turn, current = standing.turn, standing.at_turn
    if passed not in {None, turn.passed if turn else 0}:
        return standing, False
    if passed is None or current is None or current.user_id != caller.user_id:
        try:
            yield from campaign_by_id(caller, campaign_id, for_masters=True)
        except NotAllowed as error:
            if passed is None or current is None:
                raise
            raise NotAllowed("It is not your turn. Only game masters press that for others.") from error
    if standing.cancelled:
        raise DiceError("This call was cancelled.")
    changed = change(standing.order, turn)
    yield from boards.set_turn(campaign_id, number, changed)
    moved = changed.passed != (turn.passed if turn else 0)
    return (yield from find_standing(campaign_id, number, caller.time)), moved


def _write_note(
    caller: Caller, campaign_id: int, number: int, entry: EntryAt, text: str
) -> Queries[Standing]:
    yield from lock_ledger(campaign_id)
    standing = yield from _load_led_call(caller, campaign_id, number)
    notes = {place: note for place, note in {**standing.notes, entry: clean(text)}.items() if note}
    yield from boards.note(campaign_id, number, caller.user_id, notes)
    return replace(standing, notes=notes)


def _deal_requests(
    caller: Caller, seats: Iterable[int], call: Event, *, absent: bool = False
) -> list[tuple[Caller, AnswerCall]]:
    """Return the requests by which a game master rolls a call for players."""
    commands = answer_commands(call, absent=absent)
    players = [replace(caller, user_id=user_id, hand=caller.user_id) for user_id in seats]
    return [(player, command) for player in players for command in commands]


def _load_numbers(campaign_id: int, players: Iterable[int]) -> Queries[dict[int, dict[str, str]]]:
    numbers: dict[int, dict[str, str]] = {}
    for user_id in players:
        numbers[user_id] = yield from numbers_of(campaign_id, user_id)
    return numbers
