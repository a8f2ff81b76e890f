"""Rolls of what somebody typed: a campaign's rollers, plain dice, a game's words; and of the d100 register.

A text is read when a command is made of it, so that nothing is read while commands are decided. How, that
depends on the campaign: whose notation it takes, which game it plays. A command that was made for other
rules is refused with the right ones, and made once more.
"""

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from bot.campaign.campaigns import REGISTER, Remembers, Roller, Rules, remembers
from bot.campaign.command import Caller, Command, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.replay import throw_dice, throw_practice, throw_system
from bot.campaign.rolled import OfDice, OfRoller
from bot.campaign.state import State
from bot.d100.register import Register
from bot.d100.sixes import Sixes
from bot.dice import notation
from bot.dice.by_hand import ByHand, recording
from bot.dice.dialects.dialect import Dialect
from bot.dice.draws import Recorder, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.dice.expressions import MAX_DICE, Expression
from bot.dice.system import OnBase, Outcome, System
from bot.rulebooks.words import Asked, GamesByKey, on_usual, understand
from bot.systems.checks import CheckTerms
from bot.systems.game import game_roll
from bot.systems.luck import LuckAccount
from bot.systems.registry import CARD_SYSTEMS, NO_ROLLERS, print_spec

TIMES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How a text is read."""

    dialect: Dialect | None = None
    """Whose notation somebody typed; None is Evenhand's in any campaign, for what is on record."""
    games: GamesByKey | None = field(default=None, compare=False, repr=False)
    """The games that every campaign knows; None reads no game's words."""
    game: str = ""
    """The game that is played, as `Rules` have it."""

    def under(self, rules: Rules) -> "ReadAs":
        """Return how a campaign with these rules reads the text."""
        dialect, game = self.dialect and rules.dialect, self.game if self.games is None else rules.game
        same = dialect is self.dialect and game == self.game
        return self if same else ReadAs(dialect, self.games, game)


EVENHAND = ReadAs()
"""Evenhand's notation, and no game's words."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text means: dice or a roll of a game, unless there is a roller of that name."""

    name: str
    """The casefolded name of the roller that it may be; "" for dice."""
    dice: Expression | None = None
    typed: str = ""
    """What was typed, where that is another program's notation; else ""."""
    roll: Roller | None = None
    """The roll of a game as a roller, which has no memory."""


class Misread(DiceError):
    """A text that the campaign reads otherwise, or that means nothing there."""

    def __init__(self, by: ReadAs) -> None:
        super().__init__("Somebody just changed this campaign's settings. Try again.")
        self.by = by


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCommand(Command, ABC):
    """A command with a text in it."""

    by: ReadAs = EVENHAND
    meaning: Meaning = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "meaning", _read(self.said, self.by))

    @property
    @abstractmethod
    def said(self) -> str:
        """Return the text that is read."""

    def found(self, state: State) -> Roller | Expression:
        """Return the roller of that name, else dice, else a roll of a game; Misread where it is none."""
        if roller := state.present():
            return roller
        if self.meaning.roll and self.by.under(state.campaign.rules) is self.by:
            return self.meaning.roll
        return self.found_dice(state)

    def found_dice(self, state: State) -> Expression:
        """Return the dice, whatever roller is there; Misread where it is none."""
        by = self.by.under(state.campaign.rules)
        if self.meaning.dice and by.dialect is self.by.dialect:
            return self.meaning.dice
        raise Misread(by)

    def options_in(self, state: State) -> RollOptions:
        """Return its options, with what was typed, unless that is a roller's name."""
        roller = state.present()
        named = roller and roller.name.casefold() == self.meaning.name
        typed = "" if named or self.options.typed else self.meaning.typed
        return replace(self.options, typed=typed) if typed else self.options

    def again(self, refused: Misread) -> Self:
        """Return the command with its text read otherwise; NotationError or SpecError if it means nothing."""
        command = replace(self, by=refused.by)
        if refused.by != self.by and (command.meaning.dice or command.meaning.roll):
            return command
        _asked(self.said, refused.by)
        notation.parse(self.said, refused.by.dialect or Dialect.EVENHAND)
        raise refused


class Attempt(NamedTuple):
    """Who rolls, on which state, with which draws, and how."""

    caller: Caller
    state: State
    draws: SourcedDraws
    options: RollOptions

    @property
    def rules(self) -> Rules:
        """Return the campaign's rules."""
        return self.state.campaign.rules

    def uncalled(self, system: System) -> bool:
        """Return whether the rules keep the roll out of the memory, since nobody called for it."""
        return self.rules.called_only and not self.options.called and system.has_state


@dataclass(frozen=True, slots=True)
class RollDice(TextCommand, Drawing):
    """Roll the roller of that name, else notation, else a game's words; `times` times."""

    text: str
    times: int = 1
    options: RollOptions = RollOptions()

    @property
    def said(self) -> str:
        """Return the text."""
        return self.text

    def needs(self) -> Needs:
        """Return the roller of that name: a name goes before notation, which no new name reads as."""
        return Needs(roller=self.meaning.name)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Misread where the text is none of these, DiceError over a limit."""
        return roll_spoken(self, self.times, Attempt(caller, state, draws, self.options))


@dataclass(frozen=True, slots=True)
class RollRegister(Drawing):
    """Add six-sided dice to the caller's d100 register, `times` times."""

    dice: int
    times: int = 1
    options: RollOptions = RollOptions()
    terms: CheckTerms | None = None
    """What the value is held against; None for no check."""

    def needs(self) -> Needs:
        """Return the campaign's register, which a player's first roll makes."""
        return Needs(roller=REGISTER)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll the register; SpecError unless there are 1 to 9 dice."""
        check_times(self.times)
        system = Register.from_spec({"dice": self.dice})
        system = replace(system, zero=state.campaign.rules.d100_zero)
        must_be_one_check(self.terms, self.times)
        rolled = roll_own(REGISTER, system, self.times, Attempt(caller, state, draws, self.options))
        return replace(rolled, check=self.terms)


def roller_of(asked: Asked) -> Roller:
    """Return the roll of a game as a roller, which has no memory; SpecError where it has no dice."""
    return Roller(asked.words, print_spec(game_roll(asked)), Remembers.PLAYER, epoch=0)


def _read(text: str, by: ReadAs) -> Meaning:
    """Read a text; `TextCommand.again` says what is wrong with it, once it is no roller's name either."""
    dialect = by.dialect or Dialect.EVENHAND
    if not text:
        return Meaning("")
    if by.games:
        text = on_usual(text, Rules(game=by.game).played(by.games))
    own = notation.reads(text)
    if own and dialect is Dialect.EVENHAND:
        return Meaning("", notation.read_own(text))
    name = "" if own else text.strip().casefold()
    if notation.reads(text, dialect):
        return Meaning(name, notation.read_in(dialect, text), notation.without_comment(text))
    with suppress(SpecError):
        return Meaning(name, roll=_asked(text, by))
    return Meaning(name)


def _asked(text: str, by: ReadAs) -> Roller | None:
    """Return a roll of a game; None for what is none, SpecError for what is wrong with its words.

    Every game answers to its own word, the rolls of the one that is played to their names too.
    """
    if by.games is None:
        return None
    asked = understand(text, by.games, Rules(game=by.game).played(by.games))
    return roller_of(asked) if asked else None


def roll_spoken(command: TextCommand, times: int, attempt: Attempt) -> Rolled:
    """Roll the meaning of a command's text, `times` times."""
    check_times(times)
    found = command.found(attempt.state)
    if isinstance(found, Roller):
        return roll_roller(found, times, attempt)
    dice = found if times == 1 else found.times(times)
    return roll_dice(dice, attempt, practice=attempt.options.practice)


def roll_dice(dice: Expression, attempt: Attempt, *, practice: bool = False) -> Rolled:
    """Roll dice, made of d6s where the campaign's rules say so."""
    record, of = recording(attempt.draws), OfDice(dice.text, attempt.rules.d6_only)
    outcomes = throw_dice(dice, Sixes(record) if of.d6_only else record)
    return replace(fallen(of, outcomes, record, attempt.draws), practice=practice)


def fallen(
    of: OfDice | OfRoller, outcomes: tuple[Outcome, ...], record: Recorder, draws: SourcedDraws
) -> Rolled:
    """Return the roll that came out with these draws, recorded so."""
    return Rolled(
        of=of,
        results=tuple([outcome.face for outcome in outcomes]),
        source=draws.source if record.drawn else None,
        draws=tuple(record.drawn),
        outcomes=outcomes,
    )


def roll_roller(roller: Roller, times: int, attempt: Attempt) -> Rolled:
    """Roll a roller `times` times, on its memory or for practice."""
    system = roller.system
    if system is None:
        raise Unknown("There is no roller `{name}` here. `/roller list` shows them.", name=roller.name)
    must_be_dice(roller)
    if attempt.options.practice or attempt.uncalled(system):
        return practise(roller.name, system, times, attempt.draws)
    must_take_typed(system, attempt)
    return roll_system(roller, system, times, attempt)


def must_take_typed(system: System, attempt: Attempt) -> None:
    """Raise NotAllowed where a memory takes no dice thrown by hand, which could steer it."""
    if isinstance(attempt.draws, ByHand) and system.has_state and not attempt.rules.by_hand:
        raise NotAllowed(
            "Here no roller remembers dice thrown by hand. Roll it with the bot, or add `practice:True`."
        )


def must_be_dice(roller: Roller) -> None:
    """Raise a SpecError for a luck account, which has none."""
    if isinstance(roller.system, LuckAccount):
        raise SpecError(
            "{name} is a luck account and has no dice: give it as roller to `/check` or `/group call`.",
            name=roller.name,
        )


def roll_own(name: str, system: System, times: int, attempt: Attempt) -> Rolled:
    """Roll what a campaign has by itself, such as each player's d100 register; the first roll makes it."""
    if attempt.options.practice or attempt.uncalled(system):
        return practise(name, system, times, attempt.draws)
    roller = attempt.state.roller or Roller(name, print_spec(system), remembers(name), epoch=0)
    return roll_system(roller, system, times, attempt)


def roll_system(roller: Roller, system: System, times: int, attempt: Attempt) -> Rolled:
    """Roll with this system on the roller's memory, `times` times; a call may say whose memory that is."""
    _check_dice(system, times)
    whose = attempt.options.whose or roller.memory
    kept = attempt.state.memory(roller, whose.owner(attempt.caller.user_id))
    before = system.start() if kept is None else kept
    record = recording(attempt.draws)
    outcomes, after = throw_system(system, before, times * system.hand, record)
    of = OfRoller(roller.spec if system is roller.system else print_spec(system))
    return replace(
        fallen(of, outcomes, record, attempt.draws),
        roller=roller.name,
        prev=None if isinstance(system, NO_ROLLERS) else roller.last,
        whose=whose if system.has_state else None,
        before=before,
        after=after,
    )


def practise(name: str, system: System, times: int, draws: SourcedDraws) -> Rolled:
    """Roll without a memory, and leave none; cards come from one fresh deck together."""
    _check_dice(system, times)
    together, record = isinstance(system, CARD_SYSTEMS), recording(draws)
    outcomes = throw_practice(system, times * system.hand, record, together=together)
    rolled = fallen(OfRoller(print_spec(system)), outcomes, record, draws)
    return replace(rolled, roller=name, practice=True, together=together)


def must_be_one_check(terms: CheckTerms | None, times: int) -> None:
    """Raise a SpecError for a check that is repeated."""
    if terms and times > 1:
        raise SpecError("A check is one roll. Leave out what repeats it.")


def check_times(times: int) -> None:
    """Raise a DiceError unless a roll is repeated 1 to 20 times."""
    if not 1 <= times <= TIMES_LIMIT:
        raise DiceError("Repeat a roll 1 to {most} times, not {times:,}.", most=TIMES_LIMIT, times=times)


def _check_dice(system: System, times: int) -> None:
    if isinstance(system, OnBase) and system.base.dice:
        dice = times * system.base.dice.dice
        if dice > MAX_DICE:
            raise DiceError("At most {most} dice in one roll, not {dice:,}.", most=MAX_DICE, dice=dice)
