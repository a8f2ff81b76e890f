"""Evidence on whether dice are rigged, valid however often it is checked.

Faces come with their system and the memory before them, so bets are against the chances that the bot claims.
The state of the bets is all that is needed of past events: `carry_on` folds events, so evidence from removed
ones still counts.

The choice of rolls must not depend on their results, or fair dice would look odd. So all public rolls count,
even if undone later; hidden rolls don't, even if revealed later, and neither do dice thrown by hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from bot.campaign.accounts import counted_check
from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import counted_faces, is_roller, plain_tosses, roller_die
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
"""The user id of bets on everybody's dice together."""
_MEMORY_PREFIX = "~"
_TEST_WORK = 10**8
"""Most operations of the exact test, a tenth of a second; above it the test is simulated."""
TOO_OFTEN = Fraction(6, 5)
"""The bias to detect: a face that comes a fifth too often."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The evidence on some dice."""

    dice: int
    evidence: Evidence
    needed: int | None
    """Number of dice to notice one face that comes a fifth too often; None above 50,000, and for dice with a
    memory."""
    test: ChiSquare | None
    """A test of this number of plain dice; None for dice with a memory, which it does not fit."""

    @property
    def enough(self) -> bool:
        """Return True if there are enough dice for a verdict."""
        return self.dice >= ENOUGH_DICE


class Subject(NamedTuple):
    """The subject of bets: a person's or everybody's rolls of a die."""

    user_id: int
    die: str


class Fall(NamedTuple):
    """The faces of a die in one roll."""

    event: Event
    faces: Sequence[str]


def bet_die(die: str, system: System) -> str:
    """Return the name of a counted die in bets: dice with a memory have names of their own."""
    return _MEMORY_PREFIX + die if system.has_state else die


def falls(events: Iterable[Event]) -> dict[Subject, list[Fall]]:
    """Return the faces that bets count in these events, the oldest first, for everybody and each person."""
    by_subject: dict[Subject, list[Fall]] = {}
    for event in (event for event in events if event.visibility is Visibility.PUBLIC):
        for die, faces in _counted_by_die(event).items():
            for user_id in {EVERYBODY, event.player_id or EVERYBODY}:
                by_subject.setdefault(Subject(user_id, die), []).append(Fall(event, faces))
    return by_subject


def _counted_by_die(event: Event) -> Mapping[str, Sequence[str]]:
    """Return the counted faces of each die in an event; none for a roller whose memory is not recorded."""
    roll = event.body
    if not isinstance(roll, Rolled) or not roll.results or roll.source is Source.PHYSICAL:
        return {}
    tossed, system = plain_tosses(event), roll.of.system
    by_die: dict[str, Sequence[str]] = {
        die: [face for name, face in tossed if name == die] for die, _ in tossed
    }
    if system is None or not roll.counts or not has_odds(system):
        return by_die
    if system.has_state and roll.before is None:
        return by_die
    faces = counted_faces(roll)
    return by_die | ({bet_die(roller_die(event.roller, roll.spec), system): faces} if faces else {})


def carry_on(states: Mapping[Subject, BetState], events: Iterable[Event]) -> dict[Subject, BetState]:
    """Return the states of the bets after more events, the oldest first; only subjects in the events.

    Any division of a history into steps gives the same result, except for rounding.
    """
    return {
        subject: bet_on(subject.die, fallen, states.get(subject, FRESH))
        for subject, fallen in falls(events).items()
    }


def bet_on(die: str, fallen: Sequence[Fall], state: BetState = FRESH) -> BetState:
    """Return the state of the bets on a die after one or more of its rolls."""
    system = system_of(die, fallen)
    if not die.startswith(_MEMORY_PREFIX):
        index = face_index(system)
        indices = [index[face] for fall in fallen for face in fall.faces]
        return bet_on_plain_dice(shares(system), indices, state)
    bet = SystemBet(system, state=state)
    for event, faces in fallen:
        system, memory = event.roll.of.system or system, event.roll.before or ()
        bet.begin(system, memory)
        for face in faces:
            if isinstance(system, LuckAccount):
                bet.judge(*_check_chances(event.roll, memory), int(face))
            else:
                bet.see(face_index(system)[face])
    return bet.state


def system_of(die: str, fallen: Sequence[Fall]) -> System:
    """Return the system of the newest of these rolls; a game throws plain dice too."""
    system = fallen[-1].event.roll.of.system if is_roller(die.removeprefix(_MEMORY_PREFIX)) else None
    return system or plain_die(die)


def examine(system: System, state: BetState) -> Examined:
    """Return the evidence on dice from the state of their bets; raise ValueError if there are none."""
    dice, table = sum(state.counts), shares(system)
    if system.has_state:
        return Examined(dice, state, None, None)
    return Examined(dice, state, needed(table), chi_square(table, state.counts, work=_TEST_WORK))


def _check_chances(body: Rolled, memory: Memory) -> tuple[Floats, Floats]:
    """Return the chances to score below and above expectation, on the account and with plain dice."""
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
    """Return the number of dice to notice that the last face comes a fifth too often.

    Return None above 50,000, and if no face can be that much more frequent.
    """
    chance = TOO_OFTEN * Fraction(table[-1], sum(table))
    return rolls_needed(table, with_face_at(table, len(table) - 1, chance)) if chance < 1 else None
