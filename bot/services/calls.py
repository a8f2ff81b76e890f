"""Group calls: how one stands, how players answer it, where it is shown, what time does with it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.campaign.adjustments import read_adjustment
from bot.campaign.beside import read_around
from bot.campaign.call_commands import CloseCall, RevealCall
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Terms
from bot.campaign.calls import Standing, opened
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.command import Caller
from bot.campaign.events import CallOpened, Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry, RollResult, entries, read_roll
from bot.campaign.state import fold_call
from bot.dice.errors import DiceError, NotationError, SpecError, Unknown
from bot.dice.naming import Vocabulary, as_typed, folded, resolve
from bot.services.access import DataStore, require_same_home
from bot.services.accounts import with_account, with_accounts
from bot.services.characters import NO_NUMBERS, Numbers
from bot.services.parsing import asked_game, read_as, reads_as_game, shipped
from bot.services.saved import Saved
from bot.storage import boards, characters, reading
from bot.storage.boards import Board
from bot.storage.engine import work
from bot.storage.queries import Queries
from bot.storage.reading import event
from bot.storage.rows import Row
from bot.words.notation import SPREADS, in_notation

SEATS_LIMIT = 100
"""How many players can be named in a call."""

_INITIATIVE = "initiative", "init"
"""What the number is called that an initiative takes."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a player gets for a press."""

    rolled: RollResult
    entry: CallEntry
    terms: Terms
    again: bool
    """Whether they had rolled before, and are shown that roll."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The use cases of calls that nobody leads."""

    store: DataStore
    saved: Saved

    async def answer(
        self,
        caller: Caller,
        campaign_id: int,
        number: int,
        text: str = "",
        *,
        asks: bool = False,
        given: Numbers = NO_NUMBERS,
        thrown: tuple[int, ...] = (),
    ) -> Pressed:
        """Roll for a call; a player who has rolled gets the same roll again.

        `text` is what is added, the name of a saved roll, or a game's words. The call `asks` for numbers: the
        caller's own and those that are `given`. `thrown` are faces of dice thrown by hand. Raise NoName
        where numbers are missing, NotAllowed for players who were not called, DiceError where no rolls are
        taken.
        """
        answer, again = AnswerCall(campaign_id, number, faces=thrown, by=read_as(USUAL)), False
        command = await self._read(caller, answer, text.strip())
        if asks and not command.saved:
            found, own = await self.store.reader.do(_asked(caller, campaign_id, number))
            if not found.call.of(caller.user_id):
                command = with_numbers(found, command, own, given)
        try:
            written = await self.store.writer.write(caller, command)
            rolled, opening = written.event, written.about
        except Answered as answered:
            rolled, opening, again = await self._again(campaign_id, answered), None, True
        terms = opened(opening or await self.store.reader.do(find_call(campaign_id, number))).terms
        if terms.hold:
            await self.settled(caller, campaign_id, number)
        row = await self.store.reader.do(event(campaign_id, rolled.seq)) if terms.hides else None
        if row and row.revealed:
            rolled = replace(rolled, visibility=Visibility.PUBLIC)
            terms = replace(terms, visibility=Visibility.PUBLIC)
        shown = read_roll(rolled)
        if shown.roll.stake:
            shown = await self.store.reader.do(with_account(shown))
        return Pressed(shown, entries(rolled)[0], terms, again)

    async def take_hand(self, caller: Caller, campaign_id: int, number: int) -> bool | None:
        """Deal the caller the cards of a call that they keep, once; whether that was done now.

        None for a call whose cards nobody keeps.
        """
        call = await self.store.reader.do(find_call(campaign_id, number))
        if not opened(call).terms.keeps:
            return None
        together = await self.store.writer.write_all([(caller, command) for command in answers(call)])
        for error in together.refused.values():
            if not isinstance(error, Answered):
                raise error
        return bool(together.written)

    async def own(self, caller: Caller, campaign_id: int, number: int) -> int:
        """Return the number of the caller's own roll for a call; raise Unknown if they have none."""
        await self.store.reader.do(require_same_home(caller, campaign_id))
        entry = (await self.standing(campaign_id, number, caller.time)).call.of(caller.user_id)
        if entry is None:
            raise Unknown("You have no roll here. `/history` shows all rolls of a call.")
        return entry.event.seq

    async def shown(self, standing: Standing, channel_id: int, message_id: int, language: str) -> None:
        """Note which message shows a call, and the code of its language."""
        at = standing.call.event.at
        await work(self.store.database, boards.place_board(*at, channel_id, message_id, language))

    async def goes_on(self, campaign_id: int, number: int, messages: Sequence[int]) -> None:
        """Note which messages go on with a call's board."""
        await work(self.store.database, boards.place_further(campaign_id, number, messages))

    async def standing(self, campaign_id: int, number: int, at: float) -> Standing:
        """Return how a call stands at a time in seconds since 1970; raise Unknown if there is none."""
        return await self.store.reader.do(find_standing(campaign_id, number, at))

    async def board(self, campaign_id: int, number: int, at: float) -> tuple[Board, Standing] | None:
        """Return where a call is shown, and how it stands; None where it never was shown."""
        return await self.store.reader.do(_board(campaign_id, number, at))

    async def settled(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Return how a call stands, with held rolls revealed once all are in, or the call is over."""
        found = await self.standing(campaign_id, number, caller.time)
        call, goes_on = found.call, found.is_open and not found.complete
        if not call.terms.hold or call.shown or found.cancelled or goes_on:
            return found
        # Nobody asked for it: whoever presses last may not even know that it is shown then.
        revealing = Caller.nobody(round(caller.time * 1000), call.event.channel_id)
        # Somebody else's press may have come first.
        with suppress(DiceError):
            await self.store.writer.write(revealing, RevealCall(campaign_id, number))
        return await self.standing(campaign_id, number, caller.time)

    async def timed(self) -> list[Board]:
        """Return the boards of calls with a reminder or an end to come, the next one first."""
        return await self.store.reader.do(boards.timed())

    async def recently_changed(self) -> list[tuple[int, int]]:
        """Return the calls, by campaign and number, whose messages a restart may have left out of date."""
        return await self.store.reader.do(boards.recently_changed())

    async def settle(self, campaign_id: int, number: int, at: float) -> None:
        """Reveal a held call whose last press was cut short before it did."""
        call = await self.store.reader.do(find_call(campaign_id, number))
        await self.settled(Caller.nobody(round(at * 1000), call.channel_id), campaign_id, number)

    async def takes_reminder(self, board: Board) -> bool:
        """Return whether this process has to send the reminder: one process does, once for each call."""
        return await work(self.store.database, boards.take_reminder(board.campaign_id, board.seq))

    async def expire(self, board: Board) -> None:
        """Close a call whose time is up; do nothing where it is gone, closed, or was reopened."""
        at = board.campaign_id, board.seq
        with suppress(Unknown):
            clock = Caller.nobody(board.due or 0, (await self.store.reader.do(find_call(*at))).channel_id)
            with suppress(DiceError):
                await self.store.writer.write(clock, CloseCall(*at))
            await self.settled(clock, *at)
        await work(self.store.database, boards.end_times([at]))

    async def _again(self, campaign_id: int, answered: Answered) -> Event:
        if row := await self.store.reader.do(event(campaign_id, answered.number)):
            return row.event
        raise answered

    async def _read(self, caller: Caller, answer: AnswerCall, text: str) -> AnswerCall:
        """Return the answer with what the text adds, or what is rolled in place of the call's dice."""
        if not text:
            return answer
        adjustment = refused = None
        try:
            adjustment = read_adjustment(in_notation(text, SPREADS))
        except NotationError as error:
            refused = error
        if adjustment and not adjustment.wrong:
            return replace(answer, adjustment=adjustment)
        known = await self.saved.known(caller)
        if adjustment:
            # A die of its own stands before what is added, as when that is read.
            try:
                named = resolve(f"1d20{adjustment.rest}", known.vocabulary)
            except NotationError as error:
                raise error.alone() from error
            if named and not named.roller:
                adjustment = replace(adjustment, rest=named.text.removeprefix("1d20"))
            return replace(answer, adjustment=adjustment, typed=text)
        found = known.resolve_text(text)
        if found and found.roller:
            around = read_around(found.text)
            if around.terms or found.times > 1:
                raise SpecError("Everybody rolls once for a call, and the call sets the DC. Leave both out.")
            return replace(answer, saved=found.roller, adjustment=around.adjustment, typed=text)
        if found is None and asked_game(text, known.game) is None:
            raise SpecError(
                "{refused} A saved roll of yours or a game's words will do too.", refused=refused
            ) from refused
        by = read_as(known.rules)
        return replace(answer, saved=found.text if found else text, typed=text if found else "", by=by)


def with_numbers(
    standing: Standing, command: AnswerCall, own: Numbers, given: Numbers | None = None
) -> AnswerCall:
    """Return an answer with somebody's own numbers in the call's dice, or with their initiative.

    Raise NoName where some are missing; without any `given` these are 0.
    """
    call, name = standing.call, next((name for name in _INITIATIVE if name in own), "")
    if call.numbers:
        others = dict.fromkeys(map(folded, call.numbers), "0") if given is None else {}
        dice, numbers = call.typed, {**others, **own, **(given or {})}
    elif name and call.opened.text and not command.adjustment.rest:
        dice, numbers = f"{call.opened.text}+{{{name}}}", own
    elif name and not (command.adjustment.rest or _is_game(standing)):
        bonus = f"{Vocabulary(own).number(name):+}"
        typed = f"{call.dice} + {name}"
        return replace(command, adjustment=replace(command.adjustment, rest=bonus), typed=typed)
    else:
        return command
    roller = "" if call.account else call.opened.roller
    found = resolve(dice, Vocabulary(numbers, rollers={folded(roller): roller} if roller else {}))
    if found and found.roller:
        adjustment = read_around(found.text).adjustment.joined(command.adjustment)
        return replace(command, saved=roller, adjustment=adjustment, typed=as_typed(dice))
    return replace(command, saved=found.text, typed=as_typed(dice)) if found else command


def _is_game(found: Standing) -> bool:
    """Return whether a call is for a game's words, to which nothing is added."""
    return reads_as_game(found.call.opened.roller, found.rules.played(shipped()))


def _asked(caller: Caller, campaign_id: int, number: int) -> Queries[tuple[Standing, Numbers]]:
    """Return a call as it stands, and the caller's numbers."""
    found = yield from find_standing(campaign_id, number, caller.time)
    return found, (yield from characters.numbers(campaign_id, caller.user_id))


def answers(call: Event, *, absent: bool = False) -> list[AnswerCall]:
    """Return what one person is rolled or dealt for a call; of cards that are kept each is one."""
    terms = opened(call).terms
    first = AnswerCall(*call.at, absent=absent, by=read_as(USUAL))
    return [first, *[replace(first, more=True)] * (terms.cards - 1 if terms.keeps else 0)]


def find_call(campaign_id: int, number: int) -> Queries[Event]:
    """Return the event that opened a call; raise Unknown if there is no such call."""
    return _opening((yield from reading.event(campaign_id, number)), number)


def _opening(row: Row | None, number: int) -> Event:
    if row is None or not isinstance(row.event.body, CallOpened):
        raise Unknown("There is no call #{number} here.", number=number)
    return row.event


def find_standing(campaign_id: int, number: int, at: float) -> Queries[Standing]:
    """Return how a call stands at a time in seconds since 1970."""
    return (
        yield from _standing_of(campaign_id, number, at, *(yield from boards.find_board(campaign_id, number)))
    )


def _board(campaign_id: int, number: int, at: float) -> Queries[tuple[Board, Standing] | None]:
    board, rules = yield from boards.find_board(campaign_id, number)
    return board and (board, (yield from _standing_of(campaign_id, number, at, board, rules)))


def _standing_of(
    campaign_id: int, number: int, at: float, board: Board | None, rules: Rules
) -> Queries[Standing]:
    rows = yield from boards.with_following(campaign_id, number)
    opening = _opening(rows[0] if rows else None, number)
    call = fold_call(opening, [row.told for row in rows[1:] if not row.undone])
    if call.account:
        call = yield from with_accounts(call)
    seats = (yield from boards.find_seats(campaign_id, number)) if call.terms.named else frozenset[int]()
    if board is None:
        return Standing(call, at, seats, rules=rules)
    return Standing(call, at, seats, board.turn, board.notes, rules, board.language)
