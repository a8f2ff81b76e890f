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
from bot.campaign.replay import tosses
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
    faces_by_die: dict[tuple[int, str], list[str]] = {}
    low_passes = Counter[tuple[int, str, str]]()
    characters: dict[int, set[str]] = {}
    systems: dict[str, System] = {}
    for event in visible:
        if (player_id := event.player_id) is not None:
            characters.setdefault(player_id, set()).add(event.character)
        for die, system, face in _faces(event):
            systems[die] = system
            if player_id is not None:
                faces_by_die.setdefault((player_id, die), []).append(face)
                if event.roll.check and event.roll.check.under:
                    low_passes[player_id, die, face] += 1
    users = dict.fromkeys(user_id for user_id, _ in faces_by_die)
    only_character = {user_id: min(names) if len(names) == 1 else "" for user_id, names in characters.items()}
    players = (
        _player(user_id, only_character[user_id], faces_by_die, low_passes, systems, rolls)
        for user_id in users
    )
    return EveningSummary(
        tuple(sorted(filter(None, players), key=lambda player: -player.luck)),
        len(visible),
        sum(event.roll.source is Source.TRUE for event in visible),
        _rarest(faces_by_die, systems, only_character),
        best_roll(visible),
        by_hand=by_hand,
    )


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


def _rarest(
    faces_by_die: dict[tuple[int, str], list[str]], systems: dict[str, System], characters: dict[int, str]
) -> PlayerStreak | None:
    streaks = [
        PlayerStreak(user_id, die, streak, characters[user_id])
        for (user_id, die), faces in faces_by_die.items()
        if (streak := longest_streak(systems[die], faces))
    ]
    rarest = min(streaks, key=lambda run: run.streak.chance, default=None)
    if rarest is None or rarest.streak.length == 1:
        return None
    return replace(rarest, streak=rarest.streak.of(len(streaks)))


def _player(
    user_id: int,
    character: str,
    faces_by_die: dict[tuple[int, str], list[str]],
    low_passes: Counter[tuple[int, str, str]],
    systems: dict[str, System],
    rolls: Sequence[tuple[Event, bool]],
) -> Player | None:
    """Return a player's ranks with their usual range; None if none of their rolls has a rank.

    `low_passes` counts the faces of a player's die in checks where low rolls pass.
    """
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=user_id % 2**64))
    deviations = np.zeros(_RUNS)
    dice, total = 0, 0.0
    for (user, die), faces in faces_by_die.items():
        ranks = rank_faces(systems[die])
        if user != user_id or ranks is None:
            continue
        ranked = [face for face in faces if face in ranks]
        dice += len(ranked)
        total += sum(ranks[face] for face in ranked)
        total += sum((1 - 2 * ranks[face]) * low_passes[user, die, face] for face in ranks)
        die_rolls = [
            (event, is_visible and event.player_id == user_id)
            for event, is_visible in rolls
            if event.roll.roller == die
        ]
        deviations += usual_ranks(systems[die], len(ranked), trace(die_rolls), generator)
    if not dice:
        return None
    side = np.quantile(np.abs(deviations), USUAL, method="higher") / dice
    twenties = faces_by_die.get((user_id, _NATURAL), [])
    rank, luck_side = 100 * total / dice, 100 * float(side)
    return Player(user_id, dice, rank, luck_side, twenties.count("20"), twenties.count("1"), character)


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
