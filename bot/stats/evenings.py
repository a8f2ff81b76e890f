"""Summarize an evening: each player's dice with their usual range, the rarest streak, the best roll.

The rank of a face is the share of rolls that are lower, ties counting half (mid-ranks, as in Mann and
Whitney's test): 50 of 100 is expected for any dice. In a check where low rolls pass it is the share of rolls
that are higher.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bot.campaign.events import Event
from bot.campaign.replay import plain_tosses, tosses
from bot.d100.register import Register
from bot.dice.draws import Source
from bot.dice.system import System
from bot.stats.arrays import Floats, Generator
from bot.stats.bands import ENOUGH_DICE, USUAL
from bot.stats.best import BestRoll, Streak, best_roll, longest_streak
from bot.stats.crowd import chances_of, fallen
from bot.stats.luck import plain_die
from bot.stats.played import usual
from bot.stats.stretches import Stretch, trace
from bot.systems.luck import LuckAccount
from bot.systems.odds import are_numbers, has_odds, shares

_NATURAL = "d20"
_RUNS = 10_000
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Player:
    """One player's evening; ranks are from 0 to 100."""

    user_id: int
    dice: int
    """Faces that were ranked."""
    rank: float
    side: float
    """At least 19 of 20 such evenings are within 50 plus or minus this."""
    highs: int = 0
    """Number of d20s that showed 20."""
    lows: int = 0
    """Number of d20s that showed 1."""
    character: str = ""
    """The character who made all their rolls; "" for none or several."""

    @property
    def luck(self) -> float:
        """The distance from 50 in units of the usual deviation: 1 is the edge of the usual range."""
        return (self.rank - 50) / self.side if self.side else 0.0

    @property
    def stands_out(self) -> bool:
        """True if there are enough dice and their rank is outside the usual range."""
        return self.dice >= ENOUGH_DICE and abs(self.rank - 50) > self.side + _ROUNDING


@dataclass(frozen=True, slots=True)
class PlayerStreak:
    """A streak, its player and its die."""

    user_id: int
    die: str
    streak: Streak
    character: str = ""


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """The contents of an evening's summary."""

    players: tuple[Player, ...]
    """The luckiest first."""
    rolls: int
    true: int
    """Number of rolls with true-random bits throughout."""
    run: PlayerStreak | None
    """The streak that is rarest with plain dice, corrected for the number of streaks searched."""
    best: BestRoll | None = None
    """The roll with the smallest chance to be equalled or beaten."""
    unjudged: Mapping[str, Exception] = field(default_factory=dict[str, Exception])
    """Roller to its error, for rollers whose rolls are left out."""
    by_hand: int = 0
    """Number of rolls thrown by hand, which are not counted elsewhere."""


def look_back(rolls: Iterable[tuple[Event, bool]]) -> EveningSummary:
    """Summarize rolls in their order, each with True if everybody may see it.

    Hidden rolls only trace memories. Erased players and rolls for monsters count for nobody. A roller that
    can't be judged is left out, so that the others still get their summary.
    """
    pairs, unjudged = [*rolls], dict[str, Exception]()
    try:
        return _summarize(pairs)
    except Exception:
        for roller in {event.roll.roller for event, _ in pairs}:
            try:
                _summarize([pair for pair in pairs if pair[0].roll.roller == roller])
            except Exception as error:  # noqa: BLE001 (the caller logs it)
                unjudged[roller] = error
        if not unjudged:
            raise
    judged = [pair for pair in pairs if pair[0].roll.roller not in unjudged]
    return replace(_summarize(judged), unjudged=unjudged)


def _summarize(rolls: Sequence[tuple[Event, bool]]) -> EveningSummary:
    """Summarize these rolls; let errors of any roller pass."""
    by_hand = sum(is_visible and bool(event.roll.thrown) for event, is_visible in rolls)
    rolls = [(event, is_visible and not event.roll.thrown) for event, is_visible in rolls]
    visible = [event for event, is_visible in rolls if is_visible]
    dice = _gather(visible)
    players = (_player(user_id, dice, rolls) for user_id in dict.fromkeys(user for user, _ in dice.faces))
    return EveningSummary(
        tuple(sorted(filter(None, players), key=lambda player: -player.luck)),
        len(visible),
        sum(event.roll.source is Source.TRUE for event in visible),
        _rarest(dice),
        best_roll(visible),
        by_hand=by_hand,
    )


@dataclass(frozen=True, slots=True)
class _Dice:
    """The dice of an evening that everybody saw."""

    faces: dict[tuple[int, str], list[str]] = field(default_factory=dict[tuple[int, str], list[str]])
    """Player and die to the faces, in order."""
    systems: dict[str, System] = field(default_factory=dict[str, System])
    low_passes: Counter[tuple[int, str, str]] = field(default_factory=Counter[tuple[int, str, str]])
    """Counts of player, die and face in checks where low rolls pass."""
    naturals: Counter[tuple[int, str]] = field(default_factory=Counter[tuple[int, str]])
    """Counts of player and face of d20s, those of games too."""
    characters: dict[int, set[str]] = field(default_factory=dict[int, set[str]])

    def character(self, user_id: int) -> str:
        """Return the character who made all of a player's rolls; "" for none or several."""
        names = self.characters[user_id]
        return min(names) if len(names) == 1 else ""


def _gather(rolls: Sequence[Event]) -> _Dice:
    dice = _Dice()
    for event in rolls:
        faces, roll, user_id = _faces(event), event.roll, event.player_id
        dice.systems.update((die, system) for die, system, _ in faces)
        if user_id is None:
            continue
        dice.characters.setdefault(user_id, set()).add(event.character)
        dice.naturals.update((user_id, face) for die, face in plain_tosses(event) if die == _NATURAL)
        for die, _, face in faces:
            dice.faces.setdefault((user_id, die), []).append(face)
            if roll.check and roll.check.under:
                dice.low_passes[user_id, die, face] += 1
    return dice


def _faces(event: Event) -> list[tuple[str, System, str]]:
    """Return each face of a roll, with its die's name and system.

    Leave out registers (their values are no luck), luck accounts (their dice are unknown) and rolls of games
    without calculable odds.
    """
    roll = event.roll
    system = roll.of.system
    if system is None:
        return [(die, plain_die(die), face) for die, face in tosses(event)]
    if isinstance(system, Register | LuckAccount) or not has_odds(system):
        return []
    return [(roll.roller, system, face) for face in roll.results]


def _rarest(dice: _Dice) -> PlayerStreak | None:
    streaks = [
        PlayerStreak(user_id, die, streak, dice.character(user_id))
        for (user_id, die), faces in dice.faces.items()
        if (streak := longest_streak(dice.systems[die], faces))
    ]
    rarest = min(streaks, key=lambda run: run.streak.chance, default=None)
    if rarest is None or rarest.streak.length == 1:
        return None
    return replace(rarest, streak=rarest.streak.of(len(streaks)))


def _player(user_id: int, dice: _Dice, rolls: Sequence[tuple[Event, bool]]) -> Player | None:
    """Return a player's ranks with their usual range; None if none of their rolls has a rank."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=user_id % 2**64))
    deviations = np.zeros(_RUNS)
    count, total = 0, 0.0
    for (user, die), faces in dice.faces.items():
        ranks = rank_faces(dice.systems[die])
        if user != user_id or ranks is None:
            continue
        ranked = [face for face in faces if face in ranks]
        count += len(ranked)
        total += sum(ranks[face] for face in ranked)
        low = {face: dice.low_passes[user, die, face] for face in ranks}
        total += sum((1 - 2 * ranks[face]) * n for face, n in low.items())
        die_rolls = [
            (event, is_visible and event.player_id == user_id)
            for event, is_visible in rolls
            if event.roll.roller == die
        ]
        # What evens out among all dice does not between those where low is luck and the others.
        is_mixed = 0 < sum(low.values()) < len(ranked)
        stretch = None if is_mixed else trace(die_rolls)
        deviations += usual_ranks(dice.systems[die], len(ranked), stretch, generator)
    if not count:
        return None
    side = 100 * float(np.quantile(np.abs(deviations), USUAL, method="higher")) / count
    highs, lows = dice.naturals[user_id, "20"], dice.naturals[user_id, "1"]
    return Player(user_id, count, 100 * total / count, side, highs, lows, dice.character(user_id))


def usual_ranks(system: System, dice: int, stretch: Stretch | None, generator: Generator) -> Floats:
    """Return how far the sum of the ranks of `dice` dice exceeds its expectation, in many simulated evenings.

    Without a stretch the dice are independent.
    """
    import numpy as np

    ranks = np.array([*(rank_faces(system) or {}).values()]) - 0.5
    if stretch is None or stretch.independent or stretch.looked_at != dice:
        share = chances_of(shares(system))
        if dice < len(share):
            return ranks[fallen(share, dice, _RUNS, generator)].sum(axis=1)
        return generator.multinomial(dice, share, size=_RUNS) @ ranks
    law = usual(stretch)
    deviations = (law.counts - law.expected) @ ranks
    return generator.choice(deviations, _RUNS, p=law.chances / law.chances.sum())


@lru_cache(maxsize=128)
def rank_faces(system: System) -> dict[str, float] | None:
    """Return each face's rank, from 0 to 1, in the order of the faces; None if they are not numbers."""
    if not are_numbers(system.faces):
        return None
    table = shares(system)
    total, below = sum(table), 0
    ranks = dict.fromkeys(system.faces, 0.0)
    for face, a in sorted(zip(system.faces, table, strict=True), key=lambda pair: int(pair[0])):
        ranks[face] = (below + a / 2) / total
        below += a
    return ranks
