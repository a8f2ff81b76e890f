"""Evidence on whether dice are rigged, valid however often it is looked at, and for ever.

Faces come with the system that they were drawn from and the memory before them, so every bet is against the
very chances that the bot says it used. How the bets stand after a part of a history is all that the next
part needs of it: `carry_on` folds events, so that the evidence of what is long gone still counts.

Which rolls a bet is about must be settled before they fall, or choosing afterwards would make fair dice look
odd. So rolls count that everybody saw fall, also if they were undone later; hidden ones do not, also if they
were revealed later, nor do dice that people threw themselves and typed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from bot.campaign.accounts import counted_check
from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import counted_faces, roller_die, tosses
from bot.campaign.rolled import OfDice
from bot.dice.draws import Source
from bot.dice.system import Memory, System
from bot.stats.arrays import Floats
from bot.stats.bands import ENOUGH_DICE
from bot.stats.chi_square import ChiSquare, chi_square
from bot.stats.luck import plain_die
from bot.stats.processes import (
    FRESH,
    BetState,
    Evidence,
    SystemBet,
    bet_on_plain_dice,
    rolls_needed,
    with_face_at,
)
from bot.stats.stretches import face_index
from bot.systems.luck import LuckAccount
from bot.systems.odds import has_odds, shares

EVERYBODY = 0
"""The person of whom bets on everybody's dice together are."""
_REMEMBERING = "~"
_TEST_WORK = 10**8
"""What the exact test may cost, a tenth of a second; beyond it the test is simulated."""
TOO_OFTEN = Fraction(6, 5)
"""A face that comes a fifth too often is what one would want to notice."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What is to be said of some dice."""

    dice: int
    evidence: Evidence
    needed: int | None
    """How many dice it takes to notice one face that comes a fifth too often; None for over 50,000, and for
    dice with a memory."""
    test: ChiSquare | None
    """For just this number of plain dice; None for dice with a memory, which no such test suits."""

    @property
    def enough(self) -> bool:
        """Return whether there are enough to say anything."""
        return self.dice >= ENOUGH_DICE


class Subject(NamedTuple):
    """What bets are about: a person's or everybody's rolls of a die."""

    user_id: int
    die: str


class Fall(NamedTuple):
    """Faces of a die that came out in one roll."""

    event: Event
    faces: Sequence[str]


def bet_die(die: str, system: System) -> str:
    """Return under which name bets on a counted die stand: those on dice with a memory are others."""
    return _REMEMBERING + die if system.has_state else die


def falls(events: Iterable[Event]) -> dict[Subject, list[Fall]]:
    """Return what bets are about in these events, the oldest first, for everybody and for each person."""
    found: dict[Subject, list[Fall]] = {}
    for event in (event for event in events if event.visibility is Visibility.PUBLIC):
        for die, fell in _fallen(event).items():
            for user_id in {EVERYBODY, event.player_id or EVERYBODY}:
                found.setdefault(Subject(user_id, die), []).append(Fall(event, fell))
    return found


def _fallen(event: Event) -> Mapping[str, Sequence[str]]:
    """Return the faces that count of each die in an event; none of a roller whose memory is not on record."""
    roll = event.body
    if not isinstance(roll, Rolled) or not roll.results or roll.source is Source.PHYSICAL:
        return {}
    if isinstance(roll.of, OfDice):
        fell = tosses(event)
        return {die: [face for its, face in fell if its == die] for die, _ in fell}
    system = roll.of.system
    if not roll.counts or (system.has_state and roll.before is None) or not has_odds(system):
        return {}
    counted = counted_faces(roll)
    return {bet_die(roller_die(event.roller, roll.spec), system): counted} if counted else {}


def carry_on(states: Mapping[Subject, BetState], events: Iterable[Event]) -> dict[Subject, BetState]:
    """Return how the bets stand after some more events, the oldest first: those that the events are about.

    A whole history from no states gives the same as any number of steps, but for the rounding of floats.
    """
    return {
        subject: bet_on(subject.die, fallen, states.get(subject, FRESH))
        for subject, fallen in falls(events).items()
    }


def bet_on(die: str, fallen: Sequence[Fall], state: BetState = FRESH) -> BetState:
    """Return how the bets on a die stand after some more of its rolls, one or more."""
    system = system_of(die, fallen)
    if not die.startswith(_REMEMBERING):
        index = face_index(system)
        return bet_on_plain_dice(shares(system), [index[face] for one in fallen for face in one.faces], state)
    bet = SystemBet(system, state=state)
    for event, fell in fallen:
        system, memory = event.roll.of.system or system, event.roll.before or ()
        bet.begin(system, memory)
        for face in fell:
            if isinstance(system, LuckAccount):
                bet.judge(*_of_check(event.roll, memory), int(face))
            else:
                bet.see(face_index(system)[face])
    return bet.state


def system_of(die: str, fallen: Sequence[Fall]) -> System:
    """Return the system that the newest of these rolls were made with."""
    return fallen[-1].event.roll.of.system or plain_die(die)


def examine(system: System, state: BetState) -> Examined:
    """Return what is to be said of dice on which the bets stand so; ValueError for none."""
    dice, table = sum(state.counts), shares(system)
    if system.has_state:
        return Examined(dice, state, None, None)
    return Examined(dice, state, needed(table), chi_square(table, state.counts, work=_TEST_WORK))


def _of_check(body: Rolled, memory: Memory) -> tuple[Floats, Floats]:
    """Return the chances to score below and above what was to be expected: on the account, and plainly."""
    import numpy as np

    account = counted_check(body)
    if account is None:
        raise TypeError("no check that an account counted")
    law = account.outcomes
    above = [score >= law.expected for score in law.scores]
    now, plain = (
        Fraction(sum(w for w, up in zip(weights, above, strict=True) if up), sum(weights))
        for weights in (account.weights(memory), law.weights)
    )
    return np.array([1 - now, now], dtype=float), np.array([1 - plain, plain], dtype=float)


@lru_cache(maxsize=64)
def needed(table: tuple[int, ...]) -> int | None:
    """Return how many dice it takes to notice that the last face comes a fifth too often.

    None for over 50,000, and where no face can be that much more frequent.
    """
    chance = TOO_OFTEN * Fraction(table[-1], sum(table))
    return rolls_needed(table, with_face_at(table, len(table) - 1, chance)) if chance < 1 else None
