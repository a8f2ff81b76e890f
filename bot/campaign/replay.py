"""Read a recorded roll: its dice, what it brings to a call, what it adds to the counts of faces.

Dice are made again from the rule, the memory before the roll and the results of its draws. Counted are each
toss of plain dice, each face of a roller, and the source of the bits; dice that only show the result of a
roller are not counted again, practice counts as no roller's, and dice thrown by hand are not the bot's.
"""

import json
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from bot.campaign.accounts import SeenAccount, counted_check, on_check, score
from bot.campaign.campaigns import number_on
from bot.campaign.events import Event, Rolled
from bot.campaign.rolled import OfDice
from bot.d100.sixes import Sixes
from bot.dice import notation
from bot.dice.by_hand import ByHand
from bot.dice.distribution import MAX_FACES
from bot.dice.draws import Drawn, Draws, Replayer, ReplayError
from bot.dice.errors import DiceError
from bot.dice.expressions import Expression
from bot.dice.modifiers import Which
from bot.dice.system import Memory, Outcome, System, step
from bot.dice.terms import Dice
from bot.dice.throws import Pool, roll
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.odds import odds, usually
from bot.systems.registry import load_spec

FaceCounts: TypeAlias = Counter[tuple[str, str]]
"""How often each face of each die came out, by die and face."""
SOURCES = "bits"
"""Counts rolls by the source of their bits, as if that were a die."""
_MARK = "@"
_FEW = 8
"""How many draws of plain dice are cached once they were made again."""


@dataclass(frozen=True, slots=True)
class RollResult:
    """A roll with its dice, ready to be shown."""

    event: Event
    outcomes: tuple[Outcome, ...]
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""
    rival: Event | None = None
    """The roll that it is held against."""

    @property
    def roll(self) -> Rolled:
        """Return the roll's body."""
        return self.event.roll


def read_roll(event: Event) -> RollResult:
    """Return a roll with its dice; ReplayError where record and rule don't fit."""
    if not isinstance(event.body, Rolled):
        raise ReplayError("#{number} is no roll.", number=event.seq)
    outcomes = event.body.outcomes or replay(event).outcomes
    return RollResult(event, outcomes)


def replay(event: Event) -> Rolled:
    """Return a roll's body with its dice and the memory after it; ReplayError where they don't fit."""
    outcomes, after = replayed(event)
    return replace(event.roll, outcomes=outcomes, after=after)


def replayed(event: Event) -> tuple[tuple[Outcome, ...], Memory]:
    """Return a recorded roll's dice and the memory after it; ReplayError where they don't fit."""
    body = event.body
    if not isinstance(body, Rolled) or not body.results:
        raise ReplayError("#{number} is no roll.", number=event.seq)
    try:
        few = isinstance(body.of, OfDice) and len(body.draws) <= _FEW and not body.thrown
        outcomes, after = _few_dice(body.of, body.draws) if few else _made_again(body)
    except (ReplayError, DiceError) as error:
        raise ReplayError(
            "#{number} can't have been rolled so: {reason}", number=event.seq, reason=error
        ) from error
    except (ValueError, ArithmeticError, LookupError) as error:
        # A rule or a memory that nobody can have rolled with: it is not the reader's fault.
        raise ReplayError("#{number} can't have been rolled so.", number=event.seq) from error
    if tuple([outcome.face for outcome in outcomes]) != body.results:
        raise ReplayError("#{number} does not come out as recorded.", number=event.seq)
    return outcomes, after


def _made_again(body: Rolled) -> tuple[tuple[Outcome, ...], Memory]:
    draws = ByHand(body.thrown) if body.thrown else Replayer(body.draws)
    made = remake(body, draws)
    if throw_beside(body, draws) != body.added:
        raise ReplayError("The dice beside the roller do not come out as recorded.")
    draws.finish()
    if isinstance(draws, ByHand) and tuple(draws.drawn) != body.draws:
        raise ReplayError("It does not come out as the dice that were thrown by hand.")
    return made


@lru_cache(maxsize=2_048)
def _few_dice(of: OfDice, drawn: tuple[Drawn, ...]) -> tuple[tuple[Outcome, ...], Memory]:
    """Return what plain dice came to; few dice fall in few ways."""
    return _made_again(Rolled(of=of, draws=drawn))


def recorded_dice(text: str) -> Expression:
    """Return the dice of a text on record, which is canonical."""
    return notation.read_own(text)


def throw_dice(dice: Expression, draws: Draws) -> tuple[Outcome, ...]:
    """Roll dice: one outcome for each of their rolls, and of its repeats."""
    throws = [roll(each, draws) for each in (dice, *dice.more) for _ in range(each.repeat)]
    return tuple([Outcome(str(throw.total), throw) for throw in throws])


def throw_system(
    system: System, memory: Memory, steps: int, draws: Draws
) -> tuple[tuple[Outcome, ...], Memory]:
    """Take `steps` steps with a system; return the outcomes and the memory after them."""
    outcomes: list[Outcome] = []
    for _ in range(steps):
        outcome, memory = step(system, memory, draws)
        outcomes.append(outcome)
    return tuple(outcomes), memory


def throw_practice(system: System, steps: int, draws: Draws, *, together: bool) -> tuple[Outcome, ...]:
    """Take steps that leave no memory: each roll begins afresh, or all together come from one fresh deck."""
    if together:
        return throw_system(system, system.start(), steps, draws)[0]
    rolls = (throw_system(system, system.start(), system.hand, draws)[0] for _ in range(steps // system.hand))
    return tuple([outcome for outcomes in rolls for outcome in outcomes])


def remake(body: Rolled, draws: Draws) -> tuple[tuple[Outcome, ...], Memory]:
    """Roll a recorded roll with other draws; return what comes out, and the memory after it."""
    system = body.of.system
    if system is None:
        return throw_dice(recorded_dice(body.text), Sixes(draws) if body.d6_only else draws), ()
    if isinstance(system, GameRoll) and body.stood:
        throw = system.fall(draws, body.stood).throw
        return (Outcome(system.face(throw), throw),), system.start()
    if isinstance(system, LuckAccount):
        system = on_check(system, body)
    if body.practice:
        made = throw_practice(system, len(body.results), draws, together=body.together)
        return made, system.start()
    if body.before is None:
        raise ReplayError("It has no memory on record.")
    return throw_system(system, body.before, len(body.results), draws)


def throw_beside(body: Rolled, draws: Draws) -> tuple[str, ...]:
    """Throw the dice beside a recorded roll's roller once more, with the draws that follow the roller's."""
    if not body.rest:
        return ()
    dice = recorded_dice(body.rest)
    return tuple([outcome.face for _ in body.added for outcome in throw_dice(dice, draws)])


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One roll of a call: a player's, or one that the game master made for somebody of theirs."""

    event: Event
    place: int
    """Which of the event's rolls it is; only the game master's own have more than one."""
    name: str
    """Of the game master's own; "" for players."""
    faces: tuple[str, ...]
    total: int | None
    """None where the faces are no numbers."""
    lot: int
    """What a tie is broken with: the higher goes first."""
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""

    @property
    def user_id(self) -> int | None:
        """Return whose it is; None for the game master's own, and for players who were erased."""
        return None if self.name else self.event.user_id

    @property
    def absent(self) -> bool:
        """Return whether the game master rolled for a player who had not."""
        return self.event.roll.absent


def entries(event: Event) -> tuple[CallEntry, ...]:
    """Return what a roll brings to a call: one entry, or one for each name that was rolled for."""
    body = event.roll
    lots = body.lots or (0,) * max(1, len(body.names))
    if not body.names:
        return (CallEntry(event, 0, "", body.results, _total(body, body.results), lots[0]),)
    sums = summed(body)
    return tuple(
        CallEntry(event, place, name, (face,), number_on(sums[place]), lot)
        for place, (name, face, lot) in enumerate(zip(body.names, body.results, lots, strict=False))
    )


def one_number(event: Event) -> int | None:
    """Return the total of a roll that is one number; None for several, and for words."""
    found = entries(event)
    return found[0].total if len(found) == 1 else None


def _total(body: Rolled, faces: tuple[str, ...]) -> int | None:
    sums = summed(body, faces)
    return number_on(sums[0]) if len(sums) == 1 else None


def summed(body: Rolled, faces: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return what each result of a roll comes to with what was added; of two that one is kept of, the one."""
    faces = faces or body.results
    if not (body.keep or body.added or body.plus):
        return faces
    numbers = [int(face) for face in faces]
    if body.keep:
        numbers = [(max if body.keep is Which.KEEP_HIGHEST else min)(numbers)]
    added = [int(total) for total in body.added] or [0] * len(numbers)
    return tuple([str(number + more + body.plus) for number, more in zip(numbers, added, strict=True)])


def count(event: Event) -> FaceCounts:
    """Return what a roll adds; ReplayError where record and rule don't fit."""
    tally: FaceCounts = Counter()
    rolled = event.roll
    if rolled.source:
        tally[SOURCES, rolled.source.value] += 1
    if rolled.thrown:
        return tally
    if isinstance(rolled.of, OfDice):
        tally.update(tosses(event))
    elif rolled.counts:
        die = roller_die(rolled.roller, rolled.spec)
        tally.update((die, face) for face in counted_faces(rolled))
    return tally


def counted_faces(rolled: Rolled) -> tuple[str, ...]:
    """Return what a roll of a roller counts as.

    The totals of a luck account are of many dice: a check that it counted in full is 1 where it scored what
    was to be expected or more, as every pass does, else 0.
    """
    if not rolled.stake:
        return rolled.results
    account = counted_check(rolled)
    return (str(int(score(account, rolled) >= account.outcomes.expected)),) if account else ()


def tosses(event: Event) -> list[tuple[str, str]]:
    """Return each toss of a roll of plain dice, in order: the die, and the face that fell."""
    fell: list[tuple[str, str]] = []
    for outcome in read_roll(event).outcomes:
        for part in outcome.throw.parts if outcome.throw else ():
            if isinstance(part, Pool) and part.term.sides <= MAX_FACES:
                die = die_of(part.term)
                fell += [(die, str(face.value)) for one in part.dice for face in one.faces]
    return fell


def die_of(term: Dice) -> str:
    """Return the name of one die of a term: d20, or dF."""
    return "dF" if term.fate else f"d{term.sides}"


def roller_die(name: str, spec: str) -> str:
    """Return a roller as a die: one of other faces or shares is another die, one tuned on is the same."""
    return f"{_MARK}{_table_id(spec)}:{name.casefold()}"


def is_roller(die: str) -> bool:
    """Return whether a die is a roller."""
    return die.startswith(_MARK)


@lru_cache(maxsize=512)
def _table_id(spec: str) -> str:
    system = load_spec(spec)
    # A game's roll is never tuned, and its law may take half a second.
    law = spec if isinstance(system, GameRoll) else json.dumps([system.faces, system.shares()])
    return sha256(law.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Moment:
    """A roller as it was when it was rolled."""

    system: System
    chances: tuple[tuple[str, Fraction, Fraction], ...]
    """Each face that came out first in this roll: its chance then, and without a memory."""
    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True)
class Details:
    """A recorded roll; `moment` is None for plain dice, and where the odds are not for the reader."""

    rolled: RollResult
    moment: Moment | None
    veiled: bool = False
    """Whether the memory before it holds a roll that is hidden from the reader."""


def moment(rolled: RollResult) -> Moment | None:
    """Return what a roller was like; None for plain dice. ReplayError where the record does not fit."""
    body = rolled.roll
    system = body.of.system
    if system is None or body.stood:
        return None
    before = system.start() if body.before is None else body.before
    after = replay(rolled.event).after if body.after is None else body.after
    first = body.results[0]
    now, usual = odds(system, before), usually(system)
    chances = tuple((face, now[i], usual[i]) for i, face in enumerate(system.faces) if face == first)
    return Moment(system, chances, before, after or system.start())
