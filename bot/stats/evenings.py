"""Sum up an evening: each player's dice against what is usual for them, the rarest streak, the best roll.

The rank of a face is the share of rolls that are lower, ties counting half (mid-ranks, as in Mann and
Whitney's test): 50 of 100 is expected, whatever dice are rolled.
"""

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
_ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class Player:
    """One player's evening; ranks are of 0 to 100."""

    user_id: int
    dice: int
    """Faces that were ranked."""
    rank: float
    side: float
    """At least 19 of 20 such evenings are within 50 plus or minus this."""
    highs: int = 0
    """How many of their d20s showed 20, and how many 1."""
    lows: int = 0
    character: str = ""
    """The name of the character who made all their rolls; "" for none, and for several."""

    @property
    def luck(self) -> float:
        """How far from 50, in the unit in which 1 is the edge of what is usual."""
        return (self.rank - 50) / self.side if self.side else 0.0

    @property
    def stands_out(self) -> bool:
        """Whether there are enough dice to tell, and their rank is not what is usual."""
        return self.dice >= ENOUGH_DICE and abs(self.rank - 50) > self.side + _ALIKE


@dataclass(frozen=True, slots=True)
class PlayerStreak:
    """A streak, whose it was and of which die."""

    user_id: int
    die: str
    streak: Streak
    character: str = ""


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """All that the summary of an evening shows."""

    players: tuple[Player, ...]
    """The luckiest first."""
    rolls: int
    dice: int
    true: int
    """Rolls whose bits were true-random throughout."""
    run: PlayerStreak | None
    """The streak that plain dice would show least often, judged among all that were looked at."""
    best: BestRoll | None = None
    """The roll that is equalled or beaten least often."""
    unjudged: Mapping[str, Exception] = field(default_factory=dict[str, Exception])
    """Rollers whose rolls are left out, each with what went wrong."""
    by_hand: int = 0
    """Rolls that were thrown by hand, which nothing else here counts."""


def look_back(rolls: Iterable[tuple[Event, bool]]) -> EveningSummary:
    """Sum up these rolls, in their order, each with whether everybody may see it.

    Those that are hidden only tell what memories went through. Erased players have no part in it, and what
    game masters roll for monsters is nobody's luck. A roller that can't be judged is left out, and does not
    cost the others their recap.
    """
    everything, unjudged = [*rolls], dict[str, Exception]()
    try:
        return _look_back(everything)
    except Exception:
        for roller in {event.roll.roller for event, _ in everything}:
            try:
                _look_back([one for one in everything if one[0].roll.roller == roller])
            except Exception as error:  # noqa: BLE001 (whoever asked logs it)
                unjudged[roller] = error
        if not unjudged:
            raise
    judged = [one for one in everything if one[0].roll.roller not in unjudged]
    return replace(_look_back(judged), unjudged=unjudged)


def _look_back(everything: Sequence[tuple[Event, bool]]) -> EveningSummary:
    """Sum up these rolls, or fail."""
    by_hand = sum(seen and bool(event.roll.thrown) for event, seen in everything)
    everything = [(event, seen and not event.roll.thrown) for event, seen in everything]
    shown = [event for event, seen in everything if seen]
    rolled: dict[tuple[int, str], list[str]] = {}
    characters: dict[int, set[str]] = {}
    systems: dict[str, System] = {}
    dice = 0
    for event in shown:
        if (player_id := event.player_id) is not None:
            characters.setdefault(player_id, set()).add(event.character)
        for die, system, face in _faces(event):
            dice += 1
            systems[die] = system
            if player_id is not None:
                rolled.setdefault((player_id, die), []).append(face)
    users = dict.fromkeys(user_id for user_id, _ in rolled)
    found = [_player(user_id, rolled, systems, everything) for user_id in users]
    alone = {user_id: min(names) for user_id, names in characters.items() if len(names) == 1}
    players = [replace(p, character=alone.get(p.user_id, "")) for p in found if p]
    run = _rarest(rolled, systems)
    return EveningSummary(
        tuple(sorted(players, key=lambda player: -player.luck)),
        len(shown),
        dice,
        sum(event.roll.source is Source.TRUE for event in shown),
        run and replace(run, character=alone.get(run.user_id, "")),
        best_roll(shown),
        by_hand=by_hand,
    )


def _faces(event: Event) -> list[tuple[str, System, str]]:
    """Return each face that fell, with its die's name and law.

    A register's values are nobody's luck, and a luck account's totals are of dice that it does not know. A
    game's roll may have no odds that could be worked out.
    """
    roll = event.roll
    system = roll.of.system
    if system is None:
        return [(die, plain_die(die), face) for die, face in tosses(event)]
    if isinstance(system, Register | LuckAccount) or not has_odds(system):
        return []
    return [(roll.roller, system, face) for face in roll.results]


def _rarest(rolled: dict[tuple[int, str], list[str]], systems: dict[str, System]) -> PlayerStreak | None:
    streaks = [
        PlayerStreak(user_id, die, streak)
        for (user_id, die), faces in rolled.items()
        if (streak := longest_streak(systems[die], faces))
    ]
    rarest = min(streaks, key=lambda run: run.streak.chance, default=None)
    if rarest is None or rarest.streak.length == 1:
        return None
    return PlayerStreak(rarest.user_id, rarest.die, rarest.streak.of(len(streaks)))


def _player(
    user_id: int,
    rolled: dict[tuple[int, str], list[str]],
    systems: dict[str, System],
    rolls: Sequence[tuple[Event, bool]],
) -> Player | None:
    """Return a player's ranks against what is usual; None where they rolled nothing that has a rank."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=user_id % 2**64))
    off = np.zeros(_RUNS)
    dice, total = 0, 0.0
    for (user, die), faces in rolled.items():
        ranks = rank_faces(systems[die])
        if user != user_id or ranks is None:
            continue
        known = [face for face in faces if face in ranks]
        dice += len(known)
        total += sum(ranks[face] for face in known)
        its = [(e, seen and e.player_id == user_id) for e, seen in rolls if e.roll.roller == die]
        off += usual_ranks(systems[die], len(known), trace(its), generator)
    if not dice:
        return None
    side = np.quantile(np.abs(off), USUAL, method="higher") / dice
    twenties = rolled.get((user_id, _NATURAL), [])
    return Player(
        user_id, dice, 100 * total / dice, 100 * float(side), twenties.count("20"), twenties.count("1")
    )


def usual_ranks(system: System, dice: int, stretch: Stretch | None, generator: Generator) -> Floats:
    """Return by how much the ranks of some dice are above expectation, in many evenings.

    Without a stretch, as independent dice do.
    """
    import numpy as np

    ranks = np.array([*(rank_faces(system) or {}).values()]) - 0.5
    if stretch is None or stretch.independent or stretch.looked_at != dice:
        share = chances_of(shares(system))
        if dice < len(share):
            return ranks[fallen(share, dice, _RUNS, generator)].sum(axis=1)
        return generator.multinomial(dice, share, size=_RUNS) @ ranks
    law = usual(stretch)
    off = (law.counts - law.expected) @ ranks
    return generator.choice(off, _RUNS, p=law.chances / law.chances.sum())


@lru_cache(maxsize=128)
def rank_faces(system: System) -> dict[str, float] | None:
    """Return each face's rank, of 0 to 1, in the order of the faces; None where they are not numbers."""
    if not are_numbers(system.faces):
        return None
    table = shares(system)
    total, below = sum(table), 0
    ranks = dict.fromkeys(system.faces, 0.0)
    for face, a in sorted(zip(system.faces, table, strict=True), key=lambda one: int(one[0])):
        ranks[face] = (below + a / 2) / total
        below += a
    return ranks
