"""Rolling: every roll is written first and told afterwards, and nobody rolls too fast."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.choosing import Choosable, ChooseDice, choosable
from bot.campaign.command import Caller, Drawing, Plain, RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import PushRoll, pushed, same_again
from bot.campaign.replay import RollResult, read_roll
from bot.campaign.rolls import ReadAs, RollDice, roller_of
from bot.dice import notation
from bot.dice.errors import DiceError, DiceReading, NotAllowed, NotationError, Unavailable, Unknown
from bot.dice.names import clean
from bot.dice.throws import Pool
from bot.record.checkpoint import Checkpoint
from bot.rulebooks.book import Game
from bot.rulebooks.words import low_passes, meant
from bot.services.access import DataStore
from bot.services.accounts import with_rival
from bot.services.characters import NO_NUMBERS, Numbers
from bot.services.checks import split_dc
from bot.services.histories import find_roll
from bot.services.naming import COMMENT, Named
from bot.services.pace import Pace
from bot.services.parsing import is_word, read_as, reads_as_game, shipped
from bot.services.saved import Saved, offered
from bot.services.sight import as_shown, must_see, sees, shows_memory
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.writer import RollWatch, Writer, Written
from bot.systems.destinator import Destinator, read_map
from bot.systems.game import GameRoll
from bot.words.games import spoken

CHOICE_LIMIT = 100
"""Characters of a choice that Discord offers while somebody types."""
_USUAL = RollOptions()
_THROWN_IN_MIND = 10_000
_RULES_IN_MIND = 1_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A fresh roll, what its reply shows with it, and whom to tell what became of that reply."""

    rolled: RollResult
    _written: Written
    _writer: Writer
    pushable: bool = False
    """Whether the game lets a push follow the roll."""
    choosable: bool = False
    """Whether the game lets the player choose dice of the roll."""

    @property
    def tags(self) -> set[str]:
        """Return what was typed behind plain dice, each of which may be the name of a saved roll."""
        if self.rolled.roll.of.system:
            return set()
        parts = [part for outcome in self.rolled.outcomes if outcome.throw for part in outcome.throw.parts]
        tags = [(part.tag or "") if isinstance(part, Pool) else part.strip(" []") for part in parts]
        return {tag.casefold() for tag in tags} if any(tag[:1].isalpha() for tag in tags) else set()

    @property
    def late(self) -> tuple[Event, ...]:
        """Return earlier rolls whose replies Discord did not take."""
        return self._written.undelivered

    @property
    def checkpoint(self) -> Checkpoint | None:
        """Return the log's checkpoint, where the reply is to show it."""
        return self._written.checkpoint

    @property
    def rules(self) -> Rules:
        """Return the rules of the roll's campaign."""
        return self._written.campaign.rules

    def delivered(self) -> None:
        """Note that Discord took the reply, and with it the late rolls."""
        self._writer.delivered(self._written)

    def lost(self) -> None:
        """Note that Discord did not take the reply: the campaign's next reply shows the roll."""
        self._writer.lost(self._written)

    def answered_elsewhere(self) -> None:
        """Note that another delivery of the same interaction was answered first."""
        self._writer.answered_elsewhere(self._written)


class Rolling:
    """The use cases of rolling dice."""

    def __init__(self, store: DataStore, saved: Saved, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._saved = saved
        self.store = store
        self._thrown = dict[int, int | None]()
        self._rules = dict[int, Rules]()
        """What was set for the channels that rolled last, so that a text is read right at once."""

    async def roll(
        self,
        caller: Caller,
        text: str,
        times: int = 1,
        options: RollOptions = _USUAL,
        *,
        typed: bool = False,
        given: Numbers = NO_NUMBERS,
    ) -> Answer:
        """Roll a roller, notation, else a saved roll, whose name is the label, else a game's words.

        A comment behind the notation is the label too. What was `typed` is read in the campaign's dialect.
        Raise NotationError where the text is none of them, DiceError where it is too soon.
        """
        if not options.label and (said := notation.comment(text)) and notation.reads(text):
            options = replace(options, label=clean(said))
        if typed:
            await self._ask_which_passes(caller, text)
        return await self.speak(caller, RollDice(text, times, options), typed=typed, given=given)

    async def speak(
        self,
        caller: Caller,
        command: Named,
        *,
        typed: bool = True,
        paced: bool = True,
        given: Numbers = NO_NUMBERS,
    ) -> Answer:
        """Make the roll that the text of a command asks for: notation, else names, else a game's words.

        What was `typed` is read in the campaign's dialect; numbers that are `given` go before the caller's.
        NotationError where it is none of them.
        """
        if paced:
            self._pace.take(caller)
        command = await self._saved.named(caller, command)
        if (ours := await self._saved.in_notation(caller, command.said)) != command.said:
            written = {"text" if isinstance(command, RollDice) else "dice": ours}
            command = replace(command, **written)
        rules, text, refused = self._rules.get(caller.channel_id, USUAL), command.said, None
        by = ReadAs(rules.dialect if typed else None, None, rules.game)
        if notation.reads(text) or not is_word(text):
            try:
                return await self.answer(caller, replace(command, by=by))
            except NotationError as error:
                refused = error
        known, nameless = (await self._saved.known(caller)).given(given), None
        try:
            if named := known.put(command):
                return await self.answer(caller, named)
        except NotationError as error:
            nameless = error
        try:
            label = command.options.label or clean(command.said.partition(COMMENT)[2])
            options = replace(command.options, label=label)
            return await self.answer(
                caller, replace(command, by=replace(by, games=shipped()), options=options)
            )
        except NotationError as error:
            found = error if error.readings else nameless or refused or error
            if said := meant(command.said, known.game):
                readings = (DiceReading(said),)
            else:
                readings = found.readings or tuple(known.offered(command.said))
            if readings != found.readings:
                found = NotationError(found.text, readings=readings, **found.values)
            raise found from None

    async def passes_low(self, caller: Caller, dice: str) -> bool:
        """Return whether low rolls of these dice pass in the game that is played here."""
        return notation.reads(dice) and low_passes(dice, await self._played(caller))

    async def _ask_which_passes(self, caller: Caller, text: str) -> None:
        """Raise NotationError for dice against a number where low rolls of these dice pass."""
        dice, number = split_dc(text)
        game = None if number is None else await self._played(caller)
        if game is None or not low_passes(dice, game):
            return
        texts = [f"{game.rolls[0].word} {number}", f"({dice})<={number}", f"({dice})>={number}"]
        if not reads_as_game(texts[0], game) or notation.read_own(dice) != notation.read_own(game.under):
            del texts[0]
        readings = tuple(map(DiceReading, texts))
        raise NotationError("In {game} low rolls pass.", game=game.name, readings=readings)

    async def _played(self, caller: Caller) -> Game | None:
        campaign = await self.store.reader.do(campaigns.played_campaign(caller))
        return campaign.campaign.rules.played(shipped()) if campaign else None

    async def throw(
        self, caller: Caller, asked: int, text: str, times: int = 1, options: RollOptions = _USUAL
    ) -> Answer:
        """Roll for somebody else what the message `asked` asks for; NotAllowed where others were faster."""
        # The message loses its button, but another press may be on its way.
        if self._thrown.setdefault(asked, caller.interaction_id) != caller.interaction_id:
            raise NotAllowed("Somebody already threw that.")
        if len(self._thrown) > _THROWN_IN_MIND:
            del self._thrown[next(iter(self._thrown))]
        try:
            return await self.roll(caller, text, times, options)
        except Exception:
            self._thrown.pop(asked, None)
            raise

    async def ask(self, caller: Caller, command: Drawing | Plain) -> Answer:
        """Make the roll that a command asks for; DiceError where it is too soon."""
        self._pace.take(caller)
        return await self.answer(caller, command)

    async def answer(self, caller: Caller, command: Drawing | Plain) -> Answer:
        """Make the roll that a command asks for, however soon."""
        written = await self.store.writer.write(caller, command)
        rules = written.campaign.rules
        self._pace.learn(caller.channel_id, rules.pace)
        self._learn(caller, rules)
        rolled = read_roll(written.event)
        roll = rolled.roll
        if roll.stake or roll.versus or (roll.of.system and shows_memory(rolled)):
            try:
                rolled = await self.store.reader.do(_as_answered(rolled))
            except Unavailable:
                self.store.writer.lost(written)
                raise Unavailable(
                    "Your roll stands (#{number:,}), but I can't read the history now. "
                    "A later roll shows it.",
                    number=written.event.seq,
                ) from None
        follow = (rolled.event, rules, shipped()) if isinstance(roll.of.system, GameRoll) else None
        push, choice = (pushed(*follow), choosable(*follow)) if follow else (None, None)
        return Answer(rolled, written, self.store.writer, push is not None, choice is not None)

    def watch(self, watch: RollWatch) -> None:
        """Call `watch` once for each new roll, reveal and card played, after its reply if it has one."""
        self.store.writer.watch(watch)

    def forget_rules(self) -> None:
        """Read the rules anew in each channel: a campaign's or a server's hold in many, and have changed."""
        self._rules.clear()

    def _learn(self, caller: Caller, rules: Rules) -> None:
        self._rules.pop(caller.channel_id, None)
        self._rules[caller.channel_id] = rules
        if len(self._rules) > _RULES_IN_MIND:
            del self._rules[next(iter(self._rules))]

    async def rules(self, caller: Caller) -> Rules:
        """Return what holds in a channel, the usual where that can't be read."""
        if known := self._rules.get(caller.channel_id):
            return known
        with suppress(Unavailable):
            found = await self.store.reader.do(campaigns.played_campaign(caller))
            self._learn(caller, found.campaign.rules if found else USUAL)
        return self._rules.get(caller.channel_id, USUAL)

    async def again(
        self, caller: Caller, campaign_id: int, number: int, thrown: tuple[int, ...] = ()
    ) -> Answer:
        """Make the same roll once more, hidden as it was; NotAllowed unless the caller rolled it.

        `thrown` are the faces of dice that the caller threw by hand.

        Unknown if its roller is not there any more.
        """
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        event = row.event
        if event.user_id != caller.user_id:
            raise NotAllowed("That roll is somebody else's. Use `/roll` for your own.")
        try:
            return await self.ask(caller, same_again(event, read_as(at.campaign.rules), thrown))
        except NotationError:
            raise Unknown("The roller {roller} is not here any more.", roller=event.roller) from None

    async def push(self, caller: Caller, campaign_id: int, number: int) -> Answer:
        """Push a roll of a game, hidden as it was; NotAllowed unless the caller rolled it and sees it."""
        at, row = await self.store.reader.do(find_roll(caller, campaign_id, number))
        must_see(row, at, caller)
        options = RollOptions(row.event.label or "", row.event.visibility)
        asked = pushed(row.event, at.campaign.rules, shipped())
        roll = roller_of(asked) if asked else None
        return await self.ask(caller, PushRoll(number, campaign_id, roll, options))

    async def dice_of(self, caller: Caller, campaign_id: int, number: int) -> Choosable:
        """Return the dice of a roll that the caller may choose from.

        NotAllowed for another player's roll, and for one that is hidden from them; DiceError where none are.
        """
        return (await self.store.reader.do(_choices(caller, campaign_id, number)))[1]

    async def choose(self, caller: Caller, campaign_id: int, number: int, places: Iterable[int]) -> Answer:
        """Follow a roll of a game with dice that the caller chose of it, hidden as it was."""
        event, dice = await self.store.reader.do(_choices(caller, campaign_id, number))
        options = RollOptions(event.label or "", event.visibility)
        return await self.ask(caller, ChooseDice(number, campaign_id, frozenset(places), dice, options))

    async def suggest(self, caller: Caller, typed: str, *, saved: bool = False) -> list[str]:
        """Return what the caller may mean: saved rolls if asked for, rollers, their own recent rolls.

        Behind them come rolls of the campaign's game, and of the game whose word was begun. What was typed
        stands before them as soon as it reads as dice, for Enter takes the first one.
        Texts of more than 100 characters are left out, for Discord takes none in a list of choices.
        """
        wanted = typed.strip().casefold()
        known, game = await self.store.reader.do(_known_texts(caller, saved=saved))
        fitting = [text for text in known if wanted in text.casefold() or wanted in spoken(text).casefold()]
        if wanted:
            every = [text for other in shipped().values() for text in other.buttons]
            fitting += [text for text in every if text.startswith(wanted) or spoken(text).startswith(wanted)]
        if notation.reads(typed) or reads_as_game(typed, game):
            fitting.insert(0, typed.strip())
        return [text for text in dict.fromkeys(fitting) if len(text) <= CHOICE_LIMIT]


@cache
def longmarch() -> Destinator:
    """Return the shipped map, the Longmarch: an invented land of six regions and 48 cities."""
    return read_map((files("bot") / "maps" / "longmarch.csv").read_text(encoding="utf-8"))


def _known_texts(caller: Caller, *, saved: bool) -> Queries[tuple[list[str], Game | None]]:
    """Return the texts that a caller may mean, and the game that is played."""
    found = yield from campaigns.played_campaign(caller)
    texts = (yield from offered(found.campaign_id, caller.user_id)) if found and saved else []
    game = found.campaign.rules.played(shipped()) if found else None
    if found:
        texts += [roller.name for roller in (yield from reading.rollers(found.campaign_id))]
    texts += yield from reading.recent_rolls(caller.user_id, caller.channel_id, limit=25)
    return [*texts, *(game.buttons if game else ())], game


def _choices(caller: Caller, campaign_id: int, number: int) -> Queries[tuple[Event, Choosable]]:
    """Return a roll, and the dice that its player may choose of it."""
    at, row = yield from find_roll(caller, campaign_id, number)
    if row.event.user_id != caller.user_id or not sees(row, at, caller):
        raise NotAllowed("Only the player who rolled can choose its dice.")
    dice = choosable(row.event, at.campaign.rules, shipped())
    if dice is None:
        raise DiceError("No dice of #{number} can be chosen.", number=number)
    return row.event, dice


def _as_answered(rolled: RollResult) -> Queries[RollResult]:
    return (yield from as_shown((yield from with_rival(rolled))))
