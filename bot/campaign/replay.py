"""Replay recorded rolls: their dice, their entries in a call, and their face counts.

Dice are reproduced from the rule, the memory before the roll and the results of its draws. Face counts
contain each toss of plain dice, each face of a roller and the source of the bits. They leave out the dice
that merely show a roller's result, practice on rollers, and the faces of dice thrown by hand.
"""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from bot.campaign.accounts import SeenAccount, counted_check, on_check, score
from bot.campaign.campaigns import number_on
from bot.campaign.events import Event, Rolled
from bot.campaign.rolled import OfAccount, OfDice
from bot.d100.general import Sixes
from bot.dice import notation
from bot.dice.by_hand import ByHand
from bot.dice.choices import named_faces
from bot.dice.distribution import MAX_FACES
from bot.dice.draws import Drawn, Draws, Replayer, ReplayError
from bot.dice.errors import DiceError, SpecError
from bot.dice.expressions import Expression
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory, Outcome, System, step
from bot.dice.throws import Pool, compared, reached, roll
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.odds import odds, usually
from bot.systems.registry import load_spec

FaceCounts: TypeAlias = Counter[tuple[str, str]]
"""(Die, face) to its number of occurrences."""
SOURCES = "bits"
"""The pseudo-die that counts rolls by the source of their bits."""
_MARK = "@"
_CACHED_DRAWS = 8
"""The most draws of plain dice whose replay is cached."""


@dataclass(frozen=True, slots=True)
class RollResult:
    """A roll with its dice, for display."""

    event: Event
    outcomes: tuple[Outcome, ...]
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""
    rival: Event | None = None
    """The opposing roll of a contest."""
    undone: bool = False

    @property
    def roll(self) -> Rolled:
        """Return the roll's body."""
        return self.event.roll


def read_roll(event: Event) -> RollResult:
    """Return a roll with its dice; ReplayError if the record contradicts its rule."""
    outcomes = isinstance(event.body, Rolled) and event.body.outcomes
    return RollResult(event, outcomes or replay(event)[0])


def replay(event: Event) -> tuple[tuple[Outcome, ...], Memory]:
    """Return a recorded roll's dice and the memory after it; ReplayError if record and rule disagree."""
    body = event.body
    if not isinstance(body, Rolled) or not body.results:
        raise ReplayError("#{number} is no roll.", number=event.seq)
    try:
        is_cacheable = isinstance(body.of, OfDice) and len(body.draws) <= _CACHED_DRAWS and not body.thrown
        outcomes, after = _replay_dice(body.of, body.draws) if is_cacheable else _replay(body)
    except (ReplayError, DiceError) as error:
        raise ReplayError(
            "#{number} can't have been rolled so: {reason}", number=event.seq, reason=error
        ) from error
    except (ValueError, ArithmeticError, LookupError) as error:
        # The recorded rule or memory is invalid.
        raise ReplayError("#{number} can't have been rolled so.", number=event.seq) from error
    if tuple([outcome.face for outcome in outcomes]) != body.results:
        raise ReplayError("#{number} does not come out as recorded.", number=event.seq)
    return outcomes, after


def _replay(body: Rolled) -> tuple[tuple[Outcome, ...], Memory]:
    draws = ByHand(body.thrown) if body.thrown else Replayer(body.draws)
    replay_result = remake(body, draws)
    if throw_added_dice(body, draws) != body.added:
        raise ReplayError("The dice beside the roller do not come out as recorded.")
    draws.finish()
    if isinstance(draws, ByHand) and tuple(draws.drawn) != body.draws:
        raise ReplayError("It does not come out as the dice that were thrown by hand.")
    return replay_result


@lru_cache(maxsize=2_048)
def _replay_dice(of: OfDice, draws: tuple[Drawn, ...]) -> tuple[tuple[Outcome, ...], Memory]:
    """Replay a roll of few plain dice; there are few such rolls, so they are cached."""
    return _replay(Rolled(of=of, draws=draws))


def recorded_dice(text: str) -> Expression:
    """Parse recorded notation, which is canonical."""
    return notation.read_own(text)


def throw_dice(dice: Expression, draws: Draws) -> tuple[Outcome, ...]:
    """Roll dice: one outcome for each part and each of its repeats."""
    throws = [roll(part, draws) for part in (dice, *dice.more) for _ in range(part.repeat)]
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
    """Take steps without a memory: each roll starts afresh, or all share one fresh deck if `together`."""
    if together:
        return throw_system(system, system.start(), steps, draws)[0]
    rolls = (throw_system(system, system.start(), system.hand, draws)[0] for _ in range(steps // system.hand))
    return tuple([outcome for outcomes in rolls for outcome in outcomes])


def remake(body: Rolled, draws: Draws) -> tuple[tuple[Outcome, ...], Memory]:
    """Roll a recorded roll with other draws; return its outcomes and the memory after it."""
    system = body.of.system
    if system is None:
        return throw_dice(recorded_dice(body.text), Sixes(draws) if body.d6_only else draws), ()
    if isinstance(system, GameRoll) and body.stood:
        throw = system.fall(draws, body.stood).throw
        return (Outcome(system.face(throw), throw),), system.start()
    if isinstance(system, LuckAccount):
        system = on_check(system, body)
    if body.practice:
        outcomes = throw_practice(system, len(body.results), draws, together=body.together)
        return outcomes, system.start()
    if body.before is None:
        raise ReplayError("It has no memory on record.")
    return throw_system(system, body.before, len(body.results), draws)


def throw_added_dice(body: Rolled, draws: Draws) -> tuple[str, ...]:
    """Roll a recorded roll's added dice, with the draws that follow the roller's; return their totals."""
    if not body.rest:
        return ()
    dice = recorded_dice(body.rest)
    return tuple([outcome.face for _ in body.added for outcome in throw_dice(dice, draws)])


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One roll of a call: a player's, or one of the game master's named rolls."""

    event: Event
    place: int
    """The index of the result in the event; only named rolls have more than one."""
    name: str
    """The name the game master rolled for; "" for players."""
    faces: tuple[str, ...]
    total: int | None
    """None if the faces are no numbers."""
    lot: int
    """The tie-breaker: the higher goes first."""
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""

    @property
    def user_id(self) -> int | None:
        """Return the player's id; None for named rolls, and for players who were erased."""
        return None if self.name else self.event.user_id

    @property
    def absent(self) -> bool:
        """Return whether the game master rolled for a player who had not."""
        return self.event.roll.absent


def entries(event: Event) -> tuple[CallEntry, ...]:
    """Return a roll's entries in a call: one, or one for each name the game master rolled for."""
    body = event.roll
    lots = body.lots or (0,) * max(1, len(body.names))
    totals = result_totals(body)
    if not body.names:
        total = number_on(totals[0]) if len(totals) == 1 else None
        return (CallEntry(event, 0, "", body.results, total, lots[0]),)
    return tuple(
        CallEntry(event, place, name, (face,), number_on(totals[place]), lot)
        for place, (name, face, lot) in enumerate(zip(body.names, body.results, lots, strict=False))
    )


def one_number(event: Event) -> int | None:
    """Return the number that a roll shows; None if it shows several, or none.

    That is the sum which was compared, in `d20+5 vs 15`, and the first side of two; names are no number.
    """
    body, total = event.roll, old_number(event)
    if total is None or len(body.results) > 1 or (throw := read_roll(event).outcomes[0].throw) is None:
        return total
    if isinstance(body.of, OfDice) and named_faces(event.label or ""):
        return None
    if isinstance(body.of, OfDice | OfAccount):
        return reached(recorded_dice(body.of.text).body, throw)
    judged = compared(throw)
    return total - throw.total + judged[0].total if judged else total


def old_number(event: Event) -> int | None:
    """Return the number that older histories compare: 1 or 0 of `d20+5 vs 15`, and the place of a name."""
    rolls = entries(event)
    return rolls[0].total if len(rolls) == 1 else None


def result_totals(body: Rolled) -> tuple[str, ...]:
    """Return the total of each result with additions; of two results with `keep`, only the kept one."""
    if not (body.keep or body.added or body.plus):
        return body.results
    numbers = [int(face) for face in body.results]
    if body.keep:
        numbers = [(max if body.keep is KeepKind.KEEP_HIGHEST else min)(numbers)]
    added = [int(total) for total in body.added] or [0] * len(numbers)
    return tuple([str(number + extra + body.plus) for number, extra in zip(numbers, added, strict=True)])


def count(event: Event) -> FaceCounts:
    """Return a roll's face counts; ReplayError if the record contradicts its rule."""
    tally: FaceCounts = Counter()
    rolled = event.roll
    if rolled.source:
        tally[SOURCES, rolled.source.value] += 1
    if rolled.thrown:
        return tally
    tally.update(plain_tosses(event))
    if rolled.counts and not isinstance(rolled.of, OfDice):
        die = roller_die(rolled.roller, rolled.spec)
        tally.update((die, face) for face in counted_faces(rolled))
    return tally


def plain_tosses(event: Event, *, even: bool = True) -> list[tuple[str, str]]:
    """Return each toss that counts for plain dice: the die and its face; see `tosses` for `even`."""
    rolled = event.roll
    counts = rolled.counts or isinstance(rolled.of, OfDice)
    return tosses(event, even=even) if counts and throws_plain_dice(rolled) else []


def throws_plain_dice(rolled: Rolled) -> bool:
    """Return whether a roll is one of plain dice, or of a game, which throws such dice."""
    return isinstance(rolled.of, OfDice) or isinstance(rolled.of.system, GameRoll)


def counted_faces(rolled: Rolled) -> tuple[str, ...]:
    """Return the faces that a roll of a roller counts as.

    A luck account's totals come from many kinds of dice, so a check counted in full is "1" if it scored at
    least its expectation, as every pass does, else "0".
    """
    if not rolled.stake:
        return rolled.results
    account = counted_check(rolled)
    return (str(int(score(account, rolled) >= account.outcomes.expected)),) if account else ()


def tosses(event: Event, *, even: bool = True) -> list[tuple[str, str]]:
    """Return each toss of the dice that a roll shows, in order: the die and its face.

    Leave out dice that are not even, such as `d{2,4,6}`: no plain die falls so. Return those alone if not
    `even`.
    """
    faces: list[tuple[str, str]] = []
    for outcome in read_roll(event).outcomes:
        for pool in outcome.throw.parts if outcome.throw else ():
            if isinstance(pool, Pool) and pool.term.sides <= MAX_FACES and pool.term.even is even:
                die = "dF" if pool.term.fate else f"d{pool.term.sides}"
                faces += [(die, str(face.value)) for die_throw in pool.dice for face in die_throw.faces]
    return faces


def roller_die(name: str, spec: str) -> str:
    """Return the die id of a roller: it depends on faces and shares, and survives tuning."""
    return f"{_MARK}{_table_id(spec)}:{name.casefold()}"


def is_roller(die: str) -> bool:
    """Return whether a die is a roller."""
    return die.startswith(_MARK)


@lru_cache(maxsize=512)
def _table_id(spec: str) -> str:
    system = load_spec(spec)
    # The rolls of a game are never tuned, and their law may take half a second.
    law = spec if isinstance(system, GameRoll) else json.dumps([system.faces, system.shares()])
    return sha256(law.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Moment:
    """A roller at the time of a roll."""

    system: System
    chances: tuple[tuple[str, Fraction, Fraction], ...]
    """The roll's first face: (face, its chance at that time, its chance without a memory).

    Empty if the exact law would take too long.
    """
    before: Memory
    after: Memory


@dataclass(frozen=True, slots=True)
class Details:
    """A recorded roll; `moment` is None for plain dice, and if the reader may not see the odds."""

    rolled: RollResult
    moment: Moment | None
    veiled: bool = False
    """Whether the memory before it holds a roll that is hidden from the reader."""


def moment(rolled: RollResult) -> Moment | None:
    """Return the roller at the time of the roll; None for plain dice. ReplayError for an invalid record."""
    body = rolled.roll
    system = body.of.system
    if system is None or body.stood:
        return None
    before = system.start() if body.before is None else body.before
    after = replay(rolled.event)[1] if body.after is None else body.after
    chances: tuple[tuple[str, Fraction, Fraction], ...] = ()
    with suppress(SpecError):  # the exact law of a game's roll may take too long
        faces = zip(system.faces, odds(system, before), usually(system), strict=True)
        chances = tuple(face for face in faces if face[0] == body.results[0])
    return Moment(system, chances, before, after or system.start())
