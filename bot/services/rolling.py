"""Rolling: rate-limit the caller, commit the roll, then return it for the reply."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from bot.campaign.campaigns import Rules
from bot.campaign.choosing import Choosable, ChooseDice, choosable
from bot.campaign.command import Caller, Drawing, Plain, RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import PushRoll, find_push, repeat_command
from bot.campaign.replay import RollResult, read_roll
from bot.campaign.rolls import ReadAs, RollDice, roller_of
from bot.dice import notation
from bot.dice.choices import with_label
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unavailable, Unknown
from bot.dice.names import clean
from bot.dice.naming import UnknownName, UnknownNumber, first_name
from bot.dice.throws import Pool
from bot.newest import Newest
from bot.parsing.commands import (
    Named,
    resolve_command,
    translated,
    with_face_names,
    with_repeats,
    with_their_options,
)
from bot.parsing.offers import with_offers
from bot.parsing.texts import (
    COMMENT,
    is_standard,
    is_word,
    read_as,
    reads_as_game,
    shipped,
    with_accents,
)
from bot.rulebooks.book import Game, plain
from bot.rulebooks.played import on_usual
from bot.services.access import DataStore
from bot.services.characters import NO_NUMBERS, Numbers
from bot.services.checks import with_rival
from bot.services.histories import find_roll
from bot.services.pace import Pace
from bot.services.saved import Saved, explain_refusal, load_saved_names
from bot.services.targets import Targets
from bot.services.visibility import hide_revealing_dice, must_see, sees, shows_memory
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.writer import RollWatch, Writer, Written
from bot.systems.destinator import Destinator, read_map
from bot.systems.game import GameRoll
from bot.words.games import spoken
from bot.words.notation import SPREADS, in_own_words
from bot.words.rolls import RollReply

CHOICE_LIMIT = 100
"""Longest autocomplete choice that Discord takes, in characters."""
_USUAL = RollOptions()
_THROWN_LIMIT = 10_000
_SHOWN = 40
"""Most characters of a typed text in a refusal."""
_TYPED_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Answer:
    """A new roll, the data of its reply, and where the reply's delivery is reported."""

    showing: RollReply
    _written: Written
    _writer: Writer

    @property
    def rolled(self) -> RollResult:
        """Return the roll."""
        return self.showing.rolled

    @property
    def tags(self) -> set[str]:
        """Return the tags typed behind plain dice, each possibly the name of a saved roll."""
        if self.rolled.roll.of.system:
            return set()
        parts = [part for outcome in self.rolled.outcomes if outcome.throw for part in outcome.throw.parts]
        tags = [(part.tag or "") if isinstance(part, Pool) else part.strip(" []") for part in parts]
        return {tag.casefold() for tag in tags} if any(tag[:1].isalpha() for tag in tags) else set()

    @property
    def rules(self) -> Rules:
        """Return the rules of the roll's campaign."""
        return self._written.campaign.rules

    def delivered(self) -> None:
        """Note that Discord accepted the reply, and with it the late rolls."""
        self._writer.delivered(self._written)

    def lost(self) -> None:
        """Note that Discord rejected the reply: the campaign's next reply shows the roll."""
        self._writer.lost(self._written)

    def answered_elsewhere(self) -> None:
        """Note that another delivery of the same interaction was answered first."""
        self._writer.answered_elsewhere(self._written)


class Rolling:
    """The use cases of rolling dice."""

    def __init__(self, store: DataStore, saved: Saved, targets: Targets, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._saved = saved
        self._targets = targets
        self.store = store
        self._thrown = Newest[int, int | None](_THROWN_LIMIT)

    async def roll(
        self,
        caller: Caller,
        text: str,
        times: int = 1,
        options: RollOptions = _USUAL,
        *,
        typed: bool = False,
        numbers: Numbers = NO_NUMBERS,
    ) -> Answer:
        """Roll a roller or notation, else a saved roll, whose name becomes the label, else a game's words.

        A comment behind the notation becomes the label too. A `typed` text is read in the campaign's dialect.
        Raise NotationError if the text is none of these, DiceError if the caller rolls too fast.
        """
        if (comment := notation.comment(text)) and notation.reads(text):
            options = replace(options, label=clean(with_label(comment, options.label)))
        self._pace.take(caller)
        if typed and not is_standard(text):
            text = await self._without_command(caller, text)
        return await self._roll_text(caller, RollDice(text, times, options), typed=typed, numbers=numbers)

    async def _without_command(self, caller: Caller, text: str) -> str:
        """Return a text without the command in front of it; "roll" may be a word of the game, or a name."""
        rest = notation.without_command(text)
        if rest == text or text.lstrip()[:1] in {"/", "!"}:
            return rest
        names = await self._saved.names(caller)
        starts_game_roll = names.game is not None and names.game.answers("roll")
        return text if starts_game_roll or first_name(text, names.vocabulary) else rest

    async def roll_command(self, caller: Caller, command: Named, *, paced: bool = True) -> Answer:
        """Roll the text of a command: notation in the campaign's dialect, else names, else a game's words.

        Raise NotationError if the text is none of these, or may mean more in the campaign's game.
        """
        if paced:
            self._pace.take(caller)
        return await self._roll_text(caller, command, typed=True, numbers=NO_NUMBERS)

    async def _roll_text(self, caller: Caller, command: Named, *, typed: bool, numbers: Numbers) -> Answer:
        """Roll the text of a command; its refusal says what unknown words may be.

        A `typed` text is read in the campaign's dialect; `numbers` override the caller's own.
        """
        try:
            return await self._roll_named(caller, command, typed=typed, numbers=numbers)
        except (SpecError, NotationError) as refused:
            text = command.source_text
            raise await self.store.reader.do(explain_refusal(caller, text, refused)) from None

    async def _roll_named(self, caller: Caller, command: Named, *, typed: bool, numbers: Numbers) -> Answer:
        """Roll the text of a command, whose words its game's roll may not know."""
        as_typed = ""
        if not is_standard(command.source_text):
            command, as_typed = await self._in_notation(caller, command, typed=typed, numbers=numbers)
        rules, text, dice_error = self.store.rules.last_known(caller), command.source_text, None
        by = ReadAs(rules.dialect if typed else None, None, rules.game)
        if notation.reads(text) or not is_word(text):
            try:
                return await self.answer(caller, replace(command, by=by))
            except NotationError as error:
                dice_error = error
        names, name_error = (await self._saved.names(caller)).with_numbers(numbers), None
        try:
            if resolved := resolve_command(command, names):
                return await self.answer(caller, resolved)
        except UnknownNumber:
            raise
        except NotationError as error:
            name_error = error
        try:
            on_dice = on_usual(text, rules.played(shipped()))
            comment = text.partition(COMMENT)[2] or ("" if on_dice == text else notation.comment(on_dice))
            label = command.options.label or clean(comment)
            options = replace(command.options, label=label)
            return await self.answer(
                caller, replace(command, by=replace(by, games=shipped()), options=options)
            )
        except NotationError as error:
            offering = (refused for refused in (name_error, error) if refused and refused.readings)
            refusal = next(offering, None) or name_error or dice_error or error
            refusal = with_offers(names, refusal, command.source_text)
            is_as_typed = not as_typed or isinstance(refusal, UnknownName)
            raise refusal if is_as_typed else _in_typed_words(refusal, as_typed) from None

    async def _in_notation(
        self, caller: Caller, command: Named, *, typed: bool, numbers: Numbers
    ) -> tuple[Named, str]:
        """Return a command in notation, and the text that was translated for it; "" if none was.

        Raise NotationError if its text may mean more in the campaign's game.
        """
        if typed:
            await self._targets.ask_about_game(caller, command.source_text, numbers)
        command = await self._saved.resolve_account(caller, command)
        as_typed = command.source_text
        own_text = await self._saved.in_notation(caller, as_typed)
        if own_text != as_typed:
            command = translated(command, own_text)
        command = with_repeats(command)
        if typed:
            command = with_their_options(command, self.store.rules.last_known(caller).dialect)
        return with_face_names(command), as_typed if own_text != as_typed else ""

    async def throw(
        self, caller: Caller, message_id: int, text: str, times: int = 1, options: RollOptions = _USUAL
    ) -> Answer:
        """Roll once for the message that asks for it; raise NotAllowed if somebody did already."""
        # The message loses its button, but another press may be on its way.
        if self._thrown.get(message_id, caller.interaction_id) != caller.interaction_id:
            raise NotAllowed("Somebody already threw that.")
        self._thrown[message_id] = caller.interaction_id
        try:
            return await self.roll(caller, text, times, options)
        except Exception:
            self._thrown.pop(message_id, None)
            raise

    async def ask(self, caller: Caller, command: Drawing | Plain) -> Answer:
        """Execute a rolling command; raise DiceError if the caller rolls too fast."""
        self._pace.take(caller)
        return await self.answer(caller, command)

    async def answer(self, caller: Caller, command: Drawing | Plain) -> Answer:
        """Execute a rolling command without a rate limit."""
        written = await self.store.writer.write(caller, command)
        try:
            self._pace.learn(caller.channel_id, written.campaign.rules.pace)
            self.store.rules.learn(caller, written.campaign.rules)
            return Answer(await self._showing(written), written, self.store.writer)
        except Exception as error:
            self.store.writer.lost(written)
            if not isinstance(error, Unavailable):
                raise
            raise Unavailable(
                "Your roll stands (#{number:,}), but I can't read the history now. A later roll shows it.",
                number=written.event.seq,
            ) from None

    async def _showing(self, written: Written) -> RollReply:
        """Return the data of a new roll's reply; what the roll would reveal of hidden ones is left out."""
        rolled = read_roll(written.event)
        roll = rolled.roll
        if roll.stake or roll.versus or (roll.of.system and shows_memory(rolled)):
            rolled = await self.store.reader.do(_as_visible(rolled))
        showing = RollReply(rolled, written.undelivered, written.checkpoint)
        if isinstance(roll.of.system, GameRoll):
            follow = rolled.event, written.campaign.rules, shipped()
            push, choice = find_push(*follow), choosable(*follow)
            showing = showing._replace(pushable=push is not None, choosable=choice is not None)
        return showing

    def watch(self, watch: RollWatch) -> None:
        """Call `watch` once for each new roll, reveal and played card, after its reply if it has one."""
        self.store.writer.watch(watch)

    async def own(self, caller: Caller, campaign_id: int, number: int) -> tuple[Event, Rules]:
        """Return a roll and its campaign's rules; raise NotAllowed unless the caller rolled it."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        if row.event.user_id != caller.user_id:
            raise NotAllowed("That roll is somebody else's. Use `/roll` for your own.")
        return row.event, at.campaign.rules

    async def repeat(
        self, caller: Caller, campaign_id: int, number: int, thrown: tuple[int, ...] = ()
    ) -> Answer:
        """Repeat a roll with the same visibility; raise NotAllowed unless the caller rolled it.

        `thrown` are the faces of dice that the caller threw by hand. Raise Unknown if the roller was removed.
        """
        event, rules = await self.own(caller, campaign_id, number)
        try:
            return await self.ask(caller, repeat_command(event, read_as(rules), thrown))
        except NotationError:
            raise Unknown("The roller {roller} is not here any more.", roller=event.roller) from None

    async def push(self, caller: Caller, campaign_id: int, number: int) -> Answer:
        """Push a game's roll with the same visibility; NotAllowed unless the caller rolled and sees it."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        must_see(row, at, caller)
        options = RollOptions(row.event.label or "", row.event.visibility)
        follow_up = find_push(row.event, at.campaign.rules, shipped())
        roll = roller_of(follow_up) if follow_up else None
        return await self.ask(caller, PushRoll(campaign_id, number, roll, options))

    async def dice_of(self, caller: Caller, campaign_id: int, number: int) -> Choosable:
        """Return the dice of a roll that the caller may choose from.

        Raise NotAllowed for another player's roll and for one hidden from the caller, DiceError for no dice.
        """
        return (await self.store.reader.do(_choices(caller, campaign_id, number)))[1]

    async def choose(self, caller: Caller, campaign_id: int, number: int, places: Iterable[int]) -> Answer:
        """Follow a game's roll up with the dice that the caller chose, with the same visibility."""
        event, dice = await self.store.reader.do(_choices(caller, campaign_id, number))
        options = RollOptions(event.label or "", event.visibility)
        return await self.ask(caller, ChooseDice(campaign_id, number, frozenset(places), dice, options))

    async def suggest(self, caller: Caller, typed: str, *, saved: bool = False) -> list[str]:
        """Return autocomplete choices: saved rolls if wanted, rollers, the caller's recent rolls.

        Then follow rolls of the campaign's game, and of the game whose word was begun. The typed text comes
        first once it reads as dice, because Enter takes the first choice. Texts over Discord's limit of 100
        characters are left out.
        """
        typed_text = typed.strip().casefold()
        texts, game = await self.store.reader.do(_texts_to_suggest(caller, saved=saved))
        fitting = [text for text in texts if any(typed_text in form.casefold() for form in _forms(text))]
        if typed_text:
            buttons = [text for other in shipped().values() for text in other.buttons]
            fitting += [text for text in buttons if any(form.startswith(typed_text) for form in _forms(text))]
        if notation.reads(typed) or reads_as_game(typed, game):
            fitting.insert(0, typed.strip())
        return [text for text in dict.fromkeys(fitting) if len(text) <= CHOICE_LIMIT]


def _forms(text: str) -> tuple[str, str]:
    """Return a text as it is recorded, and in the current language."""
    return text, spoken(text)


def _in_typed_words(refusal: NotationError, typed: str) -> NotationError:
    """Return the refusal of a translated text with a word of the typed one, or else all of that."""
    values, readings = refusal.values, refusal.readings
    word = str(values.get("shown") or values.get("said") or "").strip("`")
    # "crit" is no word of "2d8 critique".
    if word not in typed or (word.isalpha() and word not in _TYPED_WORD.findall(typed)):
        return NotationError("I can't read '{shown}'.", shown=typed.strip()[:_SHOWN], readings=readings)
    whole = f" {typed} ".find(f" {word} ")
    column = whole if whole >= 0 else typed.find(word)
    if (spread := values.get("word")) in SPREADS:
        values = {**values, "word": with_accents(plain(in_own_words(str(spread))), typed)}
    own = NotationError(refusal.text, column=column + 1, readings=readings, **values)
    own.typed = typed if word and refusal.typed else ""
    return own


@cache
def longmarch() -> Destinator:
    """Return the shipped map, the Longmarch: an invented land of six regions and 48 cities."""
    return read_map((files("bot") / "maps" / "longmarch.csv").read_text(encoding="utf-8"))


def _texts_to_suggest(caller: Caller, *, saved: bool) -> Queries[tuple[list[str], Game | None]]:
    """Return the texts to suggest to a caller, and the campaign's game."""
    current = yield from campaigns.played_campaign(caller)
    texts = (yield from load_saved_names(current.campaign_id, caller.user_id)) if current and saved else []
    game = current.campaign.rules.played(shipped()) if current else None
    if current:
        texts += [roller.name for roller in (yield from reading.rollers(current.campaign_id))]
    texts += yield from reading.recent_rolls(caller.user_id, caller.channel_id, limit=25)
    return [*texts, *(game.buttons if game else ())], game


def _choices(caller: Caller, campaign_id: int, number: int) -> Queries[tuple[Event, Choosable]]:
    """Return a roll and the dice of it that its player may choose."""
    at, row = yield from find_roll(caller, campaign_id, number)
    if row.event.user_id != caller.user_id or not sees(row, at, caller):
        raise NotAllowed("Only the player who rolled can choose its dice.")
    dice = choosable(row.event, at.campaign.rules, shipped())
    if dice is None:
        raise DiceError("No dice of #{number} can be chosen.", number=number)
    return row.event, dice


def _as_visible(rolled: RollResult) -> Queries[RollResult]:
    return (yield from hide_revealing_dice((yield from with_rival(rolled))))
