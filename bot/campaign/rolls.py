"""Commands that roll typed text: a roller, plain dice or a game's words.

A text is parsed when its command is created, never while commands are decided. Parsing depends on the
campaign's dialect and game. A command parsed under other rules raises `Misread` with the right ones, and is
then parsed again.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from bot.campaign.adjustments import PLAIN, Added, Adjustment
from bot.campaign.campaigns import Remembers, Roller, Rules
from bot.campaign.command import Caller, Command, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.replay import throw_dice, throw_practice, throw_system
from bot.campaign.rolled import OfDice, OfRoller
from bot.campaign.state import State
from bot.d100.general import Sixes
from bot.dice import notation
from bot.dice.by_hand import ByHand, recording
from bot.dice.dialects.dialect import Dialect
from bot.dice.draws import Recorder, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.dice.expressions import MAX_DICE, Expression
from bot.dice.system import OnBase, Outcome, System
from bot.rulebooks.played import on_usual
from bot.rulebooks.words import GameRequest, GamesByKey, understand
from bot.systems.game import GameRoll, game_roll
from bot.systems.luck import LuckAccount
from bot.systems.registry import CARD_SYSTEMS, NO_ROLLERS, print_spec

TIMES_LIMIT = 20
_UNWRITABLE = 10**4_300
"""Numbers from this on have more digits than Python writes."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """The rules a text is parsed under: dialect and games."""

    dialect: Dialect | None = None
    """The notation typed; None always means Evenhand's own, as recorded texts use."""
    games: GamesByKey | None = field(default=None, compare=False, repr=False)
    """The games that every campaign knows; None to parse no game's words."""
    game: str = ""
    """The game played, in the form of `Rules.game`."""

    def under(self, rules: Rules) -> "ReadAs":
        """Return the parsing rules of a campaign with these rules; self if they are the same."""
        dialect, game = self.dialect and rules.dialect, self.game if self.games is None else rules.game
        is_same = dialect is self.dialect and game == self.game
        return self if is_same else ReadAs(dialect, self.games, game)


EVENHAND = ReadAs()
"""Evenhand's own notation, without any game's words."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A parsed text: dice or a roll of a game, unless the campaign has a roller of that name."""

    name: str
    """The casefolded name of the roller it may refer to; "" for dice."""
    dice: Expression | None = None
    typed: str = ""
    """The text as typed if it is in another program's notation; else ""."""
    roll: Roller | None = None
    """The roll of a game, as a roller without memory."""


class Misread(DiceError):
    """The campaign parses the text differently, or can't parse it."""

    def __init__(self, by: ReadAs) -> None:
        super().__init__("Somebody just changed this campaign's settings. Try again.")
        self.by = by


@dataclass(frozen=True, slots=True)
class TextCommand(Command):
    """A command with a text to parse."""

    dice: str
    """A roller, dice notation or a game's words."""
    by: ReadAs = field(default=EVENHAND, kw_only=True)
    adjustment: Adjustment = field(default=PLAIN, kw_only=True)
    """What is added if the text is a roller's name."""
    meaning: Meaning = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "meaning", _read(self.source_text, self.by))

    @property
    def source_text(self) -> str:
        """Return the text to parse."""
        return self.dice

    def needs(self) -> Needs:
        """Return the roller of that name; it takes precedence, as no new name may read as notation."""
        return Needs(roller=self.meaning.name)

    def resolve(self, state: State) -> Roller | Expression:
        """Return the roller of that name, else dice, else a roll of a game; raise Misread if it is none."""
        if roller := state.present():
            return roller
        if self.meaning.roll and self.by.under(state.campaign.rules) is self.by:
            return self.meaning.roll
        return self.resolve_dice(state)

    def resolve_dice(self, state: State) -> Expression:
        """Return the dice even if a roller has that name; raise Misread if the text is no dice."""
        by = self.by.under(state.campaign.rules)
        if self.meaning.dice and by.dialect is self.by.dialect:
            return self.meaning.dice
        raise Misread(by)

    def options_in(self, state: State) -> RollOptions:
        """Return its options, with the typed text unless that is a roller's name."""
        roller = state.present()
        is_roller_name = roller and roller.name.casefold() == self.meaning.name
        typed = "" if is_roller_name or self.options.typed else self.meaning.typed
        return replace(self.options, typed=typed) if typed else self.options

    def reparse(self, misread: Misread) -> Self:
        """Return the command parsed under the right rules; NotationError or SpecError if that fails."""
        command = replace(self, by=misread.by)
        if misread.by != self.by and (command.meaning.dice or command.meaning.roll):
            return command
        _parse_game_roll(self.source_text, misread.by)
        notation.parse(self.source_text, misread.by.dialect or Dialect.EVENHAND)
        raise misread


class Attempt(NamedTuple):
    """One roll in progress: caller, state, draws and options."""

    caller: Caller
    state: State
    draws: SourcedDraws
    options: RollOptions

    @property
    def rules(self) -> Rules:
        """Return the campaign's rules."""
        return self.state.campaign.rules

    def uncalled(self, system: System) -> bool:
        """Return whether the roll skips the memory: the rules count called rolls only, and nobody called."""
        return self.rules.called_only and not self.options.called and system.has_state


@dataclass(frozen=True, slots=True)
class RollDice(TextCommand, Drawing):
    """Roll the roller of that name, else dice notation, else a game's words, `times` times."""

    times: int = 1
    options: RollOptions = RollOptions()

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; raise Misread if the text is none of these, DiceError over a limit."""
        return roll_spoken(self, self.times, Attempt(caller, state, draws, self.options))


def roller_of(request: GameRequest) -> Roller:
    """Return the roll of a game as a roller without memory; SpecError if it has no dice."""
    return Roller(request.words, print_spec(game_roll(request)), Remembers.PLAYER, epoch=0)


def _read(text: str, by: ReadAs) -> Meaning:
    """Parse a text; errors are left to `TextCommand.reparse`, as it may still be a roller's name."""
    dialect = by.dialect or Dialect.EVENHAND
    if not text:
        return Meaning("")
    if by.games:
        text = on_usual(text, Rules(game=by.game).played(by.games))
    is_notation = notation.reads(text)
    if is_notation and dialect is Dialect.EVENHAND:
        return Meaning("", notation.read_own(text))
    name = "" if is_notation else text.strip().casefold()
    if notation.reads(text, dialect):
        return Meaning(name, notation.read_in(dialect, text), notation.without_comment(text))
    with suppress(SpecError):
        return Meaning(name, roll=_parse_game_roll(text, by))
    return Meaning(name)


def _parse_game_roll(text: str, by: ReadAs) -> Roller | None:
    """Return the roll of a game that a text names, or None; SpecError if its words are wrong.

    Every game has a word of its own. The rolls of the game that is played can be named alone.
    """
    if by.games is None:
        return None
    request = understand(text, by.games, Rules(game=by.game).played(by.games))
    return roller_of(request) if request else None


def roll_spoken(command: TextCommand, times: int, attempt: Attempt, *, under: bool = False) -> Rolled:
    """Roll what a command's text means, `times` times; `under`: low rolls succeed."""
    check_times(times)
    roller_or_dice = command.resolve(attempt.state)
    if not isinstance(roller_or_dice, Roller):
        return roll_dice(roller_or_dice.times(times), attempt)
    if command.adjustment == PLAIN:
        return roll_roller(roller_or_dice, times, attempt)
    must_be_dice(roller_or_dice)
    must_take_more(roller_or_dice)
    return roll_beside(roller_or_dice, command.adjustment.beside(under=under), times, attempt)


def roll_dice(dice: Expression, attempt: Attempt) -> Rolled:
    """Roll dice, simulated with d6s if the campaign's rules say so."""
    record, of = recording(attempt.draws), OfDice(dice.text, attempt.rules.d6_only)
    outcomes = throw_dice(dice, Sixes(record) if of.d6_only else record)
    return fallen(of, outcomes, record, attempt.draws, practice=attempt.options.practice)


def fallen(
    of: OfDice | OfRoller,
    outcomes: tuple[Outcome, ...],
    record: Recorder,
    draws: SourcedDraws,
    *,
    practice: bool = False,
) -> Rolled:
    """Return the roll with these outcomes and the recorded draws."""
    return Rolled(
        of=of,
        results=tuple([outcome.face for outcome in outcomes]),
        source=draws.source if record.drawn else None,
        draws=tuple(record.drawn),
        practice=practice,
        outcomes=outcomes,
    )


def roll_roller(roller: Roller, times: int, attempt: Attempt) -> Rolled:
    """Roll a roller `times` times, on its memory or as practice."""
    system = roller.system
    if system is None:
        raise Unknown("There is no roller `{name}` here. `/roller list` shows them.", name=roller.name)
    must_be_dice(roller)
    if attempt.options.practice or attempt.uncalled(system):
        return practise(roller.name, system, times, attempt.draws)
    must_take_typed(system, attempt)
    return roll_system(roller, system, times, attempt)


def roll_beside(roller: Roller, beside: Added, times: int, attempt: Attempt) -> Rolled:
    """Roll a roller `times` times and the added dice for each; with `keep`, twice and the dice once."""
    keep, dice, plus = beside
    if keep and times > 1:
        raise SpecError("Advantage is for one roll of a roller. Roll these without it.")
    body = roll_roller(roller, 2 if keep else times, attempt)
    if dice:
        record = recording(attempt.draws)
        thrown = [throw_dice(dice, record)[0] for _ in range(times)]
        body = replace(
            body,
            rest=dice.text,
            added=tuple([outcome.face for outcome in thrown]),
            source=attempt.draws.source,
            draws=(*body.draws, *record.drawn),
        )
    return replace(body, plus=plus, keep=keep)


def must_take_more(roller: Roller) -> None:
    """Raise SpecError unless a roller's results are numbers, so that something can be added."""
    if roller.shows_numbers:
        return
    if isinstance(roller.system, GameRoll):
        raise SpecError(
            "{name} shows no numbers, so you can't add to it. Type the words of your own roll instead.",
            name=roller.name,
        )
    raise SpecError("{name} shows no numbers, so you can't add to it.", name=roller.name)


def must_take_typed(system: System, attempt: Attempt) -> None:
    """Raise NotAllowed if dice thrown by hand would change a memory against the campaign's rules."""
    if isinstance(attempt.draws, ByHand) and system.has_state and not attempt.rules.by_hand:
        raise NotAllowed(
            "Here no roller remembers dice thrown by hand. Roll it with the bot, or add `practice:True` to "
            "`/roll`."
        )


def must_be_dice(roller: Roller) -> None:
    """Raise SpecError for a luck account, which has no dice."""
    if isinstance(roller.system, LuckAccount):
        raise SpecError(
            "{name} is a luck account and has no dice: give it as roller to `/check` or `/group call`.",
            name=roller.name,
        )


def roll_system(roller: Roller, system: System, times: int, attempt: Attempt) -> Rolled:
    """Roll this system on the roller's memory, `times` times; the options may name another memory's owner."""
    _check_dice(system, times)
    remembers_for = attempt.options.remembers_for or roller.memory
    memory = attempt.state.memory(roller, remembers_for.owner(attempt.caller.user_id))
    before = system.start() if memory is None else memory
    record = recording(attempt.draws)
    outcomes, after = throw_system(system, before, times * system.hand, record)
    # The counts of dynamic dice with a factor of almost 1 drift so far apart.
    if any(total >= _UNWRITABLE for total, _ in record.drawn):
        raise SpecError(
            "The chances of {roller} have become too long to write down. A game master makes it forget: "
            "`/roller reset`.",
            roller=roller.name,
        )
    of = OfRoller(roller.spec if system is roller.system else print_spec(system))
    return replace(
        fallen(of, outcomes, record, attempt.draws),
        roller=roller.name,
        prev=None if isinstance(system, NO_ROLLERS) else roller.last,
        whose=remembers_for if system.has_state else None,
        before=before,
        after=after,
    )


def practise(name: str, system: System, times: int, draws: SourcedDraws) -> Rolled:
    """Roll without reading or leaving a memory; all cards come from one fresh deck."""
    _check_dice(system, times)
    together, record = isinstance(system, CARD_SYSTEMS), recording(draws)
    outcomes = throw_practice(system, times * system.hand, record, together=together)
    rolled = fallen(OfRoller(print_spec(system)), outcomes, record, draws, practice=True)
    return replace(rolled, roller=name, together=together)


def must_be_one_check(times: int) -> None:
    """Raise SpecError for a repeated check."""
    if times > 1:
        raise SpecError("A check is one roll. Leave out what repeats it.")


def check_times(times: int) -> None:
    """Raise DiceError unless `times` is 1 to 20."""
    if not 1 <= times <= TIMES_LIMIT:
        raise DiceError("Repeat a roll 1 to {most} times, not {times:,}.", most=TIMES_LIMIT, times=times)


def _check_dice(system: System, times: int) -> None:
    if isinstance(system, OnBase) and system.base.dice:
        dice = times * system.base.dice.dice
        if dice > MAX_DICE:
            raise DiceError("At most {most} dice in one roll, not {dice:,}.", most=MAX_DICE, dice=dice)
