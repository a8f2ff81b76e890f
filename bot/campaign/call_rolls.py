"""A press on a call's button: who may roll for it, what they roll, and what they add to it.

Dice of notation take advantage, a modifier or further dice; a roller takes a whole number, and rolls twice to
keep one of the two.
"""

import re
from dataclasses import dataclass, replace

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import TIES, Call, Status
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck, must_show_numbers
from bot.campaign.command import Caller, Drawing, Following, Needs, RollOptions
from bot.campaign.d100_rolls import KEPT
from bot.campaign.events import Rolled
from bot.campaign.rolls import DealCards, find_roller, name_in, roll_notation, roll_roller
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.advantage import twice
from bot.dice.dialects.dialect import Dialect
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Node
from bot.dice.modifiers import Which
from bot.rulebooks.words import GamesByKey
from bot.systems.game import GameRoll

MODIFIER_LIMIT = 10_000
_WORDS = {
    "adv": Which.KEEP_HIGHEST,
    "advantage": Which.KEEP_HIGHEST,
    "dis": Which.KEEP_LOWEST,
    "disadvantage": Which.KEEP_LOWEST,
}
# As in notation, letters are ASCII ones only.
_ADJUSTMENT = re.compile(
    r"(?P<word>[a-z]+)?[\s\xa0]*(?P<rest>[+\-].*)?", re.IGNORECASE | re.DOTALL | re.ASCII
)
_WHOLE = re.compile(r"[+\-]\s*[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What is added to a roll."""

    keep: Which | None = None
    """Which of two dice, or of two rolls, counts."""
    rest: str = ""
    """Notation that begins with + or -; "" for none."""

    @property
    def turned(self) -> "Adjustment":
        """Return the same where low rolls are the good ones."""
        turned = {Which.KEEP_HIGHEST: Which.KEEP_LOWEST, Which.KEEP_LOWEST: Which.KEEP_HIGHEST}
        return replace(self, keep=turned[self.keep]) if self.keep else self

    def on_dice(self, dice: str) -> str:
        """Return called dice with it as notation; NotationError or SpecError where it does not fit."""
        roll = notation.parse(dice)
        if roll.more:
            raise SpecError("A roll that is called is one roll, not several.")
        if self.keep:
            body = twice(roll.body, self.keep)
            if body is None:
                raise SpecError(
                    f"Advantage doubles a single die that adds to the total, and {roll} has none."
                )
            roll = Expression(body, roll.repeat)
        return str(_with(roll, self.rest) if self.rest else roll)

    def on_roller(self) -> int:
        """Return the whole number that it adds to a roller's face; SpecError where it has dice in it."""
        if not self.rest:
            return 0
        if not _WHOLE.fullmatch(self.rest):
            raise SpecError("To a roller's result you can add a whole number, such as +3, and nothing else.")
        plus = int(self.rest[0] + self.rest[1:].strip())
        if abs(plus) > MODIFIER_LIMIT:
            raise SpecError(f"A modifier is at most {MODIFIER_LIMIT:,}.")
        return plus


PLAIN = Adjustment()
"""Nothing is added."""


class Answered(DiceError):
    """The caller has answered the call already."""

    def __init__(self, number: int) -> None:
        super().__init__(f"You have rolled for this already, as #{number}.")
        self.number = number


@dataclass(frozen=True, slots=True)
class AnswerCall(Drawing):
    """Roll for a call, once: its dice with something added, or a saved roll in their place."""

    campaign_id: int
    number: int
    adjustment: Adjustment = PLAIN
    saved: str = ""
    """A saved roll, or a game's words; "" for the call's dice."""
    absent: bool = False
    """Whether the game master rolls for somebody who did not."""
    games: GamesByKey | None = None

    def needs(self) -> Needs:
        """Return the call with the caller's own roll, and the roller."""
        return Needs(
            roller=name_in(self.saved),
            campaign=self.campaign_id,
            event=self.number,
            following=Following.OWN,
            called=True,
        )

    def options_in(self, state: State) -> RollOptions:
        """Return the options that the call gives its rolls."""
        return options_of(find_call(state, self.number))

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Answered if the player has rolled, NotAllowed for players who were not called.

        Unknown for a call of another place, which only a forged id can name; DiceError where no rolls are
        taken (any more), or nothing can be added.
        """
        if not state.played and state.campaign.home != caller.home:
            raise Unknown("That belongs to another place. Ask there.")
        call = find_call(state, self.number)
        if entry := call.of(caller.user_id):
            raise Answered(entry.event.seq)
        if caller.hand is None and not _is_called(call.terms, state.seats, caller):
            raise NotAllowed("This call is for others. A game master can call for you too.")
        must_be_open(call, caller.time)
        # Advantage is what helps.
        adjustment = self.adjustment.turned if call.terms.under else self.adjustment
        roller, named = None, self.saved or call.opened.roller
        if named and not (call.account or self._is_dice):
            roller = find_roller(named, self.games, state)
        if roller is None:
            body = self._roll_dice(call, adjustment, caller, state, draws)
        else:
            body = self._roll_roller(call, roller, adjustment, caller, state, draws)
        return replace(body, target=self.number, lots=draw_lots(call, 1, draws), absent=self.absent)

    @property
    def _is_dice(self) -> bool:
        """Return whether the saved roll is notation, which needs no roller."""
        return bool(self.saved) and notation.reads(self.saved)

    def _roll_dice(
        self, call: Call, adjustment: Adjustment, caller: Caller, state: State, draws: SourcedDraws
    ) -> Rolled:
        text, gone = self.saved or call.opened.text, call.opened.roller
        if not call.account and (self.saved or gone).strip().casefold() == gone.casefold() != "":
            raise Unknown(f"The roller {gone} is not here any more. A game master can cancel this call.")
        if call.terms.form is Form.DEAL:
            raise SpecError("This call deals cards, and nothing can be rolled in their place.")
        if adjustment != PLAIN:
            text = _added(adjustment, text)
        if self.saved or adjustment != PLAIN:
            text = read_once(text)
        if call.account:
            return RollCheck(text, call.terms.check, call.account, _rolling(call)).decide(
                caller, state, draws
            )
        return roll_notation(text, draws)

    def _roll_roller(
        self,
        call: Call,
        roller: Roller,
        adjustment: Adjustment,
        caller: Caller,
        state: State,
        draws: SourcedDraws,
    ) -> Rolled:
        # What doesn't fit is refused before anything is drawn.
        must_remember(call.terms.whose, roller)
        deals = call.terms.form is Form.DEAL
        if adjustment != PLAIN and (deals or not roller.shows_numbers):
            instead = (
                " Type the words of your own roll instead." if isinstance(roller.system, GameRoll) else ""
            )
            raise SpecError(f"{roller.name} shows no numbers that anything could be added to.{instead}")
        if deals:
            return DealCards(roller.name, call.terms.cards, _rolling(call)).decide(caller, state, draws)
        must_count(call.terms, roller)
        plus, keep = adjustment.on_roller(), adjustment.keep
        body = roll_roller(roller, 2 if keep else 1, caller, state, draws, _rolling(call))
        return replace(body, plus=plus, keep=keep)


def options_of(call: Call) -> RollOptions:
    """Return the options of a roll for a call: its label and visibility, and that it was called for."""
    return RollOptions(call.event.label or "", call.terms.visibility, called=True)


def _is_called(terms: Terms, seats: frozenset[int], caller: Caller) -> bool:
    if terms.role is None and not seats:
        # Those who were named may have been erased since.
        return not terms.named
    return caller.user_id in seats or terms.role in caller.roles


def _rolling(call: Call) -> RollOptions:
    """Return the options of a player's roll, which goes by the memory that the call names."""
    return replace(options_of(call), whose=call.terms.whose)


def _added(adjustment: Adjustment, dice: str) -> str:
    """Return dice with it added; SpecError where it can't be: columns would count what nobody typed."""
    try:
        return adjustment.on_dice(dice)
    except NotationError as error:
        raise SpecError(f"With {adjustment.rest} added I can't roll that. {error}") from error


def find_call(state: State, number: int) -> Call:
    """Return the call that a command is about; Unknown if that number is none."""
    if state.call is None:
        raise Unknown(f"#{number} is no call for rolls.")
    return state.call


def must_be_open(call: Call, time: float) -> None:
    """Raise a DiceError unless rolls are taken at a time in seconds since 1970."""
    if call.status is Status.CANCELLED:
        raise DiceError("This call was cancelled.")
    if not call.is_open(time):
        raise DiceError("This call is closed. A game master can reopen it.")


def read_once(dice: str, dialect: Dialect = Dialect.EVENHAND) -> str:
    """Return the canonical text of notation that is rolled once; SpecError if it repeats."""
    roll = notation.parse(dice, dialect)
    if roll.repeat != 1 or roll.more:
        raise SpecError(f"Everybody rolls once for a call. Take {roll.body} instead of {roll}.")
    return str(roll)


def must_count(terms: Terms, roller: Roller) -> None:
    """Raise a SpecError where the terms compare or add the rolls, and the roller's are no numbers."""
    needed = terms.dc is not None or terms.form is Form.INITIATIVE or terms.rule is not Rule.EACH
    if needed:
        must_show_numbers(roller)


def must_remember(whose: Remembers | None, roller: Roller) -> None:
    """Raise a SpecError if a d100's own roller, which every player has, is to be the table's."""
    if whose is Remembers.TABLE and roller.name.casefold() in KEPT:
        raise SpecError(f"The {roller.name} is each player's own, and can't be the table's for a call.")


def draw_lots(call: Call, count: int, draws: SourcedDraws) -> tuple[int, ...]:
    """Draw a lot for each roll of an initiative, to break ties with."""
    if call.terms.form is not Form.INITIATIVE:
        return ()
    return tuple(draws.below(TIES) for _ in range(count))


def read_adjustment(text: str) -> Adjustment:
    """Read what a text adds: "+5", "adv", "dis -1", "adv +1d4", a bare number; NotationError otherwise."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    text = text.strip()
    if text.isdecimal() and text.isascii():
        text = f"+{text}"
    found = _ADJUSTMENT.fullmatch(text)
    word = found["word"].casefold() if found and found["word"] else ""
    if not found or (word and word not in _WORDS):
        raise NotationError(
            "I can't add that. Write a modifier such as +5 or +1d4, adv or dis, or both, as in adv +5."
        )
    return Adjustment(_WORDS.get(word), (found["rest"] or "").strip())


def _with(roll: Expression, rest: str) -> Expression:
    """Return the roll with more behind it; NotationError where that reaches into the roll itself."""
    whole = notation.parse(f"{roll}{rest}")
    part: Node = whole.body
    while isinstance(part, Binary) and part != roll.body:
        part = part.left
    if part != roll.body:
        raise NotationError(f"I can't read '{rest}' as something to add, such as +5 or +1d4.")
    return whole
