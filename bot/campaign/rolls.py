"""Rolls: plain dice, a campaign's rollers, the d100 register, cards and destinations."""

from dataclasses import dataclass

from bot.campaign.campaigns import REGISTER, Remembers, Roller
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.replay import throw_dice, throw_practice, throw_system
from bot.campaign.state import State
from bot.d100.register import Register
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.draws import Recorder, SourcedDraws
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.expressions import MAX_DICE
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import OnBase, System
from bot.rulebooks.words import Asked, GamesByKey, understand
from bot.systems.destinator import Destinator
from bot.systems.game import game_roll
from bot.systems.luck import LuckAccount
from bot.systems.registry import CARD_SYSTEMS, NO_ROLLERS, print_spec

TIMES_LIMIT = 20
MAP = "Destination"
"""The name of every campaign's own map; a game master may import another one under it."""


@dataclass(frozen=True, slots=True)
class RollDice(Drawing):
    """Roll the roller of that name, else notation, else a game's words; so many times."""

    text: str
    times: int = 1
    options: RollOptions = RollOptions()
    typed: bool = False
    """Whether the text is as somebody typed it, so that the campaign's dialect holds."""
    games: GamesByKey | None = None
    """The games that every campaign knows; None reads no game's words."""

    def needs(self) -> Needs:
        """Return the roller of that name: a name goes before notation, which no new name reads as."""
        return Needs(roller=name_in(self.text))

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; NotationError where the text is none of these, DiceError over a limit."""
        check_times(self.times)
        dialect = dialect_of(state, typed=self.typed)
        if roller := find_roller(self.text, self.games, state, dialect):
            return roll_roller(roller, self.times, caller, state, draws, self.options)
        typed = "" if dialect is Dialect.EVENHAND else notation.without_comment(self.text)
        dice = notation.parse(self.text, dialect)
        if self.times > 1:
            dice = dice.times(self.times)
        return roll_notation(dice.text, draws, typed, practice=self.options.practice)


@dataclass(frozen=True, slots=True)
class RollRegister(Drawing):
    """Add so many six-sided dice to the caller's d100 register, so many times."""

    dice: int
    times: int = 1
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the campaign's register, which a player's first roll makes."""
        return Needs(roller=REGISTER)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll the register; SpecError unless there are 1 to 9 dice."""
        check_times(self.times)
        system = Register.from_spec({"dice": self.dice})
        return roll_own(REGISTER, system, self.times, caller, state, draws, self.options)


@dataclass(frozen=True, slots=True)
class DealCards(Drawing):
    """Deal so many cards, or so many offers where there are several decks."""

    deck: str
    cards: int = 1
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the deck."""
        return Needs(roller=self.deck.strip().casefold())

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Deal; Unknown if there is no such roller, SpecError if it has no cards."""
        roller = state.present()
        if roller is None:
            name = clean(self.deck, NAME_LIMIT)
            raise Unknown(f"There is no deck {name} here. A game master makes one with /roller cards.")
        if not isinstance(roller.system, CARD_SYSTEMS):
            raise SpecError(f"{roller.name} has no cards to deal. Roll it with /roll.")
        check_times(self.cards)
        return roll_roller(roller, self.cards, caller, state, draws, self.options)


@dataclass(frozen=True, slots=True)
class RollDestination(Drawing):
    """Roll a region and its city on the campaign's map of that name."""

    fallback: Destinator
    """The map that the campaign's own one begins with."""
    name: str = MAP
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return the map."""
        return Needs(roller=self.name.strip().casefold())

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown if there is no map of another name, SpecError if that roller is no map."""
        roller = state.present()
        if roller is None:
            if self.name.strip().casefold() != MAP.casefold():
                name = clean(self.name, NAME_LIMIT)
                raise Unknown(f"There is no map {name} here. A game master brings one with /roller import.")
            last = state.roller.last if state.roller else 0
            roller = Roller(MAP, print_spec(self.fallback), Remembers.TABLE, epoch=0, last=last)
        if not isinstance(roller.system, Destinator):
            raise SpecError(f"{roller.name} is no map. A game master brings one with /roller import.")
        return roll_roller(roller, 1, caller, state, draws, self.options)


def name_in(text: str) -> str:
    """Return the casefolded name of the roller that a text may be; "" for dice."""
    return "" if notation.reads(text) else text.strip().casefold()


def dialect_of(state: State, *, typed: bool) -> Dialect:
    """Return whose notation a text is in: the campaign's if somebody typed it, else Evenhand's."""
    return state.campaign.rules.dialect if typed else Dialect.EVENHAND


def find_roller(
    text: str, games: GamesByKey | None, state: State, dialect: Dialect = Dialect.EVENHAND
) -> Roller | None:
    """Return the roller of that name, else one of a game's words; None where the text is dice, or nothing.

    Every game answers to its own word, the rolls of the one that is played to their names too. SpecError
    says what is wrong with the words behind it.
    """
    if roller := state.present():
        return roller
    if games is None or notation.reads(text, dialect):
        return None
    asked = understand(text, games, state.campaign.rules.played(games))
    return roller_of(asked) if asked else None


def roller_of(asked: Asked) -> Roller:
    """Return the roll of a game as a roller, which has no memory; SpecError where it has no dice."""
    return Roller(asked.words, print_spec(game_roll(asked)), Remembers.PLAYER, epoch=0)


def roll_notation(text: str, draws: SourcedDraws, typed: str = "", *, practice: bool = False) -> Rolled:
    """Roll canonical notation; `typed` is what somebody wrote in another program's."""
    record = Recorder(draws)
    outcomes = throw_dice(text, record)
    return Rolled(
        text=text,
        typed=typed,
        results=tuple([outcome.face for outcome in outcomes]),
        source=draws.source if record.drawn else None,
        practice=practice,
        draws=tuple(record.drawn),
        outcomes=outcomes,
    )


def roll_roller(
    roller: Roller, times: int, caller: Caller, state: State, draws: SourcedDraws, options: RollOptions
) -> Rolled:
    """Roll a roller so many times, on its memory or for practice."""
    system = roller.system
    if system is None:
        raise Unknown(f"There is no roller {roller.name} here. /roller list shows them.")
    must_be_dice(roller)
    if options.practice or uncalled(system, options, state):
        return practise(roller.name, system, times, draws)
    return roll_system(roller, system, times, caller, state, draws, options.whose)


def must_be_dice(roller: Roller) -> None:
    """Raise a SpecError for a luck account, which has none."""
    if isinstance(roller.system, LuckAccount):
        raise SpecError(
            f"{roller.name} is a luck account and has no dice: give it as roller to /check or /group call."
        )


def roll_own(
    name: str,
    system: System,
    times: int,
    caller: Caller,
    state: State,
    draws: SourcedDraws,
    options: RollOptions,
) -> Rolled:
    """Roll what every player has for themselves, such as the d100 register; the first roll makes it."""
    if options.practice or uncalled(system, options, state):
        return practise(name, system, times, draws)
    roller = state.roller or Roller(name, print_spec(system), Remembers.PLAYER, epoch=0)
    return roll_system(roller, system, times, caller, state, draws)


def roll_system(
    roller: Roller,
    system: System,
    times: int,
    caller: Caller,
    state: State,
    draws: SourcedDraws,
    whose: Remembers | None = None,
) -> Rolled:
    """Roll with this system on the roller's memory, so many times; a call may say whose memory that is."""
    _check_dice(system, times)
    whose = whose or roller.memory
    kept = state.memory(roller, whose.owner(caller.user_id))
    before = system.start() if kept is None else kept
    record = Recorder(draws)
    outcomes, after = throw_system(system, before, times * system.hand, record)
    return Rolled(
        roller=roller.name,
        spec=roller.spec if system is roller.system else print_spec(system),
        results=tuple([outcome.face for outcome in outcomes]),
        source=draws.source if record.drawn else None,
        prev=None if isinstance(system, NO_ROLLERS) else roller.last,
        whose=whose if system.has_state else None,
        before=before,
        draws=tuple(record.drawn),
        outcomes=outcomes,
        after=after,
    )


def practise(name: str, system: System, times: int, draws: SourcedDraws) -> Rolled:
    """Roll without a memory, and leave none; cards come from one fresh deck together."""
    _check_dice(system, times)
    together = isinstance(system, CARD_SYSTEMS)
    record = Recorder(draws)
    outcomes = throw_practice(system, times * system.hand, record, together=together)
    return Rolled(
        roller=name,
        spec=print_spec(system),
        results=tuple([outcome.face for outcome in outcomes]),
        source=draws.source if record.drawn else None,
        practice=True,
        together=together,
        draws=tuple(record.drawn),
        outcomes=outcomes,
    )


def uncalled(system: System, options: RollOptions, state: State) -> bool:
    """Return whether the campaign's rules keep the roll out of the memory, since nobody called for it."""
    return state.campaign.rules.called_only and not options.called and system.has_state


def check_times(times: int) -> None:
    """Raise a DiceError unless a roll is repeated 1 to 20 times."""
    if not 1 <= times <= TIMES_LIMIT:
        raise DiceError(f"A roll can be repeated 1 to {TIMES_LIMIT} times, not {times}.")


def _check_dice(system: System, times: int) -> None:
    if isinstance(system, OnBase) and system.base.dice:
        dice = times * system.base.dice.dice
        if dice > MAX_DICE:
            raise DiceError(f"At most {MAX_DICE} dice in one roll, not {dice:,}.")
