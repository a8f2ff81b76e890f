"""Group calls: state, answers, the message that shows a call, reminders and expiry."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.campaign.adjustments import Adjustment, read_adjustment, read_modifiers
from bot.campaign.call_commands import CloseCall, RevealCall
from bot.campaign.call_rolls import AnswerCall, Answered, must_take
from bot.campaign.call_terms import Terms
from bot.campaign.calls import Standing, opened
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.command import Caller, MustWait, RollOptions
from bot.campaign.events import CallOpened, Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry, RollResult, entries, read_roll
from bot.campaign.state import fold_call
from bot.dice.errors import DiceError, NotationError, SpecError, Unknown
from bot.dice.naming import UnknownName, UnknownNumber, Vocabulary, as_typed, folded, resolve
from bot.parsing.game_rolls import fill_in
from bot.parsing.names import CampaignNames
from bot.parsing.texts import parse_game_roll, read_as, reads_as_game, shipped
from bot.services.access import DataStore, require_same_home
from bot.services.characters import NO_NUMBERS, Numbers
from bot.services.checks import with_account, with_accounts
from bot.services.saved import Saved
from bot.storage import boards, reading
from bot.storage.belongings import numbers_of
from bot.storage.boards import Board
from bot.storage.engine import transact
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.words.notation import SPREADS, in_notation

SEATS_LIMIT = 100
"""Most players named in one call."""

_INITIATIVE = "initiative", "init"
"""Names of the number that is added to an initiative roll."""


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The answer to a player who pressed a call's button."""

    rolled: RollResult
    entry: CallEntry
    terms: Terms
    is_repeat: bool
    """Whether this is an earlier roll of theirs, shown once more."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The use cases of calls, apart from those of game masters."""

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
        numbers: Numbers = NO_NUMBERS,
        thrown: tuple[int, ...] = (),
    ) -> CallAnswer:
        """Roll for a call; return the earlier roll of a player who has rolled already.

        `text` is an adjustment, the name of a saved roll, or a game's words. If the call `asks` for numbers,
        the caller's own and `numbers` are used. `thrown` are faces of dice thrown by hand. Raise UnknownName
        if numbers are missing, NotAllowed for players who were not called, DiceError for a closed call.
        """
        options = RollOptions(thrown=thrown)
        answer = AnswerCall(campaign_id, number, options=options, by=read_as(USUAL))
        command = await self._parse_answer(caller, answer, text.strip())
        if asks and not command.dice:
            standing, own = await self.store.reader.do(_load_call_and_numbers(caller, campaign_id, number))
            if not standing.call.of(caller.user_id):
                must_take(standing.call, standing.seats, caller)  # nobody is asked in vain
                command = with_numbers(standing, command, own, numbers)
        try:
            written = await self.store.writer.write(caller, command)
        except Answered as answered:
            return await self.earlier(caller, campaign_id, answered)
        return await self._as_answer(caller, written.event, written.about)

    async def earlier(self, caller: Caller, campaign_id: int, answered: Answered) -> CallAnswer:
        """Return the earlier roll of a player who has rolled already; raise the error if it is gone."""
        row = await self.store.reader.do(reading.event(campaign_id, answered.number))
        if row is None:
            raise answered
        return await self._as_answer(caller, row.event)

    async def _as_answer(self, caller: Caller, rolled: Event, opening: Event | None = None) -> CallAnswer:
        """Return a roll for a call as its player sees it; without the call's event it is an earlier one."""
        campaign_id, number, is_repeat = rolled.campaign_id, rolled.target or 0, opening is None
        terms = opened(opening or await self.store.reader.do(find_call(campaign_id, number))).terms
        if terms.hold:
            await self.settled(caller, campaign_id, number)
        row = await self.store.reader.do(reading.event(campaign_id, rolled.seq)) if terms.hides else None
        if row and row.revealed:
            rolled = replace(rolled, visibility=Visibility.PUBLIC)
            terms = replace(terms, visibility=Visibility.PUBLIC)
        result = read_roll(rolled)
        if result.roll.stake:
            result = await self.store.reader.do(with_account(result))
        return CallAnswer(result, entries(rolled)[0], terms, is_repeat)

    async def unknown(self, caller: Caller, campaign_id: int, number: int) -> UnknownName | None:
        """Return the error that names the numbers of the caller that a call's dice lack; None for none.

        Raise DiceError if the call takes no roll of theirs.
        """
        standing, own = await self.store.reader.do(_load_call_and_numbers(caller, campaign_id, number))
        must_take(standing.call, standing.seats, caller)
        try:
            with_numbers(standing, AnswerCall(campaign_id, number), own, NO_NUMBERS)
        except UnknownName as refused:
            return refused
        except DiceError:
            pass  # what is wrong with a number is told when it is rolled
        return None

    async def take_hand(self, caller: Caller, campaign_id: int, number: int) -> bool | None:
        """Deal the caller the cards of a call once; return whether this was the first time.

        Return None if the call's cards are not kept in a hand.
        """
        call = (await self.look(caller, campaign_id, number)).call.event
        if not opened(call).terms.keeps:
            return None
        together = await self.store.writer.write_all([(caller, command) for command in answer_commands(call)])
        return together.is_written(unless=Answered)

    async def own(self, caller: Caller, campaign_id: int, number: int) -> int:
        """Return the event number of the caller's own roll for a call; raise Unknown if they have none."""
        entry = (await self.look(caller, campaign_id, number)).call.of(caller.user_id)
        if entry is None:
            raise Unknown("You have no roll here. `/history` shows all rolls of a call.")
        return entry.event.seq

    async def store_board(self, standing: Standing, channel_id: int, message_id: int, language: str) -> None:
        """Store which message shows a call, and the code of its language."""
        key = standing.call.event.at
        await transact(self.store.database, boards.place_board(*key, channel_id, message_id, language))

    async def store_continuations(self, campaign_id: int, number: int, messages: Sequence[int]) -> None:
        """Store the messages that continue a call's board."""
        await transact(self.store.database, boards.place_further(campaign_id, number, messages))

    async def look(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Return the state of a call that a button names; raise Unknown for another server's call."""
        return await self.store.reader.do(_load_call_here(caller, campaign_id, number))

    async def standing(self, campaign_id: int, number: int, at: float) -> Standing:
        """Return a call's state at a time in seconds since 1970; raise Unknown if there is none."""
        return await self.store.reader.do(find_standing(campaign_id, number, at))

    async def board(self, campaign_id: int, number: int, at: float) -> tuple[Board, Standing] | None:
        """Return a call's board and state; None if it was never shown."""
        return await self.store.reader.do(_load_board(campaign_id, number, at))

    async def settled(self, caller: Caller, campaign_id: int, number: int) -> Standing:
        """Return a call's state; reveal held rolls first if it is complete or over."""
        standing = await self.standing(campaign_id, number, caller.time)
        if not _must_reveal(standing):
            return standing
        # No caller requested this: the last player to press may not know that it reveals the call.
        revealing = Caller.nobody(round(caller.time * 1000), standing.call.event.channel_id)
        # Another press may have revealed it meanwhile.
        with suppress(DiceError):
            await self.store.writer.write(revealing, RevealCall(campaign_id, number))
        return await self.standing(campaign_id, number, caller.time)

    async def timed(self) -> list[Board]:
        """Return the boards of calls with a pending reminder or end, the next one first."""
        return await self.store.reader.do(boards.boards_with_deadline())

    async def recently_changed(self) -> list[tuple[int, int]]:
        """Return campaign id and number of calls whose messages a restart may have left outdated."""
        return await self.store.reader.do(boards.recently_changed())

    async def settle(self, campaign_id: int, number: int, at: float) -> None:
        """Reveal a held call if its last press was interrupted before that."""
        call = await self.store.reader.do(find_call(campaign_id, number))
        await self.settled(Caller.nobody(round(at * 1000), call.channel_id), campaign_id, number)

    async def claim_reminder(self, board: Board) -> bool:
        """Claim the reminder of a call; return whether this process is the one to send it."""
        return await transact(self.store.database, boards.take_reminder(board.campaign_id, board.seq))

    async def expire(self, board: Board) -> tuple[bool, bool]:
        """Close a call whose time is up; do nothing if it is gone, closed or was reopened.

        Return whether its message may have changed, and whether all is done. If not, it has to wait until
        somebody asks for something.
        """
        is_closed = False
        key = board.campaign_id, board.seq
        with suppress(Unknown):
            clock = Caller.nobody(board.due or 0, (await self.store.reader.do(find_call(*key))).channel_id)
            try:
                await self.store.writer.write(clock, CloseCall(*key))
                is_closed = True
            except MustWait:
                return False, False
            except DiceError:
                pass  # it is closed, or open for longer
            if _must_reveal(await self.settled(clock, *key)):
                return is_closed, False
        await transact(self.store.database, boards.end_times([key]))
        return True, True

    async def _parse_answer(self, caller: Caller, answer: AnswerCall, text: str) -> AnswerCall:
        """Return the answer with the text's adjustment, or with the roll that replaces the call's dice."""
        if not text:
            return answer
        adjustment = refusal = None
        try:
            adjustment = read_adjustment(in_notation(text, ("d", *SPREADS)))
        except NotationError as error:
            refusal = error
        if adjustment and not adjustment.wrong:
            return replace(answer, adjustment=adjustment)
        names = await self.saved.names(caller)
        if adjustment is None and _is_bonus(text, names):
            adjustment = Adjustment(rest=f"+{text.strip()}")
        if adjustment:
            return replace(answer, adjustment=_resolve_names(adjustment, names), typed=text)
        resolved = names.resolve_text(names.in_notation(text))
        if resolved and resolved.roller:
            around = read_modifiers(resolved.text)
            if around.terms or resolved.times > 1:
                raise SpecError("Everybody rolls once for a call, and the call sets the DC. Leave both out.")
            return replace(answer, dice=resolved.roller, adjustment=around.adjustment, typed=text)
        if resolved is None and parse_game_roll(text, names.game) is None:
            raise SpecError(
                "{refused} A saved roll of yours or a game's words will do too.", refused=refusal
            ) from refusal
        dice, typed = (resolved.text, text) if resolved else (text, "")
        return replace(answer, dice=dice, typed=typed, by=read_as(names.rules))


def _is_bonus(text: str, names: CampaignNames) -> bool:
    """Return whether a text is one of the person's numbers, and the game, if any, adds such to dice."""
    return folded(text) in names.vocabulary.numbers and (names.game is None or bool(names.usual))


def _resolve_names(adjustment: Adjustment, names: CampaignNames) -> Adjustment:
    """Return the adjustment with its names resolved; NotationError for unknown ones."""
    # Names are resolved behind a die, as adjustments are parsed.
    try:
        resolved = resolve(f"1d20{adjustment.rest}", names.vocabulary)
    except NotationError as error:
        raise error.alone() from error
    if resolved is None or resolved.roller:
        return adjustment
    return replace(adjustment, rest=resolved.text.removeprefix("1d20"))


def _must_reveal(standing: Standing) -> bool:
    """Return whether a call's held rolls are still hidden, although it is complete or over."""
    is_held = standing.call.terms.hold and not standing.call.is_visible and not standing.cancelled
    return is_held and (standing.complete or not standing.is_open)


def with_numbers(
    standing: Standing, command: AnswerCall, own: Numbers, typed_numbers: Numbers | None = None
) -> AnswerCall:
    """Return an answer with a player's own numbers in the call's dice, or with their initiative.

    Raise UnknownName if some are missing; with `typed_numbers` None these are 0.
    """
    call, name = standing.call, next((name for name in _INITIATIVE if name in own), "")
    if call.numbers and _is_game(standing):
        return _with_game_numbers(standing, command, own, typed_numbers)
    if call.numbers:
        others = dict.fromkeys(map(folded, call.numbers), "0") if typed_numbers is None else {}
        dice, numbers = call.typed, {**others, **own, **(typed_numbers or {})}
    elif name and call.opened.text and not command.adjustment.rest:
        dice, numbers = f"{call.opened.text}+{{{name}}}", own
    elif name and not (command.adjustment.rest or _is_game(standing)):
        bonus = f"{Vocabulary(own).number(name):+}"
        typed = f"{call.dice} + {name}"
        return replace(command, adjustment=replace(command.adjustment, rest=bonus), typed=typed)
    else:
        return command
    roller = "" if call.account else call.opened.roller
    resolved = resolve(dice, Vocabulary(numbers, rollers={folded(roller): roller} if roller else {}))
    if resolved and resolved.roller:
        adjustment = read_modifiers(resolved.text).adjustment.joined(command.adjustment)
        return replace(command, dice=roller, adjustment=adjustment, typed=as_typed(dice))
    return replace(command, dice=resolved.text, typed=as_typed(dice)) if resolved else command


def _with_game_numbers(
    standing: Standing, command: AnswerCall, own: Numbers, typed_numbers: Numbers | None
) -> AnswerCall:
    """Return an answer with a player's own numbers in a game's roll.

    Raise UnknownNumber if some are missing, SpecError if the roll does not take them; with `typed_numbers`
    None all are as low as the roll takes then.
    """
    call, names = standing.call, Vocabulary({**own, **(typed_numbers or {})})
    missing = tuple(name for name in call.numbers if not names.has(folded(name)))
    if missing and typed_numbers is None:
        return command
    if missing:
        raise UnknownNumber(missing, 1)
    try:
        dice = fill_in(call.typed, names.number, standing.rules.played(shipped()))
    except SpecError:
        if typed_numbers is None:
            return command
        raise
    return replace(command, dice=dice, typed=as_typed(call.typed), by=read_as(standing.rules))


def _is_game(standing: Standing) -> bool:
    """Return whether a call is for a game's words, which take no bonus."""
    return reads_as_game(standing.call.opened.roller, standing.rules.played(shipped()))


def _load_call_here(caller: Caller, campaign_id: int, number: int) -> Queries[Standing]:
    """Return a call's state; raise Unknown for another server's call."""
    yield from require_same_home(caller, campaign_id)
    return (yield from find_standing(campaign_id, number, caller.time))


def _load_call_and_numbers(
    caller: Caller, campaign_id: int, number: int
) -> Queries[tuple[Standing, Numbers]]:
    """Return a call's state and the caller's numbers; raise Unknown for another server's call."""
    standing = yield from _load_call_here(caller, campaign_id, number)
    return standing, (yield from numbers_of(campaign_id, caller.user_id))


def answer_commands(call: Event, *, absent: bool = False) -> list[AnswerCall]:
    """Return the commands that answer a call for one person; one for each card that is kept."""
    terms = opened(call).terms
    first = AnswerCall(*call.at, absent=absent, by=read_as(USUAL))
    return [first, *[replace(first, more=True)] * (terms.cards - 1 if terms.keeps else 0)]


def find_call(campaign_id: int, number: int) -> Queries[Event]:
    """Return the event that opened a call; raise Unknown if there is no such call."""
    return _require_opening((yield from reading.event(campaign_id, number)), number)


def _require_opening(row: Row | None, number: int) -> Event:
    if row is None or not isinstance(row.event.body, CallOpened):
        raise Unknown("There is no call #{number} here.", number=number)
    return row.event


def find_standing(campaign_id: int, number: int, at: float) -> Queries[Standing]:
    """Return a call's state at a time in seconds since 1970."""
    board, rules = yield from boards.find_board(campaign_id, number)
    return (yield from _load_standing(campaign_id, number, at, board, rules))


def _load_board(campaign_id: int, number: int, at: float) -> Queries[tuple[Board, Standing] | None]:
    board, rules = yield from boards.find_board(campaign_id, number)
    return board and (board, (yield from _load_standing(campaign_id, number, at, board, rules)))


def _load_standing(
    campaign_id: int, number: int, at: float, board: Board | None, rules: Rules
) -> Queries[Standing]:
    rows = yield from boards.with_followers(campaign_id, number)
    opening = _require_opening(rows[0] if rows else None, number)
    call = fold_call(opening, [row.visible_event for row in rows[1:] if not row.undone])
    if call.account:
        call = yield from with_accounts(call)
    seats = (yield from boards.find_seats(campaign_id, number)) if call.terms.named else frozenset[int]()
    if board is None:
        return Standing(call, at, seats, rules=rules)
    return Standing(call, at, seats, board.turn, board.notes, rules, board.language)
